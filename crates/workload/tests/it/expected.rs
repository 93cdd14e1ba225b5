//! The messages of a generator come to what it offers on average, also with lengths that vary.

use super::common::scale;
use units::{Ratio, Tick};
use workload::{Arrivals, GroupConfig, MessageBytes, Pattern, Sources, WorkloadConfig};

const NODES: u32 = 8;
const TICKS: u64 = 3_000_000;

/// Bytes per tick by source and destination: as expected, and as drawn. A byte takes two ticks.
fn both(config: &WorkloadConfig) -> Vec<(f64, f64)> {
    let pairs = (NODES * NODES) as usize;
    let (mut expected, mut drawn) = (vec![0.0; pairs], vec![0.0; pairs]);
    for (node, generator) in config.build(NODES, &scale(2), 1).unwrap().generators {
        let place = |destination: u32| (node * NODES + destination) as usize;
        let end = generator.end_tick().min(Tick(TICKS));
        let window = (end - generator.start_tick()).0 as f64 / TICKS as f64;
        let mut sum = 0.0;
        generator.each_destination(|destination, bytes_per_tick| {
            expected[place(destination)] += bytes_per_tick * window;
            sum += bytes_per_tick;
        });
        assert!((sum - generator.bytes_per_tick()).abs() < 1e-12);
        let start = generator.start_tick();
        for message in generator.take_while(|message| message.tick < Tick(TICKS)) {
            assert!(message.tick >= start);
            drawn[place(message.destination)] += f64::from(message.bytes) / TICKS as f64;
        }
    }
    expected.into_iter().zip(drawn).collect()
}

#[test]
fn messages_come_to_what_is_expected() {
    let group = GroupConfig {
        destinations: vec![3, 5, 3],
        sources: Sources::List(vec![0, 3, 6]),
        start_ns: 500_000,
        end_ns: Some(2_000_000),
        load: Some(Ratio::new(2, 3).unwrap()),
        ..GroupConfig::default()
    };
    let lengths = [
        MessageBytes::Fixed(64),
        MessageBytes::Uniform { min: 10, max: 41 },
        MessageBytes::Weighted(vec![(8, 3), (100, 1), (40, 0)]),
    ];
    let mut seen = 0;
    for arrivals in [Arrivals::FixedInterval, Arrivals::Bernoulli] {
        for message_bytes in &lengths {
            for (pattern, group_pattern) in [
                (Pattern::Uniform, Pattern::Hot),
                (Pattern::BitReverse, Pattern::Uniform),
                (Pattern::Tornado, Pattern::Fixed),
            ] {
                let config = WorkloadConfig {
                    load: Some(Ratio::new(1, 4).unwrap()),
                    pattern,
                    arrivals,
                    message_bytes: message_bytes.clone(),
                    // `fixed`: 0 to 4, 3 to 5, 6 to 3; the others have a node twice, or all node 7.
                    hot: Some(GroupConfig {
                        pattern: group_pattern,
                        destinations: match group_pattern {
                            Pattern::Fixed => vec![4, 5, 3],
                            Pattern::Hot => vec![7],
                            _ => group.destinations.clone(),
                        },
                        ..group.clone()
                    }),
                    ..WorkloadConfig::default()
                };
                for (at, (expected, drawn)) in both(&config).into_iter().enumerate() {
                    assert_eq!(expected > 0.0, drawn > 0.0, "{config:?} {at}");
                    // Six deviations of the number of messages, and of their lengths.
                    let messages = expected * TICKS as f64 / message_bytes.mean();
                    let margin = expected * 10.0 / messages.max(1.0).sqrt();
                    assert!(
                        (expected - drawn).abs() <= margin,
                        "{config:?} {at}: {expected} {drawn}"
                    );
                    seen += u32::from(expected > 0.0);
                }
            }
        }
    }
    assert!(seen > 300, "{seen}");
}
