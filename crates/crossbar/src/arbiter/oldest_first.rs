//! The oldest request first.

use super::{Arbiter, Grantable, Requests};
use crate::ports::ports;
use crate::{Matching, PORTS_MAX};
use units::PortId;

/// Grants the oldest request of unmatched ports, again and again, until there is none (spec
/// `switch.md`, `oldest-first`); ties go to the lowest input, then output. It reads
/// [`Requests::ages`] and has no state. With honest ages (a request keeps the tick of its arrival)
/// none starves: only requests that are not younger can go before a waiting one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldestFirst {
    ports: u8,
}

impl OldestFirst {
    /// For `ports` ports (1 to 64).
    pub fn new(ports: usize) -> OldestFirst {
        OldestFirst { ports: super::radix(ports) }
    }

    /// The (age, input) of the oldest of `inputs` at `output`.
    #[inline]
    fn oldest(
        &self,
        requests: &Requests<'_>,
        output: PortId,
        inputs: u64,
    ) -> Option<(u64, PortId)> {
        let age =
            |input: PortId| requests.ages[input.index() * usize::from(self.ports) + output.index()];
        ports(inputs).map(|input| (age(input), input)).min()
    }
}

impl Arbiter for OldestFirst {
    /// # Panics
    /// If `requests.ages` does not reach to a requesting pair.
    #[inline]
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        let mut outputs = match Grantable::of(requests, matching) {
            Grantable::Nothing => return,
            Grantable::One(output, inputs) => {
                if let Some((_, input)) = self.oldest(requests, output, inputs) {
                    matching.grant_free(output, input);
                }
                return;
            }
            Grantable::Many(outputs) => outputs,
        };
        // The oldest request of each output, searched again only when its input is taken.
        let mut oldest_of = [(0_u64, PortId(0)); PORTS_MAX];
        for output in ports(outputs) {
            let inputs = requests.grantable_to(output, matching);
            match self.oldest(requests, output, inputs) {
                Some(oldest) => oldest_of[output.index()] = oldest,
                None => outputs &= !(1 << output.0),
            }
        }
        while let Some(output) =
            ports(outputs).min_by_key(|&output| (oldest_of[output.index()], output))
        {
            let input = oldest_of[output.index()].1;
            matching.grant_free(output, input);
            outputs &= !(1 << output.0);
            for other in ports(outputs) {
                if oldest_of[other.index()].1 == input {
                    let inputs = requests.grantable_to(other, matching);
                    match self.oldest(requests, other, inputs) {
                        Some(oldest) => oldest_of[other.index()] = oldest,
                        None => outputs &= !(1 << other.0),
                    }
                }
            }
        }
    }
}
