//! Markers: order when a SAQ is allocated.

use crate::port::{A, B, LATER, NOW, Port, config, point};
use proptest::prelude::*;
use recn::Version;
use units::{LineId, QueueId};

const NORMAL: QueueId = QueueId(0);

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

// "... one after the other, and each queue that this makes ready does the same."
#[test]
fn queue_that_becomes_ready_consumes_its_own_markers() {
    let mut port = nested();
    port.leave(NORMAL);
    assert_eq!(port.settle(), [0, 1]);
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

// "Blocking does not stop the consumption of markers."
#[test]
fn blocked_queue_consumes_markers() {
    let mut port = nested();
    port.recn.flow(&point(&[1]), true).unwrap();
    port.leave(NORMAL);
    assert_eq!(port.settle(), [0, 1]);
    assert!(port.recn.cam().blocked(A));
}

// "[Free is] evaluated when ... a marker is consumed": for the SAQ and for its host.
#[test]
fn consumed_marker_asks_whether_saq_and_host_are_free() {
    let mut port = nested();
    port.leave(NORMAL);
    port.settle();
    assert_eq!(port.recn.take_checks(false), 0b11);
}

// Only a queue with markers, or a SAQ that is empty now, is worth a look.
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

/// What happens to a port.
#[derive(Debug, Clone, Copy)]
enum Step {
    Arrive(u32, u32),
    Leave(u16),
    SetAside(u32, u32),
    Free(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let turn = || 0_u32..2;
    prop_oneof![
        3 => (turn(), turn()).prop_map(|(a, b)| Step::Arrive(a, b)),
        3 => (0_u16..5).prop_map(Step::Leave),
        2 => (turn(), 0_u32..3).prop_map(|(a, b)| Step::SetAside(a, b)),
        1 => (0_u8..3).prop_map(Step::Free),
    ]
}

/// The queue of an arriving packet.
fn queue_of(port: &Port, turns: [u32; 2]) -> QueueId {
    let mut route = turnpool::Route::EMPTY;
    for turn in turns {
        route.push_back(turn, 3).unwrap();
    }
    let line = port.recn.cam().lookup(&route);
    line.map_or(QueueId(turns[0] as u16), |line| port.queue(line))
}

fn apply(port: &mut Port, step: Step) {
    match step {
        Step::Arrive(a, b) => port.fill(queue_of(port, [a, b]), 1),
        Step::Leave(queue) => {
            let queue = QueueId(queue);
            if !port.memory.is_empty(queue) && port.recn.may_request(queue) {
                port.leave(queue);
            }
        }
        Step::SetAside(a, b) => {
            let turns = [a, b % 2];
            let point = point(if b == 2 { &turns[..1] } else { &turns });
            let normal = QueueId(a as u16);
            let (recn, memory) = (&mut port.recn, &mut port.memory);
            if recn.cam().find(&point).is_none() {
                recn.notified(memory, point, normal, false, NOW).unwrap();
            }
        }
        Step::Free(line) => {
            let line = LineId(line);
            let config = config();
            if port.recn.may_free(&port.memory, line, LATER, &config) {
                port.recn.free(line).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2005),
        ..ProptestConfig::default()
    })]

    // Looking at what is marked finds what looking at everything finds, and all that waits has a
    // marker somewhere.
    #[test]
    fn marked_queues_are_all_that_need_a_look(steps in prop::collection::vec(step(), 0..80)) {
        let new = || Port::new(Version::Enhanced, 2);
        let (mut marked, mut all) = (new(), new());
        for step in steps {
            apply(&mut marked, step);
            apply(&mut all, step);
            let (recn, memory) = (&mut marked.recn, &mut marked.memory);
            let ready = recn.settle_marked(memory, false).unwrap();
            let (recn, memory) = (&mut all.recn, &mut all.memory);
            prop_assert_eq!(recn.settle_marked(memory, true).unwrap(), ready);
            prop_assert_eq!(&marked.recn, &all.recn);
            for (line, _) in marked.recn.cam().iter() {
                let placed = marked.memory.marker_host(line).is_some();
                prop_assert_eq!(marked.recn.cam().ready(line), !placed);
            }
        }
    }
}
