//! A fabric: its engine, the timetable of faults, the watchdog and its observers.

use crate::engine::{Engine, Faultable, Implementation, Running, either};
use crate::faults::Faults;
use crate::feed::Feed;
use crate::flat::{self, refused};
use crate::reference::Reference;
use crate::watch::{RunError, Watch, least_watchdog};
use hierarchy::TwoLevelTable;
use observe::{Observer, PortProbe, PortView, View};
use plan::{ConfigError, FabricConfig, checked};
use switch::RequestView;
use units::{PortId, Span, SwitchId, Tick, Unit, broken};

/// Switches, links and end nodes, with an engine and an observer.
pub struct Fabric<O> {
    pub(crate) engine: Running,
    now: Tick,
    /// The stages between the generation of a message and its entry into admittance.
    pub(crate) injection_stage: Span,
    watch: Watch,
    pub(crate) faults: Faults,
    feed: Option<Feed>,
    /// The observer; of the first part alone until [`Fabric::merge_observers`].
    pub observer: O,
    /// Those of the other parts.
    forks: Vec<O>,
}

impl<O: Observer> Fabric<O> {
    /// A fabric before its first tick. [`Engine::Fast`] is the flat engine where that does all that
    /// is asked for, else it is [`Engine::Reference`]. It is cut into parts as the engine asks, if
    /// the observer can be split.
    ///
    /// # Errors
    /// What cannot be built, see [`ConfigError`].
    pub fn new(
        config: &FabricConfig,
        engine: Engine,
        mut observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
        let params = checked(config)?;
        let watch = watchdog(config, least_watchdog(&params, &config.link));
        let mut forks = Vec::new();
        let engine = match engine {
            Engine::Fast | Engine::Parallel(_) if !refused(config) => {
                let running;
                (running, forks) = flat::build(config, engine.threads(), &mut observer)?;
                running
            }
            Engine::Shuffled(seed) => {
                Running::Reference(Box::new(Reference::new(config, Some(seed))?))
            }
            Engine::Fast | Engine::Parallel(_) | Engine::Reference => {
                Running::Reference(Box::new(Reference::new(config, None)?))
            }
        };
        Ok(Fabric {
            engine,
            now: Tick::ZERO,
            injection_stage: params.stages.injection,
            watch: watch?,
            faults: Faults::new(config),
            feed: config.workload.trace.as_ref().map(Feed::new),
            observer,
            forks,
        })
    }

    /// The present tick: everything before it has been simulated.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Simulates up to, not including, tick `until`.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    ///
    /// # Panics
    /// When an invariant of the model is broken, with [`units::Broken`].
    pub fn run_until(&mut self, until: Tick) -> Result<(), RunError> {
        while self.now < until {
            self.apply_faults();
            let fed = self.feed()?;
            // Notices and looks of the watchdog do not depend on the caller's pieces.
            let notice = self.faults.next_notice(self.now);
            let due = notice.min(self.watch.next()).min(self.faults.next());
            let end = until.min(due).min(fed);
            let observers = std::iter::once(&mut self.observer).chain(&mut self.forks);
            either!(&mut self.engine, it => it.run_until(observers, end));
            if !self.forks.is_empty() {
                self.observer.meet(&mut self.forks.iter_mut().collect::<Vec<_>>());
            }
            self.now = end;
            if end == notice {
                either!(&mut self.engine, it => it.faultable().notify_sources(&mut self.observer));
            }
            if end == self.watch.next() {
                either!(&mut self.engine, it => it.look_at(&mut self.watch))?;
            }
        }
        Ok(())
    }

    /// Gives the sources what a trace has for them; the next tick before which it has more.
    fn feed(&mut self) -> Result<Tick, RunError> {
        let Some(feed) = &mut self.feed else {
            return Ok(Tick::MAX);
        };
        let (now, engine) = (self.now, &mut self.engine);
        feed.give(now, |message| either!(engine, it => it.give_message(message, now)))?;
        Ok(feed.next())
    }

    /// Simulates until everything is at home or tick `limit`: for tests, with traffic that ends.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock, or `Ok(Some(what))` naming the first thing that is not at
    /// home at `limit`.
    pub fn drain(&mut self, limit: Tick) -> Result<Option<String>, RunError> {
        loop {
            let (is_busy, left) = either!(&mut self.engine, it => it.at_home());
            let is_fed = self.feed.as_mut().is_none_or(|feed| feed.next() == Tick::MAX);
            if is_fed && !is_busy && left.is_none() {
                return Ok(None);
            }
            if self.now >= limit {
                return Ok(Some(
                    left.unwrap_or_else(|| "control packets or traffic are left".to_string()),
                ));
            }
            let step = (limit - self.now).min(Span(5_000));
            self.run_until(self.now + step)?;
        }
    }

