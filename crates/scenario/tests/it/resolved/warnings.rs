//! What is legal and warned of.

use super::with;
use std::fmt::Write as _;

const HOT: &str = "workload.hot.sources=16 workload.hot.destinations=32";
const MOVING: &str = "workload.moving.destinations=[32,33,34,35] workload.moving.dwell_ns=20000";
/// One SAQ: nothing else to warn of.
const RECN: &str = "recn.saqs=1 switch.scheme=recn";
const BASIC: &str = "recn.saqs=1 switch.scheme=recn-basic";
const DD: &str = "recn.saqs=1 switch.scheme=recn-dd";
const STRICT: &str = "switch.saq_priority=strict recn.saqs=1";
const LIPD: &str = "ecn.response=lipd ecn.marking=red";
const DCQCN: &str = "ecn.response=dcqcn ecn.marking=red";
const DD_IQ: &str = "recn.saqs=1 switch.scheme=recn-dd-iq switch.organisation=iq";
const KMIN: &str = "ecn.response=lipd ecn.marking=red switch.port_memory_bytes=16384 \
    ecn.red_kmax_bytes=40000";

// "`workload.hot.load=0` silently takes those nodes out of the random sources", "hot traffic that
// starts after the end of the run passes silently": all that is warned of is legal, points of a
// sweep and shortened runs have it, and it is reported. The snapshot has the sentences.
#[test]
fn what_is_seldom_meant_is_reported() {
    let mut found = String::new();
    for (keys, more) in [
        (HOT, "workload.hot.load=0.5"),
        (HOT, "workload.hot.load=0"),
        (HOT, "workload.hot.start_ns=99998"),
        (HOT, "workload.hot.start_ns=100000"),
        (HOT, "workload.hot.start_ns=800000"),
        // Source j starts at 20,000 + 10,000 j: 8 of 16 before the end.
        (HOT, "workload.hot.start_ns=20000 workload.hot.step_ns=10000"),
        // Hot spots that move do so for some time: a warning says if a run has only the first.
        // Here the last two start at 100,000 and 120,000 ns.
        (MOVING, ""),
        (MOVING, "workload.moving.start_ns=60000"),
        (MOVING, "workload.moving.load=0"),
        (MOVING, "workload.moving.start_ns=100000"),
        // The key is of the versions with tokens.
        (BASIC, "recn.root_xoff_packets=8"),
        (RECN, "recn.root_xoff_packets=8"),
        (DD, "recn.root_xoff_packets=8"),
        (DD, "recn.root_xoff_packets=off"),
        (DD_IQ, "recn.root_xoff_packets=8"),
        (DD_IQ, "recn.root_xoff_packets=off"),
        // "`strict`: normal queues first, always": it changes nothing where there are no SAQs, and
        // where no head is ever overdue.
        (STRICT, "switch.scheme=voq-sw"),
        (STRICT, "switch.wait_bound_packets=none"),
        (STRICT, ""),
        // A response without marks, a curve that a memory never reaches, and a rate that is longer
        // than the run: packets of 64 bytes, 1 byte/ns, 100,000 ns are 1,562 packet times.
        (LIPD, ""),
        (DCQCN, ""),
        (LIPD, "ecn.marking=none"),
        (DCQCN, "ecn.marking=none"),
        (KMIN, "ecn.red_kmin_bytes=16383"),
        (KMIN, "ecn.red_kmin_bytes=16384"),
        (LIPD, "ecn.rate_ratio=1562"),
        (LIPD, "ecn.rate_ratio=1563"),
    ] {
        let warnings = with(&format!("{keys} {more}")).warnings();
        let _ = writeln!(found, "{keys} {more}: {warnings:#?}");
    }
    insta::assert_snapshot!(found);
}
