//! The directory of a sweep holds one sweep of one study, and nothing of others is lost in it.
use crate::common::{all_files, failed, files, identity, is_in_the_way, jobs, options, record_of};
use observe::Record;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use study::{
    Exit, Job, LOCK, Manifest, PAGE_MARK, Quiet, RunDir, RunFailure, RunFiles, StoreError,
    SweepError, SweepOptions, SweepResult, hash_text, run_sweep,
};

/// What a sweep is of: the hash of its study, the commit of its program, and whether by force.
type Of = (u64, &'static str, bool);
const A: Of = (1, "a", false);

fn sweep(out: &Path, of: Of, jobs: &[Job]) -> Result<SweepResult, SweepError> {
    sweep_by(out, of, jobs, go).1
}

fn go(job: &Job) -> Result<Record, RunFailure> {
    Ok(record_of(job))
}

/// Makes the runs of the first jobs; then it is interrupted.
fn go_to(stop: usize) -> impl Fn(&Job) -> Result<Record, RunFailure> {
    move |job| if job.index < stop { go(job) } else { failed(Exit::Interrupted, "") }
}

/// The sweep of some jobs by a build with given outcomes: directories run, and what came of it.
fn sweep_by(
    out: &Path,
    (hash, commit, force): Of,
    jobs: &[Job],
    run: impl Fn(&Job) -> Result<Record, RunFailure> + Sync,
) -> (Vec<String>, Result<SweepResult, SweepError>) {
    let mut options = SweepOptions { force, ..options(out) };
    options.manifest.study_hash = hash_text(hash);
    options.manifest.build.commit = commit.into();
    let ran = Mutex::new(Vec::new());
    let noted = |job: &Job| {
        ran.lock().unwrap().push(job.directory.clone());
        run(job)
    };
    let result = run_sweep(jobs, &options, noted, &Quiet);
    (ran.into_inner().unwrap(), result)
}

fn refusal(result: Result<SweepResult, SweepError>) -> StoreError {
    match result {
        Err(SweepError::Store(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn directory_of_something_else_is_refused_untouched_and_what_is_in_the_way_with_force_too() {
    let names = ["results.csv", "results.json", "windows.csv", "manifest.json", "report.html"];
    let others = [("results.csv", "mine"), ("manifest.json", "{}"), ("runs", "mine")];
    let others = others.map(|(name, text)| (name, text, false));
    for (name, text, force) in others.into_iter().chain(names.map(|name| (name, "mine", true))) {
        let tmp = tempfile::tempdir().unwrap();
        fs::write(tmp.path().join(name), text).unwrap();
        let error = refusal(sweep(tmp.path(), (1, "", force), &jobs(1)));
        let is_none = error.to_string().contains("is not empty and holds no sweep");
        assert!(if force { is_in_the_way(&error, name) } else { is_none }, "{error}");
        assert_eq!(all_files(tmp.path()), [(name.to_string(), text.as_bytes().to_vec())]);
    }
}

#[test]
fn same_study_again_leaves_nothing_of_the_earlier_sweep() {
    let tmp = tempfile::tempdir().unwrap();
    let mut earlier = jobs(1);
    earlier[1].directory = "77-an-older-naming".into();
    sweep(tmp.path(), A, &earlier).unwrap();
    for of in [".results.csv", "runs/.00-1q", "runs/77-an-older-naming/"] {
        let leftover = tmp.path().join(format!("{of}.setaside-partial"));
        fs::create_dir(&leftover).unwrap();
        fs::write(leftover.join("x"), "").unwrap();
    }
    fs::write(tmp.path().join("runs/.00-1q.setaside-lock"), "").unwrap();
    study::write_page(tmp.path(), PAGE_MARK).unwrap();
    fs::write(tmp.path().join("notes.txt"), "mine").unwrap();
    sweep(tmp.path(), A, &jobs(1)).unwrap();
    fs::remove_file(tmp.path().join("notes.txt")).unwrap(); // was kept

    let fresh = tempfile::tempdir().unwrap();
    sweep(fresh.path(), A, &jobs(1)).unwrap();
    assert_eq!(all_files(tmp.path()), all_files(fresh.path()));
}

// "files that are not its own are never touched": neither in the sweep directory nor in one of its
// points.
#[test]
fn files_of_others_stay_where_they_are() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), A, &jobs(1)).unwrap();
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
    let state = || -> Vec<_> {
        let paths = mine.iter().map(|name| tmp.path().join(name));
        paths.map(|path| (identity(&path), fs::read(path).unwrap())).collect()
    };
    let before = state();
    sweep(tmp.path(), A, &jobs(1)).unwrap();
    assert_eq!(state(), before);
    // Another study whose points have other names: the directory of the point stays, with what is
    // not of the sweep.
    let mut others = jobs(1)[..2].to_vec();
    others.iter_mut().for_each(|job| job.directory = format!("other-{}", job.index));
    sweep(tmp.path(), (2, "a", true), &others).unwrap();
    assert_eq!(state(), before);
    assert_eq!(fs::read_dir(tmp.path().join(&point)).unwrap().count(), 2);
    assert_eq!(fs::read_dir(tmp.path().join("runs")).unwrap().count(), 5);
}

// "refuse unless it is a run of the same scenario or `--force`": "the same for `sweep --out`".
#[test]
fn other_study_fewer_runs_and_other_things_give_way_to_force_only() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), A, &jobs(2)).unwrap();
    assert!(sweep(tmp.path(), (2, "a", false), &jobs(1)).is_err());
    sweep(tmp.path(), (2, "a", true), &jobs(1)).unwrap();
    sweep(tmp.path(), (2, "a", true), &jobs(1)[..2]).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    fs::write(fresh.path().join("notes.txt"), "mine").unwrap();
    sweep(fresh.path(), (2, "a", true), &jobs(1)[..2]).unwrap();
    fs::remove_file(fresh.path().join("notes.txt")).unwrap();
    assert_eq!(all_files(tmp.path()), all_files(fresh.path()));
}

