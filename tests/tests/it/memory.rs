//! Does a run say what its markers cost? Formulas and tables: docs/memory-cost.md,
//! docs/memory-table.md; all other bits: `oracle.rs`.

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
