//! Processes with known means, from one seeded stream.

use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus as Stream;

/// A share above 0 and below 1.
fn share(stream: &mut Stream) -> f64 {
    ((stream.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Waiting times of customers of an M/D/1 queue with service time 1, without the first `skipped`,
/// by Lindley's recursion. Their mean is [`md1_mean`].
pub(crate) fn md1(stream: &mut Stream, load: f64, skipped: usize, customers: usize) -> Vec<f64> {
    let mut wait = 0.0f64;
    let each = (0..skipped + customers).map(|_| {
        let now = wait;
        let gap = -share(stream).ln() / load;
        wait = (wait + 1.0 - gap).max(0.0);
        now
    });
    each.skip(skipped).collect()
}

/// Pollaczek and Khinchine.
pub(crate) fn md1_mean(load: f64) -> f64 {
    load / (2.0 * (1.0 - load))
}

fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * share(stream).ln()).sqrt();
    radius * (std::f64::consts::TAU * share(stream)).cos()
}

/// An autoregressive process of order 1 with mean 0, from its stationary state on; the variance of
/// a value is 1 / (1 - correlation^2).
pub(crate) fn ar1(stream: &mut Stream, correlation: f64, values: usize) -> Vec<f64> {
    let mut value = normal(stream) / (1.0 - correlation * correlation).sqrt();
    let each = (0..values).map(|_| {
        let now = value;
        value = correlation * value + normal(stream);
        now
    });
    each.collect()
}
