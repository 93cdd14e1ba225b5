//! Control packets that arrive over links.

use crate::port::{A, NOW, Port, SAQS, VERSIONS, config, point};
use flow_control::Control;
use recn::{ProtocolError, QueuelessLine, Received, Version};
use turnpool::Point;
use units::Tick;

fn egress(port: &mut Port, control: Control) -> Result<Received, ProtocolError> {
    port.recn.egress_control(&mut port.memory, control, NOW)
}

fn made(point: Point) -> Received {
    Received::Allocated { line: A, point }
}

// "No free SAQ: refuse; ... over a link it is a NACK control packet"
#[test]
fn notification_is_taken_or_answered_by_a_nack() {
    let point = point(&[7]);
    let notification = Control::Notification(point);
    let mut port = Port::new(Version::Basic, 1);
    assert_eq!(egress(&mut port, notification), Ok(made(point)));
    let refused = Received::Refused { point, nack: Some(Control::Nack(point)) };
    assert_eq!(egress(&mut Port::full(Version::Basic), notification), Ok(refused));
}

// DD: "Upstream egress on Xoff: match: B = 1; no match: allocate, B = 1. On Xon: match: B = 0; no
// match: ignored." A refusal is not answered.
#[test]
fn xoff_is_the_notification_of_dd() {
    let point = point(&[7]);
    let mut port = Port::new(Version::Dd, 1);
    assert_eq!(egress(&mut port, Control::Xon(point)), Ok(Received::Ignored));
    assert_eq!(egress(&mut port, Control::Xoff(point)), Ok(made(point)));
    assert!(port.recn.cam().blocked(A));
    let refused = Received::Refused { point, nack: None };
    assert_eq!(egress(&mut Port::full(Version::Dd), Control::Xoff(point)), Ok(refused));
}

// "Xoff or Xon without an exact match: ignored and counted (basic, enhanced)."
#[test]
fn flow_without_a_match_is_ignored() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    for control in [Control::Xoff(point(&[2])), Control::Xon(point(&[2]))] {
        assert_eq!(egress(&mut port, control), Ok(Received::Ignored));
    }
    assert_eq!(port.recn.cam().in_use(), 1);
}

// Xoff blocks, Xon opens.
#[test]
fn flow_with_a_match_reaches_its_line() {
    for version in VERSIONS {
        let mut port = Port::with_saq(version, point(&[1]));
        for xoff in [true, false] {
            let control = if xoff { Control::Xoff } else { Control::Xon };
            let flow = Received::Flow { line: A, xoff };
            assert_eq!(egress(&mut port, control(point(&[1]))), Ok(flow));
            assert_eq!(port.recn.cam().blocked(A), xoff);
        }
    }
}

// Egress ports get notifications (token versions), Xoff and Xon; ingress ports tokens and NACKs.
#[test]
fn control_packets_of_the_other_side_are_broken() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    for control in [Control::Token(point(&[1])), Control::Nack(point(&[1]))] {
        let misdirected = ProtocolError::Misdirected(control.name());
        assert_eq!(egress(&mut port, control), Err(misdirected));
    }
    for control in [Control::Notification, Control::Xoff, Control::Xon] {
        let control = control(point(&[1]));
        let misdirected = ProtocolError::Misdirected(control.name());
        assert_eq!(port.recn.ingress_control(control, NOW, &config()), Err(misdirected));
    }
    let mut port = Port::new(Version::Dd, 1);
    let misdirected = Err(ProtocolError::Misdirected("notification"));
    assert_eq!(egress(&mut port, Control::Notification(point(&[1]))), misdirected);
}

// "a NACK takes it back": the leaf bit; and the retry time runs from the NACK on.
#[test]
fn answers_make_the_line_a_leaf_again() {
    let answers = [(Control::Token as fn(_) -> _, Tick(0)), (Control::Nack, Tick(120))];
    for (answer, retry_at) in answers {
        let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
        port.recn.ingress_propagation(A, 3, NOW, &config()).unwrap();
        port.recn.ingress_control(answer(point(&[1])), NOW, &config()).unwrap();
        assert!(port.recn.cam().leaf(A));
        let registers = port.recn.registers(A);
        assert_eq!((registers.notified, registers.retry_at), (false, retry_at));
    }
}

// "there is no ACK: a notification is answered by a NACK or, in the end, a token": once.
#[test]
fn unexpected_answer_is_broken() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    let mut token = |turns: &[u32]| {
        let token = Control::Token(point(turns));
        port.recn.ingress_control(token, NOW, &config())
    };
    assert_eq!(token(&[1]), Err(ProtocolError::NoChild(point(&[1]))));
    assert_eq!(token(&[2]), Err(ProtocolError::Unknown(point(&[2]))));
}

// "the output also has CAM lines without queues ...; while a line is at Xoff, ...; Xon frees the
// line."
#[test]
fn xoff_takes_a_line_and_xon_gives_it_back() {
    let mut port = Port::new(Version::DdIq, 0);
    let mut flow = |xoff| port.recn.queueless_flow(point(&[1]), xoff).unwrap();
    assert_eq!(flow(false), QueuelessLine::Unchanged);
    assert_eq!(flow(true), QueuelessLine::Allocated(A));
    assert_eq!(flow(true), QueuelessLine::Unchanged);
    assert_eq!(flow(false), QueuelessLine::Freed(A));
    assert_eq!(port.recn.cam().in_use(), 0);
}

// "counted as SAQs at egress": as many as there are lines.
#[test]
fn no_free_line_is_a_refusal() {
    let mut port = Port::new(Version::DdIq, 0);
    for turn in 0..SAQS as u32 {
        port.recn.queueless_flow(point(&[turn]), true).unwrap();
    }
    let refused = port.recn.queueless_flow(point(&[7]), true);
    assert_eq!(refused, Ok(QueuelessLine::Refused));
}
