//! Two-dimensional mesh with X-Y routing [garcia-mesh-2005; topology.md].
//!
//! Switch s is at x = s mod width, y = s div width; ports 0..3 lead to x + 1, x - 1, y + 1, y - 1,
//! ports 4.. to its end nodes (node e is number e mod c of switch e div c). Ports over the rim are
//! not connected.

use std::sync::Arc;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::routes::{Parts, Routes};

const X_PLUS: u8 = 0;
const X_MINUS: u8 = 1;
const Y_PLUS: u8 = 2;
const Y_MINUS: u8 = 3;
const FIRST_NODE: u32 = 4;

#[derive(Debug)]
struct Mesh {
    width: u32,
    nodes_per_switch: u32,
}

impl Routes for Mesh {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        let target = destination / self.nodes_per_switch;
        let (x, y) = (switch % self.width, switch / self.width);
        let (to_x, to_y) = (target % self.width, target / self.width);
        if x < to_x {
            X_PLUS
        } else if x > to_x {
            X_MINUS
        } else if y < to_y {
            Y_PLUS
        } else if y > to_y {
            Y_MINUS
        } else {
            (FIRST_NODE + destination % self.nodes_per_switch) as u8
        }
    }

    /// From corner to corner.
    fn longest(&self, graph: &Graph) -> Option<(u32, u32)> {
        let last = graph.switches() as u32 - 1;
        (last > 0).then_some((0, last * self.nodes_per_switch))
    }
}

/// Twice the bisection bandwidth in link rates: the cut across the longer side is crossed by as
/// many links as the shorter side has switches, in two directions, and half of uniform traffic
/// crosses it. N x N: 4N. It is not capped by the rate of the nodes. One switch alone has no cut:
/// the rate of its nodes.
fn maximum_links(width: u32, height: u32, nodes: u32) -> u64 {
    if width.max(height) == 1 { nodes.into() } else { 4 * u64::from(width.min(height)) }
}

pub(crate) fn parts(
    width: u32,
    height: u32,
    nodes_per_switch: u32,
) -> Result<Parts, TopologyError> {
    let side = |key, given: u32| {
        let legal =
            format!("1 or more, with width x height x nodes per switch at most {NODES_MAX}");
        if given == 0 { Err(ConfigError::new(key, given, legal)) } else { Ok(()) }
    };
    side("network.width", width)?;
    side("network.height", height)?;
    let per_switch_max = PORTS_MAX - FIRST_NODE;
    if !(1..=per_switch_max).contains(&nodes_per_switch) {
        let legal = format!("1 to {per_switch_max}");
        return Err(ConfigError::new("network.nodes_per_switch", nodes_per_switch, legal).into());
    }
    let switches = u64::from(width) * u64::from(height);
    if switches.saturating_mul(nodes_per_switch.into()) > NODES_MAX.into() {
        let given = format!("{width} x {height} x {nodes_per_switch}");
        let legal = format!("at most {NODES_MAX} end nodes: {NODES_MAX_REASON}");
        return Err(ConfigError::new("network.width", given, legal).into());
    }
    let nodes = width * height * nodes_per_switch;
    let node_ports = (0..nodes)
        .map(|node| (node / nodes_per_switch, (FIRST_NODE + node % nodes_per_switch) as u8));
    let links = (0..width * height).flat_map(|switch| {
        let x = (switch % width + 1 < width).then(|| [(switch, X_PLUS), (switch + 1, X_MINUS)]);
        let y =
            (switch / width + 1 < height).then(|| [(switch, Y_PLUS), (switch + width, Y_MINUS)]);
        x.into_iter().chain(y)
    });
    let ports = vec![FIRST_NODE + nodes_per_switch; switches as usize];
    Ok(Parts {
        name: "mesh",
        graph: Graph::wired(&ports, node_ports, links)?,
        routes: Arc::new(Mesh { width, nodes_per_switch }),
        maximum_links: Some(maximum_links(width, height, nodes)),
    })
}
