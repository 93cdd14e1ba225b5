//! The property kit that every arbiter runs: the contract of [`Arbiter`], and what the
//! arbiter promises beyond it.

use crate::random_requests::RandomRequests;
use crossbar::{AnyArbiter, Arbiter, ArbiterKind, Matching, Requests};
use rand_core::SeedableRng;
use std::fmt::Debug;
use units::PortId;
use units::bits::ones;
use units::draw::{Stream, below};

/// The calls of one run of the kit at one radix and density of requests.
const CALLS: u64 = 400;

/// The shares of pairs that request, of 16.
const DENSITIES: [u64; 5] = [1, 3, 8, 14, 16];

/// How large the matching is that an arbiter promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A pair at least, where one can be granted. This much every arbiter promises.
    NotEmpty,
    /// No further pair can be added.
    Maximal,
    /// No matching of the requests has more pairs.
    Maximum,
}

/// What an arbiter promises beyond the contract of [`Arbiter`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) size: Size,
    /// For a number of ports, the most calls that a standing request is refused while all others
    /// come and go at random; `None` if no bound is promised.
    pub(crate) longest_wait: Option<fn(usize) -> u32>,
}

/// Runs the whole kit at 1 to 16 ports; `make` builds the arbiter from a number of ports and a
/// seed. The longest wait in calls that was met at each radix.
pub(crate) fn check<A>(make: impl Fn(usize, u64) -> A, promise: Promise) -> Vec<u32>
where
    A: Arbiter + Clone + PartialEq + Debug,
{
    let of_radix = |ports: usize| {
        let seed = ports as u64;
        for density in DENSITIES {
            check_contract(make(ports, seed), ports, density, promise.size);
        }
        if promise.size == Size::Maximum {
            check_planted_permutation(make(ports, seed), ports);
        }
        let wait = longest_wait(&make, ports);
        if let Some(bound) = promise.longest_wait.map(|bound| bound(ports)) {
            assert!(wait <= bound, "{ports} ports: waited {wait} calls, promised {bound}");
        }
        wait
    };
    (1..=16).map(of_radix).collect()
}

/// A random sequence of calls, a third of them on a matching that an earlier class made, some with
/// nothing to grant; a twin is not called then.
fn check_contract<A: Arbiter + Clone + PartialEq + Debug>(
    mut arbiter: A,
    ports: usize,
    density: u64,
    size: Size,
) {
    let mut twin = arbiter.clone();
    let mut random = RandomRequests::new(ports, density, 77);
    let mut earlier = Stream::seed_from_u64(78);
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
        let must = |holds: bool, what: &str| {
            let asked = requests.inputs_of;
            assert!(
                holds,
                "{what}: {ports} ports, call {call}\n{given:?}\n{asked:?}\n{matching:?}"
            );
        };
        check_extension(&requests, &given, &matching, must);
        if requests.grantable_outputs(&given) == 0 {
            must(matching == given, "granted where nothing can be");
            must(arbiter == state, "state changed in a call that can grant nothing");
        } else {
            must(matching.len() > given.len(), "granted nothing");
            let mut again = given.clone();
            twin.arbitrate(&requests, &mut again);
            must(again == matching, "differs from one that skips idle calls");
        }
        let is_maximal = requests.grantable_outputs(&matching) == 0;
        must(size == Size::NotEmpty || is_maximal, "not maximal");
        if size == Size::Maximum && ports <= 5 {
            let most = given.len() + most_pairs(&requests, &given, 0, 0);
            must(matching.len() == most, "not maximum");
        }
        granted(&mut random, &matching);
    }
}

/// Forgets the requests that were granted; the pair may request anew, with a new age.
fn granted(random: &mut RandomRequests, matching: &Matching) {
    for (output, input) in matching.pairs() {
        random.inputs_of[output.index()] &= !(1 << input.0);
    }
}

