//! Whole workloads.

use super::common::{build, full, hot, messages, ratio, scale, with_hot};
use proptest::prelude::*;
use units::{Ratio, Tick, TimeBase};
use workload::{
    Arrivals, GroupConfig, Message, MessageBytes, Pattern, Placement, Sources, WorkloadConfig,
};

// garcia-trees-2005: "Sudden: all from 800 us to 1100 us", at 100 %, "nothing before and after"
// (case 3); "Incremental: one more every 20 us, each for 300 us, the first at 800 us" (1 and 2).
#[test]
fn hot_sources_fill_their_windows() {
    let sources = [2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58, 62];
    for (given, step_ns) in [(Sources::Share(ratio("0.25")), 0), (Sources::Count(16), 20_000)] {
        let group = GroupConfig {
            start_ns: 800_000,
            end_ns: Some(1_100_000),
            step_ns,
            ..hot(given, &[32])
        };
        let base = TimeBase::new(2, Ratio::ONE, ratio("1.5")).unwrap();
        let workload = with_hot("0.5", group).build(64, &base, 1).unwrap();
        assert_eq!(workload.summaries[1].sources, sources);
        for (j, node) in (0..).zip(sources) {
            let sent = messages(&workload, node, 1, 1_000_000);
            let [start, end] =
                [800_000, 1_100_000].map(|ns| Tick::ZERO + base.ns_to_ticks_ceil(ns + j * step_ns));
            let is_right =
                |m: &Message| (start..end).contains(&m.tick) && m.destination == 32 && m.group == 1;
            assert!(sent.iter().all(is_right));
            let whole = (end - start) / base.link_ticks(64);
            assert!((sent.len() as u64).abs_diff(whole) <= 1, "{}", sent.len());
            assert!(messages(&workload, node, 0, 1).is_empty());
        }
        assert_eq!(workload.summaries[0].sources.len(), 48);
        assert_eq!(workload.generators.len(), 64);
        assert!(workload.generators.is_sorted_by_key(|g| g.0));
    }
}

// Case 5 as four groups of 6.25 %: 32 sources each, no node in two, none a destination of any.
#[test]
fn four_groups_share_the_nodes() {
    let list = [32, 201, 428, 500];
    let group = |i: usize| GroupConfig {
        name: format!("hot{i}"),
        ..hot(Sources::Share(ratio("0.0625")), &list[i..=i])
    };
    let config = WorkloadConfig { groups: (0..4).map(group).collect(), ..full() };
    let workload = build(&config, 512).unwrap();
    assert_eq!(workload.groups, ["random", "hot0", "hot1", "hot2", "hot3"]);
    assert_eq!(
        workload.summaries.iter().map(|s| s.sources.len()).collect::<Vec<_>>(),
        [384, 32, 32, 32, 32]
    );
    let mut all: Vec<u32> = workload.summaries.iter().flat_map(|s| s.sources.clone()).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..512));
    for (group, summary) in (1_u8..).zip(&workload.summaries[1..]) {
        for &node in &summary.sources {
            assert!(!list.contains(&node));
            assert_eq!(
                messages(&workload, node, group, 1)[0].destination,
                list[usize::from(group) - 1]
            );
        }
    }
}

// The tree experiment: a list keeps its order, and may hold a destination of others.
#[test]
fn listed_sources_keep_their_order() {
    let list = vec![0, 1, 16, 17, 4, 5, 20, 21];
    let workload = build(&with_hot("1", hot(Sources::List(list.clone()), &[40, 41])), 64).unwrap();
    assert_eq!(workload.summaries[1].sources, list);
    assert_eq!(messages(&workload, 17, 1, 1)[0].destination, 41);
    assert!(messages(&workload, 17, 0, 1).is_empty());
    assert_eq!(messages(&workload, 18, 0, 1).len(), 1);
}

