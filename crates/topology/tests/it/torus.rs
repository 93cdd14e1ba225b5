//! What topology.md says about tori: wiring, routes, datelines, the deadlock check on channels.

use crate::common::{assert_sound, cyclic, pairs, wide};
use topology::{
    BuildOptions, Deadlock, Endpoint, Network, TopologyConfig, TopologyError, UpChoice, VcStep,
};
use units::Ratio;

/// Tori of one to three dimensions, rectangular too, with rings of two and more.
const SIZES: [&[u32]; 17] = [
    &[2],
    &[3],
    &[4],
    &[5],
    &[8],
    &[2, 2],
    &[3, 3],
    &[4, 4],
    &[5, 2],
    &[2, 6],
    &[3, 5],
    &[7, 4],
    &[2, 2, 2],
    &[3, 3, 3],
    &[4, 2, 3],
    &[2, 5, 4],
    &[4, 4, 4],
];

fn torus(dimensions: &[u32], nodes_per_switch: u32) -> TopologyConfig {
    TopologyConfig::Torus { dimensions: dimensions.to_vec(), nodes_per_switch }
}

fn options(vcs: u8) -> BuildOptions {
    BuildOptions { vcs, ..wide(UpChoice::Destination) }
}

fn build(dimensions: &[u32], nodes_per_switch: u32, vcs: u8) -> Network {
    Network::build(&torus(dimensions, nodes_per_switch), &options(vcs)).unwrap()
}

/// Coordinates of a switch.
fn place(dimensions: &[u32], mut switch: u32) -> Vec<u32> {
    let digit = |&size: &u32| {
        let at = switch % size;
        switch /= size;
        at
    };
    dimensions.iter().map(digit).collect()
}

