//! How a trace is read: its format, its compression, which of its events.

use crate::compression::Compression;
use units::named;

named! {
    /// A format of a trace.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Format: "format" {
        /// HP's SRT, binary: records of the *cello* traces.
        Srt = "srt",
        /// The CSV of the MSR Cambridge traces (SNIA).
        Msr = "msr",
        /// The SPC trace file format.
        Spc = "spc",
        /// The text that `blkparse` writes.
        Blkparse = "blkparse",
        /// Messages between end nodes, as CSV.
        Messages = "messages",
    }
}

named! {
    /// Which events of `blkparse` are taken as records.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Action: "event" {
        /// Issued to the driver.
        #[default]
        D = "D",
        /// Queued.
        Q = "Q",
    }
}

/// Records that are held to bring them in the order of time.
pub const REORDER_RECORDS: usize = 65_536;

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
