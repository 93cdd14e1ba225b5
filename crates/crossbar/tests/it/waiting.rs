//! What the waiting bounds rest on: cases in which a bound is met, and those in which it is lost.

use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use units::PortId;

/// A tick in which classes are arbitrated in order on one matching, each by its arbiter.
type Calls<const P: usize> = &'static [(usize, [u64; P])];

/// Grants of (output, input) over 1000 ticks that repeat `ticks`, after `first`.
fn grants<const P: usize>(
    name: &str,
    first: &[Calls<P>],
    ticks: &[Calls<P>],
    (output, input): (u8, u8),
) -> u32 {
    let mut arbiters = [0, 1].map(|seed| AnyArbiter::new(name.parse().unwrap(), P, seed).unwrap());
    let mut matching = Matching::new(P);
    let mut granted = 0;
    for calls in first.iter().chain(ticks.iter().cycle().take(1000)) {
        matching.clear();
        for (number, inputs_of) in *calls {
            arbiters[*number].arbitrate(&Requests { inputs_of, ages: &[] }, &mut matching);
        }
        granted += u32::from(matching.input_of(PortId(output)) == Some(PortId(input)));
    }
    granted
}

// Input 0 requests outputs 0 and 1, input 1 output 1; output 2 goes to a queue of the second class
// in every tick.
const NORMAL: [u64; 4] = [0b0001, 0b0011, 0, 0];
const SAQS: [u64; 4] = [0, 0, 0b0100, 0];

// "detection and normal queues request with priority over SAQs" (switch.md): an arbiter for each
// class. With one for both there are two granting calls a tick, and output 1 is never the first of
// the two outputs to choose.
#[test]
fn round_robin_with_an_arbiter_a_class_starves_nobody() {
    assert_eq!(grants("round-robin", &[], &[&[(0, NORMAL), (1, SAQS)]], (1, 0)), 250);
    assert_eq!(grants("round-robin", &[], &[&[(0, NORMAL), (0, SAQS)]], (1, 0)), 0);
}

// The limit of the rotating start: calls in which output 1 is busy whenever it would choose first.
#[test]
fn round_robin_bound_needs_a_request_in_every_granting_call() {
    assert_eq!(grants("round-robin", &[], &[&[(0, NORMAL)], &[(0, SAQS)]], (1, 0)), 0);
    assert_eq!(grants("round-robin", &[], &[&[(0, NORMAL)]], (1, 0)), 250);
}

// The limit of iSLIP: inputs 0 and 1 withdraw their request for output 0 by turns, just when they
// would accept it.
#[test]
fn islip_bound_needs_other_requests_to_persist() {
    let first: [Calls<3>; 2] = [&[(0, [0, 0b001, 0])], &[(0, [0, 0b010, 0])]];
    let turns: [Calls<3>; 2] = [&[(0, [0b101, 0b010, 0b001])], &[(0, [0b110, 0b001, 0b010])]];
    assert_eq!(grants("islip", &first, &turns, (0, 2)), 0);
    let standing: [Calls<3>; 1] = [&[(0, [0b111, 0b011, 0b011])]];
    assert!(grants("islip", &first, &standing, (0, 2)) >= 1000 / 9);
}
