//! What part of its fair share the flow got that is worst off.

use crate::ideal::Ideal;
use observe::Stats;

/// A flow with fewer packets than this to expect has no share worth stating: the count itself is
/// noise.
pub(crate) const SHARE_PACKETS_MIN: u32 = 32;

/// The smallest part that any flow got of its max-min fair share of the measured time, of those
/// that could expect [`SHARE_PACKETS_MIN`] of the largest packets. It may exceed 1.
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
