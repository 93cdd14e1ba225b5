//! The section `[network]`: which topology, and how many ports and nodes it has.

use crate::error::{Problem, ScenarioError};
use crate::plain::Plain;
use crate::resolve::nearest_ns;
use crate::settings::Settings;
use crate::source::{Origin, Source};
use std::sync::Arc;
use topology::{
    EdgeList, EdgeListError, GlobalLinks, GlobalLinksError, GlobalWiring, PORTS_MAX, Plan,
    TopologyConfig, TopologyError,
};
use units::{Ratio, Span, TimeBase};

/// Ports of a single switch where no key says.
const SINGLE_SWITCH_PORTS: u64 = 16;

const MESH_DIMENSIONS: u32 = 2;

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
        "mesh" => &[
            "network.width",
            "network.height",
            "network.nodes_per_switch",
        ],
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
        "single-switch" => single_switch(settings, errors),
        "bmin" => bmin(settings, errors),
        "k-ary-n-tree" => k_ary_n_tree(settings, errors),
        "mesh" => mesh(settings, errors),
        "torus" => torus(settings, errors),
        "dumbbell" => dumbbell(settings, errors),
        "parking-lot" => parking_lot(settings, errors),
        "file" => file(settings, errors),
        _ => hierarchical(settings, &topology, errors),
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
    let help = crate::keys::find(path).map_or(String::new(), |key| {
        format!("{}; legal: {}", key.doc, key.kind.legal())
    });
    let what = format!("missing; network.topology = \"{topology}\" needs it");
    settings.refuse(path, what, help)
}

fn single_switch(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let nodes = settings.integer("network.nodes");
    let ports = nodes
        .or(settings.integer("switch.ports"))
        .unwrap_or(SINGLE_SWITCH_PORTS);
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
    Some(Shape {
        plan: None,
        config: TopologyConfig::SingleSwitch { ports },
        nodes: ports,
        ports,
    })
}

fn bmin(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let nodes = needed(settings, "network.nodes", errors)?;
    if !nodes.is_power_of_two() || nodes < 4 {
        let below = if nodes < 4 {
            4
        } else {
            (nodes + 1).next_power_of_two() / 2
        };
        let near = if nodes < 4 {
            String::new()
        } else {
            format!("; next to it: {below}, {}", u64::from(below) * 2)
        };
        errors.push(settings.refuse(
            "network.nodes",
            format!("a bmin cannot have {nodes} end nodes"),
            format!(
                "legal: a power of two from 4 to {}{near}",
                topology::NODES_MAX
            ),
        ));
        return None;
    }
    Some(Shape {
        plan: None,
        config: TopologyConfig::Bmin { nodes },
        nodes,
        ports: 8,
    })
}

/// The most nodes, and why.
fn nodes_help(what: &str) -> String {
    format!(
        "legal: {what} {}: {}",
        topology::NODES_MAX,
        topology::NODES_MAX_REASON
    )
}

fn k_ary_n_tree(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let k = needed(settings, "network.k", errors);
    let n = needed(settings, "network.n", errors);
    let (k, n) = (k?, n?);
    let nodes = k
        .checked_pow(n)
        .filter(|&nodes| nodes <= topology::NODES_MAX);
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
fn dumbbell(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let inputs = needed(settings, "network.inputs", errors)?;
    Some(Shape {
        plan: None,
        config: TopologyConfig::Dumbbell { inputs },
        nodes: 2 * inputs + 3,
        ports: inputs + 3,
    })
}

fn parking_lot(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    let switches = needed(settings, "network.switches", errors)?;
    Some(Shape {
        plan: None,
        config: TopologyConfig::ParkingLot { switches },
        nodes: switches + 1,
        ports: 3,
    })
}

fn mesh(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
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
        config: TopologyConfig::Mesh {
            width,
            height,
            nodes_per_switch,
        },
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
        format!(
            "{given} is above {most}: {} ports lead to switches",
            2 * dimensions
        ),
        format!("legal: an integer from 1 to {most} (switches of at most {PORTS_MAX} ports)"),
    ));
    None
}

fn torus(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
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
        config: TopologyConfig::Torus {
            dimensions,
            nodes_per_switch,
        },
        nodes: small(nodes),
        ports: 2 * rings + nodes_per_switch,
    })
}

