//! Runs side by side in one process, and which job a worker does next: [`Queue`]. Workers are plain
//! threads: a work-stealing pool would let an engine that uses it pick up a second run inside the
//! first.

use crate::derive::{Order, Proof};
use crate::error::RunFailure;
use crate::job::Job;
use observe::Record;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// As the main thread's: an engine may rely on it.
const STACK_BYTES: usize = 8 << 20;
/// An interrupt is seen this soon by a worker that waits.
const POLL_EVERY: Duration = Duration::from_millis(50);

/// So many workers as were asked for, 0: as many as there are cores; at most one a run.
pub(crate) fn workers(asked: usize, runs: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = if asked == 0 { cores() } else { asked };
    workers.min(runs.max(1))
}

/// Calls `work` on so many threads and waits for them; each call does what there is to do.
pub(crate) fn side_by_side(workers: usize, work: &(impl Fn() + Sync)) {
    std::thread::scope(|scope| {
        for n in 0..workers {
            let thread = std::thread::Builder::new().name(format!("run-{n}"));
            if thread.stack_size(STACK_BYTES).spawn_scoped(scope, work).is_err() {
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
    // unwind safety: what a run was changing is dropped with it; nothing of it is used again
    catch_unwind(AssertUnwindSafe(|| run(job)))
        .unwrap_or_else(|payload| Err(RunFailure::of_panic(&*payload)))
}

/// Jobs that wait for those that they may equal, and for memory.
pub(crate) struct Queue<'a> {
    jobs: &'a [Job],
    memory_bytes: u64,
    state: Mutex<State<'a>>,
    changed: Condvar,
}

struct State<'a> {
    /// In the order in which they begin.
    waiting: Vec<usize>,
    running: usize,
    running_bytes: u64,
    /// So many ran when memory first let no more begin.
    limit: Option<usize>,
    is_limit_reported: bool,
    order: Order<'a>,
}

impl<'a> Queue<'a> {
    /// `memory_bytes`: of those that run at a time.
    pub(crate) fn new(
        jobs: &'a [Job],
        to_run: &[usize],
        order: Order<'a>,
        memory_bytes: u64,
    ) -> Queue<'a> {
        let state = State {
            waiting: to_run.to_vec(),
            running: 0,
            running_bytes: 0,
            limit: None,
            is_limit_reported: false,
            order,
        };
        Queue { jobs, memory_bytes, changed: Condvar::new(), state: Mutex::new(state) }
    }

    /// Waits for the next job; with it the one whose run it provably equals. `None`: nothing is
    /// left, or no further run is to begin.
    pub(crate) fn next(&self, is_interrupted: impl Fn() -> bool) -> Option<(usize, Option<usize>)> {
        let mut state = self.lock();
        loop {
            if is_interrupted() || state.waiting.is_empty() {
                return None;
            }
            let ready = |&at: &usize| state.order.is_ready(at);
            if let Some(place) = state.waiting.iter().position(ready) {
                let at = state.waiting[place];
                let bytes = self.jobs[at].memory_bytes;
                if state.running == 0 || state.running_bytes + bytes <= self.memory_bytes {
                    state.waiting.remove(place);
                    state.running += 1;
                    state.running_bytes += bytes;
                    return Some((at, state.order.equal_to(at)));
                }
                state.limit = state.limit.or(Some(state.running));
            }
            let waited = self.changed.wait_timeout(state, POLL_EVERY);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A run has ended; without a proof where it did not finish.
    pub(crate) fn ended(&self, at: usize, proof: Option<Proof>) {
        let mut state = self.lock();
        state.running -= 1;
        state.running_bytes -= self.jobs[at].memory_bytes;
        state.order.end(at, proof);
        drop(state);
        self.changed.notify_all();
    }

    pub(crate) fn stop(&self) {
        self.lock().waiting.clear();
        self.changed.notify_all();
    }

    /// How many ran side by side when memory let no more begin; reported once.
    pub(crate) fn unreported_limit(&self) -> Option<usize> {
        let mut state = self.lock();
        let limit = state.limit.filter(|_| !state.is_limit_reported)?;
        state.is_limit_reported = true;
        Some(limit)
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While this lives, a panic of its thread stops all workers: none waits for its run.
pub(crate) struct Guard<'q, 'a>(pub(crate) &'q Queue<'a>);

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn jobs(bytes: &[u64]) -> Vec<Job> {
        let job = |&memory_bytes: &u64| Job { memory_bytes, ..Job::default() };
        bytes.iter().map(job).collect()
    }

    // "starts no more runs than fit in the memory that is available, always at least one"
    #[test]
    fn no_more_begin_than_fit_and_one_always_does() {
        let jobs = jobs(&[60, 50, 30, 200]);
        let order = Order::new(&jobs, vec![None; 4], false);
        let queue = Queue::new(&jobs, &[0, 1, 2, 3], order, 100);
        // gives up where it would wait
        let next = || {
            let calls = Cell::new(0);
            let again = || calls.replace(calls.get() + 1) > 0;
            queue.next(again).map(|(at, _)| at)
        };
        assert_eq!((next(), queue.unreported_limit()), (Some(0), None));
        assert_eq!(next(), None, "60 and 50 are too much");
        assert_eq!((queue.unreported_limit(), queue.unreported_limit()), (Some(1), None));
        queue.ended(0, None);
        assert_eq!([next(), next(), next()], [Some(1), Some(2), None]);
        queue.ended(1, None);
        queue.ended(2, None);
        assert_eq!(next(), Some(3), "alone, though it is larger than all there is");
    }
}
