//! FCU: Xoff and Xon to upstream, and inside the switch. Thresholds here: Xoff at 5, Xon at 1
//! packet.

use crate::port::{A, B, IN_0, IN_2, NORMAL, NOW, Port, VERSIONS, config, point};
use flow_control::Control;
use recn::{Answer, Change, InternalKind, Message, Met, ProtocolError, RecnConfig, Version};
use turnpool::Point;
use units::{QueueId, Tick};

fn changed<M>(message: Option<M>) -> Change<M> {
    Change { changed: true, message }
}

/// An ingress port with a SAQ whose upstream port was notified where the version does that.
fn with_child(version: Version) -> Port {
    let mut port = Port::with_saq(version, point(&[1]));
    port.recn.ingress_propagation(A, 3, NOW, &config()).unwrap();
    port
}

// "`xoff_sent` ... set when occupancy >= `xoff`, cleared when it falls to `xon`. Each change is
// sent upstream"
#[test]
fn ingress_saq_sends_each_change_once() {
    for version in VERSIONS {
        let mut port = with_child(version);
        let recn = &mut port.recn;
        assert_eq!(recn.ingress_rose(A, 4, NOW, &config()), Change::NONE);
        let sent = changed(Some(Control::Xoff(point(&[1]))));
        assert_eq!(recn.ingress_rose(A, 5, NOW, &config()), sent);
        assert_eq!(recn.ingress_rose(A, 6, NOW, &config()), Change::NONE);
        assert_eq!(recn.ingress_fell(A, 2, NOW, &config()), Change::NONE);
        let sent = changed(Some(Control::Xon(point(&[1]))));
        assert_eq!(recn.ingress_fell(A, 1, NOW, &config()), sent);
        assert_eq!(recn.ingress_fell(A, 0, NOW, &config()), Change::NONE);
    }
}

// "in basic and enhanced if a child exists, in the DD versions always"
#[test]
fn ingress_saq_without_a_child_sends_nothing() {
    for version in VERSIONS {
        let mut port = Port::with_saq(version, point(&[1]));
        let always = !port.recn.rules().tokens;
        let sent = always.then_some(Control::Xoff(point(&[1])));
        assert_eq!(port.recn.ingress_rose(A, 5, NOW, &config()), changed(sent));
        let sent = always.then_some(Control::Xon(point(&[1])));
        assert_eq!(port.recn.ingress_fell(A, 1, NOW, &config()), changed(sent));
    }
}

// "Xoff is repeated on arrivals while occupancy is at or above `xoff`, at most once per
// `xoff_repeat_ns`": the DD versions alone.
#[test]
fn xoff_is_repeated_after_its_interval() {
    for version in VERSIONS {
        let mut port = with_child(version);
        let mut rises = |packets, now| {
            let change = port.recn.ingress_rose(A, packets, Tick(now), &config());
            change.message.is_some()
        };
        let mut sent = Vec::new();
        for (packets, now) in [(5, 100), (6, 129), (4, 130), (5, 130), (5, 159), (5, 160)] {
            sent.push(rises(packets, now));
        }
        let repeats = matches!(version, Version::Dd | Version::DdIq);
        assert_eq!(sent, [true, false, false, repeats, false, repeats]);
    }
}

// Xon starts the interval too: an Xoff after it is a change and sent at once.
#[test]
fn xoff_after_xon_is_sent_at_once() {
    let mut port = with_child(Version::Dd);
    port.recn.ingress_rose(A, 5, NOW, &config());
    port.recn.ingress_fell(A, 1, Tick(105), &config());
    let change = port.recn.ingress_rose(A, 5, Tick(106), &config());
    assert_eq!(change, changed(Some(Control::Xoff(point(&[1])))));
    assert_eq!(port.recn.registers(A).xoff_at, Tick(106));
}

// "Xoff, Xon, tokens and NACKs match T exactly."
#[test]
fn flow_matches_the_point_exactly() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1, 2]));
    assert_eq!(port.recn.flow(&point(&[1]), true), Ok(None));
    assert_eq!(port.recn.flow(&point(&[1, 2, 3]), true), Ok(None));
    assert!(!port.recn.cam().blocked(A));
    assert_eq!(port.recn.flow(&point(&[1, 2]), true), Ok(Some(A)));
    assert!(port.recn.cam().blocked(A));
}

// "A SAQ that is not ready or is blocked does not request."
#[test]
fn blocked_and_waiting_saqs_do_not_request() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    port.fill(NORMAL, 1);
    port.set_aside(point(&[2]), NOW);
    let requests =
        |port: &Port| [NORMAL, port.queue(A), port.queue(B)].map(|q| port.recn.may_request(q));
    assert_eq!(requests(&port), [true, true, false]);
    port.recn.flow(&point(&[1]), true).unwrap();
    assert_eq!(requests(&port), [true, false, false]);
    port.recn.flow(&point(&[1]), false).unwrap();
    assert_eq!(requests(&port), [true, true, false]);
}

