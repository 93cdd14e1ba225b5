//! The fast engine: goes from one due tick to the next and serves only units that asked to be woken; what nobody waits for is
//! carried out when one of them looks (decisions 0013, 0015).

use super::ahead::{
    Admissions, Crossbars, EgressStores, Ejections, Generations, LateStores, Links, Phase, Stores,
};
use crate::env::{Medium, TickEnv};
use crate::observer::Observer;
use crate::units_of::Units;
use crate::wheel::Wheel;
use switch::{Env, LinkGrant, Organisation, Wake};
use units::Tick;

/// Alarm clock and the grants of the present tick.
#[derive(Debug)]
pub(crate) struct Fast {
    pub(crate) wheel: Wheel,
    /// Whether to look ahead ([`super::ahead`]).
    ahead: bool,
    links: Vec<(u32, u8, LinkGrant)>,
    crossbars: Vec<u32>,
    recn: Vec<u32>,
    recn_seen: Vec<u64>,
}

impl Fast {
    pub(crate) fn new(units: &Units) -> Fast {
        let mut wheel = Wheel::new();
        for (n, node) in units.nodes.iter().enumerate() {
            if let Some(due) = node.generation_due(&units.params) {
                crate::env::Alarm::wake(
                    &mut wheel,
                    0,
                    due,
                    Wake::Generate,
                    (units.switches.len() + n) as u32,
                    0,
                );
            }
        }
        let elements = units.switches.len() + units.nodes.len();
        Fast {
            wheel,
            ahead: super::ahead::pays(units),
            links: Vec::with_capacity(elements),
            crossbars: Vec::with_capacity(elements),
            recn: Vec::with_capacity(elements),
            recn_seen: vec![0; elements.div_ceil(64)],
        }
    }

    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(
        &mut self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        if units.params.is_plain() {
            self.run_as::<O, true>(units, medium, observer, from, end);
        } else {
            self.run_as::<O, false>(units, medium, observer, from, end);
        }
    }

    fn run_as<O: Observer, const PLAIN: bool>(
        &mut self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        let late = units.params.may_store_late() && !O::IN_ORDER;
        medium.store_delay = if late {
            units.params.stages.arbitration
        } else {
            0
        };
        let mut now = from;
        while let Some(next) = self.wheel.next(now, end) {
            now = next;
            self.wheel.begin(now);
            self.tick::<O, PLAIN>(units, medium, observer, now);
            self.wheel.end();
            now += 1;
        }
    }

    /// One tick: evaluate on committed state, then commit in the order of the specification (clock.md).
    #[inline]
    fn tick<O: Observer, const PLAIN: bool>(
        &mut self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        now: Tick,
    ) {
        let switches = units.switches.len() as u32;
        let env = &mut TickEnv::<_, _, PLAIN> {
            now,
            medium,
            alarm: &mut self.wheel,
            observer,
            switches,
        };
        let ahead = self.ahead;
        let iq = !PLAIN && units.params.config.organisation == Organisation::Iq;
        // Evaluate, and commit 1: departures. In `iq` a link is what its crossbar output waits for; elsewhere what a link
        // arbiter reads no other reads, and a crossbar's are its switch's own: what they grant may start at once.
        if iq {
            evaluate_links(units, &mut self.links, ahead, env);
            evaluate_crossbars(units, &mut self.crossbars, ahead, env);
            start_links(units, &mut self.links, env);
            start_crossbars(units, &mut self.crossbars, env);
        } else {
            if env.is_due(Wake::Link) {
                evaluate_and_start_links(units, ahead, env);
            }
            if env.is_due(Wake::LateStore) {
                late_stores(units, &mut self.crossbars, ahead, env);
            }
            if env.is_due(Wake::Crossbar) || !self.crossbars.is_empty() {
                evaluate_and_start_crossbars(units, &mut self.crossbars, ahead, env);
            }
        }
        if env.is_due(Wake::LinkTail) {
            link_tails(units, env);
        }
        // Commit 2: stores.
        if env.is_due(Wake::Store) {
            stores(units, ahead, env);
        }
        if env.is_due(Wake::StoreEgress) {
            egress_stores(units, ahead, env);
        }
        if env.is_due(Wake::Eject) || env.is_due(Wake::Generate) {
            ejections_and_generation(units, ahead, env);
        }
        // Commit 3: PPU moves and admittance.
        if env.is_due(Wake::Ppu) {
            ppu_moves(units, env);
        }
        if env.is_due(Wake::Admit) {
            admittance(units, ahead, env);
        }
        // Commit 4: control packets from the links.
        if env.is_due(Wake::Control) {
            control_packets(units, env);
        }
        // Commit 5-8: messages inside elements, markers, frees, tokens.
        if env.is_due(Wake::Recn) {
            recn_steps(units, &mut self.recn, &mut self.recn_seen, env);
        }
    }
}

// The phases. Each serves all that is due in it, apart from the others: so its registers are the processor's.

type FastEnv<'a, O, const PLAIN: bool> = TickEnv<'a, Wheel, O, PLAIN>;

impl<O, const PLAIN: bool> FastEnv<'_, O, PLAIN> {
    #[inline(always)]
    fn is_due(&self, kind: Wake) -> bool {
        self.alarm.is_due(kind)
    }
}

#[inline(never)]
fn evaluate_links<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    grants: &mut Vec<(u32, u8, LinkGrant)>,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let now = env.now;
    let mut phase = Phase::<Links>::new(ahead);
    while let Some((element, port)) = phase.next(units, env.medium, env.alarm) {
        let grant = units.evaluate_link(element, port, env);
        if !grant.is_nothing() {
            grants.push((element, port, grant));
        }
        if units.is_switch(element) {
            env.wake(now, Wake::Crossbar, element, port);
        }
    }
}

