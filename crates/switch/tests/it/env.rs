//! What is evaluated at most once a tick, and asked for from several sides.

use switch::Once;
use units::Tick;

// "Whether nobody has asked for that tick or an earlier one yet."
#[test]
fn only_an_earlier_tick_is_asked_for_again() {
    let mut once = Once::default();
    let new = [9, 9, 12, 7].map(|tick| once.ask(Tick(tick)));
    assert_eq!(new, [true, false, false, true]);
}

// "It is to be done at `tick`, whatever else was asked for."
#[test]
fn a_later_tick_may_be_asked_for_too() {
    let mut once = Once::default();
    let new = [9, 9, 12].map(|tick| once.ask_for(Tick(tick)));
    assert_eq!(new, [true, false, true]);
}

// "Whether for the first time in this tick."
#[test]
fn it_is_done_once_a_tick() {
    let mut once = Once::default();
    let first = [5, 5, 6].map(|tick| once.begin(Tick(tick)));
    assert_eq!(first, [true, false, true]);
}

// What was asked for is over when its tick has come; what is still to come is not.
#[test]
fn what_is_done_may_be_asked_for_again() {
    let mut once = Once::default();
    once.ask(Tick(9));
    once.begin(Tick(8));
    assert!(!once.ask(Tick(9)));
    once.begin(Tick(9));
    assert!(once.ask(Tick(12)));
}
