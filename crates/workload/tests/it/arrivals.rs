//! Ticks at which messages are generated.

use proptest::prelude::*;
use rand_core::Rng;
use units::{Ratio, Tick};
use workload::rng::{chance, stream};
use workload::{Arrivals, Generator, GeneratorOptions, MessageBytes, Target};

/// Of node 0, with seed 1; a message takes this fraction of ticks.
fn options(
    arrivals: Arrivals,
    (num, den): (u64, u64),
    load: Ratio,
    (start, end): (u64, Option<u64>),
) -> GeneratorOptions<'static> {
    GeneratorOptions {
        seed: 1,
        node: 0,
        group: 0,
        group_name: "random",
        arrivals,
        message_ticks: ratio(num, den),
        load,
        message_bytes: &MessageBytes::Fixed(64),
        target: Target::Node(1),
        start_tick: Tick(start),
        end_tick: end.map(Tick),
        closed: None,
    }
}

fn ticks(options: GeneratorOptions<'_>) -> Vec<u64> {
    Generator::new(options).unwrap().map(|message| message.tick.0).collect()
}

fn ratio(num: u64, den: u64) -> Ratio {
    Ratio::new(num, den).unwrap()
}

fn load() -> impl Strategy<Value = Ratio> {
    (1_u64..2000, 1_u64..2000).prop_map(|(a, b)| ratio(a.min(b), a.max(b)))
}

/// The phase below `n` from one word of the stream, but for rejections (2^-40 and rarer).
fn phase(seed: u64, node: u32, n: u128) -> u128 {
    let word = u128::from(stream(seed, &format!("node{node}.random.phase")).next_u64());
    (word * n) >> 64
}

fn reduced(num: u128, den: u128) -> (u128, u128) {
    let (mut a, mut b) = (num, den);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (num / a, den / a)
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // "arrival k at floor(phase + k x interval), the interval an exact fraction of ticks", message
    // ticks / load, "a random phase per node in [0, interval)" (switch.md): against rationals.
    #[test]
    fn fixed_arrivals_are_exact(
        seed in any::<u64>(), message in 1_u64..500, parts in 1_u64..7, load in load(),
        start in 0_u64..10_000,
    ) {
        let window = (start, Some(start + 20_000));
        let options = options(Arrivals::FixedInterval, (message, parts), load, window);
        let (num, den) = reduced(
            u128::from(message) * u128::from(load.den()),
            u128::from(parts) * u128::from(load.num()),
        );
        let phase = phase(seed, 3, num);
        let oracle: Vec<u64> = (0_u128..)
            .map(|k| start + ((phase + k * num) / den) as u64)
            .take_while(|&tick| tick < start + 20_000)
            .collect();
        prop_assert_eq!(ticks(GeneratorOptions { seed, node: 3, ..options }), oracle);
    }

    // "one trial per packet time, slots aligned over the nodes": as trial by trial.
    #[test]
    fn bernoulli_equals_trial_by_trial(
        seed in any::<u64>(), message in 1_u64..300, parts in 1_u64..4, load in load(),
        start in 0_u64..5_000,
    ) {
        prop_assume!(message >= parts);
        let end = start + 30_000;
        let options = options(Arrivals::Bernoulli, (message, parts), load, (start, Some(end)));
        let mut rng = stream(seed, "node9.random.arrivals");
        let oracle: Vec<u64> = (0_u64..)
            .map(|slot| slot * message / parts)
            .skip_while(|&tick| tick < start)
            .take_while(|&tick| tick < end)
            .filter(|_| chance(&mut rng, load))
            .collect();
        prop_assert_eq!(ticks(GeneratorOptions { seed, node: 9, ..options }), oracle);
    }
}

// Full load is a message in every slot, and back to back at a fixed interval. A window at the end
// of the clock ends the generator instead of wrapping the tick.
#[test]
fn full_load_leaves_no_gap_until_the_clock_runs_out() {
    for &arrivals in Arrivals::ALL {
        let full = ticks(options(arrivals, (96, 1), Ratio::ONE, (0, Some(96_000))));
        assert_eq!(full.len(), 1000);
        assert!(full.windows(2).all(|pair| pair[1] - pair[0] == 96));
        let last = ticks(options(arrivals, (96, 1), Ratio::ONE, (u64::MAX - 500, None)));
        assert!((4..=6).contains(&last.len()), "{last:?}");
        assert!(last.is_sorted());
    }
}

// Determinism: pinned arrivals, as golden results hang on them.
#[test]
fn arrivals_are_pinned() {
    let first = |arrivals| {
        let options = options(arrivals, (32, 1), ratio(3, 7), (0, Some(448)));
        ticks(GeneratorOptions { node: 12, ..options })
    };
    assert_eq!(first(Arrivals::FixedInterval), [74, 148, 223, 298, 372, 447]);
    assert_eq!(first(Arrivals::Bernoulli), [0, 32, 64, 288, 352, 416]);
}
