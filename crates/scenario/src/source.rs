//! Texts that were read, and lines in them.

use std::sync::Arc;

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
