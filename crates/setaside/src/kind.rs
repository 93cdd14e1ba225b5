//! A study where a scenario is wanted, and the other way round.

use crate::exit::{Exit, Failure};
use scenario::is_study;
use std::path::Path;

/// Refuses a study.
pub(crate) fn want_scenario(file: &Path) -> Result<(), Failure> {
    want(
        file,
        false,
        "is a study; use `setaside sweep` for it, or a scenario here",
    )
}

/// Refuses what has no table `study`.
pub(crate) fn want_study(file: &Path) -> Result<(), Failure> {
    want(
        file,
        true,
        "has no table `study`, so it is not a study; use `setaside run` for a scenario",
    )
}

/// A file that cannot be read is reported by its reader, with the reason.
fn want(file: &Path, study: bool, otherwise: &str) -> Result<(), Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) if is_study(&text) != study => Err(Failure::new(
            Exit::Usage,
            format!("{}: error: {otherwise}", file.display()),
        )),
        _ => Ok(()),
    }
}
