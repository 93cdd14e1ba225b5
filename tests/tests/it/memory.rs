//! Does a run report what its markers cost? Formulas and tables: docs/memory-cost.md,
//! docs/memory-table.md; all other bits: `oracle.rs`.

use observe::MemoryBits;
use setaside_tests::metamorphic::{record, scenario};

/// A BMIN of 64 nodes: switches of 8 ports in three stages; memories of 4 cells.
const TEXT: &str = r#"
network = { topology = "bmin", nodes = 64 }
switch = { organisation = "iq", scheme = "1q", port_memory_bytes = 256, cell_bytes = 64 }
ecn = { response = "none", window = "unbounded" }
workload = { load = 0.5 }
run = { duration_ns = 100, warmup_ns = 0 }
"#;

/// cnt1 and cnt2 of an output hold the packets of all inputs; a time without marks needs a flag and
/// a timer.
#[test]
fn the_marker_has_two_counters_an_output() {
    let with = |sets: &[&str]| -> MemoryBits {
        record(&scenario(TEXT, sets).build().expect("legal")).summary.memory
    };
    let plain = with(&["ecn.marking=none"]);
    assert_eq!(plain.port_marker_bits, 0);
    assert_eq!(with(&["ecn.marking=naive"]).port_marker_bits, 0);
    let counting = with(&["ecn.marking=input-triggered"]);
    // 8 ports of 4 cells: 0 to 32 in 6 bits.
    assert_eq!(counting.port_marker_bits, 2 * 6);
    let control = counting.switch_control_bits - plain.switch_control_bits;
    assert_eq!(control, 8 * 2 * 6);
    let calm = with(&["ecn.marking=input-triggered", "ecn.calm_ns=2000"]);
    assert!(calm.port_marker_bits > 2 * 6 + 1, "{calm:?}");
}
