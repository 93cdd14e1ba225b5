//! Links that go down and come up, switches that fail and tables that change, between two ticks.

use super::Reference;
use super::elements::Element;
use super::transit::ElementContext;
use super::wires::Cut;
use crate::engine::Faultable;
use crate::faults::seen::Seen;
use hierarchy::TwoLevelTable;
use observe::{Event, Observer, Owner, Place, Side};
use plan::{LinkState, Params, RouteTable, RoutingKind};
use std::sync::Arc;
use switch::{Env, Switch};
use units::{ClassId, ElementId, PortId, Tick};

impl Faultable for Reference {
    fn set_link(
        &mut self,
        observer: &mut impl Observer,
        (here, there): (Owner, Owner),
        state: LinkState,
    ) {
        if state == LinkState::Down {
            self.cut_in_two(here);
            self.cut_in_two(there);
        }
        for (sender, receiver) in [(here, there), (there, here)] {
            if state == LinkState::Down {
                self.cut(observer, sender, receiver);
            }
            self.with(observer, sender, |element, _, _| match element {
                Element::Switch(s) => s.set_link_state(sender.port, state),
                Element::Node(n) => n.set_link_state(state),
            });
        }
    }

    fn port_changed(&mut self, observer: &mut impl Observer, end: Owner, state: LinkState) {
        self.with_switch(observer, end, |switch, params, env| {
            if state == LinkState::Down {
                let wire = switch.inputs()[end.port.index()].place().port;
                env.transit.wires.forget_recovery(wire);
            }
            switch.port_changed(params, end.port, state, env);
        });
    }

    fn lose_packets(&mut self, observer: &mut impl Observer, switch: u32) {
        let at = first_port(switch);
        self.with_switch(observer, at, |switch, params, env| {
            switch.lose_packets(params, env);
        });
    }

    fn fail(&mut self, observer: &mut impl Observer, switch: u32) {
        let at = first_port(switch);
        self.with_switch(observer, at, |switch, params, env| {
            switch.fail(params, env);
        });
    }

    fn set_tables(
        &mut self,
        observer: &mut impl Observer,
        switch: u32,
        table: &TwoLevelTable,
        live: u64,
    ) {
        let at = first_port(switch);
        self.with_switch(observer, at, |switch, params, env| {
            switch.set_tables(params, table, live, env);
        });
    }

    fn notify_sources(&mut self, observer: &mut impl Observer) {
        let mut lost = self.transit.gone.take_requests();
        lost.sort_unstable();
        let waits = |node: &u32| {
            let reorder = &self.node(*node).reorder;
            reorder.as_ref().is_some_and(|reorder| reorder.packets() > 0)
        };
        let waiting: Vec<u32> = (0..self.nodes().len() as u32).filter(waits).collect();
        let nodes_from = self.switches().len() as u32;
        for request in lost {
            let source = first_port(nodes_from + request.node);
            self.with(observer, source, |element, _, env| {
                if let Element::Node(node) = element {
                    node.sources.answered(request.group, env.now);
                }
            });
        }
        for node in waiting {
            self.with(observer, first_port(nodes_from + node), |element, _, env| {
                if let Element::Node(node) = element {
                    node.release_gone(env);
                }
            });
        }
    }

    fn take_seen(&mut self) -> Seen {
        std::mem::take(&mut self.transit.recovery)
    }
}

impl Reference {
    /// The table of an ingress port of a switch, see [`crate::Fabric::set_table`].
    pub(crate) fn set_table(
        &mut self,
        observer: &mut impl Observer,
        (here, there): (Owner, Owner),
        table: &Arc<RouteTable>,
    ) {
        self.check_table(here.element.0, table);
        self.with(observer, there, |element, _, _| match element {
            Element::Switch(s) => s.set_next_table(there.port, table.clone()),
            Element::Node(n) => n.set_next_table(table.clone()),
        });
        self.with_switch(observer, here, |switch, params, env| {
            switch.set_table(params, here.port, table.clone(), env);
        });
    }

