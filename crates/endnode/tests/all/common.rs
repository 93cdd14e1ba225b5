//! Eight end nodes around a fake switch: what is sent is ejected at its destination as soon as its
//! tail is there, and its credit comes back then, or never.

use crossbar::ArbiterKind;
use endnode::{
    AdmittanceArbiter, EndNode, EndNodeConfig, GeneratorRule, NodeConfig, NodeDue, NodeEnv, Offer,
    Waiting,
};
use flow_control::{Control, Edge, Thresholds};
use recn::RecnConfig;
use std::collections::BTreeSet;
use switch::scheme::PortView;
use switch::{
    Common, Due, Egress, EgressConfig, Env, Event, MemoryLayout, Mu, NextSwitch, Organisation,
    Packet, PacketKind, Packets, Params, Peer, Place, SchemeKind, Side, StageLatencies,
    SwitchConfig, Switching, VoqNetMemory, VoqSwOutput,
};
use turnpool::Route;
use units::{ClassId, PacketId, PortId, Ratio, Span, Tick, TimeBase, Unit, VcId, WireId};
use workload::rng::stream;
use workload::{GroupConfig, Sources, Workload, WorkloadConfig};

/// End nodes, and ports of the fake switch.
pub(crate) const NODES: u32 = 8;
/// Bits of a turn.
pub(crate) const WIDTH: u32 = 3;
/// Largest packet, and cell.
pub(crate) const PACKET: u32 = 64;

/// What a world is made of.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) scheme: SchemeKind,
    pub(crate) memory_bytes: u32,
    pub(crate) endnode: EndNodeConfig,
    pub(crate) groups: Vec<GroupConfig>,
    /// Credit comes back.
    pub(crate) credit: bool,
    pub(crate) seed: u64,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            scheme: SchemeKind::OneQueue,
            memory_bytes: 512,
            endnode: EndNodeConfig {
                admittance_bytes: Some(4096),
                admittance_arbiter: AdmittanceArbiter::RoundRobin,
                generator: GeneratorRule::Drop,
            },
            groups: Vec::new(),
            credit: true,
            seed: 1,
        }
    }
}

/// A group of one source at full load, to one destination.
pub(crate) fn group(source: u32, destination: u32) -> GroupConfig {
    GroupConfig {
        name: format!("n{source}-n{destination}"),
        destinations: vec![destination],
        sources: Sources::List(vec![source]),
        end_ns: Some(2_000),
        message_bytes: Some(workload::MessageBytes::Fixed(PACKET)),
        ..GroupConfig::default()
    }
}

/// A message that waits, of group 0.
pub(crate) fn message(destination: u32, bytes: u32, born: u64) -> Waiting {
    Waiting {
        destination,
        bytes,
        born: Tick(born),
        group: 0,
        kind: PacketKind::Data,
        asked: Tick::ZERO,
    }
}

/// A tick is 2 ns, the time of 2 bytes on a link.
pub(crate) fn time_base() -> TimeBase {
    TimeBase::new(2, Ratio::ONE, Ratio::ONE).expect("legal")
}

/// The messages of some groups.
pub(crate) fn workload(groups: &[GroupConfig], seed: u64) -> Workload {
    let config = WorkloadConfig {
        groups: groups.to_vec(),
        ..WorkloadConfig::default()
    };
    config.build(NODES, &time_base(), seed).expect("legal")
}

