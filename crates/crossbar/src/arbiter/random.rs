//! Random choice.

use super::{Arbiter, Requests};
use crate::Matching;
use crate::ports::{pick, shuffled};
use rand_core::SeedableRng;
use units::draw::Stream;

/// The outputs choose in random order, each a random one of the requesting inputs that are still
/// unmatched (spec `switch.md`, `random`). The matching is maximal. No waiting bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// With the random stream of `seed`; for any number of ports up to 64.
    pub fn new(seed: u64) -> Random {
        Random { stream: Stream::seed_from_u64(seed) }
    }
}

impl Arbiter for Random {
    #[inline]
    fn arbitrate(&mut self, requests: &Requests<'_>, matching: &mut Matching) {
        let (order, len) = shuffled(&mut self.stream, requests.grantable_outputs(matching));
        for &output in &order[..len] {
            let inputs = requests.grantable_to(output, matching);
            if let Some(input) = pick(&mut self.stream, inputs) {
                matching.grant_free(output, input);
            }
        }
    }
}
