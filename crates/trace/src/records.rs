//! Records of an I/O trace in the order of time.

use crate::blkparse::Blkparse;
use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::format::Format;
use crate::input::Input;
use crate::msr::Msr;
use crate::options::Options;
use crate::record::{Raw, Record};
use crate::spc::Spc;
use crate::srt::Srt;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

/// The reader of a format.
enum Reader {
    Srt(Srt),
    Msr(Msr),
    Spc(Spc),
    Blkparse(Blkparse),
}

/// A record that waits for its turn: ordered by time, then place in the file.
#[derive(Debug)]
struct Held {
    time: u128,
    number: u64,
    record: Record,
}

impl Held {
    fn key(&self) -> (u128, u64) {
        (self.time, self.number)
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Held) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Held {}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Held) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Held) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

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

/// Records of an I/O trace in the order of time, in constant memory.
///
/// Up to [`Options::reorder_records`] are held to bring them in that order; one that would come
/// still later is an error. After an error nothing follows, and what is good comes before it.
pub struct Records {
    input: Input,
    reader: Reader,
    format: Format,
    options: Options,
    held: BinaryHeap<Reverse<Held>>,
    /// Records that were read.
    read: u64,
    latest: u128,
    /// Time of the first record, and of the last one that was given.
    first: Option<u128>,
    given: u128,
    is_over: bool,
    failed: Option<TraceError>,
    seen: Seen,
}

impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records")
            .field("format", &self.format)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}

impl Records {
    /// Opens an I/O trace.
    ///
    /// # Errors
    /// A file that cannot be opened, of no known format or of messages.
    pub fn open(path: &Path, options: &Options) -> Result<Records, TraceError> {
        Records::of_input(crate::open::input(path, options)?, options)
    }

    /// Reads an I/O trace from a stream; `name` is for errors.
    ///
    /// # Errors
    /// As [`Records::open`].
    pub fn new(
        source: impl std::io::Read + Send + 'static,
        name: &str,
        options: &Options,
    ) -> Result<Records, TraceError> {
        Records::of_input(Input::new(source, name, options.compression)?, options)
    }

    pub(crate) fn of_input(mut input: Input, options: &Options) -> Result<Records, TraceError> {
        let format = crate::open::format(&mut input, options)?;
        let reader = match format {
            Format::Srt => Reader::Srt(Srt::default()),
            Format::Msr => Reader::Msr(Msr::default()),
            Format::Spc => Reader::Spc(Spc::default()),
            Format::Blkparse => Reader::Blkparse(Blkparse::new(options.action)),
            Format::Messages => {
                let problem =
                    Problem::Kind { found: "a trace of messages", expected: "a trace of I/O" };
                return Err(input.error(Place::File, problem));
            }
        };
        Ok(Records {
            input,
            reader,
            format,
            options: *options,
            held: BinaryHeap::new(),
            read: 0,
            latest: 0,
            first: None,
            given: 0,
            is_over: false,
            failed: None,
            seen: Seen::default(),
        })
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        self.input.compression()
    }

    /// The version of the format, where it has one and a record was read.
    pub fn version(&self) -> Option<u32> {
        match &self.reader {
            Reader::Srt(srt) => Some(srt.version()).filter(|version| *version > 0),
            _ => None,
        }
    }

    /// Names of the devices that were read so far, by number.
    pub fn devices(&self) -> &[String] {
        match &self.reader {
            Reader::Srt(srt) => srt.devices.names(),
            Reader::Msr(msr) => msr.devices.names(),
            Reader::Spc(spc) => spc.devices.names(),
            Reader::Blkparse(blkparse) => blkparse.devices.names(),
        }
    }

    /// Names of the machines that were read so far, by number; none where the format has none.
    pub fn machines(&self) -> &[String] {
        match &self.reader {
            Reader::Srt(srt) if srt.version() == 7 => srt.machines.names(),
            Reader::Msr(msr) => msr.machines.names(),
            _ => &[],
        }
    }

    /// What reading saw so far.
    pub fn seen(&self) -> Seen {
        let mut seen = self.seen.clone();
        match &self.reader {
            Reader::Srt(srt) => seen.suspect = srt.suspect,
            Reader::Blkparse(blkparse) => seen.skipped = blkparse.skipped,
            _ => {}
        }
        seen
    }

    fn read(&mut self) -> Result<Option<Raw>, TraceError> {
        let input = &mut self.input;
        let raw = match &mut self.reader {
            Reader::Srt(srt) => srt.next(input),
            Reader::Msr(msr) => msr.next(input),
            Reader::Spc(spc) => spc.next(input),
            Reader::Blkparse(blkparse) => blkparse.next(input),
        };
        raw.map_err(|error| self.input.cut_or(error, self.read))
    }

    /// Takes a record in.
    fn hold(&mut self, raw: Raw) -> Result<(), TraceError> {
        if self.first.is_some() && raw.time < self.given {
            let late = self.given - raw.time;
            let problem = Problem::Late {
                late_ns: u64::try_from(late).unwrap_or(u64::MAX),
                window: self.options.reorder_records.max(1),
            };
            return Err(self.input.error_here(problem));
        }
        self.seen.out_of_order += u64::from(self.read > 0 && raw.time < self.latest);
        self.latest = self.latest.max(raw.time);
        self.held.push(Reverse(Held { time: raw.time, number: self.read, record: raw.record }));
        self.read += 1;
        Ok(())
    }

    /// Reads until as many are held as may be.
    fn fill(&mut self) {
        while !self.is_over && self.held.len() < self.options.reorder_records.max(1) {
            let held = match self.read() {
                Ok(Some(raw)) => self.hold(raw),
                Ok(None) => {
                    self.is_over = true;
                    Ok(())
                }
                Err(error) => Err(error),
            };
            let Err(error) = held else { continue };
            self.is_over = true;
            let is_cut = matches!(error.problem, Problem::Truncated { .. });
            if is_cut && self.options.allow_truncated {
                self.seen.truncated = Some(error);
            } else {
                self.failed = Some(error);
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fill();
        let Some(Reverse(Held { time, record, .. })) = self.held.pop() else {
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
