//! FCU of an egress port: "A credit is consumed at the start of transmission and returned when the
//! packet's tail leaves that memory."

use crate::common::{OUT0, broken_by};
use switch::Fcu;
use units::{ClassId, Tick};

const NOW: Tick = Tick(40);

// "Queues, credits and memories carry a VC index": each class is counted for itself.
#[test]
fn classes_are_counted_apart() {
    let mut fcu = Fcu::new(2, 5, OUT0);
    fcu.take(ClassId(1), 3, NOW);
    assert_eq!([0, 1].map(|class| fcu.available(ClassId(class))), [5, 2]);
    fcu.give(ClassId(1), 2, NOW);
    assert_eq!(fcu.credits().class(ClassId(1)).in_use(), 1);
}

// "Overflow is a bug of the model, never a drop"
#[test]
fn credit_that_is_not_there_or_comes_twice_stops_the_run() {
    let mut fcu = Fcu::new(1, 5, OUT0);
    let taken = broken_by(|| fcu.take(ClassId(0), 6, NOW));
    assert_eq!(taken.what, "credit underflow: 6 cells needed, 5 available");
    let given = broken_by(|| fcu.give(ClassId(0), 1, NOW));
    assert_eq!([taken, given].map(|b| (b.unit, b.tick)), [(OUT0, NOW); 2]);
}

// After a run has drained all credit is home.
#[test]
fn what_is_away_is_named() {
    let mut fcu = Fcu::new(3, 5, OUT0);
    assert_eq!(fcu.left_over(), None);
    fcu.take(ClassId(2), 4, NOW);
    let text = "fabric.switch0.out0: 4 credits of class 2 are away";
    assert_eq!(fcu.left_over().as_deref(), Some(text));
    fcu.give(ClassId(2), 4, NOW);
    assert_eq!(fcu.left_over(), None);
}
