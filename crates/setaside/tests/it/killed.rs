//! The program is killed or asked to end, or the disk is full: what lies there is a whole run or
//! none, and the next start works. Death at every change to a file: `study/src/crash_tests.rs`.

use crate::common::{Folder, Ran, STUDY, folder, names, send, start, untimed};
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program with no file above so many 512-byte blocks: a write fails, or `kill`s it.
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

// "a full disk leaves no complete-looking run", and leaves the earlier one: whichever file does not
// fit any more.
#[test]
fn full_disk_leaves_no_part_of_a_run() {
    let dir = folder();
    let line = |out: &str, seed: u32| format!("run tiny.toml --record --seed {seed} --out {out}");
    dir.works(&line("whole", 1));
    dir.works(&line("r/old", 2));
    dir.write("r/old/notes.txt", "mine");
    let [whole, earlier] = ["whole", "r/old"].map(|name| dir.whole_run(name));
    let (mut failed, mut worked) = (0, 0);
    for (kill, blocks) in full_disks(100_000) {
        for out in ["r/old", "r/new"] {
            let ran = limited(&dir, blocks, kill, &(line(out, 1) + " --force"));
            assert!(kill || ran.is_some(), "{blocks}: a signal");
            if ran.as_ref().is_some_and(|ran| ran.exit == 0) {
                assert_eq!(dir.whole_run(out), whole, "{out}, {blocks}");
                worked += 1;
                continue;
            }
            failed += 1;
            if let (false, Some(ran)) = (kill, ran) {
                assert_eq!(ran.exit, 1, "{out}, {blocks}: {}", ran.stderr);
                assert!(ran.stderr.contains("error: "), "{}", ran.stderr);
                assert_eq!(names(&dir.join("r")), ["old"], "nothing partial is left");
            }
        }
        if dir.has("r/new") {
            fs::remove_dir_all(dir.join("r/new")).expect("it is there");
            dir.works(&(line("r/old", 2) + " --force"));
        }
        assert_eq!(dir.whole_run("r/old"), earlier, "{blocks}");
        assert_eq!(dir.text("r/old/notes.txt"), "mine");
    }
    assert!(failed >= 16 && worked >= 4, "{failed} {worked}");
}

// "a full disk or unwritable folder in the middle": what is finished stays, whichever file does not
// fit any more, and no sweep looks finished.
#[test]
fn full_disk_keeps_finished_runs() {
    let dir = folder();
    let line = "sweep study.toml --out s";
    dir.works("sweep study.toml --out alone");
    for already in [0, 2] {
        let _ = fs::remove_dir_all(dir.join("s"));
        if already > 0 {
            dir.works(&format!("{line} --max-runs {already}"));
        }
        let before = dir.finished("s");
        assert_eq!(before.len(), already);
        for (kill, blocks) in full_disks(8) {
            match limited(&dir, blocks, kill, line) {
                Some(ran) if blocks >= 4 && already > 0 && !kill => {
                    assert_eq!(ran.exit, 1);
                    let error = "no room left: 2 of 3 runs are finished";
                    assert!(ran.stderr.contains(error), "{}", ran.stderr);
                }
                ran => {
                    assert!(kill || ran.is_some(), "{blocks}: a signal");
                    assert!(ran.is_none_or(|ran| ran.exit != 0), "{blocks}");
                }
            }
            let after = dir.finished("s");
            assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
            if dir.has("s/manifest.json") {
                assert_ne!(dir.json("s/manifest.json")["finished"], 3);
            }
        }
        dir.works(line);
        assert_eq!(dir.json("s/manifest.json")["finished"], 3);
        let after = dir.finished("s");
        assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
        dir.alike("s", "alone");
    }
}

/// Whether the tests were started to ignore a signal, as in a script's background: they hand it on.
fn is_ignored(signal: &str) -> bool {
    let own = Command::new("sh").args(["-c", &format!("kill {signal} $$")]).status();
    own.is_ok_and(|status| status.success())
}

