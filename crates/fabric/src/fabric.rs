//! A fabric and its clock.

mod flat;
mod probe;

use crate::build::build;
use crate::clock::Engine;
use crate::config::FabricConfig;
use crate::faults::Faults;
use crate::flat::refused;
use crate::part::{Part, Parts};
use crate::watch::{RunError, Watch, least_watchdog};
use endnode::EndNode;
use observe::{Observer, PacketKind};
use switch::{ConfigError, Packet};
use units::{Span, Tick};

/// Switches, links and end nodes, with an engine and an observer.
pub struct Fabric<O> {
    /// One of the two.
    units: Option<Box<Part>>,
    flat: Option<Box<flat::FlatFabric>>,
    now: Tick,
    watch: Watch,
    pub(crate) faults: Faults,
    /// The observer; of a fabric in several parts that of the first one until
    /// [`Fabric::merge_observers`].
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
        observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
        match engine.threads().filter(|_| refused(config).is_none()) {
            Some(threads) => Fabric::flat_new(config, threads, observer),
            None => Fabric::of_units(config, engine, observer),
        }
    }

    /// A fabric of units.
    fn of_units(
        config: &FabricConfig,
        engine: Engine,
        observer: O,
    ) -> Result<Fabric<O>, ConfigError> {
        let units = build(config, engine)?;
        let least = least_watchdog(&units.elements.params, &config.link);
        Ok(Fabric {
            watch: watchdog(config, least)?,
            units: Some(Box::new(units)),
            flat: None,
            now: Tick::ZERO,
            faults: Faults::new(config),
            observer,
            forks: Vec::new(),
        })
    }

    /// The units.
    ///
    /// # Panics
    /// If the flat engine runs this fabric.
    pub(crate) fn all(&self) -> Parts<'_> {
        Parts {
            part: self.units.as_ref().expect("a fabric of units"),
            now: self.now,
        }
    }

    /// The units, to be changed.
    pub(crate) fn units_mut(&mut self) -> &mut Part {
        self.units.as_mut().expect("a fabric of units")
    }

    /// The units, to be changed, and the observer.
    pub(crate) fn units_and_observer(&mut self) -> (&mut Part, &mut O) {
        let units = self.units.as_mut().expect("a fabric of units");
        (units, &mut self.observer)
    }

    /// What the observers of all parts have seen, in [`Fabric::observer`]. The run is over.
    pub fn merge_observers(&mut self) {
        if let Some(flat) = &self.flat {
            flat.end(std::iter::once(&mut self.observer).chain(&mut self.forks));
        }
        for fork in self.forks.drain(..) {
            self.observer.merge(fork);
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

    /// The present tick: everything before it has been simulated.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Ticks in which the flat engine found anything to do; `None` of the units.
    pub fn ticks_served(&self) -> Option<u64> {
        if let Some(flat) = &self.flat {
            return Some(flat.ticks_served());
        }
        None
    }

    /// Threads that it asks the system for: those asked for, at most one a switch, one where the
    /// observer cannot be split, and no more than [`Fabric::limit_threads`] allows.
    pub fn threads(&self) -> usize {
        self.flat.as_ref().map_or(1, |flat| flat.threads())
    }

    /// Runs on at most so many threads from now on. Results do not depend on it.
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        assert!(threads > 0, "0 threads: legal is 1 or more");
        if let Some(flat) = &mut self.flat {
            flat.limit_threads(threads);
        }
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        match &self.flat {
            Some(flat) => flat.packets_in_network(),
            None => self.all().packets_in_network(),
        }
    }

    /// Simulates up to, not including, tick `until`.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    ///
    /// # Panics
    /// When an invariant of the model is broken, with [`units::Broken`].
    pub fn run_until(&mut self, until: Tick) -> Result<(), RunError> {
        if self.flat.is_some() {
            return self.run_flat(until);
        }
        while self.now < until {
            self.apply_faults();
            // Notices and looks of the watchdog do not depend on the caller's pieces.
            let notice = self.faults.next_notice(self.now);
            let due = notice.min(self.watch.next()).min(self.faults.next());
            let end = until.min(due);
            let now = self.now;
            let (units, observer) = self.units_and_observer();
            units.run(observer, now, end);
            self.now = end;
            if end == notice {
                self.tell_sources();
            }
            if end == self.watch.next() {
                let all = Parts {
                    part: self.units.as_ref().expect("a fabric of units"),
                    now: end,
                };
                self.watch.look(&all)?;
            }
        }
        Ok(())
    }

    /// Every packet generated and not delivered must be in admittance or in the network, or one of
    /// the `unadmitted`.
    pub(crate) fn check_conservation(&self, expected: u64, unadmitted: u64) {
        let (waiting, in_network) = match &self.flat {
            Some(flat) => flat.packets(),
            None => {
                let waiting = self.all().nodes().map(|(_, n)| n.packets()).sum();
                let in_network = self.packets_in_network() as u64;
                (waiting, in_network - self.acks_in_network())
            }
        };
        let found = waiting + unadmitted + in_network;
        if found != expected {
            let what = format!(
                "conservation: {expected} packets generated and not delivered, {found} found"
            );
            units::broken(units::Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// ACKs and CNPs in the network: a walk over all packets, where there are any.
    pub(crate) fn acks_in_network(&self) -> u64 {
        let mut acks = 0;
        if self.all().nodes().any(|(_, node)| node.ecn().is_some()) {
            let is_answer = |kind| matches!(kind, PacketKind::Ack | PacketKind::Cnp);
            let count = |packet: &Packet| acks += u64::from(is_answer(packet.kind));
            self.all().part.transit.packets.for_each(count);
        }
        acks
    }

    /// How often a full input memory was an event of ECN so far, how often no marks were owed then,
    /// and the data packets that waited in these memories.
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        if let Some(flat) = &self.flat {
            return flat.marking_events();
        }
        let markers = self.all().switches();
        let markers = markers.filter_map(|(_, switch)| switch.marker());
        markers.fold([0; 3], |[all, at_rest, waited], marker| {
            let [more, more_at_rest] = marker.events();
            let waited = waited + marker.waited_at_events();
            [all + more, at_rest + more_at_rest, waited]
        })
    }

    /// CNPs made; `None` where packets are answered by ACKs, or by nothing.
    fn cnps_made(&self) -> Option<u64> {
        if let Some(flat) = &self.flat {
            return flat.answers().1;
        }
        let mut nodes = self.all().nodes();
        nodes.try_fold(0, |made, (_, node)| Some(made + node.ecn()?.cnps_made()?))
    }

    /// Every packet delivered must have been answered by one ACK; every CNP must be somewhere.
    pub(crate) fn check_acks(&self, delivered: u64, acks_delivered: u64) {
        let (what, delivered) = match self.cnps_made() {
            Some(made) => ("CNPs made", made),
            None => ("packets delivered", delivered),
        };
        let waiting = |node: &EndNode| node.ecn().map_or(0, |ecn| ecn.acks().len() as u64);
        let waits = || {
            self.all()
                .nodes()
                .map(|(_, node)| waiting(node))
                .sum::<u64>()
        };
        let under_way = match &self.flat {
            Some(flat) => flat.answers().0,
            None => waits() + self.acks_in_network(),
        };
        let found = acks_delivered + under_way;
        if found != delivered {
            let what = format!("{delivered} {what}, {found} answers found");
            units::broken(units::Unit::Switch { switch: 0 }, self.now, &what);
        }
    }

    /// Simulates until everything is at home or tick `limit`: for tests, with traffic that ends.
    ///
    /// # Errors
    /// Deadlock, standstill or livelock, or `Ok(Some(what))` naming the first thing that is not at
    /// home at `limit`.
    pub fn drain(&mut self, limit: Tick) -> Result<Option<String>, RunError> {
        loop {
            let (is_busy, left) = match &mut self.flat {
                Some(flat) => flat.at_home(),
                None => (self.all().is_busy(), self.all().left_over()),
            };
            if !is_busy && left.is_none() {
                return Ok(None);
            }
            if self.now >= limit {
                return Ok(Some(left.unwrap_or_else(|| {
                    "control packets or traffic are left".to_string()
                })));
            }
            let step = (limit - self.now).min(Span(5_000));
            self.run_until(self.now + step)?;
        }
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
        return Err(ConfigError::LateNotice {
            given: notice,
            most: given,
        });
    }
    Ok(Watch::new(given, least, hops_max(config)))
}

/// A bound on the switches of a route.
fn hops_max(config: &FabricConfig) -> u64 {
    // A turn takes a bit or more.
    let hops_max = u64::from(config.network.route_bits_max()) + 1;
    let hierarchy = config.network.hierarchy();
    hierarchy.map_or(hops_max, |h| hops_max.max(h.checked().hops_max.into()))
}
