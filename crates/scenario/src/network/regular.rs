//! Topologies that a few sizes describe.

use super::{Shape, missing, needed, small};
use crate::draft::Draft;
use crate::keys::NODES;
use topology::{NODES_MAX, NODES_MAX_REASON, PORTS_MAX, TopologyConfig};

/// Ports of a single switch where no key gives them.
const SINGLE_SWITCH_PORTS: u32 = 16;

fn shape(config: TopologyConfig, nodes: u32, ports: u32) -> Option<Shape> {
    Some(Shape { config, nodes, ports, plan: None })
}

pub(super) fn single_switch(draft: &Draft) -> Option<Shape> {
    let ports = draft.number(NODES).or(draft.number("switch.ports")).unwrap_or(SINGLE_SWITCH_PORTS);
    if !(2..=64).contains(&ports) {
        let what = format!("{ports} is no number of ports for a single switch");
        draft.refuse(&[NODES, "switch.ports"], what, "legal: an integer from 2 to 64");
        return None;
    }
    shape(TopologyConfig::SingleSwitch { ports }, ports, ports)
}

pub(super) fn bmin(draft: &Draft) -> Option<Shape> {
    let nodes = needed(draft, NODES)?;
    if !nodes.is_power_of_two() || nodes < 4 {
        let below = (nodes + 1).next_power_of_two() / 2;
        let near = match nodes < 4 {
            true => String::new(),
            false => format!("; next to it: {below}, {}", u64::from(below) * 2),
        };
        let what = format!("a bmin cannot have {nodes} end nodes");
        draft.refuse(&[NODES], what, format!("legal: a power of two from 4 to {NODES_MAX}{near}"));
        return None;
    }
    shape(TopologyConfig::Bmin { nodes }, nodes, 8)
}

pub(super) fn k_ary_n_tree(draft: &Draft) -> Option<Shape> {
    let (k, n) = (needed(draft, "network.k"), needed(draft, "network.n"));
    let (k, n) = (k?, n?);
    let nodes = k.checked_pow(n).filter(|&nodes| nodes <= NODES_MAX);
    if nodes.is_none() {
        refuse_nodes(draft, "network.n", format!("{k}^{n} end nodes are too many"), "k^n up to");
    }
    shape(TopologyConfig::KAryNTree { k, n }, nodes?, 2 * k)
}

/// The keys bound both: 61 inputs and three other ports are as many as a switch may have.
pub(super) fn dumbbell(draft: &Draft) -> Option<Shape> {
    let inputs = needed(draft, "network.inputs")?;
    shape(TopologyConfig::Dumbbell { inputs }, 2 * inputs + 3, inputs + 3)
}

pub(super) fn parking_lot(draft: &Draft) -> Option<Shape> {
    let switches = needed(draft, "network.switches")?;
    shape(TopologyConfig::ParkingLot { switches }, switches + 1, 3)
}

pub(super) fn mesh(draft: &mut Draft) -> Option<Shape> {
    let width = needed(draft, "network.width")?;
    draft.fill("network.height", u64::from(width));
    let height = draft.small("network.height");
    let switches = u64::from(width) * u64::from(height);
    let shown = format!("{width} x {height}");
    let (nodes_per_switch, nodes) = end_nodes(draft, 2, switches, "network.width", &shown)?;
    let config = TopologyConfig::Mesh { width, height, nodes_per_switch };
    shape(config, nodes, 4 + nodes_per_switch)
}

pub(super) fn torus(draft: &mut Draft) -> Option<Shape> {
    const DIMENSIONS: &str = "network.dimensions";
    let dimensions = draft.nodes(DIMENSIONS);
    let rings = small(dimensions.len() as u64);
    if rings == 0 {
        missing(draft, DIMENSIONS);
        return None;
    }
    // At most 4096 by itself three times, and 62.
    let switches: u64 = dimensions.iter().map(|&size| u64::from(size)).product();
    let shown = switches.to_string();
    let (nodes_per_switch, nodes) = end_nodes(draft, rings, switches, DIMENSIONS, &shown)?;
    let config = TopologyConfig::Torus { dimensions, nodes_per_switch };
    shape(config, nodes, 2 * rings + nodes_per_switch)
}

/// End nodes a switch, 1 where it is not given, and in all; two ports a dimension lead to other
/// switches.
fn end_nodes(
    draft: &mut Draft,
    dimensions: u32,
    switches: u64,
    key: &str,
    shown: &str,
) -> Option<(u32, u32)> {
    const NODES_PER_SWITCH: &str = "network.nodes_per_switch";
    draft.fill(NODES_PER_SWITCH, 1_u64);
    let (given, most) = (draft.small(NODES_PER_SWITCH), PORTS_MAX - 2 * dimensions);
    if given > most {
        draft.refuse(
            &[NODES_PER_SWITCH],
            format!("{given} is above {most}: {} ports lead to switches", 2 * dimensions),
            format!("legal: an integer from 1 to {most} (switches of at most {PORTS_MAX} ports)"),
        );
        return None;
    }
    let nodes = switches * u64::from(given);
    if nodes > NODES_MAX.into() {
        let what = format!("{shown} switches with {given} end nodes each are {nodes} end nodes");
        refuse_nodes(draft, key, what, "up to");
        return None;
    }
    Some((given, small(nodes)))
}

/// Refuses too many end nodes, with the reason.
fn refuse_nodes(draft: &Draft, key: &str, what: String, legal: &str) {
    draft.refuse(&[key], what, format!("legal: {legal} {NODES_MAX}: {NODES_MAX_REASON}"));
}
