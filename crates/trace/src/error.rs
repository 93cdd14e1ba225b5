//! What is wrong with a trace, and where.

use crate::compression::Compression;
use crate::record::NAMES_MAX;
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
    /// The stream of a compressed file is broken, in the words of the unpacker.
    #[error("the {0} stream is broken: {1}")]
    Stream(Compression, String),
    /// The file ends where it cannot.
    #[error("the file is cut off: {what}; {}", good(*records))]
    Truncated {
        /// What ends too early.
        what: String,
        /// Good records before it.
        records: u64,
    },
    /// The file holds nothing.
    #[error("the file is empty; expected: a trace")]
    Empty,
    /// The file is of no known format; how it begins.
    #[error(
        "the format is not known from `{0}`; legal, with --input-format where it is not found: srt, msr, spc, blkparse, messages"
    )]
    UnknownFormat(String),
    /// The file is of another kind than wanted.
    #[error("{found}; expected: {expected}")]
    Kind {
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A field that cannot be read.
    #[error("{name} `{found}`; expected: {expected}")]
    Field {
        /// Name of the field.
        name: &'static str,
        /// What is there.
        found: String,
        /// What is legal.
        expected: String,
    },
    /// A line with too few or too many fields.
    #[error("{found} fields; expected: {expected}")]
    Fields {
        /// How many there are.
        found: usize,
        /// What should be there.
        expected: &'static str,
    },
    /// A line that is longer than so many bytes, too long for any record.
    #[error("a line of more than {0} bytes; expected: a line of text")]
    LongLine(usize),
    /// A record that is far from its place in time.
    #[error(
        "a record {late_ns} ns before one that is {window} records or more ahead of it; expected: records in the order of time, but for {window}; sort the file"
    )]
    Late {
        /// How late it is.
        late_ns: u64,
        /// Records that are sorted.
        window: usize,
    },
    /// More devices or machines than are remembered.
    #[error("more than {NAMES_MAX} {0}; expected: at most {NAMES_MAX}")]
    TooMany(&'static str),
    /// A time that is too far from the first one.
    #[error(
        "a time of more than 2^64 - 1 ns; expected: less than 584 years after the first record"
    )]
    Time,
}

impl Problem {
    /// A field that cannot be read.
    pub(crate) fn field(
        name: &'static str,
        found: impl ToString,
        expected: impl Into<String>,
    ) -> Problem {
        Problem::Field { name, found: found.to_string(), expected: expected.into() }
    }

    /// Whether a line that is whole might not have it.
    pub(crate) fn is_of_line(&self) -> bool {
        matches!(self, Problem::Field { .. } | Problem::Fields { .. })
    }
}

impl TraceError {
    /// Whether the file is cut off.
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