pub(crate) fn params(scheme: SchemeKind, memory_bytes: u32) -> Params {
    let config = SwitchConfig {
        organisation: Organisation::Cioq,
        scheme,
        arbiter: ArbiterKind::RoundRobin,
        wait_bound_packets: None,
        switching: Switching::VirtualCutThrough,
        port_memory_bytes: memory_bytes,
        cell_bytes: PACKET,
        vcs: 1,
        dbbm_queues: 4,
        voq_sw_output: VoqSwOutput::LookAhead,
        voq_net_memory: VoqNetMemory::Fixed,
        crossbar_overhead_bytes: 0,
        stages: StageLatencies::default(),
        recn: RecnConfig {
            saqs: 4,
            detection_egress_packets: 100,
            detection_ingress_packets: 100,
            propagation_packets: 100,
            thresholds: Thresholds::new(3, 1, Edge::Reached).expect("legal"),
            saq_timer: Span(100),
            retry: Span(100),
            xoff_repeat: Span(100),
            ppu_interval: Span(3),
            iq_egress_lines: false,
            root_xoff_packets: None,
        },
    };
    let common = Common {
        time_base: time_base(),
        control_packet_bytes: 0,
        named_control_bytes: 0,
        packet_bytes: PACKET,
        nodes: NODES,
    };
    Params::new(&config, common).expect("legal")
}

fn injection(params: &Params, node: u32) -> Egress {
    let view = |ports, peer_ports| PortView {
        ports,
        peer_ports,
        nodes: NODES,
    };
    let next_memory = params.ingress_layout(view(NODES, None)).expect("legal");
    let memory = params.egress_layout(view(1, Some(NODES))).expect("legal");
    let config = EgressConfig {
        memory: Some(memory),
        next_memory,
        next_switch: Some(NextSwitch {
            in_port: PortId(node as u8),
            ports: NODES as u8,
            width: WIDTH as u8,
            table: None,
            mu: Mu::new(next_memory.queues, 1),
        }),
        peer: Peer {
            wire: Some(WireId(node)),
            is_switch: true,
            latency: Span(4),
        },
        own_classes: MemoryLayout::single(params.receive_cells()).classes,
        port: PortId(0),
        place: Place {
            port: WireId(NODES + node),
            side: Side::Egress,
        },
        unit: Unit::Injection { node },
    };
    Egress::new(params, config)
}

/// What a phase of a tick is for, in order.
const LINK: u8 = 0;
const EJECT: u8 = 1;
const GENERATE: u8 = 2;
const ADMIT: u8 = 3;
const RECN: u8 = 4;

/// The surroundings: they note everything.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) now: Tick,
    node: u32,
    packets: Packets,
    asked: BTreeSet<(Tick, u32, u8)>,
    wire: Vec<(Tick, PacketId)>,
    pub(crate) offers: Vec<Offer>,
    pub(crate) sent: Vec<(Tick, Packet)>,
    pub(crate) ejected: Vec<(Tick, Packet)>,
    pub(crate) events: Vec<(Tick, Place, Event)>,
}

impl Env for Fake {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }
    fn at(&mut self, tick: Tick, due: Due, _: PortId) {
        let phase = match due {
            Due::Link => LINK,
            Due::Recn => RECN,
            _ => panic!("an end node has no {due:?}"),
        };
        self.asked.insert((tick, self.node, phase));
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
    fn at_node(&mut self, tick: Tick, due: NodeDue) {
        let phase = match due {
            NodeDue::Eject => EJECT,
            NodeDue::Generate => GENERATE,
            NodeDue::Admit => ADMIT,
        };
        self.asked.insert((tick, self.node, phase));
    }
    fn offered(&mut self, offer: Offer) {
        self.offers.push(offer);
    }
    fn ejected(&mut self, _: Place, packet: PacketId) {
        self.ejected.push((self.now, self.packets[packet].clone()));
    }
    fn route(&mut self, source: u32, destination: u32) -> Route {
        let mut route = Route::EMPTY;
        let turn = turnpool::turn(source, destination, NODES);
        route.push_back(turn, WIDTH).expect("short");
        route
    }
    fn first_vc(&mut self, _: u32, _: u32) -> VcId {
        VcId(0)
    }
}

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
        let params = params(setup.scheme, setup.memory_bytes);
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
                stream: stream(setup.seed, &format!("node{index}.admittance")),
            };
            EndNode::new(&params, config)
        };
        let nodes: Vec<EndNode> = (0..NODES).map(node).collect();
        let mut fake = Fake::default();
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
            let packet = &mut fake.packets[id];
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
