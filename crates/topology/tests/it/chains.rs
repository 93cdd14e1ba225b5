//! The dumbbell and the parking lot against topology.md.

use crate::common::{assert_sound, build, wide};
use topology::{Endpoint, Network, TopologyConfig, UpChoice};
use turnpool::PoolKind;
use units::Ratio;

fn dumbbell(inputs: u32) -> Network {
    build(TopologyConfig::Dumbbell { inputs }, UpChoice::Destination)
}

fn parking_lot(switches: u32) -> Network {
    build(TopologyConfig::ParkingLot { switches }, UpChoice::Destination)
}

#[test]
fn routes_are_the_shortest_and_free_of_deadlock() {
    for inputs in [1, 2, 10, 61] {
        assert_sound(&dumbbell(inputs));
    }
    for switches in [1, 2, 3, 20] {
        assert_sound(&parking_lot(switches));
    }
}

// "Switch A: inputs A1..An, AV, one link to switch B. Switch B: inputs B1..Bn and that link;
// outputs BC (root) and BV."
#[test]
fn nodes_of_the_dumbbell_are_where_the_specification_puts_them() {
    let network = dumbbell(10);
    let graph = network.graph();
    assert_eq!((graph.switches(), graph.nodes()), (2, 23));
    assert_eq!((graph.ports(0), graph.ports(1)), (12, 13));
    let between = Endpoint::Port { switch: 1, port: 12 };
    assert_eq!(graph.peer(0, 11), between);
    for (nodes, switch, port) in [(0..11, 0, 0), (11..23, 1, 0)] {
        for (port, node) in (port..).zip(nodes) {
            assert_eq!(graph.node_port(node), (switch, port));
        }
    }
    // The flows of the paper: A1 to BC over the link, B1 to BC, AV to BV over the link.
    let path = |s, d| network.path(s, d).unwrap().to_string();
    assert_eq!(path(0, 21), "n0 -> s0[0>11] -> s1[12>10] -> n21");
    assert_eq!(path(11, 21), "n11 -> s1[0>10] -> n21");
    assert_eq!(path(10, 22), "n10 -> s0[10>11] -> s1[12>11] -> n22");
}

// "A chain of switches, one source on each and all sending to the node at its end"
#[test]
fn the_parking_lot_is_a_chain() {
    let network = parking_lot(3);
    let path = |s, d| network.path(s, d).unwrap().to_string();
    assert_eq!(path(0, 3), "n0 -> s0[0>2] -> s1[1>2] -> s2[1>2] -> n3");
    assert_eq!(path(2, 3), "n2 -> s2[0>2] -> n3");
    assert_eq!(path(3, 0), "n3 -> s2[2>1] -> s1[2>1] -> s0[2>0] -> n0");
    assert_eq!(network.graph().peer(0, 1), Endpoint::None);
}

#[test]
fn the_maximum_is_that_of_the_outputs() {
    let rate = Ratio::new(3, 2).unwrap();
    let most = |network: &Network| network.maximum_bytes_per_ns(rate);
    assert_eq!(most(&dumbbell(4)), Ratio::new(3, 1).ok());
    assert_eq!(most(&parking_lot(4)), Some(rate));
}

#[test]
fn a_parking_lot_must_fit_the_turn_pool() {
    // Two directions to turn to: a bit a switch, 31 in the shorter turn pool.
    let fits = |switches, pool| {
        let mut options = wide(UpChoice::Destination);
        options.pool = pool;
        Network::build(&TopologyConfig::ParkingLot { switches }, &options).is_ok()
    };
    assert!(fits(31, PoolKind::As31) && !fits(32, PoolKind::As31));
    assert!(fits(128, PoolKind::Extended) && !fits(129, PoolKind::Extended));
}
