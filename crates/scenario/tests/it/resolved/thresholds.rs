//! The thresholds of SAQs.

use super::{refused, sets, with};
use scenario::Scenario;

/// (detection egress, detection ingress, propagation, Xoff, Xon) as printed.
fn thresholds(texts: &[&str]) -> [u32; 5] {
    let scenario = with(texts);
    ["detection_egress", "detection_ingress", "propagation", "xoff", "xon"]
        .map(|name| scenario.get(&format!("recn.{name}_packets")).unwrap().parse().unwrap())
}

// recn.md, Default thresholds: the table, and "Where only `xoff_packets` is given: propagation =
// min(row, Xoff), Xon = min(row, Xoff / 2)."
#[test]
fn thresholds_follow_memory_and_xoff() {
    assert_eq!(thresholds(&[]), [10, 10, 10, 10, 5]);
    assert_eq!(thresholds(&["switch.port_memory_bytes=131072"]), [20, 20, 20, 20, 10]);
    assert_eq!(thresholds(&["switch.port_memory_bytes=4096"]), [5, 5, 5, 10, 5]);
    assert_eq!(thresholds(&["recn.xoff_packets=5"]), [10, 10, 5, 5, 2]);
    assert_eq!(thresholds(&["recn.xoff_packets=40"]), [10, 10, 10, 40, 5]);
    assert_eq!(thresholds(&["recn.xoff_packets=1"]), [10, 10, 1, 1, 0]);
    assert_eq!(thresholds(&["recn.xoff_packets=20", "recn.xon_packets=20"]), [10, 10, 10, 20, 20]);
}

// "`detection_packets` sets both"
#[test]
fn detection_packets_sets_both() {
    assert_eq!(thresholds(&["recn.detection_packets=3"])[..2], [3, 3]);
    assert_eq!(
        thresholds(&["recn.detection_packets=3", "recn.detection_egress_packets=7"])[..2],
        [7, 3]
    );
    // What comes later wins over a resolved file, which has the two and not the one.
    let resolved = with(&[]).resolved_toml();
    let again =
        Scenario::parse(&resolved, "r", None, &sets(&["recn.detection_packets=3"])).unwrap();
    assert_eq!(again.get("recn.detection_egress_packets").unwrap(), "3");
}

// "Propagation above Xoff refused, Xon above Xoff refused."
#[test]
fn thresholds_out_of_order_are_refused() {
    assert!(
        refused(&["recn.xoff_packets=5", "recn.xon_packets=6"])
            .contains("Xon 6 packets is above Xoff 5")
    );
    assert!(
        refused(&["recn.xoff_packets=5", "recn.propagation_packets=6"])
            .contains("propagation at 6 packets is above Xoff at 5")
    );
}
