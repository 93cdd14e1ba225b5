//! Random small fabrics with random traffic and random thresholds, all from one number.

use crate::places::{random_destinations, random_large_network, random_network};
use crate::prelude::*;
use plan::{AdmittanceArbiter, GeneratorRule, VoqSwOutput};
use topology::testkit;

/// Draws of a case: SplitMix64 behind a range.
pub struct Draw(pub(crate) Box<dyn FnMut() -> u64>);

impl Draw {
    /// The draws of case `seed`.
    pub fn new(seed: u64) -> Draw {
        Draw(Box::new(testkit::words(seed)))
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + (self.0)() % (high - low + 1)
    }

    /// One of a list.
    pub fn one<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.range(0, list.len() as u64 - 1) as usize].clone()
    }

    /// True in `percent` of all draws.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.range(1, 100) <= percent
    }
}

/// All schemes.
pub const SCHEMES: [SchemeKind; 9] = [
    SchemeKind::OneQueue,
    SchemeKind::VoqSw,
    SchemeKind::VoqNet,
    SchemeKind::Dbbm,
    SchemeKind::Damq,
    SchemeKind::RecnBasic,
    SchemeKind::Recn,
    SchemeKind::RecnDd,
    SchemeKind::RecnDdIq,
];

/// All arbiters.
pub const ARBITERS: [ArbiterKind; 5] = [
    ArbiterKind::RoundRobin,
    ArbiterKind::Islip { iterations: 2 },
    ArbiterKind::OldestFirst,
    ArbiterKind::Random,
    ArbiterKind::MaximumMatching,
];

/// The RECN family.
pub const RECN: [SchemeKind; 4] =
    [SchemeKind::RecnBasic, SchemeKind::Recn, SchemeKind::RecnDd, SchemeKind::RecnDdIq];

/// Draws a network, with self-traffic or without.
type DrawNetwork = fn(&mut Draw, bool) -> Arc<Network>;

/// A legal random configuration with traffic that ends at `ns`. `scheme` fixes the scheme.
pub fn case(seed: u64, scheme: Option<SchemeKind>, ns: u64) -> FabricConfig {
    case_in(random_network, seed, scheme, ns)
}

/// A legal random configuration in a network of so many switches that most can be cut into eight
/// parts.
pub fn large_case(seed: u64, ns: u64) -> FabricConfig {
    case_in(random_large_network, seed, None, ns)
}

fn case_in(network: DrawNetwork, seed: u64, scheme: Option<SchemeKind>, ns: u64) -> FabricConfig {
    let mut draw = Draw::new(seed);
    loop {
        let self_traffic = draw.chance(20);
        let network = network(&mut draw, self_traffic);
        let config = attempt(&mut draw, network, (seed, scheme, ns), |_, _| ());
        // Impossible combinations are refused before tick 0; draw again.
        if fabric::Run::new(&config, fabric::Engine::Fast).is_ok() {
            return config;
        }
    }
}

