//! The end of the process, for tests: every change to a file asks [`step`] first. In the program it
//! does nothing.

#[cfg(not(test))]
pub(crate) fn step() {}

#[cfg(test)]
pub(crate) use dying::{after, alone, is_dead, step};

/// So many changes are carried out, and none after them, on any thread.
#[cfg(test)]
mod dying {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// What the panic of a "dying" process says.
    const SAYS: &str = "the process is gone";
    /// Nobody dies.
    const ALIVE: u32 = u32::MAX;
    static LEFT: AtomicU32 = AtomicU32::new(ALIVE);

    /// The process dies after so many further changes; `None`: it lives.
    pub(crate) fn after(changes: Option<u32>) {
        LEFT.store(changes.unwrap_or(ALIVE), Ordering::SeqCst);
    }

    /// As long as this is held nobody else dies: the count is one for all threads.
    pub(crate) fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_dead() -> bool {
        LEFT.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn step() {
        let one_less = |left: u32| match left {
            ALIVE => Some(ALIVE),
            left => left.checked_sub(1),
        };
        let lives = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        if lives.is_err() {
            std::panic::resume_unwind(Box::new(SAYS)); // without a word: hundreds die
        }
    }
}
