//! What the waiting bounds rest on: cases in which a bound is met, and those in which it is lost.

use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use units::PortId;

fn arbiter(name: &str, ports: usize) -> AnyArbiter {
    AnyArbiter::new(name.parse().unwrap(), ports, 0).unwrap()
}

/// Grants of (output 1, input 0) over 1000 ticks, in each of which the classes are arbitrated in
/// order on one matching.
fn grants_of_output_1_input_0(
    arbiters: &mut [AnyArbiter],
    arbiter_of: &[usize],
    classes: &[[u64; 4]],
) -> u32 {
    let mut granted = 0;
    let mut matching = Matching::new(4);
    for _ in 0..1000 {
        matching.clear();
        for (inputs_of, &number) in classes.iter().zip(arbiter_of) {
            arbiters[number].arbitrate(&Requests { inputs_of, ages: &[] }, &mut matching);
        }
        granted += u32::from(matching.input_of(PortId(1)) == Some(PortId(0)));
    }
    granted
}

// Input 0 requests outputs 0 and 1, input 1 output 1; output 2 goes to a queue of the second class
// in every tick.
const NORMAL: [u64; 4] = [0b0001, 0b0011, 0, 0];
const SAQS: [u64; 4] = [0, 0, 0b0100, 0];

// "detection and normal queues request with priority over SAQs" (switch.md): an arbiter for each
// class.
#[test]
fn round_robin_with_an_arbiter_a_class_starves_nobody() {
    let mut arbiters = [arbiter("round-robin", 4), arbiter("round-robin", 4)];
    assert_eq!(grants_of_output_1_input_0(&mut arbiters, &[0, 1], &[NORMAL, SAQS]), 250);
}

// Why each class needs its own: two granting calls a tick, and output 1 is never the first of the
// two outputs to choose.
#[test]
fn round_robin_shared_by_two_classes_starves() {
    let mut arbiters = [arbiter("round-robin", 4)];
    assert_eq!(grants_of_output_1_input_0(&mut arbiters, &[0, 0], &[NORMAL, SAQS]), 0);
}

/// Grants of (output, input) over 1000 calls that repeat `calls`, after `first`.
fn grants_in_rhythm<const P: usize>(
    name: &str,
    first: &[[u64; P]],
    calls: &[[u64; P]],
    (output, input): (u8, u8),
) -> u32 {
    let mut arbiter = arbiter(name, P);
    let mut matching = Matching::new(P);
    let mut granted = 0;
    for inputs_of in first.iter().chain(calls.iter().cycle().take(1000)) {
        matching.clear();
        arbiter.arbitrate(&Requests { inputs_of, ages: &[] }, &mut matching);
        granted += u32::from(matching.input_of(PortId(output)) == Some(PortId(input)));
    }
    granted
}

// The limit of the rotating start: a rhythm of calls in which output 1 is busy whenever it would
// choose first.
#[test]
fn round_robin_bound_needs_a_request_in_every_granting_call() {
    let others = [0, 0, 0b0100, 0];
    assert_eq!(grants_in_rhythm("round-robin", &[], &[NORMAL, others], (1, 0)), 0);
    assert_eq!(grants_in_rhythm("round-robin", &[], &[NORMAL], (1, 0)), 250);
}

// The limit of iSLIP: inputs 0 and 1 withdraw their request for output 0 by turns, just when they
// would accept it.
#[test]
fn islip_bound_needs_other_requests_that_stand() {
    let first = [[0, 0b001, 0], [0, 0b010, 0]];
    let turns = [[0b101, 0b010, 0b001], [0b110, 0b001, 0b010]];
    assert_eq!(grants_in_rhythm("islip", &first, &turns, (0, 2)), 0);
    let standing = [[0b111, 0b011, 0b011]];
    assert!(grants_in_rhythm("islip", &first, &standing, (0, 2)) >= 1000 / 9);
}
