//! How long victims take to settle once a tree stands, and to come back once it is gone.

/// How far from a mean is still at it.
const NEAR: f64 = 0.1;
/// What settles must stay so for this part of the tree's time; the last bin alone always is at its
/// own mean.
const LEAST: f64 = 0.25;

/// Rates in bins of equal length from time 0 on, and between which bins the tree stands.
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

    fn bins(rates: &[f64]) -> Bins<'_> {
        Bins { rates, onset: 4, end: 12 }
    }

    // Four bins before, eight of the tree, four after.
    #[test]
    fn steady_rates_settle_at_once() {
        let steady = [1.0; 16];
        assert_eq!(bins(&steady).converge(), Some(0));
        assert_eq!(bins(&steady).recover(), Some(0));
    }

    #[test]
    fn dip_of_two_bins_takes_two() {
        let mut rates = [1.0; 16];
        (rates[4], rates[5], rates[12]) = (0.2, 0.5, 0.89);
        assert_eq!(bins(&rates).converge(), Some(2));
        assert_eq!(bins(&rates).recover(), Some(1));
    }

    // It settles at another level, from which the way back counts.
    #[test]
    fn level_of_the_tree_may_be_another_one() {
        let mut rates = [1.0; 16];
        rates[4..12].fill(0.3);
        rates[12..15].fill(0.8);
        assert_eq!(bins(&rates).converge(), Some(0));
        assert_eq!(bins(&rates).recover(), Some(3));
    }

    #[test]
    fn what_falls_to_the_end_does_not_settle() {
        let mut rates = [1.0; 16];
        for (at, rate) in rates[4..].iter_mut().enumerate() {
            *rate = 0.8_f64.powi(at as i32);
        }
        assert_eq!(bins(&rates).converge(), None);
        assert_eq!(bins(&rates).recover(), None);
    }

    // What waited at the sources comes too, for a while.
    #[test]
    fn more_than_before_is_recovered() {
        let mut rates = [1.0; 16];
        rates[4..12].fill(0.5);
        rates[12..].fill(1.5);
        assert_eq!(bins(&rates).recover(), Some(0));
    }
}
