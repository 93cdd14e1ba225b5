//! From a configuration to the units of a fabric: ports, links, end nodes.

mod ports;
mod tables;

use crate::clock::Engine;
use crate::clock::reference::Reference;
use crate::config::{FabricConfig, FaultTables, RoutingKind};
use crate::elements::Elements;
use crate::layouts::{Layouts, params};
use crate::part::Part;
use crate::routing::Routing;
use crate::transit::Transit;
use endnode::{EndNode, NodeConfig, Order};
use hierarchy::{Address, NodeShape, Region};
use marking::Marking;
use observe::Owner;
use recovery::{Configured, Recovery};
use std::sync::Arc;
use switch::{ConfigError, Params, Switch};
use tables::RouteTables;
use topology::{Endpoint, Network};
use units::{ElementId, PortId, Unit, WireId};
use workload::{Generator, Replies};

/// Switches and end nodes: as many as the wheel of the flat engine can name, with their queues.
const ELEMENTS_MAX: usize = 1 << 22;

struct Builder<'a> {
    config: &'a FabricConfig,
    network: &'a Network,
    params: Params,
    tables: Option<RouteTables>,
    /// Two-level routing: what each switch is, and where each end node.
    shapes: Vec<Arc<NodeShape>>,
    addresses: Arc<[Address]>,
    /// Wire that ends at port 0 of each element of the fabric.
    first_wire: Vec<WireId>,
    /// By group: the replies that its messages ask for.
    replies: Arc<[Option<Replies>]>,
    /// Whether end nodes hold packets to their order.
    order: Order,
}

/// Builds the units of a fabric, with their clock.
pub(crate) fn build(config: &FabricConfig, engine: Engine) -> Result<Part, ConfigError> {
    let network = &*config.network;
    let (switches, nodes) = (network.switches(), network.nodes());
    let params = checked(config)?;
    let (owners, first_wire) = wires(network);
    let shapes = network.hierarchy().map_or(&[][..], |h| h.shapes());
    let builder = Builder {
        config,
        network,
        params,
        tables: RouteTables::new(network, config.routing),
        shapes: shapes.iter().cloned().map(Arc::new).collect(),
        addresses: shapes.iter().map(|shape| shape.address).collect(),
        first_wire,
        replies: config
            .workload
            .summaries
            .iter()
            .map(|s| s.replies)
            .collect(),
        order: order(config),
    };
    let mut elements = builder.no_elements();
    builder.fill(&mut elements)?;
    let seed = match engine {
        Engine::Shuffled(seed) => Some(seed),
        Engine::Reference | Engine::Fast | Engine::Parallel(_) => None,
    };
    Ok(Part {
        clock: Reference::new(&elements, seed),
        transit: Transit::new(owners.into(), switches + nodes),
        elements,
    })
}

/// What all elements read.
///
/// # Errors
/// What no element sees alone.
pub(crate) fn checked(config: &FabricConfig) -> Result<Params, ConfigError> {
    let impossible = |what: String| Err(ConfigError::Impossible { what });
    let elements = config.network.switches() + config.network.nodes();
    if elements > ELEMENTS_MAX {
        return impossible(format!(
            "{elements} switches and end nodes; legal: at most {ELEMENTS_MAX}"
        ));
    }
    let by_levels = config.routing == RoutingKind::TwoLevel;
    if config.switch.adaptive.is_some() != by_levels
        || (by_levels && config.network.hierarchy().is_none())
    {
        let what = "two-level routing needs a hierarchical network and its rules";
        return impossible(what.to_string());
    }
    let may_fail = by_levels && config.switch.faults;
    if !may_fail && !config.faults.is_none() {
        return impossible("faults; legal with two-level routing".to_string());
    }
    if by_levels && config.endnode.ecn.is_some() {
        return impossible("responses with two-level routing; legal: other routing".to_string());
    }
    if config.routing != RoutingKind::Turns && config.switch.scheme.version().is_some() {
        return impossible(
            "RECN names congested points by turns; legal routing: turns".to_string(),
        );
    }
    params(config)
}

/// What end nodes ask of the order of packets. Nothing where parts of the fabric may not know yet
/// what a fault has taken, unless a reorder buffer waits for that.
pub(crate) fn order(config: &FabricConfig) -> Order {
    let is_sure = config.faults.is_none() || config.endnode.reorder_buffer;
    match config.overtaking() {
        None if is_sure => Order::Kept,
        _ => Order::Free,
    }
}

