//! The order of arrival in an input memory, where the number of older packets that a younger one
//! may pass is bounded (spec: ecn.md).

use units::PacketId;

/// Packets of an input memory that have not started, the oldest first; without a bound empty.
#[derive(Debug)]
pub struct Bypass {
    most: Option<u32>,
    order: Vec<PacketId>,
}

impl Bypass {
    /// A packet may pass so many older ones; `None`: any number.
    pub fn new(most: Option<u32>) -> Bypass {
        Bypass {
            most,
            order: Vec::new(),
        }
    }

    /// Whether there is a bound.
    #[inline(always)]
    pub fn is_bounded(&self) -> bool {
        self.most.is_some()
    }

    /// A packet is stored.
    #[inline(always)]
    pub fn stored(&mut self, packet: PacketId) {
        if self.is_bounded() {
            self.order.push(packet);
        }
    }

    /// A packet starts, or is removed.
    #[inline(always)]
    pub fn left(&mut self, packet: PacketId) {
        if self.is_bounded() {
            self.order.retain(|other| *other != packet);
        }
    }

    /// Whether a packet may go before all that are older.
    #[inline(always)]
    pub fn may_go(&self, packet: PacketId) -> bool {
        let Some(most) = self.most else { return true };
        let older = self.order.iter().take_while(|other| **other != packet);
        older.count() <= most as usize
    }
}
