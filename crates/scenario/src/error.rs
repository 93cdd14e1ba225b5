//! Wrong scenarios and studies: what, where, and what is legal, all found at once.

use crate::source::Source;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

const EXCERPT_CHARACTERS: usize = 120;

const GIVEN_CHARACTERS: usize = 60;

/// The most errors that a message shows; the others are counted.
pub(crate) const SHOWN_MAX: usize = 20;

/// A part of a file; line and column are found when asked for: of thousands of errors few are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub(crate) source: Arc<Source>,
    start: usize,
    end: usize,
}

impl Span {
    /// The file as the user named it.
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// Line and column of its first character, both from 1; columns count characters.
    pub fn position(&self) -> (usize, usize) {
        self.source.position(self.start)
    }

    /// How many characters of the line that it begins on are meant, at least 1.
    fn width(&self) -> usize {
        let (line, column) = self.position();
        let (end_line, end_column) = self.source.position(self.end);
        let whole = || self.source.line(line).chars().count() + 1;
        let to = if end_line == line { end_column } else { whole() };
        to.saturating_sub(column).max(1)
    }

    /// Its first line with a caret below each character meant; a long line is cut around them.
    fn excerpt(&self) -> String {
        let (line, column) = self.position();
        let text = self.source.line(line);
        let from = (column - 1).saturating_sub(EXCERPT_CHARACTERS / 2);
        let from = if text.chars().count() <= EXCERPT_CHARACTERS { 0 } else { from };
        let shown: String = text.chars().skip(from).take(EXCERPT_CHARACTERS).map(visible).collect();
        let shown = shown.trim_end();
        let blank = " ".repeat(line.to_string().len());
        let indent = " ".repeat(column - 1 - from);
        let room = shown.chars().count().saturating_sub(indent.len()).max(1);
        let carets = "^".repeat(self.width().clamp(1, room));
        format!("\n{blank} |\n{line} | {shown}\n{blank} | {indent}{carets}")
    }
}

/// Where a key, a value or an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(Span),
    /// In `--set key=value`.
    Set {
        /// The key.
        key: Arc<str>,
        /// The value as given.
        value: Arc<str>,
    },
    /// A file that could not be read, or an option of the command line.
    Unread {
        /// As the user named it.
        file: Arc<str>,
    },
}

impl Place {
    pub(crate) fn file(source: &Arc<Source>, bytes: Range<usize>) -> Place {
        Place::File(Span { source: Arc::clone(source), start: bytes.start, end: bytes.end })
    }

    pub(crate) fn start_of(source: &Arc<Source>) -> Place {
        Place::file(source, 0..0)
    }

    pub(crate) fn unread(file: &str) -> Place {
        Place::Unread { file: file.into() }
    }

    /// The place of a part of a TOML string that reads as `text`, where the file has it as it is,
    /// without escapes.
    pub(crate) fn inside(&self, text: &str, part: Range<usize>) -> Option<Place> {
        let Place::File(Span { source, start, end }) = self else {
            return None;
        };
        let written = source.text.get(*start..*end)?;
        let quotes = ["\"\"\"\n", "'''\n", "\"\"\"", "'''", "\"", "'"];
        let quote = quotes.into_iter().find(|quote| written.starts_with(quote))?;
        let inner = written.strip_prefix(quote)?.strip_suffix(quote.trim_end())?;
        let at = *start + quote.len();
        (inner == text).then(|| Place::file(source, at + part.start..at + part.end))
    }
}

/// One thing that is wrong in a scenario or a study, shown as a compiler would: place, key, what
/// was given, the line with a caret, and what is legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    /// Where it is.
    pub place: Box<Place>,
    /// The key, e.g. `switch.speedup`; empty where it is about no key.
    pub key: String,
    /// What is wrong, with what was given.
    pub message: String,
    /// What is legal, or what to do.
    pub help: String,
    /// The point of the study that it belongs to, if any.
    pub note: String,
    /// It is about the contents of a trace, not about the scenario.
    pub is_of_trace: bool,
}

