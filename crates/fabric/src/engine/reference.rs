//! The reference engine: visits every unit on every tick and looks at all its registers. Short and plainly right: the
//! oracle of the fast engine.

use crate::env::{Alarm, Medium, TickEnv};
use crate::observer::Observer;
use crate::units_of::Units;
use switch::{Organisation, Wake};
use units::Tick;

/// No alarm clock: everything is looked at anyway.
pub(crate) struct Nowhere;

impl Alarm for Nowhere {
    #[inline]
    fn wake(&mut self, _: Tick, _: Tick, _: Wake, _: u32, _: u8) {}
}

/// Order in which elements and ports are visited; results do not depend on it.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    /// (element, port) of every port, in the order of visiting.
    ports: Vec<(u32, u8)>,
    elements: Vec<u32>,
}

impl Reference {
    /// Visits in order of number, or shuffled by a seed.
    pub(crate) fn new(units: &Units, shuffle: Option<u64>) -> Reference {
        let switches = units.switches.len();
        let mut elements: Vec<u32> = (0..(switches + units.nodes.len()) as u32).collect();
        let mut ports: Vec<(u32, u8)> = Vec::new();
        for &element in &elements {
            let count = units
                .switches
                .get(element as usize)
                .map_or(1, |s| s.inputs.len());
            ports.extend((0..count as u8).map(|p| (element, p)));
        }
        if let Some(seed) = shuffle {
            let mut rng = workload::rng::stream(seed, "visiting order");
            shuffle_list(&mut elements, &mut rng);
            shuffle_list(&mut ports, &mut rng);
        }
        Reference { ports, elements }
    }

    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(
        &self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        for now in from..end {
            self.tick(units, medium, observer, now);
        }
    }

    fn tick<O: Observer>(
        &self,
        units: &mut Units,
        medium: &mut Medium,
        observer: &mut O,
        now: Tick,
    ) {
        let switches = units.switches.len() as u32;
        let mut alarm = Nowhere;
        let mut env = TickEnv::<_, _, false> {
            now,
            medium,
            alarm: &mut alarm,
            observer,
            switches,
        };
        let is_switch = |element: u32| element < switches;
        // What has left and started: the fast engine carries it out when somebody looks (decisions 0013, 0015), this one always.
        units.finish(&mut env);
        // Evaluate: every link, every crossbar.
        let mut grants = Vec::new();
        for &(element, port) in &self.ports {
            let grant = units.evaluate_link(element, port, &mut env);
            if !grant.is_nothing() {
                grants.push((element, port, grant));
            }
        }
        for &element in self.elements.iter().filter(|&&e| is_switch(e)) {
            units.switches[element as usize].evaluate_crossbar(&units.params, true, &mut env);
        }
        // Commit 1: departures.
        for (element, port, grant) in grants {
            units.start_link(element, port, grant, &mut env);
        }
        for &element in self.elements.iter().filter(|&&e| is_switch(e)) {
            units.switches[element as usize].start_crossbar(&units.params, &mut env);
        }
        if units.params.config.organisation == Organisation::Oq {
            for &(element, port) in self.ports.iter().filter(|p| is_switch(p.0)) {
                units.switches[element as usize].link_tail(
                    &units.params,
                    usize::from(port),
                    &mut env,
                );
            }
        }
        // Commit 2: stores.
        for &(element, port) in &self.ports {
            let at = units.port(element, port);
            let arrives = env.medium.wires.packet_due(at, &env.medium.packets) == Some(now);
            if is_switch(element) {
                if arrives {
                    units.store(element, port, &mut env);
                }
            } else {
                if arrives {
                    units.eject(element, &mut env);
                }
                let node = units.node_of(element);
                if units.nodes[node]
                    .generation_due(&units.params)
                    .is_some_and(|due| due <= now)
                {
                    units.nodes[node].generate(&units.params, &mut env);
                }
            }
        }
        for &(element, port) in self.ports.iter().filter(|p| is_switch(p.0)) {
            let (switch, port) = (&mut units.switches[element as usize], usize::from(port));
            while switch.outputs[port].arrivals.due(&env.medium.packets) == Some(now) {
                switch.store_egress(&units.params, port, &mut env);
            }
        }
        // Commit 3: PPU moves and admittance.
        for &(element, port) in self.ports.iter().filter(|p| is_switch(p.0)) {
            units.switches[element as usize].ppu_step(&units.params, usize::from(port), &mut env);
        }
        for &element in self.elements.iter().filter(|&&e| !is_switch(e)) {
            let node = units.node_of(element);
            units.nodes[node].admit(&units.params, &units.routing, &mut env);
        }
        // Commit 4: control packets from the links.
        for &(element, port) in &self.ports {
            units.control(element, port, &mut env);
        }
        // Commit 5-8: messages inside elements, markers, frees, tokens.
        for &element in &self.elements {
            units.recn_step(element, true, &mut env);
        }
    }
}

fn shuffle_list<T>(list: &mut [T], rng: &mut workload::rng::Xoshiro256PlusPlus) {
    for i in (1..list.len()).rev() {
        let j = workload::rng::below(rng, i as u64 + 1) as usize;
        list.swap(i, j);
    }
}
