//! Tables of routes: candidate outputs by destination (spec: switch.md, Tables).

use std::num::NonZeroU8;

/// The table of one ingress port: candidate outputs by destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteTable {
    /// At most one candidate each, as the number of the output and one.
    Single(Box<[Option<NonZeroU8>]>),
    /// A set of candidates each, a bit an output; none where no output leads there.
    Several(Box<[u64]>),
}

impl RouteTable {
    /// Destinations.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            RouteTable::Single(outputs) => outputs.len(),
            RouteTable::Several(sets) => sets.len(),
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Candidate outputs for a destination, a bit each.
    pub fn candidates(&self, destination: u32) -> u64 {
        match self {
            RouteTable::Single(outputs) => {
                outputs[destination as usize].map_or(0, |above| 1 << (above.get() - 1))
            }
            RouteTable::Several(sets) => sets[destination as usize],
        }
    }
}
