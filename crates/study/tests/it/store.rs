//! A run directory: whole or not at all, and the same when read back.
use crate::common::{TIMES, is_in_the_way, names, record};
use observe::Record;
use std::fs;
use std::path::Path;
use study::{Build, Manifest, PAGE_MARK, RunDir, RunFiles, StoreError, read_run};

const HASH: u64 = 0xfeed;

fn manifest(hash: u64, wall_seconds: f64) -> Manifest {
    let text = String::from;
    let [version, commit, sources] = ["0.1.0", "abc", "00ab"].map(text);
    let build = Build { version, commit, dirty: true, sources };
    let record = record(1.0);
    let run = Manifest::new("case-2", &build, "fast", u64::MAX, hash, wall_seconds, &record);
    Manifest { times: TIMES, ..run }
}

/// Writes a run of the scenario with this hash.
fn write_with(
    dir: &Path,
    (hash, force): (u64, bool),
    scenario_text: &str,
    record: &Record,
    more: &[(&'static str, Vec<u8>)],
) -> Result<(), StoreError> {
    let names: Vec<&str> = more.iter().map(|(name, _)| *name).collect();
    let manifest = &manifest(hash, 2.0);
    let files = RunFiles { scenario_text, manifest, record, more };
    RunDir::take(dir, hash, force, &names)?.write(&files)
}

fn write(dir: &Path, level: f64) -> Result<(), StoreError> {
    write_with(dir, (HASH, false), "", &record(level), &[])
}

#[test]
fn run_reads_back_as_written() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("a/b/run");
    let mut written = record(44.1 / 7.0);
    written.series[3].delivered_bytes_per_ns = 0.1 + 0.2; // 0.30000000000000004: all digits count
    written.series[4].delivered_bytes_per_ns = 5e-324;
    write_with(&dir, (HASH, false), "[run]\nseed = 1\n", &written, &[]).unwrap();
    let read = read_run(&dir).unwrap();
    assert_eq!((read.record, read.scenario_text.as_str()), (written, "[run]\nseed = 1\n"));
    let csv = ["series.csv", "flows.csv", "latency.csv", "windows.csv"];
    let files = [&["scenario.toml"], &csv[..], &["summary.json"]].concat();
    let mut files: Vec<String> = files.into_iter().map(String::from).collect();
    let digest = read.manifest.digest.clone();
    assert_eq!(digest.len(), 16);
    assert_eq!(read.manifest, Manifest { files: files.clone(), digest, ..manifest(HASH, 2.0) });
    files.push("manifest.json".into());
    files.sort();
    assert_eq!(names(&dir), files);
}

#[test]
fn clock_that_stood_still_gives_null_rates() {
    let rates = |wall_seconds| {
        let run = manifest(HASH, wall_seconds);
        (run.ticks_per_second, run.packet_hops_per_second)
    };
    assert_eq!(rates(0.0), (None, None));
    assert_eq!(rates(2.0), (Some(20_000.0), Some(500.0)));
}

#[test]
fn later_run_replaces_the_earlier_one_with_its_page_and_leaves_nothing_beside_it() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let more = [("trees.json", b"{}".to_vec())];
    write_with(&dir, (HASH, false), "old", &record(1.0), &more).unwrap();
    study::write_page(&dir, &format!("<head>{PAGE_MARK}</head>")).unwrap();
    assert!(dir.join("report.html").exists());
    write_with(&dir, (HASH, false), "new", &record(2.0), &[]).unwrap();
    let read = read_run(&dir).unwrap();
    assert_eq!((read.record, read.scenario_text.as_str()), (record(2.0), "new"));
    assert!(!dir.join("report.html").exists() && !dir.join("trees.json").exists());
    assert_eq!((names(&dir).len(), names(tmp.path())), (7, vec!["run".into()]));
}

