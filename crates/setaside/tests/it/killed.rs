//! The program is killed at any moment, or the disk is full: what lies there is a whole run or
//! none, and the next start works.

use crate::common::{Files, Folder, Ran, STUDY, folder, names, send, whole_run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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

/// How long it takes where `out` is not there, the shortest of some times.
fn time_of(dir: &Folder, line: &str, out: Option<&str>) -> Duration {
    let times = (0..5).map(|_| {
        out.iter().for_each(|out| fs::remove_dir_all(dir.join(out)).expect("it is there"));
        let start = Instant::now();
        dir.works(line);
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
    let dir = folder();
    let line = "run tiny.toml --record --out new/r";
    dir.works(line);
    let whole = dir.whole_run("new/r").expect("a run");
    assert!(whole.iter().any(|(name, bytes)| name == "trees.json" && bytes.len() > 1_000));
    let time = time_of(&dir, line, Some("new"));
    let (mut moments, mut cut) = (Moments(1), 0);
    for _ in 0..TIMES {
        let _ = fs::remove_dir_all(dir.join("new/r"));
        cut += usize::from(dir.killed(line, moments.next(time)));
        assert!(!dir.has("new/r") || dir.whole_run("new/r").as_ref() == Some(&whole));
    }
    dir.works(line);
    assert_eq!(dir.whole_run("new/r"), Some(whole));
    assert_eq!(names(&dir.join("new")), ["r"], "nothing partial is left");
    enough(cut, TIMES);
}

#[test]
fn replaced_run_is_the_old_one_the_new_one_or_none_and_files_of_others_stay() {
    const TIMES: usize = 160;
    let dir = folder();
    let lines =
        ["--record", "--seed 2"].map(|more| format!("run tiny.toml --force --out r {more}"));
    let whole = lines.each_ref().map(|line| {
        dir.works(line);
        dir.whole_run("r").expect("a run")
    });
    assert!(whole[0].len() > whole[1].len() && whole[0][0] != whole[1][0]);
    dir.write("r/notes.txt", "mine");
    let time = time_of(&dir, &lines[0], None);
    let (mut moments, mut cut) = (Moments(2), 0);
    for turn in 0..TIMES {
        cut += usize::from(dir.killed(&lines[turn % 2], moments.next(time)));
        let found = dir.whole_run("r");
        assert!(found.is_none_or(|found| whole.contains(&found)), "turn {turn}: a mixture");
        assert_eq!(dir.text("r/notes.txt"), "mine", "turn {turn}");
    }
    for (line, whole) in lines.iter().zip(&whole) {
        dir.works(line);
        assert_eq!(dir.whole_run("r").as_ref(), Some(whole));
        assert_eq!(names(&dir.join("r")).len(), whole.len() + 2, "nothing else is left");
    }
    assert_eq!(names(&dir), ["r", "study.toml", "tiny.toml"]);
    enough(cut, TIMES);
}

/// Finished runs of a sweep by name: files without the times, and the summary.
pub(crate) type Runs = BTreeMap<String, (Files, Vec<u8>)>;

/// What a killed sweep left finished, by name: the files of each run, its `summary.json` to the
/// byte, times and all.
pub(crate) fn finished(out: &Path) -> Runs {
    let runs = out.join("runs");
    if !runs.exists() {
        return Runs::new();
    }
    let dirs = names(&runs).into_iter().filter(|name| !name.starts_with('.'));
    dirs.filter_map(|name| {
        let files = whole_run(&runs.join(&name))?;
        let summary = fs::read(runs.join(&name).join("summary.json")).expect("whole");
        Some((name, (files, summary)))
    })
    .collect()
}

/// Of a run the files without the times.
pub(crate) fn untimed(runs: &Runs) -> Vec<(&String, &Files)> {
    runs.iter().map(|(name, (files, _))| (name, files)).collect()
}

/// What a sweep says over all runs.
pub(crate) fn tables(out: &Path) -> Vec<Vec<u8>> {
    let names = ["results.csv", "results.json", "windows.csv"];
    names.map(|name| fs::read(out.join(name)).expect("a table")).into()
}

#[test]
fn killed_sweep_keeps_whole_runs_and_starts_again() {
    const TIMES: usize = 120;
    let dir = folder();
    let line = "sweep study.toml --out s --jobs 2";
    dir.works(line);
    let out = dir.join("s");
    let whole = finished(&out);
    let results = dir.text("s/results.csv");
    let time = time_of(&dir, line, Some("s")); // finished runs would not be run again
    let (mut moments, mut cut) = (Moments(3), 0);
    for turn in 0..TIMES {
        if turn % 3 == 0 {
            let _ = fs::remove_dir_all(&out);
        }
        cut += usize::from(dir.killed(line, moments.next(time)));
        // every point is whole or not there
        let found = finished(&out);
        assert!(found.iter().all(|(name, (files, _))| whole[name].0 == *files), "turn {turn}");
        if dir.has("s/manifest.json") {
            let manifest = dir.json("s/manifest.json");
            if manifest["finished"] == manifest["runs"] {
                assert_eq!(found.len(), whole.len(), "turn {turn}: it says that all are finished");
                assert_eq!(dir.text("s/results.csv"), results);
            }
        }
        if dir.has("s/results.json") {
            dir.json("s/results.json");
        }
    }
    dir.works(line);
    assert_eq!(untimed(&finished(&out)), untimed(&whole));
    assert_eq!(dir.text("s/results.csv"), results);
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
fn limited(dir: &Folder, blocks: u32, kill: bool, line: &str) -> Option<Ran> {
    let trap = if kill { "" } else { "trap '' XFSZ; " };
    let mut shell = Command::new("sh");
    shell.current_dir(&**dir).arg("-c");
    shell.arg(format!("{trap}ulimit -f {blocks}; exec \"$0\" {line}"));
    let output = shell.arg(env!("CARGO_BIN_EXE_setaside")).output().expect("it starts");
    output.status.code().map(|_| output.into())
}

/// Every kind of a full disk that leaves less than so many blocks.
fn full_disks(most: u32) -> impl Iterator<Item = (bool, u32)> {
    let blocks = [0, 1, 2, 4, 8, 16, 32, 64, 128, 100_000];
    let of = move |kill| blocks.into_iter().filter(move |b| *b <= most).map(move |b| (kill, b));
    [false, true].into_iter().flat_map(of)
}

// "a full disk leaves no complete-looking run": whichever file does not fit any more.
#[test]
fn full_disk_leaves_no_run() {
    let dir = folder();
    dir.works("run tiny.toml --record --out whole");
    let whole = dir.whole_run("whole");
    let (mut failed, mut worked) = (0, 0);
    for (kill, blocks) in full_disks(100_000) {
        let ran = limited(&dir, blocks, kill, "run tiny.toml --record --out r");
        assert!(kill || ran.is_some(), "{blocks}: a signal");
        if ran.as_ref().is_some_and(|ran| ran.exit == 0) {
            assert_eq!(dir.whole_run("r"), whole, "{blocks}");
            fs::remove_dir_all(dir.join("r")).expect("it is there");
            worked += 1;
            continue;
        }
        failed += 1;
        assert!(!dir.has("r"), "{blocks}");
        if let (false, Some(ran)) = (kill, ran) {
            assert_eq!(ran.exit, 1, "{blocks}: {}", ran.stderr);
            assert!(ran.stderr.contains("error: "), "{}", ran.stderr);
            let left = ["study.toml", "tiny.toml", "whole"];
            assert_eq!(names(&dir), left, "nothing partial is left");
        }
    }
    assert!(failed >= 8 && worked >= 2, "{failed} {worked}");
}

#[test]
fn full_disk_leaves_the_earlier_run() {
    let dir = folder();
    dir.works("run tiny.toml --record --out r");
    dir.write("r/notes.txt", "mine");
    let earlier = dir.whole_run("r");
    let other = "run tiny.toml --seed 2 --force --out r";
    for (kill, blocks) in full_disks(4) {
        let ran = limited(&dir, blocks, kill, other);
        assert!(kill || ran.is_some(), "{blocks}: a signal");
        assert!(ran.is_none_or(|ran| ran.exit != 0), "{blocks}");
        assert_eq!(dir.whole_run("r"), earlier, "{blocks}");
    }
    dir.works(other);
    assert_ne!(dir.whole_run("r"), earlier);
    assert_eq!(names(&dir.join("r")).len(), 8);
}

// "a full disk or unwritable folder in the middle": what is finished stays, whichever file does not
// fit any more, and no sweep looks finished.
#[test]
fn full_disk_keeps_finished_runs() {
    let dir = folder();
    let (line, out) = ("sweep study.toml --out s", dir.join("s"));
    dir.works("sweep study.toml --out alone");
    for already in [0, 2] {
        let _ = fs::remove_dir_all(&out);
        if already > 0 {
            dir.works(&format!("{line} --max-runs {already}"));
        }
        let before = finished(&out);
        assert_eq!(before.len(), already);
        for (kill, blocks) in full_disks(8) {
            match limited(&dir, blocks, kill, line) {
                Some(ran) if blocks >= 4 && already > 0 && !kill => {
                    assert_eq!(ran.exit, 1);
                    let said = "no room left: 2 of 3 runs are finished";
                    assert!(ran.stderr.contains(said), "{}", ran.stderr);
                }
                ran => {
                    assert!(kill || ran.is_some(), "{blocks}: a signal");
                    assert!(ran.is_none_or(|ran| ran.exit != 0), "{blocks}");
                }
            }
            let after = finished(&out);
            assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
            if dir.has("s/manifest.json") {
                assert_ne!(dir.json("s/manifest.json")["finished"], 3);
            }
        }
        dir.works(line);
        assert_eq!(dir.json("s/manifest.json")["finished"], 3);
        let after = finished(&out);
        assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
        assert_eq!(untimed(&after), untimed(&finished(&dir.join("alone"))));
        assert!(tables(&out) == tables(&dir.join("alone")));
    }
}

/// Whether the tests were started to ignore SIGINT, as a shell starts what a script puts into the
/// background; then it stays ignored.
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> 1 & 1 == 1)
}

/// Waits until a child has come so far.
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_there() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", child.try_wait());
        std::thread::sleep(Duration::from_millis(5));
    }
}

