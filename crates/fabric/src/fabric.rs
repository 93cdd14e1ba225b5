//! A fabric and its clock.

mod probe;

pub use probe::PortProbe;

use crate::audit::audit;
use crate::build::{Built, build};
use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::engine::parallel::Exchange;
use crate::observer::Observer;
use crate::part::{Part, Whole};
use crate::partition::Partition;
use crate::waits;
use switch::ConfigError;
use units::{Tick, Ticks};

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

/// Switches, links and end nodes, with an engine and an observer.
pub struct Fabric<O> {
    parts: Vec<Part>,
    partition: Partition,
    exchange: Exchange,
    now: Tick,
    watchdog: Tick,
    last: (u64, u64),
    last_in_network: usize,
    quiet_moves: Tick,
    quiet_ejects: Tick,
    /// The observer; of a fabric in several parts that of the first one until [`Fabric::merge_observers`].
    pub observer: O,
    /// Those of the other parts.
    forks: Vec<O>,
}

impl<O: Observer> Fabric<O> {
    /// A fabric before its first tick. It is cut into parts as the engine asks, if the observer can be split.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub fn new(
        config: &FabricConfig,
        engine: Engine,
        mut observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
        let graph = config.network.graph();
        let mut partition = Partition::new(graph, engine.threads());
        let forks: Option<Vec<O>> = (1..partition.parts).map(|_| observer.fork()).collect();
        if forks.is_none() {
            partition = Partition::new(graph, 1);
        }
        let mut forks = forks.unwrap_or_default();
        if !forks.is_empty() {
            observer.meet(&mut forks.iter_mut().collect::<Vec<_>>());
        }
        let Built {
            parts,
            links,
            lookahead,
        } = build(config, &partition, engine)?;
        // Whoever waits for an answer over a link waits for two wires: that is no standstill.
        let longest = config
            .link
            .wire_overrides
            .iter()
            .map(|o| o.1)
            .fold(config.link.wire, Tick::max);
        let watchdog = config.run.watchdog.saturating_add(2 * longest).max(1);
        Ok(Fabric {
            exchange: Exchange::new(&links, lookahead),
            parts,
            partition,
            now: 0,
            watchdog,
            last: (0, 0),
            last_in_network: 0,
            quiet_moves: 0,
            quiet_ejects: 0,
            observer,
            forks,
        })
    }

    /// Its parts.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Its parts, each with its observer.
    pub(crate) fn parts_and_observers(&mut self) -> impl Iterator<Item = (&mut Part, &mut O)> {
        assert!(
            self.forks.len() + 1 == self.parts.len(),
            "a run goes on after its observers were merged"
        );
        let observers = std::iter::once(&mut self.observer).chain(&mut self.forks);
        self.parts.iter_mut().zip(observers)
    }

    fn whole(&self) -> Whole<'_> {
        Whole {
            parts: &self.parts,
            partition: &self.partition,
        }
    }

    /// What the observers of all parts have seen, in [`Fabric::observer`]. The run is over.
    pub fn merge_observers(&mut self) {
        for fork in self.forks.drain(..) {
            self.observer.merge(fork);
        }
    }

    /// The observers of all parts.
    pub(crate) fn observers(&self) -> impl Iterator<Item = &O> {
        std::iter::once(&self.observer).chain(&self.forks)
    }

    /// The present tick: everything before it has been simulated.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Threads that it asks the system for: those asked for, at most one a switch, one where the observer cannot be split, and no
    /// more than [`Fabric::limit_threads`] allows.
    pub fn threads(&self) -> usize {
        self.exchange.threads()
    }

    /// Runs on at most so many threads from now on. Results do not depend on it.
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        assert!(threads > 0, "0 threads: legal is 1 or more");
        self.exchange.limit_threads(threads);
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        self.whole().packets_in_network()
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
        let now = self.now;
        for (part, observer) in self.parts_and_observers() {
            part.settle(observer, now);
        }
    }

    /// [`Fabric::run_until`] without a look from outside at its end.
    pub(crate) fn advance_until(&mut self, until: Tick) -> Result<(), RunError> {
        while self.now < until {
            let end = until.min(self.now.saturating_add(self.watchdog));
            let from = self.now;
            self.run_parts(from, end);
            self.now = end;
            self.watch(end - from)?;
        }
        Ok(())
    }

    fn run_parts(&mut self, from: Tick, end: Tick) {
        if let [part] = &mut self.parts[..] {
            return part.run(&mut self.observer, from, end);
        }
        let observers = std::iter::once(&mut self.observer).chain(&mut self.forks);
        self.exchange
            .run(&mut self.parts, observers.collect(), from, end);
        self.observer
            .meet(&mut self.forks.iter_mut().collect::<Vec<_>>());
    }

    /// Looks for signs of life since the last look.
    fn watch(&mut self, ticks: Tick) -> Result<(), RunError> {
        let sum = |count: fn(&Part) -> u64| self.parts.iter().map(count).sum();
        let (sent, ejected): (u64, u64) = (sum(|p| p.medium.sent), sum(|p| p.medium.ejected));
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
            let (tick, ticks, dump) = (self.now, self.quiet_moves, waits::dump(self.whole()));
            return Err(RunError::Deadlock {
                tick,
                ticks,
                in_network,
                dump,
            });
        }
        if self.quiet_ejects >= self.watchdog.saturating_mul(10) {
            self.settle();
            let (tick, ticks, dump) = (self.now, self.quiet_ejects, waits::dump(self.whole()));
            return Err(RunError::Livelock {
                tick,
                ticks,
                in_network,
                dump,
            });
        }
        Ok(())
    }

    /// The longest that any head has requested, of normal queues and of SAQs, see
    /// [`switch::Switch::longest_waits`].
    pub(crate) fn longest_waits(&self) -> [Ticks; 2] {
        let waits = self.whole().switches();
        let waits = waits.map(|(_, switch)| switch.longest_waits(self.now));
        waits.fold([0; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
    }

    /// The longest waits are counted anew from the present tick on.
    pub(crate) fn forget_waits(&mut self) {
        let switches = self.parts.iter_mut().flat_map(|p| &mut p.units.switches);
        switches.for_each(switch::Switch::forget_waits);
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        audit(self.whole())
    }

    /// Every packet generated and not delivered must be in admittance or in the network, or one of the `unadmitted`.
    pub(crate) fn check_conservation(&self, expected: u64, unadmitted: u64) {
        let waiting: u64 = self
            .whole()
            .nodes()
            .map(|(part, n)| n.admittance.packets(part.units.params.packet_bytes))
            .sum();
        let found = waiting + unadmitted + self.packets_in_network() as u64;
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
            let whole = self.whole();
            let waits = whole.packets_in_network() > 0 || whole.is_busy();
            if !waits && whole.left_over().is_none() {
                return Ok(None);
            }
            if self.now >= limit {
                let left = whole.left_over();
                return Ok(Some(left.unwrap_or_else(|| {
                    "control packets or traffic are left".to_string()
                })));
            }
            let step = self.watchdog.min(limit - self.now).min(5_000);
            self.run_until(self.now + step)?;
        }
    }
}
