//! Every state that a packet can ever be in: the channel dependency graph, the longest route.
//!
//! [`legs`](super::legs) cuts ways into parts, and a part is walked here.

use hierarchy::{Address, Hop, NodeShape, PortKind, Router, Routing, TwoLevelTable};
use units::PortId;

use crate::channel::Channel;
use crate::deadlock::{self, Deadlock, Dependencies};
use crate::error::TopologyError;
use crate::graph::{Endpoint, Graph};
use crate::hierarchical::states::{Header, State, States};
use crate::hierarchical::too_few;

/// A way of more links goes in circles.
const HOPS_MAX: u8 = 64;

/// Routers of a hierarchical network with the tables that they have, to be checked.
pub struct Channels<'a> {
    /// The wiring.
    pub graph: &'a Graph,
    /// By switch.
    pub shapes: &'a [NodeShape],
    /// The table of an ingress port, by switch and port.
    pub table: &'a dyn Fn(u32, u8) -> &'a TwoLevelTable,
    /// What all routers agree on.
    pub routing: Routing,
    /// Virtual channels of a link.
    pub vcs: u8,
}

/// What [`Channels::check`] finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// A cycle in the channel dependency graph, or none.
    pub deadlock: Deadlock,
    /// Links between switches on the longest way that a packet can take. With Valiant and UGAL-L a
    /// packet may count that comes back to its source.
    pub hops_max: u8,
    /// Virtual channels used on local links, counted from 0 to the highest.
    pub local_vcs: u8,
    /// The same on global links.
    pub global_vcs: u8,
}

impl Channels<'_> {
    /// Walks every way that routing can ever choose, whatever counters say.
    ///
    /// # Errors
    /// A way that needs a virtual channel which links do not have, or one that does not end.
    ///
    /// # Panics
    /// If there is no shape, or not one a switch.
    pub fn check(&self) -> Result<Checked, TopologyError> {
        let mut walk = Walk::new(self);
        walk.every_way()?;
        let deadlock = deadlock::find(&walk);
        let Walk { hops_max, local_vcs, global_vcs, .. } = walk;
        Ok(Checked { deadlock, hops_max, local_vcs, global_vcs })
    }
}

/// The part of a way that is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Up to a super node: a packet that is in it stops.
    To(u16),
    /// Inside a super node.
    In(u16),
    /// Inside the super node of a node by which packets go, up to it.
    InTo(Address),
}

pub(super) struct Walk<'w, 'a> {
    pub(super) on: &'w Channels<'a>,
    pub(super) nodes: u16,
    pub(super) super_nodes: u16,
    /// By ingress port, virtual channel in, virtual channel out: ports out, a bit each.
    turns: Vec<u64>,
    hops_max: u8,
    local_vcs: u8,
    global_vcs: u8,
    states: States,
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(on: &'w Channels<'a>) -> Self {
        let last = on.shapes[on.shapes.len() - 1].address;
        Self {
            nodes: last.node + 1,
            super_nodes: last.super_node + 1,
            turns: vec![0; on.graph.ports_total() * usize::from(on.vcs).pow(2)],
            hops_max: 0,
            local_vcs: 0,
            global_vcs: 0,
            states: States::default(),
            on,
        }
    }

    pub(super) fn router(&self, switch: u32, in_port: u8) -> Router<'w> {
        Router {
            routing: self.on.routing,
            shape: &self.on.shapes[switch as usize],
            table: (self.on.table)(switch, in_port),
            live: u64::MAX,
        }
    }

    pub(super) fn super_node(&self, switch: u32) -> u16 {
        self.on.shapes[switch as usize].address.super_node
    }

    /// Switches of a part: the first, and the one after the last.
    fn switches(&self, part: Part) -> (u32, u32) {
        let nodes = u32::from(self.nodes);
        match part {
            Part::To(_) => (0, self.on.shapes.len() as u32),
            Part::In(s) | Part::InTo(Address { super_node: s, .. }) => {
                (u32::from(s) * nodes, (u32::from(s) + 1) * nodes)
            }
        }
    }

    /// Follows packets through a part of their way to `destination`, or to where they go by.
    /// Returns those that have come to its end, as the last link brought them.
    pub(super) fn walk(
        &mut self,
        part: Part,
        destination: Address,
        starts: &[State],
    ) -> Result<Vec<State>, TopologyError> {
        if starts.is_empty() {
            return Ok(Vec::new());
        }
        let graph = self.on.graph;
        let (first, end) = self.switches(part);
        let first_port = graph.first_port[first as usize] as usize;
        self.states.clear(graph.first_port[end as usize] as usize - first_port);
        let place = |state: &State| graph.port_index(state.switch, state.in_port) - first_port;
        for start in starts {
            self.states.add(place(start), *start);
        }
        let (mut ends, mut hops) = (Vec::new(), Vec::new());
        while let Some(state) = self.states.next() {
            let State { switch, in_port, header } = state;
            let router = self.router(switch, in_port);
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
                    self.hops_max = self.hops_max.max(header.hops);
                    continue;
                };
                self.take(state, port, vc.0)?;
                let header = Header { vc: vc.0, hops: header.hops + 1, trip };
                if header.hops > HOPS_MAX || !(first..end).contains(&to) {
                    return Err(TopologyError::Astray { destination, switch });
                }
                let next = State { switch: to, in_port, header };
                self.states.add(place(&next), next);
            }
        }
        Ok(ends)
    }

    /// A packet takes the link behind a port on a virtual channel.
    #[inline]
    fn take(&mut self, from: State, port: PortId, vc: u8) -> Result<(), TopologyError> {
        let vcs = self.on.vcs;
        if vc >= vcs {
            return Err(too_few(vcs, vc.saturating_add(1), self.on.routing).into());
        }
        let used = match self.on.shapes[from.switch as usize].kind(port) {
            PortKind::Global(_) => &mut self.global_vcs,
            _ => &mut self.local_vcs,
        };
        *used = vc.saturating_add(1).max(*used);
        let ingress = self.on.graph.port_index(from.switch, from.in_port);
        let (vcs, from) = (usize::from(vcs), usize::from(from.header.vc));
        self.turns[(ingress * vcs + from) * vcs + usize::from(vc)] |= 1 << port.0;
        Ok(())
    }
}

impl Dependencies for Walk<'_, '_> {
    fn graph(&self) -> &Graph {
        self.on.graph
    }

    fn vcs(&self) -> u8 {
        self.on.vcs
    }

    fn successors(&self, channel: Channel) -> impl Iterator<Item = Channel> {
        let vcs = usize::from(self.on.vcs);
        let ingress = match self.on.graph.peer(channel.switch, channel.port) {
            Endpoint::Port { switch, port } => Some((switch, port)),
            Endpoint::Node(_) | Endpoint::None => None,
        };
        ingress.into_iter().flat_map(move |(switch, port)| {
            let ingress = self.on.graph.port_index(switch, port);
            let row = (ingress * vcs + usize::from(channel.vc)) * vcs;
            let by_vc = self.turns[row..row + vcs].iter().zip(0u8..);
            by_vc.flat_map(move |(&ports, vc)| {
                let all = (0..64u8).filter(move |port| ports >> port & 1 == 1);
                all.map(move |port| Channel { switch, port, vc })
            })
        })
    }
}
