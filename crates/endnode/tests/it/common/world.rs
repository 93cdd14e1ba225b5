//! Nodes, their surroundings, and a clock.

use super::fake::{ADMIT, Fake, GENERATE, LINK, RECN};
use super::{NODES, Setup, injection, params, workload};
use endnode::{EndNode, NodeConfig, Order};
use flow_control::Control;
use observe::PacketKind;
use switch::{Packet, Params};
use units::{ClassId, Tick};
use workload::Workload;
use workload::rng::stream;

/// Nodes, surroundings and a clock.
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
        let Workload {
            generators,
            summaries,
            ..
        } = workload(&setup.groups, setup.seed);
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
        let mut fake = Fake {
            vcs: setup.vcs.into(),
            ..Fake::default()
        };
        for node in &nodes {
            let due = node.generation_due();
            fake.asked
                .extend(due.map(|tick| (tick, node.index(), GENERATE)));
        }
        World {
            params,
            nodes,
            fake,
            credit: setup.credit,
            credits: Vec::new(),
            controls: Vec::new(),
        }
    }

    /// The ticks before `until`. `every`: each method of each node in every tick; else what was
    /// asked for alone.
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
        self.fake.node = packet.destination;
        let id = self.fake.packets.insert(packet);
        self.nodes[self.fake.node as usize].eject(id, &mut self.fake);
    }

    /// A node is told that its reorder buffer need not wait for what is gone.
    pub(crate) fn release_gone(&mut self, node: u32) {
        self.fake.node = node;
        self.nodes[node as usize].release_gone(&mut self.fake);
    }

    /// A request of a node is said to be lost, in the present tick.
    pub(crate) fn lose_request(&mut self, node: u32, group: u8) {
        self.fake.node = node;
        self.nodes[node as usize].request_lost(group, &mut self.fake);
    }

    fn tick(&mut self, every: bool) {
        let (params, fake) = (&self.params, &mut self.fake);
        let now = fake.now;
        let is_due =
            |fake: &mut Fake, node: u32, phase| fake.asked.remove(&(now, node, phase)) || every;
        let mut grants = Vec::new();
        for (node, index) in self.nodes.iter_mut().zip(0..) {
            fake.node = index;
            if is_due(fake, index, LINK) {
                let grant = node.evaluate_link(fake);
                grants.push((index, grant));
            }
        }
        for (index, grant) in grants.into_iter().filter(|(_, grant)| !grant.is_nothing()) {
            fake.node = index;
            self.nodes[index as usize].start_link(params, grant, fake);
        }
        let arrived = fake.wire.extract_if(.., |(tick, _)| *tick == now);
        for (_, id) in arrived.collect::<Vec<_>>() {
            let marks = fake.marks;
            let packet = &mut fake.packets[id];
            packet.mark |= marks && packet.kind != PacketKind::Ack;
            if self.credit {
                let cells = u32::from(packet.cells);
                self.credits.push((packet.source, packet.class, cells));
            }
            // As the last switch would have it: the receive memory has one class.
            packet.class = ClassId(0);
            fake.node = packet.destination;
            self.nodes[fake.node as usize].eject(id, fake);
        }
        for (node, index) in self.nodes.iter_mut().zip(0..) {
            fake.node = index;
            if is_due(fake, index, GENERATE) {
                node.generate(params, fake);
            }
            if is_due(fake, index, ADMIT) {
                node.admit(params, fake);
            }
        }
        for (node, class, cells) in self.credits.drain(..) {
            fake.node = node;
            self.nodes[node as usize].credit(class, cells, fake);
        }
        for (node, control) in self.controls.drain(..) {
            fake.node = node;
            self.nodes[node as usize].control(params, control, fake);
        }
        for (node, index) in self.nodes.iter_mut().zip(0..) {
            fake.node = index;
            if is_due(fake, index, RECN) {
                node.recn_step(params, every, fake);
            }
        }
        let late = fake.asked.first().filter(|(tick, ..)| *tick <= now);
        assert_eq!(late, None, "asked for in a phase that is over");
    }
}
