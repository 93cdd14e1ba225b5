//! Two-level tables: which ports lead to a node of the same super node (T1), and which to another
//! super node (T2) [lai-rsi].

use std::fmt;
use std::str::FromStr;

use crate::error::ConfigError;
use crate::hierarchical::{LocalGraph, Plan};

/// Which local ports the tables hold (key `routing.local_routes`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalRoutes {
    /// All that shorten the way (default).
    #[default]
    AllMinimal,
    /// The one of dimension order; where several gateways are nearest, one towards each.
    DimensionOrder,
}

const KEY: &str = "routing.local_routes";

impl LocalRoutes {
    /// The legal names, the default first.
    pub const NAMES: &'static [&'static str] = &["all-minimal", "dimension-order"];

    /// Refuses dimension order where the local graph has no dimensions.
    pub(crate) fn check(self, local: &LocalGraph, topology: &str) -> Result<(), ConfigError> {
        if self == Self::DimensionOrder && !local.has_dimensions() {
            let legal = format!("\"all-minimal\": super nodes of {topology} have no dimensions");
            return Err(ConfigError::new(KEY, self, legal));
        }
        Ok(())
    }

    /// What of a set of minimal local ports to one node is kept. Ports ascend by dimension.
    fn kept(self, ports: u64) -> u64 {
        match self {
            Self::AllMinimal => ports,
            Self::DimensionOrder => ports & ports.wrapping_neg(),
        }
    }
}

impl fmt::Display for LocalRoutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllMinimal => Self::NAMES[0],
            Self::DimensionOrder => Self::NAMES[1],
        })
    }
}

impl FromStr for LocalRoutes {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        match text {
            "all-minimal" => Ok(Self::AllMinimal),
            "dimension-order" => Ok(Self::DimensionOrder),
            _ => Err(ConfigError::new(KEY, text, Self::NAMES.join(", "))),
        }
    }
}

/// T1 of a switch: local ports by node of its super node, as bit masks; 0 for itself.
pub(crate) fn t1(plan: &Plan, switch: u32, routes: LocalRoutes) -> Box<[u64]> {
    let (local, (_, node)) = (plan.local(), plan.place(switch));
    let entry = |to| routes.kept(local.minimal(node, to));
    (0..local.nodes()).map(entry).collect()
}

/// T2 of a switch: egress ports by super node, as bit masks; 0 for its own. These are its own
/// global ports to the super node where it has some, else the local ports towards the nearest
/// switches that have.
pub(crate) fn t2(plan: &Plan, switch: u32, routes: LocalRoutes) -> Box<[u64]> {
    (0..plan.super_nodes())
        .map(|to| entry(plan, switch, to, routes))
        .collect()
}

/// The T2 entry with all minimal ports.
pub(crate) fn towards(plan: &Plan, switch: u32, super_node: u32) -> u64 {
    entry(plan, switch, super_node, LocalRoutes::AllMinimal)
}

fn entry(plan: &Plan, switch: u32, super_node: u32, routes: LocalRoutes) -> u64 {
    let (here, node) = plan.place(switch);
    let own = plan.own_ports_to(switch, super_node);
    if here == super_node || own != 0 {
        return own;
    }
    let local = plan.local();
    let gateways = || {
        plan.gateways(here, super_node)
            .map(|gateway| plan.place(gateway).1)
    };
    let nearest = gateways().map(|to| local.distance(node, to)).min();
    let nearest = gateways().filter(|&to| Some(local.distance(node, to)) == nearest);
    nearest.fold(0, |ports, to| ports | routes.kept(local.minimal(node, to)))
}
