//! The program in a folder of its own.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "shared by test files, each of which uses some"
)]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A run of some milliseconds that has trees to record.
pub const TINY: &str = r#"
[network]
topology = "bmin"
nodes = 16
[switch]
scheme = "recn"
[workload]
load = 0.8
[workload.hot]
sources = 4
destinations = 5
start_ns = 1_000
[run]
duration_ns = 5_000
series_bin_ns = 500
"#;

pub const STUDY: &str =
    "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\n[axes]\n\"recn.saqs\" = [1, 2, 4]\n";

/// A folder with `tiny.toml` and `study.toml`.
pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().to_path_buf();
    fs::write(path.join("tiny.toml"), TINY).expect("written");
    fs::write(path.join("study.toml"), STUDY).expect("written");
    (dir, path)
}

pub fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setaside"));
    command.current_dir(dir);
    command
}

pub fn setaside(dir: &Path, args: &[&str]) -> Output {
    program(dir).args(args).output().expect("it starts")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs it and expects that it works.
pub fn works(dir: &Path, args: &[&str]) -> Output {
    let output = setaside(dir, args);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    output
}

pub fn json(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What a whole run directory holds: `(name, bytes)` of the files that its manifest lists, the
/// times taken out. `None` where there is no manifest; what it lists has to be there.
pub fn whole_run(dir: &Path) -> Option<Vec<(String, Vec<u8>)>> {
    if !dir.join("manifest.json").exists() {
        return None;
    }
    let manifest = json(&dir.join("manifest.json"));
    let names = manifest["files"].as_array().expect("a list of files");
    let files = names.iter().map(|name| {
        let name = name.as_str().expect("a name").to_string();
        let path = dir.join(&name);
        let bytes = if name == "summary.json" {
            let mut summary = json(&path);
            summary.as_object_mut().expect("an object").remove("timing");
            summary.to_string().into_bytes()
        } else {
            fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        };
        (name, bytes)
    });
    Some(files.collect())
}

/// Names in a directory, sorted.
pub fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
