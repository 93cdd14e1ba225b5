//! The clock of the units: visits the elements and ports at which anything may happen in a tick, by
//! their registers and the wires. All may be visited in every tick, in any order.

use super::elements::Elements;
use super::transit::{ElementContext, Transit};
use super::visits::{Visit, Visits};
use observe::Observer;
use plan::Organisation;
use switch::LinkGrant;
use units::bits::ones;
use units::{ElementId, PortId, Tick};

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
            let mut all = Visits::of(elements);
            let switches = elements.switches.len();
            for switch in (0..switches).map(ElementId::at) {
                let ports = elements.all_ports(switch);
                let crossbar = true;
                all.switches.push(Visit { switch, arrivals: ports, ports, crossed: 0, crossbar });
                // In an order of their own, whatever their switch.
                all.ports.extend(ones(ports).map(|port| (switch, 1 << port)));
            }
            all.nodes = (switches..switches + elements.nodes.len()).map(ElementId::at).collect();
            let mut rng = workload::rng::stream(seed, "visiting order");
            shuffle_list(&mut all.switches, &mut rng);
            shuffle_list(&mut all.nodes, &mut rng);
            shuffle_list(&mut all.ports, &mut rng);
            all.arrivals.clone_from(&all.ports);
            all
        });
        Clock { all, visits: Visits::of(elements), grants: Vec::new() }
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
        let mut now = from;
        while now < end {
            self.choose(elements, transit, now);
            let mut env = ElementContext { now, transit, observer };
            self.tick(elements, &mut env);
            now = self.next(elements, transit, now);
        }
        transit.dues.from = end;
    }

    /// Who is visited in this tick.
    fn choose(&mut self, elements: &Elements, transit: &mut Transit, now: Tick) {
        if let Some(all) = &self.all {
            self.visits.clone_from(all);
            return;
        }
        let visits = &mut self.visits;
        visits.clear();
        let Transit { dues, owners, .. } = transit;
        dues.take(now, |due| visits.add(elements, owners, due));
        for visit in &mut visits.switches {
            if elements.params.config.organisation == Organisation::Oq {
                // What comes to a port is stored at another in the same tick.
                visit.ports = elements.all_ports(visit.switch);
            } else if elements.params.moves() || elements.params.config.adaptive.is_some() {
                // It may be moved, or decided again, in the same tick.
                visit.ports |= visit.arrivals;
            }
        }
        visits.list_ports();
    }

    /// The next tick to visit anybody in.
    fn next(&self, elements: &Elements, transit: &mut Transit, now: Tick) -> Tick {
        if self.all.is_some() {
            return now.next();
        }
        let Visits { switches, nodes, .. } = &self.visits;
        for visit in switches {
            elements.find_due_of_switch(visit, transit, now);
        }
        for &node in nodes {
            elements.find_due_of_node(node, transit, now);
        }
        transit.dues.next()
    }

    fn tick<O: Observer>(&mut self, elements: &mut Elements, env: &mut ElementContext<'_, O>) {
        let Visits { arrivals, ports, switches, nodes, .. } = &mut self.visits;
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
        for visit in switches.iter().filter(|visit| visit.crossbar) {
            let switch = &mut elements.switches[visit.switch.index()];
            switch.evaluate_crossbar(&elements.params, &env.transit.packets, now);
        }
        // Commit 1: departures.
        for (element, port, grant) in grants.drain(..) {
            elements.start_link((element, port), grant, env);
        }
        for visit in switches.iter_mut().filter(|visit| visit.crossbar) {
            let switch = &mut elements.switches[visit.switch.index()];
            visit.crossed = switch.start_crossbar(&elements.params, env);
        }
        elements.at_ports(ports, |at| at.on.tails_leave(at.params, at.port, now));
        elements.at_nodes(nodes, |at| at.on.tails_leave(now));
        // Commit 2: stores, ejections, messages.
        elements.at_ports(arrivals, |at| at.store(env));
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
        elements.at_ports(arrivals, |at| at.control(env));
        elements.at_nodes(nodes, |at| at.control(env));
        // Commit 5 to 8: messages inside switches, markers, frees, tokens.
        for visit in &*switches {
            elements.recn_step(visit.switch, env);
        }
        elements.at_nodes(nodes, |at| at.on.recn_step(at.params, env));
    }
}

fn shuffle_list<T>(list: &mut [T], rng: &mut workload::rng::Stream) {
    for i in (1..list.len()).rev() {
        let j = workload::rng::below(rng, i as u64 + 1) as usize;
        list.swap(i, j);
    }
}
