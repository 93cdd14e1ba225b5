//! Why a run stopped by itself.

use units::{Span, Tick};

/// A run that stopped by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The trace of the workload cannot be read to its end.
    #[error("at tick {tick}: {what}")]
    Trace {
        /// Everything before it has been simulated.
        tick: Tick,
        /// Where and why.
        what: String,
    },
    /// Packets wait for each other in a circle: they will never move again, whatever the rest of
    /// the fabric does.
    #[error(
        "deadlock at tick {tick}: {queues} queues can never move again, {in_network} packets in \
         the network; each of these has stood for {ticks} ticks or more and waits for the next \
         one, the last for the first\n{cycle}who waits for whom\n{dump}"
    )]
    Deadlock {
        /// When it was noticed.
        tick: Tick,
        /// For how long the newest head in the cycle has stood.
        ticks: Span,
        /// Queues in the cycle, and those whose heads wait for such queues alone.
        queues: usize,
        /// Packets in the network.
        in_network: usize,
        /// The cycle, a queue a line.
        cycle: String,
        /// Who waits for whom in the whole fabric.
        dump: String,
    },
    /// Packets are in the network, none moves, and no circle of waits explains it.
    #[error(
        "standstill at tick {tick}: {in_network} packets in the network, none moved for {ticks} \
         ticks\n{dump}"
    )]
    Standstill {
        /// When it was noticed.
        tick: Tick,
        /// For how long nothing moved.
        ticks: Span,
        /// Packets in the network.
        in_network: usize,
        /// Who waits for whom.
        dump: String,
    },
    /// Packets move and none arrives.
    #[error(
        "livelock at tick {tick}: {in_network} packets in the network, packets move but none was \
         ejected for {ticks} ticks\n{dump}"
    )]
    Livelock {
        /// When it was noticed.
        tick: Tick,
        /// For how long none was ejected.
        ticks: Span,
        /// Packets in the network.
        in_network: usize,
        /// Who waits for whom.
        dump: String,
    },
}
