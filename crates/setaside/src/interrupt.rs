//! Ctrl-C and the signals that ask a program to end: what is finished stays, what runs stops soon.

use crate::exit::Exit;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// The flag that Ctrl-C, SIGTERM and SIGHUP set; a second one ends the program at once.
pub(crate) fn flag() -> &'static AtomicBool {
    INSTALL.call_once(|| {
        if hangups_are_ignored() {
            return;
        }
        // Without a handler Ctrl-C ends the program at once, which loses nothing that is finished.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(Exit::Interrupted.code());
            }
        });
    });
    &INTERRUPTED
}

/// Whether the program was started to outlive its terminal (`nohup`): a handler would take that away, as it is one for all signals.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

/// Whether the program was asked to end.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
