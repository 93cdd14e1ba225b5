//! What is legal and warned of.

use super::with;

const HOT: &[&str] = &["workload.hot.sources=16", "workload.hot.destinations=32"];
const MOVING: &[&str] =
    &["workload.moving.destinations=[32, 33, 34, 35]", "workload.moving.dwell_ns=20000"];
/// One SAQ: nothing else to warn of.
const RECN: &[&str] = &["recn.saqs=1", "switch.scheme=recn"];
const BASIC: &[&str] = &["recn.saqs=1", "switch.scheme=recn-basic"];
const DD: &[&str] = &["recn.saqs=1", "switch.scheme=recn-dd"];
const STRICT: &[&str] = &["switch.saq_priority=strict", "recn.saqs=1"];
const LIPD: &[&str] = &["ecn.response=lipd", "ecn.marking=red"];
const DCQCN: &[&str] = &["ecn.response=dcqcn", "ecn.marking=red"];
const DD_IQ: &[&str] = &["recn.saqs=1", "switch.scheme=recn-dd-iq", "switch.organisation=iq"];
const KMIN: &[&str] = &[
    "ecn.response=lipd",
    "ecn.marking=red",
    "switch.port_memory_bytes=16384",
    "ecn.red_kmax_bytes=40000",
];

// "`workload.hot.load=0` silently takes those nodes out of the random sources", "hot traffic that
// starts after the end of the run passes silently": all that is warned of is legal, points of a
// sweep and shortened runs have it, and it is reported.
#[test]
fn what_is_seldom_meant_is_reported() {
    // Keys of a group of rows, further ones, and the warning: none, or one sentence.
    let cases: &[(&[&str], &str, &str)] = &[
        (HOT, "workload.hot.load=0.5", ""),
        (
            HOT,
            "workload.hot.load=0",
            "workload.hot.load = 0: the sources of group `hot` send nothing, and are kept out of \
             the random sources all the same; a scenario without [workload.hot] has them send \
             random traffic",
        ),
        (HOT, "workload.hot.start_ns=99998", ""),
        (
            HOT,
            "workload.hot.start_ns=100000",
            "workload.hot.start_ns = 100000: the run ends at 100000 ns, so nothing of group `hot` \
             is measured, and its sources are kept out of the random sources all the same",
        ),
        (
            HOT,
            "workload.hot.start_ns=800000",
            "workload.hot.start_ns = 800000: the run ends at 100000 ns, so nothing of group `hot` \
             is measured, and its sources are kept out of the random sources all the same",
        ),
        // Source j starts at 20,000 + 10,000 j: 8 of 16 before the end.
        (
            HOT,
            "workload.hot.start_ns=20000 workload.hot.step_ns=10000",
            "workload.hot.step_ns = 10000: the run ends at 100000 ns, before 8 of the 16 sources \
             of group `hot` start",
        ),
        // Hot spots that move do so for some time: a warning says if a run has only the first.
        // Here the last two start at 100,000 and 120,000 ns.
        (MOVING, "", ""),
        (
            MOVING,
            "workload.moving.start_ns=60000",
            "workload.moving.period_ns = 20000: the run ends at 100000 ns, before 2 of the 4 \
             destinations become hot",
        ),
        (
            MOVING,
            "workload.moving.load=0",
            "workload.moving.load = 0: the sources of group `moving` send nothing, and are kept \
             out of the random sources all the same; a scenario without [workload.moving] has \
             them send random traffic",
        ),
        (
            MOVING,
            "workload.moving.start_ns=100000",
            "workload.moving.start_ns = 100000: the run ends at 100000 ns, so nothing of group \
             `moving` is measured, and its sources are kept out of the random sources all the \
             same",
        ),
        // The key is of the versions with tokens.
        (BASIC, "recn.root_xoff_packets=8", ""),
        (RECN, "recn.root_xoff_packets=8", ""),
        (
            DD,
            "recn.root_xoff_packets=8",
            "recn.root_xoff_packets has no effect with `recn-dd`: only `recn-basic` and `recn` \
             read it",
        ),
        (DD, "recn.root_xoff_packets=off", ""),
        (
            DD_IQ,
            "recn.root_xoff_packets=8",
            "recn.root_xoff_packets has no effect with `recn-dd-iq`: only `recn-basic` and `recn` \
             read it",
        ),
        (DD_IQ, "recn.root_xoff_packets=off", ""),
        // "`strict`: normal queues first, always": it changes nothing where there are no SAQs, and
        // where no head is ever overdue.
        (
            STRICT,
            "switch.scheme=voq-sw",
            "switch.saq_priority = \"strict\" has no effect: `voq-sw` has no SAQs",
        ),
        (
            STRICT,
            "switch.wait_bound_packets=none",
            "switch.saq_priority = \"strict\" has no effect: without a waiting bound no head is \
             ever overdue",
        ),
        (STRICT, "", ""),
        // A response without marks, a curve that a memory never reaches, and a rate that is longer
        // than the run: packets of 64 bytes, 1 byte/ns, 100,000 ns are 1,562 packet times.
        (LIPD, "", ""),
        (DCQCN, "", ""),
        (
            LIPD,
            "ecn.marking=none",
            "ecn.response = \"lipd\" with ecn.marking = \"none\": no packet is marked, so no rate \
             falls",
        ),
        (
            DCQCN,
            "ecn.marking=none",
            "ecn.response = \"dcqcn\" with ecn.marking = \"none\": no packet is marked, so no \
             rate falls",
        ),
        (KMIN, "ecn.red_kmin_bytes=16383", ""),
        (
            KMIN,
            "ecn.red_kmin_bytes=16384",
            "ecn.red_kmin_bytes = 16384: a port memory of 16384 bytes never holds more, so no \
             packet is marked",
        ),
        (LIPD, "ecn.rate_ratio=1562", ""),
        (
            LIPD,
            "ecn.rate_ratio=1563",
            "ecn.response = \"lipd\": at its lowest rate a source starts a packet every 100032 \
             ns, which is longer than the run",
        ),
    ];
    for (keys, more, warning) in cases {
        let found =
            with(&[*keys, &Vec::from_iter(more.split_whitespace())[..]].concat()).warnings();
        let expected = if warning.is_empty() { vec![] } else { vec![*warning] };
        assert_eq!(found, expected, "{keys:?} {more}");
    }
}