/// A configuration that may be impossible: switches of a scheme, if one is given, with traffic that
/// ends at so many ns; `groups` may change who sends what.
pub(crate) fn attempt(
    draw: &mut Draw,
    network: Arc<Network>,
    (seed, scheme, ns): (u64, Option<SchemeKind>, u64),
    mut groups: impl FnMut(&mut Draw, &mut WorkloadConfig),
) -> FabricConfig {
    let self_traffic = network.options().self_traffic;
    let nodes = network.nodes() as u64;
    let mut scheme = scheme.unwrap_or_else(|| draw.one(&SCHEMES));
    let organisation = match draw.range(0, 9) {
        _ if scheme == SchemeKind::RecnDdIq => Organisation::Iq,
        0 | 1 if !RECN.contains(&scheme) => Organisation::Iq,
        2 if scheme == SchemeKind::OneQueue => Organisation::Oq,
        _ => Organisation::Cioq,
    };
    if organisation == Organisation::Oq {
        scheme = SchemeKind::OneQueue;
    }
    let mut switch = switch_config(scheme);
    switch.organisation = organisation;
    // Twice as often the default.
    switch.arbiter = ARBITERS[draw.range(0, 5).saturating_sub(1) as usize];
    // Not drawn: all else is as it is without it.
    switch.wait_bound_packets = [None, Some(1), Some(2), Some(5), Some(64)][(seed % 5) as usize];
    if seed / 5 % 3 == 0 {
        switch.saq_priority = SaqPriority::Strict;
    }
    switch.switching =
        if draw.chance(20) { Switching::StoreAndForward } else { Switching::VirtualCutThrough };
    switch.port_memory_bytes = 64 * draw.one(&[8u32, 16, 24, 40, 64, 160]);
    switch.cell_bytes = draw.one(&[64, 64, 32]);
    switch.dbbm_queues = draw.range(1, 5) as u32;
    switch.voq_sw_output =
        draw.one(&[VoqSwOutput::LookAhead, VoqSwOutput::SingleFifo, VoqSwOutput::SplitFifo]);
    switch.voq_net_memory = draw.one(&[VoqNetMemory::Fixed, VoqNetMemory::Grow]);
    switch.crossbar_overhead_bytes = draw.one(&[0, 0, 6]);
    let stage = |draw: &mut Draw, low| draw.range(low, 3) as u32;
    switch.stages = StageLatencies {
        route: stage(draw, 0),
        lookup: stage(draw, 0),
        enqueue: stage(draw, 1),
        arbitration: stage(draw, 1),
        crossbar: stage(draw, 1),
        credit_return: stage(draw, 0),
    };
    let xoff = draw.range(1, 8) as u32;
    let edge = if draw.chance(50) { Edge::Reached } else { Edge::Below };
    let xon = draw.range(u64::from(edge == Edge::Below), u64::from(xoff)) as u32;
    switch.recn.saqs = draw.one(&[0, 1, 1, 2, 2, 3, 8]);
    switch.recn.thresholds = Thresholds::new(xoff, xon, edge).expect("legal");
    switch.recn.propagation_packets = draw.range(0, u64::from(xoff)) as u32;
    switch.recn.detection_egress_packets = draw.range(0, 5) as u32;
    switch.recn.detection_ingress_packets = draw.range(1, 5) as u32;
    switch.recn.saq_timer = Span(draw.one(&[0, 1, 50, 1500]));
    switch.recn.retry = Span(draw.one(&[0, 100, 1500]));
    switch.recn.xoff_repeat = Span(draw.one(&[0, 1, 100, 1500]));
    switch.recn.ppu_interval = Span(draw.range(1, 40));
    switch.recn.iq_egress_lines = draw.chance(40);
    switch.recn.root_xoff_packets =
        if draw.chance(20) { Some(draw.range(1, 8) as u32) } else { None };
    let speedup = if organisation == Organisation::Cioq {
        draw.one(&[ratio(1, 1), ratio(3, 2), ratio(2, 1), ratio(4, 3)])
    } else {
        ratio(1, 1)
    };

    let load = |draw: &mut Draw| Some(ratio(draw.range(1, 10), 10));
    let hot = |draw: &mut Draw, name: &str| {
        let start_ns = draw.range(0, ns / 2);
        GroupConfig {
            name: name.to_string(),
            load: load(draw),
            pattern: Pattern::Hot,
            destinations: vec![draw.range(0, nodes - 1) as u32],
            sources: Sources::Count(draw.range(1, (nodes / 2).max(1)) as u32),
            start_ns,
            end_ns: Some(start_ns + draw.range(ns / 8, ns / 2)),
            step_ns: draw.one(&[0, 0, ns / 32]),
            ..GroupConfig::default()
        }
    };
    let sizes = match draw.range(0, 3) {
        0 => MessageBytes::Uniform { min: 2, max: 200 },
        1 => MessageBytes::Weighted(vec![(64, 3), (16, 1), (300, 1)]),
        _ => MessageBytes::Fixed(64),
    };
    // All random sources stop too: as a group over all nodes that are in no other group.
    let workload = loop {
        let mut config = WorkloadConfig {
            self_traffic,
            arrivals: draw.one(&[Arrivals::FixedInterval, Arrivals::Bernoulli]),
            message_bytes: sizes.clone(),
            ..WorkloadConfig::default()
        };
        let (pattern, destinations) = random_destinations(draw, nodes as u32);
        config.groups.push(GroupConfig {
            name: "background".to_string(),
            load: load(draw),
            pattern,
            destinations,
            sources: Sources::List((0..nodes as u32).collect()),
            end_ns: Some(ns),
            ..GroupConfig::default()
        });
        if draw.chance(80) {
            config.hot = Some(hot(draw, "hot"));
        }
        if draw.chance(40) {
            config.groups.push(hot(draw, "hot2"));
        }
        groups(draw, &mut config);
        if config.build(nodes as u32, &crate::base::time_base(speedup), seed).is_ok() {
            break config;
        }
    };
    let mut fabric = fabric_config(network, switch, speedup, &workload, ns, seed);
    let wire = draw.range(1, 40);
    fabric.link.wire = Span(wire);
    let control = draw.one(&[6, 6, 6, 2, 14, 0]);
    fabric.link.control_packet_bytes = control;
    fabric.link.named_control_bytes = if control > 0 { draw.one(&[6, 14]) } else { 0 };
    fabric.packet_bytes = draw.one(&[64, 64, 128]);
    fabric.endnode.admittance_bytes = if draw.chance(30) { None } else { Some(512) };
    fabric.endnode.admittance_arbiter = draw.one(&[
        AdmittanceArbiter::RoundRobin,
        AdmittanceArbiter::Random,
        AdmittanceArbiter::OldestFirst,
    ]);
    fabric.endnode.generator = draw.one(&[GeneratorRule::Drop, GeneratorRule::Delayed]);
    fabric.run.watchdog = Span(60_000);
    fabric.run.series_bin = Span(1000);
    fabric
}
