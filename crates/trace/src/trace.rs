//! A trace of either kind.

use crate::compression::Compression;
use crate::error::TraceError;
use crate::format::Format;
use crate::input::Input;
use crate::messages::Messages;
use crate::open::{format, input};
use crate::options::Options;
use crate::records::Records;
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
