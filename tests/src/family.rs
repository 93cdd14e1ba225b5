//! The RECN family under pressure: small random fabrics in which SAQs run out, thresholds are next
//! to nothing, and hot spots start, move, overlap and stop.

use crate::base::ratio;
use crate::random::{Draw, case};
use fabric::{Engine, Fabric};
use flow_control::{Edge, Thresholds};
use observe::Trace;
use plan::FabricConfig;
use plan::SchemeKind;
use units::{Span, Tick};
use workload::{Arrivals, GroupConfig, Pattern, Sources, WorkloadConfig};

/// Traffic ends here, ns.
pub const TRAFFIC_NS: u64 = 3_000;
/// The most end nodes.
pub const NODES_MAX: usize = 16;
/// By this tick everything must be at home; traffic ends before tick 20,000.
const DRAIN_TICKS: Tick = Tick(2_000_000);
/// Mixed into the seed, so that the draws here have nothing to do with those of [`case`].
const SALT: u64 = 0x5e7a_51de_0000_0001;

/// An adversarial case: a random fabric of at most [`NODES_MAX`] nodes (else as [`case`] draws it)
/// with 1 to 3 SAQs, thresholds from 0 or 1 packet on, and up to five hot spots, some of which
/// succeed each other at the same sources.
pub fn adversarial(scheme: SchemeKind, seed: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ SALT);
    loop {
        let mut config = case(draw.range(0, u64::MAX - 1), Some(scheme), TRAFFIC_NS);
        if config.network.nodes() > NODES_MAX {
            continue;
        }
        thresholds(&mut draw, &mut config);
        hot_spots(&mut draw, &mut config, seed);
        if Fabric::new(&config, Engine::Fast, ()).is_ok() {
            return config;
        }
    }
}

fn thresholds(draw: &mut Draw, config: &mut FabricConfig) {
    let recn = &mut config.switch.recn;
    recn.saqs = draw.range(1, 3) as u8;
    let xoff = draw.one(&[1, 1, 2, 3, 5]);
    let edge = draw.one(&[Edge::Reached, Edge::Below]);
    let xon = draw.range(u64::from(edge == Edge::Below), u64::from(xoff)) as u32;
    recn.thresholds = Thresholds::new(xoff, xon, edge).expect("Xon is at most Xoff");
    recn.propagation_packets = draw.range(0, u64::from(xoff)) as u32;
    recn.detection_egress_packets = draw.range(0, 2) as u32;
    recn.detection_ingress_packets = draw.range(0, 3) as u32;
    recn.saq_timer = Span(draw.one(&[0, 1, 20, 400]));
    recn.retry = Span(draw.one(&[0, 50, 400]));
    recn.xoff_repeat = Span(draw.one(&[0, 1, 50, 400]));
}

/// A background that reaches everybody, and hot spots: windows at random, so that they overlap, or
/// one after the other with the same sources, so that the spot moves.
fn hot_spots(draw: &mut Draw, config: &mut FabricConfig, seed: u64) {
    let nodes = config.network.nodes() as u64;
    let self_traffic = config.network.options().self_traffic;
    loop {
        let mut groups = vec![GroupConfig {
            name: "background".to_string(),
            load: Some(ratio(draw.range(1, 5), 10)),
            pattern: Pattern::Uniform,
            sources: Sources::List((0..nodes as u32).collect()),
            end_ns: Some(TRAFFIC_NS),
            ..GroupConfig::default()
        }];
        for spot in 0..draw.range(1, 3) {
            let moves = draw.range(1, 2);
            let mut start_ns = draw.range(0, TRAFFIC_NS / 3);
            let sources = distinct(draw, nodes);
            for step in 0..moves {
                let destination = draw.range(0, nodes - 1) as u32;
                let end_ns = start_ns + draw.range(TRAFFIC_NS / 10, TRAFFIC_NS / 3);
                let others = sources.iter().copied().filter(|&s| s != destination);
                groups.push(GroupConfig {
                    name: format!("spot-{spot}-{step}"),
                    load: Some(ratio(draw.range(5, 10), 10)),
                    destinations: vec![destination],
                    sources: Sources::List(others.collect()),
                    start_ns,
                    end_ns: Some(end_ns),
                    ..GroupConfig::default()
                });
                start_ns = end_ns;
            }
        }
        groups.retain(|g| !matches!(&g.sources, Sources::List(list) if list.is_empty()));
        let workload = WorkloadConfig {
            load: None,
            self_traffic,
            arrivals: draw.one(&[Arrivals::FixedInterval, Arrivals::Bernoulli]),
            message_bytes: workload::MessageBytes::Fixed(draw.one(&[64, 64, 16, 200])),
            groups,
            ..WorkloadConfig::default()
        };
        if let Ok(built) = workload.build(nodes as u32, &config.time_base, seed) {
            config.workload = built;
            return;
        }
    }
}

/// Some nodes, each once, about half of them.
fn distinct(draw: &mut Draw, nodes: u64) -> Vec<u32> {
    (0..nodes as u32).filter(|_| draw.chance(50)).collect()
}

/// Runs an adversarial case until everything is at home: every packet delivered in its order
/// (checked at every ejection), every cell, credit, SAQ, CAM line and token back.
///
/// # Errors
/// What is not at home, or what locked.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn put_away(scheme: SchemeKind, seed: u64) -> Result<(), String> {
    let config = adversarial(scheme, seed);
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).map_err(|e| e.to_string())?;
    match fabric.drain(DRAIN_TICKS) {
        Ok(None) => Ok(()),
        Ok(Some(left)) => Err(left),
        Err(error) => Err(error.to_string()),
    }
}

/// The traces of an adversarial case on the fast engine and on the reference engine with shuffled
/// visits.
///
/// # Errors
/// The first line that differs, or what locked.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn engines_agree(scheme: SchemeKind, seed: u64) -> Result<(), String> {
    configured_engines_agree(&adversarial(scheme, seed), seed)
}

/// The traces of any case on both engines; `seed` shuffles the visits.
///
/// # Errors
/// As [`engines_agree`].
///
/// # Panics
/// As [`engines_agree`].
pub fn configured_engines_agree(config: &FabricConfig, seed: u64) -> Result<(), String> {
    let trace = |engine| {
        let mut fabric =
            Fabric::new(config, engine, Trace::default()).map_err(|e| e.to_string())?;
        fabric.run_until(Tick(9_000)).map_err(|e| e.to_string())?;
        Ok::<_, String>(fabric.observer.text())
    };
    let (fast, reference) = (trace(Engine::Fast)?, trace(Engine::Shuffled(seed))?);
    if fast == reference {
        return Ok(());
    }
    let differs = fast.lines().zip(reference.lines()).find(|(a, b)| a != b);
    Err(format!("engines differ: {differs:?}"))
}
