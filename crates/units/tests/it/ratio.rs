//! Ratios: exact reading, lowest terms, refusals.

use proptest::prelude::*;
use units::{Ratio, RatioError};

fn ratio(num: u64, den: u64) -> Ratio {
    Ratio::new(num, den).unwrap()
}

proptest! {
    #![proptest_config(crate::fixed::fixed(1000, 2005))]

    #[test]
    fn value_is_kept_in_lowest_terms(
        num in 1..=u64::MAX,
        den in 1..=u64::MAX,
        factor in 1u64..1000,
    ) {
        let r = ratio(num, den);
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        prop_assert_eq!(product(r.num(), den), product(num, r.den()));
        if let (Some(n), Some(d)) = (num.checked_mul(factor), den.checked_mul(factor)) {
            prop_assert_eq!(ratio(n, d), r);
        }
    }

    #[test]
    fn text_reads_back(num in 1..=u64::MAX, den in 1..=u64::MAX) {
        let r = ratio(num, den);
        prop_assert_eq!(r.to_string().parse::<Ratio>(), Ok(r));
    }

    // A decimal number means what is written, not the binary fraction next to it.
    #[test]
    fn decimal_is_exact_as_text_and_as_float(units in 1u64..1_000_000_000, places in 0u32..7) {
        let scale = 10u64.pow(places);
        let exact = ratio(units, scale);
        let (whole, part, width) = (units / scale, units % scale, places.max(1) as usize);
        let text = format!("{whole}.{part:0width$}");
        prop_assert_eq!(text.parse::<Ratio>(), Ok(exact));
        prop_assert_eq!(Ratio::try_from(text.parse::<f64>().unwrap()), Ok(exact));
    }

    #[test]
    fn product_and_quotient_undo_each_other(
        [a, b, c, d] in prop::array::uniform4(1u64..1 << 20),
    ) {
        let (x, y) = (ratio(a, b), ratio(c, d));
        prop_assert_eq!(x.mul(y).unwrap().div(y), Ok(x));
        prop_assert_eq!(x.mul(y), Ratio::new(a * c, b * d));
        prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
    }
}

#[test]
fn usual_writings_are_read() {
    for (text, num, den) in
        [("3/2", 3, 2), ("1.5", 3, 2), ("2", 2, 1), ("4/2", 2, 1), ("0.10", 1, 10), ("1.000", 1, 1)]
    {
        assert_eq!(text.parse(), Ok(ratio(num, den)), "{text}");
    }
    assert_eq!(Ratio::try_from(1.5), Ok(ratio(3, 2)));
    assert_eq!(Ratio::try_from(0.1), Ok(ratio(1, 10)));
}

#[test]
fn wrong_syntax_is_distinguished_from_a_wrong_value() {
    for text in
        ["", "a", "1/", "/2", "1.", ".5", "1.2/3", "+1", " 1", "1e3", "1/-2", "-", "--1", "1.-5"]
    {
        let error = text.parse::<Ratio>().unwrap_err();
        assert_eq!(error, RatioError::Syntax { given: text.into() });
    }
    for text in ["0", "0.0", "0/3", "3/0", "-1", "-1.5"] {
        let error = text.parse::<Ratio>().unwrap_err();
        assert_eq!(error, RatioError::NotPositive { given: text.into() });
    }
    for text in [
        "18446744073709551616",
        "1/18446744073709551616",
        "0.00000000000000000000000000000000000000001",
    ] {
        let error = text.parse::<Ratio>().unwrap_err();
        assert_eq!(error, RatioError::TooLong { given: text.into() });
    }
}

#[test]
fn floats_that_are_no_positive_ratio_are_refused() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.5] {
        assert!(matches!(Ratio::try_from(x), Err(RatioError::NotPositive { .. })), "{x}");
    }
    for x in [1e300, 1e-300, f64::MIN_POSITIVE, f64::MAX] {
        assert!(matches!(Ratio::try_from(x), Err(RatioError::TooLong { .. })), "{x}");
    }
}

#[test]
fn overflow_is_refused() {
    let big = ratio(u64::MAX, 1);
    assert!(matches!(big.mul(big), Err(RatioError::TooLong { .. })));
    assert!(matches!(big.recip().div(big), Err(RatioError::TooLong { .. })));
    assert_eq!(big.mul(big.recip()), Ok(Ratio::ONE));
}
