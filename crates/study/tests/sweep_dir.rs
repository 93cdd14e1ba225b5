//! The directory of a sweep holds one sweep of one study, and nothing of others is lost in it.
mod common;

use common::{jobs, record_of};
use std::fs;
use std::path::Path;
use study::{
    Job, LOCK, Quiet, RunFailure, StoreError, SweepError, SweepOptions, SweepResult, run_sweep,
};

fn sweep(out: &Path, hash: u64, jobs: &[Job]) -> Result<SweepResult, SweepError> {
    let options = SweepOptions {
        hash,
        workers: 1,
        name: "s".into(),
        ..SweepOptions::new(out.to_path_buf())
    };
    run_sweep(jobs, &options, |job| Ok(record_of(job)), &Quiet)
}

fn refusal(result: Result<SweepResult, SweepError>) -> StoreError {
    match result {
        Err(SweepError::Store(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn sweep_of_another_study_is_refused_and_the_earlier_one_stays() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    let before = common::all_files(tmp.path());
    let error = refusal(sweep(tmp.path(), 2, &jobs(1)));
    assert!(
        matches!(&error, StoreError::OtherStudy { found, .. } if found == "0000000000000001"),
        "{error}"
    );
    assert_eq!(common::all_files(tmp.path()), before);
}

#[test]
fn directory_of_something_else_is_refused_untouched() {
    let tmp = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("results.csv", "mine"),
        ("manifest.json", "{}"),
        ("runs", "mine"),
    ] {
        let dir = tmp.path().join(format!("with-{name}"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join(name), text).unwrap();
        assert!(
            matches!(
                refusal(sweep(&dir, 1, &jobs(1))),
                StoreError::NotASweep { .. }
            ),
            "{name}"
        );
        assert_eq!(
            common::all_files(&dir),
            [(name.to_string(), text.as_bytes().to_vec())]
        );
    }
}

#[test]
fn same_study_again_leaves_nothing_of_the_earlier_sweep() {
    let tmp = tempfile::tempdir().unwrap();
    let mut earlier = jobs(1);
    earlier[1].directory = "77-an-older-naming".into();
    sweep(tmp.path(), 1, &earlier).unwrap();
    for leftover in [
        ".results.csv.partial-12",
        "runs/.00-1q.partial-12",
        "runs/.00-1q.old-12",
    ] {
        fs::create_dir(tmp.path().join(leftover)).unwrap();
        fs::write(tmp.path().join(leftover).join("x"), "").unwrap();
    }
    fs::write(tmp.path().join("report.html"), "of the earlier sweep").unwrap();
    fs::write(tmp.path().join("notes.txt"), "mine").unwrap();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    fs::remove_file(tmp.path().join("notes.txt")).unwrap(); // was kept

    let fresh = tempfile::tempdir().unwrap();
    sweep(fresh.path(), 1, &jobs(1)).unwrap();
    assert_eq!(
        common::all_files(tmp.path()),
        common::all_files(fresh.path())
    );
}

#[test]
fn fewer_runs_do_not_take_the_place_of_more() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    let error = refusal(sweep(tmp.path(), 1, &jobs(1)[..2]));
    assert!(
        matches!(
            error,
            StoreError::MoreRuns {
                stored: 4,
                runs: 2,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn second_sweep_at_the_same_time_is_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let options = SweepOptions {
        workers: 1,
        ..SweepOptions::new(tmp.path().to_path_buf())
    };
    let run = |job: &Job| -> Result<fabric::Record, RunFailure> {
        let error = refusal(sweep(tmp.path(), 0, &jobs(1))).to_string();
        for part in [LOCK, &std::process::id().to_string(), "remove this file"] {
            assert!(error.contains(part), "{error}");
        }
        Ok(record_of(job))
    };
    let result = run_sweep(&jobs(1), &options, run, &Quiet).unwrap();
    assert_eq!(result.exit(), study::Exit::Ok, "{}", result.table.to_text());
    assert!(!tmp.path().join(LOCK).exists());
    sweep(tmp.path(), 0, &jobs(1)).unwrap(); // free again
}

// "nothing finished is lost when [...] the process is killed": what a kill leaves is known as this study again
#[test]
fn killed_sweep_can_be_repeated() {
    let tmp = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let options = SweepOptions {
        workers: 1,
        ..SweepOptions::new(tmp.path().to_path_buf())
    };
    let run = |job: &Job| {
        if job.index == 1 {
            for (name, bytes) in common::all_files(tmp.path()) {
                let to = copy.path().join(name);
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::write(to, bytes).unwrap();
            }
        }
        Ok(record_of(job))
    };
    run_sweep(&jobs(1), &options, run, &Quiet).unwrap();
    assert!(matches!(
        refusal(sweep(copy.path(), 0, &jobs(1))),
        StoreError::Locked { .. }
    ));
    fs::remove_file(copy.path().join(LOCK)).unwrap();
    sweep(copy.path(), 0, &jobs(1)).unwrap();
}
