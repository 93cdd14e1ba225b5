//! Helpers of the integration tests.

use units::{Ratio, TimeBase};
use workload::{GroupConfig, Message, Sources, Workload, WorkloadConfig, WorkloadError};

pub(crate) fn ratio(text: &str) -> Ratio {
    text.parse().unwrap()
}

pub(crate) fn hot(sources: Sources, destinations: &[u32]) -> GroupConfig {
    GroupConfig { sources, destinations: destinations.to_vec(), ..GroupConfig::default() }
}

pub(crate) fn with_hot(load: &str, hot: GroupConfig) -> WorkloadConfig {
    WorkloadConfig { load: Some(ratio(load)), hot: Some(hot), ..WorkloadConfig::default() }
}

/// All nodes at full load.
pub(crate) fn full() -> WorkloadConfig {
    WorkloadConfig { load: Some(Ratio::ONE), ..WorkloadConfig::default() }
}

/// A tick is a ns, a byte takes `ticks`.
pub(crate) fn scale(ticks: u64) -> TimeBase {
    let [rate, speedup] = [(1, ticks), (ticks, 1)].map(|(num, den)| Ratio::new(num, den).unwrap());
    TimeBase::new(1, rate, speedup).unwrap()
}

pub(crate) fn build(config: &WorkloadConfig, nodes: u32) -> Result<Workload, WorkloadError> {
    config.build(nodes, &scale(1), 1)
}

/// The first messages of a node in a group.
pub(crate) fn messages(workload: &Workload, node: u32, group: u8, count: usize) -> Vec<Message> {
    let found = workload.generators.iter().find(|(n, g)| *n == node && g.group() == group);
    found.map_or(Vec::new(), |(_, generator)| generator.clone().take(count).collect())
}

/// Whether a count of draws is within six standard deviations of its mean.
pub(crate) fn is_near(count: i64, mean: i64) -> bool {
    (count - mean).pow(2) <= 36 * mean
}
