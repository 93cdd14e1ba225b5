//! One switch of 4 ports between end nodes, around it wires and a clock that visits every port in
//! every tick, in the order of the commit.

use crate::common::{WIRE, packet, route};
use flow_control::Control;
use observe::{Event, Place, Side};
use plan::scheme::PortView;
use plan::{LinkState, MemoryLayout, Organisation, Params, RouteTable};
use std::collections::BTreeMap;
use std::sync::Arc;
use switch::{Egress, EgressConfig, Env, Ingress, Packet, Packets, Peer, Router, Ru, Switch};
use turnpool::turn;
use units::{ClassId, PacketId, PortId, Tick, Unit, WireId};

pub(crate) const PORTS: u8 = 4;
const PORT: PortView = PortView { ports: 4, peer_ports: None, nodes: 16 };

/// What the switch sees around it.
#[derive(Debug, Default)]
pub(crate) struct Around {
    pub(crate) now: Tick,
    pub(crate) packets: Packets,
    pub(crate) events: Vec<(Tick, Place, Event)>,
    /// Packets on wires: when they started, which wire.
    pub(crate) sent: Vec<(Tick, WireId, PacketId)>,
    /// Credit on wires: wire, when it counts, class, cells.
    pub(crate) credits: Vec<(WireId, Tick, ClassId, u32)>,
    /// Named control packets on wires: wire, when they arrive, which.
    pub(crate) controls: Vec<(WireId, Tick, Control)>,
}

impl Env for Around {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }
    fn observe(&mut self, place: Place, event: Event) {
        self.events.push((self.now, place, event));
    }
    fn send_packet(&mut self, wire: WireId, packet: PacketId) {
        self.sent.push((self.now, wire, packet));
    }
    fn send_credit(&mut self, wire: WireId, due: Tick, class: ClassId, cells: u32) {
        self.credits.push((wire, due, class, cells));
    }
    fn send_control(&mut self, wire: WireId, due: Tick, control: Control) {
        self.controls.push((wire, due, control));
    }
}

/// The switch, and what arrives at it.
pub(crate) struct Bench {
    pub(crate) params: Params,
    pub(crate) switch: Switch,
    pub(crate) around: Around,
    arriving: BTreeMap<(Tick, PortId), PacketId>,
    /// Credit from the end nodes.
    pub(crate) returning: Vec<(Tick, PortId, ClassId, u32)>,
}

pub(crate) fn place(port: u8, side: Side) -> Place {
    let port = WireId(port.into());
    Place { port, side }
}

impl Bench {
    /// Routed by turns, or by a table.
    pub(crate) fn new(params: Params, table: Option<RouteTable>) -> Bench {
        let organisation = params.config.organisation;
        let ingress = params.ingress_layout(PORT).expect("legal");
        let egress = match organisation {
            Organisation::Cioq => Some(params.egress_layout(PORT).expect("legal")),
            Organisation::Iq => None,
            Organisation::Oq => Some(params.shared_egress_layout(4).expect("legal")),
        };
        let router = table.map_or(Router::Turns, |table| Router::Table(Arc::new(table)));
        let inputs = (0..PORTS).map(|port| {
            let ru = Ru::new(PortId(port), PORTS, 2, router.clone(), Box::default());
            let memory = (organisation != Organisation::Oq).then_some(ingress);
            let unit = Unit::Ingress { switch: 0, port };
            Ingress::new(&params, memory, ru, place(port, Side::Ingress), unit)
        });
        let outputs = (0..PORTS).map(|port| {
            let config = EgressConfig {
                memory: egress,
                next_memory: MemoryLayout::single(64),
                next_switch: None,
                peer: Peer {
                    wire: Some(WireId(u32::from(port) + 100)),
                    is_switch: false,
                    latency: WIRE,
                },
                own_classes: ingress.classes,
                port: PortId(port),
                place: place(port, Side::Egress),
                unit: Unit::Egress { switch: 0, port },
            };
            Egress::new(&params, config)
        });
        let unit = Unit::Switch { switch: 0 };
        let switch = Switch::new(&params, unit, 2, inputs.collect(), outputs.collect(), 1);
        Bench {
            params,
            switch,
            around: Around::default(),
            arriving: BTreeMap::new(),
            returning: Vec::new(),
        }
    }

    /// The head of a packet is at the pin of `input` in tick `at`.
    pub(crate) fn arrive(&mut self, input: u8, output: u8, at: Tick, destination: u32) -> PacketId {
        let mut packet = packet(destination);
        packet.sequence = self.around.packets.alive() as u32;
        let turn = turn(input.into(), output.into(), PORTS.into());
        packet.route = route(&[turn], 2);
        let lengths = self.params.lengths(packet.bytes);
        packet.link_ticks = lengths.link.0 as u32;
        packet.crossbar_ticks = lengths.crossbar.0 as u32;
        packet.tail = at + lengths.link + self.params.stages.ingress;
        packet.stored = if self.params.store_and_forward {
            packet.tail
        } else {
            at + self.params.stages.ingress
        };
        let stored = packet.stored;
        let id = self.around.packets.insert(packet);
        assert!(self.arriving.insert((stored, PortId(input)), id).is_none());
        id
    }

    /// One tick, in the order of the specification.
    fn tick(&mut self) {
        let (switch, around, params) = (&mut self.switch, &mut self.around, &self.params);
        let ports = || (0..PORTS).map(PortId);
        let grants: Vec<_> = ports().map(|port| switch.evaluate_link(port, around.now)).collect();
        switch.evaluate_crossbar(params, &around.packets, around.now);
        for (port, grant) in ports().zip(grants) {
            switch.start_link(params, port, grant, around);
        }
        switch.start_crossbar(params, around);
        ports().for_each(|port| switch.tails_leave(params, port, around.now));
        for port in ports() {
            if let Some(id) = self.arriving.remove(&(around.now, port)) {
                switch.store(params, port, id, around);
            }
        }
        for port in ports() {
            switch.store_egress(params, port, around);
        }
        ports().for_each(|port| switch.ppu_step(params, port, around));
        for &(at, port, class, cells) in &self.returning {
            if at == around.now {
                switch.credit(port, class, cells, around.now);
            }
        }
        // End nodes refuse to set anything aside.
        let refused = |&&(_, due, control): &&(WireId, Tick, Control)| {
            due == around.now && matches!(control, Control::Notification(_))
        };
        let refused: Vec<_> = around.controls.iter().filter(refused).copied().collect();
        for (wire, _, control) in refused {
            let nack = Control::Nack(control.point().expect("it names a point"));
            switch.control(params, PortId(wire.0 as u8 - 100), nack, around);
        }
        switch.recn_step(params, around);
        around.now = around.now.next();
    }

    pub(crate) fn run(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.tick());
    }

    /// The link of a port goes down, or comes up again.
    pub(crate) fn set_link(&mut self, port: u8, state: LinkState) {
        self.switch.output_mut(PortId(port)).set_link_state(state);
    }

    pub(crate) fn packet(&self, id: PacketId) -> &Packet {
        &self.around.packets[id]
    }

    /// When a packet started on the link of a port, if it has.
    pub(crate) fn started(&self, id: PacketId) -> Option<Tick> {
        let mut sent = self.around.sent.iter();
        sent.find(|sent| sent.2 == id).map(|sent| sent.0)
    }
}
