//! A fabric that the flat engine runs.

use super::{Fabric, watchdog};
use crate::build::checked;
use crate::config::FabricConfig;
use crate::faults::{Faults, Seen};
use crate::flat::threads::{self, Here};
use crate::flat::{Flat, needs_order};
use crate::waits::Standing;
use crate::watch::{RunError, least_watchdog};
use hierarchy::TwoLevelTable;
use observe::{Observer, Offered, Outstanding, Owner, PortProbe, PortView, ReorderPeak};
use std::sync::Arc;
use switch::{ConfigError, LinkState};
use units::{PortId, Span, SwitchId, Tick, Unit};

/// The engine, as it must tell of what happens.
pub(crate) struct FlatFabric {
    engine: Mode,
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

impl FlatFabric {
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
        of!(&self.engine, parts => parts[0].injection_stage())
    }

    /// Visits all that was generated before now and has not arrived, each once.
    pub(crate) fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        of!(&self.engine, parts => parts.iter().for_each(|part| part.outstanding(&mut visit)));
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        of!(&self.engine, parts => parts.iter().for_each(|part| part.replies_to_come(&mut visit)));
    }

    /// Messages that were generated before now and would enter admittance later, in the order of
    /// their generation.
    pub(crate) fn unadmitted(&self) -> Vec<Offered> {
        let mut offers = Vec::new();
        of!(&self.engine, parts => parts.iter().for_each(|part| part.unadmitted(&mut offers)));
        offers.sort_by_key(|offered| (offered.born, offered.source));
        offers
    }

    /// Packets of messages in admittance, and packets in the network.
    pub(crate) fn packets(&self) -> (u64, u64) {
        let (mut waiting, mut in_network) = (0, 0);
        of!(&self.engine, parts => for part in parts {
            let more = part.packets();
            waiting += more.0;
            in_network += more.1;
        });
        (waiting, in_network as u64)
    }

    /// Ticks in which there was anything to do, of all parts.
    pub(super) fn ticks_served(&self) -> u64 {
        of!(&self.engine, parts => parts.iter().map(Flat::ticks_served).sum())
    }

    /// Packets in the network.
    pub(super) fn packets_in_network(&self) -> usize {
        of!(&self.engine, parts => parts.signs().in_network)
    }

    /// See [`Fabric::audit`].
    pub(super) fn audit(&self) -> Result<(), String> {
        of!(&self.engine, parts => parts.iter().try_for_each(Flat::audit))
    }

    /// Whether anything is on its way or to come, and the first thing that is not at home.
    pub(super) fn at_home(&mut self) -> (bool, Option<String>) {
        let in_network = self.packets_in_network() > 0;
        of!(&mut self.engine, parts => {
            parts.iter_mut().for_each(Flat::settle_for_looks);
            let is_busy = in_network || parts.iter().any(|part| part.is_busy());
            (is_busy, parts.iter().find_map(Flat::left_over))
        })
    }

    /// Answers of ECN in the network and such that wait for injection; CNPs made, where there are
    /// any.
    pub(crate) fn answers(&self) -> (u64, Option<u64>) {
        let (mut under_way, mut made) = (0, Some(0));
        of!(&self.engine, parts => for part in parts {
            let more = part.answers();
            under_way += more.0;
            made = made.zip(more.1).map(|(a, b)| a + b);
        });
        (under_way as u64, made)
    }

    /// See [`Fabric::marking_events`].
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|at| a[at] + b[at]);
        of!(&self.engine, parts => parts.iter().map(Flat::marking_events).fold([0; 3], sum))
    }

    /// The longest that any head has requested, of normal queues and of SAQs.
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        let most = |a: [Span; 2], b: [Span; 2]| [a[0].max(b[0]), a[1].max(b[1])];
        let none = [Span::ZERO; 2];
        of!(&self.engine, parts => parts.iter().map(Flat::longest_waits).fold(none, most))
    }

    /// The most that has waited in the reorder buffer of any one end node, where they have one.
    pub(crate) fn reorder_peak(&self) -> Option<ReorderPeak> {
        let most = |a: ReorderPeak, b: ReorderPeak| ReorderPeak {
            packets: a.packets.max(b.packets),
            bytes: a.bytes.max(b.bytes),
        };
        of!(&self.engine, parts => parts.iter().filter_map(Flat::reorder_peak).reduce(most))
    }

    /// Visits every connected port.
    pub(super) fn probe(&mut self, mut visit: impl FnMut(PortProbe)) {
        of!(&mut self.engine, parts => parts.iter_mut().for_each(|part| part.probe(&mut visit)));
    }

    /// A side of a port.
    pub(super) fn look(&mut self, unit: Unit) -> Option<PortView> {
        of!(&mut self.engine, parts => parts.iter_mut().find_map(|part| part.look(unit)))
    }

    /// Visits all two-level tables.
    pub(super) fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        of!(&self.engine, parts => parts[0].two_level_tables(visit));
    }

    /// The port at the other end of a link.
    pub(crate) fn peer(&self, here: Owner) -> Option<Owner> {
        of!(&self.engine, parts => parts[0].peer(here))
    }

    /// Ports of a switch.
    pub(crate) fn ports_of(&self, switch: u32) -> usize {
        of!(&self.engine, parts => parts[0].ports_of(switch))
    }

    /// How many switches there are.
    pub(crate) fn switch_count(&self) -> usize {
        of!(&self.engine, parts => parts[0].switch_count())
    }

    /// The longest waits are counted anew.
    pub(crate) fn forget_waits(&mut self) {
        of!(&mut self.engine, parts => parts.iter_mut().for_each(Flat::forget_waits));
    }

    /// Whose ports they are, by wire.
    pub(crate) fn owners(&self) -> &Arc<[Owner]> {
        of!(&self.engine, parts => parts[0].owners())
    }

    /// The run is over: what was told ahead of the end is taken back, of each part at its observer.
    pub(super) fn end<'a, O: Observer + 'a>(&self, observers: impl Iterator<Item = &'a mut O>) {
        of!(&self.engine, parts => {
            parts.iter().zip(observers).for_each(|(part, observer)| part.end(observer));
        });
    }
}

