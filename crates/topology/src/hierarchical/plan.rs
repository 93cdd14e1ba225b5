//! What a hierarchical network is wired like, its tables, and minimal routes by the lowest port.
//!
//! Node v of super node s is switch s n + v, and its end node has the same number.

use std::sync::Arc;

use hierarchy::{LocalRoutes, Region, TwoLevelTable};

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, NODES_MAX_REASON, TABLE_NODES_MAX};
use crate::hierarchical::LocalGraph;
use crate::hierarchical::wiring::GlobalWiring;
use crate::routes::{Parts, Routes};

/// What a hierarchical network is wired like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The graph inside a super node.
    pub local: LocalGraph,
    /// Super nodes, G.
    pub super_nodes: u32,
    /// The value of `network.wiring`.
    pub wiring: &'static str,
    /// Global links, full duplex.
    pub global_links: usize,
    /// By switch, then global port: the switch and global port at the other end.
    far_ends: Box<[Option<(u32, u8)>]>,
    /// By switch, then super node: its ports whose links lead there, as a bit mask.
    gateways: Box<[u64]>,
}

impl Plan {
    pub(crate) fn new(
        local: LocalGraph,
        super_nodes: u32,
        wiring: &GlobalWiring,
    ) -> Result<Self, TopologyError> {
        let (n, g) = (local.nodes, usize::from(local.global_ports));
        let (radix, fit) = (local.virtual_radix(), TABLE_NODES_MAX / n);
        let most = fit.min(radix + 1);
        let why = match most == fit {
            true => format!(": {NODES_MAX_REASON}"),
            false => format!(": a super node has {radix} global ports"),
        };
        ConfigError::check("network.super_nodes", super_nodes, 1..=most, &why)?;
        let links = wiring.links(&local, super_nodes)?;
        let switches = (super_nodes * n) as usize;
        let mut plan = Self {
            super_nodes,
            wiring: wiring.name(),
            global_links: links.len(),
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
        let n = self.local.nodes;
        let switch = (s * n + node) as usize;
        let place = switch * usize::from(self.local.global_ports) + usize::from(port);
        self.far_ends[place] = Some((d * n + far, far_port));
        let egress = self.local.local_ports + port;
        self.gateways[switch * self.super_nodes as usize + d as usize] |= 1 << egress;
    }

    /// Switches, as many as end nodes.
    pub fn switches(&self) -> u32 {
        self.super_nodes * self.local.nodes
    }

    /// Super node and node of a switch.
    pub fn place(&self, switch: u32) -> (u32, u32) {
        (switch / self.local.nodes, switch % self.local.nodes)
    }

    /// Switch and global port at the other end of a global port (from 0), if it is connected.
    pub fn far_end(&self, switch: u32, global_port: u8) -> Option<(u32, u8)> {
        let g = usize::from(self.local.global_ports);
        self.far_ends[switch as usize * g..][..g][usize::from(global_port)]
    }

    /// The ports of a switch whose links lead to a super node, as a bit mask.
    pub fn own_ports_to(&self, switch: u32, super_node: u32) -> u64 {
        let row = &self.gateways[(switch * self.super_nodes) as usize..];
        row[..self.super_nodes as usize][super_node as usize]
    }

    /// The switches of super node `from` that have a link to super node `to`.
    pub fn gateways(&self, from: u32, to: u32) -> impl Iterator<Item = u32> + '_ {
        let n = self.local.nodes;
        (from * n..(from + 1) * n).filter(move |&switch| self.own_ports_to(switch, to) != 0)
    }

    /// The tables of a switch [lai-rsi]: T1 has local ports; T2 its own global ports to the super
    /// node where it has some, else the local ports towards the nearest switches that have.
    pub(crate) fn table(&self, switch: u32, routes: LocalRoutes) -> TwoLevelTable {
        let (local, (_, node)) = (&self.local, self.place(switch));
        let t1 = (0..local.nodes).map(|to| kept(routes, local.minimal(node, to)));
        let t2 = (0..self.super_nodes).map(|to| self.towards(switch, to, routes));
        TwoLevelTable::new(t1.collect(), t2.collect())
    }

    fn towards(&self, switch: u32, super_node: u32, routes: LocalRoutes) -> u64 {
        let (here, node) = self.place(switch);
        let own = self.own_ports_to(switch, super_node);
        if here == super_node || own != 0 {
            return own;
        }
        let local = &self.local;
        let gateways = || self.gateways(here, super_node).map(|gateway| self.place(gateway).1);
        let nearest = gateways().map(|to| local.distance(node, to)).min();
        let nearest = gateways().filter(|&to| Some(local.distance(node, to)) == nearest);
        nearest.fold(0, |ports, to| ports | kept(routes, local.minimal(node, to)))
    }
}

/// What is kept of a set of minimal local ports to one node. Ports ascend by dimension.
fn kept(routes: LocalRoutes, ports: u64) -> u64 {
    match routes {
        LocalRoutes::AllMinimal => ports,
        LocalRoutes::DimensionOrder => ports & ports.wrapping_neg(),
    }
}

/// Minimal routes by the lowest port of the tables: the same with dimension order.
#[derive(Debug)]
struct Lowest {
    plan: Arc<Plan>,
    tables: Box<[TwoLevelTable]>,
}

impl Routes for Lowest {
    fn merges(&self) -> bool {
        true
    }

    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        if switch == destination {
            return self.plan.local.local_ports + self.plan.local.global_ports;
        }
        let ((here, _), (there, to)) = (self.plan.place(switch), self.plan.place(destination));
        let region =
            if here == there { Region::Node(to as u16) } else { Region::SuperNode(there as u16) };
        self.tables[switch as usize].entry(region).trailing_zeros() as u8
    }

    fn plan(&self) -> Option<&Arc<Plan>> {
        Some(&self.plan)
    }
}

/// A hierarchical network of any local graph, not checked yet.
///
/// # Errors
/// Super nodes or links that do not fit the global ports, or a file of links that is not legal.
pub fn hierarchical(
    name: &'static str,
    local: LocalGraph,
    super_nodes: u32,
    wiring: &GlobalWiring,
) -> Result<Parts, TopologyError> {
    let plan = Plan::new(local, super_nodes, wiring)?;
    let local = &plan.local;
    let (n, l, g) = (local.nodes, local.local_ports, local.global_ports);
    let mut links = Vec::new();
    for switch in 0..plan.switches() {
        let (_, node) = plan.place(switch);
        for (&far, port) in local.neighbours(node).iter().zip(0u8..) {
            let back = local.neighbours(far).iter().zip(0u8..).find(|(end, _)| **end == node);
            if let Some((_, back)) = back.filter(|_| node < far) {
                links.push([(switch, port), (switch - node + far, back)]);
            }
        }
        for port in 0..g {
            if let Some((far, far_port)) = plan.far_end(switch, port)
                && switch / n < far / n
            {
                links.push([(switch, l + port), (far, l + far_port)]);
            }
        }
    }
    let ports = vec![u32::from(l + g) + 1; plan.switches() as usize];
    let tables = (0..plan.switches()).map(|switch| plan.table(switch, LocalRoutes::AllMinimal));
    let tables = tables.collect();
    Ok(Parts {
        name,
        graph: Graph::wired(&ports, (0..plan.switches()).map(|node| (node, l + g)), links)?,
        routes: Arc::new(Lowest { tables, plan: Arc::new(plan) }),
        maximum_links: None,
    })
}
