//! Runs side by side: what fails, what stays, and that order does not show.
use crate::common::{failed, files, jobs, options, record, record_of};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use study::{
    Exit, Job, Outcome, Progress, Quiet, RunFailure, SweepError, SweepOptions, read_run, run_sweep,
};
use units::{Tick, Unit};

// "Byte equality of results covers everything but the manifest and the `timing` object."
#[test]
fn results_do_not_depend_on_workers_or_order_of_finishing() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(3);
    let mut trees = Vec::new();
    for workers in [1, 4] {
        let out = tmp.path().join(workers.to_string());
        let run = |job: &Job| {
            if workers > 1 {
                // later ones finish first
                std::thread::sleep(Duration::from_millis(5 * (3 - job.index as u64 % 4)));
            }
            Ok(record_of(job))
        };
        let options = SweepOptions { workers, ..options(&out) };
        assert_eq!(run_sweep(&jobs, &options, run, &Quiet).unwrap().exit().code(), 0);
        trees.push(files(&out));
    }
    assert_eq!(trees[0].len(), 12 * 6 + 4);
    assert!(trees[0] == trees[1]);
}

// "nothing finished is lost when another fails or the process is killed"
#[test]
fn finished_runs_and_their_table_are_on_disk_while_the_sweep_goes_on() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    let seen = AtomicUsize::new(0);
    let run = |job: &Job| {
        let table = fs::read_to_string(tmp.path().join("results.csv")).unwrap();
        // what a kill at this moment would leave
        assert_eq!(table.matches(",ok,0,").count(), job.index);
        assert_eq!(table.matches(",not run,").count(), 4 - job.index);
        for earlier in &jobs[..job.index] {
            let stored = read_run(&tmp.path().join("runs").join(&earlier.directory)).unwrap();
            assert_eq!(stored.record, record_of(earlier));
        }
        seen.fetch_add(1, Ordering::Relaxed);
        Ok(record_of(job))
    };
    run_sweep(&jobs, &options(tmp.path()), run, &Quiet).unwrap();
    assert_eq!(seen.into_inner(), 4);
}

#[test]
fn failing_and_panicking_runs_are_listed_and_the_others_finish() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    let run = |job: &Job| match job.index {
        0 => units::broken(Unit::Node { node: 3 }, Tick(17), &"credit underflow"),
        1 => failed(Exit::Deadlock, "deadlock at 12 us, \"ring\" of 4"),
        2 => std::panic::panic_any(5u8),
        _ => Ok(record_of(job)),
    };
    let options = SweepOptions { workers: 2, ..options(tmp.path()) };
    let result = run_sweep(&jobs, &options, run, &Quiet).unwrap();
    assert_eq!(result.exit().code(), 4);
    let failures = result.table.runs.iter().map(|row| match &row.outcome {
        Outcome::Failed(f) => (f.exit.code(), f.message.as_str()),
        Outcome::Finished(_) => (0, ""),
        Outcome::NotRun => (-1, ""),
    });
    assert_eq!(
        failures.collect::<Vec<_>>(),
        [
            (4, "broken invariant: credit underflow at fabric.node3, tick 17"),
            (3, "deadlock at 12 us, \"ring\" of 4"),
            (1, "panicked"),
            (0, ""),
        ]
    );
    let mut csv = csv::Reader::from_path(tmp.path().join("results.csv")).unwrap();
    let row = csv.records().nth(1).unwrap().unwrap();
    assert_eq!(
        row.iter().skip(7).take(4).collect::<Vec<_>>(),
        ["failed", "3", "deadlock at 12 us, \"ring\" of 4", ""]
    );
    assert!(!tmp.path().join("runs").join(&jobs[1].directory).exists());
    assert!(result.table.to_text().contains("failed (exit code 3): 01-recn-1: deadlock at 12 us"));
}

#[test]
fn interrupt_starts_no_further_run_and_keeps_the_finished_ones() {
    let tmp = tempfile::tempdir().unwrap();
    let flag = AtomicBool::new(false);
    let run = |job: &Job| {
        if job.index == 1 {
            flag.store(true, Ordering::Relaxed);
            return failed(Exit::Interrupted, "interrupted");
        }
        Ok(record_of(job))
    };
    let options = SweepOptions { interrupt: Some(&flag), ..options(tmp.path()) };
    let result = run_sweep(&jobs(1), &options, run, &Quiet).unwrap();
    assert_eq!((result.exit().code(), result.interrupted), (130, true));
    let is_not_run = result.table.runs.iter().map(|row| row.outcome == Outcome::NotRun);
    assert_eq!(is_not_run.collect::<Vec<_>>(), [false, true, true, true]);
    assert!(result.table.to_text().contains("not run: 03-recn-4"));
}

