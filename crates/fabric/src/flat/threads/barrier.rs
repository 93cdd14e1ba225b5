//! Where threads wait for each other at the end of a window.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};

/// Looks at the round before a thread gives way to others: some microseconds.
const SPINS: u32 = 1 << 7;
/// Times that it gives way before it sleeps.
const YIELDS: u32 = 1 << 9;

/// A barrier for the windows of one run, at which threads that wait first spin, then give way, then
/// sleep. With more threads than cores they do not spin.
#[derive(Debug)]
pub(crate) struct Barrier {
    parties: OnceLock<(usize, u32)>,
    arrived: AtomicUsize,
    round: AtomicUsize,
    /// The first round that a thread came to only to say that it failed. Threads that have not left
    /// the round before yet must still come to that one: a flag would let them go early.
    failed: AtomicUsize,
    asleep: AtomicUsize,
    lock: Mutex<()>,
    bell: Condvar,
}

impl Barrier {
    pub(crate) fn new() -> Barrier {
        Barrier {
            parties: OnceLock::new(),
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            failed: AtomicUsize::new(usize::MAX),
            asleep: AtomicUsize::new(0),
            lock: Mutex::new(()),
            bell: Condvar::new(),
        }
    }

    /// From now on it is known how many threads meet; on `cores` cores.
    pub(crate) fn open(&self, parties: usize, cores: usize) {
        let spins = if parties <= cores { SPINS } else { 0 };
        self.parties.get_or_init(|| (parties, spins));
    }

    /// Waits until all others have come here as often. Whether all go on: none has failed.
    pub(crate) fn wait(&self) -> bool {
        let &(parties, spins) = self.parties.wait();
        let round = self.round.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == parties {
            self.arrived.store(0, Ordering::SeqCst);
            self.round.store(round + 1, Ordering::SeqCst);
            if self.asleep.load(Ordering::SeqCst) > 0 {
                drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
                self.bell.notify_all();
            }
        } else {
            self.wait_for_others(round, spins);
        }
        self.failed.load(Ordering::SeqCst) > round
    }

    /// This thread comes here a last time: the others stop when all of them have.
    pub(crate) fn fail(&self) {
        // The others cannot leave the present round without this thread.
        let round = self.round.load(Ordering::SeqCst);
        self.failed.fetch_min(round, Ordering::SeqCst);
        self.wait();
    }

    fn wait_for_others(&self, round: usize, spins: u32) {
        let is_over = || self.round.load(Ordering::SeqCst) != round;
        for _ in 0..spins {
            if is_over() {
                return;
            }
            std::hint::spin_loop();
        }
        for _ in 0..YIELDS {
            if is_over() {
                return;
            }
            std::thread::yield_now();
        }
        let mut locked = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.asleep.fetch_add(1, Ordering::SeqCst);
        while !is_over() {
            locked = self.bell.wait(locked).unwrap_or_else(PoisonError::into_inner);
        }
        self.asleep.fetch_sub(1, Ordering::SeqCst);
    }
}
