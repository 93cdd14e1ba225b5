//! The fast engine: goes from one due tick to the next and touches only units that asked to be woken.

use crate::env::{Medium, TickEnv};
use crate::observer::Observer;
use crate::units_of::Units;
use crate::wheel::Wheel;
use switch::{Env, LinkGrant, Wake};
use units::Tick;

/// Alarm clock and the grants of the present tick.
#[derive(Debug)]
pub(crate) struct Fast {
    wheel: Wheel,
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
        let mut now = from;
        while let Some(next) = self.wheel.next(now, end) {
            now = next;
            self.tick(units, medium, observer, now);
            self.wheel.done(now);
            now += 1;
        }
    }

    /// One tick: evaluate on committed state, then commit in the order of the specification (clock.md).
    fn tick<O: Observer>(
        &mut self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        now: Tick,
    ) {
        let switches = units.switches.len() as u32;
        let mut env = TickEnv {
            now,
            medium,
            alarm: &mut self.wheel,
            observer,
            switches,
        };
        // Evaluate.
        while let Some((element, port)) = env.alarm.take(now, Wake::Link) {
            let (grant, crossbar) = units.evaluate_link(element, port, &mut env);
            if let Some(grant) = grant {
                self.links.push((element, port, grant));
            }
            if crossbar {
                env.wake(now, Wake::Crossbar, element, 0);
            }
        }
        while let Some((element, input)) = env.alarm.take(now, Wake::Request) {
            if units.switches[element as usize].mark_requests(usize::from(input), now) {
                env.wake(now, Wake::Crossbar, element, 0);
            }
        }
        while let Some((element, _)) = env.alarm.take(now, Wake::Crossbar) {
            let switch = &mut units.switches[element as usize];
            switch.evaluate_crossbar(&units.params, false, &mut env);
            if !switch.grants.is_empty() {
                self.crossbars.push(element);
            }
        }
        // Commit 1: departures.
        while let Some((element, port, grant)) = self.links.pop() {
            units.start_link(element, port, grant, &mut env);
        }
        while let Some(element) = self.crossbars.pop() {
            units.switches[element as usize].start_crossbar(&units.params, &mut env);
        }
        while let Some((element, input)) = env.alarm.take(now, Wake::CrossbarTail) {
            units.switches[element as usize].crossbar_tail(usize::from(input), &mut env);
        }
        while let Some((element, port)) = env.alarm.take(now, Wake::LinkTail) {
            units.link_tail(element, port, &mut env);
        }
        // Commit 2: stores.
        while let Some((element, port)) = env.alarm.take(now, Wake::Store) {
            units.store(element, port, &mut env);
        }
        while let Some((element, port)) = env.alarm.take(now, Wake::StoreEgress) {
            units.switches[element as usize].store_egress(
                &units.params,
                usize::from(port),
                &mut env,
            );
        }
        while let Some((element, _)) = env.alarm.take(now, Wake::Eject) {
            units.eject(element, &mut env);
        }
        while let Some((element, _)) = env.alarm.take(now, Wake::Generate) {
            let node = units.node_of(element);
            units.nodes[node].generate(&units.params, &mut env);
        }
        // Commit 3: PPU moves and admittance.
        while let Some((element, input)) = env.alarm.take(now, Wake::Ppu) {
            units.switches[element as usize].ppu_step(&units.params, usize::from(input), &mut env);
        }
        while let Some((element, _)) = env.alarm.take(now, Wake::Admit) {
            let node = units.node_of(element);
            if units.nodes[node].last_admit != now {
                units.nodes[node].last_admit = now;
                units.nodes[node].admit(&units.params, &units.routing, &mut env);
            }
        }
        // Commit 4: control packets from the links.
        while let Some((element, port)) = env.alarm.take(now, Wake::Control) {
            units.control(element, port, &mut env);
        }
        // Commit 5-8: messages inside elements, markers, frees, tokens.
        while let Some((element, _)) = env.alarm.take(now, Wake::Recn) {
            let (word, bit) = (element as usize / 64, 1u64 << (element % 64));
            if self.recn_seen[word] & bit == 0 {
                self.recn_seen[word] |= bit;
                self.recn.push(element);
            }
        }
        while let Some(element) = self.recn.pop() {
            self.recn_seen[element as usize / 64] &= !(1 << (element % 64));
            units.recn_step(element, false, &mut env);
        }
        // Steps 6 and 7 mark nothing for this tick any more.
        while env.alarm.take(now, Wake::Recn).is_some() {}
    }
}
