//! Waiting bound: "A head that has been visible for more than `switch.wait_bound_packets` packet
//! times is *overdue*: it goes before others, the oldest first (ties: lowest input, then queue),
//! and while it has room it reserves its output, and its input for it: neither is granted for
//! anything else until it goes."

use crate::common::cases;
use crate::fake_ports::{Bench, NORMAL, QUEUES, Standing, Step, class_of};
use crate::scheduler::{arbiter, step, with_all};
use crossbar::ArbiterKind;
use plan::SaqPriority;
use proptest::prelude::*;
use switch::{Class, CrossbarGrant};
use units::{ClassId, PortId, QueueId, Span, Tick};

const BOUND: Span = Span(20);
const SAQ: u16 = NORMAL as u16;

fn bench() -> Bench {
    bench_with(SaqPriority::Bounded)
}

fn bench_with(saqs: SaqPriority) -> Bench {
    let mut params = with_all(ArbiterKind::RoundRobin, BOUND);
    params.config.saq_priority = saqs;
    Bench::new(&params)
}

/// So many ticks in which transfers take `span`: all that is granted.
fn run(bench: &mut Bench, ticks: u64, span: Span) -> Vec<CrossbarGrant> {
    (0..ticks).flat_map(|_| bench.step(span)).collect()
}

/// Sees to it that output 2 and input 0 fall free in turns, never at once: a packet from input 1 to
/// output 2 and one from input 0 to output 3, half a transfer apart. What goes from input 0 to
/// output 2, until a tick.
fn in_a_rhythm(bench: &mut Bench, until: Tick) -> Option<Tick> {
    bench.stand(1, 0, 1 << 2);
    run(bench, 4, Span(8));
    bench.stand(0, 0, 1 << 3);
    run(bench, 1, Span(8));
    bench.stand(0, 1, 1 << 2);
    while bench.now < until {
        for (input, output) in [(1, 2), (0, 3)] {
            if bench.ports.heads[usize::from(input)][0].outputs == 0 {
                bench.stand(input, 0, 1 << output);
            }
        }
        let went = bench.step(Span(8)).iter().any(|grant| (grant.input.0, grant.queue.0) == (0, 1));
        if went {
            return Some(bench.now);
        }
    }
    None
}

// "Bounds of an arbiter do not hold in a switch whose inputs and outputs fall free in a rhythm;
// flows then starve for ever."
#[test]
fn without_a_bound_a_rhythm_starves() {
    let params = with_all(ArbiterKind::RoundRobin, Span::MAX);
    assert_eq!(in_a_rhythm(&mut Bench::new(&params), Tick(2_000)), None);
}

#[test]
fn with_a_bound_no_rhythm_starves() {
    let went = in_a_rhythm(&mut bench(), Tick(2_000)).expect("it goes");
    // It stands from tick 6 on; both ports are free within a transfer of being reserved.
    assert!(went > Tick(6) + BOUND && went <= Tick(6) + BOUND + Span(1 + 2 * 8), "{went}");
}

/// A head of input 0 for output 2, which is taken for long, and overdue now.
fn overdue_behind(busy: Span) -> Bench {
    let mut bench = bench();
    bench.stand(1, 0, 1 << 2);
    run(&mut bench, 1, busy);
    bench.stand(0, 0, 1 << 2);
    run(&mut bench, BOUND.0 + 2, Span(8));
    bench
}

// "reserves its output, and its input for it: neither is granted for anything else"
#[test]
fn an_overdue_head_keeps_its_input_free() {
    let mut bench = overdue_behind(Span(60));
    bench.stand(0, 1, 1 << 3);
    bench.stand(3, 0, 1 << 1);
    let granted = run(&mut bench, 10, Span(8));
    // Only what needs neither port goes.
    assert_eq!(granted.len(), 1);
    assert_eq!((granted[0].input, granted[0].output), (PortId(3), PortId(1)));
}

// "more than": one tick less and the input goes elsewhere.
#[test]
fn a_head_is_overdue_only_beyond_the_bound() {
    let mut bench = bench();
    bench.stand(1, 0, 1 << 2);
    run(&mut bench, 1, Span(60));
    bench.stand(0, 0, 1 << 2);
    run(&mut bench, BOUND.0, Span(8));
    // It stands since tick 2; in tick 22 it has stood for the bound, and no longer.
    bench.stand(0, 1, 1 << 3);
    assert_eq!(run(&mut bench, 1, Span(8)).len(), 1);
    assert_eq!(bench.now, Tick(2) + BOUND);
}

