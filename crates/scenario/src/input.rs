//! Where a scenario or a study comes from: [`Input`].

use crate::error::{Errors, Place, ScenarioError};
use crate::source::Source;
use crate::value::Table;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer files, bytes, are refused: they are a mistake that would fill the memory.
pub const FILE_BYTES_MAX: u64 = 16 << 20;

/// A scenario or a study that was read, once: standard input and pipes can be read only once.
#[derive(Debug, Clone)]
pub struct Input {
    /// Name of what it describes where it gives none: that of the file without its ending.
    pub(crate) stem: String,
    /// Directory that its relative paths start from; of a text in a program none, it has no paths.
    pub(crate) dir: Option<PathBuf>,
    pub(crate) source: Arc<Source>,
    pub(crate) table: Result<Table, ScenarioError>,
}

impl Input {
    /// Reads a file, or standard input where the path is `-`, up to [`FILE_BYTES_MAX`] of UTF-8.
    /// Relative paths in it start from its directory; in standard input, pipes and the like from
    /// the working directory. A text that is no TOML is refused by its user.
    pub fn read(path: &Path) -> Result<Input, Errors> {
        if path == Path::new("-") {
            let text = text_of("stdin", std::io::stdin().lock())?;
            return Ok(Input::new("stdin", Some(Path::new("")), &text));
        }
        let shown = path.display().to_string();
        let file = open(path, &shown)?;
        let regular = file.metadata().is_ok_and(|meta| meta.is_file());
        let text = text_of(&shown, file)?;
        if !regular {
            let input = Input::new(&shown, Some(Path::new("")), &text);
            return Ok(Input { stem: "pipe".to_owned(), ..input });
        }
        Ok(Input::new(&shown, path.parent(), &text))
    }

    /// A text that was read from elsewhere.
    pub(crate) fn new(shown: &str, dir: Option<&Path>, text: &str) -> Input {
        let stem = Path::new(shown).file_stem().map_or(shown.into(), |stem| stem.to_string_lossy());
        let source = Source::new(shown, text);
        Input {
            stem: stem.into_owned(),
            dir: dir.map(Path::to_owned),
            table: Table::parse(&source),
            source,
        }
    }

    /// What messages call it: the path as it was given, or `stdin`.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Whether it has a table `study`; a text that is no TOML is judged by its lines.
    pub fn is_study(&self) -> bool {
        match &self.table {
            Ok(table) => table.get("study").is_some(),
            Err(_) => {
                let mut lines = self.source.text.lines();
                lines.any(|line| line.trim_start().starts_with("[study]"))
            }
        }
    }
}

pub(crate) fn read_text(path: &Path) -> Result<String, ScenarioError> {
    let shown = path.display().to_string();
    text_of(&shown, open(path, &shown)?)
}

fn open(path: &Path, shown: &str) -> Result<File, ScenarioError> {
    File::open(path).map_err(|error| unread(shown, &error))
}

fn unread(shown: &str, error: &std::io::Error) -> ScenarioError {
    let what = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such file".to_owned(),
        ErrorKind::IsADirectory => "is a directory, not a file".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let help = "legal: the path of a file that can be read, or `-` for standard input";
    ScenarioError::new(&Place::unread(shown), "", what, help)
}

fn text_of(shown: &str, from: impl Read) -> Result<String, ScenarioError> {
    let mut bytes = Vec::new();
    from.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| unread(shown, &error))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let what = format!("it has more than {FILE_BYTES_MAX} bytes (16 MiB)");
        let help = "legal: a shorter scenario, study or edge list";
        return Err(ScenarioError::new(&Place::unread(shown), "", what, help));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let start = String::from_utf8_lossy(&error.as_bytes()[..good]);
        let place = Place::file(&Source::new(shown, &start), good..good);
        let what = format!("byte {good} is not UTF-8");
        ScenarioError::new(&place, "", what, "save the file as UTF-8")
    })
}
