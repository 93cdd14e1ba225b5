//! What was generated and has not arrived.

use super::{Stats, row};
use crate::packet::{PacketKind, PacketView};
use units::Tick;

/// A message that has not arrived, or a packet of one that is in the network. Of a message whose
/// last packet is in the network that packet stands for both. A reply that waits for its delay has
/// not arrived either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outstanding {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Its group.
    pub group: u8,
    /// Whether it is a reply.
    pub kind: PacketKind,
    /// When the message was generated.
    pub born: Tick,
    /// Of a reply: when the request was generated.
    pub asked: Tick,
    /// It is the message, or its last packet.
    pub is_message: bool,
    /// When the packet started on its injection link, if it has.
    pub injected: Option<Tick>,
}

impl Stats {
    /// Messages generated in the measured time and not refused, and replies to them, less those
    /// that have arrived or were lost. Of all parts together it is not below zero.
    pub fn measured_underway(&self) -> i128 {
        let arrived = self.latencies.arrived(self.config.measured());
        i128::from(self.awaited) - i128::from(arrived)
    }

    /// When anything of a flow was delivered last.
    pub fn last_delivery(&self, source: u32, destination: u32) -> Option<Tick> {
        let flow = self.flows.of(source, destination);
        (flow.packets > 0).then_some(flow.last)
    }

    /// What has not arrived when the run ends counts with its age.
    pub fn never_arrived(&mut self, what: &Outstanding, end: Tick) {
        match what.kind {
            PacketKind::Data => self.request_never_arrived(what, end),
            PacketKind::Reply if what.is_message => {
                let row = row(what.group, self.flows.hot(what.source));
                if let Some(cell) = self.latencies.cell(what.asked, row) {
                    cell.round_trips().record_undelivered(end - what.asked);
                }
            }
            PacketKind::Reply | PacketKind::Ack | PacketKind::Cnp => {}
        }
    }

    fn request_never_arrived(&mut self, what: &Outstanding, end: Tick) {
        let row = row(what.group, self.flows.hot(what.destination));
        let Some(cell) = self.latencies.cell(what.born, row) else {
            return;
        };
        if what.is_message {
            cell.messages.record_undelivered(end - what.born);
            if self.config.asks(what.group) {
                cell.round_trips().record_undelivered(end - what.born);
            }
        }
        if let Some(injected) = what.injected {
            cell.packets.record_undelivered(end - injected);
        }
    }

    /// A packet will not arrive: nothing waits for its message any more.
    pub(super) fn gone(&mut self, packet: PacketView) {
        if packet.last {
            self.awaited -= match packet.kind {
                PacketKind::Data => self.awaited_for(packet.group, packet.born),
                PacketKind::Reply => i64::from(self.config.is_measured(packet.asked)),
                PacketKind::Ack | PacketKind::Cnp => 0,
            };
        }
    }

    /// How much is to come for a message of a group generated in tick `born`: itself, and a reply.
    pub(super) fn awaited_for(&self, group: u8, born: Tick) -> i64 {
        if self.config.is_measured(born) { 1 + i64::from(self.config.asks(group)) } else { 0 }
    }
}
