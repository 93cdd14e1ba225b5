//! Does a run say what its ports cost? Formulas and tables: docs/memory-cost.md,
//! docs/memory-table.md.

use ecn::marking::{Marking, WaitsUntil};
use fabric::{Engine, Run};
use observe::MemoryBits;
use plan::{EcnConfig, Organisation, SchemeKind, SwitchConfig};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use topology::TopologyConfig;
use units::Span;
use workload::WorkloadConfig;

/// A BMIN of 64 nodes: switches of 8 ports in three stages.
fn memory_of(switch: SwitchConfig) -> MemoryBits {
    let bmin = network(&TopologyConfig::Bmin { nodes: 64 }, false);
    let workload = WorkloadConfig { load: Some(ratio(1, 2)), ..WorkloadConfig::default() };
    let config = fabric_config(bmin, switch, ratio(1, 1), &workload, 100, 1);
    let run = Run::new(&config, Engine::Fast).expect("legal");
    run.finish(0.0).0.summary.memory
}

/// "`iq_egress_lines` [...] `true`: the output also has CAM lines without queues" (recn.md): they
/// cost bits; the register of the last sender is not read then.
#[test]
fn egress_lines_cost_bits() {
    let with = |lines: bool| {
        let mut switch = switch_config(SchemeKind::RecnDdIq);
        switch.organisation = Organisation::Iq;
        switch.recn.iq_egress_lines = lines;
        memory_of(switch)
    };
    let (without, with) = (with(false), with(true));
    // Of an extended pool: 128 bits of turns, as many of mask, V, B, R.
    let line = 2 * 128 + 3;
    assert_eq!(without.port_cam_bits, 8 * line);
    assert_eq!(with.port_cam_bits, 2 * 8 * line);
    assert_eq!(with.port_saq_bits + 4, without.port_saq_bits);
    assert_eq!(with.queues_egress, 0, "lines without queues");
    let control = |m: &MemoryBits| {
        let port = m.port_queue_bits + m.port_cam_bits + m.port_saq_bits + m.port_credit_bits;
        assert_eq!(m.port_marker_bits, 0);
        assert_eq!(m.port_control_bits(), port);
        port
    };
    for memory in [&without, &with] {
        assert_eq!(memory.switch_control_bits, 8 * control(memory));
    }
}

/// cnt1 and cnt2 of an output hold the packets of all inputs; a time without marks needs a flag and
/// a timer.
#[test]
fn the_marker_has_two_counters_an_output() {
    let with = |marking: Marking, calm: u64| {
        let mut switch = switch_config(SchemeKind::OneQueue);
        switch.organisation = Organisation::Iq;
        (switch.port_memory_bytes, switch.cell_bytes) = (256, 64);
        switch.ecn = Some(EcnConfig {
            marking,
            cut_through_occupies_slot: false,
            waits_until: WaitsUntil::Start,
            input_threshold_packets: None,
            calm: Span(calm),
        });
        memory_of(switch)
    };
    let plain = with(Marking::None, 0);
    assert_eq!(plain.port_marker_bits, 0);
    assert_eq!(with(Marking::Naive, 0).port_marker_bits, 0);
    let counting = with(Marking::InputTriggered, 0);
    // 8 ports of 4 cells: 0 to 32 in 6 bits.
    assert_eq!(counting.port_marker_bits, 2 * 6);
    let control = counting.switch_control_bits - plain.switch_control_bits;
    assert_eq!(control, 8 * 2 * 6);
    let calm = with(Marking::InputTriggered, 1_000);
    assert!(calm.port_marker_bits > 2 * 6 + 1, "{calm:?}");
}

/// Registers beside the CAM are counted once a SAQ: twice the SAQs, twice the bits but for what
/// ports have anyway.
#[test]
fn saq_registers_grow_with_saqs() {
    for scheme in
        [SchemeKind::RecnBasic, SchemeKind::Recn, SchemeKind::RecnDd, SchemeKind::RecnDdIq]
    {
        let bits = |saqs: u8| {
            let mut switch = switch_config(scheme);
            if scheme == SchemeKind::RecnDdIq {
                switch.organisation = Organisation::Iq;
            }
            switch.recn.saqs = saqs;
            memory_of(switch)
        };
        let (none, four, eight) = (bits(0), bits(4), bits(8));
        assert_eq!((none.port_saq_bits, none.port_cam_bits), (0, 0), "{scheme}");
        assert!(eight.port_saq_bits > four.port_saq_bits, "{scheme}");
        // A line's own registers are some 30 bits or more on each side that has SAQs.
        assert!(eight.port_saq_bits - four.port_saq_bits >= 4 * 30, "{scheme}: {eight:?}");
        assert_eq!(eight.port_credit_bits, four.port_credit_bits, "{scheme}");
    }
    let without = memory_of(switch_config(SchemeKind::VoqNet));
    assert_eq!((without.port_saq_bits, without.port_cam_bits), (0, 0));
    // 64 classes for the next memory and for the own, 8 cells each.
    assert_eq!(without.port_credit_bits, 2 * 64 * 4);
}
