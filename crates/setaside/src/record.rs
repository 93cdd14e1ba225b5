//! `setaside run --record`: trees, CAM lines and ports over time, beside the results; in
//! `topology.json` where the page draws switches and end nodes, and which ports are joined.

use crate::drawing::at;
use crate::exit::{Exit, Failure};
use crate::inspect::Recorded;
use scenario::Scenario;
use serde::Serialize;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use topology::{Endpoint, Graph, Hierarchy, Network};

pub(crate) const FILES: [&str; 5] =
    ["trees.json", "trees.csv", "cam.csv", "ports.csv", "topology.json"];

pub(crate) fn files(
    recorded: &Recorded,
    scenario: &Scenario,
) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
    let Recorded { recording, network, time_base } = recorded;
    let trees = &recording.trees;
    let bytes = [
        json_file("trees.json", &trees.record(time_base))?,
        trees.csv(time_base).into_bytes(),
        recording.recorder.cam_csv().as_bytes().to_vec(),
        recording.recorder.ports_csv().as_bytes().to_vec(),
        json_file("topology.json", &topology_json(network, &widths(scenario)))?,
    ];
    Ok(FILES.into_iter().zip(bytes).collect())
}

fn json_file(name: &str, value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let failed = |e| Failure::error(Exit::Failure, format!("{name}: {e}"));
    let mut json = serde_json::to_vec(value).map_err(failed)?;
    json.push(b'\n');
    Ok(json)
}

/// Switches of a mesh or torus by dimension.
fn widths(scenario: &Scenario) -> Vec<u32> {
    let numbers = |key: &str| -> Vec<u32> {
        let text = scenario.get(key).unwrap_or_default();
        let digits = text.split(|c: char| !c.is_ascii_digit());
        digits.filter_map(|number| number.parse().ok()).collect()
    };
    match scenario.get("network.topology").as_deref() {
        Some("\"mesh\"") => [numbers("network.width"), numbers("network.height")].concat(),
        Some("\"torus\"") => numbers("network.dimensions"),
        _ => Vec::new(),
    }
}

/// Where things are; a unit is the least distance between two end nodes.
struct Places {
    /// `layers`, `grid`, `rings` or `circle`.
    layout: &'static str,
    switches: Vec<(f64, f64)>,
    nodes: Vec<(f64, f64)>,
}

/// Between a switch and its end nodes, and from a node to the next.
const NODE_STEP: f64 = 1.0;
/// Between layers, in parts of the height.
const LAYER_GAP: f64 = 0.45;

/// The file. `widths`: switches of a mesh or torus by dimension, else empty.
pub(crate) fn topology_json(network: &Network, widths: &[u32]) -> Value {
    let graph = network.graph();
    let layers = layers(graph);
    let is_layered = layers.iter().max() > Some(&0);
    let places = match (widths, network.hierarchy()) {
        ([_, ..], _) => grid(graph, widths),
        ([], Some(hierarchy)) => rings(graph, hierarchy),
        ([], None) if is_layered => in_layers(graph, &layers),
        ([], None) => circle(graph),
    };
    let end = |end| match end {
        Endpoint::Node(node) => json!({ "node": node }),
        Endpoint::Port { switch, port } => json!({ "switch": switch, "port": port }),
        Endpoint::None => Value::Null,
    };
    let at = |places: &[(f64, f64)]| -> Vec<[f64; 2]> {
        let tenth = |v: f64| (v * 10.0).round() / 10.0;
        places.iter().map(|&(x, y)| [tenth(x), tenth(y)]).collect()
    };
    let links = graph.links();
    json!({
        "format": 1,
        "topology": network.name(),
        "layout": places.layout,
        "switches": at(&places.switches),
        "nodes": at(&places.nodes),
        "layers": layers,
        "links": links.map(|(a, b, _)| json!([end(a), end(b)])).collect::<Vec<_>>(),
    })
}

/// Of each switch, the fewest links to a switch with end nodes.
fn layers(graph: &Graph) -> Vec<u32> {
    let mut layers = vec![u32::MAX; graph.switches()];
    let mut found: Vec<u32> =
        (0..graph.nodes() as u32).map(|node| graph.node_port(node).0).collect();
    let mut layer = 0;
    while !found.is_empty() {
        found.retain(|&switch| layers[switch as usize] == u32::MAX);
        found.iter().for_each(|&s| layers[s as usize] = layer);
        let ports = found
            .iter()
            .flat_map(|&s| (0..graph.ports(s) as u8).map(move |port| graph.peer(s, port)));
        found = ports
            .filter_map(|peer| match peer {
                Endpoint::Port { switch, .. } => Some(switch),
                _ => None,
            })
            .collect();
        layer += 1;
    }
    layers
}

