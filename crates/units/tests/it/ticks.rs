//! Moments and lengths of time.

use proptest::prelude::*;
use units::{Span, Tick};

proptest! {
    #![proptest_config(crate::fixed::fixed(500, 2005))]

    // Moments and spans count as the numbers in them do.
    #[test]
    fn arithmetic_is_that_of_the_numbers(
        at in 0u64..1 << 40,
        a in 1u64..1 << 20,
        b in 1u64..1 << 20,
    ) {
        let (tick, long, short) = (Tick(at), Span(a), Span(b));
        prop_assert_eq!(tick + long, Tick(at + a));
        prop_assert_eq!(tick + long - long, tick);
        prop_assert_eq!((tick + long) - tick, long);
        prop_assert_eq!((tick + long).since(tick), long);
        prop_assert_eq!(long + short - short, long);
        prop_assert_eq!(long * b, Span(a * b));
        prop_assert_eq!((long / short, long % short), (a / b, Span(a % b)));
        prop_assert_eq!(long / b, Span(a / b));
        prop_assert_eq!([long, short].into_iter().sum::<Span>(), Span(a + b));
        let (mut moved, mut grown) = (tick, long);
        moved += short;
        grown += short;
        prop_assert_eq!((moved, grown), (Tick(at + b), Span(a + b)));
        grown -= short;
        prop_assert_eq!(grown, long);
    }
}

// "The length of time since `earlier`; none if that is later."
#[test]
fn no_time_has_passed_since_a_later_moment() {
    assert_eq!(Tick(5).since(Tick(7)), Span::ZERO);
    assert!(Tick(5).since(Tick(5)).is_zero());
}

// The ends of the range: never, for ever, the start of the run.
#[test]
fn saturating_arithmetic_stops_at_the_ends() {
    assert_eq!(Tick(1).saturating_add(Span::MAX), Tick::MAX);
    assert_eq!(Tick(1).saturating_sub(Span(2)), Tick::ZERO);
    assert_eq!(Span(1).saturating_add(Span::MAX), Span::MAX);
    assert_eq!(Span(1).saturating_sub(Span(2)), Span::ZERO);
    assert_eq!(Span(2).saturating_mul(u64::MAX), Span::MAX);
}

#[test]
fn neighbours_are_a_tick_apart_and_shown_as_numbers() {
    assert_eq!((Tick(6).next(), Tick(6).before()), (Tick(7), Tick(5)));
    assert_eq!(Tick(6) + Span::TICK, Tick(6).next());
    assert_eq!((Tick(812).to_string(), Span(64).to_string()), ("812".into(), "64".into()));
}
