//! Requests made, kept and withdrawn at random; the benches have this file as a module too.

use crossbar::Requests;
use rand_core::SeedableRng;
use units::PortId;
use units::draw::{Stream, below};

/// Random requests whose ages are honest: a pair keeps the call at which its request began until it
/// is granted or withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct RandomRequests {
    ports: usize,
    density: u64,
    stream: Stream,
    call: u64,
    /// For each output, the inputs that request.
    pub(crate) inputs_of: Vec<u64>,
    /// The call at which each request began, at `input * ports + output`.
    ages: Vec<u64>,
}

impl RandomRequests {
    /// For `ports` ports; each pair requests with a probability of `density` / 16.
    pub(crate) fn new(ports: usize, density: u64, seed: u64) -> RandomRequests {
        RandomRequests {
            ports,
            density,
            stream: Stream::seed_from_u64(seed),
            call: 0,
            inputs_of: vec![0; ports],
            ages: vec![0; ports * ports],
        }
    }

    /// Makes the requests of the next call, that of `standing` (output, input) always among them.
    pub(crate) fn next(&mut self, standing: Option<(PortId, PortId)>) {
        self.call += 1;
        for output in 0..self.ports {
            for input in 0..self.ports {
                let persists = standing == Some((PortId::at(output), PortId::at(input)));
                let requests = persists || below(&mut self.stream, 16) < self.density;
                let before = self.inputs_of[output] >> input & 1 == 1;
                if requests && !before {
                    self.ages[input * self.ports + output] = self.call;
                }
                self.inputs_of[output] ^= u64::from(requests != before) << input;
            }
        }
    }

    pub(crate) fn requests(&self) -> Requests<'_> {
        Requests { inputs_of: &self.inputs_of, ages: &self.ages }
    }
}
