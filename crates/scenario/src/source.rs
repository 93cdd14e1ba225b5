//! Texts that were read, and places in them.

use std::ops::Range;
use std::sync::Arc;

/// One text with the name that messages give it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// As the user wrote it: a path, or the name of an embedded text.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Where each line starts: a place is found without a walk through the text.
    lines: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Arc<Source> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Arc::new(Source {
            name: name.to_owned(),
            text: text.to_owned(),
            lines: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect(),
        })
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub(crate) fn position(&self, byte: usize) -> (usize, usize) {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= byte);
        let start = self.line_start(line);
        (line, self.text[start..byte].chars().count() + 1)
    }

    /// The byte that a line starts with, by its number from 1; behind the last line the end.
    pub(crate) fn line_start(&self, number: usize) -> usize {
        let start = self.lines.get(number.saturating_sub(1));
        start.copied().unwrap_or(self.text.len())
    }

    /// A line by its number from 1, without its end.
    pub(crate) fn line(&self, number: usize) -> &str {
        let text = &self.text[self.line_start(number)..self.line_start(number + 1)];
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.strip_suffix('\r').unwrap_or(text)
    }
}

/// Where a key or a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Bytes `start..end` of a file.
    File { source: Arc<Source>, start: usize, end: usize },
    /// A `--set key=value`; the value starts at byte `value` of the text `key=value`.
    Set { key: Arc<str>, text: Arc<str> },
}

impl Origin {
    /// The place from the start of `self` to its end in the same file; used for whole files.
    pub(crate) fn start_of(source: &Arc<Source>) -> Origin {
        Origin::File { source: Arc::clone(source), start: 0, end: 0 }
    }

    /// The place of a part of a TOML string that reads as `text`, where the file has it as it is,
    /// without escapes.
    pub(crate) fn inside(&self, text: &str, part: Range<usize>) -> Option<Origin> {
        let Origin::File { source, start, end } = self else {
            return None;
        };
        let written = source.text.get(*start..*end)?;
        let quotes = ["\"\"\"\n", "'''\n", "\"\"\"", "'''", "\"", "'"];
        let quote = quotes.into_iter().find(|quote| written.starts_with(quote))?;
        let inner = written.strip_prefix(quote)?.strip_suffix(quote.trim_end())?;
        let at = *start + quote.len();
        (inner == text).then(|| Origin::File {
            source: Arc::clone(source),
            start: at + part.start,
            end: at + part.end,
        })
    }
}
