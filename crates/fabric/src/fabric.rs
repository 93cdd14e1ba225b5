//! A fabric and its clock.

mod probe;

pub use probe::PortProbe;

use crate::audit::audit;
use crate::build::build;
use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::engine::fast::Fast;
use crate::engine::reference::Reference;
use crate::env::Medium;
use crate::observer::Observer;
use crate::units_of::Units;
use crate::waits;
use switch::ConfigError;
use units::Tick;

/// A run that stopped by itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// Packets are in the network and none moves.
    #[error(
        "deadlock at tick {tick}: {in_network} packets in the network, none moved for {ticks} ticks\n{dump}"
    )]
    Deadlock {
        /// When it was noticed.
        tick: Tick,
        /// For how long nothing moved.
        ticks: Tick,
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
        ticks: Tick,
        /// Packets in the network.
        in_network: usize,
        /// Who waits for whom.
        dump: String,
    },
}

enum Clockwork {
    Fast(Box<Fast>),
    Reference(Reference),
}

/// Switches, links and end nodes, with an engine and an observer.
pub struct Fabric<O> {
    units: Units,
    medium: Medium,
    clockwork: Clockwork,
    now: Tick,
    watchdog: Tick,
    last: (u64, u64),
    last_in_network: usize,
    quiet_moves: Tick,
    quiet_ejects: Tick,
    /// The observer.
    pub observer: O,
}

impl<O: Observer> Fabric<O> {
    /// A fabric before its first tick.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub fn new(
        config: &FabricConfig,
        engine: Engine,
        observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
        let (units, medium) = build(config)?;
        let clockwork = match engine {
            Engine::Fast => Clockwork::Fast(Box::new(Fast::new(&units))),
            Engine::Reference => Clockwork::Reference(Reference::new(&units, None)),
            Engine::Shuffled(seed) => Clockwork::Reference(Reference::new(&units, Some(seed))),
        };
        // Whoever waits for an answer over a link waits for two wires: that is no standstill.
        let longest = config
            .link
            .wire_overrides
            .iter()
            .map(|o| o.1)
            .fold(config.link.wire, Tick::max);
        let watchdog = config.run.watchdog.saturating_add(2 * longest).max(1);
        Ok(Fabric {
            units,
            medium,
            clockwork,
            now: 0,
            watchdog,
            last: (0, 0),
            last_in_network: 0,
            quiet_moves: 0,
            quiet_ejects: 0,
            observer,
        })
    }

    /// The present tick: everything before it has been simulated.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        self.medium.packets.alive()
    }

    /// Whether the flow has offered any message that was not refused.
    pub fn flow_sends(&self, source: usize, destination: usize) -> bool {
        self.units.nodes[source]
            .admittance
            .has_sent(destination as u32)
    }

    /// Simulates up to, not including, tick `until`.
    ///
    /// # Errors
    /// Deadlock or livelock.
    ///
    /// # Panics
    /// When an invariant of the model is broken; the text starts with [`units::BROKEN_PREFIX`].
    pub fn run_until(&mut self, until: Tick) -> Result<(), RunError> {
        let result = self.advance_until(until);
        self.settle();
        result
    }

    /// What has left or come back by now is seen from outside too.
    pub(crate) fn settle(&mut self) {
        self.units.settle(&mut self.medium, self.now);
    }

    /// [`Fabric::run_until`] without a look from outside at its end.
    pub(crate) fn advance_until(&mut self, until: Tick) -> Result<(), RunError> {
        while self.now < until {
            let end = until.min(self.now.saturating_add(self.watchdog));
            let from = self.now;
            match &mut self.clockwork {
                Clockwork::Fast(fast) => fast.run(
                    &mut self.units,
                    &mut self.medium,
                    &mut self.observer,
                    from,
                    end,
                ),
                Clockwork::Reference(reference) => reference.run(
                    &mut self.units,
                    &mut self.medium,
                    &mut self.observer,
                    from,
                    end,
                ),
            }
            self.now = end;
            self.watch(end - from)?;
        }
        Ok(())
    }

    /// Looks for signs of life since the last look.
    fn watch(&mut self, ticks: Tick) -> Result<(), RunError> {
        let (sent, ejected) = (self.medium.sent, self.medium.ejected);
        let in_network = self.packets_in_network();
        // Only packets that were there at the last look too have stood still since.
        let stood = self.last_in_network > 0 && in_network > 0;
        let quiet = |counter: Tick, same: bool| if same && stood { counter + ticks } else { 0 };
        self.quiet_moves = quiet(self.quiet_moves, sent == self.last.0);
        self.quiet_ejects = quiet(self.quiet_ejects, ejected == self.last.1);
        self.last = (sent, ejected);
        self.last_in_network = in_network;
        if self.quiet_moves >= self.watchdog {
            self.settle();
            let (tick, ticks, dump) = (
                self.now,
                self.quiet_moves,
                waits::dump(&self.units, &self.medium),
            );
            return Err(RunError::Deadlock {
                tick,
                ticks,
                in_network,
                dump,
            });
        }
        if self.quiet_ejects >= self.watchdog.saturating_mul(10) {
            self.settle();
            let (tick, ticks, dump) = (
                self.now,
                self.quiet_ejects,
                waits::dump(&self.units, &self.medium),
            );
            return Err(RunError::Livelock {
                tick,
                ticks,
                in_network,
                dump,
            });
        }
        Ok(())
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        audit(&self.units, &self.medium)
    }

    /// Every packet generated and not delivered must be in admittance or in the network.
    pub(crate) fn check_conservation(&self, expected: u64) {
        let waiting: u64 = self
            .units
            .nodes
            .iter()
            .map(|n| n.admittance.packets(self.units.params.packet_bytes))
            .sum();
        let found = waiting + self.packets_in_network() as u64;
        if found != expected {
            let what = format!(
                "conservation: {expected} packets generated and not delivered, {found} found"
            );
            units::broken(units::Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// Simulates until everything is at home or tick `limit`: for tests, with traffic that ends.
    ///
    /// # Errors
    /// Deadlock or livelock, or `Ok(Some(what))` naming the first thing that is not at home at `limit`.
    pub fn drain(&mut self, limit: Tick) -> Result<Option<String>, RunError> {
        loop {
            let waits = self.packets_in_network() > 0
                || self.units.admittance_waits()
                || self.units.next_generation().is_some();
            if !waits
                && self.medium.wires.control_packets() == 0
                && self.units.left_over().is_none()
            {
                return Ok(None);
            }
            if self.now >= limit {
                let left = self.units.left_over();
                return Ok(Some(left.unwrap_or_else(|| {
                    "control packets or traffic are left".to_string()
                })));
            }
            let step = self.watchdog.min(limit - self.now).min(5_000);
            self.run_until(self.now + step)?;
        }
    }
}
