//! A run directory: whole or not at all, and the same when read back.
mod common;

use common::{TIMES, record};
use std::fs;
use std::path::Path;
use study::{Build, Manifest, StoreError, check_run_dir, read_run, write_run};

fn manifest(wall_seconds: f64) -> Manifest {
    let build = Build {
        version: "0.1.0".into(),
        commit: "abc".into(),
        dirty: true,
    };
    Manifest {
        times: TIMES,
        ..Manifest::new(
            "case-2",
            &build,
            "fast",
            u64::MAX,
            0xfeed,
            wall_seconds,
            &record(1.0),
        )
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
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
    assert_eq!(read.manifest, manifest(2.0));
    assert_eq!(read.scenario_text, "[run]\nseed = 1\n");
    assert_eq!(
        names(&dir),
        [
            "flows.csv",
            "manifest.json",
            "scenario.toml",
            "series.csv",
            "summary.json",
            "windows.csv"
        ]
    );
}

// "`series.csv` [...]: `t_ns` (start of the bin), `delivered_bytes_per_ns`, `saqs_ingress`, `saqs_egress` [...],
// `saqs_ingress_max_port`, `saqs_egress_max_port`, and a column for each group."
#[test]
fn series_has_the_binding_columns() {
    let tmp = tempfile::tempdir().unwrap();
    write_run(&tmp.path().join("run"), "", &manifest(0.0), &record(3.0)).unwrap();
    let text = fs::read_to_string(tmp.path().join("run/series.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port,random_bytes_per_ns,hot_bytes_per_ns"
    );
    assert_eq!(lines.nth(4).unwrap(), "40000,1.5,12,7,2,1,0.5,1");
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
        (
            manifest(2.0).ticks_per_second,
            manifest(2.0).packet_hops_per_second
        ),
        (Some(20_000.0), Some(500.0))
    );
}

#[test]
fn later_run_replaces_the_earlier_one_and_leaves_nothing_beside_it() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "old", &manifest(1.0), &record(1.0)).unwrap();
    fs::write(dir.join("report.html"), "of the old run").unwrap();
    write_run(&dir, "new", &manifest(1.0), &record(2.0)).unwrap();
    assert_eq!(read_run(&dir).unwrap().record, record(2.0));
    assert!(!dir.join("report.html").exists());
    assert_eq!(names(tmp.path()), ["run"]);
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
fn directory_of_something_else_is_not_thrown_away() {
    let tmp = tempfile::tempdir().unwrap();
    for marker in ["thesis.tex", "manifest.json"] {
        let dir = tmp.path().join(marker);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(marker), "precious").unwrap();
        assert!(matches!(
            write_run(&dir, "", &manifest(1.0), &record(1.0)),
            Err(StoreError::NotARun { .. })
        ));
        assert_eq!(fs::read_to_string(dir.join(marker)).unwrap(), "precious");
    }
    let empty = tmp.path().join("empty");
    fs::create_dir(&empty).unwrap();
    write_run(&empty, "", &manifest(1.0), &record(1.0)).unwrap();
    assert!(matches!(
        write_run(Path::new("/"), "", &manifest(1.0), &record(1.0)),
        Err(StoreError::NoName { .. })
    ));
}

// A directory that cannot be written is refused before a run spends its time.
#[test]
fn directory_is_looked_at_before_the_run() {
    let tmp = tempfile::tempdir().unwrap();
    check_run_dir(&tmp.path().join("a/b/run")).unwrap();
    assert_eq!(names(&tmp.path().join("a/b")), Vec::<String>::new());
    fs::write(tmp.path().join("file"), "").unwrap();
    for wrong in ["file", "file/run", "."] {
        assert!(check_run_dir(&tmp.path().join(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn damaged_file_is_named_with_its_fault() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = tmp.path().join("run");
    write_run(&dir, "", &manifest(1.0), &record(1.0)).unwrap();
    let series = fs::read_to_string(dir.join("series.csv")).unwrap();
    for (text, fault) in [
        (
            series.replace("t_ns", "t_us"),
            "expected to begin with `t_ns,",
        ),
        (series.replace("12,7", "12,x"), "line 6: `x`"),
        (
            series.replace("hot_bytes_per_ns", "hot"),
            "`hot` does not end in `_bytes_per_ns`",
        ),
        (String::new(), "expected to begin"),
    ] {
        fs::write(dir.join("series.csv"), text).unwrap();
        let message = read_run(&dir).unwrap_err().to_string();
        assert!(
            message.contains("series.csv") && message.contains(fault),
            "{message}"
        );
    }
    fs::remove_file(dir.join("summary.json")).unwrap();
    assert!(
        read_run(&dir)
            .unwrap_err()
            .to_string()
            .contains("summary.json")
    );
}