/// The switches of a route by the words of the specification, and the virtual channels of the links
/// between them.
fn dimension_order(dimensions: &[u32], from: u32, to: u32) -> Vec<(u32, u8)> {
    let (mut here, there) = (place(dimensions, from), place(dimensions, to));
    let mut links = Vec::new();
    for (dimension, &size) in dimensions.iter().enumerate() {
        let up =
            (0..size).find(|step| (here[dimension] + step) % size == there[dimension]).unwrap();
        let down = (size - up) % size;
        let mut vc = 0;
        for _ in 0..up.min(down) {
            let last = here[dimension];
            here[dimension] = (last + if up <= down { 1 } else { size - 1 }) % size;
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

// "two a dimension, then nodes", "a ring of two has one link", between the up ports
#[test]
fn neighbours_and_nodes_are_where_the_specification_puts_them() {
    for dimensions in SIZES {
        let network = build(dimensions, 3, 2);
        let graph = network.graph();
        let first_node = 2 * dimensions.len() as u32;
        for switch in 0..graph.switches() as u32 {
            assert_eq!(graph.ports(switch), first_node + 3);
            let here = place(dimensions, switch);
            for port in 0..first_node as u8 {
                let (dimension, is_up) = (usize::from(port / 2), port % 2 == 0);
                let size = dimensions[dimension];
                let Endpoint::Port { switch: next, port: end } = graph.peer(switch, port) else {
                    assert_eq!((size, is_up), (2, false), "{dimensions:?} s{switch}.{port}");
                    continue;
                };
                let mut expected = here.clone();
                expected[dimension] = (here[dimension] + if is_up { 1 } else { size - 1 }) % size;
                assert_eq!(place(dimensions, next), expected);
                assert_eq!(end, if size == 2 { port } else { port ^ 1 });
                assert!(size > 2 || is_up);
            }
        }
        for node in 0..graph.nodes() as u32 {
            let port = (first_node + node % 3) as u8;
            assert_eq!(graph.node_port(node), (node / 3, port));
        }
    }
}

// "Dimension order, the shorter way round; a tie goes up": connected, minimal, as the words say;
// "VC 0 until a packet crosses the wrap-around link of the dimension in which it is, then VC 1; VC
// 0 again in the next dimension". The registers of the routing units lead along the same channels.
#[test]
fn routes_and_their_channels_are_those_of_the_words() {
    for dimensions in SIZES {
        let network = build(dimensions, 2, 2);
        assert_sound(&network);
        for (s, d) in pairs(network.nodes()) {
            let path = network.path(s, d).unwrap();
            let expected = dimension_order(dimensions, s / 2, d / 2);
            let found = path.hops[1..].iter().zip(&path.hops);
            let found: Vec<_> = found.map(|(next, hop)| (next.switch, hop.vc)).collect();
            assert_eq!(found, expected, "{dimensions:?}: {path}");
            assert_eq!(path.hops.last().unwrap().vc, 0, "to a node: {path}");
            let mut vc = network.first_vc(s, d);
            for hop in path.hops {
                let steps = network.vc_steps(hop.switch, hop.in_port);
                assert_eq!(steps.len(), network.graph().ports(hop.switch) as usize);
                assert_eq!(steps[usize::from(hop.out_port)].next(units::VcId(vc)).0, hop.vc);
                vc = network.next_vc(hop.switch, hop.in_port, vc, hop.out_port);
                assert_eq!(vc, hop.vc);
            }
        }
    }
}

// "The check at build decides on the actual channel dependencies": no torus can deadlock on two
// virtual channels; on one a ring of four or more can, a ring of three cannot.
#[test]
fn a_torus_needs_two_channels_where_a_ring_has_four_switches() {
    for dimensions in SIZES {
        let network = build(dimensions, 1, 2);
        let wraps = dimensions.iter().any(|&size| size > 2);
        assert_eq!(network.vcs_used(), if wraps { 2 } else { 1 }, "{dimensions:?}");
        let mut one = options(1);
        one.allow_deadlock = true;
        let network = Network::build(&torus(dimensions, 1), &one).unwrap();
        let can = dimensions.iter().any(|&size| size > 3);
        assert_eq!(cyclic(&network), can, "{dimensions:?}");
        assert_eq!(network.deadlock() != &Deadlock::Free, can, "{dimensions:?}");
        assert_eq!(network.vcs_used(), 1);
        let steps = network.vc_steps(0, 0);
        assert!(steps.iter().all(|&step| step == VcStep::Keep));
    }
}

// "With one VC a ring of four or more is refused with its cycle": switches, ports, channels, and
// the number of channels that is legal.
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
    assert_eq!(bmin.next_vc(0, 0, 3, 4), 3);
    for vcs in [0, 17] {
        let error = Network::build(&torus(&[4], 1), &options(vcs)).unwrap_err();
        let text = format!("switch.vcs = {vcs} is not legal; legal: 1 to 16");
        assert_eq!(error.to_string(), text);
    }
}

// "twice the bisection bandwidth": links across the middle of a dimension, counted on the graph,
// two directions, twice; the dimension with the fewest decides.
#[test]
fn maximum_is_twice_the_bisection() {
    for dimensions in SIZES {
        let network = build(dimensions, 1, 2);
        let across = |dimension: usize| {
            let upper = |end| match end {
                Endpoint::Port { switch, .. } => {
                    place(dimensions, switch)[dimension] >= dimensions[dimension].div_ceil(2)
                }
                _ => false,
            };
            let between = network.graph().links();
            let between = between.filter(|(a, ..)| !matches!(a, Endpoint::Node(_)));
            between.filter(|&(a, b, _)| upper(a) != upper(b)).count() as u64
        };
        let fewest = (0..dimensions.len()).map(across).min().unwrap();
        let most = network.maximum_bytes_per_ns(Ratio::ONE).unwrap();
        assert_eq!((most.num(), most.den()), (4 * fewest, 1), "{dimensions:?}");
    }
    // N x N: 8N, twice that of a mesh.
    let most = build(&[8, 8], 1, 2).maximum_bytes_per_ns(Ratio::ONE);
    assert_eq!(most, Ratio::new(64, 1).ok());
}

// A ring of N, N even: a node sends up to N/2 others of distances 1 to N/2, so a link up carries
// 1 + 2 + ... + N/2 pairs, and a node may inject (N - 1) of them.
#[test]
fn uniform_bound_of_a_ring_is_that_of_its_up_links() {
    for size in [4u32, 6, 8, 12] {
        let analysis = build(&[size], 1, 2).analysis();
        let half = u64::from(size / 2);
        let pairs = half * (half + 1) / 2;
        assert_eq!(analysis.link_load_max.unwrap().pairs, pairs);
        let bound = Ratio::new(u64::from(size) - 1, pairs).ok();
        assert_eq!(analysis.uniform_bound, bound);
        assert_eq!((analysis.vcs, analysis.vcs_used), (2, 2));
    }
}

// The turn pool must hold every route; the longest is half way round every ring.
#[test]
fn a_torus_too_wide_for_its_turn_pool_is_refused() {
    let as31 = BuildOptions { vcs: 2, ..BuildOptions::default() };
    let error = Network::build(&torus(&[16, 16], 1), &as31).unwrap_err();
    let TopologyError::PoolOverflow { bits, longest, .. } = &error else { panic!("{error}") };
    assert_eq!((*bits, longest.source, longest.destination), (34, 0, 136));
    // 8 x 8, 5 ports: 2 bits for each of 9 switches.
    let network = Network::build(&torus(&[8, 8], 1), &as31).unwrap();
    assert_eq!(network.route_bits_max(), 18);
}
