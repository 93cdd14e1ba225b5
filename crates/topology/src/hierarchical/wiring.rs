//! Global wiring: which global port of which node joins which super nodes [lai-rsi].
//!
//! Palm tree: for super node s and another one d, the offset is o = (d - s - 1) mod G, and global
//! link j of the L links between the two (0 <= j < L) is global link i = o L + j of s. At d the
//! same link has offset (s - d - 1) mod G = G - 2 - o and the same j [choice].

use crate::error::{ConfigError, TopologyError};
use crate::hierarchical::LocalGraph;
use crate::hierarchical::links::{GlobalEnd, GlobalLinks};

/// How super nodes are joined (keys `network.wiring` and `network.links_per_pair`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalWiring {
    /// Global link i of a super node is at node i mod n, global port i div n: one link a node in
    /// turn (default).
    PalmTreeSpread {
        /// Links between any two super nodes, L.
        links_per_pair: u32,
    },
    /// Global link i is at node i div g, global port i mod g: fills a node before the next.
    PalmTreePacked {
        /// Links between any two super nodes, L.
        links_per_pair: u32,
    },
    /// The links of a file.
    FromFile {
        /// The links as parsed.
        links: GlobalLinks,
    },
}

impl GlobalWiring {
    /// The legal values of `network.wiring`, the default first.
    pub const NAMES: &'static [&'static str] =
        &["palm-tree-spread", "palm-tree-packed", "from-file"];

    /// The value of `network.wiring` that stands for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PalmTreeSpread { .. } => Self::NAMES[0],
            Self::PalmTreePacked { .. } => Self::NAMES[1],
            Self::FromFile { .. } => Self::NAMES[2],
        }
    }

    /// Both ends of every global link between so many super nodes, at least one.
    ///
    /// # Errors
    /// More links than there are global ports for, lines of a file that are not legal.
    pub(crate) fn links(
        &self,
        local: &LocalGraph,
        super_nodes: u32,
    ) -> Result<Vec<(GlobalEnd, GlobalEnd)>, TopologyError> {
        let (n, g) = (local.nodes(), u32::from(local.global_ports()));
        let (links_per_pair, place): (u32, &dyn Fn(u32) -> (u32, u8)) = match self {
            Self::PalmTreeSpread { links_per_pair } => {
                (*links_per_pair, &|i| (i % n, (i / n) as u8))
            }
            Self::PalmTreePacked { links_per_pair } => {
                (*links_per_pair, &|i| (i / g, (i % g) as u8))
            }
            Self::FromFile { links } => return Ok(links.ends(local, super_nodes)?),
        };
        fits(local.virtual_radix(), super_nodes, links_per_pair)?;
        let end = |s: u32, d: u32, j: u32| {
            let offset = (d + super_nodes - s - 1) % super_nodes;
            let (node, port) = place(offset * links_per_pair + j);
            (s, node, port)
        };
        let mut links = Vec::new();
        for s in 0..super_nodes {
            for d in s + 1..super_nodes {
                links.extend((0..links_per_pair).map(|j| (end(s, d, j), end(d, s, j))));
            }
        }
        Ok(links)
    }
}

/// Refuses more links a pair of super nodes than there are global ports for.
fn fits(virtual_radix: u32, super_nodes: u32, links_per_pair: u32) -> Result<(), ConfigError> {
    let most = virtual_radix.checked_div(super_nodes - 1);
    let most = most.unwrap_or(virtual_radix).max(1);
    if !(1..=most).contains(&links_per_pair) {
        let legal = format!(
            "1 to {most}: {super_nodes} super nodes with {virtual_radix} global ports each"
        );
        return Err(ConfigError::new("network.links_per_pair", links_per_pair, legal));
    }
    Ok(())
}
