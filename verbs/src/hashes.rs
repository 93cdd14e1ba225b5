//! `cargo xtask hashes`: do the shipped scenarios at full length match `tests/shipped.toml`?

use setaside::{Exit, Failure};
use setaside_tests::shipped::Pins;

fn failure(what: impl Into<String>) -> Failure {
    Failure::new(Exit::Failure, what)
}

/// Runs the full-length pins whose name has one of `names` (none: all); differences go to stdout.
pub(crate) fn hashes(names: &[String]) -> Result<(), Failure> {
    let pins = Pins::read().map_err(failure)?;
    let is_wanted = |file: &str| names.is_empty() || names.iter().any(|name| file.contains(name));
    let mut moved = 0;
    for pin in pins.full.iter().filter(|pin| is_wanted(&pin.file)) {
        eprintln!("{}", pin.file);
        let found = pin.found().map_err(failure)?;
        if found != pin.events_hash {
            println!("{}: {found}, pinned {}", pin.file, pin.events_hash);
            moved += 1;
        }
    }
    match moved {
        0 => Ok(()),
        moved => Err(failure(format!("{moved} hashes differ"))),
    }
}
