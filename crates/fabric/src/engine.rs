//! Two engines over one set of units.

pub(crate) mod fast;
pub(crate) mod reference;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Activity-driven.
    #[default]
    Fast,
    /// Every unit on every tick, in order of number.
    Reference,
    /// As [`Engine::Reference`], visiting in an order drawn from a seed.
    Shuffled(u64),
}
