//! Wrong scenarios and studies: what, where, and what is legal, all found at once.

use crate::source::{Origin, Source};
use std::fmt;
use std::sync::Arc;

/// The most characters of a source line that a message shows.
const EXCERPT_CHARACTERS: usize = 120;

/// The most characters of a given value that a message repeats.
const GIVEN_CHARACTERS: usize = 60;

/// The most errors that a message shows; the others are counted.
pub(crate) const SHOWN_MAX: usize = 20;

/// A part of a file. Line and column are worked out when they are asked for: of thousands of errors
/// a few are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    source: Arc<Source>,
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

    /// The line that it begins on.
    pub fn text(&self) -> &str {
        self.source.line(self.position().0)
    }

    /// How many characters of that line are meant, at least 1.
    pub fn width(&self) -> usize {
        let (line, column) = self.position();
        let (end_line, end_column) = self.source.position(self.end);
        let to = if end_line == line { end_column } else { self.text().chars().count() + 1 };
        to.saturating_sub(column).max(1)
    }
}

/// Where an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(Span),
    /// In `--set key=value`.
    Set {
        /// The key.
        key: String,
        /// The value as given.
        value: String,
    },
    /// A file that could not be read.
    Unread {
        /// The file as the user named it.
        file: String,
    },
}

/// One thing that is wrong in a scenario or a study.
///
/// Shown as a compiler would: place, key, what was given, the line with a caret, and what is legal.
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

/// Everything that is wrong: at least one error. Shown are 20 at most, the first of the file; the
/// others are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors {
    kept: Vec<ScenarioError>,
    /// Further ones that were only counted.
    more: usize,
}

/// Errors while they are found. Of those that a file can have any number of, what is not shown is
/// only counted: text for fifty thousand unknown keys would take seconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub(crate) errors: Vec<ScenarioError>,
    pub(crate) more: usize,
}

impl Found {
    /// An error that the file can have any number of; `error` is made only where it can still be
    /// shown.
    pub(crate) fn push(&mut self, error: impl FnOnce() -> ScenarioError) {
        if self.errors.len() < SHOWN_MAX {
            self.errors.push(error());
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// `Ok` where nothing was found.
    pub(crate) fn check(self) -> Result<(), Errors> {
        if self.is_empty() {
            return Ok(());
        }
        let mut errors = Errors::new(self.errors);
        errors.more = self.more;
        Err(errors)
    }
}

/// An error that has no place yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problem {
    key: String,
    message: String,
    help: String,
    is_of_trace: bool,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), ..Problem::default() }
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Problem {
        self.key = key.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = help.into();
        self
    }

    /// It is about the contents of a trace.
    pub(crate) fn of_trace(mut self) -> Problem {
        self.is_of_trace = true;
        self
    }

    pub(crate) fn at(self, origin: &Origin) -> ScenarioError {
        let place = match origin {
            Origin::Set { key, text } => {
                Place::Set { key: key.to_string(), value: text.to_string() }
            }
            Origin::File { source, start, end } => {
                Place::File(Span { source: Arc::clone(source), start: *start, end: *end })
            }
        };
        ScenarioError {
            place: Box::new(place),
            key: self.key,
            message: self.message,
            help: self.help,
            note: String::new(),
            is_of_trace: self.is_of_trace,
        }
    }

    pub(crate) fn unread(self, file: &str) -> ScenarioError {
        ScenarioError {
            place: Box::new(Place::Unread { file: file.to_owned() }),
            key: self.key,
            message: self.message,
            help: self.help,
            note: String::new(),
            is_of_trace: self.is_of_trace,
        }
    }
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
    /// The point of a study, added to what is known.
    pub(crate) fn noted(mut self, note: &str) -> ScenarioError {
        note.clone_into(&mut self.note);
        self
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
        match &*self.place {
            Place::File(span) => {
                let (line, column) = span.position();
                write!(f, "{}:{line}:{column}: error: ", span.file())?;
            }
            Place::Set { key, .. } => write!(f, "--set {}: error: ", short(key))?,
            Place::Unread { file } => write!(f, "{file}: error: ")?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", short(&self.key))?;
        }
        f.write_str(&self.message)?;
        if let Place::File(span) = &*self.place {
            let ((line, column), text) = (span.position(), span.text());
            // A long line is cut around the column that is meant.
            let from = (column - 1).saturating_sub(EXCERPT_CHARACTERS / 2);
            let from = if text.chars().count() <= EXCERPT_CHARACTERS { 0 } else { from };
            let shown: String =
                text.chars().skip(from).take(EXCERPT_CHARACTERS).map(visible).collect();
            let shown = shown.trim_end();
            let gutter = line.to_string();
            let blank = " ".repeat(gutter.len());
            let indent = " ".repeat(column - 1 - from);
            let room = shown.chars().count().saturating_sub(indent.len()).max(1);
            let carets = "^".repeat(span.width().clamp(1, room));
            write!(f, "\n{blank} |\n{gutter} | {shown}\n{blank} | {indent}{carets}")?;
        } else if let Place::Set { key, value } = &*self.place {
            let indent = " ".repeat("--set =".len() + short(key).chars().count());
            let shown = short(value);
            let carets = "^".repeat(shown.chars().count().max(1));
            write!(f, "\n  | --set {}={shown}\n  | {indent}{carets}", short(key))?;
        }
        if !self.note.is_empty() {
            write!(f, "\nnote: {}", self.note)?;
        }
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
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

    /// All of them, in the order of the file, those of `--set` last; errors said twice are merged.
    pub(crate) fn new(mut errors: Vec<ScenarioError>) -> Errors {
        errors.sort_by(|a, b| a.order().cmp(&b.order()));
        errors.dedup();
        Errors { kept: errors, more: 0 }
    }

    /// The errors, at least one, without those that were only counted.
    pub fn iter(&self) -> impl Iterator<Item = &ScenarioError> {
        self.kept.iter()
    }

    /// As [`Errors::iter`], and how many were only counted.
    pub(crate) fn into_parts(self) -> (Vec<ScenarioError>, usize) {
        (self.kept, self.more)
    }

    /// How many, those that were only counted too.
    #[expect(clippy::len_without_is_empty, reason = "there is always at least one")]
    pub fn len(&self) -> usize {
        self.kept.len() + self.more
    }

    /// `Ok` where nothing was found.
    pub(crate) fn check(errors: Vec<ScenarioError>) -> Result<(), Errors> {
        Found { errors, more: 0 }.check()
    }
}

impl From<ScenarioError> for Errors {
    fn from(error: ScenarioError) -> Errors {
        Errors::new(vec![error])
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
                write!(f, "\n\nand {} more error{s}", grouped(more))
            }
            all => write!(f, "\n\n{all} errors"),
        }
    }
}

/// A number with a comma before each three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl std::error::Error for Errors {}
