//! Ctrl-C: what is finished stays, what runs stops soon.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// The flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub(crate) fn flag() -> &'static AtomicBool {
    INSTALL.call_once(|| {
        // Without a handler Ctrl-C ends the program at once, which loses nothing that is finished.
        let _ = ctrlc::set_handler(|| {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &INTERRUPTED
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
