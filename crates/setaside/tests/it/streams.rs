//! Input by stdin and pipes, output by stdout.

use crate::common::{Folder, Ran, STUDY, TINY, ended, folder, names};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// With a text on stdin.
fn fed(dir: &Folder, text: &str, exit: i32, line: &str, parts: &[&str]) -> Ran {
    let mut command = dir.program(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its command line reads nothing.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    ended(&ran, exit, line, parts);
    ran
}

const EDGES: &str =
    "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns\nn0,0,s0,0,10,\nn1,0,s0,1,10,\n";
const FROM_FILE: &str = "[network]\ntopology = \"file\"\nfile = \"sub/edges.csv\"\n[workload]\nload = 0.5\n[run]\nduration_ns = 5_000\n";

// "`-` is stdin [...] relative paths in a scenario from stdin are relative to the working
// directory"
#[test]
fn dash_is_stdin() {
    let dir = folder();
    for verb in ["run", "check", "topo"] {
        fed(&dir, TINY, 0, &format!("{verb} -"), &[]);
    }
    let run = names(&dir.join("runs"));
    assert!(run.len() == 1 && run[0].starts_with("stdin-"), "{run:?}");
    fed(&dir, STUDY, 0, "sweep - --out s", &[]);
    assert!(dir.has("s/results.csv"));
    dir.write("sub/edges.csv", EDGES);
    let printed = fed(&dir, FROM_FILE, 0, "check -", &[]).stdout;
    assert_eq!(printed, "stdin: a legal scenario, 2 end nodes, 1 switches\n");
    let ran = fed(&dir, "[network]\nnods = 3\n", 2, "check -", &[]);
    assert!(ran.stderr.starts_with("stdin:1:1: error: "), "{}", ran.stderr);
    fed(&dir, TINY, 2, "sweep -", &["`setaside run`"]);
}

// "`<(...)` works": a pipe can be read only once, and has no directory of its own.
#[cfg(unix)]
#[test]
fn pipes_are_read_once() {
    let dir = folder();
    dir.write("sub/edges.csv", EDGES);
    for (text, line) in [
        (TINY, "run pipe --out r"),
        (TINY, "check pipe"),
        (TINY, "topo pipe"),
        (FROM_FILE, "check pipe"),
        (STUDY, "check pipe"),
        (STUDY, "sweep pipe --out s"),
    ] {
        let pipe = dir.join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::write(pipe, text))
        };
        dir.works(line);
        assert!(writer.join().is_ok_and(|written| written.is_ok()));
        fs::remove_file(pipe).expect("it is there");
    }
}

// "times go to stderr so that stdout of run, sweep, check, topo is reproducible to the byte"
#[test]
fn stdout_is_the_same_every_time() {
    let dir = folder();
    for line in [
        "run tiny.toml --out r",
        "run tiny.toml --out t --record --engine reference",
        "sweep study.toml --out s --jobs 2",
        "sweep study.toml --dry-run",
        "check tiny.toml study.toml",
        "topo tiny.toml",
        "topo tiny.toml --format json",
        "schema",
        "report s",
    ] {
        let first = dir.works(line).stdout;
        assert!(!first.is_empty() && !first.contains("CPU time"), "{line}");
        for _ in 0..2 {
            assert_eq!(first, dir.works(line).stdout, "{line}");
        }
    }
    dir.ends(0, "run tiny.toml --out r", &["CPU time "]);
}
