//! Links that go down and come up, and tables that change, between two ticks of a run.

mod events;
mod random;

pub use events::FaultRecord;
pub(crate) use events::{Faults, Seen};
use random::events;

use crate::config::RoutingKind;
use crate::elements::Element;
use crate::fabric::Fabric;
use crate::transit::Around;
use crate::wires::Cut;
use observe::{Event, Observer, Owner, Place, Side};
use std::sync::Arc;
use switch::{Env, LinkState, Params, RouteTable};
use units::{ClassId, ElementId, PortId, Tick};

impl<O: Observer> Fabric<O> {
    /// The link behind a port of a switch, both ways. As it goes down the packets on the wire are
    /// lost, and credit; the two ends agree on their credit again. While it is down nothing starts
    /// on it, and heads that want it wait. Nothing is lost where it is down already.
    ///
    /// # Panics
    /// If nothing is connected there, or this is the flat engine without configured faults.
    pub fn set_link(&mut self, switch: u32, port: PortId, state: LinkState) {
        let element = ElementId(switch);
        let here = Owner { element, port };
        let there = self.peer(here);
        let there = there.unwrap_or_else(|| panic!("s{switch}.p{port}: nothing is connected"));
        if self.set_link_of_flat(here, there, state) {
            return;
        }
        if state == LinkState::Down {
            self.cut_in_two(here);
            self.cut_in_two(there);
        }
        for (sender, receiver) in [(here, there), (there, here)] {
            if state == LinkState::Down {
                self.cut(sender, receiver);
            }
            self.with(sender, |element, _, _| match element {
                Element::Switch(s) => s.set_link_state(sender.port, state),
                Element::Node(n) => n.set_link_state(state),
            });
        }
        self.faults.disturbed = true;
    }

    /// The table of an ingress port of a switch is another one from now on, and so is what is
    /// looked ahead for behind the link that ends there. Where it leads a packet nowhere, that is
    /// stranded as it comes to the head of its queue: removed, and counted.
    ///
    /// # Panics
    /// If nothing is connected there, switches do not route by tables, or the table has not one
    /// entry for each node, or leads to ports that are not connected; or this is the flat engine.
    pub fn set_table(&mut self, switch: u32, port: PortId, table: &Arc<RouteTable>) {
        self.check_table(switch, table);
        let element = ElementId(switch);
        let there = self.peer(Owner { element, port });
        let there = there.unwrap_or_else(|| panic!("s{switch}.p{port}: nothing is connected"));
        self.with(there, |element, _, _| match element {
            Element::Switch(s) => s.set_next_table(there.port, table.clone()),
            Element::Node(n) => n.set_next_table(table.clone()),
        });
        self.with(Owner { element, port }, |element, params, around| {
            if let Element::Switch(s) = element {
                s.set_table(params, port, table.clone(), around);
            }
        });
        self.faults.disturbed = true;
    }

    fn check_table(&self, switch: u32, table: &RouteTable) {
        let whole = self.all();
        let (part, at) = whole.switch(switch);
        let by_tables = part.elements.routing.kind() == RoutingKind::Table;
        assert!(by_tables, "s{switch}: no table is looked at here");
        let nodes = whole.nodes().count();
        assert!(
            table.len() == nodes,
            "s{switch}: {} entries, {nodes} nodes",
            table.len()
        );
        let ports = at.outputs().iter().enumerate();
        let connected = ports.filter(|(_, port)| port.link().peer().wire.is_some());
        let connected = connected.fold(0, |all, (port, _)| all | 1u64 << port);
        let leads = (0..nodes as u32).fold(0, |all, node| all | table.candidates(node));
        assert!(
            leads & !connected == 0,
            "s{switch}: leads to ports without a link"
        );
    }

    /// The port at the other end of a link.
    fn peer(&self, here: Owner) -> Option<Owner> {
        if let Some(flat) = self.flat() {
            return flat.peer(here);
        }
        let (part, switch) = self.all().switch(here.element.0);
        let wire = switch.outputs()[here.port.index()].link().peer().wire?;
        Some(part.transit.owners[wire.index()])
    }

