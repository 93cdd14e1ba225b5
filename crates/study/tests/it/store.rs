//! A run directory: whole or not at all, and the same when read back.
use crate::common::{TIMES, record};
use observe::Record;
use std::fs;
use std::path::Path;
use study::{Build, Manifest, PAGE_MARK, RunDir, RunFiles, StoreError, read_run};

fn manifest(wall_seconds: f64) -> Manifest {
    let build = Build {
        version: "0.1.0".into(),
        commit: "abc".into(),
        dirty: true,
        sources: "00ab".into(),
    };
    Manifest {
        times: TIMES,
        ..Manifest::new("case-2", &build, "fast", u64::MAX, HASH, wall_seconds, &record(1.0))
    }
}

const HASH: u64 = 0xfeed;

fn write_run(
    dir: &Path,
    scenario_text: &str,
    manifest: &Manifest,
    record: &Record,
) -> Result<(), StoreError> {
    write_with(dir, false, scenario_text, manifest, record, &[])
}

fn write_with(
    dir: &Path,
    force: bool,
    scenario_text: &str,
    manifest: &Manifest,
    record: &Record,
    more: &[(&'static str, Vec<u8>)],
) -> Result<(), StoreError> {
    let names: Vec<&str> = more.iter().map(|(name, _)| *name).collect();
    let hash = u64::from_str_radix(&manifest.hash, 16).unwrap();
    RunDir::take(dir, hash, force, &names)?.write(&RunFiles {
        scenario_text,
        manifest,
        record,
        more,
    })
}

/// Of the run of another scenario.
fn other() -> Manifest {
    Manifest { hash: format!("{:016x}", HASH + 1), ..manifest(1.0) }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn run_reads_back_as_written() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("a/b/run");
    let mut written = record(44.1 / 7.0);
    written.series[3].delivered_bytes_per_ns = 0.1 + 0.2; // 0.30000000000000004: all digits count
    written.series[4].delivered_bytes_per_ns = 5e-324;
    write_run(&dir, "[run]\nseed = 1\n", &manifest(2.0), &written).unwrap();
    let read = read_run(&dir).unwrap();
    assert_eq!(read.record, written);
    let files =
        ["scenario.toml", "series.csv", "flows.csv", "latency.csv", "windows.csv", "summary.json"];
    assert_eq!(read.manifest.digest.len(), 16);
    let expected = Manifest {
        files: files.map(String::from).to_vec(),
        digest: read.manifest.digest.clone(),
        ..manifest(2.0)
    };
    assert_eq!(read.manifest, expected);
    assert_eq!(read.manifest.digest.len(), 16);
    assert_eq!(read.scenario_text, "[run]\nseed = 1\n");
    assert_eq!(
        names(&dir),
        [
            "flows.csv",
            "latency.csv",
            "manifest.json",
            "scenario.toml",
            "series.csv",
            "summary.json",
            "windows.csv"
        ]
    );
}

// "`series.csv` [...]: `t_ns` (start of the bin), `delivered_bytes_per_ns`, `saqs_ingress`,
// `saqs_egress` [...], `saqs_ingress_max_port`, `saqs_egress_max_port`, and a column for each
// group."
#[test]
fn series_has_the_binding_columns() {
    let tmp = tempfile::tempdir().unwrap();
    write_run(&tmp.path().join("run"), "", &manifest(0.0), &record(3.0)).unwrap();
    let text = fs::read_to_string(tmp.path().join("run/series.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "t_ns,delivered_bytes_per_ns,offered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port,victims_bytes_per_ns,victims_offered_bytes_per_ns,random_bytes_per_ns,hot_bytes_per_ns"
    );
    assert_eq!(lines.nth(4).unwrap(), "40000,1.5,3,12,7,2,1,0.5,1,0.5,1");
    let flows = fs::read_to_string(tmp.path().join("run/flows.csv")).unwrap();
    assert_eq!(
        flows,
        "source,destination,packets,bytes,bytes_measured,starved\n0,1,10,640,320,false\n1,0,3,192,0,true\n"
    );
}

#[test]
fn clock_that_stood_still_gives_null_rates() {
    assert_eq!(manifest(0.0).ticks_per_second, None);
    assert_eq!(
        (manifest(2.0).ticks_per_second, manifest(2.0).packet_hops_per_second),
        (Some(20_000.0), Some(500.0))
    );
}

#[test]
fn later_run_replaces_the_earlier_one_with_its_page_and_leaves_nothing_beside_it() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let more = [("trees.json", b"{}".to_vec())];
    write_with(&dir, false, "old", &manifest(1.0), &record(1.0), &more).unwrap();
    study::write_page(&dir, &format!("<head>{PAGE_MARK}</head>")).unwrap();
    assert!(dir.join("report.html").exists());
    write_run(&dir, "new", &manifest(1.0), &record(2.0)).unwrap();
    let read = read_run(&dir).unwrap();
    assert_eq!((read.record, read.scenario_text.as_str()), (record(2.0), "new"));
    assert!(!dir.join("report.html").exists() && !dir.join("trees.json").exists());
    assert_eq!(names(&dir).len(), 7);
    assert_eq!(names(tmp.path()), ["run"]);
}

// "files that are not its own are never touched": not their bytes, not their time, not their inode;
// with `force` neither.
#[test]
fn files_of_others_stay_where_they_are() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
    fs::create_dir(dir.join("thesis")).unwrap();
    let mine = ["notes.txt", "thesis/summary.json", "report.html", ".hidden"];
    for name in mine {
        fs::write(dir.join(name), "mine").unwrap();
    }
    let look = || {
        mine.map(|name| {
            (crate::common::identity(&dir.join(name)), fs::read(dir.join(name)).unwrap())
        })
    };
    let before = look();
    write_run(&dir, "", &manifest(1.0), &record(2.0)).unwrap();
    assert_eq!(look(), before);
    write_with(&dir, true, "", &other(), &record(3.0), &[]).unwrap();
    assert_eq!(look(), before);
    assert_eq!(read_run(&dir).unwrap().record, record(3.0));
    assert_eq!(names(&dir).len(), 7 + mine.len());
}

// A file of others that has the name of one of the run is not replaced either: the run is refused
// before it spends its time.
#[test]
fn file_of_others_with_a_name_of_the_run_is_refused_even_with_force() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
    fs::write(dir.join("trees.json"), "mine").unwrap();
    for force in [false, true] {
        let error = RunDir::take(&dir, HASH, force, &["trees.json"]).unwrap_err();
        assert!(
            matches!(&error, StoreError::InTheWay { path } if path.ends_with("run/trees.json")),
            "{error}"
        );
    }
    fs::write(dir.join("report.html"), "<html>mine</html>").unwrap();
    let error = study::write_page(&dir, PAGE_MARK).unwrap_err();
    assert!(matches!(error, StoreError::InTheWay { .. }), "{error}");
    assert_eq!(fs::read_to_string(dir.join("report.html")).unwrap(), "<html>mine</html>");
    for name in ["summary.json", "manifest.json"] {
        let dir = tmp.path().join(format!("with-{name}"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(name), "{}").unwrap();
        let error = RunDir::take(&dir, HASH, true, &[]).unwrap_err();
        assert!(matches!(error, StoreError::InTheWay { .. }), "{error}");
        assert_eq!(names(&dir), [name]);
    }
}

// "refuse unless it is a run of the same scenario or `--force`"
#[test]
fn run_of_another_scenario_is_replaced_with_force_only() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "a", &manifest(1.0), &record(1.0)).unwrap();
    let error = write_run(&dir, "b", &other(), &record(2.0)).unwrap_err();
    assert!(
        matches!(&error, StoreError::OtherRun { found, hash, .. } if found == "000000000000feed" && hash == "000000000000feee"),
        "{error}"
    );
    assert!(error.to_string().contains("--force"), "{error}");
    assert_eq!(read_run(&dir).unwrap().scenario_text, "a");
    write_with(&dir, true, "b", &other(), &record(2.0), &[]).unwrap();
    assert_eq!(read_run(&dir).unwrap().scenario_text, "b");
}

