//! The registry of responses.

use super::Dcqcn;

units::named! {
    /// Which response: the key `ecn.response` (spec: ecn.md, Source response; pfc.md, DCQCN).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum ResponseRule: "response" {
        /// Window only.
        #[default]
        None = "none",
        /// Linear inter-packet delay.
        Lipd = "lipd",
        /// Fast increase, multiplicative decrease.
        Fimd = "fimd",
        /// Additive increase, multiplicative decrease.
        Aimd = "aimd",
        /// Rate by congestion notification packets, timers and bytes.
        Dcqcn = "dcqcn",
    }
}

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