/// End nodes in a column, then a column a layer.
fn in_layers(graph: &Graph, layers: &[u32]) -> Places {
    let height = graph.nodes() as f64 * NODE_STEP;
    let column = |layer: u32| (f64::from(layer) + 0.5) * LAYER_GAP * height;
    let mut seen = vec![0u32; graph.switches() + 1];
    let switches = layers.iter().map(|&layer| {
        let of_layer = layers.iter().filter(|&&l| l == layer).count() as f64;
        let row = f64::from(seen[layer as usize]) + 0.5;
        seen[layer as usize] += 1;
        (column(layer), row / of_layer * height)
    });
    let switches = switches.collect();
    let nodes = (0..graph.nodes()).map(|n| (0.0, (n as f64 + 0.5) * NODE_STEP));
    Places { layout: "layers", switches, nodes: nodes.collect() }
}

/// End nodes on an arc around each switch, its middle at a part of a turn from the top.
fn around(
    graph: &Graph,
    switches: &[(f64, f64)],
    (middle, part): (impl Fn(u32) -> f64, f64),
) -> Vec<(f64, f64)> {
    let mut of_switch = vec![0u32; switches.len()];
    let mut number = Vec::new();
    for node in 0..graph.nodes() as u32 {
        let (switch, _) = graph.node_port(node);
        number.push((switch, of_switch[switch as usize]));
        of_switch[switch as usize] += 1;
    }
    let place = |(switch, n): (u32, u32)| {
        let count = f64::from(of_switch[switch as usize]);
        let turn = middle(switch) + part * ((f64::from(n) + 0.5) / count - 0.5);
        at(switches[switch as usize], reach(count, part), turn)
    };
    number.into_iter().map(place).collect()
}

/// How far so many end nodes are from their switch.
fn reach(nodes: f64, part: f64) -> f64 {
    (nodes * NODE_STEP / (TAU * part)).max(1.2 * NODE_STEP)
}

fn nodes_most(graph: &Graph) -> f64 {
    let mut count = vec![0u32; graph.switches()];
    (0..graph.nodes() as u32).for_each(|n| count[graph.node_port(n).0 as usize] += 1);
    f64::from(count.into_iter().max().unwrap_or(0))
}

/// Rows and columns; planes of a third dimension side by side.
fn grid(graph: &Graph, widths: &[u32]) -> Places {
    let step = 2.0 * reach(nodes_most(graph), 0.25) + 3.0 * NODE_STEP;
    let (x, y) = (widths[0], widths.get(1).copied().unwrap_or(1));
    let place = |s: u32| {
        let plane = s / (x * y);
        let column = s % x + plane * (x + 1);
        (f64::from(column) * step, f64::from(s / x % y) * step)
    };
    let switches: Vec<_> = (0..graph.switches() as u32).map(place).collect();
    // to the lower right: links of the grid go past them
    let nodes = around(graph, &switches, (|_| 0.375, 0.2));
    Places { layout: "grid", switches, nodes }
}

/// Super nodes are circles on a circle.
fn rings(graph: &Graph, hierarchy: &Hierarchy) -> Places {
    let plan = hierarchy.plan();
    let (nodes, groups) = (f64::from(plan.local.nodes), plan.super_nodes);
    let outside = reach(nodes_most(graph), 0.1);
    let circle = (nodes * 3.0 * NODE_STEP / TAU).max(2.0);
    let ring = match groups {
        1 => 0.0,
        _ => (circle + outside + 1.0) / (TAU / 2.0 / f64::from(groups)).sin(),
    };
    let turn = |node: u32| f64::from(node) / nodes;
    let place = |switch: u32| {
        let (group, node) = plan.place(switch);
        let centre = at((0.0, 0.0), ring, f64::from(group) / f64::from(groups));
        at(centre, circle, turn(node))
    };
    let switches: Vec<_> = (0..graph.switches() as u32).map(place).collect();
    let nodes = around(graph, &switches, (|s| turn(plan.place(s).1), 0.1));
    Places { layout: "rings", switches, nodes }
}

/// Switches on a circle, their end nodes outside.
fn circle(graph: &Graph) -> Places {
    let count = graph.switches() as f64;
    let turn = |switch: u32| f64::from(switch) / count;
    let most = nodes_most(graph);
    let (radius, part) = match graph.switches() {
        1 => (0.0, 1.0),
        _ => (count * (reach(most, 0.25) + 1.0) * 2.0 / TAU, 0.25),
    };
    let switches: Vec<_> =
        (0..graph.switches() as u32).map(|s| at((0.0, 0.0), radius, turn(s))).collect();
    let nodes = around(graph, &switches, (turn, part));
    Places { layout: "circle", switches, nodes }
}
