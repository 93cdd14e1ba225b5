//! The parts of a fabric that the flat engine runs, as one.

use super::threads::{self, Here};
use super::{Flat, TICKS_MAX, needs_order};
use crate::faults::seen::Seen;
use crate::waits::Standing;
use crate::watch::{RunError, Watch};
use hierarchy::TwoLevelTable;
use observe::{Observer, Offered, Outstanding, Owner, PortProbe, PortView, ReorderPeak};
use plan::FabricConfig;
use plan::checked;
use plan::{ConfigError, LinkState};
use std::sync::Arc;
use units::{PortId, Span, SwitchId, Tick, Unit};
use workload::Given;

/// All parts, as they must tell of what happens.
pub(crate) struct Whole {
    parts: Mode,
    exchange: threads::Exchange,
}

/// The parts, a thread each. Whether what follows from a start is told at once, or everything in
/// its tick.
enum Mode {
    Eager(Vec<Flat<true>>),
    Timed(Vec<Flat<false>>),
}

/// The same of both.
macro_rules! of {
    ($mode:expr, $parts:ident => $what:expr) => {
        match $mode {
            Mode::Eager($parts) => $what,
            Mode::Timed($parts) => $what,
        }
    };
}

impl Whole {
    /// A fabric before its first tick, in up to so many parts, if the observer can be split; and
    /// the observers of the other parts.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub(crate) fn new<O: Observer>(
        config: &FabricConfig,
        threads: usize,
        observer: &mut O,
    ) -> Result<(Whole, Vec<O>), ConfigError> {
        let params = checked(config)?;
        let parts = if config.faults.is_none() { threads } else { 1 };
        let graph = config.network.graph();
        let mut here = Here::new(graph, parts);
        let mut forks: Vec<O> = (1..here.parts).map_while(|_| observer.fork()).collect();
        if forks.len() + 1 < here.parts {
            (here, forks) = (Here::new(graph, 1), Vec::new());
        }
        if !forks.is_empty() {
            observer.meet(&mut forks.iter_mut().collect::<Vec<_>>());
        }
        let parts = if observer.is_ordered() || needs_order(config, &params) {
            Mode::Timed(Flat::all(config, &here)?)
        } else {
            Mode::Eager(Flat::all(config, &here)?)
        };
        let exchange = threads::Exchange::new(&here, config, &params);
        Ok((Whole { parts, exchange }, forks))
    }

    /// Simulates up to, not including, tick `end`, each part with its observer.
    pub(crate) fn run_until<'a, O: Observer + 'a>(
        &mut self,
        observers: impl Iterator<Item = &'a mut O>,
        end: Tick,
    ) {
        assert!(end.0 <= TICKS_MAX, "tick {end}: the flat engine counts to {TICKS_MAX}");
        of!(&mut self.parts, parts => self.exchange.run(parts, observers, end));
    }

    /// A message of a trace is given to its source, before tick `now`.
    pub(crate) fn give_message(&mut self, message: Given, now: Tick) {
        of!(&mut self.parts, parts => parts.iter_mut().for_each(|part| part.give_message(message, now)));
    }

    /// A look of the watchdog.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    pub(crate) fn look_at(&mut self, watch: &mut Watch) -> Result<(), RunError> {
        of!(&mut self.parts, parts => {
            parts.iter_mut().for_each(Flat::settle_for_looks);
            watch.look(parts)
        })
    }

    /// Threads that it asks the system for.
    pub(crate) fn threads(&self) -> usize {
        self.exchange.threads()
    }

    /// Runs on at most so many threads from now on.
    pub(crate) fn limit_threads(&mut self, threads: usize) {
        self.exchange.limit_threads(threads);
    }

    /// The stages between the generation of a message and its entry into admittance.
    pub(crate) fn injection_stage(&self) -> Span {
        of!(&self.parts, parts => parts[0].injection_stage())
    }

    /// Visits all that was generated before now and has not arrived, each once.
    pub(crate) fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        of!(&self.parts, parts => parts.iter().for_each(|part| part.outstanding(&mut visit)));
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        of!(&self.parts, parts => parts.iter().for_each(|part| part.replies_to_come(&mut visit)));
    }

    /// Messages that were generated before now and would enter admittance later, in the order of
    /// their generation.
    pub(crate) fn unadmitted(&self) -> Vec<Offered> {
        let mut offers = Vec::new();
        of!(&self.parts, parts => parts.iter().for_each(|part| part.unadmitted(&mut offers)));
        offers.sort_by_key(|offered| (offered.born, offered.source));
        offers
    }

    /// Packets of messages in admittance, and packets in the network.
    pub(crate) fn packets(&self) -> (u64, u64) {
        let (mut waiting, mut in_network) = (0, 0);
        of!(&self.parts, parts => for part in parts {
            let more = part.packets();
            waiting += more.0;
            in_network += more.1;
        });
        (waiting, in_network as u64)
    }

    /// Ticks in which there was anything to do, of all parts.
    pub(crate) fn ticks_served(&self) -> Option<u64> {
        Some(of!(&self.parts, parts => parts.iter().map(Flat::ticks_served).sum()))
    }

    /// Packets in the network.
    pub(crate) fn packets_in_network(&self) -> usize {
        of!(&self.parts, parts => parts.signs().in_network)
    }

    /// See [`Fabric::audit`].
    pub(crate) fn audit(&self) -> Result<(), String> {
        of!(&self.parts, parts => parts.iter().try_for_each(Flat::audit))
    }

    /// Whether anything is on its way or to come, and the first thing that is not at home.
    pub(crate) fn at_home(&mut self) -> (bool, Option<String>) {
        let in_network = self.packets_in_network() > 0;
        of!(&mut self.parts, parts => {
            parts.iter_mut().for_each(Flat::settle_for_looks);
            let is_busy = in_network || parts.iter().any(|part| part.is_busy());
            (is_busy, parts.iter().find_map(Flat::left_over))
        })
    }

    /// Answers of ECN in the network and such that wait for injection; CNPs made, where there are
    /// any.
    pub(crate) fn answers(&self) -> (u64, Option<u64>) {
        let (mut under_way, mut made) = (0, Some(0));
        of!(&self.parts, parts => for part in parts {
            let more = part.answers();
            under_way += more.0;
            made = made.zip(more.1).map(|(a, b)| a + b);
        });
        (under_way as u64, made)
    }

    /// See [`Fabric::marking_events`].
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|at| a[at] + b[at]);
        of!(&self.parts, parts => parts.iter().map(Flat::marking_events).fold([0; 3], sum))
    }

    /// The longest that any head has requested, of normal queues and of SAQs.
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        let most = |a: [Span; 2], b: [Span; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        let none = [Span::ZERO; 2];
        of!(&self.parts, parts => parts.iter().map(Flat::longest_waits).fold(none, most))
    }

    /// The most that has waited in the reorder buffer of any one end node, where they have one.
    pub(crate) fn reorder_peak(&self) -> Option<ReorderPeak> {
        let most = |a: ReorderPeak, b: ReorderPeak| ReorderPeak {
            packets: a.packets.max(b.packets),
            bytes: a.bytes.max(b.bytes),
        };
        of!(&self.parts, parts => parts.iter().filter_map(Flat::reorder_peak).reduce(most))
    }

    /// Visits every connected port.
    pub(crate) fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        of!(&mut self.parts, parts => parts.iter_mut().for_each(|part| part.probe(&mut visit)));
    }

    /// A side of a port.
    pub(crate) fn look(&mut self, unit: Unit) -> Option<PortView> {
        of!(&mut self.parts, parts => parts.iter_mut().find_map(|part| part.look(unit)))
    }

    /// Visits all two-level tables.
    pub(crate) fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        of!(&self.parts, parts => parts[0].two_level_tables(visit));
    }

    /// The port at the other end of a link.
    pub(crate) fn peer(&self, here: Owner) -> Option<Owner> {
        of!(&self.parts, parts => parts[0].peer(here))
    }

    /// Ports of a switch.
    pub(crate) fn ports_of(&self, switch: u32) -> usize {
        of!(&self.parts, parts => parts[0].ports_of(switch))
    }

    /// How many switches there are.
    pub(crate) fn switch_count(&self) -> usize {
        of!(&self.parts, parts => parts[0].switch_count())
    }

    /// The longest waits are counted anew.
    pub(crate) fn forget_waits(&mut self) {
        of!(&mut self.parts, parts => parts.iter_mut().for_each(Flat::forget_waits));
    }

    /// Whose ports they are, by wire.
    pub(crate) fn owners(&self) -> &Arc<[Owner]> {
        of!(&self.parts, parts => parts[0].owners())
    }

    /// The run is over: what was told ahead of the end is taken back, of each part at its observer.
    pub(crate) fn end<'a, O: Observer + 'a>(&self, observers: impl Iterator<Item = &'a mut O>) {
        of!(&self.parts, parts => {
            parts.iter().zip(observers).for_each(|(part, observer)| part.end(observer));
        });
    }
}

