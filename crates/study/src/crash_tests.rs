//! Death before each change to a file in turn leaves a whole run or none; the next start works.

use crate::disk::{self, crash};
use crate::error::StoreError;
use crate::job::{Job, hash_text};
use crate::run_dir::RunDir;
use crate::store::RunFiles;
use crate::{Exit, Manifest, Quiet, RunFailure, SweepManifest, SweepOptions, run_sweep};
use observe::Record;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// `(name, bytes)` of every file below a directory, manifests apart from their list of files.
type Files = BTreeMap<String, Vec<u8>>;

/// Files of a run beside those that all have.
type More = [(&'static str, Vec<u8>)];

fn record(level: u64) -> Record {
    let mut record = Record::default();
    record.summary.packet_hops = level;
    record
}

fn write(dir: &Path, hash: u64, force: bool, more: &More) -> Result<(), StoreError> {
    let names: Vec<&str> = more.iter().map(|(name, _)| *name).collect();
    let record = record(hash);
    let manifest = Manifest { hash: format!("{hash:016x}"), ..Manifest::default() };
    RunDir::take(dir, hash, force, &names)?.write(&RunFiles {
        scenario_text: &format!("# {hash}\n"),
        manifest: &manifest,
        record: &record,
        more,
    })
}

fn files(dir: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(disk::entries(&path).expect("a directory"));
            continue;
        }
        let name = path.strip_prefix(dir).expect("below it").to_string_lossy().into_owned();
        found.insert(name, fs::read(&path).expect("a file"));
    }
    found
}

/// Lets the process die after `changes` changes; `false` where it got to the end before that.
fn dies(changes: u32, work: impl FnOnce()) -> bool {
    crash::after(Some(changes));
    let ended = catch_unwind(AssertUnwindSafe(work));
    let died = crash::is_dead();
    crash::after(None);
    match ended {
        Err(panic) if !died => std::panic::resume_unwind(panic),
        ended => ended.is_err(),
    }
}

/// Every number of changes up to the one that is enough, more than `least` of them.
fn at_every_change(least: u32, mut dies_at: impl FnMut(u32) -> bool) {
    let mut changes = 0;
    while dies_at(changes) {
        changes += 1;
        assert!(changes < 1_000, "it never ends");
    }
    assert!(changes > least, "{changes}");
}

/// Which of these whole runs a directory holds, files of others apart.
fn held(dir: &Path, candidates: &[&Files]) -> Option<usize> {
    let manifest = fs::read(dir.join("manifest.json")).ok()?;
    let manifest: Manifest = serde_json::from_slice(&manifest).expect("whole");
    let names = manifest.files.into_iter().chain(["manifest.json".to_string()]);
    let file = |name: String| Some((fs::read(dir.join(&name)).ok()?, name));
    let held: Files = names.filter_map(file).map(|(bytes, name)| (name, bytes)).collect();
    let found = candidates.iter().position(|of| **of == held);
    assert!(found.is_some(), "neither: {:?}", files(dir).keys());
    found
}

/// Of the files of a sweep those of a run.
fn of_point(all: &Files, job: &Job) -> Files {
    let part = format!("runs/{}/", job.directory);
    let inside = |(name, bytes): (&String, &Vec<u8>)| {
        Some((name.strip_prefix(&part)?.to_string(), bytes.clone()))
    };
    all.iter().filter_map(inside).collect()
}

fn run_alone(hash: u64, more: &More) -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("r"), hash, false, more).expect("written");
    files(&folder.path().join("r"))
}

fn more(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    vec![("trees.json", text.repeat(1_000).into_bytes())]
}

#[test]
fn new_run_directory_appears_whole_or_not_at_all() {
    let _alone = crash::alone();
    let whole = run_alone(1, &more("a"));
    at_every_change(12, |changes| {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().join("sub/r");
        let died = dies(changes, || write(&dir, 1, false, &more("a")).expect("written"));
        if dir.exists() {
            assert_eq!(files(&dir), whole);
        } else {
            assert!(died);
        }
        write(&dir, 1, false, &more("a")).expect("the next start works");
        assert_eq!(files(&folder.path().join("sub")).len(), whole.len(), "nothing partial is left");
        died
    });
}

#[test]
fn run_in_a_directory_with_files_of_others_is_replaced_whole_or_not_at_all() {
    let _alone = crash::alone();
    replaced_whole_or_not_at_all(&more("a"), &[]);
    replaced_whole_or_not_at_all(&[], &more("a"));
}