/// Waits until a child has come so far.
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_there() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", child.try_wait());
        std::thread::sleep(Duration::from_millis(5));
    }
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
    assert_eq!(dir.finished("alone").len(), 8);
    // a derived run takes no time in which to be cut
    let line = "sweep study.toml --out s --jobs 1 --no-derive";
    let interrupt = if is_ignored("-INT") { "-TERM" } else { "-INT" };
    let mut before = BTreeMap::new();
    for (signal, stop) in [(interrupt, 2), (interrupt, 3), ("-KILL", 5), (interrupt, 6)] {
        let mut command = dir.program(line);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        wait_for(&mut child, || dir.finished("s").len() >= stop);
        send(signal, &child);
        let output = child.wait_with_output().expect("a state");
        let after = dir.finished("s");
        let cut = after.len();
        assert!((stop..8).contains(&cut), "{signal}: {cut} runs, cut too late");
        for (name, run) in &before {
            assert!(after.get(name) == Some(run), "{signal}: {name} is lost or was run again");
        }
        if signal != "-KILL" {
            let ran = Ran::from(output);
            let error = format!("{cut} of 8 runs are finished and stay");
            assert!(ran.exit == 130 && ran.stderr.contains(&error), "{}", ran.stderr);
            assert_eq!(dir.json("s/manifest.json")["finished"], cut);
            let results = dir.text("s/results.csv");
            let count = |status: &str| results.matches(status).count();
            assert_eq!((count(",ok,0,"), count(",not run,")), (cut, 8 - cut));
            assert!(!dir.has("s/sweep.lock"));
            dir.works("report s");
        }
        before = after;
    }
    dir.ends(0, line, &[&format!("{} of 8 runs are finished already", before.len())]);
    let after = dir.finished("s");
    assert!(before.iter().all(|(name, run)| after.get(name) == Some(run)));
    dir.alike("s", "alone");
    // Once more: nothing is left to run, and nothing changes.
    dir.works(line);
    assert!(dir.finished("s") == after && dir.tables("s") == dir.tables("alone"));
}

// "a sweep whose study file changed": refused without --force, and nothing is touched. "A run made
// by another version is not taken": it is run again, and that is reported.
#[test]
fn changed_study_is_refused_and_runs_of_another_version_are_run_again() {
    let dir = folder();
    let line = "sweep study.toml --out s";
    dir.works(line);
    let before = dir.finished("s");
    dir.write("study.toml", STUDY.replace("4]", "8]"));
    dir.ends(2, line, &["another study"]);
    assert!(dir.finished("s") == before);
    dir.write("study.toml", STUDY);
    let path = "s/runs/01-2/manifest.json";
    let change = |key: &str, other: &str| {
        let mut manifest = dir.json(path);
        manifest[key] = other.into();
        dir.write(path, manifest.to_string());
    };
    for (key, other) in [("version", "0.0.9"), ("sources", "0123")] {
        change(key, other);
        let parts = ["2 of 3 runs are finished already", "1 run is there of another build"];
        dir.ends(0, line, &parts);
        assert_ne!(dir.json(path)[key], other);
        assert_eq!(untimed(&dir.finished("s")), untimed(&before));
    }
    // The same sources are the same program, whatever else was committed.
    change("commit", "beef");
    dir.ends(0, line, &["3 of 3 runs are finished already"]);
}

/// A run of minutes, once it is at work.
fn at_work(mut child: Child) -> Child {
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    child
}

/// "130 interrupted": a run and a sweep end soon after SIGTERM, with what is finished in place and
/// no lock left; after a hangup that is not ignored too.
#[test]
fn request_to_end_is_met_soon() {
    let dir = folder();
    for (signal, verb) in [("-TERM", "run tiny"), ("-TERM", "sweep study"), ("-HUP", "sweep study")]
    {
        if is_ignored(signal) {
            continue;
        }
        let line = format!("{verb}.toml run.duration_ns=100_000_000 --out out{signal}");
        let mut child = at_work(dir.start(&line));
        let asked = Instant::now();
        send(signal, &child);
        assert_eq!(child.wait().expect("a state").code(), Some(130), "{line}");
        assert!(asked.elapsed().as_secs() < 5, "{line}");
        if verb == "sweep study" {
            let has = |name: &str| dir.has(&format!("out{signal}/{name}"));
            assert!(has("results.csv") && !has("sweep.lock"), "{line}");
        }
    }
}

/// Started to outlive its terminal (`nohup`): a hangup ends nothing, SIGTERM ends it in order.
#[cfg(target_os = "linux")]
#[test]
fn ignored_hangup_stays_ignored() {
    let dir = folder();
    let ignoring = "trap '' HUP; exec \"$0\" run tiny.toml run.duration_ns=100_000_000 --out out";
    let mut shell = Command::new("sh");
    shell.current_dir(&*dir).args(["-c", ignoring, env!("CARGO_BIN_EXE_setaside")]);
    let mut child = at_work(start(&mut shell));
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a state").is_none(), "at work");
    send("-TERM", &child);
    assert_eq!(child.wait().expect("a state").code(), Some(130));
}
