//! A trace of either kind.

use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::format::Format;
use crate::input::{Input, LINE_MAX};
use crate::messages::Messages;
use crate::options::Options;
use crate::records::Records;
use crate::text::shown;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A trace, of I/O or of messages.
#[derive(Debug)]
pub enum Trace {
    /// Of I/O.
    Records(Box<Records>),
    /// Of messages.
    Messages(Box<Messages>),
}

impl Trace {
    /// Opens a trace; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be opened, is empty or of no known format.
    pub fn open(path: &Path, options: &Options) -> Result<Trace, TraceError> {
        Trace::of_input(input(path, options)?, options)
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
        Trace::of_input(Input::new(source, name, options.compression)?, options)
    }

    fn of_input(mut input: Input, options: &Options) -> Result<Trace, TraceError> {
        Ok(match format(&mut input, options)? {
            Format::Messages => Trace::Messages(Box::new(Messages::of_input(input, options)?)),
            _ => Trace::Records(Box::new(Records::of_input(input, options)?)),
        })
    }

    /// The format.
    pub fn format(&self) -> Format {
        match self {
            Trace::Records(records) => records.format(),
            Trace::Messages(_) => Format::Messages,
        }
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        match self {
            Trace::Records(records) => records.compression(),
            Trace::Messages(messages) => messages.compression(),
        }
    }
}

/// Opens a file; `-` is standard input.
pub(crate) fn input(path: &Path, options: &Options) -> Result<Input, TraceError> {
    if path == Path::new("-") {
        return Input::new(std::io::stdin(), "stdin", options.compression);
    }
    let name = path.display().to_string();
    let failed = |message: String| TraceError {
        file: name.as_str().into(),
        place: Place::File,
        problem: Problem::Open { message },
    };
    let file = File::open(path).map_err(|error| failed(error.to_string()))?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(failed("is a directory".to_string()));
    }
    Input::new(file, &name, options.compression)
}

/// The format of a file, as given or found.
pub(crate) fn format(input: &mut Input, options: &Options) -> Result<Format, TraceError> {
    let head = input.ahead(LINE_MAX)?;
    let head = &head[..head.len().min(HEAD_BYTES)];
    let (found, is_empty) = (Format::of(head), head.is_empty());
    let begin = String::from_utf8_lossy(head);
    let begin = shown(begin.lines().find(|line| !line.trim().is_empty()).unwrap_or(""));
    if is_empty {
        return Err(input.empty());
    }
    options
        .format
        .or(found)
        .ok_or_else(|| input.error(Place::File, Problem::UnknownFormat { found: begin }))
}

/// What is looked at to find the format.
const HEAD_BYTES: usize = 4096;
