//! Which engine runs a fabric.

use crate::flat::Whole;
use crate::reference::Reference;
use std::num::NonZeroUsize;

/// Which engine runs a fabric. Results are byte-identical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The flat engine, on one thread.
    #[default]
    Fast,
    /// [`Engine::Fast`] on up to this many threads, at most one a switch. It is one with an
    /// observer that cannot be split ([`observe::Observer::fork`]), and with faults: recovery reads
    /// both ends of a link.
    Parallel(NonZeroUsize),
    /// The units of the hardware, each visited when anything may happen there.
    Reference,
    /// The units, all visited on every tick, in an order drawn from a seed.
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
}

/// The engine of a fabric. Both do the same, by the same names.
pub(crate) enum Running {
    Reference(Box<Reference>),
    Flat(Box<Whole>),
}

/// The same of both.
macro_rules! either {
    ($engine:expr, $it:ident => $what:expr) => {
        match $engine {
            $crate::engine::Running::Reference($it) => $what,
            $crate::engine::Running::Flat($it) => $what,
        }
    };
}

pub(crate) use either;