#[test]
fn run_that_cannot_be_stored_fails_alone() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    let foreign = tmp.path().join("runs").join(&jobs[2].directory);
    let run = |job: &Job| {
        if job.index == 0 {
            fs::create_dir_all(&foreign).unwrap();
            fs::write(foreign.join("summary.json"), "mine").unwrap();
        }
        Ok(record_of(job))
    };
    let result = run_sweep(&jobs, &options(tmp.path()), run, &Quiet).unwrap();
    assert_eq!(result.exit().code(), 1);
    let Outcome::Failed(RunFailure { message, .. }) = &result.table.runs[2].outcome else {
        panic!("stored")
    };
    let why = message.strip_prefix("not stored: ").unwrap();
    assert!(why.contains("summary.json: is not of this run"), "{message}");
}

#[test]
fn jobs_that_would_share_a_directory_or_leave_the_store_are_refused_before_anything_runs() {
    let tmp = tempfile::tempdir().unwrap();
    let never = |_: &Job| -> Result<observe::Record, RunFailure> { panic!("ran") };
    for name in ["00-1q", "", "..", "a/b", "/abs"] {
        let mut jobs = jobs(1);
        jobs[3].directory = name.to_string();
        let refused = run_sweep(&jobs, &options(tmp.path()), never, &Quiet);
        assert!(matches!(refused, Err(SweepError::BadJob(3, ..))), "{name}");
    }
    let mut jobs = jobs(1);
    jobs[3].index = 0;
    let refused = run_sweep(&jobs, &options(tmp.path()), never, &Quiet);
    assert!(matches!(refused, Err(SweepError::BadJob(..))));
    assert_eq!(fs::read_dir(tmp.path()).unwrap().count(), 0);
}

#[test]
fn progress_hears_of_every_run_and_manifests_have_the_clock() {
    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);
    impl Progress for Log {
        fn started(&self, job: &Job) {
            self.0.lock().unwrap().push(format!("start {}", job.name()));
        }
        fn finished(&self, job: &Job, wall_seconds: f64) {
            self.0.lock().unwrap().push(format!("done {} {wall_seconds}", job.name()));
        }
        fn failed(&self, job: &Job, failure: &RunFailure) {
            self.0.lock().unwrap().push(format!("fail {} {}", job.name(), failure.message));
        }
    }
    let tmp = tempfile::tempdir().unwrap();
    let reads = AtomicUsize::new(0);
    let clock = || reads.fetch_add(1, Ordering::Relaxed) as f64;
    let mut options = SweepOptions { now_seconds: &clock, ..options(tmp.path()) };
    options.manifest.engine = "fast".into();
    let log = Log::default();
    let run = |job: &Job| match job.index {
        0 => failed(Exit::Deadlock, "stuck"),
        _ => Ok(record(1.0)),
    };
    run_sweep(&jobs(1)[..2], &options, run, &log).unwrap();
    assert_eq!(
        *log.0.lock().unwrap(),
        ["start 1q", "fail 1q stuck", "start recn, saqs 1", "done recn, saqs 1 1"]
    );
    let run = read_run(&tmp.path().join("runs/01-recn-1")).unwrap().manifest;
    assert_eq!((run.wall_seconds, run.ticks_per_second), (1.0, Some(40_000.0)));
    assert_eq!(run.engine, "fast");
    let sweep: study::SweepManifest =
        serde_json::from_slice(&fs::read(tmp.path().join("manifest.json")).unwrap()).unwrap();
    assert_eq!((sweep.runs, sweep.finished, sweep.failed, sweep.workers), (2, 1, 1, 1));
}

#[test]
fn sweep_without_jobs_is_an_empty_table() {
    let tmp = tempfile::tempdir().unwrap();
    let result = run_sweep(&[], &options(tmp.path()), |job| Ok(record_of(job)), &Quiet).unwrap();
    assert_eq!((result.exit().code(), result.table.runs.len()), (0, 0));
    assert!(!result.table.to_text().is_empty());
}