/// Granted implies requested; one partner at most; the given pairs stay.
fn check_extension(
    requests: &Requests<'_>,
    given: &Matching,
    matching: &Matching,
    must: impl Fn(bool, &str),
) {
    let (mut inputs, mut outputs) = (0_u64, 0_u64);
    for (output, input) in matching.pairs() {
        must(matching.output_of(input) == Some(output), "the two sides disagree");
        must(inputs >> input.0 & 1 == 0 && outputs >> output.0 & 1 == 0, "a port granted twice");
        inputs |= 1 << input.0;
        outputs |= 1 << output.0;
        let requested = requests.inputs_of[output.index()] >> input.0 & 1 == 1;
        must(requested || given.input_of(output) == Some(input), "granted, not requested");
    }
    must((inputs, outputs) == (matching.matched_inputs(), matching.matched_outputs()), "masks");
    for (output, input) in given.pairs() {
        must(matching.input_of(output) == Some(input), "an earlier pair was changed");
    }
}

/// Exhaustively: the most pairs that outputs from `output` on can add beside inputs `taken`.
fn most_pairs(requests: &Requests<'_>, given: &Matching, output: usize, taken: u64) -> usize {
    if output == requests.inputs_of.len() {
        return 0;
    }
    let unmatched = most_pairs(requests, given, output + 1, taken);
    ones(requests.grantable_to(PortId::at(output), given) & !taken)
        .map(|input| 1 + most_pairs(requests, given, output + 1, taken | 1 << input))
        .fold(unmatched, usize::max)
}

/// Requests that hold a full matching, hidden among few others, are fully matched at any radix.
fn check_planted_permutation<A: Arbiter>(mut arbiter: A, ports: usize) {
    let mut random = RandomRequests::new(ports, 2, 79);
    let mut draws = Stream::seed_from_u64(80);
    let mut matching = Matching::new(ports);
    let mut planted: Vec<_> = (0..ports).map(|port| (PortId::at(port), PortId::at(port))).collect();
    for _ in 0..CALLS {
        for last in (1..ports).rev() {
            let other = below(&mut draws, last as u64 + 1) as usize;
            (planted[last].1, planted[other].1) = (planted[other].1, planted[last].1);
        }
        random.next(&planted);
        matching.clear();
        arbiter.arbitrate(&random.requests(), &mut matching);
        assert_eq!(matching.len(), ports, "not maximum: {:?}\n{matching:?}", random.inputs_of);
    }
}

/// The longest wait of a standing request among random others, over densities and some pairs.
fn longest_wait<A: Arbiter>(make: &impl Fn(usize, u64) -> A, ports: usize) -> u32 {
    let (first, last) = (PortId(0), PortId::at(ports - 1));
    let pairs = [(first, first), (last, first), (first, last), (PortId(last.0 / 2), last)];
    let mut longest = 0;
    for (density, standing) in DENSITIES.into_iter().flat_map(|d| pairs.map(|pair| (d, pair))) {
        let mut arbiter = make(ports, 81);
        let mut random = RandomRequests::new(ports, density, 82);
        let mut matching = Matching::new(ports);
        let mut waited = 0;
        for _ in 0..CALLS {
            random.next(&[standing]);
            matching.clear();
            arbiter.arbitrate(&random.requests(), &mut matching);
            let (output, input) = standing;
            waited = if matching.input_of(output) == Some(input) { 0 } else { waited + 1 };
            longest = longest.max(waited);
            granted(&mut random, &matching);
        }
    }
    longest
}

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

// "A granted pair has requested"; "the matching given is extended: pairs in it stay"; "a call in
// which nothing can be granted changes no state".
#[test]
fn the_kit_finds_arbiters_that_break_the_contract() {
    let wrong: [(First, &str); 3] = [
        (|_, matching| _ = matching.grant(PortId(0), PortId(0)), "granted, not requested"),
        (|_, matching| matching.clear(), "an earlier pair was changed"),
        (|state, _| *state += 1, "state changed in a call that can grant nothing"),
    ];
    for (first, expected) in wrong {
        let make = |ports, seed| {
            let then = AnyArbiter::new(ArbiterKind::RoundRobin, ports, seed).unwrap();
            Wrong { first, state: 0, then }
        };
        let run = || check(make, Promise { size: Size::NotEmpty, longest_wait: None });
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
        let text = panic.downcast::<String>().expect("a formatted panic");
        assert!(text.starts_with(expected), "{text}");
    }
}
