//! Eight end nodes around a fake switch: what is sent is ejected at its destination as soon as its
//! tail is there, and its credit comes back then, or never.

#[path = "../../../../switch/tests/it/config.rs"]
mod config;
mod world;

pub(crate) use world::World;

use endnode::Waiting;
use flow_control::{Edge, Thresholds};
use observe::{PacketKind, Place, Side};
use plan::scheme::PortView;
use plan::{
    AdmittanceArbiter, Common, EndNodeConfig, GeneratorRule, MemoryLayout, Params, SchemeKind,
    SwitchConfig,
};
use recn::RecnConfig;
use switch::{Egress, EgressConfig, Mu, NextSwitch, Peer};
use units::{PortId, Ratio, Span, Tick, TimeBase, Unit, WireId};
use workload::{GroupConfig, Sources, Workload, WorkloadConfig};

/// End nodes, and ports of the fake switch.
pub(crate) const NODES: u32 = 8;
/// Bits of a turn.
pub(crate) const WIDTH: u32 = 3;
/// Largest packet, and cell.
pub(crate) const PACKET: u32 = 64;

pub(crate) const ENDNODE: EndNodeConfig = EndNodeConfig {
    reorder_buffer: false,
    ecn: None,
    admittance_bytes: Some(4096),
    admittance_arbiter: AdmittanceArbiter::RoundRobin,
    generator: GeneratorRule::Drop,
};

#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) scheme: SchemeKind,
    pub(crate) memory_bytes: u32,
    pub(crate) reply_vcs: bool,
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
            reply_vcs: false,
            endnode: ENDNODE,
            groups: Vec::new(),
            credit: true,
            seed: 1,
        }
    }
}

/// A group of one source at full load, to one destination, with messages of one packet.
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

pub(crate) fn workload(groups: &[GroupConfig], seed: u64) -> Workload {
    let config = WorkloadConfig { groups: groups.to_vec(), ..WorkloadConfig::default() };
    config.build(NODES, &time_base(), seed).expect("legal")
}

pub(crate) fn params(setup: &Setup) -> Params {
    let config = SwitchConfig {
        scheme: setup.scheme,
        port_memory_bytes: setup.memory_bytes,
        vcs: 1,
        reply_vcs: setup.reply_vcs,
        recn: RecnConfig {
            detection_egress_packets: 100,
            detection_ingress_packets: 100,
            propagation_packets: 100,
            thresholds: Thresholds::new(3, 1, Edge::Reached).expect("legal"),
            saq_timer: Span(100),
            retry: Span(100),
            xoff_repeat: Span(100),
            ppu_interval: Span(3),
            ..config::recn()
        },
        ..config::config()
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
    let view = |ports, peer_ports| PortView { ports, peer_ports, nodes: NODES };
    let next_memory = params.ingress_layout(view(NODES, None)).expect("legal");
    let memory = params.egress_layout(view(1, Some(NODES))).expect("legal");
    let config = EgressConfig {
        memory: Some(memory),
        next_memory,
        next_switch: Some(NextSwitch {
            in_port: PortId(node as u8),
            ports: NODES as u8,
            width: WIDTH as u8,
            look_ahead: switch::LookAhead::Turns,
            mu: Mu::new(next_memory.queues, params.vcs),
        }),
        peer: Peer { wire: Some(WireId(node)), is_switch: true, latency: Span(4) },
        own_classes: MemoryLayout::single(params.receive_cells()).classes,
        port: PortId(0),
        place: Place { port: WireId(NODES + node), side: Side::Egress },
        unit: Unit::Injection { node },
    };
    Egress::new(params, config)
}
