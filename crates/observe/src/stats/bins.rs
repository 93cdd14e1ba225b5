//! Bins of the series that are closed.

use units::{Span, Tick};

/// Bins for which there is room from the start. More than any plot shows; the room of a run of
/// more grows while it runs.
const RESERVED_MAX: u64 = 1 << 16;

/// What each bin had, in two rows of numbers: a bin that is closed allocates nothing.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    /// Numbers of bytes of a bin.
    rows: usize,
    /// Bytes by bin, then group, victims last.
    bytes: Vec<u64>,
    /// SAQs at ingress and egress ports, then the most at one port of each.
    saqs: Vec<[u32; 4]>,
}

impl Bins {
    /// No bins yet, with room for those of a run.
    pub(super) fn new(rows: usize, duration: Tick, bin: Span) -> Bins {
        // The last one may be cut short.
        let bins = duration.0.div_ceil(bin.0).min(RESERVED_MAX) as usize;
        Bins { rows, bytes: Vec::with_capacity(bins * rows), saqs: Vec::with_capacity(bins) }
    }

    pub(super) fn len(&self) -> usize {
        self.saqs.len()
    }

    pub(super) fn push(&mut self, bytes: impl Iterator<Item = u64>, saqs: [u32; 4]) {
        self.bytes.extend(bytes);
        self.saqs.push(saqs);
    }

    /// Bytes of all groups and of the victims, and SAQs.
    pub(super) fn get(&self, bin: usize) -> (&[u64], [u32; 4]) {
        let at = bin * self.rows;
        (&self.bytes[at..at + self.rows], self.saqs[bin])
    }

    /// SAQs of all bins.
    pub(super) fn saqs_mut(&mut self) -> &mut [[u32; 4]] {
        &mut self.saqs
    }

    /// Adds those of another part; both have all of the run.
    pub(super) fn merge(&mut self, other: &Bins) {
        super::sums::add(&mut self.bytes, &other.bytes);
        for (saqs, others) in self.saqs.iter_mut().zip(&other.saqs) {
            // Totals come from `SaqLevel::together`.
            for at in [2, 3] {
                saqs[at] = saqs[at].max(others[at]);
            }
        }
    }
}
