//! Wrong workloads.

use crate::interval::IntervalError;

/// A workload that cannot be built: the setting, what was given and what is legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {given}; legal: {legal}")]
pub struct WorkloadError {
    key: String,
    given: String,
    legal: String,
}

impl WorkloadError {
    pub(crate) fn new(
        key: impl Into<String>,
        given: impl Into<String>,
        legal: impl Into<String>,
    ) -> Self {
        Self { key: key.into(), given: given.into(), legal: legal.into() }
    }

    /// The setting, such as `workload.hot.sources` or `workload.group[0].name`.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Load and message length that together give no usable interval.
    pub(crate) fn interval(key: &str, fraction: IntervalError) -> Self {
        let apart = match fraction {
            IntervalError { num, den: 1 } => num.to_string(),
            IntervalError { num, den } => format!("{num}/{den}"),
        };
        Self::new(
            key,
            format!("messages would start {apart} ticks apart, more than can be counted exactly"),
            "0, or a load of 1e-8 or more of at most 8 digits, such as 0.125",
        )
    }

    pub(crate) fn time(key: String, ns: u64) -> Self {
        Self::new(key, format!("{ns} ns given"), "what 64 bits of ticks hold")
    }

    /// A name that another group or column of results has.
    pub(crate) fn group_name(key: String, name: &str) -> Self {
        let legal = "a name that is not empty, not `delivered` or `victims`, and that no other \
                     group has";
        Self::new(key, format!("`{name}` given"), legal)
    }

    /// More groups than a message can name, that of the random sources not counted.
    pub(crate) fn group_count(key: &str, groups: usize) -> Self {
        Self::new(key, format!("{groups} groups given"), "up to 255")
    }
}
