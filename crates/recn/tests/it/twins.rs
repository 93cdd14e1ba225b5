//! Two ports to which the same happens: one looks at what is marked, one at everything.

use crate::port::{LATER, Port, SAQS, VERSIONS, config, point};
use flow_control::{Edge, Thresholds};
use proptest::prelude::*;
use recn::{Freed, RecnConfig, Version};
use turnpool::{Point, Route};
use units::{LineId, QueueId, Span, Tick};

/// Normal queues, one for each first turn.
const BASE: u16 = 2;

/// What happens to an ingress port in a tick.
#[derive(Debug, Clone, Copy)]
enum Step {
    Arrive([u32; 2]),
    Leave(QueueId),
    SetAside(Point, u32),
    Flow(Point, bool),
    Answer(LineId, bool),
    Nothing,
}

fn a_point() -> impl Strategy<Value = (Point, u32)> {
    let turns = prop::collection::vec(0_u32..2, 1..3);
    turns.prop_map(|turns| (point(&turns), turns[0]))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::array::uniform2(0_u32..2).prop_map(Step::Arrive),
        5 => (0..BASE + SAQS as u16).prop_map(|queue| Step::Leave(QueueId(queue))),
        2 => a_point().prop_map(|(point, first)| Step::SetAside(point, first)),
        2 => (a_point(), any::<bool>()).prop_map(|((point, _), xoff)| Step::Flow(point, xoff)),
        2 => (0..SAQS as u8, any::<bool>())
            .prop_map(|(line, nack)| Step::Answer(LineId(line), nack)),
        2 => Just(Step::Nothing),
    ]
}

/// Thresholds that a few packets reach, timers that end.
fn small() -> RecnConfig {
    RecnConfig {
        propagation_packets: 1,
        thresholds: Thresholds::new(2, 1, Edge::Reached).unwrap(),
        saq_timer: Span(3),
        ..config()
    }
}

/// The queue of an arriving packet: the SAQ of the longest match, else that of its output.
fn queue_of(port: &Port, turns: [u32; 2]) -> QueueId {
    let mut route = Route::EMPTY;
    for turn in turns {
        route.push_back(turn, 3).unwrap();
    }
    let line = port.recn.cam().lookup(&route);
    line.map_or(QueueId(turns[0] as u16), |line| port.queue(line))
}

fn apply(port: &mut Port, step: Step, now: Tick) {
    let config = small();
    match step {
        Step::Nothing => {}
        Step::Arrive(turns) => {
            let queue = queue_of(port, turns);
            port.fill(queue, 1);
            if let Some(line) = port.recn.line(queue) {
                let packets = port.memory.packets(queue);
                port.recn.ingress_rose(line, packets, now, &config);
                let says = port.recn.ingress_propagation(line, packets, now, &config);
                says.unwrap();
            }
        }
        Step::Leave(queue) => {
            if !port.memory.is_empty(queue) && port.recn.may_request(queue) {
                port.leave(queue);
                if let Some(line) = port.recn.line(queue) {
                    let packets = port.memory.packets(queue);
                    port.recn.ingress_fell(line, packets, now, &config);
                }
            }
        }
        Step::SetAside(point, first) => {
            let (recn, memory) = (&mut port.recn, &mut port.memory);
            let normal = QueueId(first as u16);
            if !recn.rules().tokens {
                recn.requested(memory, point, normal, false, now).unwrap();
            } else if recn.cam().find(&point).is_none() {
                recn.notified(memory, point, normal, true, now).unwrap();
            }
        }
        Step::Flow(point, xoff) => _ = port.recn.flow(&point, xoff).unwrap(),
        Step::Answer(line, nack) => {
            if port.recn.cam().is_valid(line) && port.recn.registers(line).notified {
                let point = port.recn.cam().point(line);
                port.recn.answered(point, nack.then_some(now)).unwrap();
            }
        }
    }
}

/// Steps 6 and 7 of the commit of a tick.
fn commit(port: &mut Port, all: bool, now: Tick) -> (u64, Vec<Freed>) {
    let config = small();
    port.recn.mark_timers(now, &config);
    let ready = port.recn.settle_marked(&mut port.memory, all).unwrap();
    let mut checks = port.recn.take_checks(all);
    let next = || {
        let freed = port.recn.free_next(&port.memory, &mut checks, now, &config);
        freed.unwrap()
    };
    (ready, std::iter::from_fn(next).collect())
}

/// Everything leaves, Xon and tokens come, and the timers end.
fn drain(port: &mut Port) {
    for tick in 0..200 {
        let now = Tick(LATER.0 + tick);
        for (_, point) in port.recn.cam().clone().iter() {
            apply(port, Step::Flow(point, false), now);
        }
        for line in 0..SAQS as u8 {
            apply(port, Step::Answer(LineId(line), false), now);
        }
        for queue in 0..BASE + SAQS as u16 {
            let queue = QueueId(queue);
            let saq = port.recn.line(queue);
            if saq.is_none_or(|line| port.recn.cam().is_valid(line)) {
                apply(port, Step::Leave(queue), now);
            }
        }
        commit(port, false, now);
    }
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // Looking at what is marked finds what looking at everything finds; what waits has a marker
    // somewhere; and in the end every SAQ is freed.
    #[test]
    fn marks_are_all_that_need_a_look(
        version in prop::sample::select(&VERSIONS[..3]),
        steps in prop::collection::vec(step(), 0..120),
    ) {
        let new = |version: Version| Port::new(version, BASE);
        let (mut marked, mut all) = (new(version), new(version));
        for (tick, step) in (1..).zip(steps) {
            let now = Tick(tick);
            apply(&mut marked, step, now);
            apply(&mut all, step, now);
            prop_assert_eq!(commit(&mut marked, false, now), commit(&mut all, true, now));
            prop_assert_eq!(&marked.recn, &all.recn);
            for (line, _) in marked.recn.cam().iter() {
                let placed = marked.memory.marker_host(line).is_some();
                prop_assert_eq!(marked.recn.cam().ready(line), !placed);
            }
        }
        drain(&mut marked);
        prop_assert_eq!(marked.recn.cam().in_use(), 0);
        prop_assert_eq!(marked.memory.free_cells(), marked.memory.pool_cells());
    }
}
