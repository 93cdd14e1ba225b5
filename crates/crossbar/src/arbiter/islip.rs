//! iSLIP: round robin matching in iterations of request, grant and accept.

use super::{Arbiter, Grantable, Requests, one_past};
use crate::ports::{first_port, ports};
use crate::{Matching, PORTS_MAX};
use units::PortId;

/// iSLIP with a number of iterations (McKeown 1999).
///
/// In an iteration every unmatched output grants the requesting unmatched input at or after its
/// grant pointer, and every input that got grants accepts the output at or after its accept
/// pointer. Both pointers move one past the *accepted* partner, and only in the first iteration: a
/// pointer that moved in later ones could pass over an input for ever.
///
/// An output keeps granting one input until it is accepted, so a request waits at most `ports *
/// ports` calls, as long as the *other* requests persist until they are granted; those that are
/// withdrawn in step with the pointers can starve it (`tests/it/standing.rs` has a case).
///
/// With `iterations >= ports` the matching is maximal: each iteration that can grants a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Islip {
    /// For each output, the input that it grants first.
    grant: [PortId; PORTS_MAX],
    /// For each input, the output that it accepts first.
    accept: [PortId; PORTS_MAX],
    iterations: u8,
    ports: u8,
}

impl Islip {
    /// For 1 to 64 ports with 1 or more `iterations` in each call, and all pointers at 0.
    pub fn new(ports: usize, iterations: u8) -> Islip {
        assert!(iterations > 0, "iSLIP with 0 iterations grants nothing");
        Islip {
            grant: [PortId(0); PORTS_MAX],
            accept: [PortId(0); PORTS_MAX],
            iterations,
            ports: super::radix(ports),
        }
    }

    /// One pair of the first iteration: both pointers move one past the partner.
    #[inline]
    fn move_pointers(&mut self, output: PortId, input: PortId) {
        self.grant[output.index()] = one_past(input, self.ports);
        self.accept[input.index()] = one_past(output, self.ports);
    }
}

impl Arbiter for Islip {
    #[inline]
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        let mut outputs = match Grantable::of(requests, matching) {
            Grantable::Nothing => return,
            Grantable::One(output, inputs) => {
                if let Some(input) = first_port(inputs, self.grant[output.index()]) {
                    self.move_pointers(output, input);
                    matching.grant_free(output, input);
                }
                return;
            }
            Grantable::Many(outputs) => outputs,
        };
        let mut grants_of = [0_u64; PORTS_MAX]; // for each input, the outputs that grant it
        for iteration in 0..self.iterations {
            let mut granted_inputs = 0;
            for output in ports(outputs) {
                let inputs = requests.grantable_to(output, matching);
                if let Some(input) = first_port(inputs, self.grant[output.index()]) {
                    grants_of[input.index()] |= 1 << output.0;
                    granted_inputs |= 1 << input.0;
                }
            }
            if granted_inputs == 0 {
                break;
            }
            for input in ports(granted_inputs) {
                let grants = std::mem::take(&mut grants_of[input.index()]);
                if let Some(output) = first_port(grants, self.accept[input.index()]) {
                    if iteration == 0 {
                        self.move_pointers(output, input);
                    }
                    matching.grant_free(output, input);
                }
            }
            outputs &= !matching.matched_outputs();
        }
    }
}
