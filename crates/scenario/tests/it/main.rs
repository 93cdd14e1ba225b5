//! The tests of this crate in one binary, a module a suite: `cargo test --test it SUITE`.

mod axes;
mod every_key;
mod malformed;
mod many;
mod mutation;
mod resolved;
mod schema;
mod searched;
mod shipped;
mod study;

use scenario::Set;
use std::fs;
use std::path::{Path, PathBuf};

/// Sets, apart by blanks.
fn sets(texts: &str) -> Vec<Set> {
    texts.split_whitespace().map(|text| text.parse().unwrap()).collect()
}

/// A path of the repository, from this crate.
fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// All scenarios and studies below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}
