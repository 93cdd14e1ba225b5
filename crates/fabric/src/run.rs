//! A whole run with the default observers: configuration in, record out.

mod recorded;

use crate::build::egress_layout;
use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::fabric::{Fabric, RunError};
use crate::observer::Observer;
use crate::observers::{EventsHash, Stats, StatsConfig};
use crate::record::{LongestWait, MemoryBits, Record, Summary, Timing};
use std::collections::BTreeMap;
use switch::scheme::{PortView, QueueScheme};
use switch::{ConfigError, Organisation, Params, PortBits, Rules, port_bits};
use topology::Endpoint;
use units::{Tick, TimeBase};

/// A fabric with statistics and the events hash, stepped in pieces so that progress can be shown.
pub struct Run<X: Observer = ()> {
    fabric: Fabric<((Stats, EventsHash), X)>,
    duration: Tick,
    warmup: Tick,
    has_saqs: bool,
    time_base: TimeBase,
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
            warmup: config.run.warmup,
            has_saqs: Rules::of(config.switch.scheme).is_some(),
            time_base: config.time_base,
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
        let until = until.min(self.duration);
        if self.fabric.now() < self.warmup && self.warmup <= until {
            self.fabric.advance_until(self.warmup)?;
            self.fabric.forget_waits();
        }
        self.fabric.advance_until(until)
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
        let [normal, saq] = fabric
            .longest_waits()
            .map(|ticks| self.time_base.ticks_to_ns(ticks));
        let saq = self.has_saqs.then_some(saq);
        summary.longest_wait_ns = LongestWait { normal, saq };
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

/// Cost of the costliest port, both its memories, and of the costliest switch.
fn memory_bits(config: &FabricConfig) -> Result<MemoryBits, ConfigError> {
    let network = &*config.network;
    let graph = network.graph();
    let params = Params::new(
        &config.switch,
        config.time_base,
        config.link.control_packet_bytes,
        config.link.named_control_bytes,
        config.packet_bytes,
        network.nodes() as u32,
    )?;
    let pool = network.options().pool;
    let leaf = params.rules.is_some_and(|rules| rules.tokens);
    let port_cost = |layout| port_bits(layout, config.switch.cell_bytes, params.saqs(), pool, leaf);
    let mut bits = MemoryBits::default();
    let mut costliest_port = 0;
    for s in 0..graph.switches() as u32 {
        let (mut switch_control, mut switch_data) = (0, 0);
        for p in 0..graph.ports(s) as u8 {
            let peer_ports = match graph.peer(s, p) {
                Endpoint::None => continue,
                Endpoint::Node(_) => None,
                Endpoint::Port { switch, .. } => Some(graph.ports(switch)),
            };
            let view = PortView {
                ports: graph.ports(s),
                peer_ports,
                nodes: network.nodes() as u32,
            };
            let (mut ingress, mut egress) = (PortBits::default(), PortBits::default());
            if config.switch.organisation != Organisation::Oq {
                ingress = port_cost(params.ingress_layout(view)?);
            }
            if config.switch.organisation != Organisation::Iq {
                let mut layout = egress_layout(&params, view)?;
                // A memory of which only a part is used (`split-fifo`) is there all the same, with all its queues.
                let parts = params.scheme.egress_memory_divisor(view);
                layout.cells *= parts;
                layout.queues *= parts;
                egress = port_cost(layout);
            }
            let control = [ingress, egress]
                .iter()
                .map(|b| b.queue_registers + b.cam)
                .sum::<u64>();
            switch_control += control;
            switch_data += ingress.data + egress.data;
            if control + ingress.data + egress.data > costliest_port {
                costliest_port = control + ingress.data + egress.data;
                bits.queues_ingress = ingress.queues;
                bits.queues_egress = egress.queues;
                bits.port_data_bits = ingress.data + egress.data;
                bits.port_queue_bits = ingress.queue_registers + egress.queue_registers;
                bits.port_cam_bits = ingress.cam + egress.cam;
            }
        }
        bits.switch_control_bits = bits.switch_control_bits.max(switch_control);
        bits.switch_data_bits = bits.switch_data_bits.max(switch_data);
    }
    Ok(bits)
}
