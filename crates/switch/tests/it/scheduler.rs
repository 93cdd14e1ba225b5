//! Crossbar arbiter: "A head packet requests; it goes only if its crossbar input *and* output are
//! free; one packet at a time per input and per output."

use crate::common::{cases, params};
use crate::fake_ports::{Bench, NORMAL, PORTS, QUEUES, Standing, Step, class_of};
use crossbar::ArbiterKind;
use plan::{Params, SchemeKind};
use proptest::prelude::*;
use std::collections::BTreeMap;
use switch::{Class, CrossbarGrant};
use units::{ClassId, PortId, QueueId, Span, Tick};

/// With SAQs, and normal queues that share outputs.
pub(crate) fn with_all(arbiter: ArbiterKind, wait_bound: Span) -> Params {
    let mut params = params(|config| {
        (config.scheme, config.arbiter) = (SchemeKind::Recn, arbiter);
    });
    (params.shared_outputs, params.wait_bound) = (true, wait_bound);
    params
}

fn round_robin() -> Bench {
    Bench::new(&with_all(ArbiterKind::RoundRobin, Span::MAX))
}

fn grant(input: u8, output: u8, queue: u16) -> CrossbarGrant {
    CrossbarGrant { input: PortId(input), output: PortId(output), queue: QueueId(queue) }
}

/// Ticks until something is granted: which tick, and what.
fn next_grants(bench: &mut Bench, span: Span) -> (Tick, Vec<CrossbarGrant>) {
    for _ in 0..200 {
        let grants = bench.step(span);
        if !grants.is_empty() {
            return (bench.now, grants);
        }
    }
    panic!("nothing is granted");
}

// A grant at tick t is a start at tick t, from the tick on in which the head is visible.
#[test]
fn a_head_goes_when_it_is_visible() {
    let mut bench = round_robin();
    bench.stand_with(1, 2, 1 << 3, Span(9), ClassId(0), 1);
    assert_eq!(next_grants(&mut bench, Span(5)), (Tick(9), vec![grant(1, 3, 2)]));
}

// "one packet at a time per input and per output": free again at the end of the transfer.
#[test]
fn an_input_sends_one_packet_at_a_time() {
    let mut bench = round_robin();
    bench.stand(1, 0, 1 << 2);
    bench.stand(1, 1, 1 << 3);
    let (first, _) = next_grants(&mut bench, Span(32));
    assert_eq!(next_grants(&mut bench, Span(32)), (first + Span(32), vec![grant(1, 3, 1)]));
}

#[test]
fn an_output_takes_one_packet_at_a_time() {
    let mut bench = round_robin();
    bench.stand(0, 0, 1 << 3);
    bench.stand(1, 0, 1 << 3);
    let (first, _) = next_grants(&mut bench, Span(32));
    assert_eq!(next_grants(&mut bench, Span(32)), (first + Span(32), vec![grant(1, 3, 0)]));
}

#[test]
fn several_inputs_send_to_several_outputs_at_once() {
    let mut bench = round_robin();
    bench.stand(0, 0, 1 << 3);
    bench.stand(1, 0, 1 << 2);
    let (_, grants) = next_grants(&mut bench, Span(32));
    assert_eq!(grants, [grant(1, 2, 0), grant(0, 3, 0)]);
}

// "A transfer starts only when the whole packet fits in the next memory"
#[test]
fn a_head_waits_for_room_of_its_class() {
    let mut bench = round_robin();
    bench.set_room(3, ClassId(1), 1);
    bench.stand_with(0, 0, 1 << 3, Span(1), ClassId(1), 2);
    for _ in 0..20 {
        assert_eq!(bench.step(Span(5)), []);
    }
    bench.set_room(3, ClassId(1), 2);
    let expected = (bench.now.next(), vec![grant(0, 3, 0)]);
    assert_eq!(next_grants(&mut bench, Span(5)), expected);
}

// "`iq`: a packet leaves when crossbar output = link is free"
#[test]
fn a_head_waits_for_an_open_output() {
    let mut bench = round_robin();
    bench.set_open(3, false);
    bench.stand(0, 0, 1 << 3);
    for _ in 0..20 {
        assert_eq!(bench.step(Span(5)), []);
    }
    bench.set_open(3, true);
    let expected = (bench.now.next(), vec![grant(0, 3, 0)]);
    assert_eq!(next_grants(&mut bench, Span(5)), expected);
}

// "Detection (and normal) queues request with priority over SAQs"
#[test]
fn normal_queues_go_before_saqs() {
    let mut bench = round_robin();
    bench.stand(0, NORMAL as u16, 1 << 3);
    bench.stand(1, 0, 1 << 3);
    let (_, grants) = next_grants(&mut bench, Span(5));
    assert_eq!(grants, [grant(1, 3, 0)]);
    let (_, grants) = next_grants(&mut bench, Span(5));
    assert_eq!(grants, [grant(0, 3, NORMAL as u16)]);
}

