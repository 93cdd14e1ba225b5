//! A ring of switches that locks.

use crate::common::{fabric_config, switch_config};
use fabric::FabricConfig;
use flow_control::{Edge, Thresholds};
use std::sync::Arc;
use switch::{Organisation, SchemeKind, SwitchConfig};
use topology::{BuildOptions, GraphBuilder, LinkAttributes, Network, Parts, Routes};
use units::{Ratio, Span, Tick, TimeBase};
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

/// Always on to the next switch of a ring of four: the textbook deadlock. Switch 4 hangs on switch
/// 0 and has nodes 4 and 5.
#[derive(Debug)]
struct Clockwise;

impl Routes for Clockwise {
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        match (switch, destination) {
            (4, 4) => 1,
            (4, 5) => 2,
            (4, _) => 0,
            (0, 4..) => 3,
            (here, there) if here == there => 2,
            _ => 1,
        }
    }
}

/// Four switches in a ring, node n at switch n, and beside them a switch with two nodes that the
/// ring never needs.
fn network() -> Arc<Network> {
    let mut graph = GraphBuilder::new(&[4, 3, 3, 3, 3], 6).expect("legal");
    let wire = LinkAttributes::default;
    for s in 0..4 {
        let next = ((s + 1) % 4, 0);
        graph.connect((s, 1), next, wire()).expect("free ports");
        graph.attach(s, (s, 2), wire()).expect("a free port");
    }
    graph.connect((0, 3), (4, 0), wire()).expect("free ports");
    graph.attach(4, (4, 1), wire()).expect("a free port");
    graph.attach(5, (4, 2), wire()).expect("a free port");
    let parts = Parts {
        name: "ring",
        graph: graph.finish().expect("a whole graph"),
        routes: Arc::new(Clockwise),
        maximum_links: None,
    };
    let options = BuildOptions {
        allow_deadlock: true,
        ..BuildOptions::default()
    };
    Arc::new(Network::from_parts(parts, &options).expect("allowed"))
}

/// Memories of 12 packets, and SAQs that say Xoff at `xoff` packets.
pub(crate) fn small_switch(
    (scheme, organisation): (SchemeKind, Organisation),
    (detection, xoff, xon): (u32, u32, u32),
) -> SwitchConfig {
    let mut switch = switch_config(organisation, scheme);
    switch.dbbm_queues = 1;
    switch.port_memory_bytes = 64 * 12;
    switch.recn.saqs = 2;
    switch.recn.detection_egress_packets = detection;
    switch.recn.detection_ingress_packets = detection.max(1);
    switch.recn.propagation_packets = detection;
    switch.recn.thresholds = Thresholds::new(xoff, xon, Edge::Reached).expect("legal");
    switch.recn.ppu_interval = Span(3);
    switch
}

/// Every node of the ring sends three switches on at full rate; node 4 to node 5.
pub(crate) fn ring(switch: SwitchConfig) -> FabricConfig {
    let flow = |from: u32, to: u32| GroupConfig {
        name: format!("flow{from}"),
        pattern: Pattern::Hot,
        destinations: vec![to],
        sources: Sources::List(vec![from]),
        ..GroupConfig::default()
    };
    let mut groups: Vec<GroupConfig> = (0..4).map(|n| flow(n, (n + 3) % 4)).collect();
    groups.push(flow(4, 5));
    let workload = WorkloadConfig {
        groups,
        ..WorkloadConfig::default()
    };
    let speedup = match switch.organisation {
        Organisation::Cioq => Ratio::new(2, 1).expect("positive"),
        Organisation::Iq | Organisation::Oq => Ratio::ONE,
    };
    let time_base = TimeBase::new(2, Ratio::ONE, speedup).expect("legal");
    let network = network();
    let mut config = fabric_config(switch, &WorkloadConfig::default());
    config.workload = workload.build(6, &time_base, 1).expect("legal");
    config.link.wire = time_base.ns_to_ticks_ceil(10);
    config.run.duration = Tick::ZERO + time_base.ns_to_ticks_ceil(200_000);
    config.run.seed = 1;
    config.run.watchdog = Span(20_000);
    config.hot_destinations.clear();
    config.maximum_bytes_per_ns = None;
    config.time_base = time_base;
    config.network = network;
    config
}
