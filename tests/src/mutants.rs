//! The list of mutants: small errors made on purpose, each with the test that must find it. `cargo
//! xtask mutants` makes them, one after the other, in a copy of the sources.

use serde::Deserialize;
use std::path::Path;

const LIST: &str = include_str!("../mutants.toml");

/// One error made on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// What is wrong with it; its name.
    pub name: String,
    /// Path of the file from the root of the sources.
    pub file: String,
    /// Text that occurs once in the file.
    pub before: String,
    /// Text in its place.
    pub after: String,
    /// Package whose test must find it.
    pub package: String,
    /// Parts of the names of the tests of the package (of its binary `it`) that must find it, apart
    /// by spaces.
    pub test: String,
}

#[derive(Deserialize)]
struct List {
    mutant: Vec<Mutant>,
}

/// All mutants.
pub fn list() -> Result<Vec<Mutant>, String> {
    let list: List = toml::from_str(LIST).map_err(|e| e.to_string())?;
    Ok(list.mutant)
}

impl Mutant {
    /// The file with the error in it; `root` is where the sources are.
    pub fn made(&self, root: &Path) -> Result<String, String> {
        let what = |what: String| format!("mutant `{}`, {}: {what}", self.name, self.file);
        let source = std::fs::read_to_string(root.join(&self.file))
            .map_err(|error| what(error.to_string()))?;
        match source.matches(&self.before).count() {
            1 => Ok(source.replace(&self.before, &self.after)),
            found => Err(what(format!("`{}` occurs {found} times", self.before))),
        }
    }
}
