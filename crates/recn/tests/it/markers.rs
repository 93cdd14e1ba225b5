//! Markers: order when a SAQ is allocated.

use crate::port::{A, B, NORMAL, NOW, Port, point};
use recn::{Answer, Version};
use units::QueueId;

/// A port whose first SAQ waits behind a packet of the normal queue, and a nested one in it.
fn nested() -> Port {
    let mut port = Port::new(Version::Enhanced, 1);
    port.fill(NORMAL, 1);
    port.set_aside(point(&[1]), NOW);
    port.set_aside(point(&[1, 2]), NOW);
    port
}

// "When ... its head leaves, the markers now at its head are consumed"
#[test]
fn saq_is_ready_when_what_was_ahead_has_left() {
    let mut port = Port::new(Version::Enhanced, 1);
    port.fill(NORMAL, 2);
    port.set_aside(point(&[1]), NOW);
    port.fill(NORMAL, 1);
    assert!(port.leave(NORMAL));
    assert_eq!(port.settle(), []);
    port.leave(NORMAL);
    assert_eq!(port.settle(), [0]);
    assert!(port.recn.cam().ready(A));
}

// "... one after the other, and each queue that this makes ready does the same." "Blocking does not
// stop the consumption of markers." "[Free is] evaluated when ... a marker is consumed": for the
// SAQ and for its host.
#[test]
fn queue_that_becomes_ready_consumes_its_own_markers() {
    for blocked in [false, true] {
        let mut port = nested();
        if blocked {
            port.recn.flow(&point(&[1]), true).unwrap();
        }
        port.leave(NORMAL);
        assert_eq!(port.settle(), [0, 1]);
        assert_eq!(port.recn.cam().blocked(A), blocked);
        assert_eq!(port.recn.take_checks(false), 0b11);
    }
}

// "A queue that is not ready consumes no markers."
#[test]
fn waiting_queue_consumes_no_markers() {
    let mut port = nested();
    let saq = port.queue(A);
    port.fill(saq, 1);
    port.leave(saq);
    assert_eq!(port.settle(), []);
    assert_eq!(port.memory.marker_host(B), Some(saq));
}

// Only a queue with markers, or a SAQ that is empty now, is evaluated.
#[test]
fn departure_of_no_consequence_marks_nothing() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    let saq = port.queue(A);
    port.fill(NORMAL, 1);
    port.fill(saq, 2);
    assert!(!port.leave(NORMAL));
    assert!(!port.leave(saq));
    assert!(!port.recn.is_marked());
    assert!(port.leave(saq));
    assert!(port.recn.is_marked());
}

// "at the heads of queues, of all or of those marked": all means the last normal queue too, of one
// as of 64.
#[test]
fn look_at_everything_reaches_the_last_normal_queue() {
    for base in [1, 64] {
        let mut port = Port::new(Version::Enhanced, base);
        let last = QueueId(base - 1);
        port.fill(last, 1);
        let (recn, memory) = (&mut port.recn, &mut port.memory);
        let answer = recn.notified(memory, point(&[1]), last, false, NOW);
        assert_eq!(answer, Ok(Answer::Accepted(A)));
        let lease = memory.pop(last).unwrap();
        memory.release(lease).unwrap();
        assert_eq!(recn.settle_marked(memory, true), Ok(1));
    }
}
