//! Files of a verb: the wrong kind, and paths that cannot be written, are refused at once.

use crate::exit::{Exit, Failure};
use scenario::Input;
use std::io;
use std::path::Path;

pub(crate) fn read_scenario(file: &Path) -> Result<Input, Failure> {
    let otherwise = "is a study; use `setaside sweep` for it, or a scenario here";
    read(file, false, otherwise)
}

/// Reads a study, which has a table `study`; `-` is standard input.
pub(crate) fn read_study(file: &Path) -> Result<Input, Failure> {
    let otherwise = "has no table `study`, so it is not a study; use `setaside run` for a scenario";
    read(file, true, otherwise)
}

fn read(file: &Path, study: bool, otherwise: &str) -> Result<Input, Failure> {
    let input = Input::read(file)?;
    match input.is_study() == study {
        true => Ok(input),
        false => Err(Failure::new(Exit::Usage, format!("{}: error: {otherwise}", input.name()))),
    }
}

/// Refuses a directory that cannot be made.
pub(crate) fn check_directory(option: &str, path: &Path) -> Result<(), Failure> {
    is_file(path).map_or(Ok(()), |what| Err(refusal(option, path, &what)))
}

/// Refuses a file that cannot be made where `option` names it.
pub(crate) fn check(option: &str, path: &Path) -> Result<(), Failure> {
    obstacle(path).map_or(Ok(()), |what| Err(refusal(option, path, &what)))
}

/// Why a file could not be written: in words where the path shows it.
pub(crate) fn failure(option: &str, path: &Path, error: &io::Error) -> Failure {
    let what = obstacle(path).unwrap_or_else(|| format!("cannot be written: {error}"));
    refusal(option, path, &what)
}

fn refusal(option: &str, path: &Path, what: &str) -> Failure {
    Failure::error(Exit::Failure, format!("{option} {}: {what}", path.display()))
}

/// What is missing, and what to do.
fn obstacle(path: &Path) -> Option<String> {
    if path.is_dir() {
        return Some("is a directory; give the name of a file".to_string());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""))?;
    let shown = folder.display();
    let missing = || format!("the directory {shown} is not there; make it, or give another path");
    is_file(folder).or_else(|| (!folder.exists()).then(missing))
}

/// What is in the way of a directory.
fn is_file(path: &Path) -> Option<String> {
    let file = study::file_above(path)?;
    Some(format!("{} is a file, not a directory; give another path", file.display()))
}
