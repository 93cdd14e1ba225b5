//! From a configuration to a fabric: ports, links, end nodes.

mod parts;

use crate::admittance::Admittance;
use crate::config::FabricConfig;
use crate::engine::Engine;
use crate::node::EndNode;
use crate::part::Part;
use crate::partition::Partition;
use crate::watch::least_watchdog;
use crate::wheel::ELEMENTS_MAX;
use crate::wires::Owner;
use std::sync::Arc;
use switch::scheme::PortView;
use switch::{
    ConfigError, InPort, Link, MemoryLayout, Organisation, OutPort, Params, Peer, PeerSwitch,
    Place, Side, Switch,
};
use topology::{Endpoint, Network};
use units::{Ticks, Unit};
use workload::Generator;

/// Memory of an output port of a switch; in `oq` every input has the share of a whole port memory in it.
pub(crate) fn egress_layout(params: &Params, view: PortView) -> Result<MemoryLayout, ConfigError> {
    if params.config.organisation != Organisation::Oq {
        return params.egress_layout(view);
    }
    let cells = u64::from(params.receive_cells()) * u64::from(view.ports);
    if cells > u64::from(switch::CELLS_MAX) {
        return Err(ConfigError::TooManyCells {
            cells,
            limit: switch::CELLS_MAX,
        });
    }
    let cells = cells as u32;
    Ok(MemoryLayout {
        cells,
        queues: 1,
        classes: 1,
        class_cells: cells,
    })
}

struct Builder<'a> {
    config: &'a FabricConfig,
    network: &'a Network,
    partition: &'a Partition,
    params: Params,
    /// Dense number of port 0 of each element of the fabric.
    first_port: Vec<u32>,
}

/// A fabric that was built.
pub(crate) struct Built {
    pub(crate) parts: Vec<Part>,
    /// By part: its links to each part.
    pub(crate) links: Vec<Vec<usize>>,
    /// What a part sends to another has no effect there before this many ticks have passed.
    pub(crate) lookahead: Ticks,
    /// See [`least_watchdog`].
    pub(crate) least_watchdog: Ticks,
}

/// Builds the units of each part and what moves between them.
pub(crate) fn build(
    config: &FabricConfig,
    partition: &Partition,
    engine: Engine,
) -> Result<Built, ConfigError> {
    let network = &*config.network;
    let nodes = network.nodes();
    let link = &config.link;
    let params = Params::new(
        &config.switch,
        config.time_base,
        link.control_packet_bytes,
        link.named_control_bytes,
        config.packet_bytes,
        nodes as u32,
    )?;
    let switches = network.switches();
    if switches + nodes > ELEMENTS_MAX {
        return Err(ConfigError::Impossible {
            what: format!(
                "{} switches and end nodes; legal: at most {ELEMENTS_MAX}",
                switches + nodes
            ),
        });
    }
    let mut owners = Vec::new();
    let mut first_port = Vec::with_capacity(switches + nodes);
    for element in 0..switches + nodes {
        first_port.push(owners.len() as u32);
        let ports = if element < switches {
            network.graph().ports(element as u32)
        } else {
            1
        };
        owners.extend((0..ports as u8).map(|port| Owner {
            element: element as u32,
            port,
        }));
    }
    let builder = Builder {
        config,
        network,
        partition,
        params,
        first_port,
    };
    let mut units = builder.no_units();
    for s in 0..switches as u32 {
        let part = &mut units[partition.slot(s).part as usize];
        part.switches.push(builder.switch(s)?);
        part.first_port.push(builder.first_port[s as usize]);
    }
    let mut generators: Vec<Vec<Generator>> = vec![Vec::new(); nodes];
    for (node, generator) in &config.workload.generators {
        generators[*node as usize].push(generator.clone());
    }
    for (n, generators) in generators.into_iter().enumerate() {
        let element = (switches + n) as u32;
        let part = &mut units[partition.slot(element).part as usize];
        part.nodes.push(builder.node(n as u32, generators)?);
        part.first_port.push(builder.first_port[element as usize]);
    }
    let owners: Arc<[Owner]> = owners.into();
    let links = builder.links_cut();
    let part = |(n, units)| builder.part(n, units, &owners, &links, engine);
    let parts = units.into_iter().enumerate().map(part).collect();
    Ok(Built {
        lookahead: builder.lookahead(),
        least_watchdog: least_watchdog(&builder.params, &config.link),
        parts,
        links,
    })
}

