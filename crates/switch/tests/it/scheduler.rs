//! Crossbar arbiter: "A head packet requests; it goes only if its crossbar input *and* output are
//! free; one packet at a time per input and per output." Waiting bound: "A head that has been
//! visible for more than `switch.wait_bound_packets` packet times is *overdue*: it goes before
//! others, the oldest first (ties: lowest input, then queue), and while it has room it reserves its
//! output, and its input for it: neither is granted for anything else until it goes." How late it
//! goes at most, in switches with their real timing: `tests/tests/it/waiting.rs`.

use crate::common::{cases, params};
use crate::fake_ports::{Bench, NORMAL, PORTS, QUEUES, Step, Waiter, class_of};
use crossbar::ArbiterKind;
use plan::{SaqPriority, SchemeKind};
use proptest::prelude::*;
use std::collections::BTreeMap;
use switch::{Class, CrossbarGrant, Head, Scheduler};
use units::{PortId, QueueId, Span, Tick};

const BOUND: Span = Span(20);
const SAQ: u16 = NORMAL as u16;

/// With SAQs, and normal queues that share outputs.
fn bench(arbiter: ArbiterKind, wait_bound: Span, saqs: SaqPriority) -> Bench {
    let mut params = params(|config| {
        (config.scheme, config.arbiter, config.saq_priority) = (SchemeKind::Recn, arbiter, saqs);
    });
    (params.shared_outputs, params.wait_bound) = (true, wait_bound);
    Bench::new(&params)
}

fn round_robin(wait_bound: Span) -> Bench {
    bench(ArbiterKind::RoundRobin, wait_bound, SaqPriority::Bounded)
}

/// So many ticks in which transfers take `span`: input and queue of all that is granted.
fn run(bench: &mut Bench, ticks: u64, span: Span) -> Vec<(u8, u16)> {
    let grants = (0..ticks).flat_map(|_| bench.step(span));
    grants.map(|grant| (grant.input.0, grant.queue.0)).collect()
}

// "oldest-first": by the age of the packet, not by how long it has been at the head.
#[test]
fn oldest_first_reads_the_age_of_the_packet() {
    let mut bench = bench(ArbiterKind::OldestFirst, Span::MAX, SaqPriority::Bounded);
    bench.stand(0, 0, 3);
    bench.stand(0, 1, 3);
    (bench.ports.heads[0][0].age, bench.ports.heads[0][1].age) = (Tick(40), Tick(30));
    assert_eq!(run(&mut bench, 3, Span(5)), [(0, 1)]);
}

#[test]
#[should_panic(expected = "65 ports of a switch")]
fn sets_of_ports_are_words() {
    _ = Scheduler::new(&params(|_| {}), 65, 1, 0);
}

// Results name the longest wait of each class: of those that went, and of those that still stand.
#[test]
fn the_longest_wait_is_kept() {
    let mut bench = round_robin(BOUND);
    bench.stand(0, 0, 2);
    run(&mut bench, 1, Span(30));
    bench.stand(1, 0, 2);
    run(&mut bench, 40, Span(8));
    let waits = |bench: &Bench| bench.scheduler.longest_waits(bench.now, &bench.ports);
    // Visible in tick 2, started in tick 31.
    assert_eq!(waits(&bench), [Span(29), Span::ZERO]);
    bench.scheduler.forget_waits();
    assert_eq!(waits(&bench), [Span::ZERO; 2]);
    bench.ports.open[2] = false;
    bench.stand(1, SAQ, 2);
    run(&mut bench, 11, Span(8));
    assert_eq!(waits(&bench), [Span::ZERO, Span(10)]);
}

