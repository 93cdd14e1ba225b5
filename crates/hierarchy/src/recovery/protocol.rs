//! The registry of protocols.

use std::fmt;
use std::str::FromStr;

/// Which rules: the key `faults.protocol` (spec: rsi.md, Fault discovery and recovery).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Protocol {
    /// A bit an entry and port, set and cleared by what the neighbour there says of the entry.
    #[default]
    PerEntry,
    /// The published rules (lai-rsi), cleaned of misprints. They leave wrong tables.
    Paper,
}

/// A name that is no protocol.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown protocol `{given}`; legal: {}", Protocol::NAMES.join(", "))]
pub struct ParseProtocolError {
    /// What was given.
    pub given: String,
}

impl Protocol {
    /// All legal names, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["per-entry", "paper"];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        Protocol::NAMES[self as usize]
    }
}

impl FromStr for Protocol {
    type Err = ParseProtocolError;

    fn from_str(given: &str) -> Result<Protocol, ParseProtocolError> {
        let all = [Protocol::PerEntry, Protocol::Paper];
        all.into_iter()
            .find(|protocol| protocol.name() == given)
            .ok_or_else(|| ParseProtocolError { given: given.to_string() })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
