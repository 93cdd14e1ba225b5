//! The reference clock: visits every unit on every tick and looks at all its registers. Short and
//! plainly right: the oracle of the fast clock.

use crate::elements::Elements;
use crate::transit::{Alarm, Around, Transit, Wake};
use observe::Observer;
use switch::Organisation;
use units::{ElementId, PortId, Tick};

/// No alarm clock: everything is looked at anyway.
pub(crate) struct Nowhere;

impl Alarm for Nowhere {
    #[inline]
    fn wake(&mut self, _: Tick, _: Tick, _: Wake, _: ElementId, _: PortId) {}
}

/// Order in which elements and ports are visited; results do not depend on it.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    /// Every port of a switch.
    ports: Vec<(ElementId, PortId)>,
    switches: Vec<ElementId>,
    nodes: Vec<ElementId>,
}

impl Reference {
    /// Visits in order of number, or shuffled by a seed.
    pub(crate) fn new(elements: &Elements, shuffle: Option<u64>) -> Reference {
        let count = elements.switches.len();
        let mut switches: Vec<_> = (0..count).map(ElementId::at).collect();
        let nodes = count..count + elements.nodes.len();
        let mut nodes: Vec<_> = nodes.map(ElementId::at).collect();
        let mut ports = Vec::new();
        for (&element, switch) in switches.iter().zip(&elements.switches) {
            ports.extend((0..switch.ports()).map(|port| (element, PortId::at(port))));
        }
        if let Some(seed) = shuffle {
            let mut rng = workload::rng::stream(seed, "visiting order");
            shuffle_list(&mut switches, &mut rng);
            shuffle_list(&mut nodes, &mut rng);
            shuffle_list(&mut ports, &mut rng);
        }
        Reference {
            ports,
            switches,
            nodes,
        }
    }

    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(
        &self,
        elements: &mut Elements,
        transit: &mut Transit,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        let routing = elements.routing.clone();
        for now in from.0..end.0 {
            let mut around = Around {
                now: Tick(now),
                element: ElementId(0),
                transit,
                routing: &routing,
                alarm: &mut Nowhere,
                observer,
            };
            self.tick(elements, &mut around);
        }
    }

    fn tick<O: Observer>(&self, elements: &mut Elements, around: &mut Around<'_, Nowhere, O>) {
        // Evaluate: every link, every crossbar.
        let mut grants = Vec::new();
        let injections = self.nodes.iter().map(|&node| (node, PortId(0)));
        for (element, port) in self.ports.iter().copied().chain(injections) {
            let grant = elements.evaluate_link(element, port, around);
            if !grant.is_nothing() {
                grants.push((element, port, grant));
            }
        }
        for &element in &self.switches {
            elements.evaluate_crossbar(element, true, around);
        }
        // Commit 1: departures.
        for (element, port, grant) in grants {
            elements.start_link(element, port, grant, around);
        }
        for &element in &self.switches {
            elements.start_crossbar(element, around);
        }
        if elements.params.config.organisation == Organisation::Oq {
            for &(element, port) in &self.ports {
                elements.link_tail(element, port, around);
            }
        }
        // Commit 2: stores, ejections, messages.
        for &(element, port) in &self.ports {
            elements.store(element, port, around);
        }
        for &element in &self.nodes {
            elements.eject(element, around);
            elements.generate(element, around);
        }
        for &(element, port) in &self.ports {
            // In `oq` several heads may come to one output.
            for _ in 0..elements.switches[element.index()].ports() {
                elements.store_egress(element, port, around);
            }
        }
        // Commit 3: PPU moves and admittance.
        for &(element, port) in &self.ports {
            elements.ppu_step(element, port, around);
            elements.decide_step(element, port, around);
        }
        for &element in &self.nodes {
            elements.admit(element, around);
        }
        // Commit 4: control packets from the links.
        for &(element, port) in &self.ports {
            elements.control(element, port, around);
        }
        for &element in &self.nodes {
            elements.control(element, PortId(0), around);
        }
        // Commit 5 to 8: messages inside switches, markers, frees, tokens.
        for &element in self.switches.iter().chain(&self.nodes) {
            elements.recn_step(element, true, around);
        }
    }
}

fn shuffle_list<T>(list: &mut [T], rng: &mut workload::rng::Xoshiro256PlusPlus) {
    for i in (1..list.len()).rev() {
        let j = workload::rng::below(rng, i as u64 + 1) as usize;
        list.swap(i, j);
    }
}
