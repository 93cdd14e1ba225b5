//! Every request pattern of a 3x3 crossbar over two cycles (262,144 cases) for each deterministic
//! arbiter, against plain models of the same rules that share no code with them but the matching.

use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use units::PortId;

const PORTS: usize = 3;
const PATTERNS: u64 = 1 << (PORTS * PORTS);

/// Ports from one on, cyclic.
fn from(pointer: usize) -> impl Iterator<Item = usize> {
    (0..PORTS).map(move |step| (pointer + step) % PORTS)
}

fn requests(requests: &Requests<'_>, input: usize, output: usize) -> bool {
    requests.inputs_of[output] >> input & 1 == 1
}

#[derive(Clone, Default)]
struct PlainRoundRobin {
    start: usize,
    pointer: [usize; PORTS],
}

impl Arbiter for PlainRoundRobin {
    fn arbitrate(&mut self, asked: &Requests<'_>, matching: &mut Matching) {
        for output in from(self.start) {
            let mut passed_over = false;
            for input in from(self.pointer[output]).filter(|&i| requests(asked, i, output)) {
                if matching.grant(PortId::at(output), PortId::at(input)).is_err() {
                    passed_over = true;
                    continue;
                }
                if !passed_over {
                    self.pointer[output] = (input + 1) % PORTS;
                }
                break;
            }
        }
        self.start = (self.start + usize::from(!matching.is_empty())) % PORTS;
    }
}

#[derive(Clone, Default)]
struct PlainIslip {
    iterations: usize,
    grant: [usize; PORTS],
    accept: [usize; PORTS],
}

impl Arbiter for PlainIslip {
    fn arbitrate(&mut self, asked: &Requests<'_>, matching: &mut Matching) {
        for iteration in 0..self.iterations {
            let is_free = |input: usize, output: usize| {
                matching.input_of(PortId::at(output)).is_none()
                    && matching.output_of(PortId::at(input)).is_none()
            };
            let granted: [Option<usize>; PORTS] = std::array::from_fn(|output| {
                from(self.grant[output])
                    .find(|&input| requests(asked, input, output) && is_free(input, output))
            });
            for input in 0..PORTS {
                let accepts = |&output: &usize| granted[output] == Some(input);
                let Some(output) = from(self.accept[input]).find(accepts) else { continue };
                matching.grant(PortId::at(output), PortId::at(input)).expect("both are free");
                if iteration == 0 {
                    self.grant[output] = (input + 1) % PORTS;
                    self.accept[input] = (output + 1) % PORTS;
                }
            }
        }
    }
}

#[derive(Clone)]
struct PlainOldestFirst;

impl Arbiter for PlainOldestFirst {
    fn arbitrate(&mut self, asked: &Requests<'_>, matching: &mut Matching) {
        let pairs = (0..PORTS).flat_map(|input| (0..PORTS).map(move |output| (input, output)));
        let mut pairs: Vec<_> = pairs.filter(|&(i, o)| requests(asked, i, o)).collect();
        pairs.sort_by_key(|&(input, output)| asked.ages[input * PORTS + output]);
        for (input, output) in pairs {
            // Refused where one of them has a partner.
            let _ = matching.grant(PortId::at(output), PortId::at(input));
        }
    }
}

fn check_every_pair_of_patterns(name: &str, plain: impl Arbiter + Clone) {
    let masks = |number: u64| [0, 3, 6].map(|low| number >> low & 0b111);
    let step = |arbiter: &mut AnyArbiter, plain: &mut dyn Arbiter, number, ages: &[u64]| {
        let asked = Requests { inputs_of: &masks(number), ages };
        let (mut matching, mut expected) = (Matching::new(PORTS), Matching::new(PORTS));
        arbiter.arbitrate(&asked, &mut matching);
        plain.arbitrate(&asked, &mut expected);
        assert_eq!(matching, expected, "{name}: {asked:?}");
        matching
    };
    let arbiter = AnyArbiter::new(name.parse().unwrap(), PORTS, 0).unwrap();
    for first in 0..PATTERNS {
        let (mut arbiter, mut plain) = (arbiter.clone(), plain.clone());
        let granted = step(&mut arbiter, &mut plain, first, &[1; PORTS * PORTS]);
        // A request that was refused keeps its age, another one is of this cycle.
        let ages: [u64; PORTS * PORTS] = std::array::from_fn(|at| {
            let (input, output) = (at / PORTS, at % PORTS);
            let asked = masks(first)[output] >> input & 1 == 1;
            let refused = granted.input_of(PortId::at(output)) != Some(PortId::at(input));
            u64::from(!(asked && refused))
        });
        for second in 0..PATTERNS {
            step(&mut arbiter.clone(), &mut plain.clone(), second, &ages);
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
        let plain = PlainIslip { iterations, ..PlainIslip::default() };
        check_every_pair_of_patterns(&format!("islip({iterations})"), plain);
    }
}

// "repeatedly the oldest request (tie: lowest input, then lowest output)"
#[test]
fn oldest_first_equals_the_plain_model() {
    check_every_pair_of_patterns("oldest-first", PlainOldestFirst);
}