/// Everything that is wrong, at least one. The first 20 are shown: text for 50,000 takes seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    pub(crate) kept: Vec<ScenarioError>,
    /// Further ones that were only counted.
    pub(crate) more: usize,
}

/// A given value short enough for a message, without control characters.
pub(crate) fn short(given: &str) -> String {
    let clean: String = given.chars().take(GIVEN_CHARACTERS).map(visible).collect();
    if given.chars().count() > GIVEN_CHARACTERS { format!("{clean}...") } else { clean }
}

/// A tab shows as one column, anything that would move the cursor as a mark.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

impl ScenarioError {
    pub(crate) fn new(
        place: &Place,
        key: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> ScenarioError {
        ScenarioError {
            place: Box::new(place.clone()),
            key: key.into(),
            message: message.into(),
            help: help.into(),
            note: String::new(),
            is_of_trace: false,
        }
    }

    /// For sorting: files by name and position, then what is on the command line.
    pub(crate) fn order(&self) -> (u8, &str, usize) {
        match &*self.place {
            Place::Unread { file } => (0, file, 0),
            Place::File(span) => (1, span.file(), span.start),
            Place::Set { key, .. } => (2, key, 0),
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, excerpt) = match &*self.place {
            Place::File(span) => {
                let (line, column) = span.position();
                (format!("{}:{line}:{column}", span.file()), span.excerpt())
            }
            Place::Set { key, value } => {
                let (key, shown) = (short(key), short(value));
                let indent = " ".repeat("--set =".len() + key.chars().count());
                let carets = "^".repeat(shown.chars().count().max(1));
                (format!("--set {key}"), format!("\n  | --set {key}={shown}\n  | {indent}{carets}"))
            }
            Place::Unread { file } => (file.to_string(), String::new()),
        };
        write!(f, "{place}: error: ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", short(&self.key))?;
        }
        write!(f, "{}{excerpt}", self.message)?;
        for (of, text) in [("note", &self.note), ("help", &self.help)] {
            if !text.is_empty() {
                write!(f, "\n{of}: {text}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ScenarioError {}

impl Errors {
    /// Whether all are about the contents of a trace.
    pub fn are_of_trace(&self) -> bool {
        self.kept.iter().all(|error| error.is_of_trace)
    }

    /// The errors, at least one, without those that were only counted.
    pub fn iter(&self) -> impl Iterator<Item = &ScenarioError> {
        self.kept.iter()
    }

    /// How many, those that were only counted too.
    #[expect(clippy::len_without_is_empty, reason = "there is always at least one")]
    pub fn len(&self) -> usize {
        self.kept.len() + self.more
    }

    /// These; none while they are collected.
    pub(crate) fn of(kept: Vec<ScenarioError>) -> Errors {
        Errors { kept, more: 0 }
    }

    /// An error that the file can have any number of; made only where it can still be shown.
    pub(crate) fn push(&mut self, error: impl FnOnce() -> ScenarioError) {
        if self.kept.len() < SHOWN_MAX {
            self.kept.push(error());
        } else {
            self.more += 1;
        }
    }

    /// In the order of the file, those of `--set` last, each once.
    pub(crate) fn sorted(mut self) -> Errors {
        self.kept.sort_by(|a, b| a.order().cmp(&b.order()));
        self.kept.dedup();
        self
    }

    pub(crate) fn check(self) -> Result<(), Errors> {
        if self.kept.is_empty() { Ok(()) } else { Err(self.sorted()) }
    }
}

impl From<ScenarioError> for Errors {
    fn from(error: ScenarioError) -> Errors {
        Errors::of(vec![error])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.kept.iter().take(SHOWN_MAX).enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{error}")?;
        }
        match self.len() {
            1 => Ok(()),
            all if all > SHOWN_MAX => {
                let more = all - SHOWN_MAX;
                let s = if more == 1 { "" } else { "s" };
                write!(f, "\n\nand {} more error{s}", units::grouped(more as u128))
            }
            all => write!(f, "\n\n{all} errors"),
        }
    }
}

impl std::error::Error for Errors {}
