//! Round robin over inputs per output.

use super::{Arbiter, Grantable, Requests, one_past};
use crate::ports::{first_port, ports_from};
use crate::{Matching, PORTS_MAX};
use units::PortId;

/// Round robin over inputs per output (spec `switch.md`: the default; decision 0009).
///
/// Outputs choose one after the other, from a start output that moves on by one after each call
/// that granted something. Each takes the first requesting input at or after its pointer that is
/// still unmatched. The pointer then moves one past the granted input, but only if no requesting
/// input was passed over because it was taken already; else it stays.
///
/// A request made in every granting call, each from an empty matching, waits less than
/// `ports * ports` of them: once in `ports` its output chooses first, and its pointer never passes
/// a requesting input.
// With few ports all of it is in one cache line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct RoundRobin {
    /// The output that chooses first.
    start: PortId,
    ports: u8,
    /// For each output, the input that it checks first.
    pointer: [PortId; PORTS_MAX],
}

impl RoundRobin {
    /// For `ports` ports (1 to 64), with all pointers at 0.
    pub fn new(ports: usize) -> RoundRobin {
        RoundRobin { pointer: [PortId(0); PORTS_MAX], start: PortId(0), ports: super::radix(ports) }
    }

    /// Lets `output` choose among the inputs in `requesting` that are not in `taken`.
    #[inline]
    fn choose(&mut self, output: PortId, requesting: u64, taken: u64) -> Option<PortId> {
        let pointer = &mut self.pointer[output.index()];
        let input = first_port(requesting & !taken, *pointer)?;
        if first_port(requesting, *pointer) == Some(input) {
            *pointer = one_past(input, self.ports);
        }
        Some(input)
    }
}

impl Arbiter for RoundRobin {
    #[inline]
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        match Grantable::of(requests, matching) {
            Grantable::Nothing => return,
            Grantable::One(output, _) => self.visit(output, requests, matching),
            Grantable::Many(outputs) => {
                for output in ports_from(outputs, self.start) {
                    self.visit(output, requests, matching);
                }
            }
        }
        self.start = one_past(self.start, self.ports);
    }

    #[inline]
    fn grant_one(&mut self, output: PortId, inputs: u64) -> Option<PortId> {
        let input = self.choose(output, inputs, 0);
        self.start = one_past(self.start, self.ports);
        input
    }
}

impl RoundRobin {
    #[inline]
    fn visit(&mut self, output: PortId, requests: &Requests<'_>, matching: &mut Matching) {
        let requesting = requests.inputs_of[output.index()];
        if let Some(input) = self.choose(output, requesting, matching.matched_inputs()) {
            matching.grant_free(output, input);
        }
    }
}