    /// What the observers of all parts have seen, in [`Fabric::observer`]. The run is over.
    pub fn merge_observers(&mut self) {
        let observers = std::iter::once(&mut self.observer).chain(&mut self.forks);
        either!(&self.engine, it => it.end(observers));
        for fork in self.forks.drain(..) {
            self.observer.merge(fork);
        }
    }

    /// Visits every connected port, ingress before egress, switches before end nodes.
    pub fn probe(&mut self, visit: impl FnMut(PortProbe)) {
        either!(&mut self.engine, it => it.probe(visit));
    }

    /// A side of a port as the last simulated tick has left it; none for a whole switch or node.
    pub fn look(&mut self, unit: Unit) -> Option<PortView> {
        either!(&mut self.engine, it => it.look(unit))
    }

    /// Visits every head that requests the crossbar of its switch, by the registers of units.
    ///
    /// # Panics
    /// If this is the flat engine, which has none.
    pub fn requests(&self, visit: impl FnMut(SwitchId, RequestView)) {
        let Running::Reference(units) = &self.engine else {
            panic!("requests are registers of the units");
        };
        units.requests(visit);
    }

    /// Visits the tables of every ingress port that has two-level ones, as they are now.
    pub fn two_level_tables(&self, visit: impl FnMut(SwitchId, PortId, &TwoLevelTable)) {
        either!(&self.engine, it => it.two_level_tables(visit));
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few
    /// hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        either!(&self.engine, it => it.audit())
    }

    /// Ticks in which the flat engine found anything to do, of all parts; `None` of the units.
    pub fn ticks_served(&self) -> Option<u64> {
        either!(&self.engine, it => it.ticks_served())
    }

    /// Threads that it asks the system for: those asked for, at most one a switch, one where the
    /// observer cannot be split, and no more than [`Fabric::limit_threads`] allows.
    pub fn threads(&self) -> usize {
        either!(&self.engine, it => it.threads())
    }

    /// Runs on at most so many threads from now on. Results do not depend on it.
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        assert!(threads > 0, "0 threads: legal is 1 or more");
        either!(&mut self.engine, it => it.limit_threads(threads));
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        either!(&self.engine, it => it.packets_in_network())
    }

    /// The run is over: observers are told of messages that were generated before now and would
    /// enter admittance later. They count as generated and not refused. Returns their packets.
    pub(crate) fn offer_unadmitted(&mut self) -> u64 {
        let owners = either!(&self.engine, it => it.owners().clone());
        let view = View { now: self.now, owners: &owners };
        let mut packets = 0;
        for offered in either!(&self.engine, it => it.unadmitted()) {
            packets += u64::from(offered.packets);
            self.observer.offered(view, offered);
        }
        packets
    }

    /// Every packet generated and not delivered must be in admittance, in the network or
    /// unadmitted.
    pub(crate) fn check_conservation(&self, expected: u64, unadmitted: u64) {
        let (waiting, in_network) = either!(&self.engine, it => it.packets());
        let found = waiting + unadmitted + in_network;
        if found != expected {
            let what = format!(
                "conservation: {expected} packets generated and not delivered, {found} found"
            );
            broken(Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// Every packet delivered must have been answered by one ACK; every CNP must be somewhere.
    pub(crate) fn check_acks(&self, delivered: u64, acks_delivered: u64) {
        let (under_way, cnps_made) = either!(&self.engine, it => it.answers());
        let (what, delivered) = match cnps_made {
            Some(made) => ("CNPs made", made),
            None => ("packets delivered", delivered),
        };
        let found = acks_delivered + under_way;
        if found != delivered {
            let what = format!("{delivered} {what}, {found} answers found");
            broken(Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// The observers of all parts, to be changed.
    pub(crate) fn observers_mut(&mut self) -> impl Iterator<Item = &mut O> {
        std::iter::once(&mut self.observer).chain(&mut self.forks)
    }

    /// The observers of all parts.
    pub(crate) fn observers(&self) -> impl Iterator<Item = &O> {
        std::iter::once(&self.observer).chain(&self.forks)
    }
}

/// The watchdog, which looks `least` ticks apart at least.
///
/// # Errors
/// It looks too often, or end nodes hear of what is gone too seldom for it.
fn watchdog(config: &FabricConfig, least: Span) -> Result<Watch, ConfigError> {
    let (given, notice) = (config.run.watchdog, config.faults.notice);
    if given < least {
        return Err(ConfigError::ShortWatchdog { given, least });
    }
    let is_late = notice == Span::ZERO || notice > given;
    if is_late && !config.faults.is_none() {
        return Err(ConfigError::LateNotice { given: notice, most: given });
    }
    Ok(Watch::new(given, least, hops_max(config)))
}

/// A bound on the switches of a route.
fn hops_max(config: &FabricConfig) -> u64 {
    // A turn takes a bit or more.
    let hops_max = u64::from(config.network.route_bits_max()) + 1;
    let hierarchy = config.network.hierarchy();
    hierarchy.map_or(hops_max, |h| hops_max.max(h.checked.hops_max.into()))
}
