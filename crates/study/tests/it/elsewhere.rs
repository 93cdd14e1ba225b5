//! Runs that other processes make: bytes, lost tasks, failed runs, another process that follows.
use crate::common::{failed, files, jobs, options, record_of};
use observe::Record;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use study::{
    Build, Elsewhere, Exit, Job, Kin, Outcome, Polled, Quiet, RunFailure, Standing, SweepError,
    SweepOptions, SweepResult, Task, TaskOptions, WorkError, Worked, run_sweep,
    run_sweep_elsewhere, task_path, work,
};

const TASKS: TaskOptions = TaskOptions { base_dir: None, tries: 3, poll: Duration::from_millis(1) };

/// What becomes of a task that is handed out: so many of its runs are made and then it ends, or
/// (`None`) it waits in the queue.
type Fate = ((usize, u32), Option<usize>);

/// A scheduler that does at once what it does.
struct Fake {
    runs_per_task: usize,
    /// By task and attempt; other tasks make all their runs.
    fates: BTreeMap<(usize, u32), Option<usize>>,
    /// The command that follows ends after so many polls.
    over: usize,
    may_wait: bool,
    waiting: BTreeSet<usize>,
    handed_out: Vec<(usize, u32)>,
}

impl Fake {
    fn new(runs_per_task: usize, fates: &[Fate]) -> Fake {
        let (fates, waiting) = (fates.iter().copied().collect(), BTreeSet::new());
        let (over, may_wait, handed_out) = (usize::MAX, true, Vec::new());
        Fake { runs_per_task, fates, over, may_wait, waiting, handed_out }
    }
}

/// The run of a job, without a refused SAQ; that with index 4 fails.
fn run(job: &Job) -> Result<Record, RunFailure> {
    match job.index {
        4 => failed(Exit::Deadlock, "deadlock at tick 7"),
        _ => {
            let mut record = record_of(job);
            record.summary.recn.refusals = 0;
            Ok(record)
        }
    }
}

/// Starts a worker that is killed after so many runs.
fn worker(path: &Path, build: &Build, runs: usize) -> Result<Worked, WorkError> {
    let made = AtomicUsize::new(0);
    work(path, build, 1, &|| 0.0, |_, job| match made.fetch_add(1, Ordering::SeqCst) < runs {
        true => run(job),
        false => failed(Exit::Interrupted, ""),
    })
}

impl Elsewhere for Fake {
    fn runs_per_task(&mut self, _open: &[&Job]) -> usize {
        self.runs_per_task
    }

    fn may_wait(&self) -> bool {
        self.may_wait
    }

    fn submit(&mut self, dir: &Path, tasks: &[usize], attempt: u32) -> Result<usize, String> {
        for &task in tasks {
            self.handed_out.push((task, attempt));
            match self.fates.get(&(task, attempt)).copied().unwrap_or(Some(usize::MAX)) {
                Some(runs) => drop(worker(&task_path(dir, task), &Build::default(), runs).unwrap()),
                None => self.waiting.extend([task]),
            }
        }
        Ok(tasks.len())
    }

    fn poll(&mut self, _dir: &Path) -> Result<Polled, String> {
        if self.over == 0 {
            return Ok(Polled::Over);
        }
        self.over -= 1;
        Ok(Polled::Alive(self.waiting.clone()))
    }

    fn traces(&self, task: usize) -> String {
        format!("slurm/{task}.out")
    }
}

fn follow(out: &Path, jobs: &[Job], fake: &mut Fake) -> Result<SweepResult, SweepError> {
    run_sweep_elsewhere(jobs, &options(out), &TASKS, fake, &Quiet)
}

/// The files of a sweep but its tasks.
fn results(out: &Path) -> Vec<(String, Vec<u8>)> {
    files(out).into_iter().filter(|(name, _)| !name.starts_with("tasks")).collect()
}

// "A test proves that the bytes of a slurm sweep equal those of a local one"; "tasks that failed,
// were killed ... are found and resubmitted", and at most the runs in flight are made again.
#[test]
fn bytes_are_those_of_a_local_sweep_whatever_becomes_of_tasks() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = jobs(3);
    let [here, there] = ["here", "there"].map(|name| tmp.path().join(name));
    let local = run_sweep(&jobs, &options(&here), run, &Quiet).unwrap();
    // killed in the middle; lost with its node
    let mut fake = Fake::new(4, &[((0, 1), Some(2)), ((0, 2), Some(0)), ((2, 1), Some(0))]);
    let result = follow(&there, &jobs, &mut fake).unwrap();
    assert_eq!(result, local);
    assert_eq!(result.exit(), Exit::Deadlock);
    assert!(results(&there) == files(&here));
    let mut handed_out = fake.handed_out;
    handed_out.sort_unstable();
    assert_eq!(handed_out, [(0, 1), (0, 2), (0, 3), (1, 1), (2, 1), (2, 2)]);
}

