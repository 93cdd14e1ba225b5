//! The BMIN and the k-ary n-tree against topology.md.

use crate::common::{build, cyclic, follow_turns, mirrored, pairs};
use topology::{
    BuildOptions, Deadlock, Endpoint, Network, TopologyConfig, TopologyError, UpChoice,
};

const BOTH: [UpChoice; 2] = [UpChoice::Destination, UpChoice::Source];

fn bmin(nodes: u32, up_choice: UpChoice) -> Network {
    build(TopologyConfig::Bmin { nodes }, up_choice)
}

// "every pair connected; channel dependency graph acyclic", for odd B too; "up links of a stage
// equally loaded", and no link more than that of a node.
#[test]
fn every_size_is_connected_free_of_deadlock_and_evenly_loaded() {
    for bits in 2..=11 {
        for up_choice in BOTH {
            let network = bmin(1 << bits, up_choice);
            assert_eq!(network.deadlock(), &Deadlock::Free);
            assert!(bits > 7 || !cyclic(&network));
            let analysis = network.analysis();
            // "64: 3 x 16 = 48; 256: 4 x 64 = 256; 512: 5 x 128 = 640; 2048: 6 x 512 = 3072"
            assert_eq!(analysis.switches, (bits as usize).div_ceil(2) << (bits - 2));
            let pairs = (1 << bits) * ((1 << bits) - 1);
            assert_eq!(analysis.hops_histogram.iter().sum::<u64>(), pairs);
            assert_eq!(analysis.hops_max, 2 * (bits as usize).div_ceil(2) - 1);
            assert_eq!(analysis.uniform_bound, Some(units::Ratio::ONE), "B = {bits}");
            let mut of_stage = vec![Vec::new(); (bits as usize).div_ceil(2)];
            for load in analysis.link_loads {
                match load.from {
                    Endpoint::Port { switch, port } if port >= 4 => {
                        of_stage[(switch >> (bits - 2)) as usize].push(load.pairs)
                    }
                    _ => {}
                }
            }
            for loads in of_stage.iter().filter(|loads| !loads.is_empty()) {
                assert_eq!(loads.iter().min(), loads.iter().max(), "B = {bits}, {up_choice}");
            }
        }
    }
}

// "Up port p of switch w has label L = 4w + p (B bits) and goes to down-port label rotl2(L)".
#[test]
fn wiring_is_the_perfect_shuffle() {
    for bits in 3..=9u32 {
        let (nodes, per_stage) = (1u32 << bits, 1u32 << (bits - 2));
        let graph = TopologyConfig::Bmin { nodes }.parts(UpChoice::Destination).unwrap().graph;
        let stages = bits.div_ceil(2);
        for stage in 0..stages {
            for label in 0..nodes {
                // Rotate left by one, twice: another way to write rotl2.
                let rotl = |x: u32| (x * 2) % nodes + (x * 2) / nodes;
                let up = graph.peer(stage * per_stage + label / 4, (4 + label % 4) as u8);
                let above = rotl(rotl(label));
                let expected = Endpoint::Port {
                    switch: (stage + 1) * per_stage + above / 4,
                    port: (above % 4) as u8,
                };
                assert_eq!(up, if stage + 1 == stages { Endpoint::None } else { expected });
            }
        }
        for node in 0..nodes {
            assert_eq!(graph.node_port(node), (node >> 2, (node & 3) as u8));
        }
    }
}

// "Turn stage t = least t with source and destination equal in bits 2..B-1-2t." "Up digits,
// destination-based: stage 0: d1 d0; stage s: (d_{B+1-2s}, d_{B-2s}). Down port at stage s >= 1 the
// same bits (odd B, top stage: (d2, d1)); stage 0: d1 d0."
#[test]
fn routes_follow_the_digits() {
    for bits in 2..=8u32 {
        let network = bmin(1 << bits, UpChoice::Destination);
        for (s, d) in pairs(1 << bits) {
            let bit = |x: u32, i: u32| x >> i & 1;
            let equal = |t: u32| {
                (2..=bits - 1).filter(|i| i + 2 * t < bits).all(|i| bit(s, i) == bit(d, i))
            };
            let turn = (0..).find(|&t| equal(t)).unwrap();
            let digit = |stage: u32| match stage {
                0 => 2 * bit(d, 1) + bit(d, 0),
                _ => 2 * bit(d, bits + 1 - 2 * stage) + bit(d, bits - 2 * stage),
            };
            let expected: Vec<u32> = (0..turn)
                .map(|stage| 4 + digit(stage))
                .chain((0..=turn).rev().map(digit))
                .collect();
            let path = network.path(s, d).unwrap();
            let out: Vec<u32> = path.hops.iter().map(|hop| hop.out_port.into()).collect();
            assert_eq!(out, expected, "{path}");
            assert_eq!(follow_turns(&network, s, d), Endpoint::Node(d), "{path}");
        }
    }
}

