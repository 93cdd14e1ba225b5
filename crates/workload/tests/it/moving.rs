//! Hot spots that move.

use super::common::{build, hot, ratio, scale};
use proptest::prelude::*;
use workload::{
    Arrivals, Generator, GroupConfig, MOVING_GROUP, Message, MessageBytes, MovingConfig, Sources,
    WorkloadConfig,
};

fn moving(destinations: &[u32], overlap: u32, sources: Sources) -> MovingConfig {
    MovingConfig {
        group: GroupConfig { start_ns: 1000, ..hot(sources, destinations) },
        overlap,
        skips_itself: false,
        dwell_ns: 4000,
        period_ns: 4000_u64.div_ceil(u64::from(overlap.max(1))),
    }
}

fn with(moving: MovingConfig) -> WorkloadConfig {
    WorkloadConfig { moving: Some(moving), ..WorkloadConfig::default() }
}

/// What a generator sends, its group aside.
fn sent((node, generator): (u32, Generator)) -> (u32, Vec<(u64, u32, u32)>) {
    let what = |message: Message| (message.tick.0, message.destination, message.bytes);
    (node, generator.map(what).collect())
}

// One group in all that names groups, and each node sends to one hot spot after the other.
#[test]
fn hot_spots_are_one_group_behind_the_others() {
    let group = GroupConfig { name: "steady".to_owned(), ..hot(Sources::List(vec![0]), &[7]) };
    let config = WorkloadConfig {
        groups: vec![group],
        ..with(moving(&[4, 5, 6], 2, Sources::List(vec![0, 1, 2, 3])))
    };
    let workload = build(&config, 8).unwrap();
    assert_eq!(workload.groups, ["random", "steady", MOVING_GROUP]);
    assert_eq!(workload.summaries[2].sources, [0, 1, 2, 3]);
    assert_eq!(workload.summaries[2].silent, [0_u32; 0]);
    let spots: Vec<(u32, u64, u64, u8)> = workload
        .generators
        .iter()
        .map(|(node, g)| (*node, g.start_tick().0, g.end_tick().0, g.group()))
        .filter(|spot| spot.3 == 2)
        .collect();
    // Source j is in set j mod 2; destinations 4 and 6 are those of set 0.
    let of_set_0 = |node| [(node, 1000, 5000, 2), (node, 5000, 9000, 2)];
    let of_set_1 = |node| (node, 3000, 7000, 2);
    let [a, b] = [of_set_0(0), of_set_0(2)];
    assert_eq!(spots, [a[0], a[1], of_set_1(1), b[0], b[1], of_set_1(3)]);
    let names: Vec<_> = config.all_groups().map(|g| g.name.clone()).collect();
    assert_eq!(names, ["steady", MOVING_GROUP]);
    let whole = config.all_groups().last().unwrap();
    assert_eq!((whole.start_ns, whole.end_ns), (1000, Some(9000)));
}

// A source that is hot itself is silent meanwhile where it was not listed, else refused.
#[test]
fn a_source_that_is_hot_sends_nothing_meanwhile() {
    let all = Sources::List((0..6).collect());
    let mut config = moving(&[2, 1, 4], 2, all);
    let refused = build(&with(config.clone()), 6).unwrap_err();
    let text = "workload.moving.destinations: node 2 would send to itself";
    assert!(refused.to_string().starts_with(text), "{refused}");
    config.skips_itself = true;
    let workload = build(&with(config.clone()), 6).unwrap();
    let pairs: Vec<(u32, u32)> = workload
        .generators
        .into_iter()
        .map(|(node, mut generator)| (node, generator.next().unwrap().destination))
        .collect();
    let set_0 = [(0, 2), (0, 4), (2, 4), (4, 2)];
    let set_1 = [(3, 1), (5, 1)];
    assert_eq!(pairs, [&set_0[..3], &set_1[..1], &set_0[3..], &set_1[1..]].concat());
    assert_eq!(workload.summaries[1].silent, [1]);
    let to_itself = WorkloadConfig { self_traffic: true, ..with(config) };
    assert_eq!(build(&to_itself, 6).unwrap().generators.len(), 9);
}

// More destinations than sets: none may start before the one before it has ended.
#[test]
fn sets_turn_from_one_hot_spot_to_the_next() {
    let sources = || Sources::List(vec![4, 5, 6, 7]);
    let workload = build(&with(moving(&[0, 1], 4, sources())), 8).unwrap();
    assert_eq!(workload.summaries[1].silent, [6, 7]);
    assert_eq!(workload.generators.len(), 2);
    let period = |destinations: &[u32], period_ns| {
        let config = MovingConfig { period_ns, ..moving(destinations, 2, sources()) };
        build(&with(config), 8).map(|_| ())
    };
    for (destinations, least) in [(&[0][..], 0), (&[0, 1], 0), (&[0, 1, 2], 2000)] {
        assert_eq!(period(destinations, least), Ok(()), "{destinations:?}");
    }
    let refused = period(&[0, 1, 2], 1999).unwrap_err();
    let text = "workload.moving.period_ns: 1999 ns given, so that sources would turn to the next \
                destination after 2 x 1999 ns, and each is hot for 4000 ns; \
                legal: 2000 ns or more, or up to 2 destinations";
    assert_eq!(refused.to_string(), text);
}

