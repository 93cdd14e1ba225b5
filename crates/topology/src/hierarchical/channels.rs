//! Every state that a packet can ever be in: the channel dependency graph, the longest route.
//!
//! Ways are walked in two parts: up to the super node, once for all its nodes, and inside it. A
//! packet that goes by another place does so in two legs; where the first ends, the second may be
//! to any destination, the source too: what is found free of cycles is free.

use std::collections::BTreeSet;

use hierarchy::{Address, Hop, NodeShape, PortKind, Router, Routing, Trip, TwoLevelTable, Via};
use units::PortId;

use crate::deadlock::{self, Deadlock, Dependencies};
use crate::error::TopologyError;
use crate::graph::{Endpoint, Graph};
use crate::hierarchical::too_few;

/// A way of more links is a cycle.
const HOPS_MAX: u8 = 64;

/// What the walk of every way finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// A cycle in the channel dependency graph, or none.
    pub deadlock: Deadlock,
    /// Links between switches on the longest way; by a random place it may return to its source.
    pub hops_max: u8,
    /// Virtual channels used on local links, counted from 0 to the highest.
    pub local_vcs: u8,
    /// The same on global links.
    pub global_vcs: u8,
}

/// Walks every way that routers with these shapes and tables can ever choose. Refuses one that
/// needs a virtual channel which links lack, or that does not end.
pub(crate) fn check(
    graph: &Graph,
    shapes: &[NodeShape],
    tables: &[TwoLevelTable],
    routing: Routing,
    vcs: u8,
) -> Result<Checked, TopologyError> {
    let last = shapes[shapes.len() - 1].address;
    let mut walk = Walk {
        graph,
        shapes,
        tables,
        routing,
        vcs,
        nodes: last.node + 1,
        super_nodes: last.super_node + 1,
        turns: Dependencies::new(graph, vcs),
        found: Checked { deadlock: Deadlock::Free, hops_max: 0, local_vcs: 0, global_vcs: 0 },
        states: States::default(),
    };
    walk.every_way()?;
    Ok(Checked { deadlock: deadlock::find(&walk.turns), ..walk.found })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Up to a super node: a packet that is in it stops.
    To(u16),
    /// Inside a super node.
    In(u16),
    /// Inside the super node of a node by which packets go, up to it.
    InTo(Address),
}

struct Walk<'a> {
    graph: &'a Graph,
    shapes: &'a [NodeShape],
    tables: &'a [TwoLevelTable],
    routing: Routing,
    vcs: u8,
    nodes: u16,
    super_nodes: u16,
    turns: Dependencies<'a>,
    found: Checked,
    states: States,
}

