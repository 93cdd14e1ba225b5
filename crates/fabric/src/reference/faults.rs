//! Links that go down and come up, switches that fail and tables that change, between two ticks.

use super::Reference;
use super::elements::Elements;
use super::transit::ElementContext;
use crate::engine::Faultable;
use crate::faults::seen::Seen;
use hierarchy::TwoLevelTable;
use observe::{Event, Observer, Owner, Place, Side};
use plan::{LinkState, Params, RouteTable, RoutingKind};
use std::sync::Arc;
use switch::{Env, Switch};
use units::{ClassId, ElementId, Tick};

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
            let (elements, _) = self.at(observer, sender.element);
            elements.egress_mut(sender).set_link_state(state);
        }
    }

    fn port_changed(&mut self, observer: &mut impl Observer, end: Owner, state: LinkState) {
        if state == LinkState::Down {
            self.transit.wires[self.elements.wire(end).index()].forget_recovery();
        }
        self.with_switch(observer, end.element, |switch, params, env| {
            switch.port_changed(params, end.port, state, env);
        });
    }

    fn lose_packets(&mut self, observer: &mut impl Observer, switch: u32) {
        self.with_switch(observer, ElementId(switch), |switch, params, env| {
            switch.lose_packets(params, env);
        });
    }

    fn fail(&mut self, observer: &mut impl Observer, switch: u32) {
        self.with_switch(observer, ElementId(switch), |switch, params, env| {
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
        self.with_switch(observer, ElementId(switch), |switch, params, env| {
            switch.set_tables(params, table, live, env);
        });
    }

    fn notify_sources(&mut self, observer: &mut impl Observer) {
        let mut lost = self.transit.gone.take_requests();
        lost.sort_unstable();
        let waits = |node: &u32| {
            let reorder = self.node(*node).reorder();
            reorder.is_some_and(|reorder| reorder.packets() > 0)
        };
        let waiting: Vec<u32> = (0..self.nodes().len() as u32).filter(waits).collect();
        let nodes_from = self.switches().len() as u32;
        for request in lost {
            let (elements, env) = self.at(observer, ElementId(nodes_from + request.node));
            elements.nodes[request.node as usize].request_lost(request.group, env.now);
        }
        for node in waiting {
            let (elements, mut env) = self.at(observer, ElementId(nodes_from + node));
            elements.nodes[node as usize].release_gone(&mut env);
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
        let (elements, _) = self.at(observer, there.element);
        elements.egress_mut(there).set_next_table(table.clone());
        self.with_switch(observer, here.element, |switch, params, env| {
            switch.set_table(params, here.port, table.clone(), env);
        });
    }

    fn check_table(&self, switch: u32, table: &RouteTable) {
        let by_tables = self.transit.routing.kind() == RoutingKind::Table;
        assert!(by_tables, "s{switch}: no table is looked at here");
        let nodes = self.nodes().len();
        assert!(table.len() == nodes, "s{switch}: {} entries, {nodes} nodes", table.len());
        let ports = self.switch(switch).outputs().iter().enumerate();
        let connected = ports.filter(|(_, port)| port.link().peer.wire.is_some());
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
        let wire = self.elements.wire(receiver);
        // Other control packets arrive, as if the link layer had sent them again: what RECN does
        // without them is not specified.
        let cut = &mut self.transit.wires[wire.index()];
        let packets = std::mem::take(&mut cut.packets);
        let credits = cut.credits.drain(..).map(|credit| (credit.class, credit.cells));
        let credits: Vec<_> = credits.collect();
        let place = Place { port: wire, side: Side::Ingress };
        let mut back = Vec::new();
        let (_, mut env) = self.at(observer, receiver.element);
        for id in packets {
            let lost = &env.transit.packets[id];
            back.push((lost.class, u32::from(lost.cells)));
            let event = Event::Lost { packet: lost.view() };
            env.observe(place, event);
            env.transit.packets.remove(id);
        }
        self.give(observer, sender, &back);
        self.give(observer, receiver, &credits);
    }

    /// Credit by which the sending side at a port knows more room behind its link.
    fn give(&mut self, observer: &mut impl Observer, to: Owner, credits: &[(ClassId, u32)]) {
        let (elements, env) = self.at(observer, to.element);
        for &(class, cells) in credits {
            match elements.switches.get_mut(to.element.index()) {
                Some(switch) => switch.credit(to.port, class, cells, env.now),
                None => elements.egress_mut(to).credit(class, cells, env.now),
            }
        }
    }

    /// The elements, and the surroundings of one that changes at the end of the last tick.
    fn at<'a, O: Observer>(
        &'a mut self,
        observer: &'a mut O,
        element: ElementId,
    ) -> (&'a mut Elements, ElementContext<'a, O>) {
        self.elements.forget_due(element, &mut self.transit);
        let now = Tick(self.now.0.saturating_sub(1));
        (&mut self.elements, ElementContext { now, transit: &mut self.transit, observer })
    }

    /// Does something to a switch; its end node hears of entries that changed.
    fn with_switch<O: Observer>(
        &mut self,
        observer: &mut O,
        at: ElementId,
        act: impl FnOnce(&mut Switch, &Params, &mut ElementContext<'_, O>),
    ) {
        let (elements, mut env) = self.at(observer, at);
        let Some(switch) = elements.switches.get_mut(at.index()) else {
            return;
        };
        act(switch, &elements.params, &mut env);
        elements.notify_node(at);
    }
}
