//! Does every shipped scenario do what it did? Pins: `tests/shipped.toml`.

use scenario::Input;
use setaside_tests::shipped::{Pins, pins_path, scenarios};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// "Same scenario and seed => byte-identical event trace and results" (clock.md), from version to
/// version too: each scenario cut short, and three of them with every scheme.
#[test]
fn shipped_scenarios_do_what_they_did() {
    let pins = Pins::read().unwrap_or_else(|error| panic!("{error}"));
    let is_writing = std::env::var("SHIPPED_PIN").is_ok_and(|value| value == "write");
    let mut text = std::fs::read_to_string(pins_path()).expect("the pins");
    let (mut moved, mut at) = (Vec::new(), 0);
    for pin in &pins.cut {
        let found = pin.found().unwrap_or_else(|error| panic!("{error}"));
        // Pins come in the order of the file; two may have one hash.
        at += text[at..].find(&pin.events_hash).expect("read from there");
        if found != pin.events_hash {
            text.replace_range(at..at + pin.events_hash.len(), &found);
            moved.push(format!("{} {:?}: {found}", pin.file, pin.set));
        }
        at += found.len();
    }
    if is_writing {
        std::fs::write(pins_path(), text).expect("the pins can be written");
    } else {
        assert!(moved.is_empty(), "{moved:#?}");
    }
}

/// All scenarios below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { BTreeSet::from([path]) })
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .filter(|path| !Input::read(path).expect("legal").is_study())
        .collect()
}

/// No shipped scenario is forgotten.
#[test]
fn every_shipped_scenario_is_pinned() {
    let pins = Pins::read().unwrap_or_else(|error| panic!("{error}"));
    let pinned = pins.cut.iter().map(|pin| scenarios().join(&pin.file));
    let pinned: BTreeSet<PathBuf> = pinned.collect();
    let shipped = files(&scenarios());
    assert_eq!(pinned, shipped);
    // At full length too, all but what ends before: it locks.
    let locks = scenarios().join("lai-rsi/df-paper-literal-deadlock.toml");
    let full = pins.full.iter().map(|pin| scenarios().join(&pin.file));
    let full: BTreeSet<PathBuf> = full.chain([locks]).collect();
    assert_eq!(full, shipped);
}
