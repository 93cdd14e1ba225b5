//! A whole run with the default observers: configuration in, record out.

mod recorded;

use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::fabric::Fabric;
use crate::memory::memory_bits;
use crate::observer::Observer;
use crate::observers::{EventsHash, Stats, StatsConfig};
use crate::record::{MemoryBits, Record, Summary, Timing};
use crate::watch::RunError;
use std::collections::BTreeMap;
use switch::ConfigError;
use units::Tick;

/// A fabric with statistics and the events hash, stepped in pieces so that progress can be shown.
pub struct Run<X: Observer = ()> {
    fabric: Fabric<((Stats, EventsHash), X)>,
    duration: Tick,
    maximum: Option<f64>,
    links: Vec<(String, Vec<u32>)>,
    memory: MemoryBits,
    groups: Vec<String>,
}

impl Run {
    /// A run before its first tick.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn new(config: &FabricConfig, engine: Engine) -> Result<Run, ConfigError> {
        Run::with(config, engine, ())
    }
}

impl<X: Observer> Run<X> {
    /// A run with a further observer.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn with(config: &FabricConfig, engine: Engine, extra: X) -> Result<Run<X>, ConfigError> {
        let graph = config.network.graph();
        let switch_ports: u32 = (0..graph.switches() as u32).map(|s| graph.ports(s)).sum();
        let number =
            |&(s, p): &(u32, u8)| (0..s).map(|t| graph.ports(t)).sum::<u32>() + u32::from(p);
        let links: Vec<(String, Vec<u32>)> = config
            .named_links
            .iter()
            .map(|(name, ports)| (name.clone(), ports.iter().map(number).collect()))
            .collect();
        let mut measured_links: Vec<u32> = links.iter().flat_map(|l| l.1.iter().copied()).collect();
        measured_links.sort_unstable();
        measured_links.dedup();
        let stats = Stats::new(StatsConfig {
            nodes: graph.nodes(),
            first_node_port: switch_ports,
            groups: config.workload.groups.clone(),
            warmup: config.run.warmup,
            duration: config.run.duration,
            series_bin: config.run.series_bin,
            time_base: config.time_base,
            measured_links,
        });
        let hash = EventsHash::new();
        let fabric = Fabric::new(config, engine, ((stats, hash), extra))?;
        Ok(Run {
            fabric,
            duration: config.run.duration,
            maximum: config.maximum_bytes_per_ns.map(|r| r.to_f64()),
            links,
            memory: memory_bits(config)?,
            groups: config.workload.groups.clone(),
        })
    }

    /// Simulated ticks so far, and in all.
    pub fn progress(&self) -> (Tick, Tick) {
        (self.fabric.now(), self.duration)
    }

    /// Simulates up to `until`, at most to the end.
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn step(&mut self, until: Tick) -> Result<(), RunError> {
        self.fabric.advance_until(until.min(self.duration))
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

    /// Packet-hops so far.
    pub fn packet_hops(&self) -> u64 {
        self.fabric.observers().map(|o| o.0.0.hops).sum()
    }

    /// Ends the run. `cpu_seconds` is what the steps took, measured by the caller.
    ///
    /// # Panics
    /// When packets were lost or made: that is a broken invariant.
    pub fn finish(mut self, cpu_seconds: f64) -> (Record, X) {
        self.fabric.settle();
        self.fabric.merge_observers();
        let (stats, hash) = &mut self.fabric.observer.0;
        let series = stats.series();
        let (latency_ns, network_latency_ns) = stats.latencies();
        let utilisation: BTreeMap<u32, Option<f64>> = stats
            .measured()
            .into_iter()
            .zip(stats.link_utilisation())
            .collect();
        let links = self.links.iter().map(|(name, ports)| {
            let values: Vec<f64> = ports
                .iter()
                .filter_map(|p| utilisation.get(p).copied().flatten())
                .collect();
            (
                name.clone(),
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
            )
        });
        let delivered = stats.delivered_rate();
        let mut summary = Summary {
            delivered_bytes_per_ns: delivered,
            offered_bytes_per_ns: stats.offered_rate(),
            relative_throughput: delivered.zip(self.maximum).map(|(d, m)| d / m),
            packets_generated: stats.generated,
            packets_delivered: stats.delivered,
            packets_in_flight: stats.generated - stats.delivered,
            packets_refused: stats.refused,
            latency_ns,
            network_latency_ns,
            saqs_peak: stats.saqs_peak(),
            recn: stats.recn,
            packet_hops: stats.hops,
            events_hash: format!("{:016x}", hash.combined()),
            groups: stats.group_rates(),
            links: links.collect(),
            memory: self.memory,
            timing: Timing {
                cpu_seconds,
                ns_per_packet_hop: (stats.hops > 0).then(|| cpu_seconds * 1e9 / stats.hops as f64),
            },
            ..Summary::default()
        };
        let fabric = &self.fabric;
        summary.fairness_jain = fabric
            .observer
            .0
            .0
            .fairness_jain(|s, d| fabric.flow_sends(s, d));
        fabric.check_conservation(summary.packets_in_flight);
        let flows = fabric.observer.0.0.flows();
        let record = Record {
            summary,
            groups: self.groups,
            series,
            flows,
            ticks: self.duration,
        };
        (record, self.fabric.observer.1)
    }
}