// "while it has room": else its ports are free for others.
#[test]
fn without_room_nothing_is_reserved() {
    let mut bench = bench();
    bench.set_room(2, ClassId(0), 0);
    bench.stand(0, 0, 1 << 2);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(0, 1, 1 << 3);
    assert_eq!(run(&mut bench, 2, Span(8)).len(), 1);
}

// What little room there is of its class is left for it.
#[test]
fn an_overdue_head_claims_the_room_that_there_is() {
    let mut bench = bench();
    bench.set_room(2, ClassId(0), 1);
    bench.stand_with(0, 0, 1 << 2, Span(1), ClassId(0), 3);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(1, 0, 1 << 2);
    assert_eq!(run(&mut bench, 10, Span(8)), []);
    bench.set_room(2, ClassId(0), 4);
    let granted = run(&mut bench, 20, Span(8));
    let inputs: Vec<_> = granted.iter().map(|grant| grant.input.0).collect();
    assert_eq!(inputs, [0, 1]);
}

// Of several outputs a head takes the first that is granted: the room behind any may be claimed.
#[test]
fn a_claim_is_of_one_output() {
    let mut bench = bench();
    bench.set_room(2, ClassId(0), 1);
    bench.stand(3, 0, 1 << 1);
    run(&mut bench, 1, Span(60));
    bench.stand_with(0, 0, 1 << 2, Span(1), ClassId(0), 3);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(1, 0, 0b0110);
    assert_eq!(run(&mut bench, 10, Span(8)), []);
    bench.stand(2, 0, 0b1100);
    let granted = run(&mut bench, 2, Span(8));
    assert_eq!(granted[0].output, PortId(3));
}

// Room of another class is not what it waits for.
#[test]
fn a_claim_is_of_one_class_of_credit() {
    let mut bench = bench();
    bench.set_room(2, ClassId(0), 1);
    bench.stand_with(0, 0, 1 << 2, Span(1), ClassId(0), 3);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand_with(1, 0, 1 << 2, Span(1), ClassId(1), 1);
    assert_eq!(run(&mut bench, 2, Span(8)).len(), 1);
}

// "the oldest first (ties: lowest input, then queue)"
#[test]
fn of_two_overdue_heads_the_older_goes_first() {
    let order = |stand: &[(u8, u16, Span)]| {
        let mut bench = bench();
        bench.stand(3, 0, 1 << 2);
        run(&mut bench, 1, Span(60));
        for &(input, queue, delay) in stand {
            bench.stand_with(input, queue, 1 << 2, delay, ClassId(0), 1);
        }
        let granted = run(&mut bench, 100, Span(8));
        granted.iter().map(|g| (g.input.0, g.queue.0)).collect::<Vec<_>>()
    };
    assert_eq!(order(&[(0, 0, Span(3)), (1, 0, Span(2))]), [(1, 0), (0, 0)]);
    assert_eq!(order(&[(1, 0, Span(2)), (0, 0, Span(2))]), [(0, 0), (1, 0)]);
    assert_eq!(order(&[(1, 2, Span(2)), (1, 1, Span(2))]), [(1, 1), (1, 2)]);
}

// "Of two that need one input the older reserves."
#[test]
fn of_two_that_need_one_input_the_older_reserves() {
    let mut bench = bench();
    bench.stand(1, 0, 1 << 2);
    bench.stand(2, 0, 1 << 3);
    run(&mut bench, 1, Span(60));
    bench.stand_with(0, 0, 1 << 2, Span(1), ClassId(0), 1);
    bench.stand_with(0, 1, 1 << 3, Span(2), ClassId(0), 1);
    let granted = run(&mut bench, 100, Span(8));
    let queues: Vec<_> = granted.iter().map(|grant| grant.queue.0).collect();
    assert_eq!(queues, [0, 1]);
}

/// What goes in turn where a SAQ of input 0 is overdue for output 2, which is taken, and then a
/// normal queue of its input requests output 3, and one of another input output 2.
fn beside_an_overdue_saq(saqs: SaqPriority) -> Vec<(u8, u16)> {
    let mut bench = bench_with(saqs);
    bench.stand(1, 0, 1 << 2);
    run(&mut bench, 1, Span(60));
    bench.stand(0, SAQ, 1 << 2);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(0, 0, 1 << 3);
    bench.stand(2, 0, 1 << 2);
    let granted = run(&mut bench, 80, Span(8));
    granted.iter().map(|g| (g.input.0, g.queue.0)).collect()
}