/// "with destination-based routes every down link carries one destination only"; "`up_choice =
/// "source"` = the mirror image of the route d -> x"
fn assert_down_links_and_mirror_image(up: u32, [by_destination, by_source]: [&Network; 2]) {
    let graph = by_destination.graph();
    let mut carried = vec![None; graph.ports_total()];
    for (s, d) in pairs(graph.nodes()) {
        let path = by_destination.path(s, d).unwrap();
        assert_eq!(by_source.path(d, s).unwrap().hops[..], mirrored(&path.hops), "{path}");
        for hop in path.hops.iter().filter(|hop| u32::from(hop.out_port) < up) {
            let link = &mut carried[graph.port_index(hop.switch, hop.out_port)];
            assert_eq!(*link.get_or_insert(d), d, "{path}");
        }
    }
}

#[test]
fn down_links_carry_one_destination_and_sources_mirror_routes() {
    for bits in 2..=9 {
        let both = BOTH.map(|up_choice| bmin(1 << bits, up_choice));
        assert_down_links_and_mirror_image(4, both.each_ref());
    }
    for (k, n) in [(2, 1), (2, 2), (2, 5), (3, 3), (5, 3), (6, 2), (16, 2), (32, 2)] {
        let both = BOTH.map(|up_choice| build(TopologyConfig::KAryNTree { k, n }, up_choice));
        assert_eq!(both[0].switches() as u32, n * k.pow(n - 1));
        assert_down_links_and_mirror_image(k, both.each_ref());
    }
}

// turnpool.md: "31 bits do not suffice for BMIN 2048 (11 switches x 3 = 33)".
#[test]
fn as31_refuses_2048_nodes() {
    let error = Network::build(&TopologyConfig::Bmin { nodes: 2048 }, &BuildOptions::default())
        .unwrap_err();
    match &error {
        TopologyError::PoolOverflow { bits: 33, pool: turnpool::PoolKind::As31, longest } => {
            assert_eq!(longest.hops.len(), 11)
        }
        other => panic!("{other}"),
    }
    assert!(error.to_string().starts_with(
        "the longest route needs 33 bits of turns, turnpool `as31` has 31: n0 -> s0[0>"
    ));
    assert_eq!(bmin(2048, UpChoice::Destination).route_bits_max(), 33);
    assert!(Network::build(&TopologyConfig::Bmin { nodes: 512 }, &BuildOptions::default()).is_ok());
}

// A node that sends to itself turns back in its own switch: one hop, turn P-1.
#[test]
fn self_traffic_takes_the_turn_back() {
    let options = BuildOptions { self_traffic: true, ..BuildOptions::default() };
    let network = Network::build(&TopologyConfig::Bmin { nodes: 16 }, &options).unwrap();
    for node in 0..16 {
        let route = network.route(node, node).unwrap();
        assert_eq!((u32::from(route.bits()), route.next(3)), (3, Ok(7)));
    }
    let without =
        Network::build(&TopologyConfig::Bmin { nodes: 16 }, &BuildOptions::default()).unwrap();
    assert_eq!(
        without.route(3, 3).unwrap_err().to_string(),
        "n3 sends to itself; legal only with `workload.self = true`"
    );
}

// "Generic: the construction for 2k-port switches and k^n nodes too (k-ary n-tree)"
#[test]
fn four_ary_tree_is_the_bmin() {
    for (n, nodes) in [(1, 4), (2, 16), (3, 64), (4, 256)] {
        for up_choice in BOTH {
            let tree = build(TopologyConfig::KAryNTree { k: 4, n }, up_choice);
            let bmin = bmin(nodes, up_choice);
            assert_eq!(tree.graph(), bmin.graph());
            for (s, d) in pairs(nodes as usize) {
                assert_eq!(tree.path(s, d), bmin.path(s, d));
            }
        }
    }
}
