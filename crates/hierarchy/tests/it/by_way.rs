//! Valiant and UGAL-L: where packets go by.

use crate::common::{BUSY, Bench, FREE, NODE, Queued, minimal, node};
use hierarchy::{Address, Algorithm, PortKind, Region, Trip, Via};
use std::collections::BTreeSet;

fn vias(bench: &Bench, destination: Address, queued: &Queued) -> BTreeSet<Via> {
    (0..400).map(|seed| bench.start(destination, queued, seed).via).collect()
}

fn super_nodes(numbers: &[u16]) -> BTreeSet<Via> {
    numbers.iter().map(|&s| Via::SuperNode(s)).collect()
}

/// Of a router of which entries are empty.
fn without(algorithm: Algorithm, empty: &[u16]) -> Bench {
    let mut bench = Bench::new(algorithm);
    empty.iter().for_each(|&s| bench.table.set(Region::SuperNode(s), 0));
    bench
}

#[test]
fn places_by_which_packets_go() {
    let direct = || BTreeSet::from([Via::Nowhere]);
    for (algorithm, empty, destination, queued, expected) in [
        // `minimal`, `lar`: nowhere.
        (Algorithm::Minimal, &[][..], node(3, 1), BUSY, direct()),
        (Algorithm::Lar, &[], node(3, 1), BUSY, direct()),
        // "`valiant` (random super node)": any but that of the source and of the destination.
        (Algorithm::Valiant, &[], node(1, 0), FREE, super_nodes(&[2, 3, 4])),
        (Algorithm::Valiant, &[], node(0, 1), FREE, super_nodes(&[1, 2, 3, 4])),
        // A place that no port leads to is none: what is left is drawn of.
        (Algorithm::Valiant, &[3], node(1, 0), FREE, super_nodes(&[2, 4])),
        (Algorithm::Valiant, &[2, 3, 4], node(1, 0), FREE, direct()),
        // UGAL-L within a super node: no way has a global hop.
        (Algorithm::UgalL, &[], node(0, 1), BUSY, direct()),
        // Where no port leads by the minimal way, the other one is taken.
        (Algorithm::UgalL, &[2], node(2, 0), BUSY, super_nodes(&[1, 3, 4])),
    ] {
        let found = vias(&without(algorithm, empty), destination, &queued);
        assert_eq!(found, expected, "{algorithm} {empty:?}");
    }
}

// "`valiant-node` (random node)": any but source and destination.
#[test]
fn valiant_node_goes_by_any_other_node() {
    let bench = Bench::new(Algorithm::ValiantNode);
    let all = (0..5).flat_map(|s| (0..4).map(move |n| node(s, n)));
    let others = all.filter(|&a| a != node(0, 0) && a != node(2, 1));
    let others: BTreeSet<_> = others.map(Via::Node).collect();
    assert_eq!(vias(&bench, node(2, 1), &FREE), others);
}

// Each with equal probability.
#[test]
fn places_are_equally_likely() {
    let bench = Bench::new(Algorithm::Valiant);
    let mut counts = [0; 5];
    for seed in 0..3_000 {
        if let Via::SuperNode(s) = bench.start(node(1, 0), &FREE, seed).via {
            counts[usize::from(s)] += 1;
        }
    }
    let likely = |count: &i32| (880..1_120).contains(count);
    assert!(counts[2..].iter().all(likely), "{counts:?}");
}

// UGAL-L: the minimal way if its Q times its one global hop is at most the Q of the other way times
// its two, and of several ports the Q of the least queued.
#[test]
fn ugal_l_weighs_global_hops_by_the_least_queued_ports() {
    let bench = Bench::new(Algorithm::UgalL);
    // To super node 2 by port 4, and by super node 3 by port 6; others are far too busy.
    let start = |minimal, other| {
        let mut queued = [1_000; 9];
        (queued[4], queued[6]) = (minimal, other);
        vias(&bench, node(2, 0), &queued)
    };
    let direct = BTreeSet::from([Via::Nowhere]);
    assert_eq!(start(0, 0), direct);
    assert_eq!(start(10, 5), direct);
    assert!(start(11, 5).contains(&Via::SuperNode(3)));
    let mut queued = FREE;
    queued[3] = 100;
    assert_eq!(vias(&bench, node(1, 0), &queued), direct);
    queued[5] = 100;
    assert_eq!(vias(&bench, node(1, 0), &queued), super_nodes(&[2, 3, 4]));
}

// Until it has been there a packet goes to where it goes by.
#[test]
fn tables_are_looked_up_for_the_place() {
    let bench = Bench::new(Algorithm::Valiant);
    let by = |via| {
        let trip = Trip { via, ..Trip::default() };
        bench.ports(trip, node(2, 0), NODE, &FREE)
    };
    assert_eq!(by(Via::SuperNode(3)), minimal(6));
    assert_eq!(by(Via::Node(node(3, 2))), minimal(6));
    assert_eq!(by(Via::Node(node(0, 2))), minimal(1));
    assert_eq!(by(Via::Nowhere), minimal(4));
}

// "random super node": at any node of it the first leg ends; "random node": at that node.
#[test]
fn the_first_leg_ends_where_it_leads() {
    let trip = |via| Trip { via, ..Trip::default() };
    let by_super_node = trip(Via::SuperNode(3));
    assert_eq!(by_super_node.arrive(node(2, 1)), by_super_node);
    assert_eq!(by_super_node.arrive(node(3, 1)), Trip::default());
    let by_node = trip(Via::Node(node(3, 2)));
    assert_eq!(by_node.arrive(node(3, 1)), by_node);
    assert_eq!(by_node.arrive(node(3, 2)).via, Via::Nowhere);
}

// What follows the node is on higher VCs than any first leg: "over a random node 4" local groups.
#[test]
fn behind_the_node_groups_are_higher_than_on_any_first_leg() {
    let start = Trip { via: Via::Node(node(3, 2)), ..Trip::default() };
    let over_a_link = start.leave(PortKind::Local).leave(PortKind::Global(3));
    for first_leg in [start, over_a_link.leave(PortKind::Local)] {
        let there = first_leg.arrive(node(3, 2));
        assert_eq!((there.globals, there.groups, there.locals), (1, 2, 0));
    }
}
