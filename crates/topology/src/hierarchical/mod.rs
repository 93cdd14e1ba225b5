//! Hierarchical rack-scale networks: super nodes, two-level tables [lai-rsi].

use std::sync::Arc;

use hierarchy::{Address, LocalRoutes, NodeShape, PortKind, Router, Routing, TwoLevelTable};
use units::PortId;

use crate::error::{ConfigError, TopologyError};
use crate::graph::{Graph, VCS_MAX};
use crate::options::HierarchyOptions;
use crate::path::Path;

mod channels;
mod local;
mod numbers;
mod plan;
mod recompute;
mod wiring;

pub use channels::Checked;
pub use local::LocalGraph;
pub use numbers::HierarchyAnalysis;
pub use plan::{Plan, hierarchical};
pub use wiring::{GlobalLinks, GlobalWiring};

/// What the switches of a hierarchical network, each with its end node, are built from.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    plan: Arc<Plan>,
    /// What all routers agree on.
    pub routing: Routing,
    shapes: Box<[NodeShape]>,
    tables: Box<[TwoLevelTable]>,
    /// What the walk over all states found.
    pub checked: Checked,
}

impl Hierarchy {
    /// Fills the tables and walks every state that a packet can ever be in.
    pub(crate) fn new(
        plan: &Arc<Plan>,
        graph: &Graph,
        options: HierarchyOptions,
        vcs: u8,
    ) -> Result<Self, TopologyError> {
        let HierarchyOptions { algorithm, vc_scheme, local_routes } = options;
        if local_routes == LocalRoutes::DimensionOrder && !plan.local.has_dimensions {
            let legal =
                format!("{}: these super nodes have no dimensions", LocalRoutes::AllMinimal);
            return Err(ConfigError::new("routing.local_routes", local_routes, legal).into());
        }
        let routing = Routing { algorithm, vc_scheme, diameter: plan.local.diameter() };
        let needed = vc_scheme.needed(algorithm, routing.diameter).max(1);
        if vcs < needed {
            return Err(too_few(vcs, needed, routing).into());
        }
        let switches = 0..plan.switches();
        let shapes: Box<[_]> = switches.clone().map(|switch| shape(plan, switch)).collect();
        let tables: Box<[_]> = switches.map(|switch| plan.table(switch, local_routes)).collect();
        let checked = channels::check(graph, &shapes, &tables, routing, vcs)?;
        Ok(Self { plan: plan.clone(), routing, shapes, tables, checked })
    }

    /// Super nodes and links.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Address and ports, by switch.
    pub fn shapes(&self) -> &[NodeShape] {
        &self.shapes
    }

    /// The tables that every port of a switch has a copy of, by switch.
    pub fn tables(&self) -> &[TwoLevelTable] {
        &self.tables
    }

    /// Virtual channels of a link that this routing needs.
    pub fn vcs_needed(&self) -> u8 {
        let Routing { algorithm, vc_scheme, diameter } = self.routing;
        vc_scheme.needed(algorithm, diameter).max(1)
    }

    /// The router of a switch before any fault.
    pub fn router(&self, switch: u32) -> Router<'_> {
        Router {
            routing: self.routing,
            shape: &self.shapes[switch as usize],
            table: &self.tables[switch as usize],
            live: u64::MAX,
        }
    }

    pub(crate) fn set_vcs(&self, path: &mut Path) {
        let mut trip = hierarchy::Trip::default();
        for hop in &mut path.hops {
            let (router, port) = (self.router(hop.switch), PortId(hop.out_port));
            hop.vc = router.vc(&trip, port).0;
            trip = router.leave(trip, port);
        }
    }
}

fn too_few(given: u8, needed: u8, routing: Routing) -> ConfigError {
    let Routing { algorithm, vc_scheme, diameter } = routing;
    let why = format!("{algorithm} with {vc_scheme}, local diameter {diameter}");
    let legal = if needed <= VCS_MAX {
        format!("{needed} to {VCS_MAX} for {why}")
    } else {
        format!("none: {why} needs {needed}, a link has at most {VCS_MAX}")
    };
    ConfigError::new("switch.vcs", given, legal)
}

fn shape(plan: &Plan, switch: u32) -> NodeShape {
    let (super_node, node) = plan.place(switch);
    let local = (0..plan.local.local_ports).map(|_| PortKind::Local);
    let global = (0..plan.local.global_ports).map(|port| {
        let far = plan.far_end(switch, port);
        far.map_or(PortKind::Unconnected, |(far, _)| PortKind::Global(plan.place(far).0 as u16))
    });
    let ports = local.chain(global).chain([PortKind::Node]).collect();
    // At most 4096 nodes.
    let address = Address { super_node: super_node as u16, node: node as u16 };
    NodeShape::new(address, ports)
}
