//! What a hierarchical network is wired like.
//!
//! Node v of super node s is switch s n + v, and its end node has the same number.

use crate::error::{ConfigError, TopologyError};
use crate::hierarchical::LocalGraph;
use crate::hierarchical::wiring::GlobalWiring;
use crate::limits::{NODES_MAX_REASON, TABLE_NODES_MAX};

/// What a hierarchical network is wired like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    local: LocalGraph,
    super_nodes: u32,
    wiring: &'static str,
    links: usize,
    /// By switch, then global port: the switch and global port at the other end.
    far_ends: Box<[Option<(u32, u8)>]>,
    /// By switch, then super node: its ports whose links lead there, as a bit mask.
    gateways: Box<[u64]>,
}

impl Plan {
    /// Super nodes and links as asked for.
    ///
    /// # Errors
    /// As [`GlobalWiring::links`], or more super nodes than there are ports for.
    pub(crate) fn new(
        local: LocalGraph,
        super_nodes: u32,
        wiring: &GlobalWiring,
    ) -> Result<Self, TopologyError> {
        let (n, g) = (local.nodes(), usize::from(local.global_ports()));
        let (radix, fit) = (local.virtual_radix(), TABLE_NODES_MAX / n);
        let most = fit.min(radix + 1);
        if !(1..=most).contains(&super_nodes) {
            let why = if most == fit {
                NODES_MAX_REASON.to_owned()
            } else {
                format!("a super node has {radix} global ports")
            };
            let legal = format!("1 to {most}: {why}");
            return Err(ConfigError::new("network.super_nodes", super_nodes, legal).into());
        }
        let links = wiring.links(&local, super_nodes)?;
        let switches = (super_nodes * n) as usize;
        let mut plan = Self {
            super_nodes,
            wiring: wiring.name(),
            links: links.len(),
            far_ends: vec![None; switches * g].into(),
            gateways: vec![0; switches * super_nodes as usize].into(),
            local,
        };
        for (a, b) in links {
            plan.join(a, b);
            plan.join(b, a);
        }
        Ok(plan)
    }

    fn join(&mut self, (s, node, port): (u32, u32, u8), (d, far, far_port): (u32, u32, u8)) {
        let n = self.local.nodes();
        let switch = (s * n + node) as usize;
        let place = switch * usize::from(self.local.global_ports()) + usize::from(port);
        self.far_ends[place] = Some((d * n + far, far_port));
        let egress = self.local.local_ports() + port;
        self.gateways[switch * self.super_nodes as usize + d as usize] |= 1 << egress;
    }

    /// The graph inside a super node.
    pub fn local(&self) -> &LocalGraph {
        &self.local
    }

    /// Super nodes, G.
    pub fn super_nodes(&self) -> u32 {
        self.super_nodes
    }

    /// The value of `network.wiring`.
    pub fn wiring(&self) -> &'static str {
        self.wiring
    }

    /// Global links, full duplex.
    pub fn global_links(&self) -> usize {
        self.links
    }

    /// Switches, as many as end nodes.
    pub fn switches(&self) -> u32 {
        self.super_nodes * self.local.nodes()
    }

    /// Super node and node of a switch.
    pub fn place(&self, switch: u32) -> (u32, u32) {
        (switch / self.local.nodes(), switch % self.local.nodes())
    }

    /// Switch and global port at the other end of a global port (from 0); `None` where it is not
    /// connected.
    ///
    /// # Panics
    /// If there is no such switch or port.
    pub fn far_end(&self, switch: u32, global_port: u8) -> Option<(u32, u8)> {
        let g = usize::from(self.local.global_ports());
        self.far_ends[switch as usize * g..][..g][usize::from(global_port)]
    }

    /// The ports of a switch whose links lead to a super node, as a bit mask.
    ///
    /// # Panics
    /// If there is no such switch or super node.
    pub fn own_ports_to(&self, switch: u32, super_node: u32) -> u64 {
        let row = &self.gateways[(switch * self.super_nodes) as usize..];
        row[..self.super_nodes as usize][super_node as usize]
    }

    /// The switches of super node `from` that have a link to super node `to`.
    pub fn gateways(&self, from: u32, to: u32) -> impl Iterator<Item = u32> + '_ {
        let n = self.local.nodes();
        (from * n..(from + 1) * n).filter(move |&switch| self.own_ports_to(switch, to) != 0)
    }
}
