//! Configurations made by hand.

use crossbar::ArbiterKind;
use flow_control::{Edge, Thresholds};
use plan::{
    AdmittanceArbiter, EndNodeConfig, FabricConfig, FaultConfig, GeneratorRule, LinkConfig,
    RoutingKind, RunConfig,
};
use plan::{
    Organisation, SaqPriority, SchemeKind, StageLatencies, SwitchConfig, Switching, VoqNetMemory,
    VoqSwOutput,
};
use recn::RecnConfig;
use std::sync::Arc;
use topology::{BuildOptions, Network, TopologyConfig};
use turnpool::PoolKind;
use units::{Ratio, Span, Tick, TimeBase};
use workload::{GroupConfig, Pattern, Sources, Workload, WorkloadConfig};

/// A positive rational.
pub fn ratio(num: u64, den: u64) -> Ratio {
    Ratio::new(num, den).expect("positive")
}

/// The switch of garcia-trees-2005: 32 KB a port, thresholds of the 32 KB row; `recn-dd-iq` is in
/// `iq`.
pub fn switch_config(scheme: SchemeKind) -> SwitchConfig {
    let organisation = match scheme {
        SchemeKind::RecnDdIq => Organisation::Iq,
        _ => Organisation::Cioq,
    };
    SwitchConfig {
        adaptive: None,
        input_multicast_read: false,
        max_bypass: None,
        ecn: None,
        pfc: None,
        faults: false,
        organisation,
        scheme,
        arbiter: ArbiterKind::RoundRobin,
        wait_bound_packets: Some(64),
        saq_priority: SaqPriority::Bounded,
        switching: Switching::VirtualCutThrough,
        port_memory_bytes: 32_768,
        cell_bytes: 64,
        vcs: 1,
        reply_vcs: false,
        dbbm_queues: 4,
        voq_sw_output: VoqSwOutput::LookAhead,
        voq_net_memory: VoqNetMemory::Fixed,
        crossbar_overhead_bytes: 0,
        stages: StageLatencies::default(),
        recn: RecnConfig {
            saqs: 8,
            detection_egress_packets: 10,
            detection_ingress_packets: 10,
            propagation_packets: 10,
            thresholds: Thresholds::new(10, 5, Edge::Reached).expect("legal"),
            saq_timer: Span(1500),
            retry: Span(1500),
            xoff_repeat: Span(1500),
            ppu_interval: Span(3),
            iq_egress_lines: false,
            root_xoff_packets: None,
        },
    }
}

/// 3/2 where an organisation allows it.
pub fn speedup(organisation: Organisation) -> Ratio {
    match organisation {
        Organisation::Cioq => ratio(3, 2),
        Organisation::Iq | Organisation::Oq => Ratio::ONE,
    }
}

/// Some nodes that send to random ones, or to these hot ones.
pub fn group(
    name: &str,
    load: Ratio,
    sources: impl IntoIterator<Item = u32>,
    hot: &[u32],
) -> GroupConfig {
    GroupConfig {
        name: name.to_string(),
        load: Some(load),
        pattern: if hot.is_empty() { Pattern::Uniform } else { Pattern::Hot },
        destinations: hot.to_vec(),
        sources: Sources::List(sources.into_iter().collect()),
        ..GroupConfig::default()
    }
}

/// The time base of 8 Gbit/s links with 2-byte phits.
pub fn time_base(speedup: Ratio) -> TimeBase {
    TimeBase::new(2, Ratio::ONE, speedup).expect("legal")
}

/// A network, with an extended pool.
pub fn network(topology: &TopologyConfig) -> Arc<Network> {
    let options = BuildOptions { pool: PoolKind::Extended, ..BuildOptions::default() };
    Arc::new(Network::build(topology, &options).expect("a legal topology"))
}

/// A fabric with default links and end nodes.
pub fn fabric_config(
    network: Arc<Network>,
    switch: SwitchConfig,
    speedup: Ratio,
    workload: &WorkloadConfig,
    ns: u64,
    seed: u64,
) -> FabricConfig {
    let time_base = time_base(speedup);
    let workload: Workload =
        workload.build(network.nodes() as u32, &time_base, seed).expect("a legal workload");
    let maximum_bytes_per_ns = network.maximum_bytes_per_ns(Ratio::ONE);
    FabricConfig {
        routing: RoutingKind::Turns,
        link: LinkConfig {
            wire: time_base.ns_to_ticks_ceil(10),
            wire_overrides: Vec::new(),
            control_packet_bytes: 6,
            named_control_bytes: 6,
        },
        endnode: EndNodeConfig {
            reorder_buffer: false,
            ecn: None,
            admittance_bytes: Some(4096),
            admittance_arbiter: AdmittanceArbiter::RoundRobin,
            generator: GeneratorRule::Drop,
        },
        packet_bytes: 64,
        workload,
        maximum_bytes_per_ns,
        named_links: Vec::new(),
        faults: FaultConfig::default(),
        run: RunConfig {
            duration: Tick::ZERO + time_base.ns_to_ticks_ceil(ns),
            drain: Span::ZERO,
            warmup: Tick::ZERO,
            series_bin: time_base.ns_to_ticks_ceil(10_000),
            seed,
            watchdog: time_base.ns_to_ticks_ceil(100_000),
        },
        windows: Vec::new(),
        hot_destinations: Vec::new(),
        network,
        time_base,
        switch,
    }
}