// "even one point of a sweep": a run does not take the place of a point, nor a sweep that of a run
// that was put there.
#[test]
fn runs_and_points_do_not_take_each_others_places() {
    let tmp = tempfile::tempdir().unwrap();
    sweep(tmp.path(), A, &jobs(1)).unwrap();
    let job = &jobs(1)[0];
    let points = tmp.path().join("runs");
    for name in [job.directory.as_str(), "a-new-one"] {
        let error = RunDir::take(&points.join(name), job.hash, false, &[]).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("lies among the runs of the sweep in"), "{error}");
        assert!(error.contains("give another directory, or --force to write there"), "{error}");
    }
    let point = fs::canonicalize(points.join(&job.directory)).unwrap();
    let manifest = &Manifest { hash: format!("{:016x}", job.hash), ..Manifest::default() };
    let mine = RunFiles { scenario_text: "mine", manifest, record: &record_of(job), more: &[] };
    RunDir::take(&point, job.hash, true, &[]).unwrap().write(&mine).unwrap();
    let error = refusal(sweep(tmp.path(), A, &jobs(1)));
    assert!(is_in_the_way(&error, &point.to_string_lossy()), "{error}");
    assert_eq!(fs::read_to_string(point.join("scenario.toml")).unwrap(), "mine");
    sweep(tmp.path(), (1, "a", true), &jobs(1)).unwrap();
    assert_eq!(fs::read_to_string(point.join("scenario.toml")).unwrap(), job.scenario_text);
}

#[test]
fn second_sweep_at_the_same_time_is_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let run = |job: &Job| {
        let error = refusal(sweep(tmp.path(), A, &jobs(1))).to_string();
        let holder = format!("process {}", std::process::id());
        assert!(error.contains(&holder), "{error}");
        assert!(tmp.path().join(LOCK).exists());
        go(job)
    };
    let result = sweep_by(tmp.path(), A, &jobs(1), run).1.unwrap();
    assert_eq!(result.exit(), study::Exit::Ok, "{}", result.table.to_text());
    assert!(!tmp.path().join(LOCK).exists());
    sweep(tmp.path(), A, &jobs(1)).unwrap(); // free again
}

/// A run of a job with numbers that a reader who rounds does not read back.
fn hard(job: &Job) -> Result<Record, RunFailure> {
    let mut record = record_of(job);
    record.summary.offered_bytes_per_ns = Some(31.245_270_191_439_438 + job.index as f64);
    record.summary.delivered_bytes_per_ns = Some(0.1 * job.index as f64 / 3.0);
    Ok(record)
}

