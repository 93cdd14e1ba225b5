//! Two clocks over one set of elements, and the parts in which the fast one runs.

mod ahead;
pub(crate) mod barrier;
pub(crate) mod fast;
pub(crate) mod parallel;
pub(crate) mod reference;
pub(crate) mod wheel;

use std::num::NonZeroUsize;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Activity-driven, on one thread.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads, at most one a switch. It is one with an observer
    /// that cannot be split ([`observe::Observer::fork`]), and with faults: recovery reads both ends
    /// of a link.
    Parallel(NonZeroUsize),
    /// Every unit on every tick, in order of number.
    Reference,
    /// As [`Engine::Reference`], visiting in an order drawn from a seed.
    Shuffled(u64),
}

impl Engine {
    /// Threads that it asks for, a part of the fabric each. The oracle is never cut.
    pub(crate) fn threads(self) -> usize {
        match self {
            Engine::Parallel(threads) => threads.get(),
            Engine::Fast | Engine::Reference | Engine::Shuffled(_) => 1,
        }
    }
}
