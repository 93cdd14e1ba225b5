//! What was delivered of each flow.

use crate::packet::{PacketView, REPLY_SEQUENCE};
use crate::record::FlowRow;
use units::Tick;

/// A flow: a source and a destination.
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

/// What a packet that is delivered meets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delivery {
    /// See [`Flows::hot`].
    pub(super) hot: usize,
    /// One of its flow with a higher number came before it.
    pub(super) is_late: bool,
}

/// All flows to one destination.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// By source; none as long as nothing was delivered.
    flows: Box<[Flow]>,
    /// 1 if the destination is hot, else 0.
    hot: usize,
}

/// By destination, then source.
#[derive(Debug, Clone)]
pub(super) struct Flows(Vec<Row>);

impl Flows {
    /// Between so many nodes, with the destinations that are hot.
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

    /// Something is delivered: adds it to its flow, and returns [`Flows::hot`]. The first
    /// packet makes room for all flows to its destination.
    #[inline]
    pub(super) fn add(&mut self, packet: &PacketView, now: Tick, is_measured: bool) -> Delivery {
        let nodes = self.0.len();
        let row = &mut self.0[packet.destination as usize];
        if row.flows.is_empty() {
            row.flows = vec![Flow::default(); nodes].into();
        }
        let flow = &mut row.flows[packet.source as usize];
        let bytes = u64::from(packet.bytes);
        flow.packets += 1;
        flow.bytes += bytes;
        flow.bytes_measured += if is_measured { bytes } else { 0 };
        flow.last = now;
        // A gap is no wrong order: what is missing may be lost.
        // Replies that are numbered apart are judged by reception alone.
        let is_late = packet.sequence < flow.next;
        if packet.sequence < REPLY_SEQUENCE {
            flow.next = flow.next.max(packet.sequence + 1);
        }
        Delivery {
            hot: row.hot,
            is_late,
        }
    }

    /// What was delivered of a flow.
    pub(super) fn of(&self, source: u32, destination: u32) -> Flow {
        let row = &self.0[destination as usize];
        row.flows.get(source as usize).copied().unwrap_or_default()
    }

    /// Measured bytes of all flows that have any.
    pub(super) fn measured(&self) -> impl Iterator<Item = u64> + '_ {
        let flows = self.0.iter().flat_map(|row| &row.flows);
        flows
            .map(|flow| flow.bytes_measured)
            .filter(|&bytes| bytes > 0)
    }

    /// By source, then destination: flows of which anything was delivered, and those `starved`
    /// (source, destination; sorted).
    pub(super) fn rows(&self, starved: &[(u32, u32)]) -> Vec<FlowRow> {
        let nodes = self.0.len() as u32;
        let all = (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d)));
        all.map(|(source, destination)| {
            let flow = self.of(source, destination);
            FlowRow {
                source,
                destination,
                packets: flow.packets.into(),
                bytes: flow.bytes,
                bytes_measured: flow.bytes_measured,
                starved: starved.binary_search(&(source, destination)).is_ok(),
            }
        })
        .filter(|row| row.packets > 0 || row.starved)
        .collect()
    }

    /// Adds what was delivered in another part; a destination is in one.
    pub(super) fn merge(&mut self, other: Flows) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            if own.flows.is_empty() {
                *own = others;
            }
        }
    }
}