/// By wire the port at which it ends, and the wire of port 0 of each element.
fn wires(network: &Network) -> (Vec<Owner>, Vec<WireId>) {
    let (switches, nodes) = (network.switches(), network.nodes());
    let (mut owners, mut first_wire) = (Vec::new(), Vec::with_capacity(switches + nodes));
    for element in 0..switches + nodes {
        first_wire.push(WireId::at(owners.len()));
        let ports = if element < switches {
            network.graph().ports(element as u32)
        } else {
            1
        };
        owners.extend((0..ports as usize).map(|port| Owner {
            element: ElementId::at(element),
            port: PortId::at(port),
        }));
    }
    (owners, first_wire)
}

/// The unit for fault discovery and recovery of a switch, where it keeps its tables itself.
pub(crate) fn recovery(
    config: &FabricConfig,
    switch: u32,
) -> Result<Option<Recovery>, ConfigError> {
    let Some(hierarchy) = config.network.hierarchy() else {
        return Ok(None);
    };
    if config.faults.tables == FaultTables::Recomputed {
        return Ok(None);
    }
    let (t1, t2): (Vec<_>, Vec<_>) = hierarchy.tables()[switch as usize]
        .iter()
        .partition(|(region, _)| matches!(region, Region::Node(_)));
    let ports = |entries: Vec<(Region, u64)>| entries.into_iter().map(|(_, p)| p).collect();
    let shapes = hierarchy.shapes();
    let shape = &shapes[switch as usize];
    let graph = config.network.graph();
    let peers = (0..graph.ports(switch) as u8).map(|port| {
        let peer = match graph.peer(switch, port) {
            Endpoint::Port { switch, .. } => switch,
            Endpoint::Node(_) | Endpoint::None => switch,
        };
        shapes[peer as usize].address
    });
    let configured = Configured::new(ports(t1), ports(t2), shape.local(), shape.global())
        .map_err(|error| ConfigError::Impossible {
            what: error.to_string(),
        })?
        .with_places(shape.address, peers.collect());
    Ok(Some(Recovery::new(config.faults.protocol, configured)))
}

impl Builder<'_> {
    fn layouts(&self) -> Layouts<'_> {
        Layouts {
            params: &self.params,
            graph: self.network.graph(),
        }
    }

    /// No elements yet.
    fn no_elements(&self) -> Elements {
        Elements {
            params: self.params.clone(),
            routing: Routing::new(self.config.network.clone(), self.config.routing),
            switches: Vec::new(),
            nodes: Vec::new(),
            first_wire: self.first_wire.clone(),
            addresses: self.addresses.clone(),
        }
    }

    /// Builds all elements.
    fn fill(&self, elements: &mut Elements) -> Result<(), ConfigError> {
        for s in 0..self.network.switches() as u32 {
            elements.switches.push(self.switch(s)?);
        }
        let mut generators: Vec<Vec<Generator>> = vec![Vec::new(); self.network.nodes()];
        for (node, generator) in &self.config.workload.generators {
            generators[*node as usize].push(generator.clone());
        }
        for (n, generators) in (0..).zip(generators) {
            elements.nodes.push(self.node(n, generators)?);
        }
        Ok(())
    }

    fn switch(&self, switch: u32) -> Result<Switch, ConfigError> {
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for port in 0..self.network.graph().ports(switch) as u8 {
            inputs.push(self.ingress(switch, port)?);
            outputs.push(self.egress(switch, port)?);
        }
        let seed = {
            use workload::rng::{below, stream};
            let mut rng = stream(self.config.run.seed, &format!("switch{switch}.arbiter"));
            below(&mut rng, u64::MAX)
        };
        let mut built = Switch::new(
            &self.params,
            Unit::Switch { switch },
            self.network.turn_width(switch),
            inputs,
            outputs,
            seed,
        );
        if let Some(Marking::Red(_)) = self.config.switch.ecn.map(|ecn| ecn.marking) {
            let name = |port| format!("switch{switch}.port{port}.red");
            let ports = 0..built.ports();
            let stream = |port| workload::rng::stream(self.config.run.seed, &name(port));
            built.set_red_streams(ports.map(stream).collect());
        }
        if self.network.hierarchy().is_some() && !self.config.faults.is_none() {
            built.set_recovery(recovery(self.config, switch)?);
        }
        Ok(built)
    }

    fn node(&self, node: u32, generators: Vec<Generator>) -> Result<EndNode, ConfigError> {
        let seed = self.config.run.seed;
        Ok(EndNode::new(
            &self.params,
            NodeConfig {
                index: node,
                nodes: self.network.nodes(),
                injection: self.injection(node)?,
                generators,
                replies: self.replies.clone(),
                stream: workload::rng::stream(seed, &format!("node{node}.admittance")),
                config: self.config.endnode,
                order: self.order,
            },
        ))
    }
}
