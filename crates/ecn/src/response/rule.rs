//! The registry of responses.

use std::fmt;
use std::str::FromStr;

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

/// A name that is no response.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown response `{given}`; legal: {}", ResponseRule::NAMES.join(", "))]
pub struct ParseResponseRuleError {
    /// What was given.
    pub given: String,
}

impl ResponseRule {
    const ALL: [ResponseRule; 5] = [
        ResponseRule::None,
        ResponseRule::Lipd,
        ResponseRule::Fimd,
        ResponseRule::Aimd,
        ResponseRule::Dcqcn,
    ];

    /// All legal names, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["none", "lipd", "fimd", "aimd", "dcqcn"];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        ResponseRule::NAMES[self as usize]
    }
}

impl FromStr for ResponseRule {
    type Err = ParseResponseRuleError;

    fn from_str(given: &str) -> Result<ResponseRule, ParseResponseRuleError> {
        let mut all = ResponseRule::ALL.into_iter();
        all.find(|rule| rule.name() == given)
            .ok_or_else(|| ParseResponseRuleError { given: given.to_string() })
    }
}

impl fmt::Display for ResponseRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
}
