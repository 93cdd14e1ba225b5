//! CDU: detection and propagation.

use crate::port::{A, B, IN_0, IN_2, NORMAL, NOW, Port, VERSIONS, config, point};
use flow_control::Control;
use recn::{Controls, Detection, InternalKind, Version};
use turnpool::Point;
use units::Tick;

// "egress occupancy > `detection_egress` ["beyond"]": "notify the ingress port that sent it"; DD:
// "allocation request to the sending input only, B = 0".
#[test]
fn egress_detection_fires_beyond_its_threshold() {
    for version in VERSIONS {
        let port = Port::new(version, 1);
        let detect = |packets| port.recn.egress_detection(NORMAL, packets, IN_2, &config());
        assert_eq!(detect(3), None);
        let kind = match version {
            Version::Basic | Version::Enhanced => InternalKind::Notify { sender: IN_2 },
            Version::Dd | Version::DdIq => InternalKind::Request { sender: IN_2, blocked: false },
        };
        assert_eq!(detect(4), Some((Point::EMPTY, kind)));
    }
}

// "... if it is not a child yet"
#[test]
fn child_of_a_root_is_not_notified_again() {
    let mut port = Port::new(Version::Enhanced, 1);
    port.recn.child_accepted(NORMAL, IN_2).unwrap();
    let detect = |sender| port.recn.egress_detection(NORMAL, 4, sender, &config());
    assert_eq!(detect(IN_2), None);
    assert!(detect(IN_0).is_some());
}

// "In an egress SAQ: notify the ingress port that sent the packet ... if it is not a child yet."
#[test]
fn egress_saq_propagates_beyond_its_threshold() {
    let mut port = Port::with_saq(Version::Basic, point(&[1]));
    let saq = port.queue(A);
    let detect = |port: &Port, packets| port.recn.egress_detection(saq, packets, IN_2, &config());
    assert_eq!(detect(&port, 2), None);
    let notify = InternalKind::Notify { sender: IN_2 };
    assert_eq!(detect(&port, 3), Some((point(&[1]), notify)));
    port.recn.child_accepted(saq, IN_2).unwrap();
    assert_eq!(detect(&port, 3), None);
}

// DD: "the only inter-switch message is Xoff/Xon": a SAQ does not notify.
#[test]
fn saqs_of_dd_versions_do_not_notify() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    let saq = port.queue(A);
    assert_eq!(port.recn.egress_detection(saq, 60, IN_2, &config()), None);
    let sent = port.recn.ingress_propagation(A, 60, NOW, &config());
    assert_eq!(sent, Ok(Controls::new()));
}

fn sent(detection: Detection) -> Vec<Control> {
    match detection {
        Detection::Root { controls, .. } => controls.to_vec(),
        other => panic!("{other:?}"),
    }
}

// "swap: the full queue becomes the SAQ, an empty one takes its place. It has no host and is ready
// at once, markers inside go along"
#[test]
fn full_detection_queue_becomes_the_saq() {
    for version in [Version::Enhanced, Version::Dd] {
        let mut port = Port::new(version, 1);
        port.fill(NORMAL, 2);
        port.set_aside(point(&[1, 2]), NOW);
        port.detected(point(&[1]));
        assert!(port.memory.is_vacant(NORMAL));
        assert_eq!(port.memory.packets(port.queue(B)), 2);
        assert_eq!(port.memory.marker_host(A), Some(port.queue(B)));
        assert!(port.recn.cam().ready(B));
    }
}

// "It counts as congested: notify upstream at once."
#[test]
fn root_at_ingress_notifies_at_once() {
    let mut port = Port::new(Version::Enhanced, 1);
    port.fill(NORMAL, 3);
    let sent = sent(port.detected(point(&[1])));
    assert_eq!(sent, [Control::Notification(point(&[1]))]);
    assert!(port.recn.registers(A).notified);
    assert!(!port.recn.cam().leaf(A));
}

// "`xoff_sent` ... looked at ... when a SAQ is made by a swap, before its notification"; "a
// notification sent while `xoff_sent` is set is followed by Xoff in the same control queue"
#[test]
fn notification_of_a_saq_at_xoff_is_followed_by_xoff() {
    let mut port = Port::new(Version::Enhanced, 1);
    port.fill(NORMAL, 5);
    let sent = sent(port.detected(point(&[1])));
    let both = [Control::Notification(point(&[1])), Control::Xoff(point(&[1]))];
    assert_eq!(sent, both);
}

// DD: "Root at ingress: as in enhanced, B = 0", and Xoff is the only message: once it is met.
#[test]
fn root_at_ingress_of_dd_sends_xoff_alone() {
    for (packets, expected) in [(4, vec![]), (5, vec![Control::Xoff(point(&[1]))])] {
        let mut port = Port::new(Version::Dd, 1);
        port.fill(NORMAL, packets);
        assert_eq!(sent(port.detected(point(&[1]))), expected);
        assert!(!port.recn.cam().blocked(A));
        assert_eq!(port.recn.registers(A).xoff_at, NOW);
    }
}

// `recn-dd-iq`: "at `detection_ingress` on arrival: SAQ for [turn(i,o)], B = 0"; packets stay in
// the cold queue until the PPU moves them.
#[test]
fn counted_root_swaps_nothing() {
    let mut port = Port::new(Version::DdIq, 1);
    port.fill(NORMAL, 6);
    assert_eq!(sent(port.detected(point(&[1]))), []);
    assert_eq!(port.memory.packets(NORMAL), 6);
    assert!(port.recn.cam().ready(A));
}

// "A SAQ with that T already there: nothing. No free SAQ: nothing, again on the next arrival."
#[test]
fn known_and_refused_roots_change_nothing() {
    let mut port = Port::full(Version::Enhanced);
    port.fill(NORMAL, 5);
    let before = port.recn.clone();
    assert_eq!(port.detected(point(&[1])), Detection::Known);
    assert_eq!(port.detected(point(&[7])), Detection::Refused);
    assert_eq!((port.recn, port.memory.packets(NORMAL)), (before, 5));
}

// "a packet stored in an ingress SAQ whose occupancy > `propagation`: notify the upstream egress
// with T unchanged, once, until answered. The leaf bit clears when the notification is sent."
#[test]
fn ingress_saq_propagates_once() {
    let mut port = Port::with_saq(Version::Basic, point(&[1]));
    let mut propagate = |packets| {
        let sent = port.recn.ingress_propagation(A, packets, NOW, &config());
        sent.unwrap().to_vec()
    };
    assert_eq!(propagate(2), []);
    assert_eq!(propagate(3), [Control::Notification(point(&[1]))]);
    assert_eq!(propagate(4), []);
    assert!(!port.recn.cam().leaf(A));
}

// "over a link it is a NACK control packet, and that line does not notify again for `retry_ns`"; a
// token answers too, and asks for no delay.
#[test]
fn answered_notification_is_repeated_after_the_retry_time_or_at_once() {
    for (answer, first) in [(Control::Nack as fn(_) -> _, 120), (Control::Token, 100)] {
        let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
        let propagates = |port: &mut Port, now| {
            !port.recn.ingress_propagation(A, 3, Tick(now), &config()).unwrap().is_empty()
        };
        assert!(propagates(&mut port, 100) && !propagates(&mut port, 1000));
        port.recn.ingress_control(answer(point(&[1])), NOW, &config()).unwrap();
        assert_eq!(propagates(&mut port, first - 1), first == 100);
        assert_eq!(propagates(&mut port, first), first != 100);
    }
}
