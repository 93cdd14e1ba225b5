//! Every arbiter runs the property kit at every radix from 1 to 16.

use crate::kit::{Size, check};
use crate::random_requests::RandomRequests;
use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching, Requests};
use units::PortId;

fn run(name: &str, size: Size, most: Option<fn(usize) -> u32>) -> Vec<u32> {
    let kind: ArbiterKind = name.parse().unwrap();
    let waits = check(|ports, seed| AnyArbiter::new(kind, ports, seed).unwrap(), size, most);
    println!("{name}: longest wait in calls at 1 to 16 ports: {waits:?}");
    waits
}

fn square(ports: usize) -> u32 {
    (ports * ports) as u32
}

// "Within a class: round robin over inputs per output" (switch.md); a request waits less than ports
// * ports calls. So it does with `oldest-first`: only requests that are not younger go first, at
// most one for each other pair.
#[test]
fn round_robin_and_oldest_first_keep_their_promise() {
    run("round-robin", Size::Maximal, Some(|ports| square(ports) - 1));
    run("oldest-first", Size::Maximal, Some(|ports| square(ports) - 1));
}

// "no connection is starved" (McKeown 1999): each pointer moves on after at most `ports` calls,
// over at most `ports` inputs. With as many iterations as ports the matching is maximal.
#[test]
fn islip_keeps_its_promise() {
    run("islip", Size::NotEmpty, Some(square));
    run("islip(4)", Size::NotEmpty, Some(square));
    run("islip(16)", Size::Maximal, Some(square));
}

// "maximum-matching (from a random start; no waiting bound is promised, so report the longest
// wait)" (rsi.md)
#[test]
fn random_arbiters_report_their_longest_wait() {
    assert!(run("random", Size::Maximal, None)[15] > 0);
    assert!(run("maximum-matching", Size::Maximum, None)[15] > 0);
}

// Results must not depend on anything but the seed.
#[test]
fn same_seed_gives_the_same_grants() {
    for kind in [ArbiterKind::Random, ArbiterKind::MaximumMatching] {
        let grants = |seed| {
            let mut arbiter = AnyArbiter::new(kind, 8, seed).unwrap();
            let mut random = RandomRequests::new(8, 8, 5);
            let mut granted = Vec::new();
            for _ in 0..100 {
                random.next(None);
                let mut matching = Matching::new(8);
                arbiter.arbitrate(&random.requests(), &mut matching);
                granted.extend(matching.pairs());
            }
            granted
        };
        assert_eq!(grants(1), grants(1));
        assert_ne!(grants(1), grants(2), "{kind} does not use its seed");
    }
}

// "The input that `arbitrate` would grant `output` if that were the only one requested ...; state
// moves on as there. `None`, and nothing changes, if the arbiter has no shorter way for it."
#[test]
fn shorter_way_of_one_output_grants_alike() {
    for &kind in ArbiterKind::ALL {
        let mut short = AnyArbiter::new(kind, 4, 1).unwrap();
        let mut long = short.clone();
        for call in 0..100_u64 {
            let (output, inputs) = (PortId((call % 4) as u8), 1 + call * 7 % 15);
            let mut inputs_of = [0; 4];
            inputs_of[output.index()] = inputs;
            let ages = [0; 16];
            let requests = Requests { inputs_of: &inputs_of, ages: &ages };
            let before = short.clone();
            let Some(input) = short.grant_one(output, inputs) else {
                assert_eq!(short, before, "{kind}");
                break;
            };
            let mut matching = Matching::new(4);
            long.arbitrate(&requests, &mut matching);
            assert_eq!(matching.input_of(output), Some(input), "{kind}");
            assert_eq!(short, long, "{kind}");
        }
    }
}
