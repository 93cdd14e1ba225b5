//! Scenarios for the rules of RECN.

use crate::base::{fabric_config, network, ratio, switch_config};
use fabric::{Engine, Run};
use flow_control::{Edge, Thresholds};
use plan::FabricConfig;
use plan::SchemeKind;
use topology::TopologyConfig;
use turnpool::Point;
use units::{Ratio, Tick};
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

/// A threshold that is never met.
pub const NEVER: u32 = u32::MAX;
/// Ports of the switch in scenarios of one switch; as many detection queues, so SAQ k is queue
/// `PORTS + k`.
pub const PORTS: u32 = 4;
/// Egress detection, ingress detection, propagation, Xoff, Xon.
pub type Rules = (u32, u32, u32, u32, u32);

/// Sets SAQs and thresholds.
pub fn recn(config: &mut FabricConfig, saqs: u8, (egress, ingress, propagation, xoff, xon): Rules) {
    let recn = &mut config.switch.recn;
    recn.saqs = saqs;
    recn.detection_egress_packets = egress;
    recn.detection_ingress_packets = ingress;
    recn.propagation_packets = propagation;
    recn.thresholds = Thresholds::new(xoff, xon, Edge::Reached).expect("legal");
}

/// `sources` send to `destination` at full rate up to `end_ns`.
pub fn to_one(
    topology: &TopologyConfig,
    speedup: Ratio,
    sources: Vec<u32>,
    destination: u32,
    end_ns: u64,
) -> FabricConfig {
    let group = GroupConfig {
        name: "all".to_string(),
        destinations: vec![destination],
        sources: Sources::List(sources),
        end_ns: Some(end_ns),
        ..GroupConfig::default()
    };
    let workload = WorkloadConfig { load: None, groups: vec![group], ..WorkloadConfig::default() };
    fabric_config(
        network(topology, false),
        switch_config(SchemeKind::Recn),
        speedup,
        &workload,
        end_ns,
        1,
    )
}

/// Full rate for 4 us through one switch.
pub fn one_switch(speedup: Ratio, sources: Vec<u32>, destination: u32) -> FabricConfig {
    to_one(&TopologyConfig::SingleSwitch { ports: PORTS }, speedup, sources, destination, 4_000)
}

/// One packet, from node 0 to node 2: the source is silent after its first slot.
pub fn one_packet() -> FabricConfig {
    to_one(&TopologyConfig::SingleSwitch { ports: PORTS }, Ratio::ONE, vec![0], 2, 64)
}

/// The point one turn away: output `to`, as ingress port `from` names it.
pub fn point(from: u32, to: u32) -> Point {
    Point::from_turn(turnpool::turn(from, to, PORTS), turnpool::turn_width(PORTS, false))
}

/// Delivered in bins of 10 us, bytes/ns, on a BMIN of 64 nodes: trees case 2, shortened. 48 nodes
/// send to random ones at full rate, 16 to node 32 from 20 us to 120 us.
pub fn delivered_around_a_tree(scheme: SchemeKind) -> Vec<f64> {
    let hot = GroupConfig {
        pattern: Pattern::Hot,
        destinations: vec![32],
        sources: Sources::Share(ratio(1, 4)),
        start_ns: 20_000,
        end_ns: Some(120_000),
        ..GroupConfig::default()
    };
    let workload =
        WorkloadConfig { load: Some(Ratio::ONE), hot: Some(hot), ..WorkloadConfig::default() };
    let bmin = network(&TopologyConfig::Bmin { nodes: 64 }, false);
    let mut config = fabric_config(bmin, switch_config(scheme), ratio(3, 2), &workload, 120_000, 1);
    config.run.series_bin = config.time_base.ns_to_ticks_ceil(10_000);
    let mut run = Run::new(&config, Engine::Fast).expect("a legal configuration");
    run.step(Tick::MAX).expect("no deadlock");
    run.finish(0.0).0.series.iter().map(|bin| bin.delivered_bytes_per_ns).collect()
}
