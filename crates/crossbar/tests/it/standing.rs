//! Requests that repeat: the grant shares of iSLIP, pinned (spec switch.md: "a test pins the grant
//! shares"), and what the waiting bounds rest on: cases in which a bound is met, and in which it is
//! lost.

use crossbar::{AnyArbiter, Arbiter, Matching, Requests};

/// A tick in which classes are arbitrated in order on one matching, each by its arbiter.
type Calls<'a> = &'a [(usize, &'a [u64])];

/// Grants of each pair, `[output][input]`, in so many ticks that repeat `ticks`, after `first`.
fn grants(name: &str, first: &[Calls<'_>], ticks: &[Calls<'_>], count: usize) -> Vec<Vec<u32>> {
    let ports = ticks[0][0].1.len();
    let kind = name.parse().unwrap();
    let mut arbiters = [0, 1].map(|seed| AnyArbiter::new(kind, ports, seed).unwrap());
    let mut matching = Matching::new(ports);
    let mut counts = vec![vec![0; ports]; ports];
    for (tick, calls) in first.iter().chain(ticks.iter().cycle().take(count)).enumerate() {
        matching.clear();
        for &(number, inputs_of) in *calls {
            arbiters[number].arbitrate(&Requests { inputs_of, ages: &[] }, &mut matching);
        }
        for (output, input) in matching.pairs().filter(|_| tick >= first.len()) {
            counts[output.index()][input.index()] += 1;
        }
    }
    counts
}

// Full requests: the pointers drift apart, and from then on every call is a full matching, each
// pair 1 time in `ports`.
#[test]
fn full_requests_converge_to_full_throughput() {
    for ports in 1..=16 {
        let all = vec![u64::MAX >> (64 - ports); ports];
        let call: Calls<'_> = &[(0, &all)];
        let granted = grants("islip", &vec![call; ports], &[call], 10 * ports);
        assert_eq!(granted, vec![vec![10; ports]; ports], "{ports} ports");
    }
}

// Input 0 requests all outputs, input 1 0 and 1, input 2 0, input 3 0 and 3. Output 0 serves its
// four inputs in turn, input 0 its four outputs; one iteration loses the rest. Further ones fill in
// what is left over, and take nothing from the others.
#[test]
fn shares_of_unbalanced_requests_are_pinned() {
    let unbalanced: Calls<'_> = &[(0, &[0b1111, 0b0011, 0b0001, 0b1001])];
    let one_iteration =
        [[3000, 3000, 3000, 3000], [3000, 3000, 0, 0], [3000, 0, 0, 0], [3000, 0, 0, 2999]];
    assert_eq!(grants("islip", &[], &[unbalanced], 12_000), one_iteration);
    let four_iterations =
        [[3000, 3000, 3000, 3000], [3000, 9000, 0, 0], [3000, 0, 0, 0], [3000, 0, 0, 9000]];
    assert_eq!(grants("islip(4)", &[], &[unbalanced], 12_000), four_iterations);
}

// Input 0 requests outputs 0 and 1, input 1 output 1; output 2 goes to a queue of the second class
// in every tick.
const NORMAL: &[u64] = &[0b0001, 0b0011, 0, 0];
const SAQS: &[u64] = &[0, 0, 0b0100, 0];

// "detection and normal queues request with priority over SAQs" (switch.md): an arbiter for each
// class. With one for both there are two granting calls a tick, and output 1 is never the first of
// the two outputs to choose. So it is by calls in which output 1 is busy whenever it would choose
// first: the bound of round robin needs a request in every granting call.
#[test]
fn round_robin_with_an_arbiter_a_class_starves_nobody() {
    let round_robin = |ticks: &[Calls<'_>]| grants("round-robin", &[], ticks, 1000)[1][0];
    assert_eq!(round_robin(&[&[(0, NORMAL), (1, SAQS)]]), 250);
    assert_eq!(round_robin(&[&[(0, NORMAL), (0, SAQS)]]), 0);
    assert_eq!(round_robin(&[&[(0, NORMAL)], &[(0, SAQS)]]), 0);
    assert_eq!(round_robin(&[&[(0, NORMAL)]]), 250);
}

// The limit of iSLIP: inputs 0 and 1 withdraw their request for output 0 by turns, just when they
// would accept it.
#[test]
fn islip_bound_needs_other_requests_to_persist() {
    let first: [Calls<'_>; 2] = [&[(0, &[0, 0b001, 0])], &[(0, &[0, 0b010, 0])]];
    let turns: [Calls<'_>; 2] = [&[(0, &[0b101, 0b010, 0b001])], &[(0, &[0b110, 0b001, 0b010])]];
    assert_eq!(grants("islip", &first, &turns, 1000)[0][2], 0);
    let standing: [Calls<'_>; 1] = [&[(0, &[0b111, 0b011, 0b011])]];
    assert!(grants("islip", &first, &standing, 1000)[0][2] >= 1000 / 9);
}
