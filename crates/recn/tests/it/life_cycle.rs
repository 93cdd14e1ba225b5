//! The tables of the life cycle.

use recn::life_cycle::rows;
use recn::{Illegal, LifeEvent, LifeState};

// "The bits of a CAM line are the state": each state but idle has bits of its own.
#[test]
fn bits_and_states_are_one_to_one() {
    for &state in &LifeState::ALL[1..] {
        let (ready, blocked, leaf) = state.bits();
        assert_eq!(LifeState::of(ready, blocked, leaf), state);
    }
}

// "Never freed: a SAQ that is not ready, is blocked"; token versions: "leaf".
#[test]
fn only_an_open_leaf_is_freed() {
    for tokens in [true, false] {
        let freed = rows(tokens).filter(|row| row.1 == LifeEvent::Free);
        assert!(freed.eq([(LifeState::Open, LifeEvent::Free, LifeState::Idle)]));
    }
}

// "No tokens, no leaf bit": the DD versions know no children.
#[test]
fn dd_versions_have_no_children() {
    assert_eq!((rows(true).count(), rows(false).count()), (35, 13));
    let is_leaf = |state: LifeState| state == LifeState::Idle || state.bits().2;
    assert!(rows(false).all(|row| is_leaf(row.0) && is_leaf(row.2)));
}

// "What is not a row is a broken invariant": the error names state and event.
#[test]
fn missing_row_is_an_error_that_names_it() {
    let illegal = Illegal { state: LifeState::Open, event: LifeEvent::Marker };
    assert_eq!(LifeState::Open.next(true, LifeEvent::Marker), Err(illegal));
    assert_eq!(illegal.to_string(), "SAQ life cycle: marker consumed in state open");
}
