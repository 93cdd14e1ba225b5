//! Records of an I/O trace in the order of time.

use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::input::Input;
use crate::options::{Action, Format, Options};
use crate::record::{Names, Raw, Record};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What reading saw, beside the records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Records that stand behind one with a later time.
    pub out_of_order: u64,
    /// Records that are left out, since their times are wrong (SRT).
    pub suspect: u64,
    /// Events that are no records (`blkparse`).
    pub skipped: u64,
    /// Where the file is cut off, where that was allowed.
    pub truncated: Option<TraceError>,
}

/// What readers know of a file; each format has its own part of it.
pub(crate) struct Reader {
    pub(crate) format: Format,
    pub(crate) action: Action,
    pub(crate) devices: Names,
    pub(crate) machines: Names,
    pub(crate) seen: Seen,
    /// Of the last record of SRT; 0 before it.
    pub(crate) version: u32,
    /// The header of SRT is read.
    pub(crate) is_begun: bool,
    /// The summary of `blkparse` has begun.
    pub(crate) is_over: bool,
}

impl Reader {
    fn next(&mut self, input: &mut Input) -> Result<Option<Raw>, TraceError> {
        if self.format == Format::Srt {
            return self.srt(input);
        }
        while let Some(line) = input.line()? {
            let record = match self.format {
                Format::Msr => self.msr(line)?,
                Format::Spc => self.spc(line)?,
                _ => self.blkparse(line)?,
            };
            if record.is_some() {
                return Ok(record);
            }
        }
        Ok(None)
    }
}

/// Records of an I/O trace in the order of time, in constant memory.
///
/// Up to [`Options::reorder_records`] are held to bring them in that order; one that would come
/// still later is an error. After an error nothing follows, and what is good comes before it.
pub struct Records {
    pub(crate) input: Input,
    reader: Reader,
    options: Options,
    /// By time, then place in the file.
    held: BinaryHeap<Reverse<(u128, u64, Record)>>,
    /// Records that were read.
    read: u64,
    latest: u128,
    /// Time of the first record, and of the last one that was given.
    first: Option<u128>,
    given: u128,
    is_over: bool,
    failed: Option<TraceError>,
}

impl Records {
    pub(crate) fn new(input: Input, format: Format, options: &Options) -> Records {
        let reader = Reader {
            format,
            action: options.action,
            devices: Names::default(),
            machines: Names::default(),
            seen: Seen::default(),
            version: 0,
            is_begun: false,
            is_over: false,
        };
        Records {
            input,
            reader,
            options: *options,
            held: BinaryHeap::new(),
            read: 0,
            latest: 0,
            first: None,
            given: 0,
            is_over: false,
            failed: None,
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.reader.format
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        self.input.compression
    }

    /// The version of the format, where it has one and a record was read.
    pub fn version(&self) -> Option<u32> {
        Some(self.reader.version).filter(|version| *version > 0)
    }

    /// Names of the devices that were read so far, by number.
    pub fn devices(&self) -> &[String] {
        &self.reader.devices.all
    }

    /// Names of the machines that were read so far, by number; none where the format has none.
    pub fn machines(&self) -> &[String] {
        &self.reader.machines.all
    }

    /// What reading saw so far.
    pub fn seen(&self) -> &Seen {
        &self.reader.seen
    }

    /// Takes in the next record; whether there is one.
    fn hold(&mut self) -> Result<bool, TraceError> {
        let raw = self.reader.next(&mut self.input);
        let raw = raw.map_err(|error| self.input.cut_or(error, self.read))?;
        let Some((time, record)) = raw else { return Ok(false) };
        if self.first.is_some() && time < self.given {
            let problem = Problem::Late {
                late_ns: u64::try_from(self.given - time).unwrap_or(u64::MAX),
                window: self.options.reorder_records.max(1),
            };
            return Err(self.input.error_here(problem));
        }
        self.reader.seen.out_of_order += u64::from(self.read > 0 && time < self.latest);
        self.latest = self.latest.max(time);
        self.held.push(Reverse((time, self.read, record)));
        self.read += 1;
        Ok(true)
    }

    /// Reads until as many are held as may be.
    fn fill(&mut self) {
        while !self.is_over && self.held.len() < self.options.reorder_records.max(1) {
            match self.hold() {
                Ok(has_more) => self.is_over = !has_more,
                Err(error) => {
                    self.is_over = true;
                    match error.is_cut() && self.options.allow_truncated {
                        true => self.reader.seen.truncated = Some(error),
                        false => self.failed = Some(error),
                    }
                }
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fill();
        let Some(Reverse((time, _, record))) = self.held.pop() else {
            return self.failed.take().map(Err);
        };
        let first = *self.first.get_or_insert(time);
        self.given = time;
        let Ok(time_ns) = u64::try_from(time - first) else {
            self.held.clear();
            self.is_over = true;
            self.failed = None;
            return Some(Err(self.input.error(Place::File, Problem::Time)));
        };
        Some(Ok(Record { time_ns, ..record }))
    }
}