    fn check_table(&self, switch: u32, table: &RouteTable) {
        let by_tables = self.elements.routing.kind() == RoutingKind::Table;
        assert!(by_tables, "s{switch}: no table is looked at here");
        let nodes = self.nodes().len();
        assert!(table.len() == nodes, "s{switch}: {} entries, {nodes} nodes", table.len());
        let ports = self.switch(switch).outputs().iter().enumerate();
        let connected = ports.filter(|(_, port)| port.link().peer().wire.is_some());
        let connected = connected.fold(0, |all, (port, _)| all | 1u64 << port);
        let leads = (0..nodes as u32).fold(0, |all, node| all | table.candidates(node));
        assert!(leads & !connected == 0, "s{switch}: leads to ports without a link");
    }

    /// The packet whose head is stored at a port and whose tail is not is cut in two: it goes on as
    /// a packet that is marked bad, and is lost where it ends.
    fn cut_in_two(&mut self, receiver: Owner) {
        let switch = self.switches().get(receiver.element.index());
        let half = switch.and_then(|s| s.inputs()[receiver.port.index()].arriving(self.now));
        if let Some(key) = half {
            self.transit.gone.cut_in_two(key);
        }
    }

    /// What is on the wire from `sender` to `receiver` is lost: packets, whose credit the sender
    /// has again, and credit, which the receiver has.
    fn cut(&mut self, observer: &mut impl Observer, sender: Owner, receiver: Owner) {
        let mut back = Vec::new();
        let mut credits = Vec::new();
        self.with(observer, receiver, |element, _, env| {
            let port = match &element {
                Element::Switch(s) => s.outputs()[receiver.port.index()].place().port,
                Element::Node(n) => n.injection().place().port,
            };
            let side = Side::Ingress;
            let cut: Cut = env.transit.wires.cut(port);
            for packet in cut.packets {
                let lost = &env.transit.packets[packet];
                back.push((lost.class, u32::from(lost.cells)));
                let event = Event::Lost { packet: lost.view() };
                env.observe(Place { port, side }, event);
                env.transit.packets.remove(packet);
            }
            credits = cut.credits;
        });
        self.give(observer, sender, &back);
        self.give(observer, receiver, &credits);
    }

    /// Credit by which the sending side at a port knows more room behind its link.
    fn give(&mut self, observer: &mut impl Observer, to: Owner, credits: &[(ClassId, u32)]) {
        self.with(observer, to, |mut element, _, env| {
            for &(class, cells) in credits {
                match &mut element {
                    Element::Switch(s) => s.credit(to.port, class, cells, env.now),
                    Element::Node(n) => n.credit(class, cells, env.now),
                }
            }
        });
    }

    /// Does something to one element, at the end of the last tick that was simulated.
    fn with<O: Observer>(
        &mut self,
        observer: &mut O,
        at: Owner,
        act: impl FnOnce(Element<'_>, &Params, &mut ElementContext<'_, O>),
    ) {
        let routing = self.elements.routing.clone();
        self.elements.forget_due(at.element, &mut self.transit);
        let mut env = ElementContext {
            now: Tick(self.now.0.saturating_sub(1)),
            transit: &mut self.transit,
            routing: &routing,
            observer,
        };
        let (params, element) = self.elements.element_and_params(at.element);
        act(element, params, &mut env);
    }

    /// Does something to a switch; its end node hears of entries that changed.
    fn with_switch<O: Observer>(
        &mut self,
        observer: &mut O,
        at: Owner,
        act: impl FnOnce(&mut Switch, &Params, &mut ElementContext<'_, O>),
    ) {
        self.with(observer, at, |element, params, env| {
            if let Element::Switch(switch) = element {
                act(switch, params, env);
            }
        });
        let switch = self.switches().get(at.element.index());
        if switch.is_some_and(Switch::has_changed) {
            self.elements.notify_node(at.element);
        }
    }
}

/// Port 0 of an element.
fn first_port(element: u32) -> Owner {
    Owner { element: ElementId(element), port: PortId(0) }
}
