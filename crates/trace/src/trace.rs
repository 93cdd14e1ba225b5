//! A trace of either kind: its format, how it is opened and read.

use crate::blkparse;
use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::input::{Input, LINE_MAX};
use crate::line::shown;
use crate::messages::{HEADER, HEADER_TICKS, Message, Messages};
use crate::options::{Format, Options};
use crate::record::Record;
use crate::records::Records;
use crate::{msr, spc, srt};
use std::fs::File;
use std::io::Read;
use std::path::Path;

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

/// A trace.
pub enum Trace {
    /// Of I/O.
    Records(Box<Records>),
    /// Of I/O, a made workload.
    Made(Box<dyn Iterator<Item = Record> + Send>),
    /// Of messages.
    Messages(Box<Messages>),
}

/// A record or a message.
pub(crate) enum Item {
    Record(Record),
    Message(Message),
}

impl Item {
    pub(crate) fn time_ns(&self) -> u64 {
        match self {
            Item::Record(record) => record.time_ns,
            Item::Message(message) => message.time_ns,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Item::Record(record) => record.bytes,
            Item::Message(message) => message.bytes,
        }
    }
}

/// What is looked at to find the format.
const HEAD_BYTES: usize = 4096;

impl Trace {
    /// Opens a trace; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be opened, is empty or of no known format.
    pub fn open(path: &Path, options: &Options) -> Result<Trace, TraceError> {
        if path == Path::new("-") {
            return Trace::new(std::io::stdin(), "stdin", options);
        }
        let name = path.display().to_string();
        let failed = |message: String| TraceError {
            file: name.as_str().into(),
            place: Place::File,
            problem: Problem::Open(message),
        };
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        if file.metadata().is_ok_and(|meta| meta.is_dir()) {
            return Err(failed("is a directory".to_string()));
        }
        Trace::new(file, &name, options)
    }

    /// Reads a trace from a stream; `name` is for errors.
    ///
    /// # Errors
    /// As [`Trace::open`].
    pub fn new(
        source: impl Read + Send + 'static,
        name: &str,
        options: &Options,
    ) -> Result<Trace, TraceError> {
        let mut input = Input::new(source, name, options.compression)?;
        Ok(match format(&mut input, options)? {
            Format::Messages => Trace::Messages(Box::new(Messages::new(input, options))),
            format => Trace::Records(Box::new(Records::new(input, format, options))),
        })
    }

    /// The format; none of a made workload.
    pub fn format(&self) -> Option<Format> {
        match self {
            Trace::Records(records) => Some(records.format()),
            Trace::Made(_) => None,
            Trace::Messages(_) => Some(Format::Messages),
        }
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        match self {
            Trace::Records(records) => records.compression(),
            Trace::Made(_) => Compression::Plain,
            Trace::Messages(messages) => messages.input.compression,
        }
    }

    pub(crate) fn is_io(&self) -> bool {
        !matches!(self, Trace::Messages(_))
    }

    /// Refuses messages from or to other end nodes than the first `nodes`.
    pub(crate) fn within(&mut self, nodes: u32) {
        if let Trace::Messages(messages) = self {
            messages.within(nodes);
        }
    }

    /// The next record or message.
    pub(crate) fn next(&mut self) -> Result<Option<Item>, TraceError> {
        Ok(match self {
            Trace::Records(records) => records.next().transpose()?.map(Item::Record),
            Trace::Made(records) => records.next().map(Item::Record),
            Trace::Messages(messages) => messages.next().transpose()?.map(Item::Message),
        })
    }

    /// An error of the file as a whole.
    pub(crate) fn error(&self, problem: Problem) -> TraceError {
        let place = Place::File;
        match self {
            Trace::Records(records) => records.input.error(place, problem),
            Trace::Made(_) => TraceError { file: "synthetic".into(), place, problem },
            Trace::Messages(messages) => messages.input.error(place, problem),
        }
    }
}

/// The format of a file, as given or found.
fn format(input: &mut Input, options: &Options) -> Result<Format, TraceError> {
    let head = input.ahead(LINE_MAX)?;
    let head = &head[..head.len().min(HEAD_BYTES)];
    let (found, is_empty) = (Format::of(head), head.is_empty());
    let begin = String::from_utf8_lossy(head);
    let begin = shown(begin.lines().find(|line| !line.trim().is_empty()).unwrap_or(""));
    if is_empty {
        return Err(input.empty());
    }
    let unknown = || input.error(Place::File, Problem::UnknownFormat(begin));
    options.format.or(found).ok_or_else(unknown)
}
