//! Ctrl-C and the signals that ask a program to end: what is finished stays, what runs stops soon.

use crate::exit::Exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

#[cfg(unix)]
const SIGNALS: [i32; 3] = {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    [SIGINT, SIGTERM, SIGHUP]
};
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that Ctrl-C, SIGTERM and SIGHUP set; a second one ends the program at once. On Linux a
/// signal that the program was started to ignore (SIGHUP under `nohup`) stays ignored; elsewhere a
/// hangup is handled as the others are.
pub(crate) fn flag() -> &'static AtomicBool {
    INTERRUPTED.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let ignored = ignored();
        for signal in SIGNALS.into_iter().filter(|at| ignored >> (at - 1) & 1 == 0) {
            // Without a handler a signal ends the program at once, which loses nothing that is
            // finished. In this order: the first signal finds the flag not yet set.
            let _ = signal_hook::flag::register_conditional_shutdown(
                signal,
                Exit::Interrupted.code(),
                Arc::clone(&flag),
            );
            let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
        }
        flag
    })
}

/// The signals that are ignored, number n in bit n - 1, where the system tells: Linux does, in
/// /proc.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Whether the program was asked to end.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
