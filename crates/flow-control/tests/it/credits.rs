//! The credit counter against a plain account.

use flow_control::{CreditError, Credits};
use proptest::prelude::*;

// "Overflow is a bug of the model, never a drop": a refused take or give names the numbers and
// changes nothing.
#[test]
fn refused_take_and_give_change_nothing() {
    let mut credits = Credits::new(8);
    credits.take(6).unwrap();
    let before = credits.clone();
    let underflow = CreditError::Underflow { needed: 3, available: 2 };
    assert_eq!(credits.take(3), Err(underflow));
    for given in [7, u32::MAX] {
        let overflow = CreditError::Overflow { given, available: 2, capacity: 8 };
        assert_eq!(credits.give(given), Err(overflow));
    }
    assert_eq!(credits, before);
    let text = "credit overflow: 7 cells given back to 2 available of 8";
    assert_eq!(credits.give(7).unwrap_err().to_string(), text);
}

proptest! {
    #![proptest_config(crate::fixed::fixed(200, 2005))]

    // available + in use = capacity after every operation, and an operation succeeds exactly when
    // the account allows.
    #[test]
    fn account_is_kept(
        capacity in 0u32..40,
        steps in prop::collection::vec((any::<bool>(), 0u32..12), 0..200),
    ) {
        let mut credits = Credits::new(capacity);
        let mut available = i64::from(capacity);
        for (take, n) in steps {
            let wanted = available + if take { -i64::from(n) } else { i64::from(n) };
            let legal = (0..=i64::from(capacity)).contains(&wanted);
            let result = if take { credits.take(n) } else { credits.give(n) };
            prop_assert_eq!(result.is_ok(), legal);
            if legal {
                available = wanted;
            }
            prop_assert_eq!(i64::from(credits.available()), available);
            prop_assert_eq!(credits.available() + credits.in_use(), credits.capacity());
            prop_assert_eq!(credits.is_home(), credits.in_use() == 0);
        }
    }
}