// "SIGTERM/SIGINT keep what is finished": the points that are stored when the signal comes, with a
// table of them.
#[test]
fn interrupted_sweep_keeps_what_is_finished() {
    let dir = folder();
    let study = "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\n[[zip]]\n\"run.duration_ns\" = [5_000, 500_000_000]\n\"run.seed\" = [1, 2]\n";
    dir.write("study.toml", study);
    let heard = if ignores_interrupts() { 1 } else { 2 };
    for signal in ["-TERM", "-INT"].into_iter().take(heard) {
        let mut child = dir.start("sweep study.toml --out s --jobs 1 --force");
        let first = "s/runs/00-5000-1";
        // The manifest of the sweep says 0 until the first run of this start is stored.
        let is_stored = || dir.has(&format!("{first}/manifest.json")) && dir.has("s/results.json");
        wait_for(&mut child, is_stored);
        std::thread::sleep(Duration::from_millis(200));
        send(signal, &child);
        assert_eq!(child.wait().expect("a state").code(), Some(130), "{signal}");
        let manifest = dir.json("s/manifest.json");
        assert_eq!((&manifest["finished"], &manifest["runs"]), (&1.into(), &2.into()));
        assert!(dir.whole_run(first).is_some());
        let results = dir.json("s/results.json");
        assert_eq!(results["runs"][0]["status"], "ok");
        assert_eq!(results["runs"][1]["status"], "not run");
        assert!(!dir.has("s/sweep.lock"));
    }
    dir.works("report s");
}