// "files that are not its own are never touched": not their bytes, not their time, not their inode;
// with `force` neither.
#[test]
fn files_of_others_stay_where_they_are() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write(&dir, 1.0).unwrap();
    fs::create_dir(dir.join("thesis")).unwrap();
    let mine = ["notes.txt", "thesis/summary.json", "report.html", ".hidden"];
    let mine = mine.map(|name| dir.join(name));
    mine.iter().for_each(|path| fs::write(path, "mine").unwrap());
    let state =
        || mine.each_ref().map(|path| (crate::common::identity(path), fs::read(path).unwrap()));
    let before = state();
    write(&dir, 2.0).unwrap();
    assert_eq!(state(), before);
    write_with(&dir, (HASH + 1, true), "", &record(3.0), &[]).unwrap();
    assert_eq!(state(), before);
    assert_eq!(read_run(&dir).unwrap().record, record(3.0));
    assert_eq!(names(&dir).len(), 7 + mine.len());
}

// Nor is a file of others with the name of one of the run: refused before time is spent.
#[test]
fn file_of_others_with_a_name_of_the_run_is_refused_even_with_force() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write(&dir, 1.0).unwrap();
    fs::write(dir.join("trees.json"), "mine").unwrap();
    for force in [false, true] {
        let error = RunDir::take(&dir, HASH, force, &["trees.json"]).unwrap_err();
        assert!(is_in_the_way(&error, "run/trees.json"), "{error}");
    }
    fs::write(dir.join("report.html"), "<html>mine</html>").unwrap();
    let error = study::write_page(&dir, PAGE_MARK).unwrap_err();
    assert!(is_in_the_way(&error, "report.html"), "{error}");
    assert_eq!(fs::read_to_string(dir.join("report.html")).unwrap(), "<html>mine</html>");
    for name in ["summary.json", "manifest.json"] {
        let dir = tmp.path().join(format!("with-{name}"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(name), "{}").unwrap();
        let error = RunDir::take(&dir, HASH, true, &[]).unwrap_err();
        assert!(is_in_the_way(&error, name), "{error}");
        assert_eq!(names(&dir), [name]);
    }
}

// "refuse unless it is a run of the same scenario or `--force`"
#[test]
fn run_of_another_scenario_is_replaced_with_force_only() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let write = |hash, force, text| write_with(&dir, (hash, force), text, &record(1.0), &[]);
    write(HASH, false, "a").unwrap();
    let error = write(HASH + 1, false, "b").unwrap_err().to_string();
    let other = "run of another scenario (`case-2`, hash `000000000000feed`; this one is \
                 `000000000000feee`); give another directory, or --force";
    assert!(error.contains(other), "{error}");
    assert_eq!(read_run(&dir).unwrap().scenario_text, "a");
    write(HASH + 1, true, "b").unwrap();
    assert_eq!(read_run(&dir).unwrap().scenario_text, "b");
}

#[test]
fn second_writer_is_refused_while_the_first_is_at_work() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let first = RunDir::take(&dir, HASH, false, &[]).unwrap();
    for force in [false, true] {
        let error = RunDir::take(&tmp.path().join("x/../run/"), HASH, force, &[]).unwrap_err();
        let own = std::process::id().to_string();
        assert!(matches!(&error, StoreError::Locked(_, holder) if *holder == own), "{error}");
    }
    drop(first);
    RunDir::take(&dir, HASH, false, &[]).unwrap();
    assert_eq!(names(tmp.path()), ["x"]);
}

// "A symlink as --out is replaced by a directory": it is followed, also where it leads to what is
// not there yet.
#[cfg(unix)]
#[test]
fn symbolic_links_are_followed() {
    let tmp = tempfile::tempdir().unwrap();
    fs::create_dir(tmp.path().join("disk")).unwrap();
    let (link, target) = (tmp.path().join("link"), tmp.path().join("disk/run"));
    std::os::unix::fs::symlink("disk/run", &link).unwrap();
    for (level, given) in [(1.0, "link"), (2.0, "link/"), (3.0, "disk/run")] {
        write(&tmp.path().join(given), level).unwrap();
        assert_eq!(read_run(&target).unwrap().record, record(level));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    assert_eq!(names(tmp.path()), ["disk", "link"]);
    assert_eq!(names(&tmp.path().join("disk")), ["run"]);
    let circle = tmp.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).unwrap();
    assert!(RunDir::take(&circle, HASH, true, &[]).is_err());
}

