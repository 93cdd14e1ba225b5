//! The switches and end nodes of a fabric, and what each phase of a tick does with one of them.

use super::routing::Routing;
use super::transit::{ElementContext, Transit};
use super::wires::Credit;
use endnode::EndNode;
use hierarchy::{Address, Region};
use observe::Observer;
use plan::Params;
use std::sync::Arc;
use switch::{LinkGrant, Switch};
use units::{ElementId, PortId, Tick, WireId, broken};

/// Switches first, then end nodes.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) params: Params,
    pub(crate) routing: Routing,
    pub(crate) switches: Vec<Switch>,
    pub(crate) nodes: Vec<EndNode>,
    /// Wire that ends at port 0 of each element.
    pub(crate) first_wire: Vec<WireId>,
    /// Of each end node, in hierarchical networks.
    pub(crate) addresses: Arc<[Address]>,
}

/// An element, by what it is.
pub(crate) enum Element<'a> {
    Switch(&'a mut Switch),
    Node(&'a mut EndNode),
}

impl Elements {
    pub(crate) fn node_of(&self, element: ElementId) -> usize {
        element.index() - self.switches.len()
    }

    /// An element, and what all share.
    pub(crate) fn element_and_params(&mut self, element: ElementId) -> (&Params, Element<'_>) {
        let switches = self.switches.len();
        let found = match self.switches.get_mut(element.index()) {
            Some(switch) => Element::Switch(switch),
            None => Element::Node(&mut self.nodes[element.index() - switches]),
        };
        (&self.params, found)
    }

    /// The wire that ends at a port.
    pub(crate) fn wire(&self, element: ElementId, port: PortId) -> WireId {
        WireId(self.first_wire[element.index()].0 + u32::from(port.0))
    }

    /// Evaluate: the link arbiter.
    pub(crate) fn evaluate_link(&self, element: ElementId, port: PortId, now: Tick) -> LinkGrant {
        match self.switches.get(element.index()) {
            Some(switch) => switch.evaluate_link(port, now),
            None => self.nodes[self.node_of(element)].evaluate_link(now),
        }
    }

    /// Step 1: a granted link starts.
    pub(crate) fn start_link<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        grant: LinkGrant,
        env: &mut ElementContext<'_, O>,
    ) {
        match self.switches.get_mut(element.index()) {
            Some(switch) => switch.start_link(&self.params, port, grant, env),
            None => {
                let node = element.index() - self.switches.len();
                self.nodes[node].start_link(&self.params, grant, env);
            }
        }
    }

    /// Evaluate: the crossbar of a switch.
    pub(crate) fn evaluate_crossbar<O>(&mut self, element: ElementId, env: &ElementContext<'_, O>) {
        let packets = &env.transit.packets;
        self.switches[element.index()].evaluate_crossbar(&self.params, packets, env.now);
    }

    /// Step 1: granted transfers start.
    pub(crate) fn start_crossbar<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        self.switches[element.index()].start_crossbar(&self.params, env);
    }

    /// Step 1: tails leave the memories of a port.
    pub(crate) fn tails_leave(&mut self, element: ElementId, port: PortId, now: Tick) {
        match self.switches.get_mut(element.index()) {
            Some(switch) => switch.tails_leave(&self.params, port, now),
            None => {
                let node = self.node_of(element);
                self.nodes[node].tails_leave(now);
            }
        }
    }

    /// Step 2: the head that arrives at an input is stored.
    pub(crate) fn store<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        env: &mut ElementContext<'_, O>,
    ) {
        let wire = self.wire(element, port);
        // None where it was lost on the wire.
        let Some(due) = env.transit.wires.packet_due(wire, &env.transit.packets) else {
            return;
        };
        let switch = &mut self.switches[element.index()];
        if due < env.now {
            let unit = switch.inputs()[port.index()].unit();
            broken(unit, env.now, &"a head comes late");
        }
        if due > env.now {
            return;
        }
        let transit = &mut *env.transit;
        if let Some(id) = transit.wires.take(wire) {
            switch.store(&self.params, port, id, env);
        }
    }

    /// Step 2: the head that has crossed to an output is stored.
    pub(crate) fn store_egress<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        env: &mut ElementContext<'_, O>,
    ) {
        self.switches[element.index()].store_egress(&self.params, port, env);
    }

    /// Step 2: a tail is ejected.
    pub(crate) fn eject<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        let (node, wire) = (self.node_of(element), self.wire(element, PortId(0)));
        let transit = &mut *env.transit;
        let due = transit.wires.packet_due(wire, &transit.packets);
        if due.is_some_and(|due| due <= env.now)
            && let Some(id) = transit.wires.take(wire)
        {
            self.nodes[node].eject(id, env);
        }
    }

    /// Step 2: messages are generated.
    pub(crate) fn generate<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        let node = self.node_of(element);
        self.nodes[node].generate(&self.params, env);
    }

    /// Step 3: the PPU of an input moves a packet.
    pub(crate) fn ppu_step<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        env: &mut ElementContext<'_, O>,
    ) {
        self.switches[element.index()].ppu_step(&self.params, port, env);
    }

    /// Step 3: heads of an input are assigned to outputs again.
    pub(crate) fn decide_step<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        env: &mut ElementContext<'_, O>,
    ) {
        self.switches[element.index()].decide_step(&self.params, port, env);
    }

    /// Step 3: admittance.
    pub(crate) fn admit<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        let node = self.node_of(element);
        self.nodes[node].admit(&self.params, env);
    }

    /// Step 4: control packets that have arrived at a port.
    pub(crate) fn control<O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        env: &mut ElementContext<'_, O>,
    ) {
        let (wire, now) = (self.wire(element, port), env.now);
        let (params, mut at) = self.element_and_params(element);
        while let Some(credit) = env.transit.wires.take_credit(wire, now) {
            let Credit { class, cells, .. } = credit;
            match &mut at {
                Element::Switch(switch) => switch.credit(port, class, cells, now),
                Element::Node(node) => node.credit(class, cells, now),
            }
        }
        while let Some(control) = env.transit.wires.take_named(wire, now) {
            match &mut at {
                Element::Switch(switch) => switch.control(params, port, control, env),
                Element::Node(node) => node.control(params, control, env),
            }
        }
    }

    /// Steps 5 to 8 of an element.
    pub(crate) fn recn_step<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        match self.switches.get_mut(element.index()) {
            Some(switch) => {
                switch.recn_step(&self.params, env);
                if switch.has_changed() {
                    self.notify_node(element);
                }
            }
            None => {
                let node = element.index() - self.switches.len();
                self.nodes[node].recn_step(&self.params, env);
            }
        }
    }

    /// The end node of a switch hears of entries of its tables that changed.
    pub(crate) fn notify_node(&mut self, switch: ElementId) {
        let changed = self.switches[switch.index()].take_changed();
        // In hierarchical networks a switch and its end node have the same number.
        let (here, node) = (self.addresses[switch.index()], &mut self.nodes[switch.index()]);
        for (region, leads_on) in changed {
            let addresses = self.addresses.iter().enumerate();
            let of_region = |there: &Address| match region {
                Region::Node(node) => there.super_node == here.super_node && there.node == node,
                Region::SuperNode(super_node) => there.super_node == super_node,
            };
            let concerned = addresses.filter(|(_, there)| of_region(there) && **there != here);
            for (destination, _) in concerned {
                node.set_leads_on(destination as u32, leads_on);
            }
        }
    }

    /// Finds the next tick after `now` in which anything happens at an element that was visited,
    /// and at each of its ports.
    pub(crate) fn find_due(&self, element: ElementId, transit: &mut Transit, now: Tick) {
        let mut due = match self.switches.get(element.index()) {
            Some(switch) => switch.next_due(&self.params, &transit.packets, now),
            None => self.nodes[self.node_of(element)].next_due(&transit.packets, now),
        };
        for port in (0..self.ports(element)).map(PortId::at) {
            let wire = self.wire(element, port);
            let comes = transit.wires.next_due(wire, &transit.packets);
            let own = match self.switches.get(element.index()) {
                Some(switch) => switch.port_due(port, &transit.packets, now),
                None => due,
            };
            let of_port = own.min(comes).max(now.next());
            transit.port_due[wire.index()] = of_port;
            due = due.min(of_port);
        }
        transit.due[element.index()] = due;
    }

    /// Something was changed at an element from outside: all of it is visited next.
    pub(crate) fn forget_due(&self, element: ElementId, transit: &mut Transit) {
        transit.due[element.index()] = Tick::ZERO;
        for port in (0..self.ports(element)).map(PortId::at) {
            transit.port_due[self.wire(element, port).index()] = Tick::ZERO;
        }
    }

    fn ports(&self, element: ElementId) -> usize {
        let switch = self.switches.get(element.index());
        switch.map_or(1, Switch::ports)
    }
}
