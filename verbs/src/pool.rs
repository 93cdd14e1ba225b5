//! Work on all cores.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use study::RunFailure;

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What is behind a lock, whoever held it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work` for 0 to `count` - 1, in any order, until it returns `false`.
pub(crate) fn count_on_all_cores(count: u64, work: impl Fn(u64) -> bool + Sync) {
    let next = AtomicU64::new(0);
    let worker = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return;
            }
            if !work(k) {
                next.store(count, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(worker);
        }
    });
}

/// What a check comes to, or the words of its panic.
pub(crate) fn caught<T>(check: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(check)).map_err(|panic| RunFailure::of_panic(&*panic).message)
}

/// What `work` makes of each, in their order, or the first error, after which no more are begun.
pub(crate) fn on_all_cores<T: Sync, R: Send, E: Send>(
    all: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let results: Mutex<BTreeMap<u64, Result<R, E>>> = Mutex::default();
    count_on_all_cores(all.len() as u64, |k| {
        let result = work(&all[k as usize]);
        let is_ok = result.is_ok();
        locked(&results).insert(k, result);
        is_ok
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
