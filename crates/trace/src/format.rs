//! Formats of traces, and how they are told apart.

use crate::{blkparse, msr, spc, srt};
use units::named;

/// The first line.
pub const HEADER: &str = "id,time_ns,source,destination,bytes,after";
/// The first line where times are ticks of a model, which may be no whole ns.
pub const HEADER_TICKS: &str = "id,tick,source,destination,bytes,after";

/// A format of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// HP's SRT, binary: records of the *cello* traces.
    Srt,
    /// The CSV of the MSR Cambridge traces (SNIA).
    Msr,
    /// The SPC trace file format.
    Spc,
    /// The text that `blkparse` writes.
    Blkparse,
    /// Messages between end nodes, as CSV.
    Messages,
}

named!(
    Format,
    "format",
    Srt = "srt",
    Msr = "msr",
    Spc = "spc",
    Blkparse = "blkparse",
    Messages = "messages"
);

impl Format {
    /// What the first bytes of a file, unpacked, are of.
    pub fn of(head: &[u8]) -> Option<Format> {
        if head.starts_with(srt::MAGIC) {
            return Some(Format::Srt);
        }
        let text = match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        };
        let line = text.lines().find(|line| !line.trim().is_empty())?;
        let found = [
            ([HEADER, HEADER_TICKS].contains(&line.trim()), Format::Messages),
            (msr::begins_with(line), Format::Msr),
            (spc::begins_with(line), Format::Spc),
            (blkparse::begins_with(line), Format::Blkparse),
        ];
        found.into_iter().find(|(is, _)| *is).map(|(_, f)| f)
    }
}
