//! Edge lists: `network.topology = "file"`, and the wires of their links.

use super::lists::EDGES;
use super::{Shape, small};
use crate::draft::{Draft, nearest_ns};
use topology::{EdgeList, Endpoint, GraphError, TopologyConfig};
use units::Span;

pub(super) fn file(draft: &Draft) -> Option<Shape> {
    if draft.plain(EDGES.text).is_none() {
        draft.refuse(
            &[EDGES.file],
            "missing; network.topology = \"file\" needs it",
            "legal: the path of an edge list, relative to the scenario file",
        );
        return None;
    }
    let refuse = |error: GraphError| {
        let (line, column) = (error.line.max(1), error.column.max(1));
        let help = "lines such as s0,3,s1,0 (switch, port, switch, port) and n0,,s0,0 below the header a,a_port,b,b_port";
        draft.push(EDGES.error(draft, line, column, &error.what, help));
    };
    let mut edges = EdgeList::parse(draft.word(EDGES.text)).map_err(refuse).ok()?;
    edges.switch_ports = draft.number("switch.ports");
    let graph = edges.graph().map_err(refuse).ok()?;
    let ports = (0..graph.switches()).map(|s| graph.ports(small(s as u64)));
    Some(Shape {
        nodes: small(graph.nodes() as u64),
        ports: ports.max().unwrap_or(2),
        plan: None,
        config: TopologyConfig::File { edges },
    })
}

/// Wire latencies of an edge list, in ticks, both ways; rates of single links are not modelled yet.
pub(crate) fn wires(draft: &Draft, edges: &EdgeList) -> Vec<((u32, u8), Span)> {
    let mut wires = Vec::new();
    let (Some(time_base), rate) = (draft.time_base, draft.rate()) else {
        return wires;
    };
    for edge in &edges.edges {
        let refuse = |what: &str, help: &str| {
            draft.push(EDGES.error(draft, edge.line, 1, what, help));
        };
        if let Some(own) = edge.attributes.rate_bytes_per_ns.filter(|own| *own != rate) {
            refuse(
                &format!("a link of {own} bytes/ns; links of different rates are not modelled yet"),
                &format!("legal now: {rate}, the value of link.rate_bytes_per_ns, or nothing"),
            );
        }
        let Some(latency) = edge.attributes.latency_ns else {
            continue;
        };
        match time_base.ns_to_ticks_exact(latency) {
            Ok(ticks) if !ticks.is_zero() => {
                for end in [edge.a, edge.b] {
                    if let Endpoint::Port { switch, port } = end {
                        wires.push(((switch, port), ticks));
                    }
                }
            }
            Ok(_) => {}
            Err(error) => {
                let tick = error.tick_ns;
                let what = format!(
                    "a latency of {latency} ns is not a whole number of ticks of {tick} ns"
                );
                refuse(&what, &nearest_ns(latency, &time_base));
            }
        }
    }
    wires.sort_unstable();
    wires
}
