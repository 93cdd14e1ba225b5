//! "Next start >= last start + x packet times, re-evaluated when the ACK arrives, and window open."

use super::common::{dcqcn, ratio};
use ecn::response::{Algorithm, Config, NotificationPoint, Response, ResponseError};
use units::{Ratio, Span, Tick};

fn lipd(window: Option<u32>, ticks_per_byte: Ratio) -> Response {
    let algorithm = Algorithm::Lipd { rate_ratio: 512 };
    Response::new(Config::new(algorithm, window, ticks_per_byte).unwrap())
}

#[test]
fn starts_are_kept_apart_by_the_rate_of_the_moment() {
    let mut flow = lipd(Some(8), Ratio::ONE);
    assert_eq!(flow.next_start(Tick(5)), Tick(5));
    flow.sent(100, Tick(5)).unwrap();
    assert_eq!(flow.next_start(Tick(6)), Tick(105));
    flow.acked(true, Tick(50)).unwrap();
    assert_eq!(flow.next_start(Tick(50)), Tick(205));
    // The time is that of the packet that started last, at the rate of now.
    flow.sent(10, Tick(205)).unwrap();
    assert_eq!(flow.next_start(Tick(205)), Tick(225));
    flow.sent(10, Tick(225)).unwrap();
    flow.acked(false, Tick(226)).unwrap();
    // x = 2 (1 - 1/512): 19.96 ticks, rounded up.
    assert_eq!(flow.next_start(Tick(226)), Tick(245));
    assert_eq!(flow.next_start(Tick(300)), Tick(300));
}

#[test]
fn a_closed_window_opens_with_an_ack() {
    let mut flow = lipd(Some(1), Ratio::ONE);
    flow.sent(100, Tick(0)).unwrap();
    assert_eq!(flow.next_start(Tick(1000)), Tick::MAX);
    assert_eq!(flow.sent(100, Tick(1000)), Err(ResponseError::WindowClosed { window: 1 }));
    flow.acked(false, Tick(1000)).unwrap();
    assert_eq!(flow.next_start(Tick(1000)), Tick(1000));
    assert_eq!(flow.outstanding(), 0);
    assert_eq!(flow.acked(false, Tick(1000)), Err(ResponseError::NoneOutstanding));
}

#[test]
fn none_is_the_window_alone() {
    let config = Config::new(Algorithm::None, Some(2), Ratio::ONE).unwrap();
    let mut flow = Response::new(config);
    flow.sent(100, Tick(3)).unwrap();
    assert_eq!(flow.next_start(Tick(3)), Tick(3));
    flow.sent(100, Tick(3)).unwrap();
    assert_eq!(flow.next_start(Tick(3)), Tick::MAX);
    flow.acked(true, Tick(4)).unwrap();
    flow.cnp(Tick(4));
    assert_eq!((flow.next_start(Tick(4)), flow.due()), (Tick(4), None));
}

// Whole ticks, never early: 7 bytes at 1/3 tick are 7/3 ticks.
#[test]
fn times_are_rounded_up() {
    let mut flow = lipd(None, ratio(1, 3));
    flow.sent(7, Tick(0)).unwrap();
    assert_eq!(flow.next_start(Tick(0)), Tick(3));
    flow.acked(true, Tick(0)).unwrap();
    assert_eq!(flow.next_start(Tick(0)), Tick(5));
}

// Without a window ACKs are not counted: DCQCN has none.
#[test]
fn no_window_counts_nothing() {
    let config = Config::new(Algorithm::Dcqcn(dcqcn()), None, Ratio::ONE).unwrap();
    let mut flow = Response::new(config);
    for start in 0..1000 {
        flow.sent(1, Tick(start)).unwrap();
    }
    assert_eq!((flow.outstanding(), flow.next_start(Tick(1000))), (0, Tick(1000)));
}

// "a CNP to the source for a marked packet of a flow, at most one in `cnp_interval_ns` a flow"
#[test]
fn notifications_keep_their_distance() {
    let mut flow = NotificationPoint::default();
    let sent = [0, 1, 49, 50, 51, 99, 101, 1000].map(|now| flow.marked(Tick(now), Span(50)));
    assert_eq!(sent, [true, false, false, true, false, false, true, true]);
    let mut each = NotificationPoint::default();
    assert_eq!([4, 4, 5].map(|now| each.marked(Tick(now), Span::ZERO)), [true; 3]);
}
