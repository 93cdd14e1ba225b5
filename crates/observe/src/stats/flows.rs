//! What was delivered of each flow.

use crate::packet::{PacketView, REPLY_SEQUENCE};
use crate::record::FlowRow;
use units::{PerNode, Tick};

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) packets: u32,
    /// One more than the highest number that has come.
    next: u32,
    pub(super) bytes: u64,
    pub(super) bytes_measured: u64,
    /// Tick of the last delivery, if there was any.
    pub(super) last: Tick,
}

/// All flows to one destination.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// By source; none as long as nothing was delivered.
    flows: Option<PerNode<Flow>>,
    /// 1 if the destination is hot, else 0.
    hot: usize,
}

/// By destination, then source.
#[derive(Debug, Clone)]
pub(super) struct Flows(Vec<Row>);

impl Flows {
    pub(super) fn new(nodes: usize, hot: &[u32]) -> Flows {
        let mut rows = vec![Row::default(); nodes];
        for &destination in hot {
            rows[destination as usize].hot = 1;
        }
        Flows(rows)
    }

    /// 1 if the destination is hot, else 0.
    #[inline]
    pub(super) fn hot(&self, destination: u32) -> usize {
        self.0[destination as usize].hot
    }

    /// Something is delivered: adds it to its flow, and returns [`Flows::hot`] and whether one of
    /// its flow with a higher number came before it. The first packet makes room for all flows to
    /// its destination. `counted`: in the run, and in the measured time.
    #[inline]
    pub(super) fn add(
        &mut self,
        packet: &PacketView,
        now: Tick,
        counted: [bool; 2],
    ) -> (usize, bool) {
        let nodes = self.0.len();
        let row = &mut self.0[packet.destination as usize];
        let flows = row.flows.get_or_insert_with(|| PerNode::new(nodes, Flow::default()));
        let flow = flows.get_mut(packet.source as usize);
        let bytes = u64::from(packet.bytes);
        let [in_run, is_measured] = counted;
        flow.packets += u32::from(in_run);
        flow.bytes += if in_run { bytes } else { 0 };
        flow.bytes_measured += if is_measured { bytes } else { 0 };
        flow.last = now;
        // A gap is no wrong order: what is missing may be lost.
        // Replies that are numbered apart are judged by reception alone.
        let is_late = packet.sequence < flow.next;
        if packet.sequence < REPLY_SEQUENCE {
            flow.next = flow.next.max(packet.sequence + 1);
        }
        (row.hot, is_late)
    }

    pub(super) fn of(&self, source: u32, destination: u32) -> Flow {
        let row = &self.0[destination as usize];
        let flows = row.flows.as_ref();
        flows.map_or_else(Flow::default, |flows| *flows.get(source as usize))
    }

    /// Measured bytes of all flows that have any.
    pub(super) fn measured(&self) -> impl Iterator<Item = u64> + '_ {
        let flows = self.0.iter().flat_map(|row| &row.flows);
        flows
            .flat_map(|flows| flows.iter())
            .map(|(_, flow)| flow.bytes_measured)
            .filter(|&bytes| bytes > 0)
    }

    /// Flows of which anything was delivered, and those `starved` (sorted), by source.
    pub(super) fn rows(&self, starved: &[(u32, u32)]) -> Vec<FlowRow> {
        let delivered = (0..).zip(&self.0).flat_map(|(destination, row)| {
            let flows = row.flows.iter().flat_map(|flows| flows.iter());
            let flows = flows.filter(|(_, flow)| flow.packets > 0);
            flows.map(move |(source, _)| (source as u32, destination))
        });
        let mut destinations = vec![Vec::new(); self.0.len()];
        for (source, destination) in delivered.chain(starved.iter().copied()) {
            destinations[source as usize].push(destination);
        }
        let row = |(source, destination)| {
            let flow = self.of(source, destination);
            FlowRow {
                source,
                destination,
                packets: flow.packets.into(),
                bytes: flow.bytes,
                bytes_measured: flow.bytes_measured,
                starved: starved.binary_search(&(source, destination)).is_ok(),
            }
        };
        let of_source = |(source, mut destinations): (u32, Vec<u32>)| {
            // In order already but for those that starved.
            destinations.sort_unstable();
            destinations.dedup();
            destinations.into_iter().map(move |to| (source, to))
        };
        let pairs = (0..).zip(destinations).flat_map(of_source);
        pairs.map(row).collect()
    }

    /// Adds what was delivered in another part; a destination is in one.
    pub(super) fn merge(&mut self, other: Flows) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            if own.flows.is_none() {
                *own = others;
            }
        }
    }
}
