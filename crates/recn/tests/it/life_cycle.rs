//! The tables of the life cycle.

use recn::life_cycle::{Row, rows};
use recn::{Illegal, LifeEvent, LifeState};

/// All but the first, idle.
fn states() -> impl Iterator<Item = LifeState> {
    LifeState::ALL[1..].iter().copied()
}

// "The bits of a CAM line are the state": each state has bits of its own.
#[test]
fn bits_and_states_are_one_to_one() {
    for state in states() {
        let (ready, blocked, leaf) = state.bits();
        assert_eq!(LifeState::of(ready, blocked, leaf), state);
    }
}

// A table is a function: one row at most for a state and an event.
#[test]
fn no_state_has_two_rows_for_an_event() {
    let mut seen = std::collections::BTreeSet::new();
    assert!(rows(true).all(|row| seen.insert((row.0, row.1))));
}

// Every row changes the bits that its event is about, and no others.
#[test]
fn events_change_their_own_bit_alone() {
    for &(from, event, to) in rows(true) {
        let (ready, blocked, leaf) = from.bits();
        let expected = match event {
            LifeEvent::AllocateWaiting => (false, false, true),
            LifeEvent::AllocateReady => (true, false, true),
            LifeEvent::Marker => (true, blocked, leaf),
            LifeEvent::Xoff => (ready, true, leaf),
            LifeEvent::Xon => (ready, false, leaf),
            LifeEvent::Child => (ready, blocked, false),
            LifeEvent::Childless => (ready, blocked, true),
            LifeEvent::Free => LifeState::Idle.bits(),
        };
        assert_eq!(to.bits(), expected, "{from}: {event}");
    }
}

// "Never freed: a SAQ that is not ready, is blocked"; token versions: "leaf".
#[test]
fn only_an_open_leaf_is_freed() {
    for tokens in [true, false] {
        let freed = states().filter(|s| s.next(tokens, LifeEvent::Free).is_ok());
        assert!(freed.eq([LifeState::Open]));
    }
}

// "No tokens, no leaf bit": the DD versions know no children.
#[test]
fn dd_versions_have_no_children() {
    let about_children =
        |row: &Row| matches!(row.1, LifeEvent::Child | LifeEvent::Childless) || !row.2.bits().2;
    let rows: Vec<&Row> = rows(false).filter(|row| about_children(row)).collect();
    assert_eq!(rows, [&(LifeState::Open, LifeEvent::Free, LifeState::Idle)]);
}

// "What is not a row is a broken invariant": the error names state and event.
#[test]
fn missing_row_is_an_error_that_names_it() {
    let error = LifeState::Open.next(true, LifeEvent::Marker);
    let illegal = Illegal { state: LifeState::Open, event: LifeEvent::Marker };
    assert_eq!(error, Err(illegal));
    assert_eq!(illegal.to_string(), "SAQ life cycle: marker consumed in state open");
}