// "`bounded`: overdue heads of SAQs and of normal queues are one class, before all that is not
// overdue"
#[test]
fn bounded_an_overdue_saq_goes_before_normal_queues_that_are_not() {
    let order = beside_an_overdue_saq(SaqPriority::Bounded);
    // The two that follow start in the same tick.
    assert_eq!(order, [(0, SAQ), (2, 0), (0, 0)]);
}

// "`strict`: normal queues first, always; then a SAQ is never overdue and reserves nothing."
#[test]
fn strict_normal_queues_go_before_a_saq_however_long_it_waits() {
    let order = beside_an_overdue_saq(SaqPriority::Strict);
    assert_eq!(order, [(0, 0), (2, 0), (0, SAQ)]);
}

// The oldest first, SAQ or not.
#[test]
fn bounded_an_overdue_normal_queue_waits_for_an_older_saq() {
    let mut bench = bench();
    bench.stand(3, 0, 1 << 2);
    run(&mut bench, 1, Span(60));
    bench.stand_with(1, SAQ, 1 << 2, Span(2), ClassId(0), 1);
    bench.stand_with(0, 0, 1 << 2, Span(3), ClassId(0), 1);
    let granted = run(&mut bench, 100, Span(8));
    let order: Vec<_> = granted.iter().map(|g| (g.input.0, g.queue.0)).collect();
    assert_eq!(order, [(1, SAQ), (0, 0)]);
}

// A request that is withdrawn, as that of a SAQ that is stopped, reserves nothing any more.
#[test]
fn what_is_withdrawn_reserves_nothing() {
    let mut bench = overdue_behind(Span(60));
    bench.withdraw(0, 0);
    bench.stand(0, 1, 1 << 3);
    assert_eq!(run(&mut bench, 3, Span(8)).len(), 1);
}

// Room comes behind an output that is taken: an older head reserves its input at once, and what a
// younger one of that input had reserved is free for others, who must not wait for the transfer.
#[test]
fn room_for_an_older_head_frees_what_a_younger_had_reserved() {
    let mut bench = bench();
    bench.set_room(2, ClassId(1), 1);
    bench.stand(2, 0, 1 << 2);
    bench.stand(3, 0, 1 << 0);
    run(&mut bench, 1, Span(90));
    bench.stand_with(3, 0, 1 << 2, Span(1), ClassId(1), 2);
    bench.stand_with(3, 1, 1 << 3, Span(2), ClassId(0), 1);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(1, 0, 1 << 3);
    assert_eq!(run(&mut bench, 10, Span(8)), []);
    bench.set_room(2, ClassId(1), 2);
    let granted = run(&mut bench, 1, Span(8));
    assert_eq!((granted[0].input, granted[0].output), (PortId(1), PortId(3)));
}

// Results name the longest wait of each class: of those that went, and of those that still stand.
#[test]
fn the_longest_wait_is_kept() {
    let mut bench = bench();
    bench.stand_with(0, 0, 1 << 2, Span(1), ClassId(0), 1);
    run(&mut bench, 1, Span(30));
    bench.stand(1, 0, 1 << 2);
    run(&mut bench, 40, Span(8));
    let waits = |bench: &Bench| bench.scheduler.longest_waits(bench.now, &bench.ports);
    // Visible in tick 2, started in tick 31.
    assert_eq!(waits(&bench), [Span(29), Span::ZERO]);
    bench.scheduler.forget_waits();
    assert_eq!(waits(&bench), [Span::ZERO; 2]);
    bench.set_open(2, false);
    bench.stand(1, SAQ, 1 << 2);
    run(&mut bench, 11, Span(8));
    assert_eq!(waits(&bench), [Span::ZERO, Span(10)]);
}

/// A head by age.
type Aged = (Tick, PortId, QueueId, Standing);

/// What overdue heads do in this tick: reserve their ports, or claim room.
#[derive(Debug)]
struct Plain {
    saqs: SaqPriority,
    held: Vec<Aged>,
    claims: Vec<Aged>,
}

impl Plain {
    fn of(bench: &Bench, bound: Span, saqs: SaqPriority) -> Plain {
        let mut plain = Plain { saqs, held: Vec::new(), claims: Vec::new() };
        let aged = |(input, queue, head): (_, _, Standing)| (head.head.visible, input, queue, head);
        let mut heads: Vec<Aged> = bench.standing().map(aged).collect();
        heads.sort_by_key(|head| (head.0, head.1, head.2));
        heads.retain(|head| bench.now.since(head.0) > bound && !plain.is_last(head));
        for head in heads {
            plain.choose(bench, head);
        }
        plain
    }

