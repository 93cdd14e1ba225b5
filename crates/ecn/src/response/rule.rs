//! The registry of responses.

use super::Dcqcn;

/// A response with what it needs: the key `ecn.response` (spec: ecn.md, Source response; pfc.md,
/// DCQCN). `rate_ratio`: M, the link rate over the lowest rate, 1 to
/// [`RATIO_MAX`](super::RATIO_MAX) (key `ecn.rate_ratio`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Window only.
    #[default]
    None,
    /// Linear inter-packet delay.
    Lipd {
        /// M.
        rate_ratio: u32,
    },
    /// Fast increase, multiplicative decrease.
    Fimd {
        /// M.
        rate_ratio: u32,
    },
    /// Additive increase, multiplicative decrease.
    Aimd {
        /// M.
        rate_ratio: u32,
    },
    /// Rate by congestion notification packets, timers and bytes.
    Dcqcn(Dcqcn),
}

impl Algorithm {
    /// The names of all.
    pub const NAMES: &'static [&'static str] = &["none", "lipd", "fimd", "aimd", "dcqcn"];

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Algorithm::None => "none",
            Algorithm::Lipd { .. } => "lipd",
            Algorithm::Fimd { .. } => "fimd",
            Algorithm::Aimd { .. } => "aimd",
            Algorithm::Dcqcn(_) => "dcqcn",
        }
    }

    /// M, of the responses to ACKs.
    pub(crate) const fn rate_ratio(&self) -> Option<u32> {
        match *self {
            Algorithm::None | Algorithm::Dcqcn(_) => None,
            Algorithm::Lipd { rate_ratio }
            | Algorithm::Fimd { rate_ratio }
            | Algorithm::Aimd { rate_ratio } => Some(rate_ratio),
        }
    }
}