impl Builder<'_> {
    fn port_number(&self, switch: u32, port: u8) -> u32 {
        self.first_port[switch as usize] + u32::from(port)
    }

    fn node_element(&self, node: u32) -> u32 {
        self.network.switches() as u32 + node
    }

    /// Port of a switch, as queue schemes see it.
    fn view(&self, switch: u32, peer: Endpoint) -> PortView {
        let ports = |s| self.network.graph().ports(s);
        let peer_ports = match peer {
            Endpoint::Port { switch, .. } => Some(ports(switch)),
            _ => None,
        };
        PortView {
            ports: ports(switch),
            peer_ports,
            nodes: self.network.nodes() as u32,
        }
    }

    fn ingress_layout(&self, switch: u32, peer: Endpoint) -> Result<MemoryLayout, ConfigError> {
        if self.params.config.organisation == Organisation::Oq {
            // The share of this input in the output memories.
            let cells = self.params.receive_cells();
            return Ok(MemoryLayout {
                cells,
                queues: 1,
                classes: 1,
                class_cells: cells,
            });
        }
        self.params.ingress_layout(self.view(switch, peer))
    }

    fn wire(&self, switch: u32, port: u8) -> Ticks {
        let overrides = &self.config.link.wire_overrides;
        match overrides.binary_search_by_key(&(switch, port), |o| o.0) {
            Ok(at) => overrides[at].1,
            Err(_) => self.config.link.wire,
        }
    }

    /// The sending end of the link behind a port of a switch.
    fn link(&self, switch: u32, port: u8, place: Place, unit: Unit) -> Result<Link, ConfigError> {
        let graph = self.network.graph();
        let end = graph.peer(switch, port);
        let wire = self.wire(switch, port);
        let (peer, layout) = match end {
            Endpoint::Port { switch: s, port: p } => {
                let there = PeerSwitch {
                    in_port: p,
                    ports: graph.ports(s) as u8,
                    width: self.network.turn_width(s) as u8,
                };
                let peer = Peer {
                    to: self.port_number(s, p),
                    switch: Some(there),
                    wire,
                };
                (
                    peer,
                    self.ingress_layout(s, Endpoint::Port { switch, port })?,
                )
            }
            Endpoint::Node(n) => {
                let cells = self.params.receive_cells();
                let layout = MemoryLayout {
                    cells,
                    queues: 1,
                    classes: 1,
                    class_cells: cells,
                };
                (
                    Peer {
                        to: self.first_port[self.node_element(n) as usize],
                        switch: None,
                        wire,
                    },
                    layout,
                )
            }
            Endpoint::None => {
                let layout = MemoryLayout {
                    cells: 0,
                    queues: 1,
                    classes: 1,
                    class_cells: 0,
                };
                (
                    Peer {
                        to: u32::MAX,
                        switch: None,
                        wire,
                    },
                    layout,
                )
            }
        };
        let own = match end {
            Endpoint::None => 1,
            _ => self.ingress_layout(switch, end)?.classes,
        };
        let out_of_band = self.params.credit_ticks == 0;
        Ok(Link::new(
            peer,
            layout.classes,
            layout.class_cells,
            own,
            out_of_band,
            self.partition.element_in_part(switch),
            port,
            place,
            unit,
        ))
    }

    fn switch(&self, switch: u32) -> Result<Switch, ConfigError> {
        let graph = self.network.graph();
        let organisation = self.params.config.organisation;
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for port in 0..graph.ports(switch) as u8 {
            let number = self.port_number(switch, port);
            let peer = graph.peer(switch, port);
            let connected = peer != Endpoint::None;
            let view = self.view(switch, peer);
            let ingress = connected && organisation != Organisation::Oq;
            let layout = if ingress {
                Some(self.ingress_layout(switch, peer)?)
            } else {
                None
            };
            let place = Place {
                port: number,
                side: Side::Ingress,
            };
            inputs.push(InPort::new(
                &self.params,
                layout,
                Unit::Ingress { switch, port },
                place,
            ));
            let egress = connected && organisation != Organisation::Iq;
            let layout = if egress {
                Some(egress_layout(&self.params, view)?)
            } else {
                None
            };
            let (place, unit) = (
                Place {
                    port: number,
                    side: Side::Egress,
                },
                Unit::Egress { switch, port },
            );
            let link = self.link(switch, port, place, unit)?;
            outputs.push(OutPort::new(&self.params, layout, link));
        }
        let seed = {
            use workload::rng::stream;
            let mut rng = stream(self.config.run.seed, &format!("switch{switch}.arbiter"));
            workload::rng::below(&mut rng, u64::MAX)
        };
        Ok(Switch::new(
            &self.params,
            self.partition.element_in_part(switch),
            self.network.turn_width(switch),
            inputs,
            outputs,
            seed,
        ))
    }

    fn node(&self, node: u32, generators: Vec<Generator>) -> Result<EndNode, ConfigError> {
        let graph = self.network.graph();
        let number = self.first_port[self.node_element(node) as usize];
        let element = self.partition.element_in_part(self.node_element(node));
        let (switch, port) = graph.node_port(node);
        let layout = self.ingress_layout(switch, Endpoint::Node(node))?;
        let there = PeerSwitch {
            in_port: port,
            ports: graph.ports(switch) as u8,
            width: self.network.turn_width(switch) as u8,
        };
        let peer = Peer {
            to: self.port_number(switch, port),
            switch: Some(there),
            wire: self.wire(switch, port),
        };
        let (place, unit) = (
            Place {
                port: number,
                side: Side::Egress,
            },
            Unit::Injection { node },
        );
        let out_of_band = self.params.credit_ticks == 0;
        let link = Link::new(
            peer,
            layout.classes,
            layout.class_cells,
            1,
            out_of_band,
            element,
            0,
            place,
            unit,
        );
        let view = PortView {
            ports: graph.ports(switch),
            peer_ports: Some(graph.ports(switch)),
            nodes: self.network.nodes() as u32,
        };
        // Organised like an output port, in every organisation.
        let injection = self.params.egress_layout(view)?;
        let injection = OutPort::new(&self.params, Some(injection), link);
        let rng = workload::rng::stream(self.config.run.seed, &format!("node{node}.admittance"));
        let endnode = self.config.endnode;
        let admittance = Admittance::new(
            self.network.nodes(),
            injection.memory.queues(),
            endnode.admittance_bytes,
            rng,
        );
        Ok(EndNode::new(
            node,
            element,
            self.network.nodes(),
            injection,
            admittance,
            generators,
            endnode,
        ))
    }
}
