//! CPU time of the tick loop.

use rustix::time::{ClockId, clock_gettime};

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// CPU seconds that this thread has used.
pub(crate) fn thread_seconds() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// CPU seconds that all threads of the program have used.
fn program_seconds() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

/// The clock for a run on so many threads. That of the whole program counts their waiting for each
/// other too.
pub(crate) fn clock(threads: usize) -> fn() -> f64 {
    if threads > 1 { program_seconds } else { thread_seconds }
}
