//! What comes in by stdin and pipes, what goes out by stdout, and numbers on the command line.

use crate::common::{TINY, code, folder, names, program, setaside, stderr, works};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// With a text on stdin.
fn fed(dir: &Path, text: &str, args: &[&str]) -> Output {
    let mut child = program(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its command line reads nothing.
    let _ = stdin.write_all(text.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

const EDGES: &str =
    "a,a_port,b,b_port,latency_ns,rate_bytes_per_ns\nn0,0,s0,0,10,\nn1,0,s0,1,10,\n";
const FROM_FILE: &str = "[network]\ntopology = \"file\"\nfile = \"sub/edges.csv\"\n[workload]\nload = 0.5\n[run]\nduration_ns = 5_000\n";

// "`-` is stdin [...] relative paths in a scenario from stdin are relative to the working
// directory"
#[test]
fn dash_is_stdin() {
    let (_keep, dir) = folder();
    for verb in ["run", "check", "topo"] {
        let output = fed(&dir, TINY, &[verb, "-"]);
        assert_eq!(code(&output), 0, "{verb}: {}", stderr(&output));
    }
    let run = names(&dir.join("runs"));
    assert!(run.len() == 1 && run[0].starts_with("stdin-"), "{run:?}");
    let output = fed(&dir, crate::common::STUDY, &["sweep", "-", "--out", "s"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(dir.join("s/results.csv").exists());

    fs::create_dir(dir.join("sub")).expect("made");
    fs::write(dir.join("sub/edges.csv"), EDGES).expect("written");
    let output = fed(&dir, FROM_FILE, &["check", "-"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "stdin: a legal scenario, 2 end nodes, 1 switches\n", "{}", stderr(&output));

    let output = fed(&dir, "[network]\nnods = 3\n", &["check", "-"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).starts_with("stdin:1:1: error: "), "{}", stderr(&output));
    let output = fed(&dir, TINY, &["sweep", "-"]);
    assert!(stderr(&output).contains("`setaside run`"), "{}", stderr(&output));
}

// "`<(...)` works": a pipe can be read only once, and has no directory of its own.
#[cfg(unix)]
#[test]
fn pipes_are_read_once() {
    let (_keep, dir) = folder();
    fs::create_dir(dir.join("sub")).expect("made");
    fs::write(dir.join("sub/edges.csv"), EDGES).expect("written");
    for (text, args) in [
        (TINY, &["run", "--out", "r"][..]),
        (TINY, &["check"]),
        (TINY, &["topo"]),
        (FROM_FILE, &["check"]),
        (crate::common::STUDY, &["check"]),
        (crate::common::STUDY, &["sweep", "--out", "s"]),
    ] {
        let pipe = dir.join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        let writer = {
            let (pipe, text) = (pipe.clone(), text.to_owned());
            std::thread::spawn(move || fs::write(pipe, text))
        };
        let mut args = args.to_vec();
        args.insert(1, "pipe");
        let output = setaside(&dir, &args);
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        assert!(writer.join().is_ok_and(|written| written.is_ok()));
        fs::remove_file(pipe).expect("it is there");
    }
}

// "times go to stderr so that stdout of run, sweep, check, topo is reproducible to the byte"
#[test]
fn stdout_is_the_same_every_time() {
    let (_keep, dir) = folder();
    for args in [
        &["run", "tiny.toml", "--out", "r"][..],
        &["run", "tiny.toml", "--out", "t", "--record", "--engine", "reference"],
        &["sweep", "study.toml", "--out", "s", "--jobs", "2"],
        &["sweep", "study.toml", "--dry-run"],
        &["check", "tiny.toml", "study.toml"],
        &["topo", "tiny.toml"],
        &["topo", "tiny.toml", "--format", "json"],
        &["schema"],
        &["report", "s"],
    ] {
        let first = works(&dir, args).stdout;
        assert!(!first.is_empty(), "{args:?}");
        for _ in 0..2 {
            let again = works(&dir, args).stdout;
            assert_eq!(
                String::from_utf8_lossy(&first),
                String::from_utf8_lossy(&again),
                "{args:?}"
            );
        }
    }
    assert!(stderr(&works(&dir, &["run", "tiny.toml", "--out", "r"])).contains("CPU time"));
}

// "`--seed -1` advises nonsense: typed legal range"
#[test]
fn numbers_that_are_not_legal_are_told_the_range() {
    let (_keep, dir) = folder();
    let most = i64::MAX.to_string();
    let above = (i64::MAX as u64 + 1).to_string();
    for (args, legal) in [
        (["run", "tiny.toml", "--seed", "-1"], format!("from 0 to {most}")),
        (["run", "tiny.toml", "--seed", &above], format!("from 0 to {most}")),
        (["run", "tiny.toml", "--seed", "x"], format!("from 0 to {most}")),
        (["run", "tiny.toml", "--seed", "1.5"], format!("from 0 to {most}")),
        (["run", "tiny.toml", "--threads", "-1"], "from 1 to ".to_owned()),
        (["run", "tiny.toml", "--threads", "0"], "from 1 to ".to_owned()),
        (["sweep", "study.toml", "--jobs", "-2"], "from 1 to ".to_owned()),
        (["sweep", "study.toml", "--max-runs", "0"], "from 1 to ".to_owned()),
    ] {
        let output = setaside(&dir, &args);
        let told = stderr(&output);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(told.contains(args[3]) && told.contains(&legal), "{told}");
        assert!(!told.contains("-- "), "it advises nonsense: {told}");
    }
    let output = setaside(&dir, &["run", "tiny.toml", "--record", "--record-interval-ns", "-5"]);
    assert!(stderr(&output).contains("legal: an integer from 1 to "), "{}", stderr(&output));
    assert_eq!(names(&dir), ["study.toml", "tiny.toml"]);
    works(&dir, &["run", "tiny.toml", "--seed", &most, "--out", "r"]);
}
