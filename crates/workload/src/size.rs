//! Message lengths: one number, a range, or a weighted list.

use std::sync::Arc;

use crate::error::WorkloadError;
use crate::interval::interval;
use crate::rng::{Stream, below};
use units::{Ratio, Span};

/// The longest message, in bytes: 16 MiB.
pub const MESSAGE_BYTES_MAX: u32 = 1 << 24;

/// Lengths of messages in bytes (key `workload.message_bytes`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageBytes {
    /// All alike.
    Fixed(u32),
    /// Every length of the range alike, both ends included.
    Uniform {
        /// The shortest, in bytes.
        min: u32,
        /// The longest, in bytes.
        max: u32,
    },
    /// (bytes, weight): a length is drawn with the probability weight / sum of the weights.
    Weighted(Vec<(u32, u32)>),
}

impl Default for MessageBytes {
    fn default() -> Self {
        Self::Fixed(64)
    }
}

impl MessageBytes {
    /// Refuses lengths outside `1..=MESSAGE_BYTES_MAX`, an empty range or list, weights all zero.
    ///
    /// # Errors
    /// [`WorkloadError`] with `key` in it.
    pub fn check(&self, key: &str) -> Result<(), WorkloadError> {
        let legal = |bytes: u32| (1..=MESSAGE_BYTES_MAX).contains(&bytes);
        let ok = match self {
            Self::Fixed(bytes) => legal(*bytes),
            Self::Uniform { min, max } => legal(*min) && legal(*max) && min <= max,
            Self::Weighted(list) => list.iter().all(|l| legal(l.0)) && list.iter().any(|l| l.1 > 0),
        };
        if ok {
            Ok(())
        } else {
            let legal =
                format!("1 to {MESSAGE_BYTES_MAX} bytes, the shortest first, a weight above 0");
            Err(WorkloadError::new(key, format!("{self} given"), legal))
        }
    }

    /// Lengths of the packets that messages are cut into, none longer than `most` bytes, at least
    /// 1; of checked lengths. A length may come several times.
    pub fn packet_bytes(&self, most: u32) -> Vec<u32> {
        let of = |message: u32| {
            let whole = (message >= most).then_some(most);
            let rest = message % most;
            whole.into_iter().chain((rest > 0).then_some(rest))
        };
        match self {
            Self::Fixed(bytes) => of(*bytes).collect(),
            // One after the other they leave every rest once in `most` lengths.
            Self::Uniform { min, max } => {
                let end = (*max).min(min.saturating_add(most));
                (*min..=end).flat_map(of).chain(of(*max)).collect()
            }
            Self::Weighted(list) => {
                let drawn = list.iter().filter(|(_, weight)| *weight > 0);
                drawn.flat_map(|(bytes, _)| of(*bytes)).collect()
            }
        }
    }

    /// The mean length, bytes. Expects what [`Self::check`] lets pass.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(bytes) => f64::from(*bytes),
            Self::Uniform { min, max } => (f64::from(*min) + f64::from(*max)) / 2.0,
            Self::Weighted(list) => {
                let weights: u64 = list.iter().map(|l| u64::from(l.1)).sum();
                let bytes: u128 = list.iter().map(|l| u128::from(l.0) * u128::from(l.1)).sum();
                bytes as f64 / weights as f64
            }
        }
    }

    /// The mean length in ticks, exactly; `ticks` gives the link ticks of a length. Of checked
    /// ones.
    ///
    /// # Errors
    /// [`WorkloadError`] where a length takes no tick or the mean is too fine to hold.
    pub fn mean_ticks(
        &self,
        key: &str,
        ticks: impl Fn(u32) -> Span,
    ) -> Result<Ratio, WorkloadError> {
        let (sum, count) = match self {
            Self::Fixed(bytes) => (u128::from(ticks(*bytes).0), 1),
            Self::Uniform { min, max } => (
                (*min..=*max).map(|bytes| u128::from(ticks(bytes).0)).sum(),
                u128::from(max - min) + 1,
            ),
            Self::Weighted(list) => (
                // Saturation only leads to a fraction that is refused.
                list.iter()
                    .map(|l| u128::from(ticks(l.0).0) * u128::from(l.1))
                    .fold(0, u128::saturating_add),
                list.iter().map(|l| u128::from(l.1)).sum(),
            ),
        };
        interval(sum, count).map_err(|fraction| WorkloadError::interval(key, fraction))
    }

    /// Prepares the draws; `rng` is called only where there is something to draw.
    pub(crate) fn sampler(&self, rng: impl FnOnce() -> Stream) -> Sampler {
        match self {
            Self::Fixed(bytes) => Sampler::Fixed(*bytes),
            Self::Uniform { min, max } => {
                Sampler::Uniform(Box::new((rng(), *min, u64::from(max - min) + 1)))
            }
            Self::Weighted(list) => {
                let mut total = 0;
                let drawn = list.iter().filter(|l| l.1 > 0).map(|&(bytes, weight)| {
                    total += u64::from(weight);
                    (total, bytes)
                });
                let drawn: Cumulative = drawn.collect();
                Sampler::Weighted(Box::new((rng(), total, drawn)))
            }
        }
    }
}

impl std::fmt::Display for MessageBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(bytes) => write!(f, "{bytes}"),
            Self::Uniform { min, max } => write!(f, "{min} to {max}"),
            Self::Weighted(list) => {
                let text: Vec<String> =
                    list.iter().map(|(bytes, weight)| format!("{bytes} x {weight}")).collect();
                write!(f, "[{}]", text.join(", "))
            }
        }
    }
}

type Cumulative = Arc<[(u64, u32)]>;

/// Lengths drawn one by one; boxed where there is state: the common fixed length has none.
#[derive(Clone, Debug)]
pub(crate) enum Sampler {
    Fixed(u32),
    /// The shortest, and how many lengths there are.
    Uniform(Box<(Stream, u32, u64)>),
    /// The sum of all weights.
    Weighted(Box<(Stream, u64, Cumulative)>),
}

impl Sampler {
    #[inline]
    pub(crate) fn draw(&mut self) -> u32 {
        match self {
            Self::Fixed(bytes) => *bytes,
            Self::Uniform(range) => {
                let (rng, min, count) = &mut **range;
                *min + below(rng, *count) as u32
            }
            Self::Weighted(table) => {
                let (rng, total, lengths) = &mut **table;
                let drawn = below(rng, *total);
                lengths[lengths.partition_point(|length| length.0 <= drawn)].1
            }
        }
    }
}