// "Finished runs of the same study and version stay, whatever happens next": Ctrl-C, a second
// Ctrl-C while the same sweep is repeated, kill -9, one after the other. "The results of an
// interrupted and repeated sweep equal those of an uninterrupted one byte for byte."
#[test]
fn finished_runs_outlive_every_further_cut() {
    let dir = folder();
    // 8 runs of some tenths of a second
    let study = format!("{STUDY}\"run.seed\" = [1, 2]\n[set]\n\"run.duration_ns\" = 400_000\n");
    dir.write("study.toml", study.replace("[1, 2, 4]", "[1, 2, 4, 8]"));
    dir.works("sweep study.toml --out alone --jobs 1");
    let (whole, results) = (finished(&dir.join("alone")), tables(&dir.join("alone")));
    assert_eq!(whole.len(), 8);
    // a derived run takes no time in which to be cut
    let line = "sweep study.toml --out s --jobs 1 --no-derive";
    let out = dir.join("s");
    let interrupt = if ignores_interrupts() { "-TERM" } else { "-INT" };
    let mut before = BTreeMap::new();
    for (signal, stop) in [(interrupt, 2), (interrupt, 3), ("-KILL", 5), (interrupt, 6)] {
        let mut command = dir.program(line);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        wait_for(&mut child, || finished(&out).len() >= stop);
        send(signal, &child);
        let output = child.wait_with_output().expect("a state");
        let after = finished(&out);
        let cut = after.len();
        assert!((stop..8).contains(&cut), "{signal}: {cut} runs, cut too late");
        for (name, run) in &before {
            assert!(after.get(name) == Some(run), "{signal}: {name} is lost or was run again");
        }
        if signal != "-KILL" {
            let ran = Ran::from(output);
            let said = format!("{cut} of 8 runs are finished and stay");
            assert!(ran.exit == 130 && ran.stderr.contains(&said), "{}", ran.stderr);
            assert_eq!(dir.json("s/manifest.json")["finished"], cut);
        }
        before = after;
    }
    dir.ends(0, line, &[&format!("{} of 8 runs are finished already", before.len())]);
    let after = finished(&out);
    assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
    assert_eq!(untimed(&after), untimed(&whole));
    assert!(tables(&out) == results);
    // Once more: nothing is left to run, and nothing changes.
    dir.works(line);
    assert!(finished(&out) == after && tables(&out) == results);
}

