//! Nodes, their surroundings, which note everything, and a clock.

use super::{NODES, Setup, WIDTH, injection, params, workload};
use endnode::{EndNode, NodeConfig, NodeEnv};
use flow_control::Control;
use observe::{Event, Offered, PacketKind, Place};
use plan::{Order, Params};
use std::collections::BTreeSet;
use switch::{Env, Packet, Packets};
use turnpool::Route;
use units::{ClassId, PacketId, Tick, WireId};
use workload::Workload;
use workload::rng::stream;

#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) now: Tick,
    packets: Packets,
    wire: Vec<(Tick, PacketId)>,
    /// Packets that are no ACKs are marked on the way.
    pub(crate) marks: bool,
    pub(crate) offers: Vec<Offered>,
    pub(crate) sent: Vec<(Tick, Packet)>,
    pub(crate) ejected: Vec<(Tick, Packet)>,
    pub(crate) gone: BTreeSet<(u32, u32, u32)>,
    pub(crate) events: Vec<(Tick, Place, Event)>,
}

impl Env for Fake {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }
    fn observe(&mut self, place: Place, event: Event) {
        self.events.push((self.now, place, event));
    }
    fn send_packet(&mut self, _: WireId, packet: PacketId) {
        let record = self.packets[packet].clone();
        self.wire.push((record.tail, packet));
        self.sent.push((self.now, record));
    }
    fn send_credit(&mut self, _: WireId, _: Tick, _: ClassId, _: u32) {}
    fn send_control(&mut self, _: WireId, _: Tick, _: Control) {}
}

impl NodeEnv for Fake {
    fn offered(&mut self, offered: Offered) {
        self.offers.push(offered);
    }
    fn ejected(&mut self, _: Place, packet: PacketId) {
        self.ejected.push((self.now, self.packets[packet].clone()));
    }
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool {
        self.gone.contains(&(source, destination, sequence))
    }
    fn route(&mut self, source: u32, destination: u32) -> Route {
        let mut route = Route::EMPTY;
        let turn = turnpool::turn(source, destination, NODES);
        route.push_back(turn, WIDTH).expect("short");
        // Of a second switch, which a CAM alone reads.
        route.push_back(0, WIDTH).expect("short");
        route
    }
}

pub(crate) struct World {
    pub(crate) params: Params,
    pub(crate) nodes: Vec<EndNode>,
    pub(crate) fake: Fake,
    credit: bool,
    /// On their way back.
    credits: Vec<(u32, ClassId, u32)>,
    controls: Vec<(u32, Control)>,
}

impl World {
    pub(crate) fn new(setup: &Setup) -> World {
        let params = params(setup);
        let Workload { generators, summaries, .. } = workload(&setup.groups, setup.seed);
        let node = |index: u32| {
            let own = generators.iter().filter(|(node, _)| *node == index);
            let config = NodeConfig {
                index,
                nodes: NODES as usize,
                injection: injection(&params, index),
                generators: own.map(|(_, generator)| generator.clone()).collect(),
                replies: summaries.iter().map(|summary| summary.replies).collect(),
                config: setup.endnode,
                order: Order::Kept,
                stream: stream(setup.seed, &format!("node{index}.admittance")),
            };
            EndNode::new(&params, config)
        };
        World {
            nodes: (0..NODES).map(node).collect(),
            params,
            fake: Fake::default(),
            credit: setup.credit,
            credits: Vec::new(),
            controls: Vec::new(),
        }
    }

    /// The ticks before `until`.
    pub(crate) fn run(&mut self, until: u64) {
        while self.fake.now < Tick(until) {
            self.tick();
            self.fake.now = self.fake.now.next();
        }
    }

    /// A control packet comes to a node in the tick that is run next.
    pub(crate) fn control(&mut self, node: u32, control: Control) {
        self.controls.push((node, control));
    }

    /// Credit for so many cells comes to a node in the tick that is run next.
    pub(crate) fn give_back(&mut self, node: u32, cells: u32) {
        self.credits.push((node, ClassId(0), cells));
    }

    /// The tail of a packet is ejected at its destination, in the present tick.
    pub(crate) fn eject(&mut self, packet: Packet) {
        let node = packet.destination as usize;
        let id = self.fake.packets.insert(packet);
        self.nodes[node].eject(id, &mut self.fake);
    }

    /// All nodes are visited in every tick; that nothing is missed between the ticks that they ask
    /// for is a question to whole fabrics.
    fn tick(&mut self) {
        let (params, fake) = (&self.params, &mut self.fake);
        let now = fake.now;
        let grants: Vec<_> = self.nodes.iter().map(|node| node.evaluate_link(now)).collect();
        for (node, grant) in self.nodes.iter_mut().zip(grants) {
            if !grant.is_nothing() {
                node.start_link(params, grant, fake);
            }
            node.tails_leave(now);
        }
        let arrived: Vec<_> = fake.wire.extract_if(.., |(tick, _)| *tick == now).collect();
        for (_, id) in arrived {
            let marks = fake.marks;
            let packet = &mut fake.packets[id];
            packet.mark |= marks && packet.kind != PacketKind::Ack;
            if self.credit {
                let cells = u32::from(packet.cells);
                self.credits.push((packet.source, packet.class, cells));
            }
            // As the last switch would have it: the receive memory has one class.
            packet.class = ClassId(0);
            let node = packet.destination as usize;
            self.nodes[node].eject(id, fake);
        }
        for node in &mut self.nodes {
            node.generate(params, fake);
            node.admit(params, fake);
        }
        for (node, class, cells) in self.credits.drain(..) {
            self.nodes[node as usize].credit(class, cells, now);
        }
        for (node, control) in self.controls.drain(..) {
            self.nodes[node as usize].control(params, control, fake);
        }
        for node in &mut self.nodes {
            node.recn_step(params, fake);
        }
    }
}
