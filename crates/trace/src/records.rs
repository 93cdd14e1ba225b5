//! What a file holds, in the order of time: records or messages.

use crate::error::{Place, Problem, TraceError};
use crate::input::Input;
use crate::messages::{HEADER, Limits};
use crate::options::{Action, Format, Options};
use crate::record::{Item, Names, Record};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What reading saw, beside the records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Records behind one with a later time.
    pub out_of_order: u64,
    /// Records that are left out, since their times are wrong (SRT).
    pub suspect: u64,
    /// Events that are no records (`blkparse`).
    pub skipped: u64,
    /// Where the file is cut off, where that was allowed.
    pub truncated: Option<TraceError>,
}

/// State of the reader of a file; each format has its own part of it.
pub(crate) struct Reader {
    pub(crate) format: Format,
    pub(crate) action: Action,
    pub(crate) devices: Names,
    pub(crate) machines: Names,
    pub(crate) seen: Seen,
    /// Of the last record of SRT; 0 before it.
    pub(crate) version: u32,
    /// The header of SRT, or of messages, is read.
    pub(crate) is_begun: bool,
    pub(crate) is_over: bool,
    pub(crate) limits: Limits,
    pub(crate) is_in_ticks: bool,
}

impl Reader {
    /// The next record, and its time in the file.
    fn next(&mut self, input: &mut Input) -> Result<Option<(u128, Item)>, TraceError> {
        let record = |(time, record)| (time, Item::Record(record));
        if self.format == Format::Srt {
            return Ok(self.srt(input)?.map(record));
        }
        while let Some(line) = input.line()? {
            let item = match self.format {
                Format::Messages => {
                    self.message(line)?.map(|m| (m.time_ns.into(), Item::Message(m)))
                }
                Format::Msr => self.msr(line)?.map(record),
                Format::Spc => self.spc(line)?.map(record),
                _ => self.blkparse(line)?.map(record),
            };
            if item.is_some() {
                return Ok(item);
            }
        }
        if self.format == Format::Messages && !self.is_begun {
            return Err(input.error(Place::File, Problem::field("first line", "", HEADER)));
        }
        Ok(None)
    }
}

/// Records or messages of a file in the order of time, in constant memory. Up to
/// [`Options::reorder_records`] are held to bring them in that order; one that would come still
/// later is an error. After an error nothing follows.
pub struct Records {
    pub(crate) input: Input,
    pub(crate) reader: Reader,
    window: usize,
    allow_truncated: bool,
    /// By time, then place in the file.
    held: BinaryHeap<Reverse<(u128, u64, Item)>>,
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
            limits: Limits::new(),
            is_in_ticks: false,
        };
        Records {
            input,
            reader,
            window: if format == Format::Messages { 1 } else { options.reorder_records.max(1) },
            allow_truncated: options.allow_truncated,
            held: BinaryHeap::new(),
            read: 0,
            latest: 0,
            first: None,
            given: 0,
            is_over: false,
            failed: None,
        }
    }

    /// Names of the devices that were read so far, by number.
    pub fn devices(&self) -> &[String] {
        &self.reader.devices.all
    }

    /// What reading saw so far.
    pub fn seen(&self) -> &Seen {
        &self.reader.seen
    }

    /// Reads the next record; whether there is one.
    fn hold(&mut self) -> Result<bool, TraceError> {
        let raw = self.reader.next(&mut self.input);
        let raw = raw.map_err(|error| self.input.cut_or(error, self.read))?;
        let Some((time, item)) = raw else { return Ok(false) };
        if self.first.is_some() && time < self.given {
            let late_ns = u64::try_from(self.given - time).unwrap_or(u64::MAX);
            let problem = format!(
                "a record {late_ns} ns before one that is {0} records or more ahead of it; \
                 expected: records in the order of time, but for {0}; sort the file",
                self.window
            );
            return Err(self.input.error_here(Problem::Other(problem)));
        }
        self.reader.seen.out_of_order += u64::from(self.read > 0 && time < self.latest);
        self.latest = self.latest.max(time);
        self.held.push(Reverse((time, self.read, item)));
        self.read += 1;
        Ok(true)
    }

    fn fill(&mut self) {
        while !self.is_over && self.held.len() < self.window {
            match self.hold() {
                Ok(has_more) => self.is_over = !has_more,
                Err(error) => {
                    self.is_over = true;
                    match error.is_cut() && self.allow_truncated {
                        true => self.reader.seen.truncated = Some(error),
                        false => self.failed = Some(error),
                    }
                }
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Item, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fill();
        let Some(Reverse((time, _, item))) = self.held.pop() else {
            return self.failed.take().map(Err);
        };
        let Item::Record(record) = item else { return Some(Ok(item)) };
        let first = *self.first.get_or_insert(time);
        self.given = time;
        let Ok(time_ns) = u64::try_from(time - first) else {
            self.held.clear();
            self.is_over = true;
            self.failed = None;
            return Some(Err(self.input.error(Place::File, Problem::time())));
        };
        Some(Ok(Item::Record(Record { time_ns, ..record })))
    }
}
