//! Crossbar arbiter: "A head packet requests; it goes only if its crossbar input *and* output are
//! free; one packet at a time per input and per output."

use crate::common::{cases, params};
use crate::fake_ports::{Bench, PORTS, QUEUES, Standing, Step, class_of};
use crossbar::ArbiterKind;
use plan::{Params, SchemeKind};
use proptest::prelude::*;
use std::collections::BTreeMap;
use switch::{Class, CrossbarGrant};
use units::{PortId, QueueId, Span, Tick};

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

// "oldest-first": by the age of the packet, not by how long it has been at the head.
#[test]
fn oldest_first_reads_the_age_of_the_packet() {
    let mut bench = Bench::new(&with_all(ArbiterKind::OldestFirst, Span::MAX));
    bench.stand(0, 0, 3);
    bench.stand(0, 1, 3);
    bench.ports.heads[0][0].age = Tick(40);
    bench.ports.heads[0][1].age = Tick(30);
    let grants = (0..3).flat_map(|_| bench.step(Span(5))).collect::<Vec<_>>();
    assert_eq!(grants[0].queue, QueueId(1));
}

// The last sender of an output allocates in `recn-dd-iq`; transfers are seen while they last.
#[test]
fn transfers_are_seen() {
    let mut bench = round_robin();
    assert_eq!(bench.scheduler.last_sender(PortId(3)), None);
    bench.stand(1, 0, 3);
    let at = bench.now.next();
    assert_eq!(bench.step(Span(32)).len(), 1);
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
    let stand = (port.clone(), queue.clone(), port.clone(), 0..6_u64, class.clone(), cells);
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
        class_of(queue) == class && head.head.output == output && bench.is_grantable(input, head)
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
        assert!(head.head.output == output && bench.is_grantable(input, head), "{grant:?}");
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
        let (output, normal_only) = (head.head.output, class_of(queue) == Class::Normal);
        let counts = |g: &&CrossbarGrant| !normal_only || class_of(g.queue) == Class::Normal;
        let meets = |g: &CrossbarGrant| g.input == input || g.output == output;
        let is_met = grants.iter().filter(counts).any(meets);
        assert!(is_met || !bench.is_grantable(input, &head), "{input} to {output} is left");
    }
}

proptest! {
    #![proptest_config(cases(400))]

    // Whatever comes and goes: from the tick on in which it is visible a head goes, "one packet at a
    // time per input and per output", "only when the whole packet fits in the next memory", in `iq`
    // "when crossbar output = link is free"; "normal queues request with priority over SAQs"; "of an
    // input, round robin over its queues that request this output, a pointer per (input, output)";
    // and no pair is left that might go.
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
}
