//! Writes messages as CSV.

use crate::format::{HEADER, HEADER_TICKS};
use crate::messages::Message;
use std::io::{self, Write};

/// Writes a trace of messages.
#[derive(Debug)]
pub struct MessageWriter<W: Write> {
    out: W,
}

impl<W: Write> MessageWriter<W> {
    /// Writes the first line.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn new(mut out: W) -> io::Result<MessageWriter<W>> {
        writeln!(out, "{HEADER}")?;
        Ok(MessageWriter { out })
    }

    /// Writes the first line of a trace in ticks.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn in_ticks(mut out: W) -> io::Result<MessageWriter<W>> {
        writeln!(out, "{HEADER_TICKS}")?;
        Ok(MessageWriter { out })
    }

    /// Writes a line.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn write(&mut self, message: &Message) -> io::Result<()> {
        let Message { id, time_ns, source, destination, bytes, after } = message;
        write!(self.out, "{id},{time_ns},{source},{destination},{bytes},")?;
        match after {
            Some(after) => writeln!(self.out, "{after}"),
            None => writeln!(self.out),
        }
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}