#[test]
fn second_writer_is_refused_while_the_first_is_at_work() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    let first = RunDir::take(&dir, HASH, false, &[]).unwrap();
    for force in [false, true] {
        let error = RunDir::take(&tmp.path().join("x/../run/"), HASH, force, &[]).unwrap_err();
        let holder = std::process::id().to_string();
        assert!(
            matches!(&error, StoreError::Locked { holder: found, .. } if *found == holder),
            "{error}"
        );
    }
    drop(first);
    RunDir::take(&dir, HASH, false, &[]).unwrap();
    assert_eq!(names(tmp.path()), ["x"]);
}

#[cfg(unix)]
mod names_of_the_system {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    // "A symlink as --out is replaced by a directory": it is followed, also where it leads to what
    // is not there yet.
    #[test]
    fn symbolic_links_are_followed() {
        let tmp = tempfile::tempdir().unwrap();
        fs::create_dir(tmp.path().join("disk")).unwrap();
        let (link, target) = (tmp.path().join("link"), tmp.path().join("disk/run"));
        std::os::unix::fs::symlink("disk/run", &link).unwrap();
        for (level, given) in [(1.0, "link"), (2.0, "link/"), (3.0, "disk/run")] {
            write_run(&tmp.path().join(given), "", &manifest(1.0), &record(level)).unwrap();
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
    #[test]
    fn names_need_not_be_text() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join(OsStr::from_bytes(b"r\xffn"));
        write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
        fs::write(dir.join("notes.txt"), "mine").unwrap();
        write_run(&dir, "", &manifest(1.0), &record(2.0)).unwrap();
        assert_eq!(read_run(&dir).unwrap().record, record(2.0));
        let found: Vec<_> =
            fs::read_dir(tmp.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(found, [OsStr::from_bytes(b"r\xffn")]);
    }
}

#[test]
fn run_that_cannot_be_written_leaves_the_earlier_one() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "old", &manifest(1.0), &record(1.0)).unwrap();
    let mut ragged = record(2.0);
    ragged.series[5].groups.pop(); // a row without the column of a group cannot be written
    assert!(matches!(
        write_run(&dir, "new", &manifest(1.0), &ragged),
        Err(StoreError::Malformed { .. })
    ));
    assert_eq!(read_run(&dir).unwrap().scenario_text, "old");
    assert_eq!(names(tmp.path()), ["run"]);
}

