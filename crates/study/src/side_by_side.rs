//! Runs side by side in one process.
//!
//! Workers are plain threads that take the runs in order. A work-stealing pool would let an engine
//! that uses the same pool inside a run pick up a second run below the first one on its stack.

use crate::exit::RunFailure;
use crate::job::Job;
use observe::Record;
use std::panic::{AssertUnwindSafe, catch_unwind};

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

/// Calls `work` on so many threads and waits for them; each call does what there is to do.
pub(crate) fn side_by_side(workers: usize, work: &(impl Fn() + Sync)) {
    std::thread::scope(|scope| {
        for n in 0..workers {
            let spawned = std::thread::Builder::new()
                .name(format!("run-{n}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work);
            if spawned.is_err() {
                work(); // no further thread to be had: this one does the work
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
