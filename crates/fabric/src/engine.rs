//! Two engines over one set of units.

pub(crate) mod fast;
mod meeting;
pub(crate) mod parallel;
pub(crate) mod reference;

use std::num::NonZeroUsize;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Activity-driven.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads: the fabric is cut into as many parts, at most one a switch. With an observer
    /// that cannot be split ([`crate::Observer::fork`]) it is `Fast`.
    Parallel(NonZeroUsize),
    /// Every unit on every tick, in order of number.
    Reference,
    /// As [`Engine::Reference`], visiting in an order drawn from a seed.
    Shuffled(u64),
}

impl Engine {
    /// Parts that it asks for.
    pub(crate) fn parts(self) -> usize {
        match self {
            Engine::Parallel(threads) => threads.get(),
            _ => 1,
        }
    }
}
