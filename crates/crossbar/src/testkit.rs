//! The property kit that every arbiter runs: what the contract of [`Arbiter`] says, and what the
//! arbiter promises beyond it.
//!
//! A new arbiter calls [`check`] in a test with its [`Promise`]; the functions panic with what was
//! broken.

mod random_requests;
mod wait;

pub use random_requests::RandomRequests;

use crate::ports::{has, ports};
use crate::random_draw::stream;
use crate::{Arbiter, Matching, Requests};
use std::fmt::Debug;
use std::ops::RangeInclusive;
use units::PortId;
use units::draw::below;

/// The radices that the kit runs.
pub const RADICES: RangeInclusive<usize> = 1..=16;

/// The calls of one run of the kit at one radix and density of requests.
const CALLS: u64 = 400;

/// The shares of pairs that request, of 16.
const DENSITIES: [u32; 5] = [1, 3, 8, 14, 16];

/// How large the matching is that an arbiter promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A pair at least, where one can be granted. This much every arbiter promises.
    NotEmpty,
    /// No further pair can be added.
    Maximal,
    /// No matching of the requests has more pairs.
    Maximum,
}

/// What an arbiter promises beyond the contract of [`Arbiter`].
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// The size of the matching.
    pub size: Size,
    /// For a number of ports, the most calls that a standing request is refused while all others
    /// come and go at random; `None` if no bound is promised.
    pub longest_wait: Option<fn(usize) -> u32>,
}

/// Runs the whole kit at every radix of [`RADICES`]; `make` builds the arbiter from a number of
/// ports and a seed. Returns the longest wait in calls that was met at each radix.
///
/// # Panics
/// If the contract or the promise is broken.
pub fn check<A>(make: impl Fn(usize, u64) -> A, promise: Promise) -> Vec<u32>
where
    A: Arbiter + Clone + PartialEq + Debug,
{
    RADICES
        .map(|ports| {
            let seed = ports as u64;
            for density in DENSITIES {
                check_contract(make(ports, seed), ports, density, promise.size);
            }
            if promise.size == Size::Maximum {
                check_planted_permutation(make(ports, seed), ports);
            }
            let wait = wait::longest_wait(&make, ports);
            if let Some(bound) = promise.longest_wait {
                assert!(
                    wait <= bound(ports),
                    "{ports} ports: waited {wait} calls, promised {}",
                    bound(ports)
                );
            }
            wait
        })
        .collect()
}

/// A random sequence of calls, a third of them on a matching that an earlier class made, some with
/// nothing to grant; a twin is not called then.
fn check_contract<A: Arbiter + Clone + PartialEq + Debug>(
    mut arbiter: A,
    ports: usize,
    density: u32,
    size: Size,
) {
    let mut twin = arbiter.clone();
    let mut random = RandomRequests::new(ports, density, 77);
    let mut earlier = stream(78);
    let mut matching = Matching::new(ports);
    for call in 0..CALLS {
        random.next(&[]);
        matching.clear();
        if call % 3 == 1 {
            for output in (0..ports).map(PortId::at) {
                let input = PortId(below(&mut earlier, ports as u64) as u8);
                // A refused pair just leaves the output unmatched.
                let _ = matching.grant(output, input);
            }
        }
        if call % 8 == 7 {
            random.inputs_of.fill(0);
        }
        let requests = random.requests();
        let given = matching.clone();
        let state = arbiter.clone();
        arbiter.arbitrate(&requests, &mut matching);
        let context = || {
            format!("{ports} ports, call {call}\n{given:?}\n{:?}\n{matching:?}", requests.inputs_of)
        };
        check_extension(&requests, &given, &matching, &context);
        if requests.grantable_outputs(&given) == 0 {
            assert_eq!(matching, given, "granted where nothing can be: {}", context());
            assert_eq!(
                arbiter,
                state,
                "state changed in a call that can grant nothing: {}",
                context()
            );
        } else {
            assert!(matching.len() > given.len(), "granted nothing: {}", context());
            let mut again = given.clone();
            twin.arbitrate(&requests, &mut again);
            assert_eq!(again, matching, "differs from one that skips idle calls: {}", context());
        }
        if size != Size::NotEmpty {
            assert_eq!(requests.grantable_outputs(&matching), 0, "not maximal: {}", context());
        }
        if size == Size::Maximum && ports <= 5 {
            let most = given.len() + most_pairs(&requests, &given, 0, 0);
            assert_eq!(matching.len(), most, "not maximum: {}", context());
        }
        random.granted(&matching);
    }
}

/// Granted implies requested; one partner at most; the given pairs stay.
fn check_extension(
    requests: &Requests<'_>,
    given: &Matching,
    matching: &Matching,
    context: &dyn Fn() -> String,
) {
    let (mut inputs, mut outputs) = (0_u64, 0_u64);
    for (output, input) in matching.pairs() {
        assert_eq!(
            matching.output_of(input),
            Some(output),
            "the two sides disagree: {}",
            context()
        );
        assert!(
            !has(inputs, input) && !has(outputs, output),
            "a port granted twice: {}",
            context()
        );
        inputs |= 1 << input.0;
        outputs |= 1 << output.0;
        let requested = has(requests.inputs_of[output.index()], input);
        assert!(
            requested || given.input_of(output) == Some(input),
            "granted, not requested: {}",
            context()
        );
    }
    assert_eq!(
        (inputs, outputs),
        (matching.matched_inputs(), matching.matched_outputs()),
        "masks: {}",
        context()
    );
    for (output, input) in given.pairs() {
        assert_eq!(
            matching.input_of(output),
            Some(input),
            "an earlier pair was changed: {}",
            context()
        );
    }
}

/// By trying everything: the most pairs that outputs from `output` on can add, `taken` being inputs
/// taken meanwhile.
fn most_pairs(requests: &Requests<'_>, given: &Matching, output: usize, taken: u64) -> usize {
    if output == requests.inputs_of.len() {
        return 0;
    }
    let unmatched = most_pairs(requests, given, output + 1, taken);
    ports(requests.grantable_to(PortId::at(output), given) & !taken)
        .map(|input| 1 + most_pairs(requests, given, output + 1, taken | 1 << input.0))
        .fold(unmatched, usize::max)
}

/// Requests that hold a full matching, hidden among few others, are fully matched at any radix.
fn check_planted_permutation<A: Arbiter>(mut arbiter: A, ports: usize) {
    let mut random = RandomRequests::new(ports, 2, 79);
    let mut draws = stream(80);
    let mut matching = Matching::new(ports);
    for _ in 0..CALLS {
        let all = u64::MAX >> (64 - ports);
        let (inputs, _) = crate::random_draw::shuffled(&mut draws, all);
        let planted: Vec<(PortId, PortId)> =
            (0..ports).map(|output| (PortId::at(output), inputs[output])).collect();
        random.next(&planted);
        matching.clear();
        arbiter.arbitrate(&random.requests(), &mut matching);
        assert_eq!(matching.len(), ports, "not maximum: {:?}\n{matching:?}", random.inputs_of);
    }
}
