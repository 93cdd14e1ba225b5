//! Requests that come, stand and go at random.

use crate::ports::has;
use crate::random_draw::stream;
use crate::{Matching, Requests};
use units::PortId;
use units::draw::{Stream, below};

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
    pub fn next(&mut self, standing: &[(PortId, PortId)]) {
        self.call += 1;
        for output in 0..self.ports {
            for input in 0..self.ports {
                let stands = standing.contains(&(PortId::at(output), PortId::at(input)));
                let requests = stands || below(&mut self.stream, 16) < u64::from(self.density);
                let before = has(self.inputs_of[output], PortId::at(input));
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
            self.inputs_of[output.index()] &= !(1 << input.0);
        }
    }

    /// The requests as an arbiter reads them.
    pub fn requests(&self) -> Requests<'_> {
        Requests { inputs_of: &self.inputs_of, ages: &self.ages }
    }
}
