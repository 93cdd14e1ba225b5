//! The clock of the units. In each tick it visits the elements, and of these the ports, at which
//! anything may happen: they say after a visit, from their registers, when that is next; what comes
//! over wires is known from the wires. Nothing depends on it: all may be visited in every tick, in
//! any order.

use super::elements::Elements;
use super::transit::{ElementContext, Transit};
use observe::Observer;
use plan::Organisation;
use switch::LinkGrant;
use units::bits::ones;
use units::{ElementId, PortId, Tick};

/// What is visited in a tick, in an order on which results do not depend.
#[derive(Debug, Clone, Default)]
struct Visits {
    /// Ports of switches, a bit each.
    ports: Vec<(ElementId, u64)>,
    /// Switches, with the ports at which something happens: those, and the ports of transfers.
    switches: Vec<(ElementId, u64)>,
    nodes: Vec<ElementId>,
}

impl Visits {
    fn clear(&mut self) {
        self.ports.clear();
        self.switches.clear();
        self.nodes.clear();
    }

    /// Adds an element, a switch with these of its ports.
    fn add(&mut self, elements: &Elements, element: ElementId, ports: u64) {
        if element.index() < elements.switches.len() {
            self.switches.push((element, ports));
            self.ports.push((element, ports));
        } else {
            self.nodes.push(element);
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
    /// Visits what is due, or all, in an order drawn from a seed.
    pub(crate) fn new(elements: &Elements, shuffle: Option<u64>) -> Clock {
        let all = shuffle.map(|seed| {
            let mut all = Visits::default();
            for element in 0..elements.switches.len() + elements.nodes.len() {
                let element = ElementId::at(element);
                all.add(elements, element, elements.all_ports(element));
            }
            // In an order of their own, whatever their switch.
            let each = |&(element, ports): &_| ones(ports).map(move |port| (element, 1 << port));
            all.ports = all.ports.iter().flat_map(each).collect();
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
        transit.dues.go_on_from(end);
    }

    /// Who is visited in this tick.
    fn choose(&mut self, elements: &Elements, transit: &mut Transit, now: Tick) {
        if let Some(all) = &self.all {
            self.visits.clone_from(all);
            return;
        }
        self.visits.clear();
        // In `oq` what comes to a port is stored at another in the same tick.
        let whole = elements.params.config.organisation == Organisation::Oq;
        transit.dues.take(now, |element, due| {
            let ports = if whole { elements.all_ports(element) } else { due };
            self.visits.add(elements, element, ports);
        });
    }

    /// The next tick to visit anybody in.
    fn next(&self, elements: &Elements, transit: &mut Transit, now: Tick) -> Tick {
        if self.all.is_some() {
            return now.next();
        }
        let Visits { switches, nodes, .. } = &self.visits;
        for &(element, ports) in switches {
            elements.find_due(element, ports, transit, now);
        }
        for &element in nodes {
            elements.find_due(element, 1, transit, now);
        }
        transit.dues.next()
    }

    fn tick<O: Observer>(&mut self, elements: &mut Elements, env: &mut ElementContext<'_, O>) {
        let Visits { ports, switches, nodes } = &mut self.visits;
        let (now, grants) = (env.now, &mut self.grants);
        // Evaluate: every link, every crossbar.
        elements.at_ports(ports, |at| {
            let grant = at.on.evaluate_link(at.port, now);
            if !grant.is_nothing() {
                grants.push((at.element, at.port, grant));
            }
        });
        elements.at_nodes(nodes, |at| {
            let grant = at.on.evaluate_link(now);
            if !grant.is_nothing() {
                grants.push((at.element, at.port, grant));
            }
        });
        for (element, _) in &*switches {
            let switch = &mut elements.switches[element.index()];
            switch.evaluate_crossbar(&elements.params, &env.transit.packets, now);
        }
        // Commit 1: departures.
        for (element, port, grant) in grants.drain(..) {
            elements.start_link((element, port), grant, env);
        }
        for (element, happens) in &mut *switches {
            let switch = &mut elements.switches[element.index()];
            *happens |= switch.start_crossbar(&elements.params, env);
        }
        elements.at_ports(ports, |at| at.on.tails_leave(at.params, at.port, now));
        elements.at_nodes(nodes, |at| at.on.tails_leave(now));
        // Commit 2: stores, ejections, messages.
        elements.at_ports(ports, |at| at.store(env));
        elements.at_nodes(nodes, |at| at.eject_and_generate(env));
        elements.at_ports(ports, |at| at.on.store_egress(at.params, at.port, env));
        // Commit 3: PPU moves, heads decided again, admittance.
        if elements.params.moves() || elements.params.config.adaptive.is_some() {
            elements.at_ports(ports, |at| {
                at.on.ppu_step(at.params, at.port, env);
                at.on.decide_step(at.params, at.port, env);
            });
        }
        elements.at_nodes(nodes, |at| at.on.admit(at.params, env));
        // Commit 4: control packets from the links.
        elements.at_ports(ports, |at| at.control(env));
        elements.at_nodes(nodes, |at| at.control(env));
        // Commit 5 to 8: messages inside switches, markers, frees, tokens.
        for (element, _) in &*switches {
            elements.recn_step(*element, env);
        }
        elements.at_nodes(nodes, |at| at.on.recn_step(at.params, env));
    }
}

fn shuffle_list<T>(list: &mut [T], rng: &mut workload::rng::Xoshiro256PlusPlus) {
    for i in (1..list.len()).rev() {
        let j = workload::rng::below(rng, i as u64 + 1) as usize;
        list.swap(i, j);
    }
}
