//! Whether a point is enough, by the interval of its replicas.

use crate::Interval;
use crate::answer::Met;
use serde::{Serialize, Serializer};

/// How many replicas a point gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confidence {
    /// Of each point that is looked at; at least 1.
    pub replicas: u32,
    /// Of a point whose interval leaves it open; at least `replicas`. Where this is 1, there are
    /// no intervals and the value of the one run decides.
    pub max_replicas: u32,
}

impl Confidence {
    /// The next number of replicas of a point that has so many and is open, if there is one.
    pub(super) fn more(self, has: usize) -> Option<u32> {
        let has = u32::try_from(has).unwrap_or(u32::MAX);
        (has < self.max_replicas).then(|| has.saturating_mul(2).clamp(1, self.max_replicas))
    }

    /// Whether the whole interval of the mean is at least `bound`, or below it.
    pub(super) fn at_least(self, values: &[f64], bound: f64) -> Met {
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        self.at_most(&negated, -bound)
    }

    /// Whether the whole interval of the mean is at most `bound`, or above it.
    pub(super) fn at_most(self, values: &[f64], bound: f64) -> Met {
        let Some(Interval { mean, half }) = Interval::of(values) else {
            return Met::Unknown;
        };
        let half = half.or((self.max_replicas == 1).then_some(0.0));
        match half {
            Some(half) if mean + half <= bound => Met::Yes,
            Some(half) if mean - half > bound => Met::No,
            _ => Met::Unknown,
        }
    }
}

/// What was found out about a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether it is enough.
    #[serde(serialize_with = "word")]
    pub met: Met,
    /// What is judged: delivered as a part of the reference, or what is lost of the offered.
    #[serde(serialize_with = "interval")]
    pub share: Option<Interval>,
    /// p99 latency of the same flows and window, ns.
    #[serde(serialize_with = "interval")]
    pub p99_ns: Option<Interval>,
    /// It is at least that: some messages had not arrived.
    pub p99_is_lower_bound: bool,
    /// Replicas that finished.
    pub replicas: usize,
}

fn word<S: Serializer>(met: &Met, serializer: S) -> Result<S::Ok, S::Error> {
    met.word().serialize(serializer)
}

pub(super) fn interval<S: Serializer>(
    value: &Option<Interval>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Parts {
        mean: f64,
        half: Option<f64>,
    }
    let parts = value.map(|Interval { mean, half }| Parts { mean, half });
    parts.serialize(serializer)
}

/// Yes where all are, no where one is not.
pub(super) fn all_of(all: impl IntoIterator<Item = Met>) -> Met {
    all.into_iter().fold(Met::Yes, |met, next| match (met, next) {
        (Met::No, _) | (_, Met::No) => Met::No,
        (Met::Yes, Met::Yes) => Met::Yes,
        _ => Met::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // "A point passes when the whole 95 % interval is above the target, fails when below, else
    // open."
    #[test]
    fn interval_decides_and_one_run_does_not() {
        let of = |replicas, max_replicas| Confidence { replicas, max_replicas };
        let three = of(3, 9);
        // The mean of 1, 2, 3 is 2 +- 2.48.
        let values = [1.0, 2.0, 3.0];
        assert_eq!(three.at_least(&values, -0.49), Met::Yes);
        assert_eq!(three.at_least(&values, -0.48), Met::Unknown);
        assert_eq!(three.at_least(&values, 4.48), Met::Unknown);
        assert_eq!(three.at_least(&values, 4.49), Met::No);
        assert_eq!(three.at_most(&values, 4.49), Met::Yes);
        assert_eq!(three.at_most(&values, -0.49), Met::No);
        assert_eq!(three.at_most(&[1.0], 5.0), Met::Unknown);
        assert_eq!(of(1, 1).at_most(&[1.0], 5.0), Met::Yes);
        assert_eq!(three.at_least(&[], 0.0), Met::Unknown);
        // Equal values have an interval of no width, and the bound itself is enough.
        assert_eq!(three.at_least(&[1.0; 3], 1.0), Met::Yes);
    }

    #[test]
    fn replicas_double_up_to_the_most() {
        let confidence = Confidence { replicas: 3, max_replicas: 10 };
        assert_eq!(confidence.more(3), Some(6));
        assert_eq!(confidence.more(6), Some(10));
        assert_eq!(confidence.more(10), None);
    }

    #[test]
    fn one_that_is_not_met_decides_for_all() {
        assert_eq!(all_of([Met::Yes, Met::Unknown, Met::No]), Met::No);
        assert_eq!(all_of([Met::Yes, Met::Unknown]), Met::Unknown);
        assert_eq!(all_of([Met::Yes, Met::Yes]), Met::Yes);
    }
}
