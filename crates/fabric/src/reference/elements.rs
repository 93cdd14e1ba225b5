//! The switches and end nodes of a fabric, and what a step of a tick does with one of them.

use super::dues::Due;
use super::transit::{ElementContext, Transit};
use super::visits::Visit;
use endnode::EndNode;
use hierarchy::{Address, Region};
use observe::{Observer, Owner};
use plan::Params;
use std::ops::Range;
use std::sync::Arc;
use switch::{Egress, LinkGrant, Switch};
use units::bits::ones;
use units::{ElementId, PortId, Tick, WireId, broken};

/// Switches first, then end nodes.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) params: Params,
    pub(crate) switches: Vec<Switch>,
    pub(crate) nodes: Vec<EndNode>,
    /// Wire that ends at port 0 of each element.
    pub(crate) first_wire: Vec<WireId>,
    /// Of each end node, in hierarchical networks.
    pub(crate) addresses: Arc<[Address]>,
}

/// A port of a switch or an end node, in a step of a tick.
pub(crate) struct At<'a, T> {
    pub(crate) on: &'a mut T,
    pub(crate) params: &'a Params,
    pub(crate) element: ElementId,
    pub(crate) port: PortId,
    /// The wire that ends there.
    pub(crate) wire: WireId,
}

impl At<'_, Switch> {
    /// Step 2: the head that arrives at an input is stored.
    pub(crate) fn store<O: Observer>(self, env: &mut ElementContext<'_, O>) {
        // None where it was lost on the wire.
        let Some(due) = env.transit.wires[self.wire.index()].packet_due(&env.transit.packets)
        else {
            return;
        };
        if due < env.now {
            let unit = self.on.inputs()[self.port.index()].unit();
            broken(unit, env.now, &"a head comes late");
        }
        if due == env.now
            && let Some(id) = env.transit.wires[self.wire.index()].packets.pop_front()
        {
            self.on.store(self.params, self.port, id, env);
        }
    }

    /// Step 4: control packets that have arrived.
    pub(crate) fn control<O: Observer>(self, env: &mut ElementContext<'_, O>) {
        while let Some(credit) = env.transit.wires[self.wire.index()].take_credit(env.now) {
            self.on.credit(self.port, credit.class, credit.cells, env.now);
        }
        while let Some(control) = env.transit.wires[self.wire.index()].take_named(env.now) {
            self.on.control(self.params, self.port, control, env);
        }
    }
}

impl At<'_, EndNode> {
    /// Step 2: a tail is ejected, messages are generated.
    pub(crate) fn eject_and_generate<O: Observer>(self, env: &mut ElementContext<'_, O>) {
        let due = env.transit.wires[self.wire.index()].packet_due(&env.transit.packets);
        if due.is_some_and(|due| due <= env.now)
            && let Some(id) = env.transit.wires[self.wire.index()].packets.pop_front()
        {
            self.on.eject(id, env);
        }
        self.on.generate(self.params, env);
    }

    /// Step 4: control packets that have arrived.
    pub(crate) fn control<O: Observer>(self, env: &mut ElementContext<'_, O>) {
        while let Some(credit) = env.transit.wires[self.wire.index()].take_credit(env.now) {
            self.on.credit(credit.class, credit.cells, env.now);
        }
        while let Some(control) = env.transit.wires[self.wire.index()].take_named(env.now) {
            self.on.control(self.params, control, env);
        }
    }
}

impl Elements {
    /// The egress side of a port.
    pub(crate) fn egress_mut(&mut self, Owner { element, port }: Owner) -> &mut Egress {
        let switches = self.switches.len();
        match self.switches.get_mut(element.index()) {
            Some(switch) => switch.output_mut(port),
            None => self.nodes[element.index() - switches].injection_mut(),
        }
    }

