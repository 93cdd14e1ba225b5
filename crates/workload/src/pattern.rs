//! Registry of destination patterns.

use crate::error::WorkloadError;

pub(crate) enum Rule {
    /// A draw for every message.
    Random,
    /// A map of the nodes onto themselves: (nodes, source) -> destination.
    Permutation(Shape, fn(u32, u32) -> u32),
    /// An entry of the list of destinations: (source j of the group, length) -> index.
    Listed(fn(usize, usize) -> usize),
    /// A draw for every message over one block of nodes: (blocks, block of the source) -> block.
    Block(fn(u32, u32) -> u32),
}

/// What a permutation asks of the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Any,
    PowerOfTwo,
    Square,
}

units::named! {
    /// Who a source sends to (key `workload.pattern`).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Pattern: "pattern" {
        /// Every node or listed destination alike; the source itself with `workload.self` only.
        #[default]
        Uniform = "uniform",
        /// The bits of the node number in reverse order. Powers of two.
        BitReverse = "bit-reverse",
        /// Row and column exchanged in a square of nodes. Squares.
        Transpose = "transpose",
        /// The bits of the node number rotated left by one. Powers of two.
        Shuffle = "shuffle",
        /// Just under half way round the ring of nodes: s of N to s + ceil(N / 2) - 1, modulo N.
        Tornado = "tornado",
        /// Every bit of the node number inverted. Powers of two.
        BitComplement = "bit-complement",
        /// Source j of the group to number j mod count of the listed destinations.
        Hot = "hot",
        /// Source j of the group to number j of the listed destinations, as many as sources.
        Fixed = "fixed",
        /// Every other node of the own super node alike, a draw per message (lai-rsi).
        OwnSuperNode = "own-super-node",
        /// Every node of the next super node (or the first) alike, a draw per message.
        NextSuperNode = "next-super-node",
    }
}

impl Pattern {
    pub(crate) fn rule(self) -> Rule {
        match self {
            Self::Uniform => Rule::Random,
            Self::BitReverse => Rule::Permutation(Shape::PowerOfTwo, |nodes, source| {
                // One node has no bits to shift out by.
                if nodes == 1 { source } else { source.reverse_bits() >> (32 - nodes.ilog2()) }
            }),
            Self::Transpose => Rule::Permutation(Shape::Square, |nodes, source| {
                let side = nodes.isqrt();
                source % side * side + source / side
            }),
            Self::Shuffle => Rule::Permutation(Shape::PowerOfTwo, |nodes, source| {
                let top = nodes / 2;
                if source >= top && top > 0 { (source - top) * 2 + 1 } else { source * 2 % nodes }
            }),
            Self::Tornado => Rule::Permutation(Shape::Any, |nodes, source| {
                // In u64, as the sum may pass the largest u32.
                let sum = u64::from(source) + u64::from(nodes.div_ceil(2)) - 1;
                (sum % u64::from(nodes)) as u32
            }),
            Self::BitComplement => {
                Rule::Permutation(Shape::PowerOfTwo, |nodes, source| nodes - 1 - source)
            }
            Self::Hot => Rule::Listed(|j, count| j % count),
            Self::Fixed => Rule::Listed(|j, _| j),
            Self::OwnSuperNode => Rule::Block(|_, own| own),
            Self::NextSuperNode => Rule::Block(|blocks, own| (own + 1) % blocks),
        }
    }

    /// Where `source` of `nodes` sends to in a permutation; `None` in the other patterns.
    pub fn permuted(self, nodes: u32, source: u32) -> Option<u32> {
        match self.rule() {
            Rule::Permutation(_, map) => Some(map(nodes, source)),
            _ => None,
        }
    }

    /// True where the pattern reads the list of destinations and cannot do without.
    pub fn needs_destinations(self) -> bool {
        matches!(self.rule(), Rule::Listed(_))
    }

    /// Refuses a number of nodes that the pattern is not defined for; `key` is that of the error.
    pub fn check(self, key: &str, nodes: u32) -> Result<(), WorkloadError> {
        let legal = match self.rule() {
            Rule::Permutation(Shape::PowerOfTwo, _) if !nodes.is_power_of_two() => {
                "a number of nodes that is a power of two"
            }
            Rule::Permutation(Shape::Square, _) if nodes.isqrt().pow(2) != nodes => {
                "a number of nodes that is a square"
            }
            _ => return Ok(()),
        };
        Err(WorkloadError::new(key, format!("`{self}` given for {nodes} nodes"), legal))
    }
}
