//! What was offered in each bin of the series, by the tick in which it was generated: messages are
//! told of in that order, but later, when the bin may be closed.

use units::{Span, Tick};

#[derive(Debug, Clone)]
pub(super) struct OfferedBins {
    bin: Span,
    duration: Tick,
    /// End of the last of them.
    end: Tick,
    /// Bytes to destinations that are not hot, then all others, replies among them.
    bins: Vec<[u64; 2]>,
}

impl OfferedBins {
    pub(super) fn new(duration: Tick, bin: Span) -> OfferedBins {
        OfferedBins { bin, duration, end: Tick::ZERO, bins: Vec::new() }
    }

    #[inline]
    pub(super) fn add(&mut self, born: Tick, is_of_victims: bool, bytes: u32) {
        if born >= self.end {
            self.open(born);
        }
        if born < self.duration
            && let Some(last) = self.bins.last_mut()
        {
            last[usize::from(!is_of_victims)] += u64::from(bytes);
        }
    }

    #[cold]
    fn open(&mut self, born: Tick) {
        while self.end <= born && self.end < self.duration {
            self.bins.push([0; 2]);
            self.end += self.bin;
        }
    }

    /// Of the victims, and of all.
    pub(super) fn get(&self, bin: usize) -> (u64, u64) {
        let [victims, others] = self.bins.get(bin).copied().unwrap_or_default();
        (victims, victims + others)
    }

    /// Adds those of another part.
    pub(super) fn merge(&mut self, other: &OfferedBins) {
        let most = self.bins.len().max(other.bins.len());
        self.bins.resize(most, [0; 2]);
        for (own, other) in self.bins.iter_mut().zip(&other.bins) {
            super::sums::add(own, other);
        }
    }
}
