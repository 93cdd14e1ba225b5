//! The registry of responses.

use super::Dcqcn;

/// Which response: the key `ecn.response` (spec: ecn.md, Source response; pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ResponseRule {
    /// Window only.
    #[default]
    None,
    /// Linear inter-packet delay.
    Lipd,
    /// Fast increase, multiplicative decrease.
    Fimd,
    /// Additive increase, multiplicative decrease.
    Aimd,
    /// Rate by congestion notification packets, timers and bytes.
    Dcqcn,
}

units::named!(
    ResponseRule,
    "response",
    None = "none",
    Lipd = "lipd",
    Fimd = "fimd",
    Aimd = "aimd",
    Dcqcn = "dcqcn",
);

/// A response with what it needs. `rate_ratio`: M, the link rate over the lowest rate, 1 to
/// [`RATIO_MAX`](super::RATIO_MAX) (key `ecn.rate_ratio`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// [`ResponseRule::None`].
    #[default]
    None,
    /// [`ResponseRule::Lipd`].
    Lipd {
        /// M.
        rate_ratio: u32,
    },
    /// [`ResponseRule::Fimd`].
    Fimd {
        /// M.
        rate_ratio: u32,
    },
    /// [`ResponseRule::Aimd`].
    Aimd {
        /// M.
        rate_ratio: u32,
    },
    /// [`ResponseRule::Dcqcn`].
    Dcqcn(Dcqcn),
}

impl Algorithm {
    /// Which response it is.
    pub const fn rule(&self) -> ResponseRule {
        match self {
            Algorithm::None => ResponseRule::None,
            Algorithm::Lipd { .. } => ResponseRule::Lipd,
            Algorithm::Fimd { .. } => ResponseRule::Fimd,
            Algorithm::Aimd { .. } => ResponseRule::Aimd,
            Algorithm::Dcqcn(_) => ResponseRule::Dcqcn,
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
