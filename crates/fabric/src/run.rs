//! A whole run with the default observers: configuration in, record out.

mod outcome;
mod pauses;
mod recorded;
mod sets;
mod snapshots;

pub use recorded::{recording, watch};

use crate::engine::{Engine, Implementation, either};
use crate::fabric::Fabric;
use crate::watch::RunError;
use observe::{EventsHash, MemoryBits, Observer, Stats, StatsConfig};
use plan::{ConfigError, FabricConfig, memory_bits};
use snapshots::Snapshots;
use units::{Span, Tick, WireId};

/// Simulated time between looks whether a run that drains is over: it ends at one of them, after 1,
/// 2, ... of these, however it is stepped.
pub const DRAIN_LOOK_NS: u64 = 1_000;

/// A fabric with the default observers and another.
type Watched<X> = Fabric<((Stats, EventsHash), X)>;

/// A fabric with statistics and the events hash, stepped in pieces so that progress can be shown.
/// It covers ticks `0..duration`; with `run.drain` it goes on, with all its traffic, until the last
/// measured message, and the last reply to one, has arrived, or that time is over.
pub struct Run<X: Observer = ()> {
    fabric: Watched<X>,
    config: FabricConfig,
    memory: MemoryBits,
    snapshots: Snapshots,
    /// Ticks between looks whether it has drained.
    drain_look: Span,
    is_over: bool,
}

impl Run {
    /// A run before its first tick.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn new(config: &FabricConfig, engine: Engine) -> Result<Run, ConfigError> {
        Run::with(config, engine, ())
    }

    /// [`Run::step`] for crates that are compiled for size (`Cargo.toml`): it is compiled here,
    /// what is generic where it is called.
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn advance(&mut self, until: Tick) -> Result<(), RunError> {
        self.step(until)
    }
}

impl<X: Observer> Run<X> {
    /// A run with a further observer.
    ///
    /// # Errors
    /// What cannot be built.
    ///
    /// # Panics
    /// If a window ends before it starts or after `duration`.
    pub fn with(config: &FabricConfig, engine: Engine, extra: X) -> Result<Run<X>, ConfigError> {
        let stats = Stats::new(stats_config(config));
        let fabric =
            Fabric::new(config, engine, ((stats, EventsHash::until(config.run.duration)), extra))?;
        Ok(Run {
            fabric,
            memory: memory_bits(config)?,
            snapshots: Snapshots::new(config),
            drain_look: config.time_base.ns_to_ticks_ceil(DRAIN_LOOK_NS).max(Span::TICK),
            is_over: config.run.duration == Tick::ZERO,
            config: config.clone(),
        })
    }

    /// Simulated ticks so far, and in all; a run that drains may end sooner, and then says so.
    pub fn progress(&self) -> (Tick, Tick) {
        let now = self.fabric.now();
        (now, if self.is_over { now } else { self.limit() })
    }

    /// Simulates up to `until`, at most to the end.
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn step(&mut self, until: Tick) -> Result<(), RunError> {
        let until = until.min(self.limit());
        while !self.is_over && self.fabric.now() < until {
            self.snapshots.take_due(&mut self.fabric);
            let stop = self.next_stop().min(until);
            self.fabric.run_until(stop)?;
            if stop == self.config.run.warmup {
                either!(&mut self.fabric.engine, it => it.forget_waits());
            }
            self.look_whether_over();
        }
        Ok(())
    }

    /// When it ends at the latest.
    fn limit(&self) -> Tick {
        self.config.run.duration.saturating_add(self.config.run.drain)
    }

    /// See [`Fabric::audit`].
    ///
    /// # Errors
    /// The first thing that is amiss.
    pub fn audit(&self) -> Result<(), String> {
        self.fabric.audit()
    }

    /// How long it has drained; `None` in the measured time.
    fn drained(&self) -> Option<Span> {
        let (now, duration) = (self.fabric.now(), self.config.run.duration);
        (now >= duration).then(|| now - duration)
    }

    /// The next tick at which there is something to look at.
    fn next_stop(&self) -> Tick {
        let (now, run) = (self.fabric.now(), &self.config.run);
        match self.drained() {
            None => {
                let stop = self.snapshots.next().unwrap_or(run.duration);
                if now < run.warmup { stop.min(run.warmup) } else { stop }
            }
            Some(drained) => {
                let looks = drained / self.drain_look + 1;
                run.duration.saturating_add(self.drain_look * looks)
            }
        }
    }

    /// Whether the run is over: at looks while it drains.
    fn look_whether_over(&mut self) {
        let (now, limit) = (self.fabric.now(), self.limit());
        let Some(drained) = self.drained() else {
            return;
        };
        let is_look = (drained % self.drain_look).is_zero();
        if now >= limit || (is_look && self.has_drained(drained)) {
            self.is_over = true;
        }
    }

    /// Whether all measured messages have arrived, the stages of injection included.
    fn has_drained(&self, drained: Span) -> bool {
        let stage = self.fabric.injection_stage;
        let underway = self.fabric.observers().map(|o| o.0.0.measured_underway());
        drained >= stage && underway.sum::<i128>() == 0
    }

    /// Threads that it runs on, see [`Fabric::threads`].
    pub fn threads(&self) -> usize {
        self.fabric.threads()
    }

    /// See [`Fabric::limit_threads`].
    ///
    /// # Panics
    /// With 0 threads.
    pub fn limit_threads(&mut self, threads: usize) {
        self.fabric.limit_threads(threads);
    }

    /// The further observers of all parts: those that [`Run::finish`] puts together.
    pub fn extras_mut(&mut self) -> impl Iterator<Item = &mut X> {
        self.fabric.observers_mut().map(|observer| &mut observer.1)
    }

    /// Packet-hops so far.
    pub fn packet_hops(&self) -> u64 {
        self.fabric.observers().map(|o| o.0.0.counts_with_drain().hops).sum()
    }
}

/// Statistics of runs of this fabric.
pub fn stats_config(config: &FabricConfig) -> StatsConfig {
    let (graph, run) = (config.network.graph(), &config.run);
    let groups = config.workload.summaries.iter();
    let windows = config.windows.iter().map(|w| (w.start, w.end));
    let links = named_links(config).into_iter();
    StatsConfig {
        nodes: graph.nodes(),
        first_node_port: WireId::at(graph.ports_total()),
        groups: config.workload.groups.clone(),
        replies: groups.map(|group| group.replies.is_some()).collect(),
        warmup: run.warmup,
        duration: run.duration,
        windows: windows.collect(),
        hot_destinations: config.hot_destinations.clone(),
        series_bin: run.series_bin,
        time_base: config.time_base,
        pauses: config.switch.pfc.is_some(),
        measured_links: links.flat_map(|(_, ports)| ports).collect(),
    }
}

/// A link that results name, with the ports that send.
type Link = (String, Vec<WireId>);

/// The links that the results name, with the ports that send.
fn named_links(config: &FabricConfig) -> Vec<Link> {
    let graph = config.network.graph();
    let wire = |&(switch, port): &(u32, u8)| WireId::at(graph.port_index(switch, port));
    let links = config.named_links.iter();
    links.map(|(name, ports)| (name.clone(), ports.iter().map(wire).collect())).collect()
}
