//! A trace of either kind: its format, how it is opened and read.

use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::input::{Input, LINE_MAX};
use crate::line::shown;
use crate::messages::{HEADER, HEADER_TICKS};
use crate::options::{Format, Options};
use crate::record::{Item, Record};
use crate::records::Records;
use crate::{srt, text};
use std::fs::File;
use std::io::Read;
use std::path::Path;

impl Format {
    /// What the first bytes of a file, unpacked, are of.
    pub fn of(head: &[u8]) -> Option<Format> {
        if head.starts_with(srt::MAGIC) {
            return Some(Format::Srt);
        }
        let begin = match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
        };
        let line = begin.lines().find(|line| !line.trim().is_empty())?;
        match [HEADER, HEADER_TICKS].contains(&line.trim()) {
            true => Some(Format::Messages),
            false => text::format(line),
        }
    }
}

/// A trace.
pub enum Trace {
    /// A file.
    File(Box<Records>),
    /// A made workload of I/O.
    Made(Box<dyn Iterator<Item = Record> + Send>),
}

/// What is read to detect the format.
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
        let format = format(&mut input, options)?;
        Ok(Trace::File(Box::new(Records::new(input, format, options))))
    }

    pub(crate) fn file(&self) -> Option<&Records> {
        match self {
            Trace::File(records) => Some(records),
            Trace::Made(_) => None,
        }
    }

    /// The format; none of a made workload.
    pub fn format(&self) -> Option<Format> {
        self.file().map(|records| records.reader.format)
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        self.file().map_or(Compression::Plain, |records| records.input.compression)
    }

    pub(crate) fn is_io(&self) -> bool {
        self.format() != Some(Format::Messages)
    }

    /// Whether times are ticks; set from the first message on.
    pub fn is_in_ticks(&self) -> bool {
        self.file().is_some_and(|records| records.reader.is_in_ticks)
    }

    /// Where the file is cut off, where that was allowed and is reached.
    pub fn truncated(&self) -> Option<&TraceError> {
        self.file().and_then(|records| records.seen().truncated.as_ref())
    }

    /// Refuses messages from or to other end nodes than the first `nodes`.
    pub fn within(&mut self, nodes: u32) {
        if let Trace::File(records) = self {
            records.reader.limits.nodes = nodes;
        }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Item>, TraceError> {
        match self {
            Trace::File(records) => records.next().transpose(),
            Trace::Made(records) => Ok(records.next().map(Item::Record)),
        }
    }

    pub(crate) fn error(&self, problem: Problem) -> TraceError {
        match self.file() {
            Some(records) => records.input.error(Place::File, problem),
            None => TraceError { file: "synthetic".into(), place: Place::File, problem },
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
    options.format.or(found).ok_or_else(|| {
        let problem = format!(
            "the format is not known from `{begin}`; legal, with --input-format where it is not found: {}",
            Format::NAMES.join(", ")
        );
        input.error(Place::File, Problem::Other(problem))
    })
}