// "A non-UTF-8 `--out` is written under another name."
#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"r\xffn");
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join(name);
    write(&dir, 1.0).unwrap();
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    write(&dir, 2.0).unwrap();
    assert_eq!(read_run(&dir).unwrap().record, record(2.0));
    let found = fs::read_dir(tmp.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(found.collect::<Vec<_>>(), [name]);
}

#[test]
fn run_that_cannot_be_written_leaves_the_earlier_one() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write(&dir, 1.0).unwrap();
    let mut ragged = record(2.0);
    ragged.series[5].groups.pop(); // a row without the column of a group cannot be written
    let refused = write_with(&dir, (HASH, false), "new", &ragged, &[]);
    assert!(matches!(refused, Err(StoreError::Malformed(..))));
    assert_eq!(read_run(&dir).unwrap().record, record(1.0));
    assert_eq!(names(tmp.path()), ["run"]);
}

#[test]
fn directory_of_something_else_is_refused_and_with_force_written_into() {
    let tmp = tempfile::tempdir().unwrap();
    for marker in ["thesis.tex", ".git"] {
        let dir = tmp.path().join(marker);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(marker), "precious").unwrap();
        let error = write(&dir, 1.0).unwrap_err().to_string();
        assert!(error.contains("is not empty and holds no run"), "{error}");
        assert_eq!(names(&dir), [marker]);
        write_with(&dir, (HASH, true), "", &record(1.0), &[]).unwrap();
        assert_eq!(fs::read_to_string(dir.join(marker)).unwrap(), "precious");
        assert_eq!(read_run(&dir).unwrap().record, record(1.0));
    }
    let empty = tmp.path().join("empty");
    fs::create_dir(&empty).unwrap();
    write(&empty, 1.0).unwrap();
    let error = write(Path::new("/"), 1.0).unwrap_err().to_string();
    assert_eq!(error, "/: not a directory that a run can be written to");
}

// What a manifest lists may be replaced; one tampered with reaches no further than its directory.
#[test]
fn manifest_that_was_tampered_with_reaches_no_other_directory() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write(&dir, 1.0).unwrap();
    fs::create_dir(dir.join("sub")).unwrap();
    let precious = ["precious", "run/sub/precious"].map(|name| tmp.path().join(name));
    precious.iter().for_each(|path| fs::write(path, "mine").unwrap());
    let path = dir.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let listed = r#""files": ["../precious", "/", "", ".", "..", "sub/precious", "sub/.","#;
    fs::write(&path, text.replacen(r#""files": ["#, listed, 1)).unwrap();
    write(&dir, 2.0).unwrap();
    assert_eq!(read_run(&dir).unwrap().record, record(2.0));
    precious.iter().for_each(|path| assert_eq!(fs::read_to_string(path).unwrap(), "mine"));
}

// A directory that cannot be written is refused before a run spends its time.
#[test]
fn directory_is_checked_before_the_run() {
    let tmp = tempfile::tempdir().unwrap();
    let take = |name: &str| RunDir::take(&tmp.path().join(name), HASH, false, &[]);
    drop(take("a/b/run").unwrap());
    assert_eq!(names(&tmp.path().join("a/b")), [""; 0]);
    fs::write(tmp.path().join("file"), "").unwrap();
    for wrong in ["file", "file/run", "."] {
        assert!(take(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn damaged_file_is_named_with_its_fault() {
    let tmp = tempfile::tempdir().unwrap();
    let path = |name: &str| tmp.path().join(name);
    write(tmp.path(), 1.0).unwrap();
    let series = fs::read_to_string(path("series.csv")).unwrap();
    for (text, fault) in [
        (series.replace("t_ns", "t_us"), "expected to begin with `t_ns,"),
        (series.replace("12,7", "12,x"), "line 6: `x`"),
        (series.replace("hot_bytes_per_ns", "hot"), "`hot` does not end in `_bytes_per_ns`"),
        (String::new(), "expected to begin"),
    ] {
        fs::write(path("series.csv"), text).unwrap();
        let message = read_run(tmp.path()).unwrap_err().to_string();
        assert!(message.contains("series.csv") && message.contains(fault), "{message}");
    }
    fs::remove_file(path("summary.json")).unwrap();
    assert!(read_run(tmp.path()).unwrap_err().to_string().contains("summary.json"));
}
