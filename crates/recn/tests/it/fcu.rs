//! FCU at ingress: Xoff and Xon to upstream, and from inside the switch. Thresholds here: Xoff at
//! 5, Xon at 1 packet.

use crate::port::{A, B, NOW, Port, SAQS, VERSIONS, config, point};
use flow_control::Control;
use recn::{Answer, Change, Met, ProtocolError, Version};
use units::{QueueId, Tick};

const NORMAL: QueueId = QueueId(0);

fn changed<M>(says: Option<M>) -> Change<M> {
    Change { changed: true, says }
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
fn ingress_saq_says_each_change_once() {
    for version in VERSIONS {
        let mut port = with_child(version);
        let recn = &mut port.recn;
        assert_eq!(recn.ingress_rose(A, 4, NOW, &config()), Change::NONE);
        let said = changed(Some(Control::Xoff(point(&[1]))));
        assert_eq!(recn.ingress_rose(A, 5, NOW, &config()), said);
        assert_eq!(recn.ingress_rose(A, 6, NOW, &config()), Change::NONE);
        assert_eq!(recn.ingress_fell(A, 2, NOW, &config()), Change::NONE);
        let said = changed(Some(Control::Xon(point(&[1]))));
        assert_eq!(recn.ingress_fell(A, 1, NOW, &config()), said);
        assert_eq!(recn.ingress_fell(A, 0, NOW, &config()), Change::NONE);
    }
}

// "in basic and enhanced if a child exists, in the DD versions always"
#[test]
fn ingress_saq_without_a_child_tells_nobody() {
    for version in VERSIONS {
        let mut port = Port::with_saq(version, point(&[1]));
        let always = !port.recn.rules().tokens;
        let said = always.then_some(Control::Xoff(point(&[1])));
        assert_eq!(port.recn.ingress_rose(A, 5, NOW, &config()), changed(said));
        let said = always.then_some(Control::Xon(point(&[1])));
        assert_eq!(port.recn.ingress_fell(A, 1, NOW, &config()), changed(said));
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
            change.says.is_some()
        };
        let mut said = Vec::new();
        for (packets, now) in [(5, 100), (6, 129), (4, 130), (5, 130), (5, 159), (5, 160)] {
            said.push(rises(packets, now));
        }
        let repeats = matches!(version, Version::Dd | Version::DdIq);
        assert_eq!(said, [true, false, false, repeats, false, repeats]);
    }
}

// Xon starts the interval too: an Xoff after it is a change and said at once.
#[test]
fn xoff_after_xon_is_said_at_once() {
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

/// An internal Xoff or Xon for a point that the port does not know.
fn unknown(version: Version, xoff: bool, last: bool) -> (Result<Met, ProtocolError>, Port) {
    let mut port = Port::new(version, 1);
    let (recn, memory) = (&mut port.recn, &mut port.memory);
    let met = recn.internal_flow(memory, point(&[1]), xoff, last, NORMAL, NOW);
    (met, port)
}

// DD: "match: B = 1; no match at the last sender: allocate with B = 1; else ignored."
#[test]
fn last_sender_sets_aside_what_it_does_not_know() {
    let (met, port) = unknown(Version::Dd, true, true);
    assert_eq!(met, Ok(Met::Asked(Answer::Accepted(A))));
    assert!(port.recn.cam().blocked(A));
    for (xoff, last) in [(true, false), (false, true), (false, false)] {
        let (met, port) = unknown(Version::Dd, xoff, last);
        assert_eq!((met, port.recn.cam().in_use()), (Ok(Met::Nothing), 0));
    }
}

// Token versions tell their children alone, and those have a SAQ.
#[test]
fn missing_child_is_broken() {
    let (met, _) = unknown(Version::Enhanced, true, true);
    assert_eq!(met, Err(ProtocolError::MissingChild(point(&[1]))));
}

// "match: B = 1", whoever was the last sender.
#[test]
fn internal_xoff_blocks_the_line_that_matches() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    let (recn, memory) = (&mut port.recn, &mut port.memory);
    let met = recn.internal_flow(memory, point(&[1]), true, false, NORMAL, NOW);
    assert_eq!(met, Ok(Met::Line(A)));
    assert!(port.recn.cam().blocked(A));
}

// "else an allocation refused upstream would never be tried again": the refusal is an answer.
#[test]
fn last_sender_without_a_free_saq_refuses() {
    let mut port = Port::new(Version::Dd, 1);
    for turn in 0..SAQS as u32 {
        port.set_aside(point(&[turn]), NOW);
    }
    let (recn, memory) = (&mut port.recn, &mut port.memory);
    let met = recn.internal_flow(memory, point(&[7]), true, true, NORMAL, NOW);
    assert_eq!(met, Ok(Met::Asked(Answer::Refused)));
}
