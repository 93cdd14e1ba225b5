//! The property kit that every arbiter runs: the contract of [`Arbiter`], and what the
//! arbiter promises beyond it.

use crate::random_requests::RandomRequests;
use crossbar::{AnyArbiter, Arbiter, Matching, PORTS_MAX, Requests};
use rand_core::SeedableRng;
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

/// Runs the whole kit at 1 to 16 ports; `make` builds the arbiter from a number of ports and a
/// seed. `most`: for a number of ports, the most calls that a standing request is refused while all
/// others come and go at random; `None` if no bound is promised. The longest wait in calls that was
/// met at each radix.
pub(crate) fn check(
    make: impl Fn(usize, u64) -> AnyArbiter,
    size: Size,
    most: Option<fn(usize) -> u32>,
) -> Vec<u32> {
    let of_radix = |ports: usize| {
        let seed = ports as u64;
        for density in DENSITIES {
            check_contract(make(ports, seed), ports, density, size);
        }
        let wait = longest_wait(&make, ports);
        if let Some(bound) = most.map(|most| most(ports)) {
            assert!(wait <= bound, "{ports} ports: waited {wait} calls, promised {bound}");
        }
        wait
    };
    (1..=16).map(of_radix).collect()
}

/// A random sequence of calls, a third of them on a matching that an earlier class made, some with
/// nothing to grant; a twin is not called then.
fn check_contract(mut arbiter: AnyArbiter, ports: usize, density: u64, size: Size) {
    let mut twin = arbiter.clone();
    let mut random = RandomRequests::new(ports, density, 77);
    let mut earlier = Stream::seed_from_u64(78);
    let mut matching = Matching::new(ports);
    for call in 0..CALLS {
        random.next(None);
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
        let most = given.len() + most_pairs(&requests, &given);
        must(size != Size::Maximum || matching.len() == most, "not maximum");
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

/// The most pairs that can be added, by augmenting paths.
fn most_pairs(requests: &Requests<'_>, given: &Matching) -> usize {
    let mut partners = [None; PORTS_MAX];
    let outputs = (0..requests.inputs_of.len()).map(PortId::at);
    outputs.filter(|&output| augments(requests, given, output, &mut 0, &mut partners)).count()
}

/// Whether an output gets an input that none has, or one that its partner does without; `seen`
/// have been asked.
fn augments(
    requests: &Requests<'_>,
    given: &Matching,
    output: PortId,
    seen: &mut u64,
    partners: &mut [Option<PortId>; PORTS_MAX],
) -> bool {
    ones(requests.grantable_to(output, given)).any(|input| {
        let is_new = *seen >> input & 1 == 0;
        *seen |= 1 << input;
        let gets = is_new
            && partners[input].is_none_or(|other| augments(requests, given, other, seen, partners));
        if gets {
            partners[input] = Some(output);
        }
        gets
    })
}

/// The longest wait of a standing request among random others, over densities and some pairs.
fn longest_wait(make: &impl Fn(usize, u64) -> AnyArbiter, ports: usize) -> u32 {
    let (first, last) = (PortId(0), PortId::at(ports - 1));
    let pairs = [(first, first), (last, first), (first, last), (PortId(last.0 / 2), last)];
    let mut longest = 0;
    for (density, standing) in DENSITIES.into_iter().flat_map(|d| pairs.map(|pair| (d, pair))) {
        let mut arbiter = make(ports, 81);
        let mut random = RandomRequests::new(ports, density, 82);
        let mut matching = Matching::new(ports);
        let mut waited = 0;
        for _ in 0..CALLS {
            random.next(Some(standing));
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
