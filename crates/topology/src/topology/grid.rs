//! Grids in dimension order: the mesh of two dimensions [garcia-mesh-2005] and the torus of one to
//! three, a k-ary n-cube, rectangular too [topology.md].
//!
//! Switch s has coordinate 0 at s mod k0, coordinate 1 at (s div k0) mod k1, and so on. Ports 2d
//! and 2d + 1 lead up and down in dimension d, ports 2n and on to its end nodes. In a torus, a ring
//! of two has one link, between up ports; routes go the shorter way round, a tie is broken upwards.
//! Datelines [dally-seitz-1987]: channel 1 from the wrap-around link on, that link included.

use std::sync::Arc;

use units::{VcId, VcStep};

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX, NODES_MAX_REASON, PORTS_MAX};
use crate::routes::{Parts, Routes};

/// The most dimensions of a torus.
pub const DIMENSIONS_MAX: usize = 3;

#[derive(Debug)]
struct Grid {
    dimensions: Vec<u32>,
    nodes_per_switch: u32,
    /// A torus: the switches of each dimension are rings.
    has_rings: bool,
}

impl Grid {
    /// Port of the first end node of a switch.
    #[inline]
    fn first_node(&self) -> u32 {
        2 * self.dimensions.len() as u32
    }

    fn switches(&self) -> u32 {
        self.dimensions.iter().product()
    }

    /// Whether the link of a port closes its ring. The one link of a ring of two does not.
    fn wraps(&self, switch: u32, port: u8) -> bool {
        let dimension = usize::from(port / 2);
        let stride: u32 = self.dimensions[..dimension].iter().product();
        let size = self.dimensions[dimension];
        let rim = if port.is_multiple_of(2) { size - 1 } else { 0 };
        self.has_rings && size > 2 && switch / stride % size == rim
    }

    /// Twice the bisection bandwidth in link rates: every link of a cut carries two directions, and
    /// half of uniform traffic crosses. N x N: 4N in a mesh, 8N in a torus. It is not capped by the
    /// rate of the nodes; one switch alone has no cut: the rate of its nodes.
    fn maximum_links(&self) -> u64 {
        let switches = self.switches();
        let across = |&size: &u32| switches / size * if self.has_rings && size > 2 { 2 } else { 1 };
        match self.dimensions.iter().map(across).min() {
            Some(fewest) if switches > 1 => 4 * u64::from(fewest),
            _ => self.nodes_per_switch.into(),
        }
    }

    fn parts(self, name: &'static str) -> Result<Parts, TopologyError> {
        let (switches, first_node) = (self.switches(), self.first_node());
        let node_ports = (0..switches * self.nodes_per_switch).map(|node| {
            let port = first_node + node % self.nodes_per_switch;
            (node / self.nodes_per_switch, port as u8)
        });
        let mut links = Vec::new();
        for switch in 0..switches {
            let mut stride = 1;
            for (&size, up) in self.dimensions.iter().zip((0u8..).step_by(2)) {
                let at = switch / stride % size;
                let next = switch - at * stride + (at + 1) % size * stride;
                let is_pair = self.has_rings && size == 2;
                // The second switch of a ring of two is linked already.
                if at + 1 < size || self.has_rings && !is_pair {
                    links.push([(switch, up), (next, if is_pair { up } else { up + 1 })]);
                }
                stride *= size;
            }
        }
        let ports = vec![first_node + self.nodes_per_switch; switches as usize];
        Ok(Parts {
            name,
            graph: Graph::wired(&ports, node_ports, links)?,
            maximum_links: Some(self.maximum_links()),
            routes: Arc::new(self),
        })
    }
}

impl Routes for Grid {
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
                let is_up = match self.has_rings {
                    true => 2 * ((to + size - at) % size) <= size,
                    false => at < to,
                };
                return if is_up { up_port } else { up_port + 1 };
            }
            (here, there) = (here / size, there / size);
            up_port += 2;
        }
        // At most 64 ports.
        (self.first_node() + destination % self.nodes_per_switch) as u8
    }

    /// Half way round every ring, or from corner to corner.
    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        let far = |size: u32| if self.has_rings { size / 2 } else { size - 1 };
        let sizes = self.dimensions.iter().rev();
        let switch = sizes.fold(0, |switch, &size| switch * size + far(size));
        (switch > 0).then_some((0, switch * self.nodes_per_switch))
    }

    /// Rings of two have no wrap-around link.
    fn vcs(&self) -> u8 {
        if self.has_rings && self.dimensions.iter().any(|&size| size > 2) { 2 } else { 1 }
    }

    fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
        if u32::from(out_port) >= self.first_node() {
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

/// A grid, unless it has too many end nodes; `key` and `given` are then what is wrong.
fn checked(
    grid: Grid,
    name: &'static str,
    key: &'static str,
    given: String,
) -> Result<Parts, TopologyError> {
    let most = PORTS_MAX - grid.first_node();
    ConfigError::check("network.nodes_per_switch", grid.nodes_per_switch, 1..=most, "")?;
    let times = |all: u64, &size: &u32| all.saturating_mul(size.into());
    let nodes = grid.dimensions.iter().fold(grid.nodes_per_switch.into(), times);
    if nodes > NODES_MAX.into() {
        let legal = format!("at most {NODES_MAX} end nodes: {NODES_MAX_REASON}");
        return Err(ConfigError::new(key, given, legal).into());
    }
    grid.parts(name)
}

pub(crate) fn mesh(width: u32, height: u32, nodes_per_switch: u32) -> Result<Parts, TopologyError> {
    for (key, given) in [("network.width", width), ("network.height", height)] {
        if given == 0 {
            let legal =
                format!("1 or more, with width x height x nodes per switch at most {NODES_MAX}");
            return Err(ConfigError::new(key, given, legal).into());
        }
    }
    let grid = Grid { dimensions: vec![width, height], nodes_per_switch, has_rings: false };
    checked(grid, "mesh", "network.width", format!("{width} x {height} x {nodes_per_switch}"))
}

pub(crate) fn torus(dimensions: &[u32], nodes_per_switch: u32) -> Result<Parts, TopologyError> {
    const KEY: &str = "network.dimensions";
    let is_count = (1..=DIMENSIONS_MAX).contains(&dimensions.len());
    if !is_count || dimensions.iter().any(|&size| size < 2) {
        let legal = format!("1 to {DIMENSIONS_MAX} dimensions of 2 switches or more each");
        return Err(ConfigError::new(KEY, format!("{dimensions:?}"), legal).into());
    }
    let given = format!("{dimensions:?} with {nodes_per_switch} end nodes a switch");
    let grid = Grid { dimensions: dimensions.to_vec(), nodes_per_switch, has_rings: true };
    checked(grid, "torus", KEY, given)
}