// DD: "match: B = 1; no match at the last sender: allocate with B = 1; else ignored." "Else an
// allocation refused upstream would never be tried again": the refusal is an answer. Token versions
// send to children alone, and those have a SAQ.
#[test]
fn last_sender_sets_aside_what_it_does_not_know() {
    let (known, other) = (point(&[1]), point(&[7]));
    let check = |mut port: Port, point, [xoff, last]: [bool; 2], expected, blocked: u32| {
        assert_eq!(port.met(point, xoff, last), expected);
        assert_eq!(port.recn.cam().blocked_lines().count_ones(), blocked);
    };
    let dd = || Port::new(Version::Dd, 1);
    check(dd(), other, [true, true], Ok(Met::Asked(Answer::Accepted(A))), 1);
    for case in [[true, false], [false, true], [false, false]] {
        check(dd(), other, case, Ok(Met::Nothing), 0);
    }
    // Where it matches the last sender is of no matter.
    let with_saq = Port::with_saq(Version::Dd, known);
    check(with_saq, known, [true, false], Ok(Met::Line(A)), 1);
    check(Port::full(Version::Dd), other, [true, true], Ok(Met::Asked(Answer::Refused)), 0);
    let enhanced = Port::new(Version::Enhanced, 1);
    check(enhanced, other, [true, true], Err(ProtocolError::MissingChild(other)), 0);
}

/// Xoff of an egress queue as a packet from `IN_2` comes, and Xon as one leaves.
fn egress_changes(port: &mut Port, queue: QueueId, config: &RecnConfig) -> [Change<Message>; 2] {
    [
        port.recn.egress_rose(queue, 5, IN_2, NOW, config),
        port.recn.egress_fell(queue, 1, NOW, config),
    ]
}

fn both(point: Point) -> [Change<Message>; 2] {
    let sender = Some(IN_2);
    [
        changed(Some((point, InternalKind::Xoff { sender }))),
        changed(Some((point, InternalKind::Xon))),
    ]
}

// DD: "Egress SAQ at `xoff`: internal Xoff broadcast to all ingress ports of the switch with the id
// of the input that sent the last packet. At `xon`: internal Xon broadcast." Token versions: "if a
// child exists": to the children, and to them alone.
#[test]
fn egress_saq_sends_to_all_ports_or_to_its_children() {
    for version in [Version::Dd, Version::Enhanced] {
        let mut port = Port::with_saq(version, point(&[1]));
        let saq = port.queue(A);
        if version == Version::Enhanced {
            assert_eq!(egress_changes(&mut port, saq, &config()), [changed(None); 2]);
            port.recn.child_accepted(saq, IN_0).unwrap();
            assert_eq!(port.recn.flow_goes_to(NORMAL, 0b1111), 0);
        }
        assert_eq!(egress_changes(&mut port, saq, &config()), both(point(&[1])));
        let to = if version == Version::Dd { 0b1111 } else { 0b0001 };
        assert_eq!(port.recn.flow_goes_to(saq, 0b1111), to);
    }
}

// "Xoff is repeated on arrivals": from an egress SAQ too, not on departures.
#[test]
fn egress_saq_of_dd_repeats_on_arrivals_alone() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    let saq = port.queue(A);
    port.recn.egress_rose(saq, 5, IN_2, NOW, &config());
    let later = Tick(130);
    assert_eq!(port.recn.egress_fell(saq, 5, later, &config()), Change::NONE);
    assert!(port.recn.egress_rose(saq, 6, IN_2, later, &config()).changed);
}

// "Normal queues use credits only, the congested egress queue of the root too: it has no Xoff
// (`root_xoff_packets`, default off, adds one, with Xon at half)."
#[test]
fn root_has_xoff_only_where_the_key_is_set() {
    let on = RecnConfig { root_xoff_packets: Some(4), ..config() };
    for version in VERSIONS {
        let mut port = Port::new(version, 1);
        port.recn.child_accepted(NORMAL, IN_2).unwrap();
        let tokens = port.recn.rules().tokens;
        assert_eq!(egress_changes(&mut port, NORMAL, &config()), [Change::NONE; 2]);
        let expected = if tokens { both(Point::EMPTY) } else { [Change::NONE; 2] };
        assert_eq!(egress_changes(&mut port, NORMAL, &on), expected);
    }
}

// "adds one, with Xon at half": the thresholds themselves; each change is sent once.
#[test]
fn root_is_at_xoff_from_its_key_to_half_of_it() {
    let on = RecnConfig { root_xoff_packets: Some(4), ..config() };
    let mut port = Port::new(Version::Basic, 1);
    port.recn.child_accepted(NORMAL, IN_2).unwrap();
    let rises: Vec<Change<Message>> =
        (1..6).map(|packets| port.recn.egress_rose(NORMAL, packets, IN_2, NOW, &on)).collect();
    assert_eq!(rises, [Change::NONE, Change::NONE, Change::NONE, rises[3], Change::NONE]);
    assert!(rises[3].changed && rises[3].message.is_some());
    assert!(port.recn.root_xoff());
    let falls: Vec<bool> = (0..5)
        .rev()
        .map(|packets| port.recn.egress_fell(NORMAL, packets, NOW, &on).changed)
        .collect();
    assert_eq!(falls, [false, false, true, false, false]);
}