fn hierarchical(
    settings: &mut Settings,
    topology: &str,
    errors: &mut Vec<ScenarioError>,
) -> Option<Shape> {
    let super_nodes = needed(settings, "network.super_nodes", errors);
    let wiring = wiring(settings, errors);
    let (super_nodes, wiring) = (super_nodes?, wiring?);
    let config = match topology {
        "dragonfly" => TopologyConfig::Dragonfly {
            super_nodes,
            wiring,
        },
        "rsi-hypercube" => TopologyConfig::RsiHypercube {
            super_nodes,
            wiring,
        },
        "rsi-slimfly" => TopologyConfig::RsiSlimfly {
            super_nodes,
            wiring,
        },
        _ => TopologyConfig::RsiButterfly {
            super_nodes,
            wiring,
        },
    };
    match config.plan() {
        Ok(plan) => {
            let plan = Arc::new(plan?);
            let local = plan.local();
            Some(Shape {
                nodes: plan.switches(),
                ports: u32::from(local.local_ports()) + u32::from(local.global_ports()) + 1,
                plan: Some(plan),
                config,
            })
        }
        Err(error) => {
            errors.push(match &error {
                TopologyError::Config(config) => settings.refuse(
                    config.key,
                    format!("{} is not legal", config.given),
                    format!("legal: {}", config.legal),
                ),
                TopologyError::GlobalLinks(error) => in_links(settings, error),
                _ => settings.refuse(
                    "network.topology",
                    error.to_string(),
                    "legal: other super nodes or links",
                ),
            });
            None
        }
    }
}

/// How super nodes are joined.
fn wiring(settings: &mut Settings, errors: &mut Vec<ScenarioError>) -> Option<GlobalWiring> {
    const WIRING: &str = "network.wiring";
    const LINKS_PER_PAIR: &str = "network.links_per_pair";
    settings.fill(WIRING, Plain::Word(GlobalWiring::NAMES[0].to_owned()));
    let name = settings.word(WIRING).to_owned();
    let before = errors.len();
    let no_meaning = format!("it has no meaning with {WIRING} = \"{name}\"");
    if name != "from-file" {
        if settings.given(LINKS.text) {
            let key = if settings.links_source.is_some() {
                LINKS.file
            } else {
                LINKS.text
            };
            errors.push(
                Problem::new(no_meaning)
                    .key(key)
                    .help(format!("remove it, or {WIRING} = \"from-file\""))
                    .at(&settings.origin(LINKS.text)),
            );
        }
        settings.fill(LINKS_PER_PAIR, Plain::Integer(1));
        let links_per_pair = settings.small(LINKS_PER_PAIR);
        return (errors.len() == before).then_some(match name.as_str() {
            "palm-tree-packed" => GlobalWiring::PalmTreePacked { links_per_pair },
            _ => GlobalWiring::PalmTreeSpread { links_per_pair },
        });
    }
    if settings.given(LINKS_PER_PAIR) {
        let help = "remove it: the list of global links says how many there are";
        errors.push(settings.refuse(LINKS_PER_PAIR, no_meaning, help));
    }
    if settings.plain(LINKS.text).is_none() {
        errors.push(settings.refuse(
            LINKS.file,
            format!("missing; {WIRING} = \"from-file\" needs it"),
            "legal: the path of a list of global links, relative to the scenario file",
        ));
        return None;
    }
    match GlobalLinks::parse(settings.word(LINKS.text)) {
        Ok(links) => (errors.len() == before).then_some(GlobalWiring::FromFile { links }),
        Err(error) => {
            errors.push(in_links(settings, &error));
            None
        }
    }
}

/// An error of the list of global links, at its place.
fn in_links(settings: &Settings, error: &GlobalLinksError) -> ScenarioError {
    let GlobalLinksError {
        line,
        column,
        name,
        given,
        legal,
    } = error;
    let what = match (*line, *name) {
        // The list as a whole.
        (0, _) => given.clone(),
        (_, "header") => format!("`{given}` is not the header"),
        (_, "fields") => format!("{given} fields"),
        _ => format!("{name} = {given} is not legal"),
    };
    let text = settings.word(LINKS.text).trim();
    let path = if text.contains(['\n', ',']) {
        String::new()
    } else {
        format!("; a path goes into {}", LINKS.file)
    };
    let source = settings.links_source.as_ref();
    if *line == 0 && source.is_none() {
        return settings.refuse(LINKS.text, what, format!("legal: {legal}"));
    }
    in_list(
        settings,
        &LINKS,
        source,
        (*line).max(1),
        (*column).max(1),
        &what,
    )
    .help(&format!("legal: {legal}{path}"))
}