    /// Whether a head is of a SAQ that goes after all normal queues.
    fn is_last(&self, head: &Aged) -> bool {
        self.saqs == SaqPriority::Strict && class_of(head.2) == Class::Saq
    }

    fn choose(&mut self, bench: &Bench, head: Aged) {
        let (output, credit) = (head.3.head.output, head.3.head.class);
        if self.claimed(&head, output) {
            return;
        }
        if !bench.has_room(&head.3, output) {
            if bench.ports.room[output.index()][credit.index()] > 0 {
                self.claims.push(head);
            }
            return;
        }
        let meets = |other: &Aged| other.1 == head.1 || other.3.head.output == output;
        if !self.held.iter().any(meets) {
            self.held.push(head);
        }
    }

    /// Whether a head that goes first claims the room that a head would take behind `output`.
    fn claimed(&self, head: &Aged, output: PortId) -> bool {
        self.claims.iter().any(|claim| {
            let same_room =
                claim.3.head.output == output && claim.3.head.class == head.3.head.class;
            let older = (claim.0, claim.1, claim.2) < (head.0, head.1, head.2);
            same_room && (older || self.is_last(head))
        })
    }

    /// What is granted leaves alone what is reserved or claimed; what is reserved goes as soon as
    /// it may.
    fn check(&self, bench: &Bench, grants: &[CrossbarGrant]) {
        for grant in grants {
            let head = bench.ports.heads[grant.input.index()][grant.queue.index()];
            let aged = (head.head.visible, grant.input, grant.queue, head);
            assert!(!self.claimed(&aged, grant.output), "{grant:?} takes room that is claimed");
            for held in &self.held {
                let output = held.3.head.output;
                let holder = (held.1, held.2, output);
                if held.1 == grant.input || output == grant.output {
                    assert_eq!(holder, (grant.input, grant.queue, grant.output), "reserved");
                }
            }
        }
        for held in &self.held {
            let goes = grants.iter().any(|g| (g.input, g.queue) == (held.1, held.2));
            let may = bench.is_grantable(held.1, &held.3, held.3.head.output);
            assert!(goes || !may, "{held:?} may go and does not");
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    // Whatever the arbiter, and whatever comes and goes.
    #[test]
    fn what_is_reserved_is_granted_for_nothing_else(
        kind in arbiter(),
        bound in 1..40_u64,
        strict: bool,
        all: bool,
        steps in prop::collection::vec(step(), 0..200),
    ) {
        let bound = Span(bound);
        let mut params = with_all(kind, bound);
        if strict {
            params.config.saq_priority = SaqPriority::Strict;
        }
        let saqs = params.config.saq_priority;
        let mut bench = Bench::new(&params);
        for step in steps.into_iter().chain([Step::Tick(3); 20]) {
            let Step::Tick(span) = step else {
                step.of(&mut bench);
                continue;
            };
            let grants = bench.evaluate();
            Plain::of(&bench, bound, saqs).check(&bench, &grants);
            for grant in grants {
                let end = bench.now + Span(span);
                bench.start(grant, end);
            }
        }
    }

    // "It goes before it has had room for wait_bound + (2 k + 1) T ticks", with T the longest
    // transfer and k the heads in the switch that are older when it becomes overdue: here every
    // queue, SAQs included, always has a head, and there is always room.
    #[test]
    fn a_head_goes_within_the_bound(
        kind in arbiter(),
        bound in 1..60_u64,
        spans in prop::collection::vec(1..12_u64, 7),
        outputs in prop::collection::vec(0..4_u8, 20),
    ) {
        let longest = 11;
        let mut bench = Bench::new(&with_all(kind, Span(bound)));
        for tick in 0..600 {
            for (at, output) in outputs.iter().enumerate() {
                let (input, queue) = (at / QUEUES, at % QUEUES);
                if bench.ports.heads[input][queue].outputs == 0 {
                    bench.stand(input as u8, queue as u16, 1 << output);
                }
            }
            bench.ports.room = [[8; 2]; 4];
            bench.step(Span(spans[tick % spans.len()]));
            let k = outputs.len() as u64 - 1;
            for waited in bench.scheduler.longest_waits(bench.now, &bench.ports) {
                prop_assert!(waited <= Span(bound + (2 * k + 1) * longest), "{}", waited.0);
            }
        }
    }
}
