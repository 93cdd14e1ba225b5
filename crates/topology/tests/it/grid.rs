//! Meshes, tori and the single switch against topology.md and turnpool.md.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{Rule, assert_sound, cyclic, pairs, wide};
use topology::{
    BuildOptions, Deadlock, Endpoint, Network, Parts, TopologyConfig, TopologyError, UpChoice,
    VcStep,
};
use units::Ratio;

/// Tori of one to three dimensions, rectangular too, with rings of two and more.
const SIZES: &str = "2 3 4 5 8 2x2 3x3 4x4 5x2 2x6 3x5 7x4 2x2x2 3x3x3 4x2x3 2x5x4 4x4x4";

fn sizes() -> impl Iterator<Item = Vec<u32>> {
    let size = |text: &str| text.split('x').map(|size| size.parse().unwrap()).collect();
    SIZES.split(' ').map(size)
}

fn torus(dimensions: &[u32], nodes_per_switch: u32) -> TopologyConfig {
    TopologyConfig::Torus { dimensions: dimensions.to_vec(), nodes_per_switch }
}

/// Width, height and end nodes of a switch.
const MESHES: [(u32, u32, u32); 6] =
    [(1, 1, 3), (1, 6, 1), (5, 1, 2), (4, 4, 1), (3, 7, 2), (8, 5, 1)];

fn mesh(width: u32, height: u32, nodes_per_switch: u32) -> TopologyConfig {
    TopologyConfig::Mesh { width, height, nodes_per_switch }
}

fn options(vcs: u8) -> BuildOptions {
    BuildOptions { vcs, ..wide(UpChoice::Destination) }
}

fn build(dimensions: &[u32], nodes_per_switch: u32, vcs: u8) -> Network {
    Network::build(&torus(dimensions, nodes_per_switch), &options(vcs)).unwrap()
}

fn build_mesh((width, height, nodes_per_switch): (u32, u32, u32)) -> Network {
    Network::build(&mesh(width, height, nodes_per_switch), &options(1)).unwrap()
}

/// Tori and meshes with their dimensions, the end nodes of a switch, and whether they have rings.
fn grids() -> impl Iterator<Item = (Network, Vec<u32>, u32, bool)> {
    let tori = sizes().map(|dimensions| (build(&dimensions, 2, 2), dimensions, 2, true));
    let meshes = MESHES.map(|size| (build_mesh(size), vec![size.0, size.1], size.2, false));
    tori.chain(meshes)
}

fn place(dimensions: &[u32], mut switch: u32) -> Vec<u32> {
    let digit = |&size: &u32| {
        let at = switch % size;
        switch /= size;
        at
    };
    dimensions.iter().map(digit).collect()
}

/// The switches of a route by the words of the specification, and the virtual channels between.
fn dimension_order(dimensions: &[u32], has_rings: bool, (from, to): (u32, u32)) -> Vec<(u32, u8)> {
    let (mut here, there) = (place(dimensions, from), place(dimensions, to));
    let mut links = Vec::new();
    for (dimension, &size) in dimensions.iter().enumerate() {
        let up =
            (0..size).find(|step| (here[dimension] + step) % size == there[dimension]).unwrap();
        let down = (size - up) % size;
        let is_up = if has_rings { up <= down } else { here[dimension] < there[dimension] };
        let mut vc = 0;
        for _ in 0..if is_up { up } else { down } {
            let last = here[dimension];
            here[dimension] = (last + if is_up { 1 } else { size - 1 }) % size;
            if size > 2 && last.abs_diff(here[dimension]) > 1 {
                vc = 1;
            }
            let back = |switch, (&at, &size): (&u32, &u32)| switch * size + at;
            let switch = here.iter().zip(dimensions).rev().fold(0, back);
            links.push((switch, vc));
        }
    }
    links
}

// "two a dimension, then nodes", "a ring of two has one link", between the up ports; "ports 4 + c;
// node e on switch e div c; switch s at x = s mod N, y = s div N"
#[test]
fn neighbours_and_nodes_are_where_the_specification_puts_them() {
    for (network, dimensions, nodes, has_rings) in grids() {
        let graph = network.graph();
        let first_node = 2 * dimensions.len() as u32;
        for switch in 0..graph.switches() as u32 {
            assert_eq!(graph.ports(switch), first_node + nodes);
            let here = place(&dimensions, switch);
            for port in 0..first_node as u8 {
                let (dimension, is_up) = (usize::from(port / 2), port % 2 == 0);
                let (size, at) = (dimensions[dimension], here[dimension]);
                let is_open = match has_rings {
                    true => size == 2 && !is_up,
                    false => at == if is_up { size - 1 } else { 0 },
                };
                let peer = graph.peer(switch, port);
                assert_eq!(peer == Endpoint::None, is_open, "{dimensions:?} s{switch}.{port}");
                if let Endpoint::Port { switch: next, port: end } = peer {
                    let mut expected = here.clone();
                    expected[dimension] = (at + if is_up { 1 } else { size - 1 }) % size;
                    assert_eq!(place(&dimensions, next), expected);
                    assert_eq!(end, if has_rings && size == 2 { port } else { port ^ 1 });
                }
            }
        }
        for node in 0..graph.nodes() as u32 {
            let port = (first_node + node % nodes) as u8;
            assert_eq!(graph.node_port(node), (node / nodes, port));
        }
    }
}

