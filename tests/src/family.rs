//! The RECN family under pressure: small random fabrics in which SAQs run out, thresholds are next
//! to nothing, and hot spots start, move, overlap and stop.

use crate::prelude::*;
use crate::random::case;

/// Traffic ends here, ns.
const TRAFFIC_NS: u64 = 3_000;
/// The most end nodes.
const NODES_MAX: usize = 16;
/// Mixed into the seed, so that the draws here have nothing to do with those of [`case`].
const SALT: u64 = 0x5e7a_51de_0000_0001;

/// An adversarial case: a random fabric of at most `NODES_MAX` nodes (else as [`case`] draws it)
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
        let load = ratio(draw.range(1, 5), 10);
        let background = group("background", load, 0..nodes as u32, &[]);
        let mut groups = vec![GroupConfig { end_ns: Some(TRAFFIC_NS), ..background }];
        for spot in 0..draw.range(1, 3) {
            let moves = draw.range(1, 2);
            let mut start_ns = draw.range(0, TRAFFIC_NS / 3);
            // Each once, about half of them.
            let sources: Vec<u32> = (0..nodes as u32).filter(|_| draw.chance(50)).collect();
            for step in 0..moves {
                let destination = draw.range(0, nodes - 1) as u32;
                let end_ns = start_ns + draw.range(TRAFFIC_NS / 10, TRAFFIC_NS / 3);
                let others = sources.iter().copied().filter(|&s| s != destination);
                let load = ratio(draw.range(5, 10), 10);
                let spot = group(&format!("spot-{spot}-{step}"), load, others, &[destination]);
                groups.push(GroupConfig { start_ns, end_ns: Some(end_ns), ..spot });
                start_ns = end_ns;
            }
        }
        groups.retain(|g| !matches!(&g.sources, Sources::List(list) if list.is_empty()));
        let workload = WorkloadConfig {
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