#[test]
fn directory_of_something_else_is_refused_and_with_force_written_into() {
    let tmp = tempfile::tempdir().unwrap();
    for marker in ["thesis.tex", ".git"] {
        let dir = tmp.path().join(marker);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(marker), "precious").unwrap();
        assert!(matches!(
            write_run(&dir, "", &manifest(1.0), &record(1.0)),
            Err(StoreError::NotARun { .. })
        ));
        assert_eq!(names(&dir), [marker]);
        write_with(&dir, true, "", &manifest(1.0), &record(1.0), &[]).unwrap();
        assert_eq!(fs::read_to_string(dir.join(marker)).unwrap(), "precious");
        assert_eq!(read_run(&dir).unwrap().record, record(1.0));
    }
    let empty = tmp.path().join("empty");
    fs::create_dir(&empty).unwrap();
    write_run(&empty, "", &manifest(1.0), &record(1.0)).unwrap();
    assert!(matches!(
        write_run(Path::new("/"), "", &manifest(1.0), &record(1.0)),
        Err(StoreError::NoName { .. })
    ));
}

// What a manifest lists may be replaced; one that was tampered with reaches no further than its
// directory.
#[test]
fn manifest_that_was_tampered_with_reaches_no_other_directory() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
    fs::write(tmp.path().join("precious"), "mine").unwrap();
    fs::create_dir(dir.join("sub")).unwrap();
    fs::write(dir.join("sub/precious"), "mine").unwrap();
    let path = dir.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let listed = r#""files": ["../precious", "/", "", ".", "..", "sub/precious", "sub/.","#;
    fs::write(&path, text.replacen(r#""files": ["#, listed, 1)).unwrap();
    write_run(&dir, "", &manifest(1.0), &record(2.0)).unwrap();
    assert_eq!(read_run(&dir).unwrap().record, record(2.0));
    for path in ["precious", "run/sub/precious"] {
        assert_eq!(fs::read_to_string(tmp.path().join(path)).unwrap(), "mine");
    }
}

// A directory that cannot be written is refused before a run spends its time.
#[test]
fn directory_is_looked_at_before_the_run() {
    let tmp = tempfile::tempdir().unwrap();
    let take = |name: &str| RunDir::take(&tmp.path().join(name), HASH, false, &[]);
    drop(take("a/b/run").unwrap());
    assert_eq!(names(&tmp.path().join("a/b")), Vec::<String>::new());
    fs::write(tmp.path().join("file"), "").unwrap();
    for wrong in ["file", "file/run", "."] {
        assert!(take(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn damaged_file_is_named_with_its_fault() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
    let series = fs::read_to_string(dir.join("series.csv")).unwrap();
    for (text, fault) in [
        (series.replace("t_ns", "t_us"), "expected to begin with `t_ns,"),
        (series.replace("12,7", "12,x"), "line 6: `x`"),
        (series.replace("hot_bytes_per_ns", "hot"), "`hot` does not end in `_bytes_per_ns`"),
        (String::new(), "expected to begin"),
    ] {
        fs::write(dir.join("series.csv"), text).unwrap();
        let message = read_run(&dir).unwrap_err().to_string();
        assert!(message.contains("series.csv") && message.contains(fault), "{message}");
    }
    fs::remove_file(dir.join("summary.json")).unwrap();
    assert!(read_run(&dir).unwrap_err().to_string().contains("summary.json"));
}
