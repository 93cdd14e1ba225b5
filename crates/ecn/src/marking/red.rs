//! RED at an egress queue, as DCQCN uses it.

use thiserror::Error;
use units::Ratio;
use units::draw::{Stream, below};

/// Thresholds of `red` that are not legal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RedError {
    /// The lower threshold is above the upper one.
    #[error("kmin of {kmin} bytes is above kmax; legal: 0 to {kmax}")]
    KminAboveKmax {
        /// The lower threshold given, in bytes.
        kmin: u32,
        /// The upper threshold given, in bytes.
        kmax: u32,
    },
    /// The probability is above one, or its product with bytes needs more than 64 bits; and what is
    /// legal.
    #[error("pmax of {0}")]
    Pmax(String),
}

/// What `red` marks by, made by the checked [`Red::new`] only (spec: pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Red {
    kmin: u32,
    kmax: u32,
    pmax: Ratio,
}

impl Red {
    /// The highest denominator of `pmax`: the product with bytes fits 64 bits.
    pub const DENOMINATOR_MAX: u64 = u32::MAX as u64;

    /// Below `kmin` bytes no packet is marked, above `kmax` every one; in between with a
    /// probability that rises linearly from 0 at `kmin` to `pmax` at `kmax`.
    ///
    /// # Errors
    /// `kmin` above `kmax`, `pmax` above 1 or too fine.
    pub fn new(kmin: u32, kmax: u32, pmax: Ratio) -> Result<Red, RedError> {
        if kmin > kmax {
            return Err(RedError::KminAboveKmax { kmin, kmax });
        }
        if pmax > Ratio::ONE {
            return Err(RedError::Pmax(format!("{pmax} is above 1; legal: above 0, up to 1")));
        }
        let limit = Red::DENOMINATOR_MAX;
        if pmax.den() > limit {
            return Err(RedError::Pmax(format!(
                "{pmax} is too fine; legal: a denominator of at most {limit}"
            )));
        }
        Ok(Red { kmin, kmax, pmax })
    }

    /// Below so many bytes nothing is marked.
    pub fn kmin(&self) -> u32 {
        self.kmin
    }

    /// The probability of a mark with so many bytes in the queue, exact, as numerator and
    /// denominator.
    pub fn probability(&self, queued_bytes: u64) -> (u64, u64) {
        let (kmin, kmax) = (u64::from(self.kmin), u64::from(self.kmax));
        if queued_bytes > kmax {
            (1, 1)
        } else if queued_bytes < kmin {
            (0, 1)
        } else if kmin == kmax {
            (self.pmax.num(), self.pmax.den())
        } else {
            let above = queued_bytes - kmin;
            (self.pmax.num() * above, self.pmax.den() * (kmax - kmin))
        }
    }

    /// Whether a packet is marked that finds so many bytes. One number is drawn where the
    /// probability is neither 0 nor 1, and none otherwise.
    pub(crate) fn draws(&self, queued_bytes: u64, stream: &mut Stream) -> bool {
        match self.probability(queued_bytes) {
            (0, _) => false,
            (part, whole) if part == whole => true,
            (part, whole) => below(stream, whole) < part,
        }
    }
}
