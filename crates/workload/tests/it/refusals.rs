//! Wrong workloads.

use super::build::{build, hot, ratio, with_hot};
use workload::{Arrivals, GroupConfig, Pattern, Sources, WorkloadConfig};

// Wrong input: an error of its own kind, with the key, what was given and what is legal.
#[test]
fn wrong_workloads_are_refused() {
    let count = Sources::Count;
    let groups = |groups| WorkloadConfig { groups, ..WorkloadConfig::default() };
    let fixed = GroupConfig { pattern: Pattern::Fixed, ..hot(count(2), &[1]) };
    let cases: Vec<(WorkloadConfig, &str, &str)> = vec![
        (with_hot("3/2", hot(count(1), &[1])), "workload.load", "3/2 given; legal: 0 to 1"),
        (
            with_hot("1", hot(count(1), &[])),
            "workload.hot.destinations",
            "0 destinations given for `hot`; legal: 1 or more",
        ),
        (
            with_hot("1", hot(count(1), &[64])),
            "workload.hot.destinations",
            "node 64 given; legal: 0 to 63",
        ),
        (
            with_hot("1", hot(Sources::List(vec![64]), &[1])),
            "workload.hot.sources",
            "node 64 given; legal: 0 to 63",
        ),
        (
            with_hot("1", hot(Sources::List(vec![5, 3, 5]), &[1])),
            "workload.hot.sources",
            "node 5 given twice",
        ),
        (
            with_hot("1", hot(Sources::List(vec![1]), &[1])),
            "workload.hot.destinations",
            "node 1 would send to itself",
        ),
        (
            with_hot("1", hot(count(64), &[1])),
            "workload.hot.sources",
            "64 sources given; legal: 1 to 63",
        ),
        (
            with_hot("1", hot(count(0), &[1])),
            "workload.hot.sources",
            "0 sources given; legal: 1 to 63",
        ),
        (
            with_hot("1", hot(Sources::Share(ratio("1")), &[1])),
            "workload.hot.share",
            "64 sources given; legal: 1 to 63",
        ),
        (
            with_hot("1", hot(Sources::Share(ratio("1/100")), &[1])),
            "workload.hot.share",
            "1/100 of 64 nodes given",
        ),
        (
            with_hot("1", hot(Sources::Share(ratio("5/4")), &[1])),
            "workload.hot.share",
            "5/4 of 64 nodes given",
        ),
        (
            with_hot("1", fixed),
            "workload.hot.destinations",
            "1 destinations given for `fixed`; legal: 2, one for each source",
        ),
        (
            groups(vec![hot(count(1), &[1]), hot(count(1), &[1])]),
            "workload.group[1].name",
            "`hot` given; legal: a name that is not empty, not `delivered` or `victims`, and that no other group has",
        ),
        (
            groups(vec![GroupConfig { start_ns: 5, end_ns: Some(5), ..hot(count(1), &[1]) }]),
            "workload.group[0].end_ns",
            "5 given; legal: more than the start, 5",
        ),
        (
            groups(vec![GroupConfig { start_ns: 5, step_ns: u64::MAX, ..hot(count(3), &[1]) }]),
            "workload.group[0].start_ns",
            "legal: what 64 bits of ticks hold",
        ),
        (
            groups(vec![GroupConfig { reply_bytes: Some(0), ..hot(count(1), &[1]) }]),
            "workload.group[0].reply_bytes",
            "0 given; legal: 1 to 16777216 bytes",
        ),
        (
            groups(vec![GroupConfig {
                reply_bytes: Some(64),
                window: Some(0),
                ..hot(count(1), &[1])
            }]),
            "workload.group[0].window",
            "0 given; legal: 1 or more requests",
        ),
        (
            groups(vec![GroupConfig { window: Some(4), ..hot(count(1), &[1]) }]),
            "workload.group[0].window",
            "given without workload.group[0].reply_bytes; legal: both, or neither",
        ),
        (
            groups(vec![GroupConfig { reply_bytes: Some(64), think_ns: 1, ..hot(count(1), &[1]) }]),
            "workload.group[0].think_ns",
            "given without workload.group[0].window",
        ),
        (
            groups(vec![GroupConfig { reply_delay_ns: 1, ..hot(count(1), &[1]) }]),
            "workload.group[0].reply_delay_ns",
            "given without workload.group[0].reply_bytes",
        ),
        (
            WorkloadConfig {
                arrivals: Arrivals::Bernoulli,
                load: Some(ratio("1/1000001")),
                ..WorkloadConfig::default()
            },
            "workload.load",
            "legal: 0, or 1/1000000 to 1",
        ),
        (
            WorkloadConfig {
                pattern: Pattern::Tornado,
                destinations: vec![1],
                ..WorkloadConfig::default()
            },
            "workload.destinations",
            "1 destinations given for `tornado`; legal: none",
        ),
    ];
    for (config, key, text) in cases {
        let error = build(&config, 64).unwrap_err();
        assert_eq!(error.key(), key, "{error}");
        assert!(error.to_string().contains(text), "{error}");
        assert!(error.to_string().starts_with(key), "{error}");
    }
    let error = build(&WorkloadConfig::default(), 0).unwrap_err();
    assert_eq!(error.key(), "network.nodes");
}
