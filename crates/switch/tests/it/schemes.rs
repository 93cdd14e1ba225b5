//! Queue schemes: the table of spec page `switch.md`, row by row.

use crate::common::config;
use plan::scheme::{PortView, Scheme};
use plan::{SchemeKind, VoqSwOutput};

/// A port of an 8-port switch, behind which is one of 6 ports; 20 nodes.
const PORT: PortView = PortView { ports: 8, peer_ports: Some(6), nodes: 20 };
/// The link leads to an end node.
const TO_NODE: PortView = PortView { peer_ports: None, ..PORT };

/// The scheme of a key, with 7 queues of `dbbm`.
fn scheme(kind: SchemeKind, output: VoqSwOutput) -> Scheme {
    let mut config = config();
    (config.scheme, config.dbbm_queues, config.voq_sw_output) = (kind, 7, output);
    Scheme::new(&config)
}

// By key: normal queues at ingress and egress, and those of a packet for output 5 here, output 3 in
// the next switch and destination 18; queues before an end node.
#[test]
fn a_key_names_its_queues() {
    use VoqSwOutput::{LookAhead, SingleFifo, SplitFifo};
    let rows = [
        // "`1q`: one FIFO a port"
        (SchemeKind::OneQueue, LookAhead, [1, 1, 0, 0], 1),
        // "`voq-sw`: input: requested output port of this switch. ... `look-ahead` (default) = the
        // port it will request in the next switch"; "at an output to an end node queue 0"
        (SchemeKind::VoqSw, LookAhead, [8, 6, 5, 3], 1),
        // "`single-fifo` = one queue with the whole memory; `split-fifo` ... one queue"
        (SchemeKind::VoqSw, SingleFifo, [8, 1, 5, 0], 1),
        (SchemeKind::VoqSw, SplitFifo, [8, 1, 5, 0], 1),
        // "`voq-net`: final destination, at every port"
        (SchemeKind::VoqNet, LookAhead, [20, 20, 18, 18], 20),
        // "`dbbm`: destination mod Q (Q = 4, 8 or any) at every port"
        (SchemeKind::Dbbm, LookAhead, [7, 7, 4, 4], 7),
        // "`damq`: as `voq-sw`, dynamic share of one pool"
        (SchemeKind::Damq, LookAhead, [8, 6, 5, 3], 1),
        // "the VOQs of a VC share its memory": a queue an output at inputs, one elsewhere.
        (SchemeKind::VoqPerVc, LookAhead, [8, 1, 5, 0], 1),
        // recn.md: detection queues by output in the enhanced versions, else one queue
        (SchemeKind::RecnBasic, LookAhead, [1, 1, 0, 0], 1),
        (SchemeKind::Recn, LookAhead, [8, 1, 5, 0], 1),
        (SchemeKind::RecnDd, LookAhead, [8, 1, 5, 0], 1),
        (SchemeKind::RecnDdIq, LookAhead, [1, 1, 0, 0], 1),
        // Without `pfc.queues` in the configuration.
        (SchemeKind::Pfc, LookAhead, [1, 1, 0, 0], 1),
    ];
    assert_eq!(rows.len(), SchemeKind::NAMES.len() + 2, "three of `voq-sw`");
    for (kind, output, expected, before_node) in rows {
        let scheme = scheme(kind, output);
        let queues = [
            scheme.ingress_queues(PORT),
            scheme.egress_queues(PORT),
            scheme.ingress_queue(5, 18),
            scheme.egress_queue(3, 18),
        ];
        assert_eq!((queues, scheme.egress_queues(TO_NODE)), (expected, before_node), "{kind}");
        // "`split-fifo` ... one queue with 1/P of the memory"
        let divisor = if output == SplitFifo { 8 } else { 1 };
        assert_eq!(scheme.egress_memory_divisor(PORT), divisor, "{kind}");
    }
}

// "RECN, `1q`, DAMQ-like: port-level credits ... VOQ schemes: per-queue credits"; "of an input,
// round robin over its queues that request this output": where queues are by output there is one;
// "RECN versions need one VC"; a shared pool would join the VCs.
#[test]
fn credits_shared_outputs_and_vcs_follow_from_the_scheme() {
    use SchemeKind::{Dbbm, OneQueue, Pfc, VoqNet, VoqPerVc, VoqSw};
    for name in SchemeKind::NAMES {
        let kind: SchemeKind = name.parse().expect("its own name");
        assert_eq!(kind.name(), *name);
        let scheme = scheme(kind, VoqSwOutput::LookAhead);
        assert_eq!(scheme.per_queue_credits, [VoqSw, VoqNet, Dbbm].contains(&kind), "{kind}");
        assert_eq!(scheme.queues_share_outputs(), [VoqNet, Dbbm].contains(&kind), "{kind}");
        let allow = [OneQueue, VoqSw, VoqNet, Dbbm, VoqPerVc, Pfc];
        assert_eq!(kind.allows_vcs(), allow.contains(&kind), "{kind}");
    }
}

// A wrong name is answered with the legal ones.
#[test]
fn an_unknown_scheme_is_named_with_the_legal_ones() {
    let error = "voq".parse::<SchemeKind>().expect_err("no such scheme");
    let text = error.to_string();
    assert!(text.starts_with("unknown queue scheme `voq`; legal: 1q, voq-sw"), "{text}");
}
