//! A switch or an egress port without a fabric around it, for what a whole fabric never comes to.

use crate::tiny::PORTS;
use flow_control::Control;
use observe::{Event, Place, Side};
use plan::FabricConfig;
use plan::scheme::PortView;
use plan::{MemoryLayout, Organisation, Params};
use switch::{
    Egress, EgressConfig, Env, Flow, Ingress, IngressConfig, Mu, NextSwitch, Packet, Packets, Peer,
    Router, Ru, Switch,
};
use units::{ClassId, PacketId, PortId, Span, Tick, Unit, WireId};

/// Surroundings of a single unit: time stands where it is put, and what is sent is kept.
#[derive(Default)]
pub struct Bench {
    /// The present tick.
    pub now: Tick,
    /// All packets.
    pub packets: Packets,
    /// Control packets that started on wires, credit aside, with their starts.
    pub control: Vec<(Tick, Control)>,
    /// What observers would be told.
    pub events: Vec<Event>,
}

impl Env for Bench {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }
    fn observe(&mut self, _: Place, event: Event) {
        self.events.push(event);
    }
    fn send_packet(&mut self, _: WireId, _: PacketId) {}
    fn send_credit(&mut self, _: WireId, _: Tick, _: ClassId, _: u32) {}
    fn send_control(&mut self, _: WireId, _: Tick, control: Control) {
        self.control.push((self.now, control));
    }
}

/// A packet from node 0 to node `to`, as it comes in at port 0.
pub fn bench_packet(params: &Params, to: u32, sequence: u32) -> Packet {
    let flow = Flow { source: 0, destination: to, sequence, group: 0 };
    let lengths = params.lengths(params.packet_bytes);
    let mut packet = Packet::new(flow, params.packet_bytes, lengths.cells as u16);
    let turn = turnpool::turn(0, to, PORTS);
    packet.route.push_back(turn, width()).expect("one turn");
    packet.link_ticks = lengths.link.0 as u32;
    packet.crossbar_ticks = lengths.crossbar.0 as u32;
    packet
}

/// What units on the bench are built from.
pub fn bench_params(config: &FabricConfig) -> Params {
    let link = &config.link;
    let common = plan::Common {
        time_base: config.time_base,
        control_packet_bytes: link.control_packet_bytes,
        named_control_bytes: link.named_control_bytes,
        packet_bytes: 64,
        nodes: PORTS,
    };
    Params::new(&config.switch, common).expect("legal")
}

fn view(to_switch: bool) -> PortView {
    PortView { ports: PORTS, peer_ports: to_switch.then_some(PORTS), nodes: PORTS }
}

fn width() -> u32 {
    turnpool::turn_width(PORTS, false)
}

/// An egress port whose link leads to a switch, or else to an end node.
pub fn bench_output(params: &Params, port: u8, to_switch: bool) -> Egress {
    let layout = match params.config.organisation {
        Organisation::Iq => None,
        _ => Some(params.egress_layout(view(to_switch)).expect("legal")),
    };
    let next_memory = params.ingress_layout(view(to_switch)).expect("legal");
    let next_switch = to_switch.then(|| NextSwitch {
        in_port: PortId(0),
        ports: PORTS as u8,
        width: width() as u8,
        look_ahead: switch::LookAhead::Turns,
        mu: Mu::new(next_memory.queues, params.vcs),
    });
    let config = EgressConfig {
        memory: layout,
        next_memory,
        next_switch,
        peer: Peer { wire: Some(WireId(0)), is_switch: to_switch, latency: Span::TICK },
        own_classes: 1,
        port: PortId(port),
        place: place(port, Side::Egress),
        unit: Unit::Egress { switch: 0, port },
    };
    Egress::new(params, config)
}

fn place(port: u8, side: Side) -> Place {
    let port = WireId(u32::from(port));
    Place { port, side }
}

fn bench_input(params: &Params, port: u8, layout: MemoryLayout) -> Ingress {
    let steps = Box::default();
    let config = IngressConfig {
        memory: Some(layout),
        ru: Ru::new(PortId(port), PORTS as u8, width() as u8, Router::Turns, steps),
        ports: PORTS as usize,
        place: place(port, Side::Ingress),
        unit: Unit::Ingress { switch: 0, port },
    };
    Ingress::new(params, config)
}

/// A switch of [`PORTS`] ports with an end node on each.
pub fn bench_switch(params: &Params) -> Switch {
    let layout = params.ingress_layout(view(false)).expect("legal");
    let ports = 0..PORTS as u8;
    let inputs = ports.clone().map(|port| bench_input(params, port, layout));
    let outputs = ports.map(|port| bench_output(params, port, false));
    let unit = Unit::Switch { switch: 0 };
    Switch::new(params, unit, width(), inputs.collect(), outputs.collect(), 1)
}

/// The control packets that wait for the link of a port, credit aside, are started now.
pub fn sent(switch: &mut Switch, params: &Params, port: PortId, bench: &mut Bench) -> Vec<Control> {
    let from = bench.control.len();
    let grant = switch.evaluate_link(port, bench.now);
    switch.start_link(params, port, grant, bench);
    bench.control[from..].iter().map(|sent| sent.1).collect()
}
