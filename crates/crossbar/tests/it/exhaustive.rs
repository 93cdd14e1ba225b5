//! Every request pattern of a 3x3 crossbar over two cycles (262,144 cases) for each deterministic
//! arbiter, against plain models of the same rules that share no code with them.

use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use units::PortId;

const PORTS: usize = 3;
const PATTERNS: u32 = 1 << (PORTS * PORTS);

type Pattern = [[bool; PORTS]; PORTS]; // [output][input]
type Grants = [Option<usize>; PORTS]; // of each output

/// A plain model: grants for a pattern, `ages[input][output]`.
trait Model: Clone {
    fn grants(&mut self, pattern: &Pattern, ages: &[[u64; PORTS]; PORTS]) -> Grants;
}

#[derive(Clone, Default)]
struct PlainRoundRobin {
    start: usize,
    pointer: [usize; PORTS],
}

impl Model for PlainRoundRobin {
    fn grants(&mut self, pattern: &Pattern, _: &[[u64; PORTS]; PORTS]) -> Grants {
        let mut grants = [None; PORTS];
        for step in 0..PORTS {
            let output = (self.start + step) % PORTS;
            let mut passed_over = false;
            for step in 0..PORTS {
                let input = (self.pointer[output] + step) % PORTS;
                if !pattern[output][input] {
                    continue;
                }
                if grants.contains(&Some(input)) {
                    passed_over = true;
                    continue;
                }
                grants[output] = Some(input);
                if !passed_over {
                    self.pointer[output] = (input + 1) % PORTS;
                }
                break;
            }
        }
        if grants.iter().any(Option::is_some) {
            self.start = (self.start + 1) % PORTS;
        }
        grants
    }
}

#[derive(Clone, Default)]
struct PlainIslip {
    iterations: usize,
    grant: [usize; PORTS],
    accept: [usize; PORTS],
}

impl Model for PlainIslip {
    fn grants(&mut self, pattern: &Pattern, _: &[[u64; PORTS]; PORTS]) -> Grants {
        let mut grants: Grants = [None; PORTS];
        for iteration in 0..self.iterations {
            let matched = grants;
            let granted: Grants = std::array::from_fn(|output| {
                (0..PORTS).map(|step| (self.grant[output] + step) % PORTS).find(|&input| {
                    matched[output].is_none()
                        && pattern[output][input]
                        && !matched.contains(&Some(input))
                })
            });
            for input in 0..PORTS {
                let accepted = (0..PORTS)
                    .map(|step| (self.accept[input] + step) % PORTS)
                    .find(|&output| granted[output] == Some(input));
                if let Some(output) = accepted {
                    grants[output] = Some(input);
                    if iteration == 0 {
                        self.grant[output] = (input + 1) % PORTS;
                        self.accept[input] = (output + 1) % PORTS;
                    }
                }
            }
        }
        grants
    }
}

#[derive(Clone)]
struct PlainOldestFirst;

impl Model for PlainOldestFirst {
    fn grants(&mut self, pattern: &Pattern, ages: &[[u64; PORTS]; PORTS]) -> Grants {
        let mut requests: Vec<(u64, usize, usize)> = Vec::new();
        for (output, inputs) in pattern.iter().enumerate() {
            for input in (0..PORTS).filter(|&input| inputs[input]) {
                requests.push((ages[input][output], input, output));
            }
        }
        requests.sort_unstable();
        let mut grants = [None; PORTS];
        for (_, input, output) in requests {
            if grants[output].is_none() && !grants.contains(&Some(input)) {
                grants[output] = Some(input);
            }
        }
        grants
    }
}

fn pattern_of(number: u32) -> Pattern {
    std::array::from_fn(|output| {
        std::array::from_fn(|input| number >> (output * PORTS + input) & 1 == 1)
    })
}

/// One cycle of both; a request that was refused keeps its age, another one is of this cycle.
fn step<M: Model>(
    arbiter: &mut AnyArbiter,
    model: &mut M,
    number: u32,
    before: Option<(u32, &Grants)>,
    context: &str,
) -> Grants {
    let pattern = pattern_of(number);
    let mut ages = [[1_u64; PORTS]; PORTS];
    if let Some((number_before, grants_before)) = before {
        let pattern_before = pattern_of(number_before);
        for input in 0..PORTS {
            for output in 0..PORTS {
                let refused = pattern_before[output][input] && grants_before[output] != Some(input);
                ages[input][output] = u64::from(!refused);
            }
        }
    }
    let masks: Vec<u64> =
        (0..PORTS).map(|output| u64::from(number >> (output * PORTS) & 0b111)).collect();
    let mut matching = Matching::new(PORTS);
    arbiter.arbitrate(&Requests { inputs_of: &masks, ages: ages.as_flattened() }, &mut matching);
    let granted: Grants =
        std::array::from_fn(|output| matching.input_of(PortId::at(output)).map(PortId::index));
    assert_eq!(
        granted,
        model.grants(&pattern, &ages),
        "{context}: pattern {number:09b} after {before:?}"
    );
    granted
}

fn check_every_pair_of_patterns<M: Model>(name: &str, model: M) {
    let arbiter = AnyArbiter::new(name.parse().unwrap(), PORTS, 0).unwrap();
    for first in 0..PATTERNS {
        let (mut arbiter, mut model) = (arbiter.clone(), model.clone());
        let granted = step(&mut arbiter, &mut model, first, None, name);
        for second in 0..PATTERNS {
            let (mut arbiter, mut model) = (arbiter.clone(), model.clone());
            step(&mut arbiter, &mut model, second, Some((first, &granted)), name);
        }
    }
}

// "outputs are visited starting from a rotating start output; each takes the first requesting,
// still unmatched input at or after its pointer; the pointer moves one past it, but only if no
// requesting yet taken input was skipped"
#[test]
fn round_robin_equals_the_plain_model() {
    check_every_pair_of_patterns("round-robin", PlainRoundRobin::default());
}

// "In iSLIP the pointer moves one past the *accepted* input and only in the first iteration"
// (switch.md)
#[test]
fn islip_equals_the_plain_model() {
    for iterations in 1..=3 {
        let model = PlainIslip { iterations, ..PlainIslip::default() };
        check_every_pair_of_patterns(&format!("islip({iterations})"), model);
    }
}

// "repeatedly the oldest request (tie: lowest input, then lowest output)"
#[test]
fn oldest_first_equals_the_plain_model() {
    check_every_pair_of_patterns("oldest-first", PlainOldestFirst);
}
