//! Allocation: who gets a SAQ, and whether it is ready at once.

use crate::port::{A, B, LATER, NORMAL, NOW, Port, VERSIONS, point};
use recn::{Answer, ProtocolError, Version};
use units::LineId;

// "The SAQ is ready at once only if the host is empty and itself ready. Otherwise the marker goes
// in." "A queue that holds only markers is not empty."
#[test]
fn saq_is_ready_where_its_host_is_empty_and_ready() {
    let port = Port::with_saq(Version::Enhanced, point(&[1]));
    assert!(port.recn.cam().ready(A));
    assert!(!port.memory.has_markers(NORMAL));
    let mut port = Port::new(Version::Enhanced, 1);
    port.fill(NORMAL, 1);
    assert_eq!(port.set_aside(point(&[1]), NOW), Answer::Accepted(A));
    assert!(!port.recn.cam().ready(A));
    assert_eq!(port.memory.marker_host(A), Some(NORMAL));
    // An empty SAQ that waits makes its nested one wait, and so do markers alone.
    port.set_aside(point(&[1, 2]), NOW);
    assert_eq!(port.memory.marker_host(B), Some(port.queue(A)));
    port.leave(NORMAL);
    port.set_aside(point(&[2]), NOW);
    assert!(!port.recn.cam().ready(B) && !port.recn.cam().ready(LineId(2)));
}

// "host queue: ... normal / detection queue, or the SAQ of the longest prefix"
#[test]
fn host_is_the_longest_prefix_else_the_normal_queue() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    port.set_aside(point(&[1, 2]), NOW);
    let host = |turns: &[u32]| port.recn.host(&point(turns), NORMAL);
    assert_eq!(host(&[1, 2, 3]), Some(port.queue(B)));
    assert_eq!(host(&[1, 3]), Some(port.queue(A)));
    assert_eq!(host(&[2]), Some(NORMAL));
    // The SAQ of the point itself is no host of it.
    assert_eq!(host(&[1]), Some(NORMAL));
}

// "Order from CQ to SAQ holds by itself, so CQ is never a host"; a nested SAQ has one.
#[test]
fn cold_queue_is_never_a_host() {
    let mut port = Port::new(Version::DdIq, 1);
    port.fill(NORMAL, 1);
    assert_eq!(port.set_aside(point(&[1]), NOW), Answer::Accepted(A));
    assert!(port.recn.cam().ready(A));
    assert_eq!(port.recn.host(&point(&[1, 2]), NORMAL), Some(port.queue(A)));
}

// "No free SAQ: refuse"
#[test]
fn full_cam_refuses() {
    for version in VERSIONS {
        let mut port = Port::full(version);
        assert_eq!(port.set_aside(point(&[7]), NOW), Answer::Refused);
    }
}

// Basic: "A more specific T while a less specific SAQ (prefix) exists is discarded; a less specific
// T while a more specific SAQ exists is accepted." Enhanced: "every notification is accepted".
#[test]
fn basic_refuses_the_more_specific_point() {
    for (version, refuses) in [(Version::Basic, true), (Version::Enhanced, false)] {
        let mut port = Port::with_saq(version, point(&[1, 2]));
        assert_eq!(port.set_aside(point(&[1]), NOW), Answer::Accepted(B));
        let more = port.set_aside(point(&[1, 2, 3]), NOW);
        assert_eq!(more == Answer::Refused, refuses);
    }
}

// "Over a link a sender never notifies twice: a duplicate there is a broken invariant."
#[test]
fn second_notification_over_a_link_is_broken() {
    for version in [Version::Basic, Version::Enhanced] {
        let again = Port::with_saq(version, point(&[1])).notified(point(&[1]), false);
        assert_eq!(again, Err(ProtocolError::Duplicate(point(&[1]))));
    }
}

// "An egress notification that finds its T at the ingress already: that SAQ becomes the egress's
// child and owes it a token when freed."
#[test]
fn root_found_at_ingress_is_adopted_once() {
    let mut port = Port::new(Version::Enhanced, 1);
    let root = point(&[1]);
    port.detected(root);
    assert!(!port.recn.registers(A).owned);
    assert_eq!(port.notified(root, true), Ok(Answer::Adopted(A)));
    assert!(port.recn.registers(A).owned);
    assert_eq!(port.notified(root, true), Err(ProtocolError::Duplicate(root)));
}

// A line that is used again starts with its registers clear and its own time of allocation.
#[test]
fn line_used_again_starts_afresh() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    port.recn.registers_mut(A).children = 7;
    port.recn.registers_mut(A).notified = true;
    port.recn.free(A).unwrap();
    assert_eq!(port.set_aside(point(&[2]), LATER), Answer::Accepted(A));
    let registers = *port.recn.registers(A);
    assert_eq!((registers.children, registers.notified), (0, false));
    assert_eq!(registers.allocated, LATER);
}

// DD: "no match: allocate, B = 1 (an Xoff is the notification)"; "allocation request ..., B = 0".
#[test]
fn requested_saq_is_blocked_if_xoff_asked_for_it() {
    for blocked in [false, true] {
        let mut port = Port::new(Version::Dd, 1);
        let (recn, memory) = (&mut port.recn, &mut port.memory);
        let mut ask = || recn.requested(memory, point(&[1]), NORMAL, blocked, NOW);
        assert_eq!(ask(), Ok(Some(Answer::Accepted(A))));
        assert_eq!(ask(), Ok(None));
        assert_eq!(port.recn.cam().blocked(A), blocked);
    }
}
