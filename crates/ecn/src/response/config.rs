//! What a source needs, checked.

use thiserror::Error;
use units::{Ratio, Span};

use super::fixed::{ONE, Spacing};
use super::{Algorithm, RATIO_MAX};

/// A configuration that would stop a flow for ever, or that has no exact numbers.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConfigError {
    /// A flow would start outside of the range of its rate.
    #[error("an initial rate of {given} of the link rate; legal: 1/{rate_ratio} to 1")]
    InitialRate {
        /// What was given.
        given: Ratio,
        /// Highest over lowest rate.
        rate_ratio: u32,
    },
    /// A window, rate ratio or packet time that is not legal, and what is.
    #[error("{0}")]
    Other(String),
}

/// Algorithm, window and packet times of a flow, made by the checked [`Config::new`] only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    pub(crate) algorithm: Algorithm,
    pub(crate) window: Option<u32>,
    pub(crate) ticks_per_byte: Ratio,
    /// Share of the link rate.
    pub(crate) initial_rate: Ratio,
}

impl Config {
    /// The most ticks that a byte may take: the longest packet at the lowest rate fits 64 bits.
    pub const TICKS_PER_BYTE_MAX: u64 = 1 << 11;
    /// The highest numerator of the ticks a byte.
    pub const NUMERATOR_MAX: u64 = 1 << 40;

    /// `window`: packets without an ACK at the most, `None` for no bound (ACKs are then not
    /// counted). `ticks_per_byte`: of the link.
    ///
    /// # Errors
    /// Where a flow would stop for ever, or numbers do not fit.
    pub fn new(
        algorithm: Algorithm,
        window: Option<u32>,
        ticks_per_byte: Ratio,
    ) -> Result<Config, ConfigError> {
        if window == Some(0) {
            let text = "a window of 0 packets; at least 1 is needed";
            return Err(ConfigError::Other(text.to_owned()));
        }
        let given = ticks_per_byte;
        let most = Ratio::new(Config::TICKS_PER_BYTE_MAX, 1).expect("not zero");
        if given > most || given.num() > Config::NUMERATOR_MAX {
            let numerator = Config::NUMERATOR_MAX;
            return Err(ConfigError::Other(format!(
                "{given} ticks a byte; legal: up to {most}, with a numerator up to {numerator}"
            )));
        }
        if let Some(given) = algorithm.rate_ratio()
            && !(1..=RATIO_MAX).contains(&given)
        {
            let text = format!("a rate ratio of {given}; legal: 1 to {RATIO_MAX}");
            return Err(ConfigError::Other(text));
        }
        Ok(Config { algorithm, window, ticks_per_byte, initial_rate: Ratio::ONE })
    }

    /// How marks are answered.
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// From the start of a packet of so many bytes to that of the next one at the lowest rate.
    pub fn slowest(&self, bytes: u32) -> Span {
        let spacing = match self.algorithm {
            Algorithm::Dcqcn(dcqcn) => Spacing::of_rate(dcqcn.lowest, ONE),
            other => Spacing::of_rate(1, other.rate_ratio().unwrap_or(1).into()),
        };
        spacing.ticks(bytes, self.ticks_per_byte)
    }

    /// The same, with flows that start at a share of the link rate. `none` and `dcqcn` always start
    /// at the link rate.
    ///
    /// # Errors
    /// If it is outside of the range of the rate.
    pub fn with_initial_rate(self, given: Ratio) -> Result<Config, ConfigError> {
        let rate_ratio = self.algorithm.rate_ratio().unwrap_or(1);
        let least = Ratio::new(1, rate_ratio.into()).expect("not zero");
        if given < least || given > Ratio::ONE {
            return Err(ConfigError::InitialRate { given, rate_ratio });
        }
        Ok(Config { initial_rate: given, ..self })
    }
}
