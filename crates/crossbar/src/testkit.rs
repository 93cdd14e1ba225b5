//! The property kit that every arbiter runs: what the contract of [`Arbiter`] says, and what the
//! arbiter promises beyond it.
//!
//! A new arbiter calls [`check`] in a test with its [`Promise`]; the functions panic with what was
//! broken.

use crate::random_draw::{Stream, below, stream};
use crate::{Arbiter, Matching, Requests, WaitMeter};
use std::fmt::Debug;
use std::ops::RangeInclusive;

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
            let wait = longest_wait(&make, ports);
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

/// Random requests whose ages are honest: a pair keeps the call at which its request began until it
/// is granted or withdrawn.
#[derive(Clone, Debug)]
pub struct RandomRequests {
    ports: usize,
    density: u32,
    stream: Stream,
    call: u64,
    /// For each output, the inputs that request.
    pub inputs_of: Vec<u64>,
    /// The call at which each request began, at `input * ports + output`.
    pub ages: Vec<u64>,
}

impl RandomRequests {
    /// For `ports` ports; each pair requests with a probability of `density` / 16.
    pub fn new(ports: usize, density: u32, seed: u64) -> RandomRequests {
        RandomRequests {
            ports,
            density,
            stream: stream(seed),
            call: 0,
            inputs_of: vec![0; ports],
            ages: vec![0; ports * ports],
        }
    }

    /// Makes the requests of the next call, in which those of `standing` (output, input) surely
    /// request.
    pub fn next(&mut self, standing: &[(u8, u8)]) {
        self.call += 1;
        for output in 0..self.ports {
            for input in 0..self.ports {
                let stands = standing.contains(&(output as u8, input as u8));
                let requests = stands || below(&mut self.stream, 16) < self.density;
                let before = self.inputs_of[output] >> input & 1 == 1;
                if requests && !before {
                    self.ages[input * self.ports + output] = self.call;
                }
                self.inputs_of[output] =
                    self.inputs_of[output] & !(1 << input) | u64::from(requests) << input;
            }
        }
    }

    /// Forgets the requests that were granted; the pair may request anew, with a new age.
    pub fn granted(&mut self, matching: &Matching) {
        for (output, input) in matching.pairs() {
            self.inputs_of[usize::from(output)] &= !(1 << input);
        }
    }

    /// The requests as an arbiter reads them.
    pub fn requests(&self) -> Requests<'_> {
        Requests {
            inputs_of: &self.inputs_of,
            ages: &self.ages,
        }
    }
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
            for output in 0..ports as u8 {
                let input = below(&mut earlier, ports as u32) as u8;
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
            format!(
                "{ports} ports, call {call}\n{given:?}\n{:?}\n{matching:?}",
                requests.inputs_of
            )
        };
        check_extension(&requests, &given, &matching, &context);
        if requests.grantable_outputs(&given) == 0 {
            assert_eq!(
                matching,
                given,
                "granted where nothing can be: {}",
                context()
            );
            assert_eq!(
                arbiter,
                state,
                "state changed in a call that can grant nothing: {}",
                context()
            );
        } else {
            assert!(
                matching.len() > given.len(),
                "granted nothing: {}",
                context()
            );
            let mut again = given.clone();
            twin.arbitrate(&requests, &mut again);
            assert_eq!(
                again,
                matching,
                "differs from one that skips idle calls: {}",
                context()
            );
        }
        if size != Size::NotEmpty {
            assert_eq!(
                requests.grantable_outputs(&matching),
                0,
                "not maximal: {}",
                context()
            );
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
            (inputs >> input | outputs >> output) & 1 == 0,
            "a port granted twice: {}",
            context()
        );
        inputs |= 1 << input;
        outputs |= 1 << output;
        let requested = requests.inputs_of[usize::from(output)] >> input & 1 == 1;
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
fn most_pairs(requests: &Requests<'_>, given: &Matching, output: u8, taken: u64) -> usize {
    if usize::from(output) == requests.inputs_of.len() {
        return 0;
    }
    let unmatched = most_pairs(requests, given, output + 1, taken);
    crate::pick::bits(requests.grantable_to(output, given) & !taken)
        .map(|input| 1 + most_pairs(requests, given, output + 1, taken | 1 << input))
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
        let planted: Vec<(u8, u8)> = (0..ports as u8)
            .map(|output| (output, inputs[usize::from(output)]))
            .collect();
        random.next(&planted);
        matching.clear();
        arbiter.arbitrate(&random.requests(), &mut matching);
        assert_eq!(
            matching.len(),
            ports,
            "not maximum: {:?}\n{matching:?}",
            random.inputs_of
        );
    }
}

/// The longest wait of a standing request while all others come and go, over densities and some
/// pairs.
fn longest_wait<A: Arbiter>(make: &impl Fn(usize, u64) -> A, ports: usize) -> u32 {
    let last = ports as u8 - 1;
    let mut longest = 0;
    for density in DENSITIES {
        for standing in [(0, 0), (last, 0), (0, last), (last / 2, last)] {
            let mut arbiter = make(ports, 81);
            let mut random = RandomRequests::new(ports, density, 82);
            let mut matching = Matching::new(ports);
            let mut meter = WaitMeter::new(ports);
            for _ in 0..CALLS {
                random.next(&[standing]);
                matching.clear();
                arbiter.arbitrate(&random.requests(), &mut matching);
                meter.record(&random.requests(), &matching);
                random.granted(&matching);
            }
            let (output, input) = standing;
            longest = longest.max(meter.longest_of(input, output));
        }
    }
    longest
}
