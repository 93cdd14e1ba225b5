//! Bytes over time, and how bursty arrivals are, by scale: the index of dispersion for counts.

/// The most bins.
pub const BINS: usize = 60;

/// Bytes in bins of equal width from time 0 on. The width, in ns, doubles, and bins become one in
/// pairs, when the time goes beyond the last one: a trace has 31 to 60 of them.
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

/// Fewest windows for which it is reported.
pub const WINDOWS_MIN: u64 = 10;

/// Windows from 1 us to 100 s, each ten times the one before.
const SCALES: usize = 9;

/// Index of dispersion for counts: the variance of the arrivals in a window over their mean, over
/// all whole windows. Poisson arrivals have 1 at all scales; where it grows, bursts stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    /// Length of a window, in ns.
    pub window_ns: u64,
    /// Whole windows.
    pub windows: u64,
    /// The index.
    pub index: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Scale {
    window_ns: u64,
    /// The present window, and its arrivals.
    at: u64,
    count: u64,
    /// Of whole windows.
    sum: u128,
    squares: u128,
}

impl Scale {
    fn arrival(&mut self, time_ns: u64) {
        let at = time_ns / self.window_ns;
        if at != self.at {
            let count = u128::from(std::mem::take(&mut self.count));
            self.sum += count;
            self.squares += count * count;
            self.at = at;
        }
        self.count += 1;
    }

    /// The present window is not whole, so it does not count.
    fn index(&self) -> Option<Dispersion> {
        let windows = self.at;
        if windows < WINDOWS_MIN || self.sum == 0 {
            return None;
        }
        // (n q - s^2) / n^2 over s / n; the difference is exact where it fits.
        let n = u128::from(windows);
        let both = n.checked_mul(self.squares).zip(self.sum.checked_mul(self.sum));
        let above = match both {
            Some((a, b)) => a.saturating_sub(b) as f64,
            None => n as f64 * self.squares as f64 - (self.sum as f64) * (self.sum as f64),
        };
        Some(Dispersion {
            window_ns: self.window_ns,
            windows,
            index: above / (n as f64 * self.sum as f64),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Scales([Scale; SCALES]);

impl Default for Scales {
    fn default() -> Scales {
        let window_ns = |n: usize| 1_000 * 10u64.pow(n as u32);
        Scales(std::array::from_fn(|n| Scale { window_ns: window_ns(n), ..Scale::default() }))
    }
}

impl Scales {
    /// An arrival; times do not go back.
    pub(crate) fn arrival(&mut self, time_ns: u64) {
        self.0.iter_mut().for_each(|scale| scale.arrival(time_ns));
    }

    /// At the scales that have windows enough.
    pub(crate) fn indices(&self) -> Vec<Dispersion> {
        self.0.iter().filter_map(Scale::index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{BINS, Rate, Scales};

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

    /// Against the definition, window by window.
    #[test]
    fn even_arrivals_have_none_and_bursts_have_their_size() {
        let mut even = Scales::default();
        (0..=40).for_each(|n| even.arrival(n * 500));
        let index = even.indices();
        assert_eq!((index[0].windows, index[0].index), (20, 0.0));

        // 10 at once in every other window: mean 5, variance 25
        let mut bursts = Scales::default();
        for n in 0..10 {
            (0..10).for_each(|_| bursts.arrival(2_000 * n));
        }
        bursts.arrival(20_000);
        let index = bursts.indices();
        assert_eq!((index[0].windows, index[0].index), (20, 5.0));
        assert_eq!(index.len(), 1, "2 windows of 10 us are too few");
    }
}
