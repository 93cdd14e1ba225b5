//! The parallel engine: the parts of a fabric on threads of their own, in windows.
//!
//! What one part sends to another arrives at least `lookahead` ticks later, so that within a window
//! of that length no part can notice what another does. At the end of a window all threads meet,
//! and each takes in what the others have sent it, in the order of their numbers. The next window
//! starts when the first thing is due anywhere.

use super::barrier::Barrier;
use crate::mail::Mail;
use crate::part::Part;
use observe::Observer;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use units::{Span, Tick};

/// Letter boxes between parts, in two sets: while one is read, the next window fills the other.
#[derive(Debug)]
pub(crate) struct Exchange {
    parts: usize,
    /// Threads at most: where there are fewer than parts, the first has several.
    threads_max: usize,
    lookahead: Span,
    cores: usize,
    sets: [BoxSet; 2],
}

/// The letter boxes of one window.
#[derive(Debug)]
struct BoxSet {
    /// By sender, then receiver.
    mail: Vec<Mutex<Mail>>,
    /// By part: the first tick at which anything is due there, or that it has sent is due
    /// elsewhere.
    due: Vec<AtomicU64>,
}

type Outcome = Result<(), Box<dyn Any + Send>>;

impl Exchange {
    /// Between parts that cannot notice each other within `lookahead` ticks; with so many links
    /// from each to each other.
    pub(crate) fn new(links: &[Vec<usize>], lookahead: Span) -> Exchange {
        let parts = links.len();
        let set = || BoxSet {
            mail: links
                .iter()
                .flatten()
                .map(|&links| Mutex::new(Mail::with_room(links)))
                .collect(),
            due: (0..parts).map(|_| AtomicU64::new(0)).collect(),
        };
        Exchange {
            parts,
            threads_max: parts,
            lookahead,
            cores: thread::available_parallelism().map_or(1, usize::from),
            sets: [set(), set()],
        }
    }

    /// Runs on at most so many threads from now on.
    pub(crate) fn limit_threads(&mut self, threads: usize) {
        self.threads_max = threads;
    }

    /// Threads that it asks the system for, this one included.
    pub(crate) fn threads(&self) -> usize {
        self.threads_max.min(self.parts)
    }

    /// Runs ticks `from..end` of all parts, each with its observer.
    ///
    /// # Panics
    /// As the first part that does; the others then stop at the end of the window.
    pub(crate) fn run<O: Observer>(
        &self,
        parts: &mut [Part],
        observers: Vec<&mut O>,
        from: Tick,
        end: Tick,
    ) {
        let work: Vec<Mutex<(&mut Part, &mut O)>> =
            parts.iter_mut().zip(observers).map(Mutex::new).collect();
        let barrier = Barrier::new();
        let run = |mine: &[usize]| -> Outcome {
            // Unwind safety: a fabric in which an invariant is broken is not run on.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let own = mine.iter().map(|&n| (n, lock(&work[n]))).collect();
                self.windows(own, &barrier, from, end);
            }));
            if outcome.is_err() {
                barrier.fail();
            }
            outcome
        };
        let outcomes: Vec<Outcome> = thread::scope(|scope| {
            let (mut mine, mut others) = (vec![0], Vec::new());
            for part in 1..self.parts {
                let run = &run;
                let thread = thread::Builder::new().name(format!("part-{part}"));
                let spawned = (1 + others.len() < self.threads_max)
                    .then(|| thread.spawn_scoped(scope, move || run(&[part])));
                match spawned {
                    Some(Ok(thread)) => others.push(thread),
                    _ => mine.push(part), // no further thread to be had: this one does the work
                }
            }
            barrier.open(1 + others.len(), self.cores);
            let first = run(&mine);
            let joined = others
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(Err));
            std::iter::once(first).chain(joined).collect()
        });
        if let Some(payload) = outcomes.into_iter().find_map(Result::err) {
            resume_unwind(payload);
        }
    }

    /// What one thread does with its parts.
    fn windows<O: Observer>(
        &self,
        mut own: Vec<(usize, MutexGuard<'_, (&mut Part, &mut O)>)>,
        barrier: &Barrier,
        from: Tick,
        end: Tick,
    ) {
        let (mut at, mut window) = (from, 0);
        while at < end {
            let stop = end.min(at.saturating_add(self.lookahead));
            let set = &self.sets[window % 2];
            for (n, work) in &mut own {
                let (part, observer) = &mut **work;
                part.run(*observer, at, stop);
                self.send(set, *n, part, stop);
            }
            if !barrier.wait() {
                return;
            }
            for (n, work) in &mut own {
                self.receive(set, *n, work.0, stop);
            }
            // Before that nothing happens anywhere.
            let due = set.due.iter().map(|due| due.load(Ordering::Acquire)).min();
            at = due.map_or(end, Tick).clamp(stop, end);
            window += 1;
        }
    }

    /// Part `n` has run up to `stop`.
    fn send(&self, set: &BoxSet, n: usize, part: &mut Part, stop: Tick) {
        let due = part.first_due(stop);
        let transit = &mut part.transit;
        let (mail, earliest) = transit.outbox.close(&mut transit.packets);
        for (to, mail) in mail.iter_mut().enumerate() {
            if !mail.is_empty() {
                // What is there was read two windows ago: the room of its lists is used again.
                std::mem::swap(&mut *lock(&set.mail[n * self.parts + to]), mail);
            }
        }
        set.due[n].store(due.min(earliest).0, Ordering::Release);
    }

    /// Part `n` takes in what the others have sent it.
    fn receive(&self, set: &BoxSet, n: usize, part: &mut Part, now: Tick) {
        for from in 0..self.parts {
            let mut mail = lock(&set.mail[from * self.parts + n]);
            if !mail.is_empty() {
                part.deliver(&mut mail, now);
            }
        }
    }
}

/// Poisoned is what a failed run leaves, which ends with the failure.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
