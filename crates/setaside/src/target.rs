//! Files that a verb is asked to write: where there is no place for one, that is said before any
//! time is spent.

use crate::exit::{Exit, Failure};
use std::io;
use std::path::Path;

/// Refuses a directory that cannot be made.
pub(crate) fn check_directory(option: &str, path: &Path) -> Result<(), Failure> {
    let Some(file) = study::file_above(path) else {
        return Ok(());
    };
    let what = format!("{} is a file, not a directory; give another path", file.display());
    Err(refusal(option, path, &what))
}

/// Refuses a file that cannot be made where `option` wants it.
pub(crate) fn check(option: &str, path: &Path) -> Result<(), Failure> {
    obstacle(path).map_or(Ok(()), |what| Err(refusal(option, path, &what)))
}

/// Why a file could not be written: in words where the path says it.
pub(crate) fn failure(option: &str, path: &Path, error: &io::Error) -> Failure {
    let what = obstacle(path).unwrap_or_else(|| format!("cannot be written: {error}"));
    refusal(option, path, &what)
}

fn refusal(option: &str, path: &Path, what: &str) -> Failure {
    let path = path.display();
    Failure::new(Exit::Failure, format!("error: {option} {path}: {what}"))
}

/// What is missing, and what to do.
fn obstacle(path: &Path) -> Option<String> {
    if path.is_dir() {
        return Some("is a directory; give the name of a file".to_string());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""))?;
    if let Some(file) = study::file_above(folder) {
        let file = file.display();
        return Some(format!("{file} is a file, not a directory; give another path"));
    }
    let shown = folder.display();
    let missing = || format!("the directory {shown} is not there; make it, or give another path");
    (!folder.exists()).then(missing)
}
