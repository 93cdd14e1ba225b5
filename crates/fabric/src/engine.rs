//! Two engines over one set of units, and the parts in which the fast one runs.

mod ahead;
pub(crate) mod fast;
mod meeting;
pub(crate) mod parallel;
pub(crate) mod reference;

use std::num::NonZeroUsize;

/// The most switches of a part: state that a cache holds for the time of a window (measured: docs/performance.md).
const SWITCHES_MAX: usize = 256;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// Activity-driven, on one thread.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads, at most one a switch. With an observer that cannot be split
    /// ([`crate::Observer::fork`]) it is one.
    Parallel(NonZeroUsize),
    /// Every unit on every tick, in order of number.
    Reference,
    /// As [`Engine::Reference`], visiting in an order drawn from a seed.
    Shuffled(u64),
}

impl Engine {
    /// Threads that it asks for.
    pub(crate) fn threads(self) -> usize {
        match self {
            Engine::Parallel(threads) => threads.get(),
            Engine::Fast | Engine::Reference | Engine::Shuffled(_) => 1,
        }
    }

    /// Parts that it cuts a fabric of so many switches into: as many for each thread. The oracle is never cut.
    pub(crate) fn parts(self, switches: usize) -> usize {
        let threads = self.threads();
        match self {
            Engine::Fast | Engine::Parallel(_) => {
                threads.saturating_mul(switches.div_ceil(threads.saturating_mul(SWITCHES_MAX)))
            }
            Engine::Reference | Engine::Shuffled(_) => 1,
        }
    }
}
