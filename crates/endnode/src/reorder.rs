//! The reorder buffer of an end node (spec: rsi.md): packets that came before an earlier one of
//! their flow. Its memory is its own, and as large as it must be: how large is a result.

use observe::ReorderPeak;
use std::collections::BTreeMap;
use switch::Packet;
use units::PacketId;

/// Packets that wait, by source and number.
#[derive(Debug, Default)]
pub struct ReorderBuffer {
    held: BTreeMap<(u32, u32), (PacketId, u32)>,
    bytes: u64,
    peak: ReorderPeak,
}

impl ReorderBuffer {
    /// A packet waits for an earlier one.
    pub fn hold(&mut self, id: PacketId, packet: &Packet) {
        let at = (packet.source, packet.sequence);
        self.held.insert(at, (id, packet.bytes));
        self.bytes += u64::from(packet.bytes);
        self.peak.packets = self.peak.packets.max(self.held.len() as u64);
        self.peak.bytes = self.peak.bytes.max(self.bytes);
    }

    /// The first packet of a source that waits, of those numbered from `least` to `most`, with its
    /// number.
    pub fn first_of(&self, source: u32, least: u32, most: u32) -> Option<(u32, PacketId)> {
        let mut waiting = self.held.range((source, least)..=(source, most));
        waiting.next().map(|(&(_, number), &(id, _))| (number, id))
    }

    /// Takes the packet of a source with this number, if it waits.
    pub fn take(&mut self, source: u32, sequence: u32) -> Option<PacketId> {
        let (id, bytes) = self.held.remove(&(source, sequence))?;
        self.bytes -= u64::from(bytes);
        Some(id)
    }

    /// Packets that wait.
    pub fn packets(&self) -> usize {
        self.held.len()
    }

    /// Sources of packets that wait, each once.
    pub fn sources(&self) -> Vec<u32> {
        let mut sources: Vec<_> = self.held.keys().map(|&(source, _)| source).collect();
        sources.dedup();
        sources
    }

    /// The most packets and the most bytes that have waited at once.
    pub fn peak(&self) -> ReorderPeak {
        self.peak
    }
}
