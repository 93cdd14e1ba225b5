//! Queue schemes: the table of spec page `switch.md`, row by row.

use plan::scheme::{
    Damq, Dbbm, OneQueue, PortView, QueueScheme, RecnQueues, Scheme, VoqNet, VoqPerVc, VoqSw,
};
use plan::{SchemeKind, VoqSwOutput};

use crate::common::config;

/// A port of an 8-port switch, behind which is one of 6 ports; 20 nodes.
const PORT: PortView = PortView { ports: 8, peer_ports: Some(6), nodes: 20 };
/// The link leads to an end node.
const TO_NODE: PortView = PortView { peer_ports: None, ..PORT };
/// A packet for output 5 here, output 3 in the next switch, destination 18.
const OUTPUT: u32 = 5;
const AHEAD: u32 = 3;
const DESTINATION: &u32 = &18;

/// Normal queues at ingress and egress, and those of the packet.
fn queues(scheme: impl QueueScheme) -> [u32; 4] {
    [
        scheme.ingress_queues(PORT),
        scheme.egress_queues(PORT),
        scheme.ingress_queue(OUTPUT, DESTINATION),
        scheme.egress_queue(AHEAD, DESTINATION),
    ]
}

const fn voq_sw(output: VoqSwOutput) -> VoqSw {
    VoqSw { output }
}

// "`1q`: one FIFO a port"
#[test]
fn one_queue_takes_all() {
    assert_eq!(queues(OneQueue), [1, 1, 0, 0]);
}

// "`voq-sw`: input: requested output port of this switch. ... `look-ahead` (default) = the port it
// will request in the next switch"
#[test]
fn voq_sw_looks_ahead_at_outputs() {
    assert_eq!(queues(voq_sw(VoqSwOutput::LookAhead)), [8, 6, 5, 3]);
}

// "at an output to an end node queue 0"
#[test]
fn voq_sw_and_damq_have_one_queue_before_an_end_node() {
    assert_eq!(voq_sw(VoqSwOutput::LookAhead).egress_queues(TO_NODE), 1);
    assert_eq!(Damq.egress_queues(TO_NODE), 1);
}

// "`single-fifo` = one queue with the whole memory; `split-fifo` ... one queue with 1/P of the
// memory"
#[test]
fn single_and_split_fifo_differ_in_memory_only() {
    for (output, divisor) in [(VoqSwOutput::SingleFifo, 1), (VoqSwOutput::SplitFifo, 8)] {
        assert_eq!(queues(voq_sw(output)), [8, 1, 5, 0]);
        assert_eq!(voq_sw(output).egress_memory_divisor(PORT), divisor);
    }
    assert_eq!(OneQueue.egress_memory_divisor(PORT), 1);
}

// "`voq-net`: final destination, at every port"
#[test]
fn voq_net_queues_by_destination() {
    assert_eq!(queues(VoqNet), [20, 20, 18, 18]);
}

// "`dbbm`: destination mod Q (Q = 4, 8 or any) at every port"
#[test]
fn dbbm_queues_by_destination_modulo_q() {
    assert_eq!(queues(Dbbm { queues: 7 }), [7, 7, 4, 4]);
}

// "`damq`: as `voq-sw`, dynamic share of one pool"
#[test]
fn damq_has_the_queues_of_voq_sw() {
    assert_eq!(queues(Damq), queues(voq_sw(VoqSwOutput::LookAhead)));
}

// recn.md: detection queues by output in the enhanced versions, else one queue
#[test]
fn recn_has_detection_queues_or_one() {
    let scheme = |detection_queues| RecnQueues { detection_queues };
    assert_eq!(queues(scheme(true)), [8, 1, 5, 0]);
    assert_eq!(queues(scheme(false)), [1, 1, 0, 0]);
}

// "RECN, `1q`, DAMQ-like: port-level credits ... VOQ schemes: per-queue credits. [DBBM as VOQ]"
#[test]
fn credits_are_of_the_port_or_of_the_queue() {
    let recn = RecnQueues { detection_queues: true };
    let of_the_port =
        [OneQueue.per_queue_credits(), Damq.per_queue_credits(), recn.per_queue_credits()];
    assert_eq!(of_the_port, [false; 3]);
    let of_the_queue = [
        voq_sw(VoqSwOutput::SingleFifo).per_queue_credits(),
        VoqNet.per_queue_credits(),
        Dbbm { queues: 4 }.per_queue_credits(),
    ];
    assert_eq!(of_the_queue, [true; 3]);
}

