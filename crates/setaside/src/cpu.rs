//! CPU time of the calling thread.

use rustix::time::{ClockId, clock_gettime};

/// CPU seconds that this thread has used.
pub(crate) fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
