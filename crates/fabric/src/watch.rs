//! The watchdog: looks at a fabric every `run.watchdog` ticks, always in the same ticks, however the run is cut into pieces.

use crate::config::LinkConfig;
use crate::part::{Part, Whole};
use crate::waits::{self, Locked};
use switch::Params;
use units::{Tick, Ticks};

/// A run that stopped by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// Packets wait for each other in a circle: they will never move again, whatever the rest of the fabric does.
    #[error(
        "deadlock at tick {tick}: {queues} queues can never move again, {in_network} packets in the network; each of these has stood \
         for {ticks} ticks or more and waits for the next one, the last for the first\n{cycle}who waits for whom\n{dump}"
    )]
    Deadlock {
        /// When it was noticed.
        tick: Tick,
        /// For how long the newest head in the cycle has stood.
        ticks: Ticks,
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
        "standstill at tick {tick}: {in_network} packets in the network, none moved for {ticks} ticks\n{dump}"
    )]
    Standstill {
        /// When it was noticed.
        tick: Tick,
        /// For how long nothing moved.
        ticks: Ticks,
        /// Packets in the network.
        in_network: usize,
        /// Who waits for whom.
        dump: String,
    },
    /// Packets move and none arrives.
    #[error(
        "livelock at tick {tick}: {in_network} packets in the network, packets move but none was ejected for {ticks} ticks\n{dump}"
    )]
    Livelock {
        /// When it was noticed.
        tick: Tick,
        /// For how long none was ejected.
        ticks: Ticks,
        /// Packets in the network.
        in_network: usize,
        /// Who waits for whom.
        dump: String,
    },
}

/// A livelock: no packet ejected for so many times as long as a deadlock takes to be noticed.
const LIVELOCK: Ticks = 10;

/// The least time between two looks: in a healthy network that holds packets one of them moves in it (starts on a link or over a
/// crossbar, is admitted, ejected or moved by a PPU) while no control packet is under way.
///
/// After the last move all that is on its way lands: the longest packet, its wire and the stages up to a stored head. The room
/// that it left is told upstream: its tail, the control packets ahead, a credit packet, a wire and the stage of the receiver.
/// Then some head has what it needs, since routes that could lock are refused, and starts after arbitration, or goes
/// through a PPU first.
pub fn least_watchdog(params: &Params, link: &LinkConfig) -> Ticks {
    let overrides = link.wire_overrides.iter().map(|o| o.1);
    let wire = overrides.fold(link.wire, Ticks::max);
    let lengths = params.lengths(params.packet_bytes);
    let packet = lengths.link_ticks.max(lengths.crossbar_ticks) + params.link_phit;
    let stages = params.stages;
    let there = packet + wire + stages.ingress + stages.egress;
    let back = packet + params.named_ticks + params.credit_ticks + wire + stages.credit_return;
    let moved = params.recn.map_or(0, |recn| recn.ppu_interval);
    there + back + moved + 2 * (stages.arbitration + stages.injection) + 2
}

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
    every: Ticks,
    /// Ticks without an ejection that are a livelock.
    livelock: Ticks,
    last: Tick,
    seen: Signs,
    /// Since when packets are in the network and none was ejected.
    no_ejection_since: Tick,
    locked: Locked,
}

impl Watch {
    /// Looks every `every` ticks, at least [`least_watchdog`]; `hops_max` is a bound on the switches of a route.
    pub(crate) fn new(every: Ticks, least: Ticks, hops_max: Ticks) -> Watch {
        let longest = least.saturating_mul(hops_max);
        Watch {
            every,
            livelock: every.max(longest).saturating_mul(LIVELOCK),
            last: 0,
            seen: Signs::default(),
            no_ejection_since: 0,
            locked: Locked::default(),
        }
    }

    /// The tick of the next look: everything before it has been simulated then.
    pub(crate) fn next(&self) -> Tick {
        self.last.saturating_add(self.every)
    }

    /// A look, at [`Watch::next`]. The fabric has been settled.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    pub(crate) fn look(&mut self, whole: Whole<'_>) -> Result<(), RunError> {
        let (tick, since) = (self.next(), self.last);
        self.last = tick;
        let sum = |count: fn(&Part) -> u64| whole.parts.iter().map(count).sum();
        let signs = Signs {
            sent: sum(|p| p.medium.sent),
            ejected: sum(|p| p.medium.ejected),
            in_network: whole.packets_in_network(),
        };
        let before = std::mem::replace(&mut self.seen, signs);
        let in_network = signs.in_network;
        // Of the packets that were there at the last look too some have stood or wandered since.
        let there = before.in_network > 0 && in_network > 0;
        if !there || signs.ejected != before.ejected {
            self.no_ejection_since = tick;
        }
        if in_network == 0 {
            return Ok(());
        }
        let queues = self.locked.search(whole, since);
        if queues > 0 {
            let cycle = self.locked.cycle();
            return Err(RunError::Deadlock {
                tick,
                ticks: tick - Locked::since(whole, &cycle),
                queues,
                in_network,
                cycle: waits::list(whole, cycle.into_iter()),
                dump: waits::dump(whole),
            });
        }
        if signs == before && !may_have_moved(whole, since) {
            return Err(RunError::Standstill {
                tick,
                ticks: tick - since,
                in_network,
                dump: waits::dump(whole),
            });
        }
        let ticks = tick - self.no_ejection_since;
        if ticks >= self.livelock {
            return Err(RunError::Livelock {
                tick,
                ticks,
                in_network,
                dump: waits::dump(whole),
            });
        }
        Ok(())
    }
}

/// Whether a crossbar or a PPU has moved a packet since, or a control packet is under way that may be what others wait for.
fn may_have_moved(whole: Whole<'_>, since: Tick) -> bool {
    let waiting = |link: &switch::Link| !link.control.is_empty();
    let switches = || whole.switches().map(|(_, switch)| switch);
    switches().any(|switch| switch.may_have_moved_since(since))
        || whole
            .parts
            .iter()
            .any(|part| part.medium.wires.control_packets() > 0)
        || switches().any(|switch| switch.outputs.iter().any(|out| waiting(&out.link)))
        || whole.nodes().any(|(_, node)| waiting(&node.injection.link))
}