    /// Does something at these ports of switches, a bit each.
    pub(crate) fn at_ports(
        &mut self,
        visits: &[(ElementId, u64)],
        mut act: impl FnMut(At<'_, Switch>),
    ) {
        let params = &self.params;
        for &(element, ports) in visits {
            let on = &mut self.switches[element.index()];
            let WireId(first) = self.first_wire[element.index()];
            for port in ones(ports).map(PortId::at) {
                let wire = WireId(first + u32::from(port.0));
                act(At { on, params, element, port, wire });
            }
        }
    }

    /// Does something at these end nodes.
    pub(crate) fn at_nodes(&mut self, visits: &[ElementId], mut act: impl FnMut(At<'_, EndNode>)) {
        for &element in visits {
            let on = &mut self.nodes[element.index() - self.switches.len()];
            let wire = self.first_wire[element.index()];
            act(At { on, params: &self.params, element, port: PortId(0), wire });
        }
    }

    /// Step 1: a granted link starts.
    pub(crate) fn start_link<O: Observer>(
        &mut self,
        (element, port): (ElementId, PortId),
        grant: LinkGrant,
        env: &mut ElementContext<'_, O>,
    ) {
        let (params, switches) = (&self.params, self.switches.len());
        match self.switches.get_mut(element.index()) {
            Some(switch) => switch.start_link(params, port, grant, env),
            None => self.nodes[element.index() - switches].start_link(params, grant, env),
        }
    }

    /// Steps 5 to 8 of a switch.
    pub(crate) fn recn_step<O: Observer>(
        &mut self,
        element: ElementId,
        env: &mut ElementContext<'_, O>,
    ) {
        self.switches[element.index()].recn_step(&self.params, env);
        self.notify_node(element);
    }

    /// The end node of a switch hears of entries of its tables that changed.
    pub(crate) fn notify_node(&mut self, switch: ElementId) {
        for (region, leads_on) in self.switches[switch.index()].take_changed() {
            // In hierarchical networks a switch and its end node have the same number.
            let (here, node) = (self.addresses[switch.index()], &mut self.nodes[switch.index()]);
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

    /// Finds the next ticks after `now` in which anything happens in a switch that was visited, at
    /// those of its ports at which anything has happened, and on those of their wires.
    pub(crate) fn find_due_of_switch(&self, visit: &Visit, transit: &mut Transit, now: Tick) {
        let Transit { packets, wires, dues, .. } = transit;
        let switch = &self.switches[visit.switch.index()];
        let WireId(first) = self.first_wire[visit.switch.index()];
        let wire = |port: usize| WireId(first + port as u32);
        for port in ones(visit.arrivals) {
            let comes = wires[wire(port).index()].next_due(packets);
            dues.set(Due::Wire(wire(port)), comes.max(now.next()));
        }
        // Steps 5 to 8 of these reach ports at which nothing else happens.
        let Params { recn, pause, config, .. } = &self.params;
        let meet = recn.is_some() || pause.is_some() || config.faults;
        let happened = visit.arrivals | visit.ports | visit.crossed;
        for port in ones(if meet { self.all_ports(visit.switch) } else { happened }) {
            let own = switch.port_due(PortId::at(port), packets, now);
            dues.set(Due::Port(wire(port)), own.max(now.next()));
        }
        dues.set(Due::Switch(visit.switch), switch.next_due(&self.params, packets, now));
    }

    /// The same of an end node.
    pub(crate) fn find_due_of_node(&self, node: ElementId, transit: &mut Transit, now: Tick) {
        let Transit { packets, wires, dues, .. } = transit;
        let wire = self.first_wire[node.index()];
        dues.set(Due::Wire(wire), wires[wire.index()].next_due(packets).max(now.next()));
        let own = self.nodes[node.index() - self.switches.len()].next_due(packets, now);
        dues.set(Due::Port(wire), own.max(now.next()));
    }

    /// Something was changed at an element from outside: all of it is visited next.
    pub(crate) fn forget_due(&self, element: ElementId, transit: &mut Transit) {
        for wire in self.wires(element).map(WireId::at) {
            transit.dues.hasten(Due::Port(wire), Tick::ZERO);
        }
        if element.index() < self.switches.len() {
            transit.dues.hasten(Due::Switch(element), Tick::ZERO);
        }
    }

    /// The wire that ends at a port.
    pub(crate) fn wire(&self, Owner { element, port }: Owner) -> WireId {
        WireId(self.first_wire[element.index()].0 + u32::from(port.0))
    }

    /// The wires that end at an element, by port.
    pub(crate) fn wires(&self, element: ElementId) -> Range<usize> {
        let first = self.first_wire[element.index()].index();
        let switch = self.switches.get(element.index());
        first..first + switch.map_or(1, Switch::ports)
    }

    /// All ports of an element, a bit each.
    pub(crate) fn all_ports(&self, element: ElementId) -> u64 {
        u64::MAX >> (64 - self.wires(element).len())
    }
}
