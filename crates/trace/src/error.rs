//! What is wrong with a trace, and where.

use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A trace that cannot be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{place}: error: {problem}")]
pub struct TraceError {
    /// The file's name.
    pub file: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in a file; what is compressed is counted as unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte, from 0.
    Byte {
        /// Its number.
        byte: u64,
        /// Whether the file is compressed.
        unpacked: bool,
    },
    /// A column of a line, both from 1, columns in bytes.
    Line {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Byte { byte, unpacked } => {
                let of = if *unpacked { " (unpacked)" } else { "" };
                write!(f, ": byte {byte}{of}")
            }
            Place::Line { line, column } => write!(f, ":{line}:{column}"),
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The file cannot be opened, in the words of the system.
    #[error("cannot be opened: {0}")]
    Open(String),
    /// The file cannot be read on, in the words of the system.
    #[error("cannot be read: {0}")]
    Read(String),
    /// The file ends where it cannot.
    #[error("the file is cut off: {what}; {}", good(*records))]
    Truncated {
        /// What ends too early.
        what: String,
        /// Good records before it.
        records: u64,
    },
    /// A field or line that cannot be read; a line that is whole might not have it.
    #[error("{0}")]
    Line(String),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

impl Problem {
    pub(crate) fn field(
        name: &'static str,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Problem {
        Problem::Line(format!("{name} `{found}`; expected: {expected}"))
    }

    pub(crate) fn time() -> Problem {
        let text = "a time of more than 2^64 - 1 ns; expected: less than 584 years after the first \
                    record";
        Problem::Other(text.to_string())
    }
}

impl TraceError {
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self.problem, Problem::Truncated { .. })
    }
}

fn good(records: u64) -> String {
    match records {
        0 => "there is no good record before it".to_string(),
        1 => "1 good record before it can be used with --allow-truncated".to_string(),
        _ => format!("{records} good records before it can be used with --allow-truncated"),
    }
}

/// A wrong setting of a mapping or of a synthetic trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {given}; legal: {legal}")]
pub struct SettingError {
    /// The setting.
    pub key: &'static str,
    /// What was given.
    pub given: String,
    /// What is legal.
    pub legal: String,
}

impl SettingError {
    pub(crate) fn new(
        key: &'static str,
        given: impl ToString,
        legal: impl Into<String>,
    ) -> SettingError {
        SettingError { key, given: given.to_string(), legal: legal.into() }
    }
}
