//! The watchdog: looks at a fabric every `run.watchdog` ticks, always in the same ticks, however
//! the run is cut into pieces.

mod error;
mod least;

pub use error::RunError;
pub use least::least_watchdog;

use crate::flat::Flat;
use crate::part::{Part, Parts};
use crate::waits::{self, Locked};
use units::{Span, Tick};

/// A livelock: no packet ejected for so many times as long as a deadlock takes to be noticed.
const LIVELOCK: u64 = 10;

/// What shows that packets move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Signs {
    sent: u64,
    ejected: u64,
    in_network: usize,
}

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
    /// Looks every `every` ticks, at least [`least_watchdog`]; `hops_max` is a bound on the
    /// switches of a route.
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
    pub(crate) fn look(&mut self, parts: Parts<'_>) -> Result<(), RunError> {
        let since = self.last;
        let sum = |count: fn(&Part) -> u64| parts.parts.iter().map(count).sum();
        let signs = Signs {
            sent: sum(|p| p.transit.sent),
            ejected: sum(|p| p.transit.ejected),
            in_network: parts.packets_in_network(),
        };
        let (tick, before) = self.note(signs);
        let in_network = signs.in_network;
        if in_network == 0 {
            return Ok(());
        }
        let queues = self.locked.search(parts, since);
        if queues > 0 {
            let cycle = self.locked.cycle();
            return Err(RunError::Deadlock {
                tick,
                ticks: tick - Locked::since(parts, &cycle),
                queues,
                in_network,
                cycle: waits::list(parts, cycle.into_iter()),
                dump: waits::dump(parts),
            });
        }
        if signs == before && !may_have_moved(parts, since) {
            return Err(RunError::Standstill {
                tick,
                ticks: tick - since,
                in_network,
                dump: waits::dump(parts),
            });
        }
        let ticks = tick - self.no_ejection_since;
        if ticks >= self.livelock {
            return Err(RunError::Livelock {
                tick,
                ticks,
                in_network,
                dump: waits::dump(parts),
            });
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

    /// A look at the parts of the flat engine, at [`Watch::next`]: whether it may be stuck.
    pub(crate) fn look_at_flat<const EAGER: bool>(&mut self, parts: &mut [Flat<EAGER>]) -> bool {
        let since = self.last;
        let all = parts.iter().map(Flat::signs);
        let (sent, ejected, in_network) = all.fold((0, 0, 0), |sum, part| {
            (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2)
        });
        let signs = Signs {
            sent,
            ejected,
            in_network: in_network as usize,
        };
        let (tick, before) = self.note(signs);
        in_network > 0
            && (Flat::locked(parts, &mut self.locked, since) > 0
                || signs == before
                || tick - self.no_ejection_since >= self.livelock)
    }
}

/// Whether a crossbar or a PPU has moved a packet since, or a control packet is under way that may
/// be what others wait for.
fn may_have_moved(parts: Parts<'_>, since: Tick) -> bool {
    let waiting = |port: &switch::Egress| port.link().has_control(parts.now);
    let switches = || parts.switches().map(|(_, switch)| switch);
    let on_wires = |part: &Part| part.transit.wires.control_packets() > 0;
    switches().any(|switch| switch.may_have_moved_since(since))
        || parts.parts.iter().any(on_wires)
        || switches().any(|switch| switch.outputs().iter().any(waiting))
        || parts.nodes().any(|(_, node)| waiting(node.injection()))
}
