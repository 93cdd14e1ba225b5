//! Grant shares of iSLIP, pinned (spec switch.md: "a test pins the grant shares").

use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching, Requests};

/// Grants of each pair, `[output][input]`, in `calls` equal calls after `skipped` ones.
fn grants(iterations: u8, inputs_of: &[u64], skipped: u32, calls: u32) -> Vec<Vec<u32>> {
    let ports = inputs_of.len();
    let mut arbiter = AnyArbiter::new(ArbiterKind::Islip { iterations }, ports, 0).unwrap();
    let mut counts = vec![vec![0; ports]; ports];
    let mut matching = Matching::new(ports);
    for call in 0..skipped + calls {
        matching.clear();
        arbiter.arbitrate(&Requests { inputs_of, ages: &[] }, &mut matching);
        if call >= skipped {
            for (output, input) in matching.pairs() {
                counts[output.index()][input.index()] += 1;
            }
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
        let expected = vec![vec![10; ports]; ports];
        assert_eq!(grants(1, &all, ports as u32, 10 * ports as u32), expected, "{ports} ports");
    }
}

// Unbalanced: input 0 requests all outputs, input 1 0 and 1, input 2 0, input 3 0 and 3.
const UNBALANCED: [u64; 4] = [0b1111, 0b0011, 0b0001, 0b1001];

// Output 0 serves its four inputs in turn, input 0 its four outputs; one iteration loses the rest.
#[test]
fn shares_of_unbalanced_requests_are_pinned() {
    let one_iteration =
        [[3000, 3000, 3000, 3000], [3000, 3000, 0, 0], [3000, 0, 0, 0], [3000, 0, 0, 2999]];
    assert_eq!(grants(1, &UNBALANCED, 0, 12_000), one_iteration);
}

// Further iterations fill in what is left over, and take nothing from anyone.
#[test]
fn shares_with_four_iterations_are_pinned() {
    let four_iterations =
        [[3000, 3000, 3000, 3000], [3000, 9000, 0, 0], [3000, 0, 0, 0], [3000, 0, 0, 9000]];
    assert_eq!(grants(4, &UNBALANCED, 0, 12_000), four_iterations);
}
