//! The ports of a switch and the injection port of an end node.

use super::Builder;
use observe::{Place, Side};
use plan::{ConfigError, MemoryLayout, RouteTable};
use std::sync::Arc;
use switch::{
    Egress, EgressConfig, Ingress, LookAhead, Mu, NextSwitch, Peer, Router, Ru, TwoLevel,
};
use topology::Endpoint;
use units::{PortId, Span, Unit, VcId, VcStep, WireId};

impl Builder<'_> {
    fn wire(&self, element: u32, port: u8) -> WireId {
        WireId(self.first_wire[element as usize].0 + u32::from(port))
    }

    fn node_element(&self, node: u32) -> u32 {
        self.network.switches() as u32 + node
    }

    /// Latency of the wire behind a port of a switch.
    pub(super) fn latency(&self, switch: u32, port: u8) -> Span {
        self.config.link.latency(switch, port)
    }

    pub(super) fn ingress(&self, switch: u32, port: u8) -> Result<Ingress, ConfigError> {
        let place = Place { port: self.wire(switch, port), side: Side::Ingress };
        if self.layouts().is_connected(switch, port) {
            self.params.check_headroom(self.latency(switch, port))?;
        }
        let memory = self.layouts().ingress(switch, port)?;
        let unit = Unit::Ingress { switch, port };
        Ok(Ingress::new(&self.params, memory, self.ru(switch, port), place, unit))
    }

    fn ru(&self, switch: u32, port: u8) -> Ru {
        let router = match (self.table(switch, port), self.two_level(switch, port)) {
            (_, Some(router)) => Router::TwoLevel(Box::new(router)),
            (Some(table), None) => Router::Table(table),
            (None, None) => Router::Turns,
        };
        let steps = self.network.vc_steps(switch, port);
        let keep = steps.iter().all(|step| *step == VcStep::Keep);
        let steps = if keep { Box::default() } else { steps.into() };
        let ports = self.network.graph().ports(switch) as u8;
        let width = self.network.turn_width(switch) as u8;
        Ru::new(PortId(port), ports, width, router, steps)
            .with_reply_vcs(VcId(self.params.first_reply_vc()))
    }

    /// The table of an ingress port, if switches route by tables.
    fn table(&self, switch: u32, port: u8) -> Option<Arc<RouteTable>> {
        self.tables[self.wire(switch, port).index()].clone()
    }

    /// The two-level router of an ingress port, if it has one: its own copy of the tables.
    fn two_level(&self, switch: u32, port: u8) -> Option<TwoLevel> {
        let rules = self.params.config.adaptive?;
        let hierarchy = self.network.hierarchy()?;
        let name = format!("switch{switch}.port{port}.routing");
        Some(TwoLevel {
            rules,
            threshold_cells: self.params.threshold_cells(),
            vcs: self.params.config.vcs,
            shape: self.shapes[switch as usize].clone(),
            table: hierarchy.tables()[switch as usize].clone(),
            addresses: self.addresses.clone(),
            stream: workload::rng::stream(self.config.run.seed, &name),
            live: u64::MAX,
        })
    }

    pub(super) fn egress(&self, switch: u32, port: u8) -> Result<Egress, ConfigError> {
        let layouts = self.layouts();
        let end = self.network.graph().peer(switch, port);
        let place = Place { port: self.wire(switch, port), side: Side::Egress };
        let own = layouts.credited(Endpoint::Port { switch, port })?;
        let config = EgressConfig {
            memory: layouts.egress(switch, port)?,
            next_memory: layouts.next(switch, port)?,
            next_switch: self.next_switch(end)?,
            peer: self.peer(end, self.latency(switch, port)),
            own_classes: if end == Endpoint::None { 1 } else { own.classes },
            port: PortId(port),
            place,
            unit: Unit::Egress { switch, port },
        };
        Ok(Egress::new(&self.params, config))
    }

    pub(super) fn injection(&self, node: u32) -> Result<Egress, ConfigError> {
        let layouts = self.layouts();
        let (switch, port) = self.network.graph().node_port(node);
        let end = Endpoint::Port { switch, port };
        let place = Place { port: self.wire(self.node_element(node), 0), side: Side::Egress };
        let config = EgressConfig {
            memory: Some(layouts.injection(node)?),
            next_memory: layouts.credited(end)?,
            next_switch: self.next_switch(end)?,
            peer: self.peer(end, self.latency(switch, port)),
            own_classes: 1,
            port: PortId(0),
            place,
            unit: Unit::Injection { node },
        };
        Ok(Egress::new(&self.params, config))
    }

    /// The other end of a link.
    fn peer(&self, end: Endpoint, latency: Span) -> Peer {
        let wire = match end {
            Endpoint::Port { switch, port } => Some(self.wire(switch, port)),
            Endpoint::Node(node) => Some(self.wire(self.node_element(node), 0)),
            Endpoint::None => None,
        };
        Peer { wire, is_switch: matches!(end, Endpoint::Port { .. }), latency }
    }

    /// The switch at the other end of a link, if it is one.
    fn next_switch(&self, end: Endpoint) -> Result<Option<NextSwitch>, ConfigError> {
        let Endpoint::Port { switch, port } = end else {
            return Ok(None);
        };
        let memory = self.layouts().ingress(switch, port)?;
        let queues = memory.unwrap_or(MemoryLayout::single(0)).queues;
        Ok(Some(NextSwitch {
            in_port: PortId(port),
            ports: self.network.graph().ports(switch) as u8,
            width: self.network.turn_width(switch) as u8,
            look_ahead: match (self.table(switch, port), self.params.config.adaptive) {
                (_, Some(_)) => LookAhead::Unknown,
                (Some(table), None) => LookAhead::Table(table),
                (None, None) => LookAhead::Turns,
            },
            mu: Mu::new(queues, self.params.vcs),
        }))
    }
}
