//! Small fabrics made by hand.

use crossbar::ArbiterKind;
use fabric::{
    AdmittanceArbiter, EndNodeConfig, FabricConfig, GeneratorRule, LinkConfig, RoutingKind,
    RunConfig,
};
use flow_control::{Edge, Thresholds};
use recn::RecnConfig;
use std::sync::Arc;
use switch::{
    Organisation, SchemeKind, StageLatencies, SwitchConfig, Switching, VoqNetMemory, VoqSwOutput,
};
use topology::{BuildOptions, Network, TopologyConfig};
use turnpool::PoolKind;
use units::{Ratio, Span, Tick, TimeBase};
use workload::WorkloadConfig;

/// 8 KB a port, thresholds low enough that SAQs come in some microseconds.
pub(crate) fn switch_config(organisation: Organisation, scheme: SchemeKind) -> SwitchConfig {
    SwitchConfig {
        adaptive: None,
        organisation,
        scheme,
        arbiter: ArbiterKind::RoundRobin,
        wait_bound_packets: Some(64),
        switching: Switching::VirtualCutThrough,
        port_memory_bytes: 8_192,
        cell_bytes: 64,
        vcs: 1,
        reply_vcs: false,
        dbbm_queues: 4,
        voq_sw_output: VoqSwOutput::LookAhead,
        voq_net_memory: VoqNetMemory::Grow,
        crossbar_overhead_bytes: 0,
        stages: StageLatencies::default(),
        recn: RecnConfig {
            saqs: 8,
            detection_egress_packets: 6,
            detection_ingress_packets: 6,
            propagation_packets: 4,
            thresholds: Thresholds::new(6, 3, Edge::Reached).expect("legal"),
            saq_timer: Span(1500),
            retry: Span(1500),
            xoff_repeat: Span(1500),
            ppu_interval: Span(2),
            iq_egress_lines: false,
            root_xoff_packets: None,
        },
    }
}

/// A fabric of 16 nodes with 10 us of this traffic, with default links and end nodes.
pub(crate) fn fabric_config(switch: SwitchConfig, workload: &WorkloadConfig) -> FabricConfig {
    let topology = TopologyConfig::Bmin { nodes: 16 };
    let options = BuildOptions {
        pool: PoolKind::Extended,
        vcs: switch.vcs,
        ..BuildOptions::default()
    };
    let network = Arc::new(Network::build(&topology, &options).expect("a legal topology"));
    let plain = switch.organisation != Organisation::Cioq;
    let speedup =
        Ratio::new(if plain { 1 } else { 3 }, if plain { 1 } else { 2 }).expect("positive");
    let time_base = TimeBase::new(2, Ratio::ONE, speedup).expect("legal");
    let workload = workload.build(network.nodes() as u32, &time_base, 7);
    let tick = |ns| Tick::ZERO + time_base.ns_to_ticks_ceil(ns);
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
            admittance_bytes: Some(4096),
            admittance_arbiter: AdmittanceArbiter::RoundRobin,
            generator: GeneratorRule::Drop,
        },
        packet_bytes: 64,
        workload: workload.expect("a legal workload"),
        maximum_bytes_per_ns: network.maximum_bytes_per_ns(Ratio::ONE),
        named_links: Vec::new(),
        run: RunConfig {
            duration: tick(10_000),
            drain: Span::ZERO,
            warmup: Tick::ZERO,
            series_bin: time_base.ns_to_ticks_ceil(1_000),
            seed: 7,
            watchdog: time_base.ns_to_ticks_ceil(2_000),
        },
        windows: Vec::new(),
        hot_destinations: vec![3],
        network,
        time_base,
        switch,
    }
}