/// A run with the first files is replaced by one with the second.
fn replaced_whole_or_not_at_all(before: &More, after: &More) {
    let (old, new) = (run_alone(1, before), run_alone(2, after));
    at_every_change(20, |changes| {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().join("r");
        write(&dir, 1, false, before).expect("written");
        fs::write(dir.join("notes.txt"), "mine").expect("written");
        fs::create_dir(dir.join("own")).expect("made");
        fs::write(dir.join("own/summary.json"), "mine").expect("written");
        let is_mine_there = || {
            ["notes.txt", "own/summary.json"]
                .iter()
                .all(|name| fs::read(dir.join(name)).is_ok_and(|text| text == b"mine"))
        };
        let died = dies(changes, || write(&dir, 2, true, after).expect("written"));
        let found = held(&dir, &[&old, &new]);
        assert!(died || found == Some(1));
        assert!(is_mine_there());

        // What it began is recognized as its own, with or without force.
        let force = found == Some(0);
        write(&dir, 2, force, after).expect("the next start works");
        assert_eq!(held(&dir, &[&old, &new]), Some(1));
        assert!(is_mine_there());
        assert_eq!(files(folder.path()).len(), new.len() + 2, "nothing else is left");
        died
    });
}

#[test]
fn sweep_that_dies_leaves_whole_runs_and_can_be_started_again() {
    let _alone = crash::alone();
    let jobs: Vec<Job> =
        (0..2).map(|index| Job { index, hash: index as u64, ..Job::default() }.named(2)).collect();
    let sweep_of = |out: &Path, runs: usize, hash, commit: &str| {
        let mut options = SweepOptions::new(out.to_path_buf());
        (options.workers, options.force) = (1, true);
        options.manifest.study_hash = hash_text(hash);
        options.manifest.build.commit = commit.into();
        let run = |job: &Job| match job.index < runs {
            true => Ok(record(job.index as u64)),
            false => Err(RunFailure { exit: Exit::Interrupted, message: String::new() }),
        };
        run_sweep(&jobs, &options, run, &Quiet)
    };
    let sweep = |out: &Path| sweep_of(out, 2, 7, "");
    let folder = tempfile::tempdir().expect("a folder");
    sweep(&folder.path().join("s")).expect("written");
    let whole = files(&folder.path().join("s"));
    // Nothing before; half of the same sweep, and all; one of another version, of another study.
    for (earlier, least) in [
        (None, 25),
        (Some((1, 7, "")), 30),
        (Some((2, 7, "")), 10),
        (Some((2, 7, "older")), 60),
        (Some((2, 8, "")), 60),
    ] {
        let before = earlier.map_or(Files::new(), |(runs, hash, commit)| {
            let folder = tempfile::tempdir().expect("a folder");
            sweep_of(folder.path(), runs, hash, commit).expect("written");
            files(folder.path())
        });
        at_every_change(least, |changes| {
            let folder = tempfile::tempdir().expect("a folder");
            let out = folder.path().join("s");
            if let Some((runs, hash, commit)) = earlier {
                sweep_of(&out, runs, hash, commit).expect("written");
            }
            let died = dies(changes, || drop(sweep(&out).expect("written")));
            for job in &jobs {
                let dir = out.join("runs").join(&job.directory);
                let is_whole = dir.join("manifest.json").exists();
                // the earlier one, the new one, or both behind the other's manifest
                let is_there = is_whole || dir.join(".setaside-partial/manifest.json").exists();
                let was_there = earlier.is_some_and(|(runs, ..)| job.index < runs);
                assert!(is_there || !was_there, "{earlier:?}, {changes}: a finished run is lost");
                if is_whole {
                    let [new, old] = [&whole, &before].map(|all| of_point(all, job));
                    assert!(held(&dir, &[&new, &old]).is_some());
                }
            }
            if let Ok(bytes) = fs::read(out.join("manifest.json")) {
                let manifest: SweepManifest = serde_json::from_slice(&bytes).expect("whole");
                if manifest.finished == manifest.runs {
                    let is_result = |name: &str| !name.ends_with("manifest.json");
                    for (name, bytes) in whole.iter().filter(|(name, _)| is_result(name)) {
                        assert_eq!(fs::read(out.join(name)).ok().as_ref(), Some(bytes), "{name}");
                    }
                }
            }
            sweep(&out).expect("the next start works");
            assert_eq!(files(folder.path()).len(), whole.len(), "nothing partial is left");
            died
        });
    }
}