fn file(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    if settings.plain("network.edges").is_none() {
        errors.push(settings.refuse(
            "network.file",
            "missing; network.topology = \"file\" needs it",
            "legal: the path of an edge list, relative to the scenario file",
        ));
        return None;
    }
    let text = settings.word("network.edges");
    let refuse = |error: EdgeListError, errors: &mut Vec<ScenarioError>| {
        let (line, column) = position(&error);
        // The place says it already.
        let text = error.to_string();
        let text = text.strip_prefix(&format!("line {line}")).unwrap_or(&text);
        let text = text
            .strip_prefix(&format!(", column {column}"))
            .unwrap_or(text);
        let text = text.strip_prefix(": ").unwrap_or(text);
        errors.push(in_edges(settings, line, column, text).help(
            "lines such as s0,3,s1,0 (switch, port, switch, port) and n0,,s0,0 below the header a,a_port,b,b_port",
        ));
    };
    let mut edges = match EdgeList::parse(text) {
        Ok(edges) => edges,
        Err(error) => {
            refuse(error, errors);
            return None;
        }
    };
    edges.switch_ports = settings.integer("switch.ports").map(small);
    match edges.graph() {
        Ok(graph) => {
            let ports = (0..graph.switches()).map(|s| graph.ports(small(s as u64)));
            Some(Shape {
                nodes: small(graph.nodes() as u64),
                ports: ports.max().unwrap_or(2),
                plan: None,
                config: TopologyConfig::File { edges },
            })
        }
        Err(error) => {
            refuse(error, errors);
            None
        }
    }
}

/// Line and column of an error of the edge list.
fn position(error: &EdgeListError) -> (u32, u32) {
    match *error {
        EdgeListError::Header { line, column, .. }
        | EdgeListError::FieldCount { line, column, .. }
        | EdgeListError::Field { line, column, .. } => (line, column),
        EdgeListError::MissingColumn { line, .. }
        | EdgeListError::TwoNodes { line, .. }
        | EdgeListError::Link { line, .. } => (line, 1),
        EdgeListError::Empty | EdgeListError::Graph(_) => (1, 1),
    }
}

/// A list of the section: the key of its file, the key of its text, and its name.
struct List {
    file: &'static str,
    text: &'static str,
    name: &'static str,
}

const EDGES: List = List {
    file: "network.file",
    text: "network.edges",
    name: "edge list",
};

const LINKS: List = List {
    file: "network.global_links_file",
    text: "network.global_links",
    name: "list of global links",
};

/// A problem in a list: in its file, or, where it stands in the scenario, at the key with the line
/// named.
struct InList {
    problem: Problem,
    origin: Origin,
}

impl InList {
    fn help(self, help: &str) -> ScenarioError {
        self.problem.help(help).at(&self.origin)
    }
}

fn in_edges(settings: &Settings, line: u32, column: u32, what: &str) -> InList {
    let source = settings.edge_source.as_ref();
    in_list(settings, &EDGES, source, line, column, what)
}

fn in_list(
    settings: &Settings,
    list: &List,
    source: Option<&Arc<Source>>,
    line: u32,
    column: u32,
    what: &str,
) -> InList {
    let Some(source) = source else {
        return InList {
            problem: Problem::new(format!("line {line} of the {}: {what}", list.name))
                .key(list.text),
            origin: settings.origin(list.text),
        };
    };
    let start = source.line_start(line as usize);
    let text = source.text[start..].lines().next().unwrap_or("");
    let skip = column.saturating_sub(1) as usize;
    let offset = text
        .char_indices()
        .nth(skip)
        .map_or(text.len(), |(at, _)| at);
    let end = text[offset..]
        .find(',')
        .map_or(text.len(), |at| offset + at);
    InList {
        problem: Problem::new(what).key(list.file),
        origin: Origin::File {
            source: Arc::clone(source),
            start: start + offset,
            end: start + end,
        },
    }
}

/// Wire latencies of an edge list, in ticks, both directions; a rate of a link of its own is not
/// modelled yet.
pub(crate) fn wires(
    settings: &Settings,
    edges: &EdgeList,
    time_base: &TimeBase,
    errors: &mut Vec<ScenarioError>,
) -> Vec<((u32, u8), Span)> {
    let mut wires = Vec::new();
    let rate = settings
        .ratio("link.rate_bytes_per_ns")
        .unwrap_or(Ratio::ONE);
    for edge in &edges.edges {
        let line = edge.line;
        if let Some(own) = edge.attributes.rate_bytes_per_ns.filter(|own| *own != rate) {
            let what =
                format!("a link of {own} bytes/ns; links of different rates are not modelled yet");
            let help =
                format!("legal now: {rate}, the value of link.rate_bytes_per_ns, or nothing");
            errors.push(in_edges(settings, line, 1, &what).help(&help));
        }
        let Some(latency) = edge.attributes.latency_ns else {
            continue;
        };
        match time_base.ns_to_ticks_exact(latency) {
            Ok(ticks) if !ticks.is_zero() => {
                for end in [edge.a, edge.b] {
                    if let topology::Endpoint::Port { switch, port } = end {
                        wires.push(((switch, port), ticks));
                    }
                }
            }
            Ok(_) => {}
            Err(error) => {
                let what = format!(
                    "a latency of {latency} ns is not a whole number of ticks of {} ns",
                    error.tick_ns
                );
                errors
                    .push(in_edges(settings, line, 1, &what).help(&nearest_ns(latency, time_base)));
            }
        }
    }
    wires.sort_unstable();
    wires
}
