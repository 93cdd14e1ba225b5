//! The clock of the units. In each tick it visits the elements, and of these the ports, at which
//! anything may happen: they say after a visit, from their registers, when that is next; what comes
//! over wires is known from the wires. Nothing depends on it: all may be visited in every tick, in
//! any order.

use super::elements::Elements;
use super::transit::{ElementContext, Transit};
use observe::Observer;
use plan::Organisation;
use switch::LinkGrant;
use units::{ElementId, PortId, Tick};

/// What is visited in a tick, in an order on which results do not depend.
#[derive(Debug, Clone, Default)]
struct Visits {
    /// Ports of switches.
    ports: Vec<(ElementId, PortId)>,
    switches: Vec<ElementId>,
    nodes: Vec<ElementId>,
}

impl Visits {
    fn clear(&mut self) {
        self.ports.clear();
        self.switches.clear();
        self.nodes.clear();
    }

    /// Adds an element, with those of its ports that `is_due`.
    fn add(&mut self, elements: &Elements, element: ElementId, is_due: impl Fn(PortId) -> bool) {
        match elements.switches.get(element.index()) {
            Some(switch) => {
                self.switches.push(element);
                let ports = (0..switch.ports()).map(PortId::at);
                let due = ports.filter(|port| is_due(*port));
                self.ports.extend(due.map(|port| (element, port)));
            }
            None => self.nodes.push(element),
        }
    }
}

/// The clock.
#[derive(Debug)]
pub(crate) struct Clock {
    /// All elements are visited in every tick.
    all: Option<Visits>,
    /// Those of the present tick.
    visits: Visits,
    /// What links start in it.
    grants: Vec<(ElementId, PortId, LinkGrant)>,
}

impl Clock {
    /// Visits what is due in order of number, or all, in an order drawn from a seed.
    pub(crate) fn new(elements: &Elements, shuffle: Option<u64>) -> Clock {
        let all = shuffle.map(|seed| {
            let mut all = Visits::default();
            for element in 0..elements.switches.len() + elements.nodes.len() {
                all.add(elements, ElementId::at(element), |_| true);
            }
            let mut rng = workload::rng::stream(seed, "visiting order");
            shuffle_list(&mut all.switches, &mut rng);
            shuffle_list(&mut all.nodes, &mut rng);
            shuffle_list(&mut all.ports, &mut rng);
            all
        });
        Clock { all, visits: Visits::default(), grants: Vec::new() }
    }

    /// Runs ticks `from..end`.
    pub(crate) fn run<O: Observer>(
        &mut self,
        elements: &mut Elements,
        transit: &mut Transit,
        observer: &mut O,
        from: Tick,
        end: Tick,
    ) {
        let routing = elements.routing.clone();
        let mut now = from;
        while now < end {
            self.choose(elements, transit, now);
            let mut env = ElementContext { now, transit, routing: &routing, observer };
            self.tick(elements, &mut env);
            now = self.next(elements, transit, now);
        }
    }

    /// Who is visited in this tick.
    fn choose(&mut self, elements: &Elements, transit: &Transit, now: Tick) {
        if let Some(all) = &self.all {
            self.visits.clone_from(all);
            return;
        }
        self.visits.clear();
        // In `oq` what comes to a port is stored at another in the same tick.
        let whole = elements.params.config.organisation == Organisation::Oq;
        for (element, due) in transit.due.iter().enumerate() {
            if *due <= now {
                let element = ElementId::at(element);
                self.visits.add(elements, element, |port| {
                    let wire = elements.wire(element, port);
                    whole || transit.port_due[wire.index()] <= now
                });
            }
        }
    }

    /// The next tick to visit anybody in.
    fn next(&self, elements: &Elements, transit: &mut Transit, now: Tick) -> Tick {
        if self.all.is_some() {
            return now.next();
        }
        for &element in self.visits.switches.iter().chain(&self.visits.nodes) {
            elements.find_due(element, transit, now);
        }
        transit.due.iter().copied().min().unwrap_or(Tick::MAX)
    }

    fn tick<O: Observer>(&mut self, elements: &mut Elements, env: &mut ElementContext<'_, O>) {
        let Visits { ports, switches, nodes } = &self.visits;
        let now = env.now;
        // Evaluate: every link, every crossbar.
        let injections = nodes.iter().map(|&node| (node, PortId(0)));
        let links = ports.iter().copied().chain(injections);
        for (element, port) in links.clone() {
            let grant = elements.evaluate_link(element, port, now);
            if !grant.is_nothing() {
                self.grants.push((element, port, grant));
            }
        }
        for &element in switches {
            elements.evaluate_crossbar(element, env);
        }
        // Commit 1: departures.
        for (element, port, grant) in self.grants.drain(..) {
            elements.start_link(element, port, grant, env);
        }
        for &element in switches {
            elements.start_crossbar(element, env);
        }
        for (element, port) in links.clone() {
            elements.tails_leave(element, port, now);
        }
        // Commit 2: stores, ejections, messages.
        for &(element, port) in ports {
            elements.store(element, port, env);
        }
        for &element in nodes {
            elements.eject(element, env);
            elements.generate(element, env);
        }
        for &(element, port) in ports {
            elements.store_egress(element, port, env);
        }
        // Commit 3: PPU moves and admittance.
        for &(element, port) in ports {
            elements.ppu_step(element, port, env);
            elements.decide_step(element, port, env);
        }
        for &element in nodes {
            elements.admit(element, env);
        }
        // Commit 4: control packets from the links.
        for (element, port) in links {
            elements.control(element, port, env);
        }
        // Commit 5 to 8: messages inside switches, markers, frees, tokens.
        for &element in switches.iter().chain(nodes) {
            elements.recn_step(element, env);
        }
    }
}

fn shuffle_list<T>(list: &mut [T], rng: &mut workload::rng::Xoshiro256PlusPlus) {
    for i in (1..list.len()).rev() {
        let j = workload::rng::below(rng, i as u64 + 1) as usize;
        list.swap(i, j);
    }
}