// "X then Y"; "Dimension order, the shorter way round; a tie goes up"; "VC 0 until a packet crosses
// the wrap-around link of the dimension in which it is, then VC 1; VC 0 again in the next
// dimension".
#[test]
fn routes_and_their_channels_are_those_of_the_words() {
    for (network, dimensions, nodes, has_rings) in grids() {
        assert_sound(&network);
        for (s, d) in pairs(network.nodes()) {
            let path = network.path(s, d).unwrap();
            let expected = dimension_order(&dimensions, has_rings, (s / nodes, d / nodes));
            let found = path.hops[1..].iter().zip(&path.hops);
            let found: Vec<_> = found.map(|(next, hop)| (next.switch, hop.vc)).collect();
            assert_eq!(found, expected, "{dimensions:?}: {path}");
            assert_eq!(path.hops.last().unwrap().vc, 0, "to a node: {path}");
            let mut vc = 0;
            for hop in path.hops {
                let steps = network.vc_steps(hop.switch, hop.in_port);
                assert_eq!(steps.len(), network.graph().ports(hop.switch) as usize);
                vc = steps[usize::from(hop.out_port)].next(units::VcId(vc)).0;
                assert_eq!(vc, hop.vc);
            }
        }
    }
}

// "The check at build decides on the actual channel dependencies": a ring of four or more can
// deadlock on one virtual channel.
#[test]
fn a_torus_needs_two_channels_where_a_ring_has_four_switches() {
    for dimensions in sizes() {
        let network = build(&dimensions, 1, 2);
        let wraps = dimensions.iter().any(|&size| size > 2);
        assert_eq!(network.vcs_used(), if wraps { 2 } else { 1 }, "{dimensions:?}");
        let mut one = options(1);
        one.allow_deadlock = true;
        let network = Network::build(&torus(&dimensions, 1), &one).unwrap();
        let can = dimensions.iter().any(|&size| size > 3);
        assert_eq!(cyclic(&network), can, "{dimensions:?}");
        assert_eq!(network.deadlock() != &Deadlock::Free, can, "{dimensions:?}");
        assert_eq!(network.vcs_used(), 1);
        let steps = network.vc_steps(0, 0);
        assert!(steps.iter().all(|&step| step == VcStep::Keep));
    }
}