#[test]
fn wrong_hot_spots_are_refused() {
    let of = |destinations: &[u32], overlap| {
        moving(destinations, overlap, Sources::List(vec![4, 5, 6, 7]))
    };
    let right = || of(&[0, 1, 2], 2);
    let named = |name: &str| WorkloadConfig {
        groups: vec![GroupConfig { name: name.to_owned(), ..hot(Sources::Count(1), &[0]) }],
        ..with(of(&[0, 1, 0], 2))
    };
    let mut fast = right();
    fast.group.load = Some(ratio("3/2"));
    let cases = [
        (of(&[], 1), "destinations: 0 destinations given for `hot`; legal: 1 or more"),
        (of(&[8], 1), "destinations: node 8 given; legal: 0 to 7"),
        (of(&[0], 5), "overlap: 5 given for 4 sources; legal: 1 to 4"),
        (of(&[0], 0), "overlap: 0 given; legal: 1 or more"),
        (MovingConfig { dwell_ns: 0, ..right() }, "dwell_ns: 0 given; legal: 1 or more"),
        (
            MovingConfig { period_ns: u64::MAX / 2, ..right() },
            "period_ns: 9223372036854775807 ns given; legal: what 64 bits of ticks hold",
        ),
        (
            MovingConfig { dwell_ns: u64::MAX, ..of(&[0], 1) },
            "period_ns: 4000 ns given; legal: what 64 bits of ticks hold",
        ),
        (fast, "load: 3/2 given; legal: 0 to 1"),
        (moving(&[0], 1, Sources::Count(8)), "sources: 8 sources given; legal: 1 to 7"),
    ];
    for (moving, text) in cases {
        let error = build(&with(moving), 8).unwrap_err();
        assert!(error.to_string().starts_with(&format!("workload.moving.{text}")), "{error}");
        let key = text.split(": ").next().unwrap();
        assert_eq!(error.key(), format!("workload.moving.{key}"), "{error}");
    }
    let streams = "the name of random streams of `workload.moving`";
    for (name, text) in
        [(MOVING_GROUP, "that no other group has"), ("to-1", streams), ("to-0-2", streams)]
    {
        let error = build(&named(name), 8).unwrap_err();
        assert_eq!(error.key(), "workload.group[0].name", "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    assert!(build(&named("to-2"), 8).is_ok());
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // The same messages as a group for each destination, written by hand.
    #[test]
    fn hot_spots_are_groups_one_after_the_other(
        nodes in 6_u32..24, overlap in 1_u32..6, period_ns in 0_u64..2000, slack in 0_u64..500,
        start_ns in 0_u64..3000, order in any::<prop::sample::Index>(),
        to in prop::collection::vec(0_u32..6, 1..14),
        bernoulli in any::<bool>(), drawn in any::<bool>(), seed in any::<u64>(),
    ) {
        let many = to.len() > overlap as usize;
        let dwell_ns = match many {
            true => (u64::from(overlap) * period_ns).saturating_sub(slack).max(1),
            false => 700 + slack,
        };
        let period_ns = if many { period_ns.max(1) } else { period_ns };
        let mut sources: Vec<u32> = (0..nodes).collect();
        sources.rotate_left(order.index(nodes as usize));
        let load = Some(ratio("0.4"));
        let message_bytes = drawn.then_some(MessageBytes::Uniform { min: 10, max: 90 });
        let common = WorkloadConfig {
            arrivals: if bernoulli { Arrivals::Bernoulli } else { Arrivals::FixedInterval },
            ..WorkloadConfig::default()
        };
        let mut spots = moving(&to, overlap, Sources::List(sources.clone()));
        (spots.skips_itself, spots.dwell_ns, spots.period_ns) = (true, dwell_ns, period_ns);
        spots.group = GroupConfig {
            load,
            start_ns,
            message_bytes: message_bytes.clone(),
            ..spots.group
        };
        let short = WorkloadConfig { moving: Some(spots), ..common.clone() };
        let mut groups = Vec::new();
        for (i, &destination) in to.iter().enumerate() {
            let time = to[..=i].iter().filter(|&&other| other == destination).count();
            let again = if time > 1 { format!("-{time}") } else { String::new() };
            let mut of_set = Vec::new();
            for (j, &node) in sources.iter().enumerate() {
                if j as u32 % overlap == i as u32 % overlap && node != destination {
                    of_set.push(node);
                }
            }
            let start_ns = start_ns + i as u64 * period_ns;
            groups.push(GroupConfig {
                name: format!("to-{destination}{again}"),
                load,
                start_ns,
                end_ns: Some(start_ns + dwell_ns),
                message_bytes: message_bytes.clone(),
                ..hot(Sources::List(of_set), &[destination])
            });
        }
        let long = WorkloadConfig { groups, ..common };
        let [short, long] = [short, long].map(|config| config.build(nodes, &scale(1), seed).unwrap());
        prop_assert!(short.generators.iter().all(|(_, generator)| generator.group() == 1));
        let [short, long] = [short, long].map(|workload| {
            workload.generators.into_iter().map(sent).collect::<Vec<_>>()
        });
        prop_assert!(short.iter().any(|(_, sent)| !sent.is_empty()) || dwell_ns < 1000);
        prop_assert_eq!(short, long);
    }
}
