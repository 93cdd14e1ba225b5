//! The index of dispersion for counts: how bursty arrivals are, by scale.

/// Fewest windows for which it is told.
pub const WINDOWS_MIN: u64 = 10;

/// Windows from 1 us to 100 s.
const SCALES_NS: [u64; 9] = [
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
];

/// Index of dispersion for counts at a scale: the variance of the number of arrivals in a window
/// over its mean, over all whole windows from time 0 on. Poisson arrivals have 1 at all scales;
/// where it grows with the scale, bursts do not even out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    /// Length of a window, in ns.
    pub window_ns: u64,
    /// Whole windows.
    pub windows: u64,
    /// The index.
    pub index: f64,
}

/// Counts at one scale.
#[derive(Clone, Copy, Debug)]
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
    fn close(&mut self) {
        let count = u128::from(self.count);
        self.sum += count;
        self.squares += count * count;
        self.count = 0;
    }

    fn arrival(&mut self, time_ns: u64) {
        let at = time_ns / self.window_ns;
        if at != self.at {
            self.close();
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

/// Counts at all scales.
#[derive(Clone, Debug)]
pub(crate) struct Scales([Scale; SCALES_NS.len()]);

impl Default for Scales {
    fn default() -> Scales {
        Scales(SCALES_NS.map(|window_ns| Scale { window_ns, at: 0, count: 0, sum: 0, squares: 0 }))
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
    use super::Scales;

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
