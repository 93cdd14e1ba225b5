//! Topologies that a few sizes describe.

use super::{Shape, missing, needed, nodes_help, small};
use crate::error::ScenarioError;
use crate::plain::Plain;
use crate::settings::Settings;
use topology::{PORTS_MAX, TopologyConfig};

/// Ports of a single switch where no key says.
const SINGLE_SWITCH_PORTS: u64 = 16;

const MESH_DIMENSIONS: u32 = 2;

pub(super) fn single_switch(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let nodes = settings.integer("network.nodes");
    let ports = nodes.or(settings.integer("switch.ports")).unwrap_or(SINGLE_SWITCH_PORTS);
    if !(2..=64).contains(&ports) {
        let path = settings.first_given(&["network.nodes", "switch.ports"]);
        errors.push(settings.refuse(
            path,
            format!("{ports} is no number of ports for a single switch"),
            "legal: an integer from 2 to 64",
        ));
        return None;
    }
    let ports = small(ports);
    Some(Shape { plan: None, config: TopologyConfig::SingleSwitch { ports }, nodes: ports, ports })
}

pub(super) fn bmin(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let nodes = needed(settings, "network.nodes", errors)?;
    if !nodes.is_power_of_two() || nodes < 4 {
        let below = if nodes < 4 { 4 } else { (nodes + 1).next_power_of_two() / 2 };
        let near = if nodes < 4 {
            String::new()
        } else {
            format!("; next to it: {below}, {}", u64::from(below) * 2)
        };
        errors.push(settings.refuse(
            "network.nodes",
            format!("a bmin cannot have {nodes} end nodes"),
            format!("legal: a power of two from 4 to {}{near}", topology::NODES_MAX),
        ));
        return None;
    }
    Some(Shape { plan: None, config: TopologyConfig::Bmin { nodes }, nodes, ports: 8 })
}

pub(super) fn k_ary_n_tree(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let k = needed(settings, "network.k", errors);
    let n = needed(settings, "network.n", errors);
    let (k, n) = (k?, n?);
    let nodes = k.checked_pow(n).filter(|&nodes| nodes <= topology::NODES_MAX);
    if nodes.is_none() {
        errors.push(settings.refuse(
            "network.n",
            format!("{k}^{n} end nodes are too many"),
            nodes_help("k^n up to"),
        ));
    }
    Some(Shape {
        plan: None,
        config: TopologyConfig::KAryNTree { k, n },
        nodes: nodes?,
        ports: 2 * k,
    })
}

/// The keys bound both: 61 inputs and three other ports are as many as a switch may have.
pub(super) fn dumbbell(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let inputs = needed(settings, "network.inputs", errors)?;
    Some(Shape {
        plan: None,
        config: TopologyConfig::Dumbbell { inputs },
        nodes: 2 * inputs + 3,
        ports: inputs + 3,
    })
}

pub(super) fn parking_lot(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let switches = needed(settings, "network.switches", errors)?;
    Some(Shape {
        plan: None,
        config: TopologyConfig::ParkingLot { switches },
        nodes: switches + 1,
        ports: 3,
    })
}

pub(super) fn mesh(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let width = needed(settings, "network.width", errors)?;
    settings.fill("network.height", Plain::Integer(width.into()));
    settings.fill("network.nodes_per_switch", Plain::Integer(1));
    let height = settings.small("network.height");
    let nodes_per_switch = nodes_per_switch(settings, MESH_DIMENSIONS, errors)?;
    let nodes = u64::from(width) * u64::from(height) * u64::from(nodes_per_switch);
    if nodes > topology::NODES_MAX.into() {
        errors.push(settings.refuse(
            "network.width",
            format!("{width} x {height} switches with {nodes_per_switch} end nodes each are {nodes} end nodes"),
            nodes_help("up to"),
        ));
        return None;
    }
    Some(Shape {
        plan: None,
        config: TopologyConfig::Mesh { width, height, nodes_per_switch },
        nodes: small(nodes),
        ports: 4 + nodes_per_switch,
    })
}

/// End nodes a switch, where two ports a dimension lead to other switches.
fn nodes_per_switch(
    settings: &Settings,
    dimensions: u32,
    errors: &mut Vec<ScenarioError>,
) -> Option<u32> {
    const PATH: &str = "network.nodes_per_switch";
    let (given, most) = (settings.small(PATH), PORTS_MAX - 2 * dimensions);
    if given <= most {
        return Some(given);
    }
    errors.push(settings.refuse(
        PATH,
        format!("{given} is above {most}: {} ports lead to switches", 2 * dimensions),
        format!("legal: an integer from 1 to {most} (switches of at most {PORTS_MAX} ports)"),
    ));
    None
}

pub(super) fn torus(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    const DIMENSIONS: &str = "network.dimensions";
    settings.fill("network.nodes_per_switch", Plain::Integer(1));
    let dimensions = settings.nodes(DIMENSIONS);
    if dimensions.is_empty() {
        errors.push(missing(settings, DIMENSIONS));
        return None;
    }
    let rings = small(dimensions.len() as u64);
    let nodes_per_switch = nodes_per_switch(settings, rings, errors)?;
    // At most 4096 by itself three times, and 62.
    let switches: u64 = dimensions.iter().map(|&size| u64::from(size)).product();
    let nodes = switches * u64::from(nodes_per_switch);
    if nodes > topology::NODES_MAX.into() {
        errors.push(settings.refuse(
            DIMENSIONS,
            format!(
                "{switches} switches with {nodes_per_switch} end nodes each are {nodes} end nodes"
            ),
            nodes_help("up to"),
        ));
        return None;
    }
    Some(Shape {
        plan: None,
        config: TopologyConfig::Torus { dimensions, nodes_per_switch },
        nodes: small(nodes),
        ports: 2 * rings + nodes_per_switch,
    })
}
