//! Texts that were read, and places in them.

use std::sync::Arc;

/// One text with the name that messages give it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// As the user wrote it: a path, or the name of an embedded text.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Arc<Source> {
        Arc::new(Source {
            name: name.to_owned(),
            text: text.to_owned(),
        })
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub(crate) fn position(&self, byte: usize) -> (usize, usize) {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &self.text[..byte];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// A line by its number from 1, without its end.
    pub(crate) fn line(&self, number: usize) -> &str {
        let line = self.text.split('\n').nth(number - 1).unwrap_or("");
        line.strip_suffix('\r').unwrap_or(line)
    }
}

/// Where a key or a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Bytes `start..end` of a file.
    File {
        source: Arc<Source>,
        start: usize,
        end: usize,
    },
    /// A `--set key=value`; the value starts at byte `value` of the text `key=value`.
    Set { key: Arc<str>, text: Arc<str> },
}

impl Origin {
    /// The place from the start of `self` to its end in the same file; used for whole files.
    pub(crate) fn start_of(source: &Arc<Source>) -> Origin {
        Origin::File {
            source: Arc::clone(source),
            start: 0,
            end: 0,
        }
    }
}
