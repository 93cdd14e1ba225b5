//! Registry of destination patterns: one file and one line each.

mod bit_complement;
mod bit_reverse;
mod fixed;
mod hot;
mod next_super_node;
mod own_super_node;
mod shuffle;
mod tornado;
mod transpose;
pub(crate) mod uniform;

/// How a pattern picks destinations.
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
pub enum Shape {
    /// Any number.
    Any,
    /// A power of two.
    PowerOfTwo,
    /// The square of a whole number.
    Square,
}

impl Shape {
    pub(crate) fn admits(self, nodes: u32) -> bool {
        match self {
            Self::Any => true,
            Self::PowerOfTwo => nodes.is_power_of_two(),
            Self::Square => nodes.isqrt().pow(2) == nodes,
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Any => "any number of nodes",
            Self::PowerOfTwo => "a number of nodes that is a power of two",
            Self::Square => "a number of nodes that is a square",
        })
    }
}

macro_rules! registry {
    ($($(#[$meta:meta])+ $variant:ident = $name:literal in $module:ident;)+) => {
        /// Who a source sends to (key `workload.pattern`).
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Pattern { $($(#[$meta])+ $variant),+ }

        units::named!(Pattern, "pattern", $($variant = $name),+);

        impl Pattern {
            pub(crate) fn rule(self) -> Rule {
                match self { $(Self::$variant => $module::RULE),+ }
            }
        }
    };
}

registry! {
    #[default]
    /// Every node (or every one of the listed destinations) alike, a draw per message.
    Uniform = "uniform" in uniform;
    /// The bits of the node number in reverse order. Powers of two.
    BitReverse = "bit-reverse" in bit_reverse;
    /// Row and column exchanged in a square of nodes. Squares.
    Transpose = "transpose" in transpose;
    /// The bits of the node number rotated left by one. Powers of two.
    Shuffle = "shuffle" in shuffle;
    /// Just under half way round the ring of nodes.
    Tornado = "tornado" in tornado;
    /// Every bit of the node number inverted. Powers of two.
    BitComplement = "bit-complement" in bit_complement;
    /// Source j of the group to number j mod count of the listed destinations (garcia-trees-2005).
    Hot = "hot" in hot;
    /// Source j of the group to number j of the listed destinations, as many as sources.
    Fixed = "fixed" in fixed;
    /// Every other node of the own super node alike, a draw per message (lai-rsi).
    OwnSuperNode = "own-super-node" in own_super_node;
    /// Every node of the next super node alike, a draw per message: the last one's next is the
    /// first.
    NextSuperNode = "next-super-node" in next_super_node;
}

impl Pattern {
    /// Where `source` of `nodes` sends to in a permutation; `None` in the other patterns.
    pub fn permuted(self, nodes: u32, source: u32) -> Option<u32> {
        match self.rule() {
            Rule::Permutation(_, map) => Some(map(nodes, source)),
            _ => None,
        }
    }

    /// Number of nodes that the pattern is defined for.
    pub fn shape(self) -> Shape {
        match self.rule() {
            Rule::Permutation(shape, _) => shape,
            _ => Shape::Any,
        }
    }

    /// True where the pattern reads the list of destinations and cannot do without.
    pub fn needs_destinations(self) -> bool {
        matches!(self.rule(), Rule::Listed(_))
    }

    /// True where the pattern goes by blocks of nodes
    /// ([`WorkloadConfig::block_nodes`](crate::WorkloadConfig::block_nodes)).
    pub fn needs_blocks(self) -> bool {
        matches!(self.rule(), Rule::Block(_))
    }
}
