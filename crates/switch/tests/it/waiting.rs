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
use units::{PortId, QueueId, Span, Tick};

const BOUND: Span = Span(20);
const SAQ: u16 = NORMAL as u16;

fn bench(saqs: SaqPriority) -> Bench {
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
    bench.stand(1, 0, 2);
    run(bench, 4, Span(8));
    bench.stand(0, 0, 3);
    run(bench, 1, Span(8));
    bench.stand(0, 1, 2);
    while bench.now < until {
        for (input, output) in [(1, 2), (0, 3)] {
            if !bench.requests(input, 0) {
                bench.stand(input, 0, output);
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
fn a_rhythm_starves_without_a_bound_only() {
    let params = with_all(ArbiterKind::RoundRobin, Span::MAX);
    assert_eq!(in_a_rhythm(&mut Bench::new(&params), Tick(2_000)), None);
    let went = in_a_rhythm(&mut bench(SaqPriority::Bounded), Tick(2_000)).expect("it goes");
    // It stands from tick 6 on; both ports are free within a transfer of being reserved.
    assert!(went > Tick(6) + BOUND && went <= Tick(6) + BOUND + Span(1 + 2 * 8), "{went}");
}

/// What goes in turn where a SAQ of input 0 is overdue for output 2, which is taken, and then a
/// normal queue of its input requests output 3, and one of another input output 2.
fn beside_an_overdue_saq(saqs: SaqPriority) -> Vec<(u8, u16)> {
    let mut bench = bench(saqs);
    bench.stand(1, 0, 2);
    run(&mut bench, 1, Span(60));
    bench.stand(0, SAQ, 2);
    run(&mut bench, BOUND.0 + 5, Span(8));
    bench.stand(0, 0, 3);
    bench.stand(2, 0, 2);
    let granted = run(&mut bench, 80, Span(8));
    granted.iter().map(|g| (g.input.0, g.queue.0)).collect()
}

// "`bounded`: overdue heads of SAQs and of normal queues are one class, before all that is not
// overdue"; "`strict`: normal queues first, always; then a SAQ is never overdue and reserves nothing."
#[test]
fn an_overdue_saq_goes_before_normal_queues_where_it_is_bounded() {
    // The two that follow start in the same tick.
    let bounded = beside_an_overdue_saq(SaqPriority::Bounded);
    assert_eq!(bounded, [(0, SAQ), (2, 0), (0, 0)]);
    let strict = beside_an_overdue_saq(SaqPriority::Strict);
    assert_eq!(strict, [(0, 0), (2, 0), (0, SAQ)]);
}

// Results name the longest wait of each class: of those that went, and of those that still stand.
#[test]
fn the_longest_wait_is_kept() {
    let mut bench = bench(SaqPriority::Bounded);
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
        if self.claimed(&head) {
            return;
        }
        if !bench.has_room(&head.3) {
            if bench.ports.room[output.index()][credit.index()] > 0 {
                self.claims.push(head);
            }
            return;
        }
        if !self.held.iter().any(|held| meet(held, &head)) {
            self.held.push(head);
        }
    }

    /// Whether a head that goes first claims the room that a head would take.
    fn claimed(&self, head: &Aged) -> bool {
        self.claims.iter().any(|claim| {
            let (theirs, ours) = (&claim.3.head, &head.3.head);
            let same_room = theirs.output == ours.output && theirs.class == ours.class;
            let older = (claim.0, claim.1, claim.2) < (head.0, head.1, head.2);
            same_room && (older || self.is_last(head))
        })
    }

    /// Whether another has reserved a port of a head.
    fn keeps_off(&self, head: &Aged) -> bool {
        let is_other = |held: &&Aged| (held.1, held.2) != (head.1, head.2);
        self.held.iter().filter(is_other).any(|held| meet(held, head))
    }

    /// What is granted leaves alone what is reserved or claimed; what is reserved goes as soon as
    /// it may. Where the arbiter is maximal nothing else is held up.
    fn check(&self, bench: &Bench, grants: &[CrossbarGrant], kind: ArbiterKind) {
        for grant in grants {
            let head = bench.ports.heads[grant.input.index()][grant.queue.index()];
            let aged = (head.head.visible, grant.input, grant.queue, head);
            assert!(!self.claimed(&aged), "{grant:?} takes room that is claimed");
            assert!(!self.keeps_off(&aged), "{grant:?} takes what is reserved");
        }
        for held in &self.held {
            let goes = grants.iter().any(|g| (g.input, g.queue) == (held.1, held.2));
            assert!(goes || !bench.is_grantable(held.1, &held.3), "{held:?} may go and does not");
        }
        let is_maximal = !matches!(kind, ArbiterKind::Islip { .. });
        for (input, queue, head) in bench.standing().filter(|_| is_maximal) {
            let aged = (head.head.visible, input, queue, head);
            let may =
                bench.is_grantable(input, &head) && !self.claimed(&aged) && !self.keeps_off(&aged);
            let meets = |g: &CrossbarGrant| g.input == input || g.output == head.head.output;
            assert!(!may || grants.iter().any(meets), "{aged:?} is held up");
        }
    }
}

/// Whether two heads take a port in common.
fn meet(one: &Aged, other: &Aged) -> bool {
    one.1 == other.1 || one.3.head.output == other.3.head.output
}

proptest! {
    #![proptest_config(cases(400))]

    // "reserves its output, and its input for it", "while it has room"; without, what little there is
    // of its class is left for it; "the oldest first (ties: lowest input, then queue)"; and "of two
    // that need one input the older reserves": whatever the arbiter, and whatever comes and goes.
    #[test]
    fn what_is_reserved_is_granted_for_nothing_else(
        kind in arbiter(),
        bound in 1..40_u64,
        strict: bool,
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
            Plain::of(&bench, bound, saqs).check(&bench, &grants, kind);
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
                if !bench.requests(input as u8, queue as u16) {
                    bench.stand(input as u8, queue as u16, *output);
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