// "a sweep whose study file changed": refused without --force, and nothing is touched. "A run made
// by another version is not taken": it is run again, and that is said.
#[test]
fn changed_study_is_refused_and_runs_of_another_version_are_run_again() {
    let dir = folder();
    let line = "sweep study.toml --out s";
    dir.works(line);
    let (out, before) = (dir.join("s"), finished(&dir.join("s")));
    dir.write("study.toml", STUDY.replace("4]", "8]"));
    dir.ends(2, line, &["another study"]);
    assert!(finished(&out) == before);
    dir.write("study.toml", STUDY);
    let path = "s/runs/01-2/manifest.json";
    let change = |key: &str, other: &str| {
        let mut manifest = dir.json(path);
        manifest[key] = other.into();
        dir.write(path, manifest.to_string());
    };
    for (key, other) in [("version", "0.0.9"), ("sources", "0123")] {
        change(key, other);
        let says = ["2 of 3 runs are finished already", "1 run is there of another build"];
        dir.ends(0, line, &says);
        assert_ne!(dir.json(path)[key], other);
        assert_eq!(untimed(&finished(&out)), untimed(&before));
    }
    // The same sources are the same program, whatever else was committed.
    change("commit", "beef");
    dir.ends(0, line, &["3 of 3 runs are finished already"]);
}
