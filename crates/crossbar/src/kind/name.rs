//! Names of arbiters, written and read.

use super::ArbiterKind;
use std::fmt;
use std::str::FromStr;

/// `islip(4)`; a parameter at its default is left out.
impl fmt::Display for ArbiterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parameter() {
            Some((given, default)) if given != default => {
                f.pad(&format!("{}({given})", self.name()))
            }
            _ => f.pad(self.name()),
        }
    }
}

impl FromStr for ArbiterKind {
    type Err = ParseArbiterError;

    fn from_str(text: &str) -> Result<ArbiterKind, ParseArbiterError> {
        let error = || ParseArbiterError { given: text.to_owned() };
        let (name, parameter) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name, Some(rest.strip_suffix(')').ok_or_else(error)?)),
        };
        let kind = ArbiterKind::ALL.iter().find(|kind| kind.name() == name).ok_or_else(error)?;
        let Some(parameter) = parameter else {
            return Ok(*kind);
        };
        // `u8::from_str` takes "+4" too, which is no number of iterations.
        let digits = parameter.bytes().all(|byte| byte.is_ascii_digit());
        let value =
            parameter.parse().ok().filter(|&value: &u8| digits && value > 0).ok_or_else(error)?;
        kind.parameter().ok_or_else(error)?;
        Ok(kind.with_parameter(value))
    }
}

/// A name that is not of an arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseArbiterError {
    /// The text given.
    pub given: String,
}

impl fmt::Display for ParseArbiterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown arbiter `{}`: legal are ", self.given)?;
        for (position, kind) in ArbiterKind::ALL.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{}", kind.name())?;
            if kind.parameter().is_some() {
                write!(f, ", {}(K) with K from 1 to 255", kind.name())?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ParseArbiterError {}