    /// The packet whose head is stored at a port and whose tail is not is cut in two: it goes on as
    /// a packet that is marked bad, and is lost where it ends.
    fn cut_in_two(&mut self, receiver: Owner) {
        let (now, whole) = (self.now(), self.all());
        let is_switch = receiver.element.index() < whole.switches().count();
        let half = is_switch.then(|| whole.switch(receiver.element.0).1);
        let half = half.and_then(|s| s.inputs()[receiver.port.index()].arriving(now));
        if let Some(key) = half {
            self.units_mut().transit.gone.cut_in_two(key);
        }
    }

    /// What is on the wire from `sender` to `receiver` is lost: packets, whose credit the sender
    /// has again, and credit, which the receiver has.
    fn cut(&mut self, sender: Owner, receiver: Owner) {
        let mut back = Vec::new();
        let mut credits = Vec::new();
        self.with(receiver, |element, _, around| {
            let port = match &element {
                Element::Switch(s) => s.outputs()[receiver.port.index()].place().port,
                Element::Node(n) => n.injection().place().port,
            };
            let side = Side::Ingress;
            let cut: Cut = around.transit.wires.cut(port, &around.transit.packets);
            for packet in cut.packets {
                let lost = &around.transit.packets[packet];
                back.push((lost.class, u32::from(lost.cells)));
                let event = Event::Lost {
                    packet: lost.view(),
                };
                around.observe(Place { port, side }, event);
                around.transit.packets.remove(packet);
            }
            credits = cut.credits;
        });
        self.give(sender, &back);
        self.give(receiver, &credits);
    }

    /// Credit by which the sending side at a port knows more room behind its link.
    fn give(&mut self, to: Owner, credits: &[(ClassId, u32)]) {
        self.with(to, |mut element, _, around| {
            for &(class, cells) in credits {
                match &mut element {
                    Element::Switch(s) => s.credit(to.port, class, cells, around.now),
                    Element::Node(n) => n.credit(class, cells, around.now),
                }
            }
        });
    }

    /// Sources with closed loops hear of what was lost or stranded, and reorder buffers wait for it
    /// no longer: in every multiple of `faults.notice_ns` [choice], a timeout without its packets.
    pub(crate) fn tell_sources(&mut self) {
        if self.tell_sources_of_flat() {
            return;
        }
        let mut lost = self.units_mut().transit.gone.take_requests();
        lost.sort_unstable();
        let nodes = self.all().nodes();
        let waiting = nodes.filter(|(_, node)| node.reorder().is_some_and(|r| r.packets() > 0));
        let mut waiting: Vec<u32> = waiting.map(|(_, node)| node.index()).collect();
        waiting.sort_unstable();
        let switches = self.all().switches().count() as u32;
        for request in lost {
            let source = Owner {
                element: ElementId(switches + request.node),
                port: PortId(0),
            };
            self.with(source, |element, _, around| {
                if let Element::Node(node) = element {
                    node.request_lost(request.group, around.now);
                }
            });
        }
        for node in waiting {
            let node = Owner {
                element: ElementId(switches + node),
                port: PortId(0),
            };
            self.with(node, |element, _, around| {
                if let Element::Node(node) = element {
                    node.release_gone(around);
                }
            });
        }
    }

    /// Does something to one element, at the end of the last tick that was simulated.
    fn with(&mut self, at: Owner, act: impl FnOnce(Element<'_>, &Params, &mut Around<'_, O>)) {
        let now = Tick(self.now().0.saturating_sub(1));
        let (units, observer) = self.units_and_observer();
        let routing = units.elements.routing.clone();
        units.elements.forget_due(at.element, &mut units.transit);
        let mut around = Around {
            now,
            transit: &mut units.transit,
            routing: &routing,
            observer,
        };
        let (params, element) = units.elements.element_and_params(at.element);
        act(element, params, &mut around);
    }
}
