//! Bytes over time, in one pass and a fixed number of bins.

/// The most bins.
pub const BINS: usize = 60;

/// Bytes in bins of equal width from time 0 on. The width is a power of two in ns: it doubles, and
/// bins become one in pairs, when the time goes beyond the last one. So a trace has 31 to 60 of
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Width of a bin, in ns.
    pub bin_ns: u64,
    /// Bytes of each bin, up to the last that has any.
    pub bytes: Vec<u64>,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate { bin_ns: 1, bytes: Vec::new() }
    }
}

impl Rate {
    /// Counts bytes at a time.
    pub(crate) fn add(&mut self, time_ns: u64, bytes: u64) {
        while time_ns / self.bin_ns >= BINS as u64 {
            let pairs = self.bytes.chunks(2);
            self.bytes = pairs
                .map(|pair| pair.iter().fold(0, |sum: u64, b| sum.saturating_add(*b)))
                .collect();
            self.bin_ns *= 2;
        }
        let at = (time_ns / self.bin_ns) as usize;
        if self.bytes.len() <= at {
            self.bytes.resize(at + 1, 0);
        }
        self.bytes[at] = self.bytes[at].saturating_add(bytes);
    }

    /// Bytes of the fullest bin over those of a bin at the mean rate of `span_ns`.
    pub fn peak_to_mean(&self, span_ns: u64) -> Option<f64> {
        let total: u128 = self.bytes.iter().map(|b| u128::from(*b)).sum();
        let peak = *self.bytes.iter().max()?;
        let mean = total as f64 * self.bin_ns as f64 / span_ns as f64;
        (total > 0 && span_ns >= self.bin_ns).then_some(peak as f64 / mean)
    }
}

#[cfg(test)]
mod tests {
    use super::{BINS, Rate};

    #[test]
    fn bins_become_one_in_pairs_and_lose_nothing() {
        let mut rate = Rate::default();
        for time in 0..1000 {
            rate.add(time, 1);
        }
        assert_eq!((rate.bin_ns, rate.bytes.len()), (32, 32));
        assert_eq!(rate.bytes.iter().sum::<u64>(), 1000);
        assert!(rate.bytes[..31].iter().all(|b| *b == 32));
        assert_eq!(rate.peak_to_mean(1000), Some(1.0));
        rate.add(u64::MAX, 5);
        assert!(rate.bytes.len() <= BINS);
        assert_eq!(rate.bytes.iter().sum::<u64>(), 1005);
    }
}
