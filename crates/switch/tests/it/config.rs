//! A small switch; the tests of `endnode` have this file as a module of theirs.

use crossbar::ArbiterKind;
use flow_control::{Edge, Thresholds};
use plan::{
    Organisation, SaqPriority, SchemeKind, StageLatencies, SwitchConfig, Switching, VoqNetMemory,
    VoqSwOutput,
};
use recn::RecnConfig;
use units::Span;

/// `cioq`, `1q`, port memories of 4 KiB, no waiting bound.
pub(crate) fn config() -> SwitchConfig {
    SwitchConfig {
        adaptive: None,
        input_multicast_read: false,
        max_bypass: None,
        ecn: None,
        pfc: None,
        faults: false,
        organisation: Organisation::Cioq,
        scheme: SchemeKind::OneQueue,
        arbiter: ArbiterKind::RoundRobin,
        wait_bound_packets: None,
        saq_priority: SaqPriority::Bounded,
        switching: Switching::VirtualCutThrough,
        port_memory_bytes: 4096,
        cell_bytes: 64,
        vcs: 1,
        reply_vcs: false,
        dbbm_queues: 4,
        voq_sw_output: VoqSwOutput::LookAhead,
        voq_net_memory: VoqNetMemory::Fixed,
        crossbar_overhead_bytes: 0,
        stages: StageLatencies::default(),
        recn: recn(),
    }
}

pub(crate) fn recn() -> RecnConfig {
    RecnConfig {
        saqs: 4,
        detection_egress_packets: 3,
        detection_ingress_packets: 3,
        propagation_packets: 1,
        thresholds: Thresholds::new(4, 2, Edge::Reached).expect("legal"),
        saq_timer: Span(10),
        retry: Span(10),
        xoff_repeat: Span(10),
        ppu_interval: Span(7),
        iq_egress_lines: false,
        root_xoff_packets: None,
    }
}
