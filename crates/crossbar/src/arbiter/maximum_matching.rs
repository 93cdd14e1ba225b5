//! Maximum matching by augmenting paths.

use super::{Arbiter, Requests};
use crate::ports::{pick, port_below, ports, ports_from, shuffled};
use crate::{Matching, PORTS_MAX};
use rand_core::SeedableRng;
use units::PortId;
use units::draw::Stream;

/// As many grants as the requests allow, found by augmenting paths from a random start (spec
/// `rsi.md`, the paper's "arbiter with maximum match logic"; Berge 1957).
///
/// The outputs enter in random order. Each takes a random requesting unmatched input; where there
/// is none, the shortest chain of outputs that can hand on their input is searched, from a random
/// input on; one without a chain stays unmatched. The result is maximum among the ports that an
/// earlier class left. No waiting bound: a pair that precludes a larger matching may lose always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaximumMatching {
    stream: Stream,
    ports: u8,
}

impl MaximumMatching {
    /// For `ports` ports (1 to 64), with the random stream of `seed`.
    pub fn new(ports: usize, seed: u64) -> MaximumMatching {
        MaximumMatching { stream: Stream::seed_from_u64(seed), ports: super::radix(ports) }
    }
}

/// The pairs of this call, which may still change; not those of an earlier class.
struct Tentative {
    /// For each input of `inputs`, its output.
    output_of: [PortId; PORTS_MAX],
    /// For each matched output, its input.
    input_of: [PortId; PORTS_MAX],
    inputs: u64,
}

impl Tentative {
    #[inline]
    fn set(&mut self, output: PortId, input: PortId) {
        self.output_of[input.index()] = output;
        self.input_of[output.index()] = input;
        self.inputs |= 1 << input.0;
    }

    /// Breadth-first search for a chain from `root` to an unmatched input; on success every output
    /// of the chain hands its input to the one before it. `allowed` are the inputs that an earlier
    /// class left.
    fn augment(
        &mut self,
        root: PortId,
        requests: &Requests<'_>,
        allowed: u64,
        ports: u8,
        stream: &mut Stream,
    ) {
        let mut seen = 0_u64; // inputs
        // For each seen input, the output that reached it.
        let mut asked_by = [PortId(0); PORTS_MAX];
        let mut queue = [root; PORTS_MAX];
        let (mut head, mut tail) = (0, 1);
        let from = port_below(stream, ports);
        while head < tail {
            let output = queue[head];
            head += 1;
            let inputs = requests.inputs_of[output.index()] & allowed & !seen;
            if let Some(free) = pick(stream, inputs & !self.inputs) {
                let (mut output, mut input) = (output, free);
                loop {
                    let handed_on = self.input_of[output.index()];
                    self.set(output, input);
                    if output == root {
                        return;
                    }
                    input = handed_on;
                    output = asked_by[input.index()];
                }
            }
            seen |= inputs;
            for input in ports_from(inputs, from) {
                asked_by[input.index()] = output;
                queue[tail] = self.output_of[input.index()];
                tail += 1;
            }
        }
    }
}

impl Arbiter for MaximumMatching {
    #[inline]
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        let allowed = !matching.matched_inputs();
        let mut pairs = Tentative {
            output_of: [PortId(0); PORTS_MAX],
            input_of: [PortId(0); PORTS_MAX],
            inputs: 0,
        };
        let (order, len) = shuffled(&mut self.stream, requests.grantable_outputs(matching));
        for &output in &order[..len] {
            let free = requests.inputs_of[output.index()] & allowed & !pairs.inputs;
            match pick(&mut self.stream, free) {
                Some(input) => pairs.set(output, input),
                None => pairs.augment(output, requests, allowed, self.ports, &mut self.stream),
            }
        }
        for input in ports(pairs.inputs) {
            matching.grant_free(pairs.output_of[input.index()], input);
        }
    }
}
