//! What the workload could get over its routes.

use crate::config::FabricConfig;
use crate::observers::Stats;
use units::Tick;

/// A flow with fewer packets than this to expect has no share worth stating: the count itself is noise.
pub(super) const SHARE_PACKETS_MIN: u32 = 32;

/// Bound of a workload in a span of time.
pub(super) struct Ideal {
    /// All flows together.
    pub(super) bytes_per_ns: f64,
    /// By source and destination: its max-min fair rate.
    pub(super) flows: Vec<(u32, u32, f64)>,
}

/// The bound of `[start, end)`.
pub(super) fn ideal(_config: &FabricConfig, _start: Tick, _end: Tick) -> Option<Ideal> {
    None
}

/// The smallest part that any flow got of its max-min fair share of the measured time, of those that could expect
/// [`SHARE_PACKETS_MIN`] of the largest packets. It may exceed 1.
pub(super) fn worst_flow_share(ideal: &Ideal, stats: &Stats, packet_bytes: u32) -> Option<f64> {
    let ns = stats.measured_ns();
    let least = f64::from(SHARE_PACKETS_MIN) * f64::from(packet_bytes);
    let flows = ideal.flows.iter().filter(|flow| flow.2 * ns >= least);
    flows
        .map(|&(source, destination, rate)| {
            stats.measured_bytes(source, destination) as f64 / ns / rate
        })
        .reduce(f64::min)
}

/// The bound of a window.
pub(super) fn of_window(config: &FabricConfig, (start, end): (Tick, Tick)) -> Option<f64> {
    (end > start)
        .then(|| ideal(config, start, end))
        .flatten()
        .map(|i| i.bytes_per_ns)
}
