units::named! {
    /// The turn pool of a network: as wide as in AS, or wide enough for longer routes. Never chosen
    /// silently.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum PoolKind: "turn pool" {
        /// The 31 bits of an AS header.
        #[default]
        As31 = "as31",
        /// 128 bits, for routes that do not fit an AS header.
        Extended = "extended",
    }
}

impl PoolKind {
    /// Bits of turns that a route may have.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            PoolKind::As31 => 31,
            PoolKind::Extended => 128,
        }
    }
}
