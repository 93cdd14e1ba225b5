//! Single units without a fabric around them, for what a whole fabric never comes to.

use crate::tiny::PORTS;
use fabric::FabricConfig;
use flow_control::Control;
use observe::{Observer, View};
use switch::scheme::PortView;
use switch::{
    Env, Event, InPort, Link, Organisation, OutPort, Packet, Packets, Params, Peer, PeerSwitch,
    Place, Side, Switch, Wake,
};
use units::PacketId;
use units::{Tick, Unit};

/// Surroundings of a single unit: time stands where it is put, and what is sent is kept.
#[derive(Default)]
pub struct Bench {
    /// The present tick.
    pub now: Tick,
    /// All packets.
    pub packets: Packets,
    /// Control packets on their way, with their starts.
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
    fn wake(&mut self, _: Tick, _: Wake, _: u32, _: u8) {}
    fn send_packet(&mut self, _: u32, _: PacketId, _: bool) {}
    fn send_control(&mut self, _: u32, _: Tick, control: Control) {
        self.control.push((self.now, control));
    }
    fn take_packet(&mut self, _: u32, _: Tick) -> Option<PacketId> {
        unreachable!("no wires here")
    }
    fn observe(&mut self, _: Place, event: Event) {
        self.events.push(event);
    }
}

/// Keeps the packets that end nodes inject, as they go to the first switch.
#[derive(Default)]
pub struct Injected(pub Vec<Packet>);

impl Observer for Injected {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if let (true, Event::Stored { packet, .. }) =
            (view.owners[place.port as usize].element > 0, event)
        {
            self.0.push(view.packets[packet].clone());
        }
    }
}

/// What units on the bench are built from.
pub fn bench_params(config: &FabricConfig) -> Params {
    let link = &config.link;
    Params::new(
        &config.switch,
        config.time_base,
        link.control_packet_bytes,
        link.named_control_bytes,
        64,
        PORTS,
    )
    .expect("legal")
}

/// An egress port whose link leads to a switch, or else to an end node.
pub fn bench_output(params: &Params, port: u8, to_switch: bool) -> OutPort {
    let view = PortView {
        ports: PORTS,
        peer_ports: to_switch.then_some(PORTS),
        nodes: PORTS,
    };
    // `iq` has no memory here, and credit for that of the next switch.
    let layout = match params.config.organisation {
        Organisation::Iq => None,
        _ => Some(params.egress_layout(view).expect("legal")),
    };
    let next = params.ingress_layout(view).expect("legal");
    let (place, unit) = (
        Place {
            port: u32::from(port),
            side: Side::Egress,
        },
        Unit::Egress { switch: 0, port },
    );
    let there = PeerSwitch {
        in_port: 0,
        ports: PORTS as u8,
        width: turnpool::turn_width(PORTS, false) as u8,
    };
    let peer = Peer {
        to: 0,
        switch: to_switch.then_some(there),
        wire: 1,
    };
    let link = Link::new(peer, 1, next.cells, 1, false, 0, port, place, unit);
    OutPort::new(params, layout, link)
}

/// A switch of [`PORTS`] ports with an end node on each.
pub fn bench_switch(params: &Params) -> Switch {
    let view = PortView {
        ports: PORTS,
        peer_ports: None,
        nodes: PORTS,
    };
    let layout = params.ingress_layout(view).expect("legal");
    let input = |port: u8| {
        InPort::new(
            params,
            Some(layout),
            Unit::Ingress { switch: 0, port },
            Place {
                port: u32::from(port),
                side: Side::Ingress,
            },
        )
    };
    let inputs = (0..PORTS as u8).map(input).collect();
    let outputs = (0..PORTS as u8)
        .map(|port| bench_output(params, port, false))
        .collect();
    Switch::new(
        params,
        0,
        turnpool::turn_width(PORTS, false),
        inputs,
        outputs,
        1,
    )
}