/// Files of the runs that are whole, with their identities: `None` for those that are not there.
fn kept(out: &Path, jobs: &[Job]) -> Vec<Option<impl PartialEq + std::fmt::Debug>> {
    let dirs = jobs.iter().map(|job| out.join("runs").join(&job.directory));
    dirs.map(|dir| {
        let manifest = dir.join("manifest.json");
        let identity = manifest.exists().then(|| identity(&manifest))?;
        Some((identity, all_files(&dir)))
    })
    .collect()
}

// "Finished runs of the same study and version stay, whatever happens next", and "the results of an
// interrupted and repeated sweep equal those of an uninterrupted one byte for byte".
#[test]
fn same_sweep_again_takes_finished_runs_as_they_are() {
    let (tmp, fresh) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let jobs = jobs(2);
    let (ran, result) = sweep_by(fresh.path(), A, &jobs, hard);
    assert_eq!((ran.len(), result.unwrap().interrupted), (8, false));
    let mut before = kept(tmp.path(), &jobs);
    for stop in [3, 5, 5, 8] {
        let whole = before.iter().flatten().count();
        let go = |job: &Job| go_to(stop)(job).and_then(|_| hard(job));
        let (ran, result) = sweep_by(tmp.path(), A, &jobs, go);
        let result = result.unwrap();
        assert_eq!(result.interrupted, stop < 8);
        let names = jobs[whole..].iter().map(|job| job.directory.clone());
        assert_eq!(ran, names.collect::<Vec<_>>(), "none is repeated");
        let after = kept(tmp.path(), &jobs);
        assert_eq!(after[..whole], before[..whole], "the same files, untouched");
        assert_eq!(after.iter().flatten().count(), stop);
        assert_eq!(result.table.runs.iter().filter(|run| run.finished().is_some()).count(), stop);
        before = after;
    }
    assert!(files(tmp.path()) == files(fresh.path()));
}

// "a run made by another version is not taken"; "nothing finished may be deleted before what
// replaces it is complete".
#[test]
fn run_of_another_version_is_run_again_and_stays_until_its_new_one_is_complete() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    sweep(tmp.path(), A, &jobs).unwrap();
    let old = kept(tmp.path(), &jobs);
    // All fail but the third one, which finds the files of all as they were.
    let go = |job: &Job| match job.index {
        2 => {
            assert_eq!(kept(tmp.path(), &jobs), old);
            hard(job)
        }
        _ => failed(Exit::Failure, "no"),
    };
    let (ran, result) = sweep_by(tmp.path(), (1, "b", false), &jobs, go);
    let table = result.unwrap().table;
    assert_eq!(ran.len(), 4);
    let finished: Vec<bool> = table.runs.iter().map(|run| run.finished().is_some()).collect();
    assert_eq!(finished, [false, false, true, false], "{}", table.to_text());
    let now = kept(tmp.path(), &jobs);
    assert!(now[2].is_some() && now[2] != old[2]);
    assert_eq!((&now[..2], &now[3..]), (&old[..2], &old[3..]));
    // Each build continues with its own.
    let again = |commit| sweep_by(tmp.path(), (1, commit, false), &jobs, hard).0.len();
    assert_eq!((again("b"), again("b"), again("a")), (3, 0, 4));
}

#[test]
fn run_that_is_not_whole_is_run_again() {
    let jobs = jobs(1);
    let point = |out: &Path| out.join("runs").join(&jobs[1].directory);
    let damages: [&dyn Fn(&Path); 5] = [
        &|dir| fs::remove_file(dir.join("windows.csv")).unwrap(),
        &|dir| fs::remove_file(dir.join("summary.json")).unwrap(),
        &|dir| fs::write(dir.join("summary.json"), "{").unwrap(),
        &|dir| fs::write(dir.join("scenario.toml"), "# of another point").unwrap(),
        &|dir| fs::remove_dir_all(dir).unwrap(),
    ];
    let fresh = tempfile::tempdir().unwrap();
    sweep(fresh.path(), A, &jobs).unwrap();
    for damage in damages {
        let tmp = tempfile::tempdir().unwrap();
        sweep(tmp.path(), A, &jobs).unwrap();
        damage(&point(tmp.path()));
        let (ran, result) = sweep_by(tmp.path(), A, &jobs, go);
        assert_eq!(result.unwrap().exit(), Exit::Ok);
        assert_eq!(ran, [jobs[1].directory.as_str()]);
        assert!(files(tmp.path()) == files(fresh.path()));
    }
}

