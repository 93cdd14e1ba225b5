//! A file as a stream of bytes or lines, with places for errors; one buffer of fixed size.

use crate::compression::{Compression, MAGIC_BYTES};
use crate::error::{Place, Problem, TraceError};
use crate::line::Line;
use std::io::{self, Cursor, ErrorKind, Read};
use std::sync::Arc;

/// The longest line, and the longest record, in bytes.
pub(crate) const LINE_MAX: usize = 64 << 10;

#[derive(Debug)]
enum End {
    /// Where the file does.
    File,
    /// A compressed stream that is cut off.
    Cut,
    Failed(Problem),
}

pub(crate) struct Input {
    source: Box<dyn Read + Send>,
    pub(crate) compression: Compression,
    file: Arc<str>,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    ended: Option<End>,
    /// Number of the byte at `start`, the next one.
    pub(crate) byte: u64,
    line: u64,
    /// Whether that line had no end.
    is_open: bool,
}

impl Input {
    pub(crate) fn new(
        mut source: impl Read + Send + 'static,
        file: &str,
        compression: Option<Compression>,
    ) -> Result<Input, TraceError> {
        let file: Arc<str> = file.into();
        let mut head = Vec::new();
        if let Err(error) = source.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head) {
            let problem = Problem::Read(error.to_string());
            return Err(TraceError { file, place: Place::File, problem });
        }
        let compression = compression.unwrap_or_else(|| Compression::of(&head));
        let source = compression.unpack(Cursor::new(head).chain(source));
        Ok(Input {
            source,
            compression,
            file,
            buffer: vec![0; LINE_MAX].into_boxed_slice(),
            start: 0,
            end: 0,
            ended: None,
            byte: 0,
            line: 0,
            is_open: false,
        })
    }

    pub(crate) fn error_at(&self, byte: u64, problem: Problem) -> TraceError {
        let unpacked = self.compression != Compression::Plain;
        self.error(Place::Byte { byte, unpacked }, problem)
    }

    pub(crate) fn error(&self, place: Place, problem: Problem) -> TraceError {
        TraceError { file: Arc::clone(&self.file), place, problem }
    }

    /// The file is cut off at a byte. The reader counts the good records.
    pub(crate) fn cut_at(&self, byte: u64, what: String) -> TraceError {
        let what = match self.ended {
            Some(End::Cut) => format!("the {} stream ends too early", self.compression),
            _ => what,
        };
        self.error_at(byte, Problem::Truncated { what, records: 0 })
    }

    /// An error at the last line, or at the next byte of what has no lines.
    pub(crate) fn error_here(&self, problem: Problem) -> TraceError {
        match self.line {
            0 => self.error_at(self.byte, problem),
            line => self.error(Place::Line { line, column: 1 }, problem),
        }
    }

    /// An error behind so many good records: a last line that has no end is cut off.
    pub(crate) fn cut_or(&self, mut error: TraceError, good: u64) -> TraceError {
        if let Problem::Truncated { records, .. } = &mut error.problem {
            *records = good;
        } else if let (true, Problem::Line(problem)) = (self.is_open, &error.problem) {
            let what = format!("the last line has no end and cannot be read: {problem}");
            error.problem = Problem::Truncated { what, records: good };
        }
        error
    }

    pub(crate) fn empty(&self) -> TraceError {
        match self.ended {
            Some(End::Cut) => self.cut_at(0, String::new()),
            _ => {
                let problem = "the file is empty; expected: a trace".to_string();
                self.error(Place::File, Problem::Other(problem))
            }
        }
    }

    /// Peeks at so many bytes, or what is left of the file.
    ///
    /// # Errors
    /// What cannot be read or unpacked, unless there is something before it.
    pub(crate) fn ahead(&mut self, least: usize) -> Result<&[u8], TraceError> {
        debug_assert!(least <= LINE_MAX, "longer than the buffer");
        if self.start + least > self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < least && self.ended.is_none() {
            self.read();
        }
        let is_short = self.end - self.start < least;
        if let (true, Some(End::Failed(problem))) = (is_short, &self.ended) {
            let byte = self.byte + (self.end - self.start) as u64;
            return Err(self.error_at(byte, problem.clone()));
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn read(&mut self) {
        match self.source.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = Some(End::File),
            Ok(read) => self.end += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => self.ended = Some(self.how(&error)),
        }
    }

    fn how(&self, error: &io::Error) -> End {
        let is_plain = self.compression == Compression::Plain;
        match error.kind() {
            _ if is_plain || error.raw_os_error().is_some() => {
                End::Failed(Problem::Read(error.to_string()))
            }
            ErrorKind::UnexpectedEof => End::Cut,
            _ => {
                let problem = format!("the {} stream is broken: {error}", self.compression);
                End::Failed(Problem::Other(problem))
            }
        }
    }

    pub(crate) fn skip(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start, "not peeked at");
        self.start += bytes;
        self.byte += bytes as u64;
    }

    /// Takes so many bytes; fewer at the end of the file, and none where it is whole.
    ///
    /// # Errors
    /// As [`Input::ahead`]; a compressed stream that is cut off.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<&[u8], TraceError> {
        let have = self.ahead(bytes)?.len().min(bytes);
        if have < bytes && matches!(self.ended, Some(End::Cut)) {
            return Err(self.cut_at(self.byte + have as u64, String::new()));
        }
        let start = self.start;
        self.skip(have);
        Ok(&self.buffer[start..start + have])
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// As [`Input::ahead`]; a line too long or no UTF-8; a compressed stream that is cut off.
    pub(crate) fn line(&mut self) -> Result<Option<Line<'_>>, TraceError> {
        let mut seen = 0;
        let length = loop {
            let have = self.ahead(seen + 1)?;
            if let Some(at) = have[seen..].iter().position(|&b| b == b'\n') {
                break Some(seen + at);
            }
            let length = have.len();
            if length == seen {
                break None;
            }
            seen = length;
            if seen >= LINE_MAX {
                let place = Place::Line { line: self.line + 1, column: 1 };
                let problem =
                    format!("a line of more than {LINE_MAX} bytes; expected: a line of text");
                return Err(self.error(place, Problem::Other(problem)));
            }
        };
        self.is_open = length.is_none();
        if self.is_open && matches!(self.ended, Some(End::Cut)) {
            let byte = self.byte + seen as u64;
            return Err(self.cut_at(byte, String::new()));
        }
        let Some(length) = length.or((seen > 0).then_some(seen)) else {
            return Ok(None);
        };
        self.line += 1;
        let start = self.start;
        self.skip(length + usize::from(!self.is_open));
        let bytes = &self.buffer[start..start + length];
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Line { file: &self.file, number: self.line, text })),
            Err(error) => {
                let at = error.valid_up_to();
                let found = format!("{:#04x}", bytes[at]);
                let place = Place::Line { line: self.line, column: at + 1 };
                Err(self.error(place, Problem::field("byte", found, "text in UTF-8")))
            }
        }
    }
}
