//! Reading what a verb is given: a study where a scenario is wanted, and the other way round, is
//! refused.

use crate::exit::{Exit, Failure};
use scenario::Input;
use std::path::Path;

/// Reads a scenario; `-` is standard input.
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
    if input.is_study() == study {
        Ok(input)
    } else {
        Err(Failure::new(Exit::Usage, format!("{}: error: {otherwise}", input.name())))
    }
}
