//! The program as a user meets it: verbs, files, exit codes.

mod refusals;
mod replay;
mod run;
#[cfg(unix)]
mod signals;
mod topo;
mod trace;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SMALL: &str = r#"
[network]
topology = "bmin"
nodes = 16
[switch]
scheme = "recn"
speedup = 1.5
[workload]
load = 0.8
[workload.hot]
load = 1
share = 0.25
destinations = 5
start_ns = 2_000
end_ns = 12_000
[run]
duration_ns = 20_000
warmup_ns = 1_000
series_bin_ns = 1_000
"#;

fn setaside(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_setaside"))
        .current_dir(dir)
        .args(args)
        .output()
        .expect("the program starts")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().to_path_buf();
    std::fs::write(path.join("small.toml"), SMALL).expect("written");
    (dir, path)
}

const STUDY: &str = "[study]\nname = \"s\"\nscenario = \"small.toml\"\n[axes]\n\"recn.saqs\" = { from = 1, to = 4, factor = 2 }\n";

fn files_in(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    assert_eq!(code(output), 0, "{}", stderr(output));
    serde_json::from_slice(&output.stdout).expect("stdout is JSON alone")
}

fn without_timing(mut summary: Value) -> Value {
    summary.as_object_mut().expect("an object").remove("timing");
    summary
}
