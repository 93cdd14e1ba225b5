//! All ways, cut into parts of which few are walked.
//!
//! A packet to another super node goes the same way whatever node of it is meant, so ways are
//! walked in two parts: up to the super node, once for all its nodes, and inside it. A packet that
//! goes by a super node or a node does so in two legs; where the first ends, the second may be to
//! any destination. That reckons with packets that come back to their source, which no routing by
//! random places sends: what is found free of cycles is free.

use std::collections::BTreeSet;

use hierarchy::{Address, Trip, TwoLevelTable, Via};

use crate::error::TopologyError;
use crate::hierarchical::channels::{Part, Walk};
use crate::hierarchical::states::{Header, State};

impl Walk<'_, '_> {
    /// A packet as its end node sends it.
    fn start(&self, switch: u32, via: Via) -> State {
        let in_port = self.on.shapes[switch as usize].node_port().0;
        let trip = Trip { via, ..Trip::default() };
        State { switch, in_port, header: Header { vc: 0, hops: 0, trip } }
    }

    /// Where packets of a node may go by, whatever their destination.
    fn vias(&self, switch: u32) -> BTreeSet<Via> {
        let router = self.router(switch, self.on.shapes[switch as usize].node_port().0);
        let own = router.shape.address;
        let leads = |via: Via| {
            let trip = Trip { via, ..Trip::default() };
            let there = trip.target(own);
            via == Via::Nowhere || router.table.entry(TwoLevelTable::region(own, there)) != 0
        };
        // Two nodes in each of two other super nodes and its own: a destination rules out one
        // place at most.
        let others = (0..self.super_nodes).filter(|&s| s != own.super_node).take(2);
        let destinations = std::iter::once(own.super_node).chain(others).flat_map(|super_node| {
            let nodes = (0..self.nodes).map(move |node| Address { super_node, node });
            nodes.filter(|&address| address != own).take(2)
        });
        let mut all = BTreeSet::new();
        for destination in destinations {
            all.extend(router.vias(destination));
            if !router.vias(destination).any(leads) {
                // Nowhere to go by: it goes directly.
                all.insert(Via::Nowhere);
            }
        }
        all
    }

    /// All parts of all ways.
    pub(super) fn every_way(&mut self) -> Result<(), TopologyError> {
        let switches = 0..self.on.shapes.len() as u32;
        let vias: Vec<_> = switches.clone().map(|switch| self.vias(switch)).collect();
        let started = |walk: &Self, via: Via| -> Vec<State> {
            let those = switches.clone().filter(|&at| vias[at as usize].contains(&via));
            those.map(|at| walk.start(at, via)).collect()
        };
        let direct = started(self, Via::Nowhere);
        let (mut by_super_node, mut by_node) = (Vec::new(), Vec::new());
        for s in 0..self.super_nodes {
            let starts = started(self, Via::SuperNode(s));
            by_super_node.extend(self.first_leg_to(s, &starts)?);
            // Outside the super node one of its nodes stands for all.
            let stands = started(self, Via::Node(Address { super_node: s, node: 0 }));
            let (_, outside) = self.parted(stands, s);
            let entered = self.walk(Part::To(s), Address { super_node: s, node: 0 }, &outside)?;
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

    /// First legs up to any node of a super node.
    fn first_leg_to(&mut self, s: u16, starts: &[State]) -> Result<Vec<State>, TopologyError> {
        let ends = self.walk(Part::To(s), Address { super_node: s, node: 0 }, starts)?;
        Ok(self.arrived(ends))
    }

    /// Ends of first legs as starts of second ones, each once.
    fn arrived(&self, mut ends: Vec<State>) -> Vec<State> {
        for State { switch, header, .. } in &mut ends {
            header.trip = header.trip.arrive(self.on.shapes[*switch as usize].address);
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
