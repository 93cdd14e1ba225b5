//! Reorder buffers of end nodes (spec: rsi.md): packets that came before an earlier one of their
//! flow wait for it.

use super::{Flat, Mode, T};
use observe::{Observer, REPLY_SEQUENCE, ReorderPeak};
use std::collections::BTreeMap;

/// The buffer of an end node. Its memory is as large as it must be.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reorder {
    /// By source and number.
    held: BTreeMap<(u32, u32), u32>,
    bytes: u64,
    peak: ReorderPeak,
}

impl Reorder {
    /// The most that has waited in it.
    pub(super) fn peak(&self) -> ReorderPeak {
        self.peak
    }

    fn hold(&mut self, at: (u32, u32), k: usize, bytes: u32) {
        self.held.insert(at, k as u32);
        self.bytes += u64::from(bytes);
        self.peak.packets = self.peak.packets.max(self.held.len() as u64);
        self.peak.bytes = self.peak.bytes.max(self.bytes);
    }
}

impl<M: Mode> Flat<M> {
    /// Step 2: a packet is delivered, and what has waited for it, or waits for an earlier one.
    #[inline(never)]
    pub(crate) fn deliver_in_order(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        k: usize,
        t: T,
    ) {
        let packet = &self.packets.slots[k];
        let (source, sequence, bytes) = (packet.source, packet.sequence, packet.bytes);
        let kind = packet.kind;
        if sequence > *self.nodes[n].expected(source, kind) {
            return self.reorder[n].hold((source, sequence), k, bytes);
        }
        self.deliver(observer, n, k, t);
        self.release(observer, n, source, false, t);
    }

    /// Packets that wait for an earlier one.
    pub(super) fn held_for_order(&self) -> usize {
        self.reorder.iter().map(|buffer| buffer.held.len()).sum()
    }

    /// End nodes at which packets wait.
    pub(super) fn nodes_that_wait(&self) -> Vec<usize> {
        let waits = |n: &usize| !self.reorder[*n].held.is_empty();
        (0..self.reorder.len()).filter(waits).collect()
    }

    /// Packets that waited for what is now known to be gone.
    pub(super) fn release_gone(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        let mut sources: Vec<u32> = self.reorder[n].held.keys().map(|at| at.0).collect();
        sources.dedup();
        for source in sources {
            self.release(observer, n, source, true, t);
        }
    }

    /// Packets of a source that have waited and are next; `skips`: what is gone is not waited for.
    fn release(&mut self, observer: &mut impl Observer, n: usize, source: u32, skips: bool, t: T) {
        self.release_of(observer, n, (source, 0, REPLY_SEQUENCE - 1), skips, t);
        self.release_of(observer, n, (source, REPLY_SEQUENCE, u32::MAX), skips, t);
    }

    /// Those numbered from `least` to `most`.
    fn release_of(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        (source, least, most): (u32, u32, u32),
        skips: bool,
        t: T,
    ) {
        loop {
            let mut waiting = self.reorder[n].held.range((source, least)..=(source, most));
            let Some((&at, &k)) = waiting.next() else {
                return;
            };
            if skips {
                self.skip_gone(n, k as usize);
            }
            let buffer = &mut self.reorder[n];
            let packet = &self.packets.slots[k as usize];
            let (kind, bytes) = (packet.kind, packet.bytes);
            if at.1 > *self.nodes[n].expected(source, kind) {
                return;
            }
            buffer.held.remove(&at);
            buffer.bytes -= u64::from(bytes);
            self.deliver(observer, n, k as usize, t);
        }
    }
}