// "adding a node disturbs no other stream": nor does a group elsewhere.
#[test]
fn streams_are_independent() {
    let plain = WorkloadConfig {
        load: Some(ratio("0.3")),
        arrivals: Arrivals::Bernoulli,
        ..WorkloadConfig::default()
    };
    let pattern = WorkloadConfig { destinations: vec![1, 2, 3], ..plain.clone() };
    let grouped =
        WorkloadConfig { hot: Some(hot(Sources::List(vec![5, 6]), &[9])), ..pattern.clone() };
    let few = messages(&build(&pattern, 16).unwrap(), 7, 0, 200);
    assert_eq!(few, messages(&build(&pattern, 64).unwrap(), 7, 0, 200));
    assert_eq!(few, messages(&build(&grouped, 64).unwrap(), 7, 0, 200));
    // Other lengths and destinations do not move the arrivals; another seed does.
    let ticks = |messages: Vec<Message>| messages.into_iter().map(|m| m.tick).collect::<Vec<_>>();
    let few = ticks(few);
    assert_eq!(few, ticks(messages(&build(&plain, 16).unwrap(), 7, 0, 200)));
    let other = pattern.build(16, &scale(1), 2).unwrap();
    assert_ne!(few, ticks(messages(&other, 7, 0, 200)));
}

// Determinism: the first messages of a node are pinned.
#[test]
fn messages_are_pinned() {
    let config = WorkloadConfig {
        load: Some(ratio("0.9")),
        message_bytes: MessageBytes::Uniform { min: 60, max: 70 },
        ..WorkloadConfig::default()
    };
    let first: Vec<(u64, u32, u32)> = messages(&build(&config, 64).unwrap(), 12, 0, 4)
        .into_iter()
        .map(|m| (m.tick.0, m.destination, m.bytes))
        .collect();
    assert_eq!(first, [(71, 16, 63), (143, 13, 65), (216, 62, 61), (288, 26, 63)]);
}

// "0 = no traffic".
#[test]
fn no_load_is_no_traffic() {
    let config = WorkloadConfig {
        load: None,
        hot: Some(hot(Sources::Count(2), &[1])),
        ..WorkloadConfig::default()
    };
    let workload = build(&config, 8).unwrap();
    assert_eq!(workload.generators.iter().map(|(_, g)| g.group()).collect::<Vec<_>>(), [1, 1]);
}

// A share that is no whole number of nodes is rounded down, and reported.
#[test]
fn shares_round_down() {
    let share = |text: &str, nodes| {
        let workload =
            build(&with_hot("1", hot(Sources::Share(ratio(text)), &[0])), nodes).unwrap();
        (workload.summaries[1].sources.len(), workload.summaries[1].share_rounded)
    };
    assert_eq!(share("0.25", 64), (16, None));
    assert_eq!(share("0.25", 66), (16, Some(ratio("0.25"))));
    assert_eq!(share("1/3", 48), (16, None));
}

// The node that all others send to is silent: nobody chose it as a source.
#[test]
fn incast_leaves_its_destination_silent() {
    let config = WorkloadConfig { pattern: Pattern::Hot, destinations: vec![3], ..full() };
    let workload = build(&config, 8).unwrap();
    assert_eq!(workload.summaries[0].silent, [3]);
    assert_eq!(workload.generators.len(), 7);
}

proptest! {
    #![proptest_config(crate::fixed::fixed(200, 2005))]

    // Messages only from the sources of a hot group, in order, in the window, to its destinations.
    #[test]
    fn messages_keep_to_their_group(
        nodes in 4_u32..40, count in 1_u32..12, to in prop::collection::vec(0_u32..4, 1..4),
        which in 0_usize..3,
        step_ns in 0_u64..500, seed in any::<u64>(), bernoulli in any::<bool>(),
    ) {
        let group = GroupConfig {
            start_ns: 1000,
            end_ns: Some(3000),
            step_ns,
            placement: Placement::ALL[which],
            ..hot(Sources::Count(count), &to)
        };
        let mut config = with_hot("0.4", group);
        config.arrivals = if bernoulli { Arrivals::Bernoulli } else { Arrivals::FixedInterval };
        let Ok(workload) = config.build(nodes, &scale(1), seed) else {
            // Only for lack of room.
            prop_assert!(count + 4 > nodes);
            return Ok(());
        };
        prop_assert_eq!(workload.generators.len() as u32, nodes);
        for (node, generator) in workload.generators {
            let j = workload.summaries[1].sources.iter().position(|&n| n == node);
            prop_assert_eq!(generator.group(), u8::from(j.is_some()));
            let sent: Vec<Message> = generator.take_while(|m| m.tick < Tick(20_000)).collect();
            prop_assert!(sent.is_sorted_by(|a, b| a.tick < b.tick));
            for message in sent {
                prop_assert!(message.destination != node && message.destination < nodes);
                if let Some(j) = j {
                    prop_assert!((1000..3000).contains(&(message.tick.0 - j as u64 * step_ns)));
                    prop_assert_eq!(message.destination, to[j % to.len()]);
                }
            }
        }
    }
}
