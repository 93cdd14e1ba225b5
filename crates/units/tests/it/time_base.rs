//! The base clock: exact speedups, conversions at the edge.

use proptest::prelude::*;
use units::{Ratio, Span, Tick, TimeBase, TimeBaseError};

fn ratio(text: &str) -> Ratio {
    text.parse().unwrap()
}

fn base(phit_bytes: u32, rate: &str, speedup: &str) -> TimeBase {
    TimeBase::new(phit_bytes, ratio(rate), ratio(speedup)).unwrap()
}

// "A link moves one phit every p ticks, the crossbar one phit every q ticks, where speedup = p/q in
// lowest terms (1 -> 1:1, 3/2 -> 3:2, 2 -> 2:1)."
#[test]
fn speedup_is_the_ratio_of_phit_times() {
    for (speedup, p, q) in [
        ("1", 1, 1),
        ("3/2", 3, 2),
        ("1.5", 3, 2),
        ("2", 2, 1),
        ("6/4", 3, 2),
        ("1000/999", 1000, 999),
    ] {
        let base = base(2, "1", speedup);
        assert_eq!(
            (base.link_phit_ticks(), base.crossbar_phit_ticks()),
            (Span(p), Span(q)),
            "{speedup}"
        );
    }
}

// "link 8 Gbit/s = 1 byte/ns, phit 2 bytes, packet 64 bytes = 32 phits = 64 ns on a link"
// "Speedup 1.5: 8 Gbit/s link, 12 Gbit/s crossbar = 42.67 ns a packet"
#[test]
fn default_packet_takes_64_ns_on_a_link() {
    let base = base(2, "1", "1.5");
    assert_eq!(base.phits(64), 32);
    assert_eq!(base.span_to_ns(base.link_ticks(64)), 64.0);
    assert_eq!(base.span_to_ns(base.crossbar_ticks(64)), 64.0 * 2.0 / 3.0);
    assert_eq!(base.ticks_per_ns(), ratio("3/2"));
}

// "ECN scenario: 1 GB/s, phit 4 bytes, data packet 2068 bytes, header 20, ACK 20." A phit begun
// counts whole.
#[test]
fn packets_are_whole_phits() {
    let base = base(4, "1", "2");
    assert_eq!((base.phits(2068), base.phits(20)), (517, 5));
    assert_eq!(base.span_to_ns(base.link_ticks(2068)), 2068.0);
    assert_eq!((base.phits(0), base.phits(1), base.phits(4), base.phits(5)), (0, 1, 1, 2));
    assert_eq!((base.link_ticks(5), base.crossbar_ticks(5)), (Span(4), Span(2)));
    assert_eq!(base.phits(u32::MAX), 1 << 30);
}

#[test]
fn impossible_clocks_are_refused() {
    let one = Ratio::ONE;
    assert_eq!(TimeBase::new(0, one, one), Err(TimeBaseError::ZeroPhit));
    let given = ratio("999/1000");
    assert_eq!(TimeBase::new(2, one, given), Err(TimeBaseError::SpeedupBelowOne { given }));
    let given = ratio("1001/1000");
    assert_eq!(
        TimeBase::new(2, one, given),
        Err(TimeBaseError::SpeedupTooFine { given, limit: 1000 })
    );
    let rate = Ratio::new(u64::MAX, 1).unwrap();
    let speedup = ratio("1000/999");
    let error = TimeBaseError::RateTooLong { link_bytes_per_ns: rate, speedup };
    assert_eq!(TimeBase::new(1, rate, speedup), Err(error));
}

#[test]
fn span_between_ticks_is_refused_with_its_neighbours() {
    let base = base(2, "1", "1"); // a tick is 2 ns
    assert_eq!(base.ns_to_ticks_exact(0), Ok(Span::ZERO));
    assert_eq!(base.ns_to_ticks_exact(10), Ok(Span(5)));
    assert_eq!(base.ns_to_ticks_exact(ratio("10")), Ok(Span(5)));
    let error = base.ns_to_ticks_exact(9).unwrap_err();
    assert_eq!(
        (error.given, error.tick_ns, error.below, error.above),
        (ratio("9"), ratio("2"), Span(4), Span(5))
    );
    assert_eq!(
        error.to_string(),
        "9 ns is not a whole number of ticks in 64 bits (a tick is 2 ns; next to it: 4 and 5 ticks)"
    );
    assert_eq!((base.ns_to_ticks_ceil(9), base.ns_to_ticks_ceil(10)), (Span(5), Span(5)));
}

#[test]
fn span_beyond_64_bits_is_never_wrapped() {
    let base = base(1, "1000", "1"); // 1000 ticks per ns
    assert_eq!(base.ns_to_ticks_ceil(u64::MAX), Span::MAX);
    assert!(base.ns_to_ticks_exact(u64::MAX).is_err());
}

proptest! {
    #![proptest_config(crate::fixed::fixed(1000, 2005))]

    // "Both are exact, so no speedup is ever rounded."
    #[test]
    fn packet_time_is_exact(
        (q, extra) in (1u64..=1000, 0u64..1000),
        (num, den) in (1u64..10_000, 1u64..10_000),
        phit in 1u32..64,
        bytes in 0u32..10_000,
    ) {
        let p = (q + extra).min(1000);
        let (rate, speedup) = (Ratio::new(num, den).unwrap(), Ratio::new(p, q).unwrap());
        let base = TimeBase::new(phit, rate, speedup).unwrap();
        let product = |factors: [u64; 3]| factors.into_iter().map(u128::from).product::<u128>();
        // link time of a phit x rate = phit, in integers: ticks / ticks_per_ns x rate
        let per_ns = base.ticks_per_ns();
        let left = product([base.link_phit_ticks().0, per_ns.den(), rate.num()]);
        prop_assert_eq!(left, product([per_ns.num(), rate.den(), phit.into()]));
        // link time = speedup x crossbar time
        let (link, crossbar) = (base.link_ticks(bytes), base.crossbar_ticks(bytes));
        prop_assert_eq!(link * q, crossbar * p);
    }

    #[test]
    fn exact_and_ceil_and_back_agree(
        (q, extra) in (1u64..100, 0u64..100),
        phit in 1u32..64,
        ns in 0u64..1 << 40,
    ) {
        let base = TimeBase::new(phit, Ratio::ONE, Ratio::new(q + extra, q).unwrap()).unwrap();
        let ceil = base.ns_to_ticks_ceil(ns);
        match base.ns_to_ticks_exact(ns) {
            Ok(ticks) => {
                prop_assert_eq!(ticks, ceil);
                prop_assert_eq!(base.span_to_ns(ticks), ns as f64);
                prop_assert_eq!(base.tick_to_ns(Tick::ZERO + ticks), ns as f64);
            }
            Err(error) => {
                prop_assert_eq!((error.below + Span::TICK, error.above), (ceil, ceil));
                prop_assert!(base.span_to_ns(error.below) < ns as f64);
                prop_assert!(base.span_to_ns(error.above) > ns as f64);
            }
        }
    }
}
