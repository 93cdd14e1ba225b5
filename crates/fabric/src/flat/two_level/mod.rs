//! Two-level routing (spec: rsi.md): what switches decide by, and the state of packets that
//! the hardware has in their headers.

mod counters;
mod decide;
mod heads;

use super::build::ticks;
use super::{NONE, T};
use counters::Counter;
use hierarchy::{
    Address, LarCounter, LarDecision, NodeShape, Router, Routing, Selection, Trip, TwoLevelTable,
};
use plan::{FabricConfig, Params};
use topology::Network;
use units::draw::Stream;

/// Registers of all routers.
#[derive(Debug, Default)]
pub(crate) struct TwoLevel {
    /// Heads are decided again and again.
    pub(crate) at_head: bool,
    counter: LarCounter,
    selection: Selection,
    routing: Routing,
    /// Th, cells.
    threshold: u32,
    /// VCs of a link, those of replies not included.
    vcs: u8,
    /// From one decision about a head to the next.
    again: T,
    /// By switch.
    shapes: Vec<NodeShape>,
    pub(crate) tables: Vec<TwoLevelTable>,
    /// Ports whose links are up, a bit each.
    pub(crate) live: Vec<u64>,
    /// By end node.
    pub(crate) addresses: Vec<Address>,
    /// By port.
    streams: Vec<Stream>,
    counters: Vec<Counter>,
    /// Of one decision: credit in use, by port of the switch.
    in_use: Vec<u32>,
    /// By packet.
    trips: Vec<Trip>,
    /// By queue: its head requests.
    raised: Vec<bool>,
    /// By queue: when its head is decided again.
    due: Vec<T>,
    /// All steps of the tick but the last are over: credit that came in it counts.
    pub(crate) is_late: bool,
}

impl TwoLevel {
    /// For a fabric with so many ports of switches, and queues.
    pub(crate) fn new(config: &FabricConfig, params: &Params, queues: usize) -> TwoLevel {
        let network: &Network = &config.network;
        let (Some(rules), Some(hierarchy)) = (config.switch.adaptive, network.hierarchy()) else {
            return TwoLevel::default();
        };
        let (shapes, graph) = (hierarchy.shapes(), network.graph());
        let mut streams = Vec::new();
        for s in 0..network.switches() as u32 {
            streams.extend((0..graph.ports(s)).map(|port| {
                let name = format!("switch{s}.port{port}.routing");
                workload::rng::stream(config.run.seed, &name)
            }));
        }
        let at_head = rules.decision == LarDecision::Head;
        TwoLevel {
            at_head,
            counter: rules.counter,
            selection: rules.selection,
            routing: rules.routing,
            threshold: params.threshold_cells(),
            vcs: config.switch.vcs,
            again: ticks(params.lengths(config.packet_bytes).link),
            shapes: shapes.to_vec(),
            tables: hierarchy.tables().to_vec(),
            live: vec![u64::MAX; shapes.len()],
            addresses: shapes.iter().map(|shape| shape.address).collect(),
            counters: vec![Counter::default(); streams.len()],
            streams,
            in_use: vec![0; 64],
            trips: Vec::new(),
            raised: vec![false; queues],
            is_late: false,
            due: vec![NONE; if at_head { queues } else { 0 }],
        }
    }

    /// The state of a packet.
    pub(crate) fn trip(&mut self, k: usize) -> &mut Trip {
        if self.trips.len() <= k {
            self.trips.resize(k + 1, Trip::default());
        }
        &mut self.trips[k]
    }

    /// The router of a switch.
    fn router(&self, s: usize) -> Router<'_> {
        Router {
            routing: self.routing,
            shape: &self.shapes[s],
            table: &self.tables[s],
            live: self.live[s],
        }
    }
}