// "Runs that are provably equal are made once", elsewhere too: what waits for them is handed out
// when they are in, and the runs that are simulated are those of a local sweep.
#[test]
fn runs_that_equal_others_are_not_handed_out() {
    let tmp = tempfile::tempdir().unwrap();
    let mut jobs = jobs(2);
    for (at, job) in jobs.iter_mut().enumerate() {
        job.kin = Some(Kin {
            but_saqs: job.seed,
            but_recn: job.seed + 100,
            saqs: 1 + at as u32,
            detection_packets: [5, 5],
        });
    }
    let derive = |job: &Job, _: Record| run(job);
    let with = |out: &Path| SweepOptions { derive: Some(&derive), ..options(out) };
    let here = tmp.path().join("here");
    let local = run_sweep(&jobs, &with(&here), run, &Quiet).unwrap();
    let simulated = jobs.len() - local.table.derived();
    assert!(simulated < jobs.len(), "none was derived");
    // runs a task, those made of the first one, and where the command ends and is given again
    for (at, runs_per_task, made, over) in
        [(0, 1, 9, usize::MAX), (1, 3, 1, usize::MAX), (2, 2, 9, 1), (3, 1, 1, 1)]
    {
        let there = tmp.path().join(at.to_string());
        let follow = |over| {
            let mut fake = Fake::new(runs_per_task, &[((0, 1), Some(made))]);
            fake.over = over;
            run_sweep_elsewhere(&jobs, &with(&there), &TASKS, &mut fake, &Quiet).unwrap()
        };
        let first = follow(over);
        assert_eq!(first.interrupted, over != usize::MAX);
        assert_eq!(follow(usize::MAX), local);
        assert!(results(&there) == files(&here));
    }
    // Where no sweep waits all are handed out at once; then what equals a run that is there is not.
    let there = tmp.path().join("emitted");
    let emit = |jobs: &[Job]| {
        let mut fake = Fake::new(1, &[]);
        (fake.may_wait, fake.over) = (false, 1);
        run_sweep_elsewhere(jobs, &with(&there), &TASKS, &mut fake, &Quiet).unwrap();
        fake.handed_out.len()
    };
    let most = &jobs[jobs.len() - 2..]; // of both chains those with the most SAQs
    assert_eq!((emit(most), emit(&jobs)), (most.len(), simulated - most.len()));
}

// "A limit on tries; then the runs are listed as failed"; `status` reports what failed too, and
// the same sweep again makes it again.
#[test]
fn runs_without_a_result_after_all_tries_have_failed() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = &jobs(1)[..3];
    let lost = [1, 2, 3].map(|attempt| ((1, attempt), Some(0)));
    let mut fake = Fake::new(2, &lost);
    let result = follow(tmp.path(), jobs, &mut fake).unwrap();
    assert_eq!(result.exit(), Exit::Failure);
    let outcomes = result.table.runs.iter().map(|row| match &row.outcome {
        Outcome::Failed(failure) => failure.message.as_str(),
        Outcome::Finished(_) => "",
        Outcome::NotRun => "not run",
    });
    let message = "no result after 3 tries; see slurm/1.out";
    assert_eq!(outcomes.collect::<Vec<_>>(), ["", "", message]);
    let standing = Standing::of(tmp.path()).unwrap();
    assert_eq!((standing.finished, standing.failed), (2, 1));
    assert_eq!(standing.failed_runs[0].failure.message, message);
    let mut fake = Fake::new(2, &[]);
    let again = follow(tmp.path(), jobs, &mut fake).unwrap();
    assert_eq!(again.exit(), Exit::Ok);
    assert_eq!(fake.handed_out, [(2, 1)], "numbers are not used twice");
    assert_eq!(Standing::of(tmp.path()).unwrap().failed, 0);
}

// "A controller that was killed finds its arrays again and does not submit twice what is still
// queued or running."
#[test]
fn tasks_that_are_under_way_are_followed_and_not_handed_out_twice() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = &jobs(1)[..4];
    let waits = [((0, 1), None), ((1, 1), Some(0))];
    let mut first = Fake::new(2, &waits);
    first.over = 2;
    let cut = follow(tmp.path(), jobs, &mut first).unwrap();
    assert!(cut.interrupted);
    assert_eq!(first.handed_out, [(0, 1), (1, 1)]);
    let mut second = Fake::new(2, &[((2, 1), Some(0))]);
    second.waiting = BTreeSet::from([0]);
    second.over = 2;
    let cut = follow(tmp.path(), jobs, &mut second).unwrap();
    assert!(cut.interrupted);
    assert_eq!(second.handed_out, [(2, 1)], "task 0 is under way");
    // It starts while no sweep follows: its runs are there.
    worker(&task_path(tmp.path(), 0), &Build::default(), 2).unwrap();
    let mut third = Fake::new(2, &[]);
    let whole = follow(tmp.path(), jobs, &mut third).unwrap();
    assert_eq!(whole.exit(), Exit::Ok);
    assert_eq!(third.handed_out, [(3, 1)]);
}

// "Different build than the task's: refuse by a typed error"; so does a directory that holds
// another study by now, and a sweep whose tasks are those of another program.
#[test]
fn tasks_of_another_program_or_study_are_refused() {
    let tmp = tempfile::tempdir().unwrap();
    let jobs = &jobs(1)[..2];
    let mut fake = Fake::new(2, &[((0, 1), None)]);
    fake.over = 2;
    follow(tmp.path(), jobs, &mut fake).unwrap();
    let path = task_path(tmp.path(), 0);
    assert_eq!(Task::read(&path).unwrap().jobs, jobs);
    let other = Build { sources: "0123".into(), ..Build::default() };
    let refused = worker(&path, &other, 9);
    assert!(matches!(refused, Err(WorkError::OtherBuild { .. })));
    let mut fake = Fake::new(2, &[]);
    fake.waiting = BTreeSet::from([0]);
    let mut newer = options(tmp.path());
    newer.manifest.build = other;
    let refused = run_sweep_elsewhere(jobs, &newer, &TASKS, &mut fake, &Quiet);
    assert!(matches!(refused, Err(SweepError::OtherTask { .. })));
    let mut another = SweepOptions { force: true, ..options(tmp.path()) };
    another.manifest.study_hash = "1".into();
    run_sweep(jobs, &another, run, &Quiet).unwrap();
    let refused = worker(&path, &Build::default(), 9);
    assert!(matches!(refused, Err(WorkError::OtherStudy { .. })));
}
