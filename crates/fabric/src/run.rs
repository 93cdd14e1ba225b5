//! A whole run with the default observers: configuration in, record out.

mod looks;
mod outcome;
mod recorded;
mod share;

#[cfg(test)]
pub(crate) use share::SHARE_PACKETS_MIN;

use crate::build::egress_layout;
use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::fabric::{Fabric, RunError};
use crate::observer::Observer;
use crate::observers::{EventsHash, Stats, StatsConfig};
use crate::record::MemoryBits;
use looks::Looks;
use switch::scheme::{PortView, QueueScheme};
use switch::{ConfigError, Organisation, Params, PortBits, port_bits};
use topology::Endpoint;
use units::{Tick, Ticks};

/// Simulated time between looks whether a run that drains is over: it ends at one of them, after 1, 2, ... of these, however it
/// is stepped.
pub const DRAIN_LOOK_NS: u64 = 1_000;

/// A fabric with statistics and the events hash, stepped in pieces so that progress can be shown.
///
/// It covers ticks `0..duration`. With `run.drain` it goes on, with all its traffic, until the last message that was generated
/// in the measured time has arrived, or that time is over.
pub struct Run<X: Observer = ()> {
    fabric: Fabric<((Stats, EventsHash), X)>,
    config: FabricConfig,
    memory: MemoryBits,
    looks: Looks,
    /// Ticks between looks whether it has drained.
    drain_look: Ticks,
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
        let stats = Stats::new(StatsConfig::new(config));
        let fabric = Fabric::new(config, engine, ((stats, EventsHash::new()), extra))?;
        Ok(Run {
            fabric,
            memory: memory_bits(config)?,
            looks: Looks::new(config),
            drain_look: config.time_base.ns_to_ticks_ceil(DRAIN_LOOK_NS).max(1),
            is_over: config.run.duration == 0,
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
            self.looks.look(&self.fabric);
            let stop = self.next_stop().min(until);
            self.fabric.advance_until(stop)?;
            if stop == self.config.run.warmup {
                self.fabric.forget_waits();
            }
            self.end_or_extend();
        }
        Ok(())
    }

    /// When it ends at the latest.
    fn limit(&self) -> Tick {
        self.config
            .run
            .duration
            .saturating_add(self.config.run.drain)
    }

    /// The next tick at which there is something to look at.
    fn next_stop(&self) -> Tick {
        let (now, duration) = (self.fabric.now(), self.config.run.duration);
        match now.checked_sub(duration) {
            None => {
                let stop = self.looks.next().unwrap_or(duration);
                let warmup = self.config.run.warmup;
                if now < warmup { stop.min(warmup) } else { stop }
            }
            Some(drained) => {
                duration.saturating_add((drained / self.drain_look + 1) * self.drain_look)
            }
        }
    }

    /// Whether the run is over; else, at a look while it drains, how far it goes on at least.
    fn end_or_extend(&mut self) {
        let (now, limit) = (self.fabric.now(), self.limit());
        let Some(drained) = now.checked_sub(self.config.run.duration) else {
            return;
        };
        if now >= limit || (drained.is_multiple_of(self.drain_look) && self.has_drained(drained)) {
            self.is_over = true;
        } else if drained.is_multiple_of(self.drain_look) {
            let horizon = now.saturating_add(self.drain_look).min(limit);
            for (_, observer) in self.fabric.parts_and_observers() {
                observer.0.0.extend(horizon);
            }
        }
    }

    /// Whether all measured messages have arrived; the last of them enter admittance after the stages of injection.
    fn has_drained(&self, drained: Ticks) -> bool {
        let params = self.fabric.parts().first().map(|part| &part.units.params);
        let underway = self.fabric.observers().map(|o| o.0.0.measured_underway());
        params.is_some_and(|params| drained >= params.stages.injection)
            && underway.sum::<i128>() == 0
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
