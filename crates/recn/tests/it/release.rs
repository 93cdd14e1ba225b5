//! Release: when a SAQ is freed, and tokens. The timer is 10 ticks here.

use crate::port::{A, B, IN_0, IN_2, LATER, NORMAL, NOW, Port, VERSIONS, config, point};
use flow_control::Control;
use recn::{Freed, ProtocolError, RecnConfig, Version};
use turnpool::Point;
use units::{LineId, Span, Tick};

fn may_free(port: &Port, now: Tick) -> bool {
    port.recn.may_free(&port.memory, A, now, &config())
}

// "Never freed, in any version: a SAQ that is not empty, holds markers, is not ready, is blocked,
// or has `xoff_sent` set."
#[test]
fn nothing_is_freed_that_is_in_use() {
    for version in VERSIONS {
        let holds = |what: &dyn Fn(&mut Port)| {
            let mut port = Port::with_saq(version, point(&[1]));
            assert!(may_free(&port, LATER));
            what(&mut port);
            assert!(!may_free(&port, LATER), "{version:?}");
        };
        holds(&|port| port.fill(port.queue(A), 1));
        holds(&|port| port.memory.place_marker(B, port.queue(A)).unwrap());
        holds(&|port| assert_eq!(port.recn.flow(&point(&[1]), true), Ok(Some(A))));
        holds(&|port| assert!(port.recn.ingress_rose(A, 5, NOW, &config()).changed));
    }
    let mut waiting = Port::new(Version::Dd, 1);
    waiting.fill(NORMAL, 1);
    waiting.set_aside(point(&[1]), NOW);
    assert!(!may_free(&waiting, LATER));
}

// Token versions: "age >= `saq_timer_ns`", "0 = the next tick"; DD: "the general rule and nothing
// else", "not at allocation".
#[test]
fn age_counts_in_the_token_versions() {
    for version in VERSIONS {
        let port = Port::with_saq(version, point(&[1]));
        let young = !port.recn.rules().tokens;
        for (timer, expected) in [(10, [false, young, young, true]), (0, [false, true, true, true])]
        {
            let config = RecnConfig { saq_timer: Span(timer), ..config() };
            let may_free = |now| port.recn.may_free(&port.memory, A, Tick(now), &config);
            assert_eq!([100, 101, 109, 110].map(may_free), expected);
        }
    }
}

// "Free: leaf"
#[test]
fn saq_with_a_child_is_not_freed() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    port.recn.child_accepted(port.queue(A), IN_2).unwrap();
    assert!(!may_free(&port, LATER));
    port.recn.internal_token(point(&[6, 1]), 3, IN_2).unwrap();
    assert!(may_free(&port, LATER));
}

// "[Free is] evaluated when the last packet leaves, ... on Xon, token and NACK"
#[test]
fn what_may_make_a_saq_free_asks_for_an_evaluation() {
    let asks = |what: &dyn Fn(&mut Port)| {
        let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
        what(&mut port);
        assert!(port.recn.is_marked());
        assert_eq!(port.free(LATER), [A]);
        assert!(!port.recn.is_marked());
    };
    asks(&|port| {
        port.fill(port.queue(A), 1);
        port.leave(port.queue(A));
    });
    asks(&|port| _ = port.recn.flow(&point(&[1]), false));
    asks(&|port| {
        port.recn.ingress_rose(A, 5, NOW, &config());
        port.recn.ingress_fell(A, 1, NOW, &config());
    });
    asks(&|port| {
        port.recn.child_accepted(port.queue(A), IN_0).unwrap();
        port.recn.internal_token(point(&[6, 1]), 3, IN_0).unwrap();
    });
    asks(&|port| {
        port.recn.ingress_propagation(A, 3, NOW, &config()).unwrap();
        port.recn.ingress_control(Control::Token(point(&[1])), NOW, &config()).unwrap();
    });
}

