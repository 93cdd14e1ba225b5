//! Nodes, their surroundings, and a clock.

use super::fake::Fake;
use super::{NODES, Setup, injection, params, workload};
use endnode::{EndNode, NodeConfig};
use flow_control::Control;
use observe::PacketKind;
use plan::Order;
use plan::Params;
use switch::Packet;
use units::{ClassId, PacketId, Tick};
use workload::Workload;
use workload::rng::stream;

pub(crate) struct World {
    pub(crate) params: Params,
    pub(crate) nodes: Vec<EndNode>,
    pub(crate) fake: Fake,
    credit: bool,
    /// On their way back.
    credits: Vec<(u32, ClassId, u32)>,
    controls: Vec<(u32, Control)>,
    /// By node: when it is visited next.
    due: Vec<Tick>,
    pub(crate) visits: u64,
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
                order: match params.config.adaptive {
                    Some(_) if !setup.endnode.reorder_buffer => Order::Free,
                    _ => Order::Kept,
                },
                stream: stream(setup.seed, &format!("node{index}.admittance")),
            };
            EndNode::new(&params, config)
        };
        let nodes: Vec<EndNode> = (0..NODES).map(node).collect();
        let fake = Fake::default();
        World {
            params,
            nodes,
            fake,
            credit: setup.credit,
            credits: Vec::new(),
            controls: Vec::new(),
            due: vec![Tick::ZERO; NODES as usize],
            visits: 0,
        }
    }

    /// The ticks before `until`. `every`: each node in every tick; else when something is due
    /// there, or comes.
    pub(crate) fn run(&mut self, until: u64, every: bool) {
        while self.fake.now < Tick(until) {
            self.tick(every);
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
        self.due[node] = Tick::ZERO;
    }

    /// The reorder buffer of a node need not wait for what is lost any more.
    pub(crate) fn release_gone(&mut self, node: u32) {
        self.nodes[node as usize].release_gone(&mut self.fake);
        self.due[node as usize] = Tick::ZERO;
    }

    /// A request of a node is lost, in the present tick.
    pub(crate) fn lose_request(&mut self, node: u32, group: u8) {
        self.nodes[node as usize].request_lost(group, self.fake.now);
        self.due[node as usize] = Tick::ZERO;
    }

    fn tick(&mut self, every: bool) {
        let (params, fake) = (&self.params, &mut self.fake);
        let now = fake.now;
        let arrived = fake.wire.extract_if(.., |(tick, _)| *tick == now);
        let arrived: Vec<PacketId> = arrived.map(|(_, id)| id).collect();
        let to = arrived.iter().map(|id| fake.packets[*id].destination);
        let back = arrived.iter().map(|id| fake.packets[*id].source);
        let credited = self.credits.iter().map(|(node, ..)| *node);
        let controlled = self.controls.iter().map(|(node, _)| *node);
        for node in to.chain(back).chain(credited).chain(controlled) {
            self.due[node as usize] = now;
        }
        let due: Vec<bool> = self.due.iter().map(|due| every || *due <= now).collect();
        let visited = || (0..NODES as usize).filter(|node| due[*node]);
        let grants: Vec<_> =
            visited().map(|node| (node, self.nodes[node].evaluate_link(now))).collect();
        for (node, grant) in grants.into_iter().filter(|(_, grant)| !grant.is_nothing()) {
            self.nodes[node].start_link(params, grant, fake);
        }
        for node in visited() {
            self.nodes[node].tails_leave(now);
        }
        for id in arrived {
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
        for node in visited() {
            self.nodes[node].generate(params, fake);
            self.nodes[node].admit(params, fake);
        }
        for (node, class, cells) in self.credits.drain(..) {
            self.nodes[node as usize].credit(class, cells, now);
        }
        for (node, control) in self.controls.drain(..) {
            self.nodes[node as usize].control(params, control, fake);
        }
        for node in visited() {
            self.nodes[node].recn_step(params, fake);
            self.due[node] = self.nodes[node].next_due(&fake.packets, now);
            self.visits += 1;
        }
    }
}
