//! Random networks, and who sends to whom in them.

use crate::prelude::*;
use topology::{Graph, UpChoice, testkit};
use turnpool::PoolKind;

/// A small network of any topology; one in a hundred is a single switch of more than 32 ports.
pub fn random_network(draw: &mut Draw, self_traffic: bool) -> Arc<Network> {
    draw_network(draw, self_traffic, |draw| match draw.range(0, 99) {
        0 => Drawn::Named(TopologyConfig::SingleSwitch { ports: draw.range(33, 64) as u32 }),
        1..=15 => Drawn::Named(TopologyConfig::SingleSwitch { ports: draw.range(2, 8) as u32 }),
        16..=30 => Drawn::Named(TopologyConfig::Bmin { nodes: draw.one(&[8, 16]) }),
        31..=40 => {
            let (k, n) = draw.one(&[(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 1), (4, 2)]);
            Drawn::Named(TopologyConfig::KAryNTree { k, n })
        }
        41..=55 => Drawn::Named(TopologyConfig::Mesh {
            width: draw.range(2, 3) as u32,
            height: draw.range(2, 3) as u32,
            nodes_per_switch: draw.range(1, 2) as u32,
        }),
        _ => {
            let (switches, nodes, ports) = (draw.range(2, 6), draw.range(2, 12), draw.range(3, 8));
            Drawn::any(draw, switches, nodes, ports)
        }
    })
}

/// A network with eight switches or more at the level of the end nodes, but where chance puts the
/// nodes elsewhere.
pub fn random_large_network(draw: &mut Draw, self_traffic: bool) -> Arc<Network> {
    draw_network(draw, self_traffic, |draw| match draw.range(0, 99) {
        0..=19 => Drawn::Named(TopologyConfig::Bmin { nodes: 32 }),
        20..=39 => {
            let (k, n) = draw.one(&[(2, 4), (3, 3)]);
            Drawn::Named(TopologyConfig::KAryNTree { k, n })
        }
        40..=64 => Drawn::Named(TopologyConfig::Mesh {
            width: draw.range(3, 4) as u32,
            height: draw.range(3, 4) as u32,
            nodes_per_switch: draw.range(1, 2) as u32,
        }),
        _ => {
            let (switches, nodes, ports) =
                (draw.range(10, 14), draw.range(16, 32), draw.range(4, 8));
            Drawn::any(draw, switches, nodes, ports)
        }
    })
}

/// A network of any kind, hierarchical ones included, with virtual channels and tables.
pub(crate) fn any_network(draw: &mut Draw) -> Arc<Network> {
    if draw.chance(35) {
        return Arc::new(crate::rack::network(draw));
    }
    let vcs = draw.one(&[1, 1, 1, 2, 3, 4]);
    let (tables, self_traffic) = (draw.chance(25), draw.chance(20));
    let topology = |draw: &mut Draw| match draw.range(0, 5) {
        0 | 1 => Drawn::any(draw, 5, 8, 6),
        2 => Drawn::Named(TopologyConfig::Dumbbell { inputs: draw.range(1, 6) as u32 }),
        3 => Drawn::Named(TopologyConfig::ParkingLot { switches: draw.range(2, 6) as u32 }),
        _ => Drawn::Named(crate::wide::random_topology(draw)),
    };
    draw_network_with(draw, topology, |options| BuildOptions {
        vcs,
        tables,
        self_traffic,
        ..options
    })
}

/// A topology by name, or any links; `None` where there are not enough ports.
enum Drawn {
    Named(TopologyConfig),
    Links(Option<Graph>),
}

impl Drawn {
    fn any(draw: &mut Draw, switches: u64, nodes: u64, ports: u64) -> Drawn {
        let graph = testkit::random_graph(&mut draw.0, switches as u32, nodes as u32, ports as u32);
        Drawn::Links(graph.ok())
    }
}

/// Draws until it is legal.
fn draw_network(
    draw: &mut Draw,
    self_traffic: bool,
    topology: fn(&mut Draw) -> Drawn,
) -> Arc<Network> {
    draw_network_with(draw, topology, |options| BuildOptions { self_traffic, ..options })
}

fn draw_network_with(
    draw: &mut Draw,
    topology: fn(&mut Draw) -> Drawn,
    further: impl Fn(BuildOptions) -> BuildOptions,
) -> Arc<Network> {
    loop {
        let options = further(BuildOptions {
            // Where the route does not fit, the next round draws again.
            pool: draw.one(&[PoolKind::As31, PoolKind::Extended]),
            up_choice: draw.one(&[UpChoice::Destination, UpChoice::Destination, UpChoice::Source]),
            ..BuildOptions::default()
        });
        let network = match topology(draw) {
            Drawn::Named(config) => Network::build(&config, &options).ok(),
            Drawn::Links(graph) => graph.and_then(|graph| Network::up_down(graph, &options).ok()),
        };
        if let Some(network) = network {
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
    let legal: Vec<Pattern> =
        all.into_iter().filter(|p| p.check("pattern", nodes).is_ok()).collect();
    let pattern = draw.one(&legal);
    let count = match pattern {
        // Candidates and hot destinations may be any number, `fixed` has one for each source.
        Pattern::Uniform | Pattern::Hot => draw.range(1, 4),
        Pattern::Fixed => u64::from(nodes),
        _ => 0,
    };
    let destinations = (0..count).map(|_| draw.range(0, u64::from(nodes) - 1) as u32).collect();
    (pattern, destinations)
}

/// A wire latency of 1 to `high` for every link, but for so many per cent of them, the same in both
/// directions, in the order that a fabric wants.
pub fn wires(draw: &mut Draw, network: &Network, high: u64, but: u64) -> Vec<((u32, u8), Span)> {
    let mut wires = Vec::new();
    for (a, b, _) in network.graph().links() {
        let wire = Span(draw.range(1, high));
        if draw.chance(but) {
            continue;
        }
        for end in [a, b] {
            if let Endpoint::Port { switch, port } = end {
                wires.push(((switch, port), wire));
            }
        }
    }
    wires.sort_unstable();
    wires
}