impl<'a> Walk<'a> {
    fn router(&self, switch: u32) -> Router<'a> {
        Router {
            routing: self.routing,
            shape: &self.shapes[switch as usize],
            table: &self.tables[switch as usize],
            live: u64::MAX,
        }
    }

    fn super_node(&self, switch: u32) -> u16 {
        self.shapes[switch as usize].address.super_node
    }

    fn switches(&self, part: Part) -> (u32, u32) {
        let nodes = u32::from(self.nodes);
        match part {
            Part::To(_) => (0, self.shapes.len() as u32),
            Part::In(s) | Part::InTo(Address { super_node: s, .. }) => {
                (u32::from(s) * nodes, (u32::from(s) + 1) * nodes)
            }
        }
    }

    /// Follows packets through a part of their way to `destination`, or to where they go by.
    /// Returns those that have come to its end.
    fn walk(
        &mut self,
        part: Part,
        destination: Address,
        starts: &[State],
    ) -> Result<Vec<State>, TopologyError> {
        if starts.is_empty() {
            return Ok(Vec::new());
        }
        let graph = self.graph;
        let (first, end) = self.switches(part);
        let first_port = graph.first_port[first as usize] as usize;
        self.states.clear(graph.first_port[end as usize] as usize - first_port);
        let place = |state: &State| graph.port_index(state.switch, state.in_port) - first_port;
        for start in starts {
            self.states.add(place(start), *start);
        }
        let (mut ends, mut hops) = (Vec::new(), Vec::new());
        while let Some(state) = self.states.waiting.pop() {
            let State { switch, in_port, header } = state;
            let router = self.router(switch);
            let here = router.shape.address;
            let is_end = match part {
                Part::To(s) => here.super_node == s,
                Part::In(_) => false,
                Part::InTo(node) => here == node,
            };
            if is_end {
                ends.push(state);
                continue;
            }
            hops.clear();
            let port = PortId(in_port);
            router.every_hop(header.trip, destination, port, &mut |hop| hops.push(hop));
            for &Hop { port, vc, trip } in &hops {
                let peer = graph.peer(switch, port.0);
                let Endpoint::Port { switch: to, port: in_port } = peer else {
                    self.found.hops_max = self.found.hops_max.max(header.hops);
                    continue;
                };
                self.take(state, port, vc.0)?;
                let header = Header { vc: vc.0, hops: header.hops + 1, trip };
                if header.hops > HOPS_MAX || !(first..end).contains(&to) {
                    let Address { super_node, node } = destination;
                    return Err(TopologyError::Rule(format!(
                        "a packet to node {node} of super node {super_node} goes astray at \
                         s{switch}: its tables lead it in circles, or out of that super node"
                    )));
                }
                let next = State { switch: to, in_port, header };
                self.states.add(place(&next), next);
            }
        }
        Ok(ends)
    }

    #[inline]
    fn take(&mut self, from: State, port: PortId, vc: u8) -> Result<(), TopologyError> {
        let vcs = self.vcs;
        if vc >= vcs {
            return Err(too_few(vcs, vc.saturating_add(1), self.routing).into());
        }
        let used = match self.shapes[from.switch as usize].kind(port) {
            PortKind::Global(_) => &mut self.found.global_vcs,
            _ => &mut self.found.local_vcs,
        };
        *used = vc.saturating_add(1).max(*used);
        self.turns.add((from.switch, from.in_port, from.header.vc), port.0, vc);
        Ok(())
    }

    fn start(&self, switch: u32, via: Via) -> State {
        let in_port = self.shapes[switch as usize].node_port().0;
        let trip = Trip { via, ..Trip::default() };
        State { switch, in_port, header: Header { vc: 0, hops: 0, trip } }
    }

    /// Where packets of a node may go by, whatever their destination.
    fn vias(&self, switch: u32) -> BTreeSet<Via> {
        let router = self.router(switch);
        let own = router.shape.address;
        let leads = |via: Via| {
            let trip = Trip { via, ..Trip::default() };
            let there = trip.target(own);
            via == Via::Nowhere || router.table.entry(TwoLevelTable::region(own, there)) != 0
        };
        // Two nodes in each of three super nodes: a destination rules out one place at most.
        let others = (0..self.super_nodes).filter(|&s| s != own.super_node).take(2);
        let destinations = std::iter::once(own.super_node).chain(others).flat_map(|super_node| {
            let nodes = (0..self.nodes).map(move |node| Address { super_node, node });
            nodes.filter(|&address| address != own).take(2)
        });
        let mut all = BTreeSet::new();
        for destination in destinations {
            all.extend(router.vias(destination));
            if !router.vias(destination).any(leads) {
                // No way point: the direct way.
                all.insert(Via::Nowhere);
            }
        }
        all
    }

    fn every_way(&mut self) -> Result<(), TopologyError> {
        let switches = 0..self.shapes.len() as u32;
        let vias: Vec<_> = switches.clone().map(|switch| self.vias(switch)).collect();
        let started = |walk: &Self, via: Via| -> Vec<State> {
            let those = switches.clone().filter(|&at| vias[at as usize].contains(&via));
            those.map(|at| walk.start(at, via)).collect()
        };
        let direct = started(self, Via::Nowhere);
        let (mut by_super_node, mut by_node) = (Vec::new(), Vec::new());
        for s in 0..self.super_nodes {
            let starts = started(self, Via::SuperNode(s));
            let any = Address { super_node: s, node: 0 };
            let ends = self.walk(Part::To(s), any, &starts)?;
            by_super_node.extend(self.arrived(ends));
            // Outside the super node one of its nodes represents all.
            let (_, outside) = self.parted(started(self, Via::Node(any)), s);
            let entered = self.walk(Part::To(s), any, &outside)?;
            for node in 0..self.nodes {
                let to = Address { super_node: s, node };
                let (mut starts, _) = self.parted(started(self, Via::Node(to)), s);
                starts.extend(entered.iter().map(|&(mut state)| {
                    state.header.trip.via = Via::Node(to);
                    state
                }));
                let ends = self.walk(Part::InTo(to), to, &starts)?;
                by_node.extend(self.arrived(ends));
            }
        }
        for s in 0..self.super_nodes {
            let all = [&direct[..], &by_super_node, &by_node].concat();
            let (_, outside) = self.parted(all, s);
            let (own, _) = self.parted([&direct[..], &by_node].concat(), s);
            let mut inside =
                self.walk(Part::To(s), Address { super_node: s, node: 0 }, &outside)?;
            inside.extend(own);
            for node in 0..self.nodes {
                self.walk(Part::In(s), Address { super_node: s, node }, &inside)?;
            }
        }
        Ok(())
    }

    /// Ends of first legs as starts of second ones, each once.
    fn arrived(&self, mut ends: Vec<State>) -> Vec<State> {
        for State { switch, header, .. } in &mut ends {
            header.trip = header.trip.arrive(self.shapes[*switch as usize].address);
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    /// Those inside a super node, and those outside.
    fn parted(&self, states: Vec<State>, s: u16) -> (Vec<State>, Vec<State>) {
        let is_inside = |state: &State| self.super_node(state.switch) == s;
        states.into_iter().partition(is_inside)
    }
}

/// A packet that has come over a link, or that its end node has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    switch: u32,
    in_port: u8,
    header: Header,
}

/// What it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Header {
    vc: u8,
    /// Links taken, those of end nodes not counted.
    hops: u8,
    trip: Trip,
}

/// States that have been seen, and those of them that wait to be followed.
#[derive(Debug, Default)]
struct States {
    /// By place of the port: there are few.
    seen: Vec<Vec<Header>>,
    waiting: Vec<State>,
}

impl States {
    /// Forgets all, and makes room for this many ports.
    fn clear(&mut self, ports: usize) {
        self.waiting.clear();
        self.seen.iter_mut().for_each(Vec::clear);
        if self.seen.len() < ports {
            self.seen.resize(ports, Vec::new());
        }
    }

    fn add(&mut self, place: usize, state: State) {
        let seen = &mut self.seen[place];
        if !seen.contains(&state.header) {
            seen.push(state.header);
            self.waiting.push(state);
        }
    }
}
