//! The order of arrival in an input memory, where bypassing is bounded (spec: ecn.md).

use units::{PacketId, VcId};

/// Packets of an input memory that have not started with their VCs, the oldest first; without a
/// bound empty. VCs have an order each: one that waited for another could lock.
#[derive(Debug)]
pub struct Bypass {
    most: Option<u32>,
    order: Vec<(PacketId, VcId)>,
}

impl Bypass {
    /// A packet may pass so many older ones of its VC; `None`: any number.
    pub fn new(most: Option<u32>) -> Bypass {
        Bypass { most, order: Vec::new() }
    }

    /// Whether there is a bound.
    pub fn is_bounded(&self) -> bool {
        self.most.is_some()
    }

    /// A packet of a VC is stored.
    pub fn stored(&mut self, packet: PacketId, vc: VcId) {
        if self.is_bounded() {
            self.order.push((packet, vc));
        }
    }

    /// A packet starts, or is removed.
    pub fn left(&mut self, packet: PacketId) {
        if self.is_bounded() {
            self.order.retain(|(other, _)| *other != packet);
        }
    }

    /// Whether a packet may go before all of its VC that are older.
    pub fn may_go(&self, packet: PacketId) -> bool {
        let Some(most) = self.most else { return true };
        let mut order = self.order.iter();
        let Some(&(_, vc)) = order.find(|(other, _)| *other == packet) else {
            return true;
        };
        let older = self.order.iter().take_while(|(other, _)| *other != packet);
        older.filter(|(_, other)| *other == vc).count() <= most as usize
    }
}