// "of an input, round robin over its queues that request this output, a pointer per (input,
// output)": what goes to another output moves nothing here.
#[test]
fn queues_of_a_pair_take_turns() {
    let mut bench = round_robin();
    let mut queues = Vec::new();
    for round in 0..6 {
        for queue in [0, 1] {
            let stands = bench.ports.heads[0][usize::from(queue)].outputs;
            if stands == 0 {
                bench.stand(0, queue, 1 << 3);
            }
        }
        // In between queue 2 goes to output 1.
        let (_, grants) = next_grants(&mut bench, Span(5));
        queues.push(grants[0].queue.0);
        bench.stand(0, 2, 1 << 1);
        bench.withdraw(0, 1 - grants[0].queue.0);
        let (_, grants) = next_grants(&mut bench, Span(5));
        assert_eq!(grants, [grant(0, 1, 2)], "round {round}");
    }
    assert_eq!(queues, [0, 1, 0, 1, 0, 1]);
}

// "round robin over inputs per output"
#[test]
fn inputs_of_an_output_take_turns() {
    let mut bench = round_robin();
    let mut inputs = Vec::new();
    for _ in 0..6 {
        for input in 0..3 {
            if bench.ports.heads[usize::from(input)][0].outputs == 0 {
                bench.stand(input, 0, 1 << 3);
            }
        }
        let (_, grants) = next_grants(&mut bench, Span(5));
        inputs.push(grants[0].input.0);
    }
    assert_eq!(inputs, [0, 1, 2, 0, 1, 2]);
}

// "All: it takes the first that is granted", and the others are withdrawn by the caller.
#[test]
fn of_several_outputs_the_first_granted_wins() {
    let mut bench = round_robin();
    bench.stand(1, 0, 1 << 2);
    next_grants(&mut bench, Span(32));
    bench.stand(0, 0, 0b1100);
    assert_eq!(bench.scheduler.requested_by(PortId(0), QueueId(0)), 0b1100);
    let (_, grants) = next_grants(&mut bench, Span(5));
    assert_eq!(grants, [grant(0, 3, 0)]);
    assert_eq!(bench.scheduler.requested_by(PortId(0), QueueId(0)), 0);
    for _ in 0..80 {
        assert_eq!(bench.step(Span(5)), []);
    }
}

// A head that is granted several outputs in one tick would be in two places.
#[test]
fn a_head_is_granted_one_of_several_outputs() {
    let mut bench = round_robin();
    bench.stand(0, 0, 0b1111);
    let (_, grants) = next_grants(&mut bench, Span(5));
    assert_eq!(grants.len(), 1);
}

// "oldest-first": by the age of the packet, not by how long it has been at the head.
#[test]
fn oldest_first_reads_the_age_of_the_packet() {
    let mut bench = Bench::new(&with_all(ArbiterKind::OldestFirst, Span::MAX));
    bench.stand(0, 0, 1 << 3);
    bench.stand(0, 1, 1 << 3);
    bench.ports.heads[0][0].age = Tick(40);
    bench.ports.heads[0][1].age = Tick(30);
    let (_, grants) = next_grants(&mut bench, Span(5));
    assert_eq!(grants, [grant(0, 3, 1)]);
}

// The last sender of an output allocates in `recn-dd-iq`; transfers are seen while they last.
#[test]
fn transfers_are_seen() {
    let mut bench = round_robin();
    assert_eq!(bench.scheduler.last_sender(PortId(3)), None);
    bench.stand(1, 0, 1 << 3);
    let (at, _) = next_grants(&mut bench, Span(32));
    assert_eq!(bench.scheduler.last_sender(PortId(3)), Some(PortId(1)));
    let ends: Vec<_> = bench.scheduler.transfers().map(|(_, crossing)| crossing.end).collect();
    assert_eq!(ends[1], at + Span(32));
    assert!(bench.scheduler.may_have_moved_since(at));
    assert!(!bench.scheduler.may_have_moved_since(at + Span(32)));
}

