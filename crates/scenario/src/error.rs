//! Wrong scenarios and studies: what, where, and what is legal, all found at once.

use crate::source::{Origin, Source};
use std::fmt;
use std::sync::Arc;

/// The most characters of a source line that a message shows.
const EXCERPT_CHARACTERS: usize = 120;

/// The most characters of a given value that a message repeats.
const GIVEN_CHARACTERS: usize = 60;

/// Where an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File {
        /// The file as the user named it.
        file: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// The line itself.
        text: String,
        /// How many characters are meant, at least 1.
        width: usize,
    },
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
}

/// Everything that is wrong: at least one error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Errors(pub(crate) Vec<ScenarioError>);

/// An error that has no place yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Problem {
    key: String,
    message: String,
    help: String,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            ..Problem::default()
        }
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Problem {
        self.key = key.into();
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = help.into();
        self
    }

    pub(crate) fn at(self, origin: &Origin) -> ScenarioError {
        let place = match origin {
            Origin::Set { key, text } => Place::Set {
                key: key.to_string(),
                value: text.to_string(),
            },
            Origin::File { source, start, end } => place_in(source, *start, *end),
        };
        ScenarioError {
            place: Box::new(place),
            key: self.key,
            message: self.message,
            help: self.help,
            note: String::new(),
        }
    }

    pub(crate) fn unread(self, file: &str) -> ScenarioError {
        ScenarioError {
            place: Box::new(Place::Unread {
                file: file.to_owned(),
            }),
            key: self.key,
            message: self.message,
            help: self.help,
            note: String::new(),
        }
    }
}

fn place_in(source: &Arc<Source>, start: usize, end: usize) -> Place {
    let (line, column) = source.position(start);
    let (end_line, end_column) = source.position(end);
    let text = source.line(line).to_owned();
    let to = if end_line == line {
        end_column
    } else {
        text.chars().count() + 1
    };
    Place::File {
        file: source.name.clone(),
        line,
        column,
        width: to.saturating_sub(column).max(1),
        text,
    }
}

/// A given value short enough for a message, without control characters.
pub(crate) fn short(given: &str) -> String {
    let clean: String = given.chars().take(GIVEN_CHARACTERS).map(visible).collect();
    if given.chars().count() > GIVEN_CHARACTERS {
        format!("{clean}...")
    } else {
        clean
    }
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
    fn order(&self) -> (u8, &str, usize, usize) {
        match &*self.place {
            Place::Unread { file } => (0, file, 0, 0),
            Place::File {
                file, line, column, ..
            } => (1, file, *line, *column),
            Place::Set { key, .. } => (2, key, 0, 0),
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.place {
            Place::File {
                file, line, column, ..
            } => write!(f, "{file}:{line}:{column}: error: ")?,
            Place::Set { key, .. } => write!(f, "--set {}: error: ", short(key))?,
            Place::Unread { file } => write!(f, "{file}: error: ")?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", short(&self.key))?;
        }
        f.write_str(&self.message)?;
        if let Place::File {
            line,
            column,
            text,
            width,
            ..
        } = &*self.place
        {
            // A long line is cut around the column that is meant.
            let from = (column - 1).saturating_sub(EXCERPT_CHARACTERS / 2);
            let from = if text.chars().count() <= EXCERPT_CHARACTERS {
                0
            } else {
                from
            };
            let shown: String = text
                .chars()
                .skip(from)
                .take(EXCERPT_CHARACTERS)
                .map(visible)
                .collect();
            let shown = shown.trim_end();
            let gutter = line.to_string();
            let blank = " ".repeat(gutter.len());
            let indent = " ".repeat(column - 1 - from);
            let room = shown.chars().count().saturating_sub(indent.len()).max(1);
            let carets = "^".repeat((*width).clamp(1, room));
            write!(
                f,
                "\n{blank} |\n{gutter} | {shown}\n{blank} | {indent}{carets}"
            )?;
        } else if let Place::Set { key, value } = &*self.place {
            let indent = " ".repeat("--set =".len() + short(key).chars().count());
            let shown = short(value);
            let carets = "^".repeat(shown.chars().count().max(1));
            write!(
                f,
                "\n  | --set {}={shown}\n  | {indent}{carets}",
                short(key)
            )?;
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
    /// All of them, in the order of the file, those of `--set` last; errors said twice are merged.
    pub(crate) fn new(mut errors: Vec<ScenarioError>) -> Errors {
        errors.sort_by(|a, b| a.order().cmp(&b.order()));
        errors.dedup();
        Errors(errors)
    }

    /// The errors, at least one.
    pub fn iter(&self) -> impl Iterator<Item = &ScenarioError> {
        self.0.iter()
    }

    /// How many.
    #[expect(clippy::len_without_is_empty, reason = "there is always at least one")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// `Ok` where nothing was found.
    pub(crate) fn check(errors: Vec<ScenarioError>) -> Result<(), Errors> {
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Errors::new(errors))
        }
    }
}

impl From<ScenarioError> for Errors {
    fn from(error: ScenarioError) -> Errors {
        Errors(vec![error])
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{error}")?;
        }
        if self.0.len() > 1 {
            write!(f, "\n\n{} errors", self.0.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
