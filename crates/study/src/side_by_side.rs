//! Runs side by side in one process, each stored as it ends.
//!
//! Workers are plain threads that take the runs in order. A work-stealing pool would let an engine
//! that uses the same pool inside a run pick up a second run below the first one on its stack.

use crate::error::StoreError;
use crate::exit::RunFailure;
use crate::job::Job;
use crate::manifest::{Build, Manifest};
use crate::run_dir::RunDir;
use crate::store::RunFiles;
use observe::Record;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As the main thread's: an engine may rely on it.
const STACK_BYTES: usize = 8 << 20;

/// So many workers as were asked for, 0: as many as there are cores; at most one a run.
pub(crate) fn workers(asked: usize, runs: usize) -> usize {
    let workers = match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    workers.min(runs.max(1))
}

/// Calls `work` for 0 to `count`, in order, from so many threads; one for which it returns `false`
/// takes no further number.
pub(crate) fn side_by_side(workers: usize, count: usize, work: &(impl Fn(usize) -> bool + Sync)) {
    let next = AtomicUsize::new(0);
    let worker = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= count || !work(n) {
                break;
            }
        }
    };
    std::thread::scope(|scope| {
        for n in 0..workers {
            let spawned = std::thread::Builder::new()
                .name(format!("run-{n}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, worker);
            if spawned.is_err() {
                worker(); // no further thread to be had: this one does the work
                break;
            }
        }
    });
}

/// Runs one job; a panic becomes a failure.
pub(crate) fn guarded(
    run: &(impl Fn(&Job) -> Result<Record, RunFailure> + Sync),
    job: &Job,
) -> Result<Record, RunFailure> {
    // unwind safety: what a run was changing is dropped with it; nothing of it is looked at again
    catch_unwind(AssertUnwindSafe(|| run(job)))
        .unwrap_or_else(|payload| Err(RunFailure::of_panic(&*payload)))
}

/// What the manifests of all points of a sweep have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointOf<'a> {
    /// Name of the study.
    pub(crate) name: &'a str,
    pub(crate) engine: &'a str,
    pub(crate) build: &'a Build,
    pub(crate) study_hash: &'a str,
}

impl PointOf<'_> {
    /// Stores the run of a job in its directory.
    pub(crate) fn store(
        &self,
        dir: &Path,
        job: &Job,
        wall_seconds: f64,
        record: &Record,
    ) -> Result<(), StoreError> {
        let (seed, hash) = (job.seed, job.hash);
        let of_run = Manifest::new(
            self.name,
            self.build,
            self.engine,
            seed,
            hash,
            wall_seconds,
            record,
        );
        let manifest = Manifest {
            labels: job.labels.clone(),
            times: job.times.of_run(&record.summary),
            study_hash: self.study_hash.to_string(),
            ..of_run
        };
        RunDir::take_point(dir, hash)?.write(&RunFiles {
            scenario_text: &job.scenario_text,
            manifest: &manifest,
            record,
            more: &[],
        })
    }
}
