//! Tables, ports, names.

use crate::common::{Bench, node};
use hierarchy::{Algorithm, LarCounter, Region, TwoLevelTable, VcScheme};

// "T1: one entry per other node of the super node ...; T2: one entry per other super node"
#[test]
fn tables_have_an_entry_a_region() {
    let table = Bench::new(Algorithm::Minimal).table;
    assert_eq!((table.nodes(), table.super_nodes()), (4, 5));
    assert_eq!(table.entries(), 3 + 4);
    let (here, near, far) = (node(0, 0), node(0, 3), node(4, 3));
    assert_eq!(TwoLevelTable::region(here, near), Region::Node(3));
    assert_eq!(TwoLevelTable::region(here, far), Region::SuperNode(4));
    let entries: Vec<_> = table.iter().collect();
    assert_eq!(entries[3], (Region::Node(3), 0b101));
    assert_eq!(entries[4 + 4], (Region::SuperNode(4), 0b110));
}

// "-> set of local egress ports": entries change one by one.
#[test]
fn an_entry_is_set() {
    let mut table = Bench::new(Algorithm::Minimal).table;
    let before = table.clone();
    table.set(Region::Node(2), 0b100);
    table.set(Region::SuperNode(2), 0);
    for ((region, new), (_, old)) in table.iter().zip(before.iter()) {
        let expected = match region {
            Region::Node(2) => 0b100,
            Region::SuperNode(2) => 0,
            _ => old,
        };
        assert_eq!(new, expected, "{region:?}");
    }
}

// "k = 8 network ports a node (processor port not counted) = local degree l + global ports g"
#[test]
fn ports_are_known_by_what_they_are_for() {
    let shape = Bench::new(Algorithm::Minimal).shape;
    assert_eq!((shape.local(), shape.global()), (0b111, 0b111_1000));
    assert_eq!((shape.global_to(1), shape.global_to(4)), (0b10_1000, 0));
    assert_eq!((shape.ports(), shape.node_port().0), (9, 8));
}

// A name is read as what it is printed of, and no other.
#[test]
fn names_are_read_back() {
    for &counter in LarCounter::ALL {
        assert_eq!(counter.to_string().parse(), Ok(counter));
    }
    let error = "hops".parse::<VcScheme>().expect_err("no scheme").to_string();
    assert_eq!(error, "unknown VC scheme `hops`; legal: hop-count, global-count, paper-literal");
}
