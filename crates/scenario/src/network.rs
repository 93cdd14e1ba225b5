//! The section `[network]`: which topology, and how many ports and nodes it has.

mod edges;
mod lists;
mod regular;
mod super_nodes;

pub(crate) use edges::wires;
pub(crate) use lists::read_lists;

use crate::draft::Draft;
use crate::keys::{NODES, TOPOLOGY};
use std::collections::BTreeSet;
use std::sync::Arc;
use topology::{Plan, TopologyConfig};

/// Keys of `[network]` that only some topologies have.
const OWN: [(&[&str], &[&str]); 7] = [
    (&["mesh"], &["network.width", "network.height", "network.nodes_per_switch"]),
    (&["torus"], &["network.dimensions", "network.nodes_per_switch"]),
    (&["k-ary-n-tree"], &["network.k", "network.n"]),
    (&["dumbbell"], &["network.inputs"]),
    (&["parking-lot"], &["network.switches"]),
    (&["file"], &["network.file", "network.edges"]),
    (
        &["dragonfly", "rsi-hypercube", "rsi-slimfly", "rsi-butterfly"],
        &[
            "network.super_nodes",
            "network.links_per_pair",
            "network.wiring",
            "network.global_links_file",
            "network.global_links",
        ],
    ),
];

pub(crate) struct Shape {
    pub(crate) config: TopologyConfig,
    pub(crate) nodes: u32,
    /// The most ports of a switch.
    pub(crate) ports: u32,
    /// Super nodes and links between them, where there are any.
    pub(crate) plan: Option<Arc<Plan>>,
}

/// Reads the section and fills in the sizes; `None` with an error.
pub(crate) fn shape(draft: &mut Draft) -> Option<Shape> {
    let topology = draft.word(TOPOLOGY).to_owned();
    let own = OWN.iter().find(|(names, _)| names.contains(&topology.as_str()));
    let own = own.map_or(&[][..], |(_, keys)| *keys);
    let before = draft.found();
    let of_some: BTreeSet<&str> = OWN.iter().flat_map(|(_, keys)| *keys).copied().collect();
    for path in of_some {
        if draft.given(path) && !own.contains(&path) {
            let what = format!("it has no meaning with {TOPOLOGY} = \"{topology}\"");
            let keys = [own, &[NODES]].concat().join(", ");
            draft.refuse(&[path], what, format!("keys of this topology: {keys}"));
        }
    }
    let shape = match topology.as_str() {
        "single-switch" => regular::single_switch(draft),
        "bmin" => regular::bmin(draft),
        "k-ary-n-tree" => regular::k_ary_n_tree(draft),
        "mesh" => regular::mesh(draft),
        "torus" => regular::torus(draft),
        "dumbbell" => regular::dumbbell(draft),
        "parking-lot" => regular::parking_lot(draft),
        "file" => edges::file(draft),
        _ => super_nodes::hierarchical(draft, &topology),
    }?;
    for (path, has, what) in
        [(NODES, shape.nodes, "end nodes"), ("switch.ports", shape.ports, "ports a switch")]
    {
        if let Some(given) = draft.integer(path).filter(|&given| given != u64::from(has)) {
            let what = format!("{given} contradicts the topology, which has {has} {what}");
            draft.refuse(&[path], what, format!("remove the key, or set it to {has}"));
        }
    }
    draft.fill(NODES, u64::from(shape.nodes));
    if topology != "file" {
        draft.fill("switch.ports", u64::from(shape.ports));
    }
    (draft.found() == before).then_some(shape)
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The value of a key that this topology cannot do without.
fn needed(draft: &Draft, path: &str) -> Option<u32> {
    let value = draft.number(path);
    if value.is_none() {
        missing(draft, path);
    }
    value
}

fn missing(draft: &Draft, path: &str) {
    let topology = draft.word(TOPOLOGY);
    let help = crate::keys::find(path)
        .map_or(String::new(), |key| format!("{}; legal: {}", key.doc, key.kind.legal()));
    let what = format!("missing; {TOPOLOGY} = \"{topology}\" needs it");
    draft.refuse(&[path], what, help);
}
