//! Wrong workloads.

use super::common::{build, full, hot, ratio, with_hot};
use workload::{Arrivals, GroupConfig, Pattern, Sources, WorkloadConfig};

// Wrong input: an error of its own kind, with the key, what was given and what is legal.
#[test]
fn wrong_workloads_are_refused() {
    let hot_of = |sources, destinations: &[u32]| with_hot("1", hot(sources, destinations));
    let (count, share) = (Sources::Count, |text| Sources::Share(ratio(text)));
    let list = |nodes: &[u32]| Sources::List(nodes.to_vec());
    let group = |change: fn(&mut GroupConfig)| {
        let mut group = hot(Sources::Count(3), &[1]);
        change(&mut group);
        WorkloadConfig { groups: vec![group], ..WorkloadConfig::default() }
    };
    let twice = WorkloadConfig { groups: vec![hot(count(1), &[1])], ..hot_of(count(1), &[1]) };
    let fixed = GroupConfig { pattern: Pattern::Fixed, ..hot(count(2), &[1]) };
    let rare = WorkloadConfig {
        arrivals: Arrivals::Bernoulli,
        load: Some(ratio("1/1000001")),
        ..WorkloadConfig::default()
    };
    let tornado = WorkloadConfig { pattern: Pattern::Tornado, destinations: vec![1], ..full() };
    let cases = [
        (with_hot("3/2", hot(count(1), &[1])), "load: 3/2 given; legal: 0 to 1"),
        (rare, "load: 1/1000001 given with bernoulli arrivals; legal: 0, or 1/1000000 to 1"),
        (tornado, "destinations: 1 destinations given for `tornado`; legal: none"),
        (
            hot_of(count(1), &[]),
            "hot.destinations: 0 destinations given for `hot`; legal: 1 or more",
        ),
        (hot_of(count(1), &[64]), "hot.destinations: node 64 given; legal: 0 to 63"),
        (hot_of(list(&[64]), &[1]), "hot.sources: node 64 given; legal: 0 to 63"),
        (hot_of(list(&[5, 3, 5]), &[1]), "hot.sources: node 5 given twice; legal: each node once"),
        (hot_of(list(&[1]), &[1]), "hot.destinations: node 1 would send to itself; legal: another"),
        (hot_of(count(64), &[1]), "hot.sources: 64 sources given; legal: 1 to 63"),
        (hot_of(count(0), &[1]), "hot.sources: 0 sources given; legal: 1 to 63"),
        (hot_of(share("1"), &[1]), "hot.share: 64 sources given; legal: 1 to 63"),
        (hot_of(share("1/100"), &[1]), "hot.share: 1/100 of 64 nodes given; legal: 1/64 to 1"),
        (hot_of(share("5/4"), &[1]), "hot.share: 5/4 of 64 nodes given"),
        (
            with_hot("1", fixed),
            "hot.destinations: 1 destinations given for `fixed`; legal: 2, one for each source",
        ),
        (
            twice,
            "group[0].name: `hot` given; legal: a name that is not empty, not `delivered` or \
             `victims`, and that no other group has",
        ),
        (
            group(|g| (g.start_ns, g.end_ns) = (5, Some(5))),
            "group[0].end_ns: 5 given; legal: more than the start, 5",
        ),
        (
            group(|g| (g.start_ns, g.step_ns) = (5, u64::MAX)),
            "group[0].start_ns: 5 ns given; legal: what 64 bits of ticks hold",
        ),
        (
            group(|g| g.reply_bytes = Some(0)),
            "group[0].reply_bytes: 0 given; legal: 1 to 16777216 bytes",
        ),
        (
            group(|g| (g.reply_bytes, g.window) = (Some(64), Some(0))),
            "group[0].window: 0 given; legal: 1 or more requests",
        ),
        (
            group(|g| g.window = Some(4)),
            "group[0].window: given without workload.group[0].reply_bytes; legal: both, or neither",
        ),
        (
            group(|g| (g.reply_bytes, g.think_ns) = (Some(64), 1)),
            "group[0].think_ns: given without workload.group[0].window",
        ),
        (
            group(|g| g.reply_delay_ns = 1),
            "group[0].reply_delay_ns: given without workload.group[0].reply_bytes",
        ),
    ];
    for (config, text) in cases {
        let error = build(&config, 64).unwrap_err();
        assert!(error.to_string().starts_with(&format!("workload.{text}")), "{error}");
        let key = text.split(": ").next().unwrap();
        assert_eq!(error.key(), format!("workload.{key}"), "{error}");
    }
    let error = build(&WorkloadConfig::default(), 0).unwrap_err();
    assert_eq!(error.key(), "network.nodes");
}
