//! What an input memory holds, for marks, and when what has credit of its own there is full.

use crate::flat::{NONE, T};
use ecn::marking::Kind as What;

/// A packet in an input memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buffered {
    pub(super) packet: u32,
    pub(super) output: u8,
    pub(super) what: What,
    pub(super) class: u16,
    pub(super) cells: u16,
    /// When its forwarding delay ends.
    pub(super) due: T,
    /// It takes a slot, and the marker knows it.
    pub(super) counts: bool,
    /// When its tail has left; [`NONE`] before it starts.
    pub(super) ends: T,
}

/// What an input memory holds, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) packets: Vec<Buffered>,
    /// Cells of what has credit of its own: all, or the share of a VC or queue.
    pub(super) class_cells: u32,
}

impl Buffer {
    /// A packet that has not started.
    pub(super) fn find(&mut self, k: usize) -> Option<&mut Buffered> {
        let mut packets = self.packets.iter_mut();
        packets.find(|held| held.packet == k as u32 && held.ends == NONE)
    }

    pub(super) fn of_class(&self, class: u16) -> impl Iterator<Item = &Buffered> {
        let packets = self.packets.iter();
        packets.filter(move |held| held.counts && held.class == class)
    }

    /// Whether the arrival of `fresh` has made it full: no room is left for another packet of
    /// `packet_cells`; or so many packets are there, where a number is given.
    pub(super) fn is_filled_by(
        &self,
        fresh: &Buffered,
        threshold: Option<u32>,
        packet_cells: u32,
    ) -> bool {
        let (mut packets, mut cells) = (0, 0);
        for held in self.of_class(fresh.class) {
            packets += 1;
            cells += u32::from(held.cells);
        }
        if let Some(threshold) = threshold {
            return packets >= threshold;
        }
        let left = self.class_cells.saturating_sub(cells);
        left < packet_cells && left + u32::from(fresh.cells) >= packet_cells
    }

    pub(super) fn drop_ended(&mut self, t: T) {
        self.packets.retain(|held| held.ends > t);
    }
}
