//! What topology.md and turnpool.md say about the mesh and the single switch.

use crate::common::{assert_sound, build, pairs, wide};
use topology::{BuildOptions, Endpoint, Network, TopologyConfig, UpChoice};
use units::Ratio;

fn mesh(width: u32, height: u32, nodes_per_switch: u32) -> Network {
    build(TopologyConfig::Mesh { width, height, nodes_per_switch }, UpChoice::Destination)
}

// "X then Y": minimal, and no turn from Y to X, hence no cycle.
#[test]
fn routes_are_minimal_x_then_y_and_free_of_deadlock() {
    for (width, height, c) in [(1, 1, 3), (1, 6, 1), (5, 1, 2), (4, 4, 1), (3, 7, 2), (8, 5, 1)] {
        let network = mesh(width, height, c);
        assert_sound(&network);
        for (s, d) in pairs(network.nodes()) {
            let path = network.path(s, d).unwrap();
            let ports: Vec<u8> =
                path.hops[..path.hops.len() - 1].iter().map(|hop| hop.out_port / 2).collect();
            assert!(ports.is_sorted(), "{path}");
        }
    }
}

// turnpool.md: "mesh 16x16 with 1 node (62), 8x8 with 4 (45), 4x4 with 16 (35)"
#[test]
fn route_bits_are_those_of_the_specification() {
    for (side, c, bits) in [(16, 1, 62), (8, 4, 45), (4, 16, 35)] {
        assert_eq!(mesh(side, side, c).route_bits_max(), bits);
        let config = TopologyConfig::Mesh { width: side, height: side, nodes_per_switch: c };
        assert!(Network::build(&config, &BuildOptions::default()).is_err());
    }
    let error = Network::build(
        &TopologyConfig::Mesh { width: 40, height: 40, nodes_per_switch: 1 },
        &wide(UpChoice::Destination),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("needs 158 bits of turns, turnpool `extended` has 128")
    );
}

// "ports 4 + c; node e on switch e div c; switch s at x = s mod N, y = s div N"
#[test]
fn nodes_and_neighbours_are_where_the_specification_puts_them() {
    let network = mesh(5, 3, 4);
    let graph = network.graph();
    for node in 0..60 {
        assert_eq!(graph.node_port(node), (node / 4, (4 + node % 4) as u8));
    }
    for switch in 0..15u32 {
        assert_eq!(graph.ports(switch), 8);
        let (x, y) = ((switch % 5) as i32, (switch / 5) as i32);
        for (port, dx, dy) in [(0u8, 1, 0), (1, -1, 0), (2, 0, 1), (3, 0, -1)] {
            let inside = (0..5).contains(&(x + dx)) && (0..3).contains(&(y + dy));
            let other = ((y + dy) * 5 + x + dx) as u32;
            let expected = if inside {
                Endpoint::Port { switch: other, port: port ^ 1 }
            } else {
                Endpoint::None
            };
            assert_eq!(graph.peer(switch, port), expected);
        }
    }
}

// garcia-mesh-2005: "4N bytes/ns" 64, 32, 16, 32, 16 for configs 1 to 5
#[test]
fn maximum_is_twice_the_bisection() {
    let rate = Ratio::new(1, 1).unwrap();
    let whole =
        |network: &Network| network.maximum_bytes_per_ns(rate).map(|most| (most.num(), most.den()));
    for (side, c, most) in [(16, 1, 64), (8, 4, 32), (4, 16, 16), (8, 1, 32), (4, 1, 16)] {
        assert_eq!(whole(&mesh(side, side, c)), Some((most, 1)));
    }
    assert_eq!(whole(&mesh(8, 2, 1)), Some((8, 1)), "the cut across the longer side has 2 links");
    assert_eq!(whole(&mesh(1, 1, 6)), Some((6, 1)));
    assert_eq!(
        whole(&build(TopologyConfig::Bmin { nodes: 64 }, UpChoice::Destination)),
        Some((64, 1))
    );
    let half = Ratio::new(1, 2).unwrap();
    let single = build(TopologyConfig::SingleSwitch { ports: 5 }, UpChoice::Destination);
    assert_eq!(single.maximum_bytes_per_ns(half), Some(Ratio::new(5, 2).unwrap()));
}

// N x N mesh, N even, one node a switch: N^2/2 nodes on each side of the middle and N links across.
// With X-Y routes the link of a row across the middle carries (N/2 sources) x (N^2/2 destinations)
// pairs, so a node may inject (N^2 - 1) / (N^3/4).
#[test]
fn uniform_bound_of_a_mesh_is_that_of_its_bisection() {
    for side in [4u64, 6, 8, 16] {
        let analysis = mesh(side as u32, side as u32, 1).analysis();
        assert_eq!(analysis.link_load_max.unwrap().pairs, side * side * side / 4);
        let bound = (side * side - 1, side * side * side / 4);
        assert_eq!(analysis.uniform_bound, Ratio::new(bound.0, bound.1).ok());
    }
}

// "P ports, an end node on each"
#[test]
fn single_switch_has_a_node_on_each_port() {
    for ports in [2, 3, 8, 64] {
        let analysis =
            build(TopologyConfig::SingleSwitch { ports }, UpChoice::Destination).analysis();
        assert_eq!(
            (analysis.switches, analysis.nodes, analysis.links),
            (1, ports as usize, ports as usize)
        );
        assert_eq!((analysis.hops_max, analysis.hops_mean), (1, 1.0));
        assert_eq!(analysis.uniform_bound, Some(Ratio::ONE));
    }
}
