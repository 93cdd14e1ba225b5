//! What follows from a configuration: layouts with VCs, stages, lengths; and what is refused.

use crate::common::{Change, LINK, fabric, params, try_params};
use plan::scheme::PortView;
use plan::{
    CELLS_MAX, ConfigError, MemoryLayout, Organisation, SchemeKind, SwitchConfig, VoqNetMemory,
    VoqSwOutput,
};
use units::Span;

/// A port of a 4-port switch, behind which is another; 16 nodes.
const PORT: PortView = PortView { ports: 4, peer_ports: Some(4), nodes: 16 };

fn layout(queues: u32, classes: u32, class_cells: u32) -> MemoryLayout {
    MemoryLayout { cells: 64, queues, classes, class_cells }
}

/// The layout of an ingress port.
fn ingress(change: impl FnOnce(&mut SwitchConfig)) -> Result<MemoryLayout, ConfigError> {
    params(change).ingress_layout(PORT)
}

// "memories are in cells (`cell_bytes`, default 64)": 4 KiB are 64. "VOQ schemes: memory split
// equally over the queues"; "a VC has its own static share of the memory and its own credits".
#[test]
fn a_memory_is_split_over_what_has_credits_of_its_own() {
    let cases = [
        (SchemeKind::OneQueue, 1, layout(1, 1, 64)),
        (SchemeKind::VoqSw, 1, layout(4, 4, 16)),
        (SchemeKind::Damq, 1, layout(4, 1, 64)),
        (SchemeKind::OneQueue, 2, layout(2, 2, 32)),
        (SchemeKind::Dbbm, 2, layout(8, 8, 8)),
    ];
    for (scheme, vcs, expected) in cases {
        let found = ingress(|config| (config.scheme, config.vcs) = (scheme, vcs));
        assert_eq!(found, Ok(expected), "{scheme} with {vcs} VCs");
    }
    assert_eq!(MemoryLayout::single(64), layout(1, 1, 64));
    // "one queue with 1/P of the memory"
    let split = params(|config| {
        (config.scheme, config.voq_sw_output) = (SchemeKind::VoqSw, VoqSwOutput::SplitFifo);
    });
    assert_eq!(split.egress_layout(PORT), Ok(MemoryLayout::single(16)));
    // `oq`: "memories at outputs only": every input has the share of a port memory in it.
    let oq = params(|config| config.organisation = Organisation::Oq);
    assert_eq!(oq.shared_egress_layout(4), Ok(MemoryLayout::single(4 * 64)));
}

// "Where the equal share is below two packets a queue it is refused", "unless `voq_net.memory =
// "grow"`: then two packets a queue". Every queue of any scheme must hold the largest packet.
#[test]
fn a_queue_holds_a_packet_and_two_of_voq_net() {
    let with = |scheme, port_memory_bytes, voq_net_memory| {
        let layout = ingress(|config| {
            (config.scheme, config.port_memory_bytes) = (scheme, port_memory_bytes);
            config.voq_net_memory = voq_net_memory;
        });
        layout.map(|l| (l.cells, l.class_cells)).map_err(|error| error.to_string())
    };
    let (fixed, grow) = (VoqNetMemory::Fixed, VoqNetMemory::Grow);
    assert_eq!(with(SchemeKind::VoqNet, 2048, fixed), Ok((32, 2)));
    assert_eq!(with(SchemeKind::VoqNet, 1024, grow), Ok((32, 2)));
    assert_eq!(with(SchemeKind::VoqNet, 4096, grow), Ok((64, 4)));
    assert_eq!(with(SchemeKind::VoqSw, 256, fixed), Ok((4, 1)));
    let error = with(SchemeKind::VoqNet, 2047, fixed).expect_err("31 cells for 16 queues");
    assert!(error.ends_with("`voq_net.memory = \"grow\"` gives two packets a queue"), "{error}");
    let error = with(SchemeKind::VoqSw, 192, fixed).expect_err("3 cells for 4 queues");
    assert!(error.ends_with("a queue needs at least 1 cells"), "{error}");
}

// Next-slot registers name so many cells; queues have 16 bits.
#[test]
fn too_many_cells_or_queues_are_refused() {
    let with = |cells: u32| ingress(|config| config.port_memory_bytes = cells * 64);
    assert_eq!(with(CELLS_MAX).map(|l| l.cells), Ok(CELLS_MAX));
    let error = with(CELLS_MAX + 1).expect_err("65,535 cells").to_string();
    assert_eq!(error, "a port memory of 65535 cells; legal: at most 65534");
    let params = params(|config| {
        config.scheme = SchemeKind::VoqNet;
        config.voq_net_memory = VoqNetMemory::Grow;
    });
    let error = params.ingress_layout(PortView { nodes: 65_001, ..PORT }).expect_err("too many");
    assert_eq!(error.to_string(), "65001 queues a port; legal: at most 65000");
}

