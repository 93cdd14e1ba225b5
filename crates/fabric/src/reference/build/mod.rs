//! From a configuration to the units of a fabric: ports, links, end nodes.

mod ports;

use super::Reference;
use super::clock::Clock;
use super::elements::Elements;
use super::routing::{self, Routing};
use super::transit::Transit;
use ecn::marking::Marking;
use endnode::{EndNode, NodeConfig};
use hierarchy::{Address, NodeShape};
use observe::Owner;
use plan::{ConfigError, FabricConfig, Layouts, Order, Params, RouteTable, checked, order};
use std::sync::Arc;
use switch::Switch;
use topology::Network;
use units::{ElementId, PortId, Tick, Unit, WireId};
use workload::{Generator, Replies};

struct Builder<'a> {
    config: &'a FabricConfig,
    network: &'a Network,
    params: Params,
    /// By wire.
    tables: Vec<Option<Arc<RouteTable>>>,
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

/// The most end nodes: each has registers for all others.
const NODES_MAX: usize = 4096;

/// Builds the units of a fabric, with a clock that visits in an order drawn from a seed, if given.
pub(super) fn build(config: &FabricConfig, shuffle: Option<u64>) -> Result<Reference, ConfigError> {
    let network = &*config.network;
    let (switches, nodes) = (network.switches(), network.nodes());
    if nodes > NODES_MAX {
        let what = format!("{nodes} end nodes in the reference; legal: at most {NODES_MAX}");
        return Err(ConfigError::Impossible { what });
    }
    let params = checked(config)?;
    let (owners, first_wire) = wires(network);
    let shapes = network.hierarchy().map_or(&[][..], |h| h.shapes());
    let builder = Builder {
        config,
        network,
        params,
        tables: routing::tables(network, config.routing),
        shapes: shapes.iter().cloned().map(Arc::new).collect(),
        addresses: shapes.iter().map(|shape| shape.address).collect(),
        first_wire,
        replies: config.workload.summaries.iter().map(|s| s.replies).collect(),
        order: order(config),
    };
    let mut generators: Vec<Vec<Generator>> = vec![Vec::new(); nodes];
    for (node, generator) in &config.workload.generators {
        generators[*node as usize].push(generator.clone());
    }
    let nodes_of = (0..).zip(generators).map(|(n, generators)| builder.node(n, generators));
    let elements = Elements {
        switches: (0..switches as u32).map(|s| builder.switch(s)).collect::<Result<_, _>>()?,
        nodes: nodes_of.collect::<Result<_, _>>()?,
        params: builder.params,
        first_wire: builder.first_wire,
        addresses: builder.addresses,
    };
    let routing = Routing::new(config.network.clone(), config.routing);
    Ok(Reference {
        clock: Clock::new(&elements, shuffle),
        transit: Transit::new(owners.into(), switches, routing),
        elements,
        now: Tick::ZERO,
    })
}

/// By wire the port at which it ends, and the wire of port 0 of each element.
fn wires(network: &Network) -> (Vec<Owner>, Vec<WireId>) {
    let (switches, nodes) = (network.switches(), network.nodes());
    let (mut owners, mut first_wire) = (Vec::new(), Vec::with_capacity(switches + nodes));
    for element in 0..switches + nodes {
        first_wire.push(WireId::at(owners.len()));
        let ports = if element < switches { network.graph().ports(element as u32) } else { 1 };
        owners.extend(
            (0..ports as usize)
                .map(|port| Owner { element: ElementId::at(element), port: PortId::at(port) }),
        );
    }
    (owners, first_wire)
}

impl Builder<'_> {
    fn layouts(&self) -> Layouts<'_> {
        Layouts { params: &self.params, graph: self.network.graph() }
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
            built.set_recovery(plan::recovery(self.config, switch)?);
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
