//! How long victims take to settle once a tree exists, and to recover after its end.

/// How far from a mean is still at it.
const NEAR: f64 = 0.1;
/// What settles must stay so for this part of the tree's time: the last bin is its own mean.
const LEAST: f64 = 0.25;

/// Rates in bins of equal length from time 0 on, and between which bins the tree exists.
pub(super) struct Bins<'a> {
    pub(super) rates: &'a [f64],
    pub(super) onset: usize,
    pub(super) end: usize,
}

fn mean(rates: &[f64]) -> f64 {
    rates.iter().sum::<f64>() / rates.len().max(1) as f64
}

impl Bins<'_> {
    /// Mean of the second half of the time before the tree.
    pub(super) fn before(&self) -> f64 {
        mean(&self.rates[self.onset / 2..self.onset])
    }

    /// Bins from the onset until all the rest of the tree is within 10 % of its own mean; `None`:
    /// not with a fourth of the tree's time left.
    pub(super) fn converge(&self) -> Option<usize> {
        let tree = &self.rates[self.onset..self.end];
        let last = tree.len() - (tree.len() as f64 * LEAST).ceil() as usize;
        (0..=last).find(|&from| {
            let rest = &tree[from..];
            let mean = mean(rest);
            rest.iter().all(|rate| (rate - mean).abs() <= NEAR * mean)
        })
    }

    /// Bins from the end of the tree until all the rest of the run is above, or at most 10 % below,
    /// what was before; `None`: not with a fourth of that time left.
    pub(super) fn recover(&self) -> Option<usize> {
        let after = &self.rates[self.end..];
        let last = after.len() - (after.len() as f64 * LEAST).ceil() as usize;
        let least = (1.0 - NEAR) * self.before();
        (0..=last).find(|&from| after[from..].iter().all(|&rate| rate >= least))
    }
}

#[cfg(test)]
mod tests {
    use super::Bins;

    /// Four bins of 1 before, eight of the tree, four after; bins to converge and to recover.
    #[test]
    fn rates_settle_and_come_back() {
        let falling: Vec<f64> = (0..12).map(|at| 0.8_f64.powi(at)).collect();
        for (what, tree, after, converge, recover) in [
            ("steady rates settle at once", &[1.0; 8][..], &[1.0; 4][..], Some(0), Some(0)),
            (
                "a dip of two bins takes two",
                &[0.2, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
                &[0.89, 1.0, 1.0, 1.0],
                Some(2),
                Some(1),
            ),
            // It settles at another level, from which the way back counts.
            ("another level", &[0.3; 8], &[0.8, 0.8, 0.8, 1.0], Some(0), Some(3)),
            ("what falls to the end does not settle", &falling[..8], &falling[8..], None, None),
            // What waited at the sources comes too, for a while.
            ("more than before is recovered", &[0.5; 8], &[1.5; 4], Some(0), Some(0)),
        ] {
            let rates = [&[1.0; 4], tree, after].concat();
            let bins = Bins { rates: &rates, onset: 4, end: 12 };
            assert_eq!((bins.converge(), bins.recover()), (converge, recover), "{what}");
        }
    }
}
