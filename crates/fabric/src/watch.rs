//! The watchdog: looks at a fabric every `run.watchdog` ticks, whatever the pieces of the run.

use crate::waits::{self, Locked, Signs, Standing};
use plan::{LinkConfig, Params};
use units::{Span, Tick};

/// A livelock: no packet ejected for so many times as long as a deadlock takes to be noticed.
const LIVELOCK: u64 = 10;

/// The watchdog and what it saw last.
#[derive(Debug)]
pub(crate) struct Watch {
    every: Span,
    /// Time without an ejection that is a livelock.
    livelock: Span,
    last: Tick,
    seen: Signs,
    /// Since when packets are in the network and none was ejected.
    no_ejection_since: Tick,
    locked: Locked,
}

impl Watch {
    /// Looks every `every` ticks, at least `least`; `hops_max` bounds the switches of a route.
    pub(crate) fn new(every: Span, least: Span, hops_max: u64) -> Watch {
        let longest = least.saturating_mul(hops_max);
        Watch {
            every,
            livelock: every.max(longest).saturating_mul(LIVELOCK),
            last: Tick::ZERO,
            seen: Signs::default(),
            no_ejection_since: Tick::ZERO,
            locked: Locked::default(),
        }
    }

    /// The tick of the next look: everything before it has been simulated then.
    pub(crate) fn next(&self) -> Tick {
        self.last.saturating_add(self.every)
    }

    /// A look, at [`Watch::next`].
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    pub(crate) fn look(&mut self, fabric: &impl Standing) -> Result<(), RunError> {
        let since = self.last;
        let signs = fabric.signs();
        let (tick, before) = self.note(signs);
        let in_network = signs.in_network;
        if in_network == 0 {
            return Ok(());
        }
        let queues = self.locked.search(fabric, since);
        if queues > 0 {
            let cycle = self.locked.cycle();
            return Err(RunError::Deadlock {
                tick,
                ticks: tick - Locked::since(fabric, &cycle),
                queues,
                in_network,
                cycle: waits::list(fabric, &cycle),
                dump: waits::dump(fabric),
            });
        }
        if signs == before && !fabric.may_have_moved(since) {
            return Err(RunError::Standstill {
                tick,
                ticks: tick - since,
                in_network,
                dump: waits::dump(fabric),
            });
        }
        let ticks = tick - self.no_ejection_since;
        if ticks >= self.livelock {
            return Err(RunError::Livelock { tick, ticks, in_network, dump: waits::dump(fabric) });
        }
        Ok(())
    }

    /// Notes what shows that packets move: the tick of the look, and what was seen at the last one.
    fn note(&mut self, signs: Signs) -> (Tick, Signs) {
        let tick = self.next();
        self.last = tick;
        let before = std::mem::replace(&mut self.seen, signs);
        // Of the packets that were there at the last look too some have stood or wandered since.
        let there = before.in_network > 0 && signs.in_network > 0;
        if !there || signs.ejected != before.ejected {
            self.no_ejection_since = tick;
        }
        (tick, before)
    }
}

/// The least time between two looks, in which a healthy network that holds packets moves one while
/// no control packet is under way: after the last move the longest packet lands over its wire and
/// stages; its room is told upstream by a tail, control packets, a credit packet (or RESUME of each
/// VC) and a wire; then some head has what it needs, since routes that could lock are refused, and
/// starts after arbitration, or goes through a PPU first.
pub fn least_watchdog(params: &Params, link: &LinkConfig) -> Span {
    let overrides = link.wire_overrides.iter().map(|o| o.1);
    let wire = overrides.fold(link.wire, Span::max);
    let lengths = params.lengths(params.packet_bytes);
    let packet = lengths.link.max(lengths.crossbar) + params.link_phit;
    let words = params.pause.map_or(Span::ZERO, |pause| pause.span * u64::from(params.vcs));
    let stages = params.stages;
    let there = packet + wire + stages.ingress + stages.egress;
    let back =
        packet + params.named_span + params.credit_span + words + wire + stages.credit_return;
    let moved = params.recn.map_or(Span::ZERO, |recn| recn.ppu_interval);
    there + back + moved + (stages.arbitration + stages.injection) * 2 + Span(2)
}

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
    /// Packets wait for each other in a circle: they will never move again.
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