// "With one VC a ring of four or more is refused with its cycle", and the legal channels.
#[test]
fn a_ring_of_four_on_one_channel_is_refused_with_its_cycle() {
    let error = Network::build(&torus(&[4], 1), &options(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the channel dependency graph has a cycle, so the routes can deadlock: s0.0 vc0 -> \
         s1.0 vc0 -> s2.0 vc0 -> s3.0 vc0 -> s0.0 vc0; switch.vcs = 1 is too few for this \
         routing; legal: 2 to 16"
    );
    let TopologyError::Deadlock { needed, .. } = error else { panic!("{error}") };
    assert_eq!(needed, Some(2));
}

// More channels than a routing uses are legal.
#[test]
fn channels_beyond_those_of_the_routing_stay_unused() {
    let network = build(&[5, 4], 1, 16);
    assert_eq!((network.vcs(), network.vcs_used()), (16, 2));
    let two = build(&[5, 4], 1, 2);
    for (s, d) in pairs(network.nodes()) {
        assert_eq!(network.path(s, d), two.path(s, d));
    }
    let bmin = Network::build(&TopologyConfig::Bmin { nodes: 16 }, &options(4)).unwrap();
    assert_eq!((bmin.vcs(), bmin.vcs_used()), (4, 1));
    assert_eq!(bmin.vc_steps(0, 0)[4], VcStep::Keep);
    for vcs in [0, 17] {
        let error = Network::build(&torus(&[4], 1), &options(vcs)).unwrap_err();
        let text = format!("switch.vcs = {vcs} is not legal; legal: 1 to 16");
        assert_eq!(error.to_string(), text);
    }
}

// "twice the bisection bandwidth": links across the middle of a dimension, counted on the graph.
#[test]
fn maximum_is_twice_the_bisection() {
    let most = |network: &Network| network.maximum_bytes_per_ns(Ratio::ONE);
    for (network, dimensions, ..) in grids().filter(|(network, ..)| network.switches() > 1) {
        let across = |dimension: usize| {
            let upper = |end| match end {
                Endpoint::Port { switch, .. } => {
                    place(&dimensions, switch)[dimension] >= dimensions[dimension].div_ceil(2)
                }
                _ => false,
            };
            let between = network.graph().links();
            let between = between.filter(|(a, ..)| !matches!(a, Endpoint::Node(_)));
            between.filter(|&(a, b, _)| upper(a) != upper(b)).count() as u64
        };
        let dimensions = (0..dimensions.len()).filter(|&d| dimensions[d] > 1);
        let fewest = dimensions.map(across).min().unwrap();
        assert_eq!(most(&network), Ratio::new(4 * fewest, 1).ok());
    }
    // garcia-mesh-2005: "4N bytes/ns" 64, 32, 16, 32, 16 for configs 1 to 5; a switch alone has no
    // cut. N x N torus: 8N.
    for (side, nodes, expected) in
        [(16, 1, 64), (8, 4, 32), (4, 16, 16), (8, 1, 32), (4, 1, 16), (1, 6, 6)]
    {
        assert_eq!(most(&build_mesh((side, side, nodes))), Ratio::new(expected, 1).ok());
    }
    assert_eq!(most(&build(&[8, 8], 1, 2)), Ratio::new(64, 1).ok());
    let of = |config| Network::build(&config, &options(1)).unwrap();
    assert_eq!(most(&of(TopologyConfig::Bmin { nodes: 64 })), Ratio::new(64, 1).ok());
    let half = Ratio::new(1, 2).unwrap();
    let single = of(TopologyConfig::SingleSwitch { ports: 5 });
    assert_eq!(single.maximum_bytes_per_ns(half), Ratio::new(5, 2).ok());
}

// N x N mesh: N links across the middle, with X-Y routes (N/2) x (N^2/2) pairs on each. A ring of
// N: a link up carries 1 + 2 + ... + N/2 pairs.
#[test]
fn uniform_bounds_are_those_of_the_fullest_links() {
    let meshes =
        [4u64, 6, 8, 16].map(|n| (build_mesh((n as u32, n as u32, 1)), n * n, n.pow(3) / 4));
    let rings = [4u64, 6, 8, 12].map(|n| (build(&[n as u32], 1, 2), n, n / 2 * (n / 2 + 1) / 2));
    for (network, nodes, pairs) in meshes.into_iter().chain(rings) {
        let analysis = network.analysis();
        assert_eq!(analysis.link_load_max.unwrap().pairs, pairs);
        assert_eq!(analysis.uniform_bound, Ratio::new(nodes - 1, pairs).ok());
    }
}

// "P ports, an end node on each"
#[test]
fn single_switch_has_a_node_on_each_port() {
    for ports in [2, 3, 8, 64] {
        let config = TopologyConfig::SingleSwitch { ports };
        let analysis = Network::build(&config, &options(1)).unwrap().analysis();
        let ports = ports as usize;
        assert_eq!((analysis.switches, analysis.nodes, analysis.links), (1, ports, ports));
        assert_eq!((analysis.hops_max, analysis.hops_mean), (1, 1.0));
        assert_eq!(analysis.uniform_bound, Some(Ratio::ONE));
    }
}

// The longest is half way round every ring, or from corner to corner. turnpool.md: "mesh 16x16 with
// 1 node (62), 8x8 with 4 (45), 4x4 with 16 (35)"; torus 8 x 8: 2 bits for each of 9 switches.
#[test]
fn a_grid_too_wide_for_its_turn_pool_is_refused() {
    let as31 = BuildOptions { vcs: 2, ..BuildOptions::default() };
    for (config, bits, last) in [
        (mesh(16, 16, 1), 62, 255),
        (mesh(8, 8, 4), 45, 252),
        (mesh(4, 4, 16), 35, 240),
        (torus(&[16, 16], 1), 34, 136),
    ] {
        let error = Network::build(&config, &as31).unwrap_err();
        let TopologyError::PoolOverflow { bits: needed, longest, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!((*needed, longest.source, longest.destination), (bits, 0, last));
        let network = Network::build(&config, &options(2)).unwrap();
        assert_eq!(network.route_bits_max(), bits);
    }
    let network = Network::build(&torus(&[8, 8], 1), &as31).unwrap();
    assert_eq!(network.route_bits_max(), 18);
    let error = Network::build(&mesh(40, 40, 1), &options(1)).unwrap_err().to_string();
    assert!(error.contains("needs 158 bits of turns, turnpool `extended` has 128"), "{error}");
}

// "A network whose turn pool does not hold that route is refused before any other is walked": 127
// hops of 700 million.
#[test]
fn a_route_that_is_too_long_is_found_before_the_walk() {
    static ASKED: AtomicU64 = AtomicU64::new(0);
    let parts = mesh(64, 64, 1).parts(UpChoice::Source).unwrap();
    let longest = parts.routes.longest(&parts.graph);
    let rule = parts.routes.clone();
    let counted = move |switch, destination| {
        ASKED.fetch_add(1, Ordering::Relaxed);
        rule.next_port(switch, 0, destination, 0)
    };
    let routes = Arc::new(Rule { longest, ..Rule::new(counted) });
    let error = Network::from_parts(Parts { routes, ..parts }, &BuildOptions::default());
    let Err(TopologyError::PoolOverflow { bits, longest, .. }) = error else { panic!("254 bits") };
    assert_eq!((bits, longest.source, longest.destination), (254, 0, 4095));
    assert_eq!(ASKED.load(Ordering::Relaxed), 127);
}
