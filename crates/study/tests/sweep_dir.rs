//! The directory of a sweep holds one sweep of one study, and nothing of others is lost in it.
mod common;

use common::{jobs, record_of};
use std::fs;
use std::path::Path;
use study::{
    Job, LOCK, Manifest, PAGE_MARK, Quiet, RunDir, RunFailure, RunFiles, StoreError, SweepError,
    SweepOptions, SweepResult, run_sweep,
};

fn sweep(out: &Path, hash: u64, jobs: &[Job]) -> Result<SweepResult, SweepError> {
    sweep_with(out, hash, jobs, false)
}

fn sweep_with(out: &Path, hash: u64, jobs: &[Job], force: bool) -> Result<SweepResult, SweepError> {
    let options = SweepOptions {
        hash,
        force,
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
        ".results.csv.setaside-partial",
        "runs/.00-1q.setaside-partial",
        "runs/77-an-older-naming/.setaside-partial",
    ] {
        fs::create_dir(tmp.path().join(leftover)).unwrap();
        fs::write(tmp.path().join(leftover).join("x"), "").unwrap();
    }
    fs::write(tmp.path().join("runs/.00-1q.setaside-lock"), "").unwrap();
    study::write_page(tmp.path(), PAGE_MARK).unwrap();
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

// "files that are not its own are never touched": neither in the sweep directory nor in one of its
// points.
#[test]
fn files_of_others_stay_where_they_are() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    fs::create_dir(tmp.path().join("runs/mine")).unwrap();
    let point = format!("runs/{}", jobs(1)[1].directory);
    let mine = [
        "notes.txt".to_string(),
        "runs/notes.txt".to_string(),
        "runs/mine/summary.json".to_string(),
        format!("{point}/notes.txt"),
        format!("{point}/report.html"),
    ];
    for name in &mine {
        fs::write(tmp.path().join(name), "mine").unwrap();
    }
    let look = || -> Vec<_> {
        let paths = mine.iter().map(|name| tmp.path().join(name));
        paths
            .map(|path| (common::identity(&path), fs::read(path).unwrap()))
            .collect()
    };
    let before = look();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    assert_eq!(look(), before);
    // Another study whose points have other names: the directory of the point stays, with what is
    // not of the sweep.
    let mut others = jobs(1);
    others.truncate(2);
    for job in &mut others {
        job.directory = format!("other-{}", job.index);
    }
    sweep_with(tmp.path(), 2, &others, true).unwrap();
    assert_eq!(look(), before);
    assert_eq!(fs::read_dir(tmp.path().join(&point)).unwrap().count(), 2);
    assert_eq!(fs::read_dir(tmp.path().join("runs")).unwrap().count(), 5);
}

// "refuse unless it is a run of the same scenario or `--force`": "the same for `sweep --out`".
#[test]
fn other_study_fewer_runs_and_other_things_give_way_to_force_only() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), 1, &jobs(2)).unwrap();
    assert!(sweep(tmp.path(), 2, &jobs(1)).is_err());
    sweep_with(tmp.path(), 2, &jobs(1), true).unwrap();
    sweep_with(tmp.path(), 2, &jobs(1)[..2], true).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    fs::write(fresh.path().join("notes.txt"), "mine").unwrap();
    sweep_with(fresh.path(), 2, &jobs(1)[..2], true).unwrap();
    fs::remove_file(fresh.path().join("notes.txt")).unwrap();
    assert_eq!(
        common::all_files(tmp.path()),
        common::all_files(fresh.path())
    );
}

#[test]
fn file_of_others_with_a_name_of_the_sweep_is_refused_even_with_force() {
    for name in [
        "results.csv",
        "results.json",
        "windows.csv",
        "manifest.json",
        "report.html",
    ] {
        let tmp = tempfile::tempdir().unwrap();
        fs::write(tmp.path().join(name), "mine").unwrap();
        let error = refusal(sweep_with(tmp.path(), 1, &jobs(1), true));
        assert!(
            matches!(&error, StoreError::InTheWay { path } if path.ends_with(name)),
            "{error}"
        );
        let kept = vec![(name.to_string(), b"mine".to_vec())];
        assert_eq!(common::all_files(tmp.path()), kept);
    }
}

// "even one point of a sweep": a run does not take the place of a point, nor a sweep that of a run
// that was put there.
#[test]
fn runs_and_points_do_not_take_each_others_places() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), 1, &jobs(1)).unwrap();
    let job = &jobs(1)[0];
    let points = tmp.path().join("runs");
    for name in [job.directory.as_str(), "a-new-one"] {
        let error = RunDir::take(&points.join(name), job.hash, false, &[]).unwrap_err();
        assert!(matches!(&error, StoreError::Point { .. }), "{error}");
        assert!(error.to_string().contains("--force"), "{error}");
    }
    let point = points.join(&job.directory);
    let manifest = Manifest {
        hash: format!("{:016x}", job.hash),
        ..Manifest::default()
    };
    let files = RunFiles {
        scenario_text: "mine",
        manifest: &manifest,
        record: &record_of(job),
        more: &[],
    };
    let mine = RunDir::take(&point, job.hash, true, &[]).unwrap();
    mine.write(&files).unwrap();
    drop(mine);
    let error = refusal(sweep(tmp.path(), 1, &jobs(1)));
    assert!(
        matches!(&error, StoreError::InTheWay { path } if *path == fs::canonicalize(&point).unwrap()),
        "{error}"
    );
    assert_eq!(
        fs::read_to_string(point.join("scenario.toml")).unwrap(),
        "mine"
    );
    sweep_with(tmp.path(), 1, &jobs(1), true).unwrap();
    assert_eq!(
        fs::read_to_string(point.join("scenario.toml")).unwrap(),
        job.scenario_text
    );
}

#[test]
fn second_sweep_at_the_same_time_is_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let options = SweepOptions {
        workers: 1,
        ..SweepOptions::new(tmp.path().to_path_buf())
    };
    let run = |job: &Job| -> Result<observe::Record, RunFailure> {
        let error = refusal(sweep(tmp.path(), 0, &jobs(1))).to_string();
        let holder = format!("process {}", std::process::id());
        assert!(error.contains(&holder), "{error}");
        assert!(tmp.path().join(LOCK).exists());
        Ok(record_of(job))
    };
    let result = run_sweep(&jobs(1), &options, run, &Quiet).unwrap();
    assert_eq!(result.exit(), study::Exit::Ok, "{}", result.table.to_text());
    assert!(!tmp.path().join(LOCK).exists());
    sweep(tmp.path(), 0, &jobs(1)).unwrap(); // free again
}

// "nothing finished is lost when [...] the process is killed": what a kill leaves is known as this
// study again
#[test]
fn killed_sweep_can_be_repeated() {
    let tmp = tempfile::tempdir().unwrap();
    let copy = tempfile::tempdir().unwrap();
    let options = SweepOptions {
        workers: 1,
        name: "s".into(),
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
    // Its lock went with the process, the file did not.
    assert!(copy.path().join(LOCK).exists());
    sweep(copy.path(), 0, &jobs(1)).unwrap();
    assert!(!copy.path().join(LOCK).exists());
    assert!(common::files(copy.path()) == common::files(tmp.path()));
}
