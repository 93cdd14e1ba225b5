//! The program is killed at any moment, or the disk is full: what lies there is a whole run or
//! none, and the next start works.
use crate::common::{
    STUDY, code, folder, json, names, program, setaside, stderr, whole_run, works,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// Moments to kill at, alike in every test run (Knuth's multiplier).
pub(crate) struct Moments(pub(crate) u64);

impl Moments {
    /// From 0 to a quarter more than a whole run takes.
    pub(crate) fn next(&mut self, whole: Duration) -> Duration {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        whole.mul_f64((self.0 >> 33) as f64 / f64::from(1u32 << 31) * 1.25)
    }
}

/// Starts it and kills it after a while; whether that came before its end.
pub(crate) fn killed(dir: &Path, args: &[&str], after: Duration) -> bool {
    let mut child = program(dir)
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(after);
    child.kill().expect("killed or over");
    child.wait().expect("a state").code().is_none()
}

/// How long it takes, the shortest of some times.
fn time_of(work: impl Fn()) -> Duration {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Of so many a tenth at least should have been killed in the middle, or this tests nothing.
fn enough(killed: usize, of: usize) {
    assert!(killed * 10 >= of, "{killed} of {of} were killed before their end");
}

#[test]
fn new_run_is_whole_or_not_there() {
    const TIMES: usize = 120;
    let (_keep, dir) = folder();
    let args = ["run", "tiny.toml", "--record", "--out", "new/r"];
    works(&dir, &args);
    let whole = whole_run(&dir.join("new/r")).expect("a run");
    assert!(whole.iter().any(|(name, bytes)| name == "trees.json" && bytes.len() > 1_000));
    let time = time_of(|| {
        fs::remove_dir_all(dir.join("new")).expect("it is there");
        works(&dir, &args);
    });
    let (mut moments, mut cut) = (Moments(1), 0);
    for _ in 0..TIMES {
        let _ = fs::remove_dir_all(dir.join("new/r"));
        cut += usize::from(killed(&dir, &args, moments.next(time)));
        let out = dir.join("new/r");
        assert!(!out.exists() || whole_run(&out).as_ref() == Some(&whole));
    }
    works(&dir, &args);
    assert_eq!(whole_run(&dir.join("new/r")), Some(whole));
    assert_eq!(names(&dir.join("new")), ["r"], "nothing partial is left");
    enough(cut, TIMES);
}

#[test]
fn replaced_run_is_the_old_one_the_new_one_or_none_and_files_of_others_stay() {
    const TIMES: usize = 160;
    let (_keep, dir) = folder();
    let kinds: [&[&str]; 2] = [
        &["run", "tiny.toml", "--force", "--out", "r", "--record"],
        &["run", "tiny.toml", "--force", "--out", "r", "--seed", "2"],
    ];
    let whole: Vec<Files> = kinds
        .iter()
        .map(|args| {
            works(&dir, args);
            whole_run(&dir.join("r")).expect("a run")
        })
        .collect();
    assert!(whole[0].len() > whole[1].len() && whole[0][0] != whole[1][0]);
    fs::write(dir.join("r/notes.txt"), "mine").expect("written");
    let time = time_of(|| {
        works(&dir, kinds[0]);
    });
    let (mut moments, mut cut) = (Moments(2), 0);
    for turn in 0..TIMES {
        cut += usize::from(killed(&dir, kinds[turn % 2], moments.next(time)));
        if let Some(found) = whole_run(&dir.join("r")) {
            assert!(whole.contains(&found), "turn {turn}: a mixture");
        }
        let notes = fs::read_to_string(dir.join("r/notes.txt")).expect("it is there");
        assert_eq!(notes, "mine", "turn {turn}");
    }
    for (args, whole) in kinds.iter().zip(&whole) {
        works(&dir, args);
        assert_eq!(whole_run(&dir.join("r")).as_ref(), Some(whole));
        assert_eq!(names(&dir.join("r")).len(), whole.len() + 2, "nothing else is left");
    }
    assert_eq!(names(&dir), ["r", "study.toml", "tiny.toml"]);
    enough(cut, TIMES);
}

/// Every point of the sweep in `dir` is whole or not there; whether all are there.
fn points(dir: &Path, whole: &[(String, Files)]) -> bool {
    let mut all = true;
    for (name, files) in whole {
        match whole_run(&dir.join("runs").join(name)) {
            Some(found) => assert_eq!(&found, files, "{name}"),
            None => all = false,
        }
    }
    all
}

#[test]
fn killed_sweep_keeps_whole_runs_and_starts_again() {
    const TIMES: usize = 120;
    let (_keep, dir) = folder();
    let args = ["sweep", "study.toml", "--out", "s", "--jobs", "2"];
    works(&dir, &args);
    let out = dir.join("s");
    let whole: Vec<(String, Files)> = names(&out.join("runs"))
        .into_iter()
        .map(|name| {
            let files = whole_run(&out.join("runs").join(&name)).expect("a run");
            (name, files)
        })
        .collect();
    let results = fs::read(out.join("results.csv")).expect("results");
    let time = time_of(|| {
        fs::remove_dir_all(&out).expect("it is there"); // finished runs would not be run again
        works(&dir, &args);
    });
    let (mut moments, mut cut) = (Moments(3), 0);
    for turn in 0..TIMES {
        if turn % 3 == 0 {
            let _ = fs::remove_dir_all(&out);
        }
        cut += usize::from(killed(&dir, &args, moments.next(time)));
        if !out.exists() {
            continue;
        }
        let all = points(&out, &whole);
        if out.join("manifest.json").exists() {
            let manifest = json(&out.join("manifest.json"));
            if manifest["finished"] == manifest["runs"] {
                assert!(all, "turn {turn}: it says that all are finished");
                assert_eq!(fs::read(out.join("results.csv")).expect("results"), results);
            }
        }
        if out.join("results.json").exists() {
            json(&out.join("results.json"));
        }
    }
    works(&dir, &args);
    assert!(points(&out, &whole));
    assert_eq!(fs::read(out.join("results.csv")).expect("results"), results);
    let expected = [
        "latency.csv",
        "manifest.json",
        "report.html",
        "results.csv",
        "results.json",
        "runs",
        "windows.csv",
    ];
    assert_eq!(names(&out), expected, "nothing partial is left");
    assert_eq!(names(&out.join("runs")).len(), whole.len());
    enough(cut, TIMES);
}

/// The program where no file may have more than so many blocks of 512 bytes. Without `kill` it is
/// told that a file cannot be written (EFBIG), as it is of a full disk; with it the system ends it
/// there.
fn limited(dir: &Path, blocks: u32, kill: bool, args: &[&str]) -> std::process::Output {
    let trap = if kill { "" } else { "trap '' XFSZ; " };
    Command::new("sh")
        .current_dir(dir)
        .args(["-c", &format!("{trap}ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_setaside"))
        .args(args)
        .output()
        .expect("it starts")
}

// "a full disk leaves no complete-looking run": whichever file does not fit any more.
#[test]
fn full_disk_leaves_no_run() {
    let (_keep, dir) = folder();
    let args = ["run", "tiny.toml", "--record", "--out", "r"];
    works(&dir, &["run", "tiny.toml", "--record", "--out", "whole"]);
    let whole = whole_run(&dir.join("whole"));
    let (mut failed, mut worked) = (0, 0);
    for kill in [false, true] {
        for blocks in [0, 1, 2, 4, 8, 16, 32, 64, 128, 100_000] {
            let output = limited(&dir, blocks, kill, &args);
            if output.status.success() {
                assert_eq!(whole_run(&dir.join("r")), whole, "{blocks}");
                fs::remove_dir_all(dir.join("r")).expect("it is there");
                worked += 1;
                continue;
            }
            failed += 1;
            assert!(!dir.join("r").exists(), "{blocks}");
            if !kill {
                assert_eq!(code(&output), 1, "{blocks}: {}", stderr(&output));
                assert!(stderr(&output).contains("error: "), "{}", stderr(&output));
                let left = ["study.toml", "tiny.toml", "whole"];
                assert_eq!(names(&dir), left, "nothing partial is left");
            }
        }
    }
    assert!(failed >= 8 && worked >= 2, "{failed} {worked}");
}

#[test]
fn full_disk_leaves_the_earlier_run() {
    let (_keep, dir) = folder();
    works(&dir, &["run", "tiny.toml", "--record", "--out", "r"]);
    fs::write(dir.join("r/notes.txt"), "mine").expect("written");
    let earlier = whole_run(&dir.join("r"));
    let other = ["run", "tiny.toml", "--seed", "2", "--force", "--out", "r"];
    for kill in [false, true] {
        for blocks in [0, 1, 2, 4] {
            assert!(!limited(&dir, blocks, kill, &other).status.success(), "{blocks}");
            assert_eq!(whole_run(&dir.join("r")), earlier, "{blocks}");
        }
    }
    works(&dir, &other);
    assert_ne!(whole_run(&dir.join("r")), earlier);
    assert_eq!(names(&dir.join("r")).len(), 8);
}

#[test]
fn full_disk_leaves_no_sweep_that_looks_finished() {
    let (_keep, dir) = folder();
    fs::write(dir.join("study.toml"), STUDY).expect("written");
    let args = ["sweep", "study.toml", "--out", "s"];
    for kill in [false, true] {
        for blocks in [0, 1, 2, 4, 8] {
            let output = limited(&dir, blocks, kill, &args);
            assert!(!output.status.success(), "{blocks}: {}", stderr(&output));
            if dir.join("s/manifest.json").exists() {
                assert_ne!(json(&dir.join("s/manifest.json"))["finished"], 3);
            }
        }
    }
    works(&dir, &args);
    assert_eq!(json(&dir.join("s/manifest.json"))["finished"], 3);
}

/// Whether the tests were started to ignore SIGINT, as a shell starts what a script puts into the
/// background; then it stays ignored.
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> 1 & 1 == 1)
}

// "SIGTERM/SIGINT keep what is finished": the points that are stored when the signal comes, with a
// table of them.
#[test]
fn interrupted_sweep_keeps_what_is_finished() {
    let (_keep, dir) = folder();
    let study = "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\n[[zip]]\n\"run.duration_ns\" = [5_000, 500_000_000]\n\"run.seed\" = [1, 2]\n";
    fs::write(dir.join("study.toml"), study).expect("written");
    let signals = ["-TERM", "-INT"];
    let heard = if ignores_interrupts() { 1 } else { 2 };
    for signal in signals.into_iter().take(heard) {
        let mut child = program(&dir)
            .args(["sweep", "study.toml", "--out", "s", "--jobs", "1", "--force"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let first = dir.join("s/runs/00-5000-1/manifest.json");
        let begin = Instant::now();
        // The manifest of the sweep says 0 until the first run of this start is stored.
        while !first.exists() || !dir.join("s/results.json").exists() {
            assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", names(&dir));
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(200));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().is_ok_and(|s| s.success()));
        assert_eq!(child.wait().expect("a state").code(), Some(130), "{signal}");
        let manifest = json(&dir.join("s/manifest.json"));
        assert_eq!((&manifest["finished"], &manifest["runs"]), (&1.into(), &2.into()));
        assert!(whole_run(&first.with_file_name("")).is_some());
        let results = json(&dir.join("s/results.json"));
        assert_eq!(results["runs"][0]["status"], "ok");
        assert_eq!(results["runs"][1]["status"], "not run");
        assert!(!dir.join("s/sweep.lock").exists());
    }
    let output = setaside(&dir, &["report", "s"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// Finished runs of a sweep by name: files without the times, and the summary.
pub(crate) type Runs = BTreeMap<String, (Files, Vec<u8>)>;

/// What a killed sweep left finished, by name: the files of each run, its `summary.json` to the
/// byte, times and all.
pub(crate) fn finished(out: &Path) -> Runs {
    let runs = out.join("runs");
    let dirs = names(&runs).into_iter().filter(|name| !name.starts_with('.'));
    dirs.filter_map(|name| {
        let files = whole_run(&runs.join(&name))?;
        let summary = fs::read(runs.join(&name).join("summary.json")).expect("whole");
        Some((name, (files, summary)))
    })
    .collect()
}

/// What a sweep says over all runs.
pub(crate) fn tables(out: &Path) -> Vec<Vec<u8>> {
    let names = ["results.csv", "results.json", "windows.csv"];
    names.map(|name| fs::read(out.join(name)).expect("a table")).into()
}

/// A study of 8 runs of some tenths of a second; in `alone` it is run in one go.
fn longer_study(dir: &Path) -> (Runs, Vec<Vec<u8>>) {
    let study = format!("{STUDY}\"run.seed\" = [1, 2]\n[set]\n\"run.duration_ns\" = 400_000\n");
    fs::write(dir.join("study.toml"), study.replace("[1, 2, 4]", "[1, 2, 4, 8]")).expect("written");
    works(dir, &["sweep", "study.toml", "--out", "alone", "--jobs", "1"]);
    (finished(&dir.join("alone")), tables(&dir.join("alone")))
}

/// Of a run the files without the times.
pub(crate) fn untimed(runs: &Runs) -> Vec<(&String, &Files)> {
    runs.iter().map(|(name, (files, _))| (name, files)).collect()
}

// "Finished runs of the same study and version stay, whatever happens next": Ctrl-C, a second
// Ctrl-C while the same sweep is repeated, kill -9, one after the other. "The results of an
// interrupted and repeated sweep equal those of an uninterrupted one byte for byte."
#[test]
fn finished_runs_outlive_every_further_cut() {
    let (_keep, dir) = folder();
    let (whole, results) = longer_study(&dir);
    assert_eq!(whole.len(), 8);
    // a derived run takes no time in which to be cut
    let args = ["sweep", "study.toml", "--out", "s", "--jobs", "1", "--no-derive"];
    let out = dir.join("s");
    let interrupt = if ignores_interrupts() { "-TERM" } else { "-INT" };
    let mut before = BTreeMap::new();
    for (signal, stop) in [(interrupt, 2), (interrupt, 3), ("-KILL", 5), (interrupt, 6)] {
        let child = program(&dir)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let begin = Instant::now();
        while !out.join("runs").exists() || finished(&out).len() < stop {
            assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", names(&dir));
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        let kill = Command::new("kill").args([signal, &pid]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("a state");
        let after = finished(&out);
        let cut = after.len();
        assert!((stop..8).contains(&cut), "{signal}: {cut} runs, cut too late");
        for (name, run) in &before {
            assert!(after.get(name) == Some(run), "{signal}: {name} is lost or was run again");
        }
        if signal != "-KILL" {
            assert_eq!(output.status.code(), Some(130));
            let said = format!("{cut} of 8 runs are finished and stay");
            assert!(stderr(&output).contains(&said), "{}", stderr(&output));
            assert_eq!(json(&out.join("manifest.json"))["finished"], cut);
        }
        before = after;
    }
    let output = works(&dir, &args);
    let said = format!("{} of 8 runs are finished already", before.len());
    assert!(stderr(&output).contains(&said), "{}", stderr(&output));
    let after = finished(&out);
    assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
    assert_eq!(untimed(&after), untimed(&whole));
    assert!(tables(&out) == results);
    // Once more: nothing is left to run, and nothing changes.
    works(&dir, &args);
    assert!(finished(&out) == after && tables(&out) == results);
}

// "a full disk or unwritable folder in the middle": what is finished stays, whichever file does not
// fit any more.
#[test]
fn full_disk_keeps_finished_runs() {
    let (_keep, dir) = folder();
    works(&dir, &["sweep", "study.toml", "--out", "alone"]);
    works(&dir, &["sweep", "study.toml", "--out", "s", "--max-runs", "2"]);
    let out = dir.join("s");
    let before = finished(&out);
    assert_eq!(before.len(), 2);
    for kill in [false, true] {
        for blocks in [0, 1, 2, 4, 8] {
            let output = limited(&dir, blocks, kill, &["sweep", "study.toml", "--out", "s"]);
            assert!(!output.status.success(), "{blocks}: {}", stderr(&output));
            if !kill && blocks >= 4 {
                assert_eq!(code(&output), 1);
                let said = stderr(&output);
                assert!(said.contains("no room left: 2 of 3 runs are finished"), "{said}");
            }
            let after = finished(&out);
            assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
        }
    }
    works(&dir, &["sweep", "study.toml", "--out", "s"]);
    let after = finished(&out);
    assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
    assert_eq!(untimed(&after), untimed(&finished(&dir.join("alone"))));
    assert!(tables(&out) == tables(&dir.join("alone")));
}

// "a sweep whose study file changed": refused without --force, and nothing is touched. "A run made
// by another version is not taken": it is run again, and that is said.
#[test]
fn changed_study_is_refused_and_runs_of_another_version_are_run_again() {
    let (_keep, dir) = folder();
    let args = ["sweep", "study.toml", "--out", "s"];
    works(&dir, &args);
    let (out, before) = (dir.join("s"), finished(&dir.join("s")));
    fs::write(dir.join("study.toml"), STUDY.replace("4]", "8]")).expect("written");
    let output = setaside(&dir, &args);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("another study"), "{}", stderr(&output));
    assert!(finished(&out) == before);
    fs::write(dir.join("study.toml"), STUDY).expect("written");
    for (key, other) in [("version", "0.0.9"), ("sources", "0123")] {
        let path = out.join("runs/01-2/manifest.json");
        let mut manifest = json(&path);
        manifest[key] = other.into();
        fs::write(&path, manifest.to_string()).expect("written");
        let output = works(&dir, &args);
        let said = stderr(&output);
        assert!(said.contains("2 of 3 runs are finished already"), "{said}");
        assert!(said.contains("1 run is there of another build"), "{said}");
        assert_ne!(json(&path)[key], other);
        assert_eq!(untimed(&finished(&out)), untimed(&before));
    }
    // The same sources are the same program, whatever else was committed.
    let path = out.join("runs/01-2/manifest.json");
    let mut manifest = json(&path);
    manifest["commit"] = "beef".into();
    fs::write(&path, manifest.to_string()).expect("written");
    let said = stderr(&works(&dir, &args));
    assert!(said.contains("3 of 3 runs are finished already"), "{said}");
}
