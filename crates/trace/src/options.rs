//! How a trace is read.

use crate::blkparse::Action;
use crate::compression::Compression;
use crate::format::Format;

/// How a trace is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Its format; found from its beginning where none is given.
    pub format: Option<Format>,
    /// Its compression; found from its first bytes where none is given.
    pub compression: Option<Compression>,
    /// A file that is cut off ends before what is cut off.
    pub allow_truncated: bool,
    /// Which events of `blkparse` are records.
    pub action: Action,
    /// Records that are held to bring them in the order of time; 1 does not.
    pub reorder_records: usize,
}

/// Records that are held to bring them in the order of time.
pub const REORDER_RECORDS: usize = 65_536;

impl Default for Options {
    fn default() -> Options {
        Options {
            format: None,
            compression: None,
            allow_truncated: false,
            action: Action::D,
            reorder_records: REORDER_RECORDS,
        }
    }
}
