//! Packets that will not arrive: lost with a link, or stranded where no output leads on. The order
//! check skips them, and closed loops do not wait for them.

use observe::{PacketKey, PacketKind, PacketView};
use std::collections::BTreeSet;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct GonePackets {
    /// Source, destination and number of each.
    all: BTreeSet<(u32, u32, u32)>,
    requests: Vec<LostRequest>,
}

/// A message whose last packet is gone, of the closed loop of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LostRequest {
    /// The node that asked.
    pub(crate) node: u32,
    pub(crate) group: u8,
}

impl GonePackets {
    /// A packet is gone.
    pub(crate) fn add(&mut self, packet: PacketView) {
        self.all.insert((packet.source, packet.destination, packet.sequence));
        let node = match packet.kind {
            PacketKind::Data => packet.source,
            PacketKind::Reply => packet.destination,
            PacketKind::Ack | PacketKind::Cnp => return,
        };
        if packet.last {
            self.requests.push(LostRequest { node, group: packet.group });
        }
    }

    /// One was cut in two: it is discarded where it ends.
    pub(crate) fn cut_in_two(&mut self, key: PacketKey) {
        self.all.insert((key.source, key.destination, key.sequence));
    }

    /// Whether this one is.
    pub(crate) fn contains(&self, gone: (u32, u32, u32)) -> bool {
        self.all.contains(&gone)
    }

    /// Messages that their sources have not been told of.
    pub(crate) fn requests(&self) -> &[LostRequest] {
        &self.requests
    }

    /// The same; they are told now.
    pub(crate) fn take_requests(&mut self) -> Vec<LostRequest> {
        std::mem::take(&mut self.requests)
    }
}
