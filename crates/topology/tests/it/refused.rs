//! Parameters that make no network: each a typed error that names the key.

use crate::common::wide;
use topology::{Network, TopologyConfig, UpChoice};

#[track_caller]
fn refused(config: &TopologyConfig, expected: &str) {
    let error = Network::build(config, &wide(UpChoice::Destination)).unwrap_err();
    assert!(error.to_string().starts_with(expected), "{error}\nexpected {expected}");
}

#[test]
fn illegal_sizes_are_refused() {
    let reason = "tables of all pairs of nodes fill the memory beyond";
    for nodes in [0, 1, 2, 3, 5, 63, 32_768] {
        let legal = format!("a power of two, 4 to 16384: {reason}");
        let expected = format!("network.nodes = {nodes} is not legal; legal: {legal}");
        refused(&TopologyConfig::Bmin { nodes }, &expected);
    }
    for ports in [0, 1, 65] {
        let expected = format!("switch.ports = {ports} is not legal; legal: 2 to 64");
        refused(&TopologyConfig::SingleSwitch { ports }, &expected);
    }
    for inputs in [0, 62] {
        let expected = format!("network.inputs = {inputs} is not legal; legal: 1 to 61");
        refused(&TopologyConfig::Dumbbell { inputs }, &expected);
    }
    for switches in [0, 16_384] {
        let expected = format!("network.switches = {switches} is not legal; legal: 1 to 16383, ");
        refused(&TopologyConfig::ParkingLot { switches }, &expected);
    }
}

#[test]
fn illegal_tori_are_refused() {
    let torus = |dimensions: &[u32], nodes_per_switch| TopologyConfig::Torus {
        dimensions: dimensions.to_vec(),
        nodes_per_switch,
    };
    let shape = "legal: 1 to 3 dimensions of 2 switches or more each";
    for dimensions in [&[][..], &[0], &[1], &[8, 1], &[4, 0, 4], &[2, 2, 2, 2]] {
        let expected = format!("network.dimensions = {dimensions:?} is not legal; {shape}");
        refused(&torus(dimensions, 1), &expected);
    }
    for (dimensions, nodes, most) in [(&[4][..], 63, 62), (&[4, 4], 0, 60), (&[2, 2, 2], 59, 58)] {
        let expected =
            format!("network.nodes_per_switch = {nodes} is not legal; legal: 1 to {most}");
        refused(&torus(dimensions, nodes), &expected);
    }
    for (dimensions, nodes) in [(&[129, 128][..], 1), (&[u32::MAX; 3], 1), (&[128, 128], 2)] {
        let given = format!("{dimensions:?} with {nodes} end nodes a switch");
        let expected =
            format!("network.dimensions = {given} is not legal; legal: at most 16384 end nodes");
        refused(&torus(dimensions, nodes), &expected);
    }
}