impl<O: Observer> Fabric<O> {
    /// A fabric that the flat engine runs, which does all that is asked for, in up to so many
    /// parts, if the observer can be split.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub(super) fn flat_new(
        config: &FabricConfig,
        threads: usize,
        mut observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
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
        let engine = if observer.is_ordered() || needs_order(config, &params) {
            Mode::Timed(Flat::all(config, &here)?)
        } else {
            Mode::Eager(Flat::all(config, &here)?)
        };
        Ok(Fabric {
            units: None,
            now: Tick::ZERO,
            watch: watchdog(config, least_watchdog(&params, &config.link))?,
            faults: Faults::new(config),
            observer,
            forks,
            flat: Some(Box::new(FlatFabric {
                engine,
                exchange: threads::Exchange::new(&here, config, &params),
            })),
        })
    }

    /// The flat engine, if it runs this.
    pub(crate) fn flat(&self) -> Option<&FlatFabric> {
        self.flat.as_deref()
    }

    pub(super) fn run_flat(&mut self, until: Tick) -> Result<(), RunError> {
        while self.now < until {
            self.apply_faults();
            let notice = self.faults.next_notice(self.now);
            let due = notice.min(self.watch.next()).min(self.faults.next());
            let end = until.min(due);
            let Some(flat) = &mut self.flat else {
                return Ok(());
            };
            let observers = std::iter::once(&mut self.observer).chain(&mut self.forks);
            of!(&mut flat.engine, parts => flat.exchange.run(parts, observers, end));
            if !self.forks.is_empty() {
                self.observer
                    .meet(&mut self.forks.iter_mut().collect::<Vec<_>>());
            }
            self.now = end;
            if end == notice {
                self.tell_sources();
            }
            let Some(flat) = &mut self.flat else {
                return Ok(());
            };
            if end == self.watch.next() {
                of!(&mut flat.engine, parts => {
                    parts.iter_mut().for_each(Flat::settle_for_looks);
                    self.watch.look(parts)?;
                });
            }
        }
        Ok(())
    }

    /// As [`Fabric::set_link`] of the flat engine, if it runs this. Whether it does.
    pub(crate) fn set_link_of_flat(&mut self, here: Owner, there: Owner, state: LinkState) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, parts => parts[0].set_link(observer, (here, there), state));
        true
    }

    /// The switch at an end of a link that has gone down or come up is told of it, if the flat
    /// engine runs this. Whether it does.
    pub(crate) fn port_changed_of_flat(&mut self, end: Owner, state: LinkState) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        match state {
            LinkState::Down => of!(&mut flat.engine, parts => parts[0].port_down(observer, end)),
            LinkState::Up => of!(&mut flat.engine, parts => parts[0].port_up(observer, end)),
        }
        true
    }

    /// A switch fails, and its links go down, if the flat engine runs this. Whether it does.
    pub(crate) fn fail_flat(&mut self, switch: u32, links: &[(Owner, Owner)]) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, parts => parts[0].lose_packets(observer, switch));
        for &(here, there) in links {
            self.link_down(here, there);
        }
        if let Some(flat) = &mut self.flat {
            let observer = &mut self.observer;
            of!(&mut flat.engine, parts => parts[0].fail(observer, switch));
        }
        true
    }

    /// All tables of a switch are these from now on, if the flat engine runs this. Whether it does.
    pub(crate) fn set_tables_of_flat(
        &mut self,
        switch: u32,
        table: &TwoLevelTable,
        live: u64,
    ) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, parts => parts[0].set_tables(observer, switch, table, live));
        true
    }

    /// End nodes hear of what is gone, if the flat engine runs this. Whether it does.
    pub(crate) fn tell_sources_of_flat(&mut self) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, parts => parts[0].tell_sources(observer));
        true
    }

    /// What has happened since the last fault, of the flat engine.
    pub(crate) fn take_seen_of_flat(&mut self) -> Option<Seen> {
        let flat = self.flat.as_deref_mut()?;
        Some(of!(&mut flat.engine, parts => parts[0].take_seen()))
    }
}