#[inline(never)]
fn evaluate_and_start_links<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<Links>::new(ahead);
    while let Some((element, port)) = phase.next(units, env.medium, env.alarm) {
        units.evaluate_and_start_link(element, port, env);
    }
}

/// Heads that arbiters see from this tick on (decision 0015).
#[inline(never)]
fn late_stores<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    due: &mut Vec<u32>,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<LateStores>::new(ahead);
    while let Some((element, input)) = phase.next(units, env.medium, env.alarm) {
        if units.store_late(element, input, env) {
            due.push(element);
        } else if ahead {
            // The switch may be due already: then it has several outputs to look at.
            units.switches[element as usize].prefetch_many();
        }
    }
}

#[inline(never)]
fn evaluate_and_start_crossbars<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    due: &mut Vec<u32>,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    begin_crossbars(units, due, ahead, env);
    while let Some(element) = due.pop() {
        let switch = &mut units.switches[element as usize];
        switch.evaluate_and_start_crossbar(&units.params, env);
    }
}

#[inline(always)]
fn begin_crossbars<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    due: &mut Vec<u32>,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<Crossbars>::new(ahead);
    while let Some((element, output)) = phase.next(units, env.medium, env.alarm) {
        if units.switches[element as usize].begin_evaluation(1 << output, env.now) {
            due.push(element);
        }
    }
}

#[inline(never)]
fn evaluate_crossbars<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    due: &mut Vec<u32>,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    begin_crossbars(units, due, ahead, env);
    for &element in &*due {
        units.switches[element as usize].evaluate_crossbar(&units.params, false, env);
    }
}

#[inline(never)]
fn start_crossbars<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    due: &mut Vec<u32>,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    while let Some(element) = due.pop() {
        units.switches[element as usize].start_crossbar(&units.params, env);
    }
}

#[inline(never)]
fn start_links<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    grants: &mut Vec<(u32, u8, LinkGrant)>,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    while let Some((element, port, grant)) = grants.pop() {
        units.start_link(element, port, grant, env);
    }
}

#[inline(never)]
fn link_tails<O: Observer, const PLAIN: bool>(units: &mut Units, env: &mut FastEnv<'_, O, PLAIN>) {
    while let Some((element, port)) = env.alarm.take(Wake::LinkTail) {
        units.switches[element as usize].link_tail(&units.params, usize::from(port), env);
    }
}

#[inline(never)]
fn stores<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<Stores>::new(ahead);
    while let Some((element, port)) = phase.next(units, env.medium, env.alarm) {
        units.store(element, port, env);
    }
}

#[inline(never)]
fn egress_stores<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<EgressStores>::new(ahead);
    while let Some((element, port)) = phase.next(units, env.medium, env.alarm) {
        units.switches[element as usize].store_egress(&units.params, usize::from(port), env);
    }
}

#[inline(never)]
fn ejections_and_generation<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let mut phase = Phase::<Ejections>::new(ahead);
    while let Some((element, _)) = phase.next(units, env.medium, env.alarm) {
        if ahead && let Some(next) = env.alarm.due(Wake::Eject).last() {
            prefetch_observed(next.unit(), units, env);
        }
        units.eject(element, env);
    }
    let mut phase = Phase::<Generations>::new(ahead);
    while let Some((element, _)) = phase.next(units, env.medium, env.alarm) {
        let node = units.node_of(element);
        units.nodes[node].generate(&units.params, env);
    }
}

/// For the packet that is ejected at an end node, what observers keep of its flow.
#[inline(always)]
fn prefetch_observed<O: Observer, const PLAIN: bool>(
    (element, port): (u32, u8),
    units: &Units,
    env: &FastEnv<'_, O, PLAIN>,
) {
    if let Some(id) = env.medium.wires.front(units.port(element, port)) {
        env.observer.prefetch_ejection(&env.medium.packets[id]);
    }
}

#[inline(never)]
fn ppu_moves<O: Observer, const PLAIN: bool>(units: &mut Units, env: &mut FastEnv<'_, O, PLAIN>) {
    while let Some((element, input)) = env.alarm.take(Wake::Ppu) {
        units.switches[element as usize].ppu_step(&units.params, usize::from(input), env);
    }
}

#[inline(never)]
fn admittance<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    ahead: bool,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    let now = env.now;
    let mut phase = Phase::<Admissions>::new(ahead);
    while let Some((element, _)) = phase.next(units, env.medium, env.alarm) {
        let node = units.node_of(element);
        let node = &mut units.nodes[node];
        if node.last_admit != now {
            node.last_admit = now;
            node.admit(&units.params, &units.routing, env);
        }
    }
}

#[inline(never)]
fn control_packets<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    while let Some((element, port)) = env.alarm.take(Wake::Control) {
        units.control(element, port, env);
    }
}

#[inline(never)]
fn recn_steps<O: Observer, const PLAIN: bool>(
    units: &mut Units,
    elements: &mut Vec<u32>,
    seen: &mut [u64],
    env: &mut FastEnv<'_, O, PLAIN>,
) {
    while let Some((element, _)) = env.alarm.take(Wake::Recn) {
        let (word, bit) = (element as usize / 64, 1u64 << (element % 64));
        if seen[word] & bit == 0 {
            seen[word] |= bit;
            elements.push(element);
        }
    }
    while let Some(element) = elements.pop() {
        seen[element as usize / 64] &= !(1 << (element % 64));
        units.recn_step(element, false, env);
    }
    // Steps 6 and 7 mark nothing for this tick any more.
    while env.alarm.take(Wake::Recn).is_some() {}
}
