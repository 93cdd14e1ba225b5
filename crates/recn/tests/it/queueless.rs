//! CAM lines without queues (`iq_egress_lines`).

use crate::port::{A, Port, SAQS, point};
use recn::{QueuelessLine, Version};

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
