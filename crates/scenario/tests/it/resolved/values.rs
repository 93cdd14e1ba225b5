//! Values of keys: those given, and those that follow from others.

use super::{BASE, hierarchical, of, with};

/// Detection at egress and ingress, propagation, Xoff, Xon.
const THRESHOLDS: &[&str] = &[
    "recn.detection_egress_packets",
    "recn.detection_ingress_packets",
    "recn.propagation_packets",
    "recn.xoff_packets",
    "recn.xon_packets",
];
const QUEUES: &[&str] = &["switch.queues", "switch.scheme"];
const HIERARCHICAL: &str = hierarchical::BASE;

/// A scenario, keys, and rows: what is set over it, apart by blanks, and what the keys come to,
/// apart by commas, empty where they have no value.
type Case<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, &'a str)]);

#[test]
fn keys_come_to_their_values() {
    let any_nodes = BASE.replace("network.nodes = 64\n", "");
    let resolved = with("").resolved_toml();
    let racks = of(HIERARCHICAL, "").unwrap().resolved_toml();
    let cases: &[Case<'_>] = &[
        // "--set values are parsed as TOML, else taken as a string"
        (
            BASE,
            &["switch.speedup"],
            &[
                ("switch.speedup=3/2", "1.5"),
                ("switch.speedup=\"3/2\"", "1.5"),
                ("switch.speedup=1.5", "1.5"),
                ("switch.speedup=1.50", "1.5"),
                ("switch.speedup=4/3", "\"4/3\""),
                ("switch.speedup=2", "2"),
            ],
        ),
        (BASE, &["switch.scheme"], &[("switch.scheme=1q", "\"1q\"")]),
        (
            BASE,
            &["endnode.admittance_bytes"],
            &[("", "4096"), ("endnode.admittance_bytes=unbounded", "\"unbounded\"")],
        ),
        // The last one wins.
        (BASE, &["run.seed"], &[("run.seed=1_000", "1000"), ("run.seed=1 run.seed=2", "2")]),
        (
            &any_nodes,
            &["network.nodes", "switch.ports"],
            &[
                ("network.topology=mesh network.width=4", "16,5"),
                ("network.topology=k-ary-n-tree network.k=3 network.n=2", "9,6"),
                ("network.topology=single-switch", "16,16"),
                ("network.topology=single-switch switch.ports=5", "5,5"),
                ("network.topology=single-switch switch.ports=5 network.nodes=5", "5,5"),
            ],
        ),
        // "`switch.wait_bound_packets` (default 8 x ports; \"none\" = without)"
        (
            BASE,
            &["switch.wait_bound_packets"],
            &[
                ("", "64"),
                ("network.topology=single-switch network.nodes=16 switch.scheme=voq-sw", "128"),
                ("switch.wait_bound_packets=5", "5"),
                ("switch.wait_bound_packets=none", "\"none\""),
            ],
        ),
        // recn.md, Default thresholds: the table, "other sizes take the row of the next smaller
        // memory", and "Where only `xoff_packets` is given: propagation = min(row, Xoff), Xon =
        // min(row, Xoff / 2)."
        (
            BASE,
            THRESHOLDS,
            &[
                ("", "10,10,10,10,5"),
                ("switch.port_memory_bytes=131071", "10,10,10,10,5"),
                ("switch.port_memory_bytes=131072", "20,20,20,20,10"),
                ("switch.port_memory_bytes=4194176", "20,20,20,20,10"),
                ("switch.port_memory_bytes=32767", "5,5,5,10,5"),
                ("switch.port_memory_bytes=4096", "5,5,5,10,5"),
                ("switch.port_memory_bytes=64", "5,5,5,10,5"),
                ("recn.xoff_packets=5", "10,10,5,5,2"),
                ("recn.xoff_packets=40", "10,10,10,40,5"),
                ("recn.xoff_packets=1", "10,10,1,1,0"),
                ("recn.xoff_packets=20 recn.xon_packets=20", "10,10,10,20,20"),
                // "`detection_packets` sets both"
                ("recn.detection_packets=3", "3,3,10,10,5"),
                ("recn.detection_packets=3 recn.detection_egress_packets=7", "7,3,10,10,5"),
            ],
        ),
        (
            BASE,
            THRESHOLDS,
            &[
                ("switch.organisation=iq switch.scheme=recn-dd-iq", "5,5,10,10,5"),
                (
                    "switch.organisation=iq switch.scheme=1q switch.port_memory_bytes=64",
                    "5,5,10,10,5",
                ),
            ],
        ),
        // A later setting overrides a resolved file, which has the two and not the one.
        (&resolved, THRESHOLDS, &[("recn.detection_packets=3", "3,3,10,10,5")]),
        // "switch.queues: voq-per-vc or fifo-per-vc"; the scheme means the same.
        (
            HIERARCHICAL,
            QUEUES,
            &[
                ("", "\"voq-per-vc\",\"voq-per-vc\""),
                ("switch.queues=fifo-per-vc", "\"fifo-per-vc\",\"1q\""),
                ("switch.scheme=1q", "\"fifo-per-vc\",\"1q\""),
                (
                    "switch.queues=fifo-per-vc switch.scheme=voq-per-vc",
                    "\"voq-per-vc\",\"voq-per-vc\"",
                ),
                ("switch.scheme=dbbm", ",\"dbbm\""),
            ],
        ),
        (&racks, QUEUES, &[("switch.queues=fifo-per-vc", "\"fifo-per-vc\",\"1q\"")]),
        (HIERARCHICAL, &["routing.threshold"], &[("routing.algorithm=lar", "0.6")]),
        // More channels than are needed are legal, and replies have as many of their own; whole
        // cells: a packet of 65 bytes takes two.
        (
            HIERARCHICAL,
            &["switch.vcs", "switch.port_memory_bytes"],
            &[
                ("routing.vc_scheme=global-count routing.local_routes=dimension-order", "2,8192"),
                ("switch.vcs=5", "5,20480"),
                ("endnode.reply_vcs=true", "4,32768"),
                ("link.packet_bytes=65", "4,32768"),
            ],
        ),
    ];
    for (base, keys, rows) in cases {
        for (sets, expected) in *rows {
            let scenario = of(base, sets).unwrap_or_else(|errors| panic!("{errors}"));
            let values = keys.iter().map(|key| scenario.get(key).unwrap_or_default());
            assert_eq!(Vec::from_iter(values).join(","), *expected, "{sets}");
        }
    }
}
