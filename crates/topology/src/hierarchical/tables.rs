//! Two-level tables: which ports lead to a node of the same super node (T1), and which to another
//! super node (T2) [lai-rsi].

use hierarchy::{LocalRoutes, TwoLevelTable};

use crate::error::ConfigError;
use crate::hierarchical::{LocalGraph, Plan};

/// Refuses dimension order where the local graph has no dimensions.
pub(crate) fn check(routes: LocalRoutes, local: &LocalGraph) -> Result<(), ConfigError> {
    if routes == LocalRoutes::DimensionOrder && !local.has_dimensions() {
        let legal = format!("{}: these super nodes have no dimensions", LocalRoutes::AllMinimal);
        return Err(ConfigError::new("routing.local_routes", routes, legal));
    }
    Ok(())
}

/// The tables of all ports of a switch. T1 has local ports; T2 the switch's own global ports to the
/// super node where it has some, else the local ports towards the nearest switches that have.
pub(crate) fn of(plan: &Plan, switch: u32, routes: LocalRoutes) -> TwoLevelTable {
    let (local, (_, node)) = (plan.local(), plan.place(switch));
    let t1 = (0..local.nodes()).map(|to| kept(routes, local.minimal(node, to)));
    let t2 = (0..plan.super_nodes()).map(|to| entry(plan, switch, to, routes));
    TwoLevelTable::new(t1.collect(), t2.collect())
}

/// The T2 entry with all minimal ports.
pub(crate) fn towards(plan: &Plan, switch: u32, super_node: u32) -> u64 {
    entry(plan, switch, super_node, LocalRoutes::AllMinimal)
}

/// What is kept of a set of minimal local ports to one node. Ports ascend by dimension.
fn kept(routes: LocalRoutes, ports: u64) -> u64 {
    match routes {
        LocalRoutes::AllMinimal => ports,
        LocalRoutes::DimensionOrder => ports & ports.wrapping_neg(),
    }
}

fn entry(plan: &Plan, switch: u32, super_node: u32, routes: LocalRoutes) -> u64 {
    let (here, node) = plan.place(switch);
    let own = plan.own_ports_to(switch, super_node);
    if here == super_node || own != 0 {
        return own;
    }
    let local = plan.local();
    let gateways = || {
        let switches = plan.gateways(here, super_node);
        switches.map(|gateway| plan.place(gateway).1)
    };
    let nearest = gateways().map(|to| local.distance(node, to)).min();
    let nearest = gateways().filter(|&to| Some(local.distance(node, to)) == nearest);
    nearest.fold(0, |ports, to| ports | kept(routes, local.minimal(node, to)))
}
