//! Edge lists: `network.topology = "file"`, and the wires of their links.

use super::lists::{EDGES, InList, in_list};
use super::{Shape, small};
use crate::error::ScenarioError;
use crate::settings::Settings;
use crate::times::nearest_ns;
use topology::{EdgeList, GraphError, TopologyConfig};
use units::{Ratio, Span, TimeBase};

pub(super) fn file(settings: &Settings, errors: &mut Vec<ScenarioError>) -> Option<Shape> {
    if settings.plain("network.edges").is_none() {
        errors.push(settings.refuse(
            "network.file",
            "missing; network.topology = \"file\" needs it",
            "legal: the path of an edge list, relative to the scenario file",
        ));
        return None;
    }
    let text = settings.word("network.edges");
    let refuse = |error: GraphError, errors: &mut Vec<ScenarioError>| {
        let (line, column) = (error.line.max(1), error.column.max(1));
        errors.push(in_edges(settings, line, column, &error.what).help(
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

fn in_edges(settings: &Settings, line: u32, column: u32, what: &str) -> InList {
    let source = settings.edge_source.as_ref();
    in_list(settings, &EDGES, source, line, column, what)
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
    let rate = settings.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE);
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
