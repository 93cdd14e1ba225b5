//! Networks for tests.

use crate::builder::{GraphBuilder, GraphError, unconnected};
use crate::graph::{Graph, LinkAttributes};
use crate::topology::TopologyConfig;

/// Every topology with routes by a formula, in some small sizes.
pub fn some_topologies() -> Vec<TopologyConfig> {
    let mut all = vec![TopologyConfig::SingleSwitch { ports: 5 }];
    all.extend([4, 8, 32, 64].map(|nodes| TopologyConfig::Bmin { nodes }));
    all.extend([(2, 1), (2, 4), (3, 3), (5, 2)].map(|(k, n)| TopologyConfig::KAryNTree { k, n }));
    let meshes = [(1, 1, 3), (1, 7, 1), (6, 1, 2), (5, 3, 1), (4, 4, 2)];
    all.extend(meshes.map(|(width, height, nodes_per_switch)| TopologyConfig::Mesh {
        width,
        height,
        nodes_per_switch,
    }));
    let tori = [&[2][..], &[7], &[5, 2], &[4, 3], &[2, 2, 2], &[2, 3, 4]];
    all.extend(
        tori.map(|sizes| TopologyConfig::Torus { dimensions: sizes.to_vec(), nodes_per_switch: 2 }),
    );
    all.extend([1, 2, 7, 30].map(|inputs| TopologyConfig::Dumbbell { inputs }));
    all.extend([1, 2, 9].map(|switches| TopologyConfig::ParkingLot { switches }));
    all
}

/// A random connected graph: a random tree over the switches, the nodes on random free ports, then
/// a random number of further links. The same words of `next` give the same graph.
///
/// # Errors
/// Port counts outside 2 to 64, no switch or node, too few ports (the first node without one).
pub fn random_graph(
    next: &mut dyn FnMut() -> u64,
    switches: u32,
    nodes: u32,
    ports: u32,
) -> Result<Graph, GraphError> {
    let mut builder = GraphBuilder::new(&vec![ports; switches as usize], nodes)?;
    let mut pick = |choices: &[u32]| choices[(next() % choices.len() as u64) as usize];
    // Those of the first switches that have a port left.
    let open = |builder: &GraphBuilder, first: u32| -> Vec<u32> {
        (0..first).filter(|&switch| builder.lowest_free_port(switch).is_some()).collect()
    };
    let join = |builder: &mut GraphBuilder, a: u32, b: u32| match (
        builder.lowest_free_port(a),
        builder.lowest_free_port(b),
    ) {
        (Some(a_port), Some(b_port)) => {
            builder.connect((a, a_port), (b, b_port), LinkAttributes::default())
        }
        _ => Ok(()),
    };
    for switch in 1..switches {
        // With two ports or more each, some earlier switch always has one left.
        let other = pick(&open(&builder, switch));
        join(&mut builder, other, switch)?;
    }
    for node in 0..nodes {
        let open = open(&builder, switches);
        if open.is_empty() {
            return Err(unconnected(node));
        }
        let switch = pick(&open);
        if let Some(port) = builder.lowest_free_port(switch) {
            builder.attach(node, (switch, port), LinkAttributes::default())?;
        }
    }
    let left = switches * ports - 2 * (switches - 1) - nodes;
    let extra = pick(&(0..=left / 2).collect::<Vec<_>>());
    for _ in 0..extra {
        let open = open(&builder, switches);
        if open.len() < 2 {
            break;
        }
        let (a, b) = (pick(&open), pick(&open));
        if a != b {
            join(&mut builder, a, b)?;
        }
    }
    builder.finish()
}

/// A generator of random words (SplitMix64) for [`random_graph`].
pub fn words(mut seed: u64) -> impl FnMut() -> u64 {
    move || units::draw::split_mix(&mut seed)
}
