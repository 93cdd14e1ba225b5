//! Random networks, and who sends to whom in them.

use crate::random::Draw;
use std::sync::Arc;
use topology::{BuildOptions, Network, TopologyConfig, UpChoice, testkit};
use turnpool::PoolKind;
use workload::Pattern;

/// A small network of any topology; one in a hundred is a single switch of more than 32 ports.
pub fn random_network(draw: &mut Draw, self_traffic: bool) -> Arc<Network> {
    loop {
        let options = BuildOptions {
            // Where the route does not fit, the next round draws again.
            pool: draw.one(&[PoolKind::As31, PoolKind::Extended]),
            up_choice: draw.one(&[
                UpChoice::Destination,
                UpChoice::Destination,
                UpChoice::Source,
            ]),
            self_traffic,
            ..BuildOptions::default()
        };
        let config = match draw.range(0, 99) {
            0 => TopologyConfig::SingleSwitch {
                ports: draw.range(33, 64) as u32,
            },
            1..=15 => TopologyConfig::SingleSwitch {
                ports: draw.range(2, 8) as u32,
            },
            16..=30 => TopologyConfig::Bmin {
                nodes: draw.one(&[8, 16]),
            },
            31..=40 => {
                let (k, n) = draw.one(&[(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 1), (4, 2)]);
                TopologyConfig::KAryNTree { k, n }
            }
            41..=55 => TopologyConfig::Mesh {
                width: draw.range(2, 3) as u32,
                height: draw.range(2, 3) as u32,
                nodes_per_switch: draw.range(1, 2) as u32,
            },
            _ => {
                let (switches, nodes, ports) =
                    (draw.range(2, 6), draw.range(2, 12), draw.range(3, 8));
                let graph =
                    testkit::random_graph(&mut draw.0, switches as u32, nodes as u32, ports as u32);
                match graph.map(|graph| Network::up_down(graph, &options)) {
                    Ok(Ok(network)) => return Arc::new(network),
                    _ => continue,
                }
            }
        };
        if let Ok(network) = Network::build(&config, &options) {
            return Arc::new(network);
        }
    }
}

/// A pattern that is legal for so many nodes, with its destinations where all nodes are sources.
pub fn random_destinations(draw: &mut Draw, nodes: u32) -> (Pattern, Vec<u32>) {
    if draw.chance(50) {
        return (Pattern::Uniform, Vec::new());
    }
    let all = [
        Pattern::Uniform,
        Pattern::BitReverse,
        Pattern::Transpose,
        Pattern::Shuffle,
        Pattern::Tornado,
        Pattern::BitComplement,
        Pattern::Hot,
        Pattern::Fixed,
    ];
    let legal: Vec<Pattern> = all
        .into_iter()
        .filter(|p| p.check("pattern", nodes).is_ok())
        .collect();
    let pattern = draw.one(&legal);
    let count = match pattern {
        // Candidates and hot destinations may be any number, `fixed` has one for each source.
        Pattern::Uniform | Pattern::Hot => draw.range(1, 4),
        Pattern::Fixed => u64::from(nodes),
        _ => 0,
    };
    let destinations = (0..count)
        .map(|_| draw.range(0, u64::from(nodes) - 1) as u32)
        .collect();
    (pattern, destinations)
}
