//! `cargo xtask mutants`: makes the errors of `tests/mutants.toml` in a copy of the sources, one by
//! one, and runs the test that must find each: one that passes is worth nothing there.

use crate::page::{failed, root};
use setaside::Failure;
use setaside_tests::mutants::{Mutant, list};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// A test that runs for longer has hung: that is found too. Unchanged tests run together.
const PATIENCE: Duration = Duration::from_secs(900);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Passed,
    Failed,
    Hung,
    /// It does not compile: no mutant, nor a test.
    NotBuilt,
}

/// Makes the mutants whose name has one of `names` (none: all); who found which goes to stdout.
pub(crate) fn mutants(names: &[String]) -> Result<(), Failure> {
    let wanted = |m: &Mutant| names.is_empty() || names.iter().any(|name| m.name.contains(name));
    let mutants: Vec<Mutant> = list().map_err(failed)?.into_iter().filter(wanted).collect();
    if mutants.is_empty() {
        return Err(failed("no mutant has such a name"));
    }
    let copy = root().join("target/mutants/tree");
    copy_sources(&root(), &copy)?;
    unchanged_pass(&copy, &mutants)?;
    println!("| mutant | found by |\n|---|---|");
    let mut survived = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        eprintln!("mutant {} of {}: {}", number + 1, mutants.len(), mutant.name);
        let ended = with(&copy, mutant)?;
        let found = match ended {
            Ended::Failed => format!("`{}`", mutant.test),
            Ended::Hung => format!("`{}` does not end", mutant.test),
            Ended::Passed => "**nobody**".to_string(),
            Ended::NotBuilt => "**nobody**: it does not compile".to_string(),
        };
        println!("| {} | {found} |", mutant.name);
        if matches!(ended, Ended::Passed | Ended::NotBuilt) {
            survived.push(mutant.name.as_str());
        }
    }
    if survived.is_empty() {
        return Ok(());
    }
    Err(failed(format!("nobody found: {}", survived.join("; "))))
}

/// The tests must pass before anything is changed: else they find nothing.
fn unchanged_pass(copy: &Path, mutants: &[Mutant]) -> Result<(), Failure> {
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mutant in mutants {
        tests.entry(&mutant.package).or_default().extend(mutant.test.split(' '));
    }
    for (package, tests) in tests {
        let tests = tests.into_iter().collect::<Vec<_>>().join(" ");
        eprintln!("unchanged: {package} {tests}");
        let patience = PATIENCE * mutants.len() as u32;
        if build_and_run(copy, package, &tests, patience)? != Ended::Passed {
            return Err(failed(format!("{package} {tests}: fails without a mutant")));
        }
    }
    Ok(())
}

/// How the test of a mutant ends with the error in the copy; the copy is whole again afterwards.
fn with(copy: &Path, mutant: &Mutant) -> Result<Ended, Failure> {
    let made = mutant.made(copy).map_err(failed)?;
    let file = copy.join(&mutant.file);
    let whole = std::fs::read(&file).map_err(failed)?;
    std::fs::write(&file, made).map_err(failed)?;
    let ended = build_and_run(copy, &mutant.package, &mutant.test, PATIENCE);
    std::fs::write(&file, whole).map_err(failed)?;
    ended
}

fn build_and_run(
    copy: &Path,
    package: &str,
    test: &str,
    patience: Duration,
) -> Result<Ended, Failure> {
    let built = Command::new(env!("CARGO"))
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", root().join("target/mutants/build"))
        // One change after the other: little to optimise, nothing to debug.
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_TEST_DEBUG", "false")
        .args(["test", "--quiet", "--offline", "--no-run"])
        .args(["--message-format", "json", "--package", package])
        .args(["--test", "it"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(failed)?;
    if !built.status.success() {
        return Ok(Ended::NotBuilt);
    }
    let program = String::from_utf8_lossy(&built.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(str::to_string))
        .next_back();
    let program = program.ok_or_else(|| failed("cargo names no program"))?;
    run(&copy.join("tests"), &program, test, patience)
}

/// Runs a test up to the first part of it that fails.
fn run(folder: &Path, program: &str, test: &str, patience: Duration) -> Result<Ended, Failure> {
    let mut child = Command::new(program)
        .current_dir(folder)
        .args(test.split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (sender, receiver) = channel();
    let lines = child.stdout.take().map(|stdout| BufReader::new(stdout).split(b'\n'));
    std::thread::spawn(move || {
        let fails = |line: Vec<u8>| line.ends_with(b"FAILED");
        sender.send(lines.into_iter().flatten().map_while(Result::ok).any(fails))
    });
    let some_failed = receiver.recv_timeout(patience);
    if some_failed != Ok(false) {
        child.kill().map_err(failed)?;
    }
    let status = child.wait().map_err(failed)?;
    Ok(match some_failed {
        Err(_) => Ended::Hung,
        Ok(false) if status.success() => Ended::Passed,
        Ok(_) => Ended::Failed,
    })
}

/// Copies the sources as they are now; what is the same stays, and is not built again.
fn copy_sources(from: &Path, to: &Path) -> Result<(), Failure> {
    let listed = Command::new("git")
        .current_dir(from)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .map_err(failed)?;
    if !listed.status.success() {
        return Err(failed("git does not list the sources"));
    }
    let text = String::from_utf8(listed.stdout).map_err(failed)?;
    let files: BTreeSet<PathBuf> = text
        .split('\0')
        .filter(|name| !name.is_empty() && from.join(name).is_file())
        .map(PathBuf::from)
        .collect();
    // Those of the last copy that are gone.
    let index = to.with_extension("files");
    match std::fs::read_to_string(&index) {
        Ok(last) => {
            let is_gone = |name: &&str| !name.is_empty() && !files.contains(Path::new(name));
            let gone = last.split('\0').filter(is_gone);
            gone.for_each(|name| _ = std::fs::remove_file(to.join(name)));
        }
        Err(_) => _ = std::fs::remove_dir_all(to),
    }
    std::fs::create_dir_all(to).map_err(failed)?;
    std::fs::write(index, &text).map_err(failed)?;
    for file in &files {
        let (source, copy) = (from.join(file), to.join(file));
        let text = std::fs::read(&source).map_err(failed)?;
        if std::fs::read(&copy).is_ok_and(|old| old == text) {
            continue;
        }
        std::fs::create_dir_all(copy.parent().unwrap_or(to)).map_err(failed)?;
        std::fs::write(&copy, text).map_err(failed)?;
    }
    Ok(())
}
