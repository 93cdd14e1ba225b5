//! The clock of the units, and which engine runs a fabric.

pub(crate) mod reference;

use std::num::NonZeroUsize;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The flat engine, on one thread.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads, at most one a switch. It is one with an observer
    /// that cannot be split ([`observe::Observer::fork`]), and with faults: recovery reads both ends
    /// of a link.
    Parallel(NonZeroUsize),
    /// The units of the hardware, each visited when anything may happen there.
    Reference,
    /// The units, all visited on every tick, in an order drawn from a seed.
    Shuffled(u64),
}

impl Engine {
    /// Threads that it asks for; `None` of the units.
    pub(crate) fn threads(self) -> Option<usize> {
        match self {
            Engine::Fast => Some(1),
            Engine::Parallel(threads) => Some(threads.get()),
            Engine::Reference | Engine::Shuffled(_) => None,
        }
    }
}
