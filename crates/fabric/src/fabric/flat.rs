//! A fabric that the flat engine runs.

use super::{Fabric, watchdog};
use crate::config::FabricConfig;
use crate::faults::{Faults, Seen};
use crate::flat::{Flat, needs_order};
use crate::build::checked;
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
}

/// Whether what follows from a start is told at once, or everything in its tick.
enum Mode {
    Eager(Flat<true>),
    Timed(Flat<false>),
}

/// The same of both.
macro_rules! of {
    ($mode:expr, $flat:ident => $what:expr) => {
        match $mode {
            Mode::Eager($flat) => $what,
            Mode::Timed($flat) => $what,
        }
    };
}

impl FlatFabric {
    /// The stages between the generation of a message and its entry into admittance.
    pub(crate) fn injection_stage(&self) -> Span {
        of!(&self.engine, flat => flat.injection_stage())
    }

    /// Visits all that was generated before now and has not arrived, each once.
    pub(crate) fn outstanding(&self, visit: impl FnMut(Outstanding)) {
        of!(&self.engine, flat => flat.outstanding(visit));
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, visit: impl FnMut(Outstanding)) {
        of!(&self.engine, flat => flat.replies_to_come(visit));
    }

    /// Messages that were generated before now and would enter admittance later, in the order of
    /// their generation.
    pub(crate) fn unadmitted(&self) -> Vec<Offered> {
        of!(&self.engine, flat => flat.unadmitted())
    }

    /// Packets of messages in admittance, and packets in the network.
    pub(crate) fn packets(&self) -> (u64, u64) {
        of!(&self.engine, flat => flat.packets())
    }

    /// Ticks in which there was anything to do.
    pub(super) fn ticks_served(&self) -> u64 {
        of!(&self.engine, flat => flat.ticks_served())
    }

    /// Packets in the network.
    pub(super) fn packets_in_network(&self) -> usize {
        of!(&self.engine, flat => flat.signs().in_network)
    }

    /// See [`Fabric::audit`].
    pub(super) fn audit(&self) -> Result<(), String> {
        of!(&self.engine, flat => flat.audit())
    }

    /// Whether anything is on its way or to come, and the first thing that is not at home.
    pub(super) fn at_home(&mut self) -> (bool, Option<String>) {
        of!(&mut self.engine, flat => {
            flat.settle_for_looks();
            (flat.is_busy(), flat.left_over())
        })
    }

    /// Answers of ECN in the network and such that wait for injection; CNPs made, where there are
    /// any.
    pub(crate) fn answers(&self) -> (u64, Option<u64>) {
        of!(&self.engine, flat => flat.answers())
    }

    /// See [`Fabric::marking_events`].
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        of!(&self.engine, flat => flat.marking_events())
    }

    /// The longest that any head has requested, of normal queues and of SAQs.
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        of!(&self.engine, flat => flat.longest_waits())
    }

    /// The most that has waited in the reorder buffer of any one end node, where they have one.
    pub(crate) fn reorder_peak(&self) -> Option<ReorderPeak> {
        of!(&self.engine, flat => flat.reorder_peak())
    }

    /// Visits every connected port.
    pub(super) fn probe(&mut self, visit: impl FnMut(PortProbe)) {
        of!(&mut self.engine, flat => flat.probe(visit));
    }

    /// A side of a port.
    pub(super) fn look(&mut self, unit: Unit) -> Option<PortView> {
        of!(&mut self.engine, flat => flat.look(unit))
    }

    /// Visits all two-level tables.
    pub(super) fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        of!(&self.engine, flat => flat.two_level_tables(visit));
    }

    /// The port at the other end of a link.
    pub(crate) fn peer(&self, here: Owner) -> Option<Owner> {
        of!(&self.engine, flat => flat.peer(here))
    }

    /// Ports of a switch.
    pub(crate) fn ports_of(&self, switch: u32) -> usize {
        of!(&self.engine, flat => flat.ports_of(switch))
    }

    /// How many switches there are.
    pub(crate) fn switch_count(&self) -> usize {
        of!(&self.engine, flat => flat.switch_count())
    }

    /// The longest waits are counted anew.
    pub(crate) fn forget_waits(&mut self) {
        of!(&mut self.engine, flat => flat.forget_waits());
    }

    /// Whose ports they are, by wire.
    pub(crate) fn owners(&self) -> &Arc<[Owner]> {
        of!(&self.engine, flat => flat.owners())
    }

    /// The run is over: what was told ahead of the end is taken back.
    pub(super) fn end(&self, observer: &mut impl Observer) {
        of!(&self.engine, flat => flat.end(observer));
    }
}

impl<O: Observer> Fabric<O> {
    /// A fabric that the flat engine runs, which does all that is asked for.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub(super) fn flat_new(config: &FabricConfig, observer: O) -> Result<Fabric<O>, ConfigError> {
        let params = checked(config)?;
        let engine = if observer.is_ordered() || needs_order(config, &params) {
            Mode::Timed(Flat::new(config)?)
        } else {
            Mode::Eager(Flat::new(config)?)
        };
        Ok(Fabric {
            units: None,
            now: Tick::ZERO,
            watch: watchdog(config, least_watchdog(&params, &config.link))?,
            faults: Faults::new(config),
            observer,
            flat: Some(Box::new(FlatFabric { engine })),
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
            of!(&mut flat.engine, flat => flat.run_until(&mut self.observer, end));
            self.now = end;
            if end == notice {
                self.tell_sources();
            }
            let Some(flat) = &mut self.flat else {
                return Ok(());
            };
            if end == self.watch.next() {
                of!(&mut flat.engine, flat => {
                    flat.settle_for_looks();
                    self.watch.look(flat)?;
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
        of!(&mut flat.engine, flat => flat.set_link(observer, (here, there), state));
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
            LinkState::Down => of!(&mut flat.engine, flat => flat.port_down(observer, end)),
            LinkState::Up => of!(&mut flat.engine, flat => flat.port_up(observer, end)),
        }
        true
    }

    /// A switch fails, and its links go down, if the flat engine runs this. Whether it does.
    pub(crate) fn fail_flat(&mut self, switch: u32, links: &[(Owner, Owner)]) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, flat => flat.lose_packets(observer, switch));
        for &(here, there) in links {
            self.link_down(here, there);
        }
        if let Some(flat) = &mut self.flat {
            let observer = &mut self.observer;
            of!(&mut flat.engine, flat => flat.fail(observer, switch));
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
        of!(&mut flat.engine, flat => flat.set_tables(observer, switch, table, live));
        true
    }

    /// End nodes hear of what is gone, if the flat engine runs this. Whether it does.
    pub(crate) fn tell_sources_of_flat(&mut self) -> bool {
        let Some(flat) = &mut self.flat else {
            return false;
        };
        let observer = &mut self.observer;
        of!(&mut flat.engine, flat => flat.tell_sources(observer));
        true
    }

    /// What has happened since the last fault, of the flat engine.
    pub(crate) fn take_seen_of_flat(&mut self) -> Option<Seen> {
        let flat = self.flat.as_deref_mut()?;
        Some(of!(&mut flat.engine, flat => flat.take_seen()))
    }
}
