//! The property kit finds arbiters that break the contract.

use crossbar::testkit::{Promise, Size, check};
use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching, Requests};
use units::PortId;

/// What a wrong arbiter does first: with a state of its own, and the matching.
type First = fn(&mut u32, &mut Matching);

/// Does something wrong, then arbitrates as round robin does.
#[derive(Clone, Debug)]
struct Wrong {
    first: First,
    state: u32,
    then: AnyArbiter,
}

/// By state.
impl PartialEq for Wrong {
    fn eq(&self, other: &Wrong) -> bool {
        (self.state, &self.then) == (other.state, &other.then)
    }
}

impl Arbiter for Wrong {
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        (self.first)(&mut self.state, matching);
        self.then.arbitrate(requests, matching);
    }
}

fn check_wrong(first: First) {
    let promise = Promise { size: Size::NotEmpty, longest_wait: None };
    let make = |ports, seed| Wrong {
        first,
        state: 0,
        then: AnyArbiter::new(ArbiterKind::RoundRobin, ports, seed).unwrap(),
    };
    check(make, promise);
}

// "A granted pair has requested"
#[test]
#[should_panic(expected = "granted, not requested")]
fn grant_without_a_request_is_found() {
    check_wrong(|_, matching| _ = matching.grant(PortId(0), PortId(0)));
}

// "The matching given is extended: pairs in it stay"
#[test]
#[should_panic(expected = "an earlier pair was changed")]
fn change_of_an_earlier_pair_is_found() {
    check_wrong(|_, matching| matching.clear());
}

// "A call in which nothing can be granted changes no state"
#[test]
#[should_panic(expected = "state changed in a call that can grant nothing")]
fn change_of_state_in_an_idle_call_is_found() {
    check_wrong(|state, _| *state += 1);
}
