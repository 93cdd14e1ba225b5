//! The section `[network]`: which topology, and how many ports and nodes it has.

mod edges;
mod lists;
mod regular;
mod super_nodes;

pub(crate) use edges::wires;

use crate::error::ScenarioError;
use crate::plain::Plain;
use crate::settings::Settings;
use std::sync::Arc;
use topology::{Plan, TopologyConfig};

/// Keys of `[network]` that only some topologies have.
const SHAPES: &[&str] = &[
    "network.width",
    "network.height",
    "network.dimensions",
    "network.nodes_per_switch",
    "network.inputs",
    "network.switches",
    "network.k",
    "network.n",
    "network.file",
    "network.edges",
    "network.super_nodes",
    "network.links_per_pair",
    "network.wiring",
    "network.global_links_file",
    "network.global_links",
];

/// A topology with its size.
pub(crate) struct Shape {
    pub(crate) config: TopologyConfig,
    pub(crate) nodes: u32,
    /// The most ports of a switch.
    pub(crate) ports: u32,
    /// Super nodes and links between them, where there are any.
    pub(crate) plan: Option<Arc<Plan>>,
}

/// Reads the section and fills in the sizes; `None` with an error in `errors`.
pub(crate) fn shape(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let topology = settings.word("network.topology").to_owned();
    let own: &[&str] = match topology.as_str() {
        "mesh" => &["network.width", "network.height", "network.nodes_per_switch"],
        "torus" => &["network.dimensions", "network.nodes_per_switch"],
        "k-ary-n-tree" => &["network.k", "network.n"],
        "dumbbell" => &["network.inputs"],
        "parking-lot" => &["network.switches"],
        "file" => &["network.file", "network.edges"],
        "dragonfly" | "rsi-hypercube" | "rsi-slimfly" | "rsi-butterfly" => &[
            "network.super_nodes",
            "network.links_per_pair",
            "network.wiring",
            "network.global_links_file",
            "network.global_links",
        ],
        _ => &[],
    };
    let before = errors.len();
    for path in SHAPES {
        if settings.given(path) && !own.contains(path) {
            let what = format!("it has no meaning with network.topology = \"{topology}\"");
            let keys = [own, &["network.nodes"]].concat().join(", ");
            errors.push(settings.refuse(path, what, format!("keys of this topology: {keys}")));
        }
    }
    let shape = match topology.as_str() {
        "single-switch" => regular::single_switch(settings, errors),
        "bmin" => regular::bmin(settings, errors),
        "k-ary-n-tree" => regular::k_ary_n_tree(settings, errors),
        "mesh" => regular::mesh(settings, errors),
        "torus" => regular::torus(settings, errors),
        "dumbbell" => regular::dumbbell(settings, errors),
        "parking-lot" => regular::parking_lot(settings, errors),
        "file" => edges::file(settings, errors),
        _ => super_nodes::hierarchical(settings, &topology, errors),
    }?;
    let same = |path: &str, given: u64, has: u32, what: &str, errors: &mut Vec<ScenarioError>| {
        if given != u64::from(has) {
            let what = format!("{given} contradicts the topology, which has {has} {what}");
            errors.push(settings.refuse(path, what, format!("remove the key, or set it to {has}")));
        }
    };
    if let Some(given) = settings.integer("network.nodes") {
        same("network.nodes", given, shape.nodes, "end nodes", errors);
    }
    if let Some(given) = settings.integer("switch.ports") {
        same("switch.ports", given, shape.ports, "ports a switch", errors);
    }
    settings.fill("network.nodes", Plain::Integer(shape.nodes.into()));
    if topology != "file" {
        settings.fill("switch.ports", Plain::Integer(shape.ports.into()));
    }
    (errors.len() == before).then_some(shape)
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The value of a key that this topology cannot do without.
fn needed(settings: &Settings, path: &str, errors: &mut Vec<ScenarioError>) -> Option<u32> {
    let value = settings.integer(path);
    if value.is_none() {
        errors.push(missing(settings, path));
    }
    value.map(small)
}

fn missing(settings: &Settings, path: &str) -> ScenarioError {
    let topology = settings.word("network.topology");
    let help = crate::keys::find(path)
        .map_or(String::new(), |key| format!("{}; legal: {}", key.doc, key.kind.legal()));
    let what = format!("missing; network.topology = \"{topology}\" needs it");
    settings.refuse(path, what, help)
}

/// The most nodes, and why.
fn nodes_help(what: &str) -> String {
    format!("legal: {what} {}: {}", topology::NODES_MAX, topology::NODES_MAX_REASON)
}