// "a sweep whose study file changed": refused without --force; with it the runs of the earlier
// study stay until the new sweep is complete, however often that is cut short.
#[test]
fn runs_of_a_study_that_changed_stay_until_the_new_sweep_is_complete() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    let mut others = jobs[..3].to_vec();
    for job in &mut others {
        job.hash += 0x100;
        // the first has the place of an earlier one, the others have their own
        if job.index > 0 {
            job.directory.insert_str(0, "other-");
        }
    }
    sweep(tmp.path(), A, &jobs).unwrap();
    let old = kept(tmp.path(), &jobs);
    let (ran, refused) = sweep_by(tmp.path(), (2, "a", false), &others, go);
    let error = refusal(refused).to_string();
    assert!(
        error.contains("sweep of another study (`saq-sizing`, hash `0000000000000001`"),
        "{error}"
    );
    assert!(ran.is_empty() && kept(tmp.path(), &jobs) == old);
    for (force, stop) in [(true, 0), (false, 0), (false, 2)] {
        let (_, result) = sweep_by(tmp.path(), (2, "a", force), &others, go_to(stop));
        assert!(result.unwrap().interrupted);
        let replaced = usize::from(stop > 0);
        assert_eq!(kept(tmp.path(), &jobs)[replaced..], old[replaced..]);
    }
    // The earlier study finds its runs again, and so does the new one after it.
    let (ran, result) = sweep_by(tmp.path(), (1, "a", true), &jobs, go_to(0));
    assert!(result.unwrap().interrupted);
    assert_eq!(ran, [jobs[0].directory.as_str()]);
    let (ran, result) = sweep_by(tmp.path(), (2, "a", true), &others, go);
    assert_eq!((ran.len(), result.unwrap().exit()), (1, Exit::Ok));
    let fresh = tempfile::tempdir().unwrap();
    sweep(fresh.path(), (2, "a", false), &others).unwrap();
    let left = "nothing of the earlier study is left";
    assert_eq!(all_files(tmp.path()), all_files(fresh.path()), "{left}");
}

// Fewer runs in all, but one of them is not among those of this sweep: it would be lost.
#[test]
fn finished_run_that_is_not_of_the_sweep_is_not_lost() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(1);
    let only_last = |job: &Job| if job.index == 3 { go(job) } else { go_to(0)(job) };
    sweep_by(tmp.path(), A, &jobs, only_last).1.unwrap();
    let before = all_files(tmp.path());
    let error = refusal(sweep(tmp.path(), A, &jobs[..2])).to_string();
    assert!(error.contains("holds 1 finished runs of this study, and not all"), "{error}");
    assert!(error.contains("among the 2 of this sweep;"), "{error}");
    assert_eq!(all_files(tmp.path()), before);
}

// "an unwritable folder in the middle": one run has no place, then the table of the sweep; what is
// finished stays, and the next start runs the rest.
#[test]
fn sweep_that_cannot_write_keeps_what_is_finished() {
    let (tmp, fresh) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let jobs = jobs(1);
    sweep(fresh.path(), A, &jobs).unwrap();
    let table = tmp.path().join(".results.csv.setaside-partial");
    let in_the_way = tmp.path().join("runs").join(&jobs[1].directory);
    let is_blocked = AtomicBool::new(false);
    let block = |job: &Job| {
        if job.index == 1 && !is_blocked.swap(true, Ordering::SeqCst) {
            fs::write(&in_the_way, "").unwrap();
            fs::create_dir(&table).unwrap();
        }
        go(job)
    };
    let (ran, result) = sweep_by(tmp.path(), A, &jobs, block);
    assert_eq!(ran.len(), 4);
    assert!(matches!(refusal(result), StoreError::Io(..)));
    let before = kept(tmp.path(), &jobs);
    assert_eq!(before.iter().flatten().count(), 3);
    fs::remove_file(&in_the_way).unwrap();
    let (ran, result) = sweep_by(tmp.path(), A, &jobs, go);
    assert_eq!((ran.len(), result.unwrap().exit()), (1, Exit::Ok));
    let after = kept(tmp.path(), &jobs);
    assert_eq!((&after[0], &after[2..]), (&before[0], &before[2..]));
    assert!(files(tmp.path()) == files(fresh.path()));
}
