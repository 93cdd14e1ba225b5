//! A hierarchical network before the check: its graph, and minimal routes by the lowest port.

use std::sync::Arc;

use crate::builder::GraphBuilder;
use crate::error::TopologyError;
use crate::graph::LinkAttributes;
use crate::hierarchical::wiring::GlobalWiring;
use crate::hierarchical::{LocalGraph, Plan, tables};
use crate::parts::Parts;
use crate::routes::Routes;

/// Minimal routes by the lowest port of the tables; with dimension order and with all minimal ports
/// it is the same.
#[derive(Debug)]
struct Lowest {
    plan: Arc<Plan>,
    /// By node of a super node, then node.
    to_node: Box<[u8]>,
    /// By switch, then super node.
    to_super_node: Box<[u8]>,
}

impl Lowest {
    fn new(plan: Arc<Plan>) -> Self {
        let (n, super_nodes) = (plan.local().nodes(), plan.super_nodes());
        // At most 63; an empty entry is that of the node itself, which nobody asks for.
        let lowest = |mask: u64| mask.trailing_zeros() as u8;
        let pairs = |rows: u32, columns: u32| {
            (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
        };
        let to_node = pairs(n, n).map(|(from, to)| lowest(plan.local().minimal(from, to)));
        let to_super_node = pairs(plan.switches(), super_nodes)
            .map(|(from, to)| lowest(tables::towards(&plan, from, to)));
        Self { to_node: to_node.collect(), to_super_node: to_super_node.collect(), plan }
    }
}

impl Routes for Lowest {
    #[inline]
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        let local = self.plan.local();
        let ((here, from), (there, to)) = (self.plan.place(switch), self.plan.place(destination));
        if here != there {
            self.to_super_node[(switch * self.plan.super_nodes() + there) as usize]
        } else if from != to {
            self.to_node[(from * local.nodes() + to) as usize]
        } else {
            local.local_ports() + local.global_ports()
        }
    }

    fn merges(&self) -> bool {
        true
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
    let local = plan.local();
    let (n, l, g) = (local.nodes(), local.local_ports(), local.global_ports());
    let ports = vec![u32::from(l) + u32::from(g) + 1; plan.switches() as usize];
    let mut builder = GraphBuilder::new(&ports, plan.switches())?;
    for switch in 0..plan.switches() {
        let plain = LinkAttributes::default();
        builder.attach(switch, (switch, l + g), plain)?;
        let (_, node) = plan.place(switch);
        for (&far, port) in local.neighbours(node).iter().zip(0u8..) {
            let back = local.neighbours(far).iter().zip(0u8..).find(|(end, _)| **end == node);
            if let Some((_, back)) = back.filter(|_| node < far) {
                builder.connect((switch, port), (switch - node + far, back), plain)?;
            }
        }
        for port in 0..g {
            if let Some((far, far_port)) = plan.far_end(switch, port)
                && switch / n < far / n
            {
                builder.connect((switch, l + port), (far, l + far_port), plain)?;
            }
        }
    }
    Ok(Parts {
        name,
        graph: builder.finish()?,
        routes: Arc::new(Lowest::new(Arc::new(plan))),
        maximum_links: None,
    })
}