#[test]
fn what_follows_from_the_keys_of_a_switch() {
    // "`endnode.reply_vcs = true` doubles the VCs: replies travel in the upper half"
    for (reply_vcs, expected) in [(true, (4, 2)), (false, (2, 0))] {
        let params = params(|config| (config.vcs, config.reply_vcs) = (2, reply_vcs));
        assert_eq!((params.vcs, params.first_reply_vc()), expected);
    }
    // "A head that has been visible for more than `switch.wait_bound_packets` ... packet times"
    for (packets, bound) in [(Some(3), LINK * 3), (None, Span::MAX)] {
        assert_eq!(params(|config| config.wait_bound_packets = packets).wait_bound, bound);
    }
    // SAQs are there with a version of RECN only; only `recn-dd-iq` has a cold queue. "of an input,
    // round robin over its queues that request this output": with VCs there are several.
    let cases: [(Change, _, _, _); 5] = [
        (|_| {}, 0, false, false),
        (|c| c.scheme = SchemeKind::Recn, 4, false, false),
        (|c| (c.scheme, c.organisation) = (SchemeKind::RecnDdIq, Organisation::Iq), 4, true, false),
        (|c| c.vcs = 2, 0, false, true),
        (|c| c.scheme = SchemeKind::Dbbm, 0, false, true),
    ];
    for (change, saqs, moves, shared) in cases {
        let params = params(change);
        assert_eq!((params.saqs(), params.moves(), params.shared_outputs), (saqs, moves, shared));
    }
}

// "in ticks of link-phit time", which speedup 3/2 makes 3 ticks; "injection: lookup, enqueue". "a
// packet takes ceil(bytes/cell) cells", whole phits on link and crossbar.
#[test]
fn stages_and_packets_take_whole_phits() {
    let params = try_params(fabric((3, 2)), |_| {}).expect("legal");
    assert_eq!((params.stages.ingress, params.stages.injection), (Span(9), Span(6)));
    for (bytes, expected) in [(64, (1, Span(96), Span(64))), (65, (2, Span(99), Span(66)))] {
        let lengths = params.lengths(bytes);
        assert_eq!((lengths.cells, lengths.link, lengths.crossbar), expected);
    }
    // "`crossbar_overhead_bytes`: what each packet pays on the crossbar beside its own bytes"
    let params = self::params(|config| config.crossbar_overhead_bytes = 6);
    for bytes in [64, 20] {
        let lengths = params.lengths(bytes);
        assert_eq!(lengths.crossbar, lengths.link + Span(3));
    }
}

#[test]
fn what_a_network_has_not_is_refused() {
    // "`iq`: ... a speedup other than 1 is refused"
    let iq = |config: &mut SwitchConfig| config.organisation = Organisation::Iq;
    let error = try_params(fabric((3, 2)), iq).expect_err("refused");
    assert_eq!(error.to_string(), "organisation `iq` has no speedup; legal: 1");
    assert!(try_params(fabric((1, 1)), iq).is_ok());
    // "0 = out of band": of both kinds of control packets, or of none.
    for (credit, named) in [(0, 6), (6, 0)] {
        let mut fabric = fabric((1, 1));
        (fabric.control_packet_bytes, fabric.named_control_bytes) = (credit, named);
        assert!(try_params(fabric, |_| {}).is_err());
    }
}

// RECN has the memories that its version needs; `oq` is the reference for theory only; "RECN
// versions need one VC and source routes; more are refused, saying why"; VCs are 1 to 16, those of
// replies included; "Route, lookup and credit return may be 0": the others may not.
#[test]
fn what_does_not_go_together_is_refused() {
    let cases: [(Change, &str); 14] = [
        (|c| c.scheme = SchemeKind::RecnDdIq, "legal organisation: iq"),
        (
            |c| (c.scheme, c.organisation) = (SchemeKind::Recn, Organisation::Iq),
            "legal organisation: cioq",
        ),
        (
            |c| (c.scheme, c.organisation) = (SchemeKind::Recn, Organisation::Oq),
            "legal organisation: cioq",
        ),
        (
            |c| (c.scheme, c.organisation) = (SchemeKind::VoqSw, Organisation::Oq),
            "legal scheme: 1q",
        ),
        (|c| (c.vcs, c.organisation) = (2, Organisation::Oq), "legal `switch.vcs`: 1"),
        (|c| (c.scheme, c.vcs) = (SchemeKind::Recn, 2), "would join the virtual channels"),
        (|c| (c.scheme, c.vcs) = (SchemeKind::Damq, 2), "would join the virtual channels"),
        (|c| c.vcs = 0, "legal: 1 to 16"),
        (|c| c.vcs = 17, "legal: 1 to 16"),
        (|c| (c.vcs, c.reply_vcs) = (9, true), "legal: 1 to 16"),
        (|c| (c.vcs, c.reply_vcs) = (200, true), "legal: 1 to 16"),
        (|c| c.stages.enqueue = 0, "take at least 1 link-phit time"),
        (|c| c.stages.arbitration = 0, "take at least 1 link-phit time"),
        (|c| c.stages.crossbar = 0, "take at least 1 link-phit time"),
    ];
    for (change, part) in cases {
        let error = try_params(fabric((1, 1)), change).expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(params(|config| (config.vcs, config.reply_vcs) = (8, true)).vcs, 16);
    let none = params(|config| {
        let s = &mut config.stages;
        (s.route, s.lookup, s.credit_return) = (0, 0, 0);
    });
    assert_eq!(none.stages.ingress, Span(1));
}
