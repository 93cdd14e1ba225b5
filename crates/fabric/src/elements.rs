//! The switches and end nodes of a part of a fabric, and what each phase of a tick does with one of
//! them. All clocks call these and nothing else.

use crate::names::Names;
use crate::routing::Routing;
use crate::transit::{Alarm, Around};
use crate::wires::{Credit, Wires};
use endnode::EndNode;
use hierarchy::{Address, Region};
use observe::Observer;
use std::sync::Arc;
use switch::{Egress, LinkGrant, Params, Switch};
use units::{ElementId, PortId, Tick, Unit, WireId, broken};

/// Switches first, then end nodes, numbered within the part; wires have the numbers of the whole
/// fabric.
#[derive(Debug)]
pub(crate) struct Elements {
    pub(crate) params: Params,
    pub(crate) routing: Routing,
    pub(crate) switches: Vec<Switch>,
    pub(crate) nodes: Vec<EndNode>,
    /// Wire that ends at port 0 of each element.
    pub(crate) first_wire: Vec<WireId>,
    pub(crate) names: Names,
    /// Of each end node, in hierarchical networks.
    pub(crate) addresses: Arc<[Address]>,
}

/// An element, by what it is.
pub(crate) enum Element<'a> {
    Switch(&'a mut Switch),
    Node(&'a mut EndNode),
}

impl Elements {
    #[inline(always)]
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

    #[inline(always)]
    fn element(&mut self, element: ElementId) -> Element<'_> {
        let switches = self.switches.len();
        match self.switches.get_mut(element.index()) {
            Some(switch) => Element::Switch(switch),
            None => Element::Node(&mut self.nodes[element.index() - switches]),
        }
    }

    /// The wire that ends at a port.
    #[inline(always)]
    pub(crate) fn wire(&self, element: ElementId, port: PortId) -> WireId {
        WireId(self.first_wire[element.index()].0 + u32::from(port.0))
    }

    /// The sending side of a port.
    #[inline(always)]
    pub(crate) fn output(&self, element: ElementId, port: PortId) -> &Egress {
        match self.switches.get(element.index()) {
            Some(switch) => &switch.outputs()[port.index()],
            None => self.nodes[self.node_of(element)].injection(),
        }
    }

    /// Evaluate: the link arbiter.
    #[inline(always)]
    pub(crate) fn evaluate_link<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) -> LinkGrant {
        around.element = element;
        match self.element(element) {
            Element::Switch(switch) => switch.evaluate_link(port, around),
            Element::Node(node) => node.evaluate_link(around),
        }
    }

    /// Step 1: a granted link starts.
    #[inline(always)]
    pub(crate) fn start_link<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        grant: LinkGrant,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        match self.switches.get_mut(element.index()) {
            Some(switch) => switch.start_link(&self.params, port, grant, around),
            None => {
                let node = element.index() - self.switches.len();
                self.nodes[node].start_link(&self.params, grant, around);
            }
        }
    }

    /// The crossbar is evaluated for this output in this tick. Whether nobody has said so yet.
    #[inline(always)]
    pub(crate) fn mark_crossbar(&mut self, element: ElementId, port: PortId, now: Tick) -> bool {
        self.switches[element.index()].mark_crossbar(port, now)
    }

    /// Evaluate: the crossbar of a switch, for the outputs that were marked or for all.
    #[inline(always)]
    pub(crate) fn evaluate_crossbar<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        all: bool,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].evaluate_crossbar(&self.params, all, around);
    }

    /// Step 1: granted transfers start.
    #[inline(always)]
    pub(crate) fn start_crossbar<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].start_crossbar(&self.params, around);
    }

    /// Step 1, `oq`: the tail of a packet leaves on a link.
    pub(crate) fn link_tail<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].link_tail(port, around);
    }

    /// Step 2: the head that arrives at an input is stored.
    #[inline(always)]
    pub(crate) fn store<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        let wire = self.wire(element, port);
        // None where it was lost on the wire.
        let Some(due) = around
            .transit
            .wires
            .packet_due(wire, &around.transit.packets)
        else {
            return;
        };
        let switch = &mut self.switches[element.index()];
        if due < around.now {
            let unit = switch.inputs()[port.index()].unit();
            broken(unit, around.now, &"a head comes late");
        }
        if due > around.now {
            return;
        }
        let transit = &mut *around.transit;
        if let Some(id) = transit.wires.take(wire, &transit.packets) {
            switch.store(&self.params, port, id, around);
        }
    }

    /// Step 2: the head that has crossed to an output is stored.
    #[inline(always)]
    pub(crate) fn store_egress<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].store_egress(&self.params, port, around);
    }

    /// Step 2: a tail is ejected.
    #[inline(always)]
    pub(crate) fn eject<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        let (node, wire) = (self.node_of(element), self.wire(element, PortId(0)));
        let transit = &mut *around.transit;
        let due = transit.wires.packet_due(wire, &transit.packets);
        if due.is_some_and(|due| due <= around.now)
            && let Some(id) = transit.wires.take(wire, &transit.packets)
        {
            self.nodes[node].eject(id, around);
        }
    }

    /// Step 2: messages are generated.
    #[inline(always)]
    pub(crate) fn generate<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        let node = self.node_of(element);
        self.nodes[node].generate(&self.params, around);
    }

    /// Step 3: the PPU of an input moves a packet.
    pub(crate) fn ppu_step<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].ppu_step(&self.params, port, around);
    }

    /// Step 3: heads of an input are assigned to outputs again.
    pub(crate) fn decide_step<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        self.switches[element.index()].decide_step(&self.params, port, around);
    }

    /// Step 3: admittance.
    #[inline(always)]
    pub(crate) fn admit<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        let node = self.node_of(element);
        self.nodes[node].admit(&self.params, around);
    }

    /// Step 4: control packets that have arrived at a port.
    #[inline(always)]
    pub(crate) fn control<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        port: PortId,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        let (wire, now, params) = (self.wire(element, port), around.now, &self.params);
        let switches = self.switches.len();
        let mut at = match self.switches.get_mut(element.index()) {
            Some(switch) => Element::Switch(switch),
            None => Element::Node(&mut self.nodes[element.index() - switches]),
        };
        while let Some(credit) = around.transit.wires.take_credit(wire, now.next()) {
            let Credit { class, cells, .. } = credit;
            around.transit.wires.end_await(wire);
            match &mut at {
                Element::Switch(switch) => switch.credit(params, port, class, cells, around),
                Element::Node(node) => node.credit(class, cells, around),
            }
        }
        while let Some(control) = around.transit.wires.take_named(wire, now) {
            match &mut at {
                Element::Switch(switch) => switch.control(params, port, control, around),
                Element::Node(node) => node.control(params, control, around),
            }
        }
    }

    /// Steps 5 to 8 of an element.
    #[inline]
    pub(crate) fn recn_step<A: Alarm, O: Observer>(
        &mut self,
        element: ElementId,
        all: bool,
        around: &mut Around<'_, A, O>,
    ) {
        around.element = element;
        match self.switches.get_mut(element.index()) {
            Some(switch) => {
                switch.recn_step(&self.params, all, around);
                if switch.has_changed() {
                    self.tell_node(element);
                }
            }
            None => {
                let node = element.index() - self.switches.len();
                self.nodes[node].recn_step(&self.params, all, around);
            }
        }
    }

    /// The end node of a switch hears of entries of its tables that changed.
    #[cold]
    pub(crate) fn tell_node(&mut self, switch: ElementId) {
        let changed = self.switches[switch.index()].take_changed();
        let Unit::Switch { switch } = self.names.of(switch) else {
            return;
        };
        // In hierarchical networks a switch and its end node have the same number.
        let here = self.addresses[switch as usize];
        let Ok(node) = self.nodes.binary_search_by_key(&switch, EndNode::index) else {
            return;
        };
        for (region, leads_on) in changed {
            let addresses = self.addresses.iter().enumerate();
            let of_region = |there: &Address| match region {
                Region::Node(node) => there.super_node == here.super_node && there.node == node,
                Region::SuperNode(super_node) => there.super_node == super_node,
            };
            let concerned = addresses.filter(|(_, there)| of_region(there) && **there != here);
            for (destination, _) in concerned {
                self.nodes[node].set_leads_on(destination as u32, leads_on);
            }
        }
    }

    /// Asks for an element ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, element: ElementId) {
        match self.switches.get(element.index()) {
            Some(switch) => switch.prefetch(),
            None => self.nodes[self.node_of(element)].prefetch(),
        }
    }

    /// Credit that has come before `now` is counted, for looks from outside.
    pub(crate) fn count_credit(&mut self, wires: &mut Wires, now: Tick) {
        let switches = self.switches.iter_mut().flat_map(Switch::outputs_mut);
        let nodes = self.nodes.iter_mut().map(EndNode::injection_mut);
        for port in switches.chain(nodes) {
            let wire = port.place().port;
            port.count_credit(now, || {
                let credit = wires.take_credit(wire, now)?;
                Some((credit.class, credit.cells))
            });
        }
    }

    /// Messages wait in admittance somewhere.
    pub(crate) fn admittance_waits(&self) -> bool {
        self.nodes.iter().any(EndNode::is_waiting)
    }

    /// When anything will be generated again.
    pub(crate) fn next_generation(&self) -> Option<Tick> {
        self.nodes.iter().filter_map(EndNode::generation_due).min()
    }
}