/// Faults: of a fabric in one part.
impl Whole {
    /// As [`crate::Fabric::set_link`].
    pub(crate) fn set_link(
        &mut self,
        observer: &mut impl Observer,
        ends: (Owner, Owner),
        state: LinkState,
    ) {
        of!(&mut self.parts, parts => parts[0].set_link(observer, ends, state));
    }

    /// The switch at an end of a link that has gone down or come up is told of it.
    pub(crate) fn port_changed(
        &mut self,
        observer: &mut impl Observer,
        end: Owner,
        state: LinkState,
    ) {
        of!(&mut self.parts, parts => match state {
            LinkState::Down => parts[0].port_down(observer, end),
            LinkState::Up => parts[0].port_up(observer, end),
        });
    }

    /// A switch fails, before its links go down: what is in its memories is lost.
    pub(crate) fn lose_packets(&mut self, observer: &mut impl Observer, switch: u32) {
        of!(&mut self.parts, parts => parts[0].lose_packets(observer, switch));
    }

    /// A switch has failed; its links are down.
    pub(crate) fn fail(&mut self, observer: &mut impl Observer, switch: u32) {
        of!(&mut self.parts, parts => parts[0].fail(observer, switch));
    }

    /// All tables of a switch, and the links that are up, are these from now on.
    pub(crate) fn set_tables(
        &mut self,
        observer: &mut impl Observer,
        switch: u32,
        table: &TwoLevelTable,
        live: u64,
    ) {
        of!(&mut self.parts, parts => parts[0].set_tables(observer, switch, table, live));
    }

    /// End nodes hear of what is gone.
    pub(crate) fn notify_sources(&mut self, observer: &mut impl Observer) {
        of!(&mut self.parts, parts => parts[0].notify_sources(observer));
    }

    /// What has happened since the last fault.
    pub(crate) fn take_seen(&mut self) -> Seen {
        of!(&mut self.parts, parts => parts[0].take_seen())
    }
}
