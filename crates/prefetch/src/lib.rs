//! Asking the processor for a cache line ahead of its use, so that it is there when it is needed
//! and nobody waits for it. It changes nothing: no result depends on it.
//!
//! What this crate deliberately does not know: who needs what, and when. The units say which lines
//! they will touch, the engine asks in time.

/// Asks for the line that `at` begins in. On processors other than x86-64 nothing happens.
#[inline(always)]
pub fn line<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(at);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Asks for the line that the list begins in, if it has anything.
#[inline(always)]
pub fn first<T>(list: &[T]) {
    if let Some(at) = list.first() {
        line(at);
    }
}

/// Asks for the line of one of a list, if it is there.
#[inline(always)]
pub fn nth<T>(list: &[T], at: usize) {
    if let Some(at) = list.get(at) {
        line(at);
    }
}
