//! Torus of one to three dimensions: a k-ary n-cube, rectangular too [topology.md].
//!
//! Switch s has coordinate 0 at s mod k0, coordinate 1 at (s div k0) mod k1, and so on. Ports 2d
//! and 2d + 1 lead up and down in dimension d, ports 2n and on to its end nodes (node e is number e
//! mod c of switch e div c). A ring of two switches has one link, between their up ports: the down
//! ports are not connected. Dimension order, the shorter way round; a tie goes up.
//!
//! Datelines [dally-seitz-1987]: a packet enters a dimension on virtual channel 0 and goes on
//! channel 1 from the wrap-around link on, that link included.

use std::sync::Arc;

use units::{VcId, VcStep};

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::routes::{Parts, Routes};

/// The most dimensions of a torus.
pub const DIMENSIONS_MAX: usize = 3;

#[derive(Debug)]
struct Torus {
    /// Switches of a ring, by dimension.
    dimensions: Vec<u32>,
    nodes_per_switch: u32,
}

impl Torus {
    /// Port of the first end node of a switch.
    #[inline]
    fn first_node(&self) -> u32 {
        2 * self.dimensions.len() as u32
    }

    /// Size of the ring of a port, and where the switch is on it; `None` for the port of a node.
    fn ring(&self, switch: u32, port: u8) -> Option<(u32, u32)> {
        let dimension = usize::from(port / 2);
        let &size = self.dimensions.get(dimension)?;
        let stride: u32 = self.dimensions[..dimension].iter().product();
        Some((size, switch / stride % size))
    }

    /// Whether the link of a port closes its ring. The one link of a ring of two does not.
    fn wraps(&self, switch: u32, port: u8) -> bool {
        let is_up = port.is_multiple_of(2);
        self.ring(switch, port).is_some_and(|(size, at)| {
            let rim = if is_up { size - 1 } else { 0 };
            size > 2 && at == rim
        })
    }
}

impl Routes for Torus {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        let (mut here, mut there) = (switch, destination / self.nodes_per_switch);
        let mut up_port = 0;
        for &size in &self.dimensions {
            let (at, to) = (here % size, there % size);
            if at != to {
                let steps_up = (to + size - at) % size;
                return if 2 * steps_up <= size { up_port } else { up_port + 1 };
            }
            (here, there) = (here / size, there / size);
            up_port += 2;
        }
        // At most 64 ports.
        (self.first_node() + destination % self.nodes_per_switch) as u8
    }

    /// Half way round every ring.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        let mut switch = 0;
        for &size in self.dimensions.iter().rev() {
            switch = switch * size + size / 2;
        }
        Some((0, switch * self.nodes_per_switch))
    }

    /// Rings of two have no wrap-around link.
    fn vcs(&self) -> u8 {
        if self.dimensions.iter().any(|&size| size > 2) { 2 } else { 1 }
    }

    fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
        let is_node = u32::from(out_port) >= self.first_node();
        if is_node {
            VcStep::Set(VcId(0))
        } else if self.wraps(switch, out_port) {
            VcStep::Set(VcId(1))
        } else if in_port / 2 == out_port / 2 {
            VcStep::Keep
        } else {
            VcStep::Set(VcId(0))
        }
    }
}

/// Twice the bisection bandwidth in link rates. A cut across a dimension meets each of its rings in
/// two links, or one where the ring has two switches; every link carries two directions, and half
/// of uniform traffic crosses. The dimension with the fewest links across decides. N x N: 8N. As in
/// the mesh, it is not capped by the rate of the nodes.
fn maximum_links(dimensions: &[u32]) -> u64 {
    let switches: u64 = dimensions.iter().map(|&size| u64::from(size)).product();
    let across = |size: u32| switches / u64::from(size) * if size == 2 { 1 } else { 2 };
    4 * dimensions.iter().map(|&size| across(size)).min().unwrap_or(0)
}

/// Refuses what is no torus, or one with too many nodes. Returns the number of switches.
fn check(dimensions: &[u32], nodes_per_switch: u32) -> Result<u32, ConfigError> {
    let refuse = |given: String, legal| Err(ConfigError::new("network.dimensions", given, legal));
    let is_legal = (1..=DIMENSIONS_MAX).contains(&dimensions.len())
        && dimensions.iter().all(|&size| size >= 2);
    if !is_legal {
        let legal = format!("1 to {DIMENSIONS_MAX} dimensions of 2 switches or more each");
        return refuse(format!("{dimensions:?}"), legal);
    }
    let per_switch_max = PORTS_MAX - 2 * dimensions.len() as u32;
    if !(1..=per_switch_max).contains(&nodes_per_switch) {
        let legal = format!("1 to {per_switch_max}");
        let key = "network.nodes_per_switch";
        return Err(ConfigError::new(key, nodes_per_switch, legal));
    }
    let times = |all: u64, &size: &u32| all.saturating_mul(size.into());
    let switches = dimensions.iter().fold(1, times);
    if switches.saturating_mul(nodes_per_switch.into()) > NODES_MAX.into() {
        let given = format!("{dimensions:?} with {nodes_per_switch} end nodes a switch");
        return refuse(given, format!("at most {NODES_MAX} end nodes: {NODES_MAX_REASON}"));
    }
    Ok(dimensions.iter().product())
}

pub(crate) fn parts(dimensions: &[u32], nodes_per_switch: u32) -> Result<Parts, TopologyError> {
    let switches = check(dimensions, nodes_per_switch)?;
    let torus = Torus { dimensions: dimensions.to_vec(), nodes_per_switch };
    let first_node = torus.first_node();
    let node_ports = (0..switches * nodes_per_switch)
        .map(|node| (node / nodes_per_switch, (first_node + node % nodes_per_switch) as u8));
    let mut links = Vec::new();
    for switch in 0..switches {
        let mut stride = 1;
        for (&size, up) in dimensions.iter().zip((0u8..).step_by(2)) {
            let at = switch / stride % size;
            let next = switch - at * stride + (at + 1) % size * stride;
            // The second switch of a ring of two is linked already.
            if size > 2 || at == 0 {
                links.push([(switch, up), (next, if size == 2 { up } else { up + 1 })]);
            }
            stride *= size;
        }
    }
    let ports = vec![first_node + nodes_per_switch; switches as usize];
    Ok(Parts {
        name: "torus",
        graph: Graph::wired(&ports, node_ports, links)?,
        maximum_links: Some(maximum_links(dimensions)),
        routes: Arc::new(torus),
    })
}