// "... and when the timer ends" (DD: "and once `saq_timer_ns` after allocation")
#[test]
fn end_of_the_timer_asks_for_an_evaluation() {
    for version in VERSIONS {
        let mut port = Port::with_saq(version, point(&[1]));
        port.set_aside(point(&[2]), Tick(103));
        assert_eq!(port.recn.mark_timers(Tick(109), &config()), Some(Tick(110)));
        assert_eq!(port.recn.take_checks(false), 0);
        assert_eq!(port.recn.mark_timers(Tick(110), &config()), Some(Tick(113)));
        assert_eq!(port.recn.take_checks(false), 0b01);
        assert_eq!(port.recn.mark_timers(Tick(113), &config()), None);
        assert_eq!(port.recn.take_checks(false), 0b10);
    }
}

// Evaluating all lines is evaluating the valid ones; in the DD versions an event is needed.
#[test]
fn all_lines_are_evaluated_where_conditions_alone_decide() {
    for version in VERSIONS {
        let mut port = Port::with_saq(version, point(&[1]));
        let expected = u64::from(port.recn.rules().tokens);
        assert_eq!(port.recn.take_checks(true), expected);
    }
}

// A line that may not be freed is passed over, and those behind it are freed in order.
#[test]
fn lines_are_freed_in_order() {
    let mut port = Port::with_saq(Version::Enhanced, point(&[1]));
    port.set_aside(point(&[2]), NOW);
    port.set_aside(point(&[3]), NOW);
    port.fill(port.queue(A), 1);
    for line in [A, B, LineId(2)] {
        port.recn.mark_check(line);
    }
    assert_eq!(port.free(LATER), [B, LineId(2)]);
}

// "A SAQ made by ingress detection and not adopted is a root: freed ... with no token to send."
#[test]
fn a_token_is_due_for_a_freed_saq_where_it_was_notified() {
    for owned in [false, true] {
        let mut port = Port::new(Version::Enhanced, 1);
        port.notified(point(&[1]), owned).unwrap();
        let freed = Freed { line: A, point: point(&[1]), owned };
        assert_eq!(port.recn.free(A), Ok(freed));
    }
}

// What the life cycle forbids is not freed by hand either.
#[test]
fn blocked_line_cannot_be_freed() {
    let mut port = Port::with_saq(Version::Dd, point(&[1]));
    port.recn.flow(&point(&[1]), true).unwrap();
    assert!(matches!(port.recn.free(A), Err(ProtocolError::Illegal(_))));
    assert!(port.recn.cam().is_valid(A));
}

// "when no child is left there, that SAQ is a leaf again; so on to the root"
#[test]
fn last_token_makes_a_leaf() {
    let mut port = Port::with_saq(Version::Basic, point(&[1]));
    for input in [IN_0, IN_2] {
        port.recn.child_accepted(port.queue(A), input).unwrap();
    }
    // The child names the point with the turn in this switch ahead.
    let child = point(&[6, 1]);
    assert_eq!(port.recn.internal_token(child, 3, IN_0), Ok(false));
    assert!(!port.recn.cam().leaf(A));
    assert_eq!(port.recn.internal_token(child, 3, IN_2), Ok(true));
    assert!(port.recn.cam().leaf(A));
}

// The root at a normal queue has no line: its last token ends there.
#[test]
fn token_for_a_root_ends_at_the_normal_queue() {
    let mut port = Port::new(Version::Basic, 1);
    port.recn.child_accepted(NORMAL, IN_2).unwrap();
    assert_eq!(port.recn.internal_token(point(&[6]), 3, IN_2), Ok(false));
    assert_eq!(port.recn.root_children(), 0);
}

// An unexpected token is a broken invariant.
#[test]
fn unexpected_token_is_broken() {
    let mut port = Port::with_saq(Version::Basic, point(&[1]));
    let mut token = |turns: &[u32]| port.recn.internal_token(point(turns), 3, IN_2);
    assert_eq!(token(&[6, 1]), Err(ProtocolError::NoChild(point(&[1]))));
    assert_eq!(token(&[6, 2]), Err(ProtocolError::Unknown(point(&[2]))));
    assert_eq!(token(&[6]), Err(ProtocolError::NoChild(Point::EMPTY)));
}
