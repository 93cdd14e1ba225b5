//! Lengths of messages.

use super::common::{build, is_near, messages};
use units::Span;
use workload::{MESSAGE_BYTES_MAX, MessageBytes, WorkloadConfig};

fn config(message_bytes: MessageBytes) -> WorkloadConfig {
    WorkloadConfig {
        load: Some("1/2".parse().unwrap()),
        message_bytes,
        ..WorkloadConfig::default()
    }
}

fn drawn(message_bytes: MessageBytes) -> Vec<u32> {
    let workload = build(&config(message_bytes), 4).unwrap();
    messages(&workload, 1, 0, 50_000).iter().map(|message| message.bytes).collect()
}

// "Uniform{min,max}": every length alike; "Weighted(Vec<(bytes, weight)>)": by weight, 0 never.
#[test]
fn lengths_are_drawn_by_their_weights() {
    let weighted = MessageBytes::Weighted(vec![(64, 5), (8, 0), (2068, 4), (20, 1)]);
    let uniform = MessageBytes::Uniform { min: 60, max: 64 };
    for (sizes, means) in [
        (uniform, (60..=64).map(|bytes| (bytes, 10_000)).collect()),
        (weighted, vec![(64, 25_000), (8, 0), (2068, 20_000), (20, 5_000)]),
    ] {
        let lengths = drawn(sizes);
        assert!(lengths.iter().all(|l| means.iter().any(|(bytes, _)| bytes == l)));
        for (bytes, mean) in means {
            let count = lengths.iter().filter(|&&l| l == bytes).count() as i64;
            assert!(is_near(count, mean), "{bytes}: {count}");
        }
    }
}

// The exact mean: (10 + 11 + 12 + 13) / 4 phits of 4 bytes, and a weighted one.
#[test]
fn mean_ticks_is_exact() {
    let mean = |sizes: MessageBytes| {
        let mean = sizes.mean_ticks("k", |bytes| Span(bytes.div_ceil(4).into())).unwrap();
        (mean.num(), mean.den())
    };
    assert_eq!(mean(MessageBytes::Fixed(64)), (16, 1));
    assert_eq!(mean(MessageBytes::Uniform { min: 10, max: 13 }), (13, 4));
    assert_eq!(mean(MessageBytes::Weighted(vec![(4, 1), (12, 2)])), (7, 3));
}

// Lengths that are none are refused.
#[test]
fn wrong_lengths_are_refused() {
    let wrong = [
        MessageBytes::Fixed(0),
        MessageBytes::Fixed(MESSAGE_BYTES_MAX + 1),
        MessageBytes::Uniform { min: 0, max: 4 },
        MessageBytes::Uniform { min: 5, max: 4 },
        MessageBytes::Weighted(vec![]),
        MessageBytes::Weighted(vec![(64, 0)]),
        MessageBytes::Weighted(vec![(64, 1), (0, 1)]),
    ];
    for sizes in wrong {
        let error = build(&config(sizes), 4).unwrap_err();
        assert_eq!(error.key(), "workload.message_bytes", "{error}");
    }
}
