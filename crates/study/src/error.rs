//! How things end: [`StoreError`] of a store, [`RunFailure`] of a run, [`Exit`] of the program.

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A run or sweep that could not be stored or read; first of all the file or directory.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// A directory of results cannot be made or written to.
    #[error("{}: no results can be written here: {}; give another directory", .0.display(), .1)]
    NoPlace(PathBuf, #[source] io::Error),
    /// A directory that is not for these results, and why.
    #[error("{}: {}", .0.display(), .1)]
    Refused(PathBuf, String),
    /// A file of others has the name of one that is to be written; it is never replaced.
    #[error("{}: is not of this run or sweep and would be replaced; move it, or give another directory", .0.display())]
    InTheWay(PathBuf),
    /// Another process writes into the directory: its id.
    #[error("{}: process {} writes here; wait for it, or give another directory", .0.display(), .1)]
    Locked(PathBuf, String),
    /// The program was built without the feature `parquet`.
    #[error("built without Parquet: cargo build --release --features parquet")]
    NoParquet,
    /// A file that does not hold what it should or is no directory, and what is wrong with it.
    #[error("{}: {}", .0.display(), .1)]
    Malformed(PathBuf, String),
}

impl StoreError {
    /// The disk is full, or a quota or the largest size of a file is reached.
    pub(crate) fn is_out_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let (StoreError::Io(_, source) | StoreError::NoPlace(_, source)) = self else {
            return false;
        };
        matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io(path, source)
}

/// An error of making `dir`: that it is no place for results.
pub(crate) fn no_place(dir: &Path) -> impl FnOnce(StoreError) -> StoreError + use<> {
    let path = dir.to_path_buf();
    move |error| match error {
        StoreError::Io(_, source) => StoreError::NoPlace(path, source),
        error => error,
    }
}

/// A directory that holds no run, or no sweep, and other things.
pub(crate) fn holds_none(dir: &Path, what: &str) -> StoreError {
    let what = format!(
        "is not empty and holds no {what} (no manifest.json of one); give another directory, or \
         --force to write beside what is there"
    );
    StoreError::Refused(dir.to_path_buf(), what)
}

/// A directory that holds the run of another scenario, or the sweep of another study: also of the
/// same one with another value, seed or point.
pub(crate) fn holds_other(
    dir: &Path,
    what: &str,
    name: &str,
    found: &str,
    own: &str,
) -> StoreError {
    let what = format!(
        "holds the {what} (`{name}`, hash `{found}`; this one is `{own}`); give another directory, \
         or --force to replace it"
    );
    StoreError::Refused(dir.to_path_buf(), what)
}

pub(crate) fn malformed<E: ToString>(path: &Path) -> impl FnOnce(E) -> StoreError + use<E> {
    let path = path.to_path_buf();
    move |error| StoreError::Malformed(path, error.to_string())
}

/// Exit codes of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Ok = 0,
    /// It did not work.
    Failure = 1,
    /// Usage or configuration.
    Usage = 2,
    /// Deadlock or livelock.
    Deadlock = 3,
    /// A broken invariant of the model.
    BrokenInvariant = 4,
    /// A result that is not what was asked for: a packet that was to be watched never was, or with
    /// `--strict` a mean is not known as well as it was to be.
    NotAsAsked = 5,
    /// A trace that is broken, cut off or of no known format.
    BadTrace = 6,
    /// Interrupted.
    Interrupted = 130,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> i32 {
        self as i32
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// A run that did not finish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct RunFailure {
    /// How the command line ends for it.
    pub exit: Exit,
    /// What happened.
    pub message: String,
}

impl RunFailure {
    /// The failure of a panic. One with [`units::Broken`] is a broken invariant of the model.
    pub fn of_panic(payload: &(dyn Any + Send)) -> RunFailure {
        if let Some(broken) = payload.downcast_ref::<units::Broken>() {
            return RunFailure { exit: Exit::BrokenInvariant, message: broken.to_string() };
        }
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let message = text.map_or("panicked".into(), |text| format!("panicked: {text}"));
        RunFailure { exit: Exit::Failure, message }
    }

    /// Of a run that was made and could not be stored.
    pub(crate) fn not_stored(error: &StoreError) -> RunFailure {
        RunFailure { exit: Exit::Failure, message: format!("not stored: {error}") }
    }
}
