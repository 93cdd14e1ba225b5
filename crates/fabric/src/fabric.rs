//! A fabric and its clock.

mod flat;
mod probe;

use crate::audit::audit;
use crate::build::{Built, build};
use crate::clock::Engine;
use crate::clock::parallel::Exchange;
use crate::config::FabricConfig;
use crate::faults::Faults;
use crate::part::{Part, Parts};
use crate::partition::Partition;
use crate::watch::{RunError, Watch};
use endnode::EndNode;
use observe::{Observer, PacketKind};
use switch::{ConfigError, Packet};
use units::{ElementId, Span, Tick};

/// Switches, links and end nodes, with an engine and an observer.
pub struct Fabric<O> {
    parts: Vec<Part>,
    partition: Partition,
    exchange: Exchange,
    now: Tick,
    watch: Watch,
    pub(crate) faults: Faults,
    /// The observer; of a fabric in several parts that of the first one until
    /// [`Fabric::merge_observers`].
    pub observer: O,
    /// Those of the other parts.
    forks: Vec<O>,
    /// In the place of parts.
    flat: Option<Box<flat::FlatFabric>>,
}

impl<O: Observer> Fabric<O> {
    /// A fabric before its first tick. It is cut into parts as the engine asks, if the observer can
    /// be split.
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
            least_watchdog,
        } = build(config, &partition, engine)?;
        let given = config.run.watchdog;
        if given < least_watchdog {
            return Err(ConfigError::ShortWatchdog {
                given,
                least: least_watchdog,
            });
        }
        let notice = config.faults.notice;
        let is_late = notice == Span::ZERO || notice > given;
        if is_late && !config.faults.is_none() {
            return Err(ConfigError::LateNotice {
                given: notice,
                most: given,
            });
        }
        let watch = Watch::new(given, least_watchdog, hops_max(config));
        Ok(Fabric {
            exchange: Exchange::new(&links, lookahead),
            parts,
            partition,
            now: Tick::ZERO,
            watch,
            faults: Faults::new(config),
            observer,
            forks,
            flat: None,
        })
    }

    /// Its parts.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }

    /// The part that has an element, its number there, and the observer of that part.
    pub(crate) fn part_of(&mut self, element: ElementId) -> (ElementId, &mut Part, &mut O) {
        let slot = self.partition.slot(element.0);
        let is_node = element.index() >= self.partition.switches.len();
        let part = &mut self.parts[slot.part as usize];
        let before = if is_node {
            part.elements.switches.len()
        } else {
            0
        };
        let at = ElementId::at(before + slot.at as usize);
        let observer = match slot.part.checked_sub(1) {
            None => &mut self.observer,
            Some(fork) => &mut self.forks[fork as usize],
        };
        (at, part, observer)
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

    pub(crate) fn all(&self) -> Parts<'_> {
        Parts {
            parts: &self.parts,
            partition: &self.partition,
            now: self.now,
        }
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

    /// Ticks in which a part had anything to do, of all parts: what the fast engine has looked at.
    /// `None` of an engine that looks at every tick.
    pub fn ticks_served(&self) -> Option<u64> {
        self.parts.iter().map(Part::ticks_served).sum()
    }

    /// Threads that it asks the system for: those asked for, at most one a switch, one where the
    /// observer cannot be split, and no more than [`Fabric::limit_threads`] allows.
    pub fn threads(&self) -> usize {
        match &self.flat {
            Some(flat) => flat.threads(),
            None => self.exchange.threads(),
        }
    }

    /// Runs on at most so many threads from now on. Results do not depend on it.
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        assert!(threads > 0, "0 threads: legal is 1 or more");
        self.exchange.limit_threads(threads);
        if let Some(flat) = &mut self.flat {
            flat.limit_threads(threads);
        }
    }

    /// Packets in the network: admitted and not yet ejected.
    pub fn packets_in_network(&self) -> usize {
        self.all().packets_in_network()
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
            self.run_parts(self.now, end);
            self.now = end;
            if end == notice {
                self.tell_sources();
            }
            let looks = end == self.watch.next();
            for part in &mut self.parts {
                part.elements.count_credit(&mut part.transit.wires, end);
            }
            if looks {
                let all = Parts {
                    parts: &self.parts,
                    partition: &self.partition,
                    now: end,
                };
                self.watch.look(all)?;
            }
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

    /// The longest that any head has requested, of normal queues and of SAQs, see
    /// [`switch::Switch::longest_waits`].
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        if let Some(flat) = &self.flat {
            return flat.longest_waits();
        }
        let waits = self.all().switches();
        let waits =
            waits.map(|(part, switch)| switch.longest_waits(&part.transit.packets, self.now));
        waits.fold([Span::ZERO; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])])
    }

    /// The longest waits are counted anew from the present tick on.
    pub(crate) fn forget_waits(&mut self) {
        if let Some(flat) = &mut self.flat {
            flat.forget_waits();
        }
        let switches = self.parts.iter_mut().flat_map(|p| &mut p.elements.switches);
        switches.for_each(switch::Switch::forget_waits);
    }

    /// Looks at every memory cell by cell and at the credits of every link: for tests, every few
    /// hundred ticks.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        audit(self.all())
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
        // A part may have no end nodes, and answers on their way.
        if self.all().nodes().any(|(_, node)| node.ecn().is_some()) {
            for part in self.parts() {
                let is_answer = |kind| matches!(kind, PacketKind::Ack | PacketKind::Cnp);
                let count = |packet: &Packet| acks += u64::from(is_answer(packet.kind));
                part.transit.packets.for_each(count);
            }
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
            let whole = self.all();
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
            let step = (limit - self.now).min(Span(5_000));
            self.run_until(self.now + step)?;
        }
    }
}

/// A bound on the switches of a route.
fn hops_max(config: &FabricConfig) -> u64 {
    // A turn takes a bit or more.
    let hops_max = u64::from(config.network.route_bits_max()) + 1;
    let hierarchy = config.network.hierarchy();
    hierarchy.map_or(hops_max, |h| hops_max.max(h.checked().hops_max.into()))
}