#[test]
#[should_panic(expected = "65 ports of a switch")]
fn sets_of_ports_are_words() {
    let params = with_all(ArbiterKind::RoundRobin, Span::MAX);
    _ = switch::Scheduler::new(&params, 65, 1, 0);
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let (port, queue) = (0..PORTS as u8, 0..QUEUES as u16);
    let (class, cells) = (0..2_u16, 1..4_u16);
    let outputs = prop_oneof![4 => (0..PORTS).prop_map(|o| 1 << o), 1 => 1..1_u64 << PORTS];
    let stand = (port.clone(), queue.clone(), outputs, 0..6_u64, class.clone(), cells);
    prop_oneof![
        6 => stand.prop_map(|(i, q, o, d, c, n)| Step::Stand(i, q, o, d, c, n)),
        1 => (port.clone(), queue).prop_map(|(i, q)| Step::Withdraw(i, q)),
        2 => (port.clone(), class, 0..12_u32).prop_map(|(o, c, n)| Step::Room(o, c, n)),
        1 => (port, any::<bool>()).prop_map(|(o, open)| Step::Open(o, open)),
        6 => (1..12_u64).prop_map(Step::Tick),
    ]
}

pub(crate) fn arbiter() -> impl Strategy<Value = ArbiterKind> {
    prop::sample::select(ArbiterKind::ALL)
}

/// Where the round robin of each input, output and class begins.
type Pointers = BTreeMap<(PortId, PortId, bool), u16>;

/// The queue of a class that goes, if a pair is granted: the first that may, from the pointer on.
fn in_turn(
    bench: &Bench,
    pair: (PortId, PortId),
    class: Class,
    pointers: &Pointers,
) -> Option<QueueId> {
    let (input, output) = pair;
    let start = pointers.get(&(input, output, class == Class::Saq)).copied().unwrap_or(0);
    let may_go = |&(_, queue, ref head): &(PortId, QueueId, Standing)| {
        class_of(queue) == class && bench.is_grantable(input, head, output)
    };
    let of_input = bench.standing().filter(|&(i, _, _)| i == input);
    let mut queues: Vec<_> = of_input.filter(may_go).map(|(_, queue, _)| queue).collect();
    queues.sort_by_key(|queue| (queue.0 < start, *queue));
    queues.first().copied()
}

/// Whether the grants of this tick are what the rules say; no grant has started yet.
fn check(bench: &Bench, grants: &[CrossbarGrant], kind: ArbiterKind, pointers: &mut Pointers) {
    let (mut inputs, mut outputs) = ([false; PORTS], [false; PORTS]);
    for grant in grants {
        let &CrossbarGrant { input, output, queue } = grant;
        let head = &bench.ports.heads[input.index()][queue.index()];
        assert!(bench.is_grantable(input, head, output), "{grant:?}");
        assert!(!inputs[input.index()] && !outputs[output.index()], "one partner each");
        (inputs[input.index()], outputs[output.index()]) = (true, true);
        let class = class_of(queue);
        let normal = in_turn(bench, (input, output), Class::Normal, pointers);
        assert!(class == Class::Normal || normal.is_none(), "normal queues go first");
        if kind != ArbiterKind::OldestFirst {
            assert_eq!(in_turn(bench, (input, output), class, pointers), Some(queue));
        }
        pointers.insert((input, output, class == Class::Saq), queue.0 + 1);
    }
    if matches!(kind, ArbiterKind::Islip { .. }) {
        return;
    }
    // Maximal, normal queues by themselves already.
    for (input, queue, head) in bench.standing() {
        let normal_only = class_of(queue) == Class::Normal;
        for output in (0..PORTS).map(PortId::at) {
            let counts = |g: &&CrossbarGrant| !normal_only || class_of(g.queue) == Class::Normal;
            let meets = |g: &CrossbarGrant| g.input == input || g.output == output;
            if bench.is_grantable(input, &head, output) {
                assert!(grants.iter().filter(counts).any(meets), "{input} to {output} is left");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    // Every rule above at once, whatever comes and goes: free input and output, visible head, room,
    // normal before SAQ, round robin of a pair, and no pair left that might go.
    #[test]
    fn grants_are_what_the_rules_say(
        kind in arbiter(),
        steps in prop::collection::vec(step(), 0..120),
    ) {
        let mut bench = Bench::new(&with_all(kind, Span::MAX));
        let mut pointers = Pointers::new();
        for step in steps {
            let Step::Tick(span) = step else {
                step.of(&mut bench);
                continue;
            };
            let grants = bench.evaluate();
            check(&bench, &grants, kind, &mut pointers);
            for grant in grants {
                let end = bench.now + Span(span);
                bench.start(grant, end);
            }
        }
    }

    // What a queue requests is what it was told to, until it goes or withdraws.
    #[test]
    fn requests_stand_until_they_go(steps in prop::collection::vec(step(), 0..100)) {
        let mut bench = round_robin();
        for step in steps {
            step.of(&mut bench);
            for input in 0..PORTS {
                for queue in 0..QUEUES {
                    let outputs = bench.ports.heads[input][queue].outputs;
                    let (input, queue) = (PortId::at(input), QueueId::at(queue));
                    prop_assert_eq!(bench.scheduler.requested_by(input, queue), outputs);
                }
            }
        }
    }
}