// "of an input, round robin over its queues that request this output": where queues are by output
// there is one.
#[test]
fn queues_by_destination_share_outputs() {
    assert!(VoqNet.queues_share_outputs() && Dbbm { queues: 4 }.queues_share_outputs());
    assert!(!OneQueue.queues_share_outputs() && !Damq.queues_share_outputs());
}

// Each key names its scheme.
#[test]
fn a_key_makes_its_scheme() {
    let scheme = |kind| {
        let mut config = config();
        (config.scheme, config.dbbm_queues) = (kind, 7);
        config.voq_sw_output = VoqSwOutput::SplitFifo;
        Scheme::new(&config)
    };
    let recn = |detection_queues| Scheme::RecnQueues(RecnQueues { detection_queues });
    let expected = [
        (SchemeKind::OneQueue, Scheme::OneQueue(OneQueue)),
        (SchemeKind::VoqSw, Scheme::VoqSw(voq_sw(VoqSwOutput::SplitFifo))),
        (SchemeKind::VoqNet, Scheme::VoqNet(VoqNet)),
        (SchemeKind::Dbbm, Scheme::Dbbm(Dbbm { queues: 7 })),
        (SchemeKind::Damq, Scheme::Damq(Damq)),
        (SchemeKind::VoqPerVc, Scheme::VoqPerVc(VoqPerVc)),
        (SchemeKind::RecnBasic, recn(false)),
        (SchemeKind::Recn, recn(true)),
        (SchemeKind::RecnDd, recn(true)),
        (SchemeKind::RecnDdIq, recn(false)),
        // Without `pfc.queues` in the configuration.
        (SchemeKind::Pfc, Scheme::OneQueue(OneQueue)),
    ];
    assert_eq!(expected.len(), SchemeKind::NAMES.len());
    for (kind, plain) in expected {
        assert_eq!(scheme(kind), plain, "{kind}");
        assert_eq!(queues(scheme(kind)), queues(plain));
        let divisor = scheme(kind).egress_memory_divisor(PORT);
        assert_eq!(divisor, plain.egress_memory_divisor(PORT));
        assert_eq!(scheme(kind).per_queue_credits(), plain.per_queue_credits());
    }
}

// "RECN versions need one VC"; a shared pool would join the VCs.
#[test]
fn schemes_of_one_pool_allow_no_vcs() {
    let allow = [
        SchemeKind::OneQueue,
        SchemeKind::VoqSw,
        SchemeKind::VoqNet,
        SchemeKind::Dbbm,
        SchemeKind::VoqPerVc,
        SchemeKind::Pfc,
    ];
    for name in SchemeKind::NAMES {
        let kind: SchemeKind = name.parse().expect("its own name");
        assert_eq!(kind.name(), *name);
        assert_eq!(kind.allows_vcs(), allow.contains(&kind), "{kind}");
    }
}

// "the VOQs of a VC share its memory, as `damq` does without VCs": a queue an output at inputs, one
// elsewhere, credit by VC.
#[test]
fn voq_per_vc_queues_by_output_at_inputs_only() {
    assert_eq!(VoqPerVc.ingress_queues(PORT), PORT.ports);
    assert_eq!(VoqPerVc.ingress_queue(5, &3), 5);
    assert_eq!((VoqPerVc.egress_queues(PORT), VoqPerVc.egress_queue(5, &3)), (1, 0));
    assert!(!VoqPerVc.per_queue_credits());
}

// A wrong name is answered with the legal ones.
#[test]
fn an_unknown_scheme_is_named_with_the_legal_ones() {
    let error = "voq".parse::<SchemeKind>().expect_err("no such scheme");
    let text = error.to_string();
    assert!(text.starts_with("unknown queue scheme `voq`; legal: 1q, voq-sw"), "{text}");
}