fn step() -> impl Strategy<Value = Step> {
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

/// Where the round robin of each input, output and class begins.
type Pointers = BTreeMap<(PortId, PortId, bool), u16>;

/// Whether two heads take a port in common.
fn meet(one: &Waiter, other: &Waiter) -> bool {
    one.input == other.input || one.head.output == other.head.output
}

/// The rules: what overdue heads do in this tick, reserve their ports or claim room.
#[derive(Debug)]
struct Rules {
    saqs: SaqPriority,
    held: Vec<Waiter>,
    claims: Vec<Waiter>,
}

impl Rules {
    fn of(bench: &Bench, heads: &[Waiter], bound: Span, saqs: SaqPriority) -> Rules {
        let mut rules = Rules { saqs, held: Vec::new(), claims: Vec::new() };
        for head in heads {
            if bench.now.since(head.head.visible) > bound && !rules.is_last(head) {
                rules.choose(bench, *head);
            }
        }
        rules
    }

    /// Whether a head is of a SAQ that goes after all normal queues.
    fn is_last(&self, head: &Waiter) -> bool {
        self.saqs == SaqPriority::Strict && class_of(head.queue) == Class::Saq
    }

    fn choose(&mut self, bench: &Bench, waiter: Waiter) {
        let Head { output, class, .. } = waiter.head;
        if self.claimed(&waiter) {
            return;
        }
        if !bench.has_room(&waiter) {
            if bench.ports.room[output.index()][class.index()] > 0 {
                self.claims.push(waiter);
            }
        } else if !self.held.iter().any(|held| meet(held, &waiter)) {
            self.held.push(waiter);
        }
    }

    /// Whether a head that goes first claims the room that a head would take.
    fn claimed(&self, waiter: &Waiter) -> bool {
        self.claims.iter().any(|claim| {
            let (theirs, ours) = (&claim.head, &waiter.head);
            let same_room = theirs.output == ours.output && theirs.class == ours.class;
            same_room && (claim.order() < waiter.order() || self.is_last(waiter))
        })
    }

    /// Whether a head may be granted its output, reservations considered.
    fn may_go(&self, bench: &Bench, waiter: &Waiter) -> bool {
        let is_other = |held: &&Waiter| held.order() != waiter.order();
        let is_kept_off = self.held.iter().filter(is_other).any(|held| meet(held, waiter));
        bench.is_grantable(waiter) && !self.claimed(waiter) && !is_kept_off
    }
}

/// Of heads that may go the queue of a class that does, if a pair is granted: the first from the
/// pointer on.
fn in_turn(
    heads: &[&Waiter],
    (input, output): (PortId, PortId),
    class: Class,
    pointers: &Pointers,
) -> Option<QueueId> {
    let start = pointers.get(&(input, output, class == Class::Saq)).copied().unwrap_or(0);
    let of_pair = |head: &&&Waiter| (head.input, head.head.output) == (input, output);
    let queues = heads.iter().filter(of_pair).map(|head| head.queue);
    queues.filter(|&q| class_of(q) == class).min_by_key(|queue| (queue.0 < start, *queue))
}

/// Whether the grants of this tick follow the rules; no grant has started yet.
fn check(
    bench: &Bench,
    grants: &[CrossbarGrant],
    (kind, bound, saqs): (ArbiterKind, Span, SaqPriority),
    pointers: &mut Pointers,
) {
    let mut heads: Vec<Waiter> = bench.standing().collect();
    heads.sort_by_key(Waiter::order);
    let rules = Rules::of(bench, &heads, bound, saqs);
    let may_go: Vec<&Waiter> = heads.iter().filter(|head| rules.may_go(bench, head)).collect();
    let (mut inputs, mut outputs) = ([false; PORTS], [false; PORTS]);
    for grant in grants {
        let &CrossbarGrant { input, output, queue } = grant;
        let is_it = |h: &&Waiter| (h.input, h.queue, h.head.output) == (input, queue, output);
        assert!(may_go.iter().any(is_it), "{grant:?} may not go");
        assert!(!inputs[input.index()] && !outputs[output.index()], "one partner each");
        (inputs[input.index()], outputs[output.index()]) = (true, true);
        let class = class_of(queue);
        let turn = |class| in_turn(&may_go, (input, output), class, pointers);
        let goes_first = class == Class::Normal || turn(Class::Normal).is_none();
        assert!(goes_first, "normal queues go first");
        assert!(kind == ArbiterKind::OldestFirst || turn(class) == Some(queue), "{grant:?}");
        pointers.insert((input, output, class == Class::Saq), queue.0 + 1);
    }
    for held in &rules.held {
        let goes = grants.iter().any(|g| (g.input, g.queue) == (held.input, held.queue));
        assert!(goes || !bench.is_grantable(held), "{held:?} may go and does not");
    }
    if matches!(kind, ArbiterKind::Islip { .. }) {
        return;
    }
    // Maximal, normal queues by themselves already.
    for head in may_go {
        let normal_only = class_of(head.queue) == Class::Normal;
        let counts = |g: &&CrossbarGrant| !normal_only || class_of(g.queue) == Class::Normal;
        let meets = |g: &CrossbarGrant| g.input == head.input || g.output == head.head.output;
        assert!(grants.iter().filter(counts).any(meets), "{head:?} is left");
    }
}

proptest! {
    #![proptest_config(cases(600))]

    // Whatever the arbiter, and whatever comes and goes: from the tick on in which it is visible a
    // head goes, "only when the whole packet fits in the next memory", in `iq` "when crossbar
    // output = link is free"; "normal queues request with priority over SAQs"; "of an input, round
    // robin over its queues that request this output, a pointer per (input, output)". An overdue
    // head reserves its ports; without room what little there is of its class is left for it; "of
    // two that need one input the older reserves". And no pair is left that might go.
    #[test]
    fn grants_are_what_the_rules_say(
        kind in prop::sample::select(ArbiterKind::ALL),
        bound in prop_oneof![3 => (1..40_u64).prop_map(Span), 1 => Just(Span::MAX)],
        strict: bool,
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let saqs = if strict { SaqPriority::Strict } else { SaqPriority::Bounded };
        let mut bench = bench(kind, bound, saqs);
        let mut pointers = Pointers::new();
        for step in steps.into_iter().chain([Step::Tick(3); 20]) {
            let Step::Tick(span) = step else {
                step.of(&mut bench);
                continue;
            };
            let grants = bench.evaluate();
            check(&bench, &grants, (kind, bound, saqs), &mut pointers);
            for grant in grants {
                let end = bench.now + Span(span);
                bench.start(grant, end);
            }
        }
    }
}
