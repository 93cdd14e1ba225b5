//! The credit counters against plain accounts.

use flow_control::{ClassCredits, CreditError, Credits};
use proptest::prelude::*;
use units::ClassId;

proptest! {
    #![proptest_config(crate::fixed::fixed(400, 2005))]

    // available + in use = capacity after every operation, and an operation succeeds exactly when
    // the account allows; a refused one names the numbers and changes nothing. Each class counts
    // for itself, whatever the others do, in place or not.
    #[test]
    fn accounts_are_kept(
        capacity in prop_oneof![0_u16..50, Just(u16::MAX)],
        classes in prop_oneof![1_u16..40, 7_u16..10],
        steps in prop::collection::vec(
            (0_u16..40, any::<bool>(), prop_oneof![9 => 0_u32..60, 1 => Just(u32::MAX)]),
            0..200,
        ),
    ) {
        let mut credits = ClassCredits::new(capacity, classes);
        let capacity = u32::from(capacity);
        let mut plain = vec![capacity; usize::from(classes)];
        for (class, take, n) in steps {
            let class = ClassId(class % classes);
            let available = plain[class.index()];
            let (result, expected) = if take {
                let left = available.checked_sub(n);
                let underflow = CreditError::Underflow { needed: n, available };
                (credits.take(class, n), left.ok_or(underflow))
            } else {
                let back = available.checked_add(n).filter(|back| *back <= capacity);
                let overflow = CreditError::Overflow { given: n, available, capacity };
                (credits.give(class, n), back.ok_or(overflow))
            };
            prop_assert_eq!(result, expected.map(|_| ()));
            plain[class.index()] = expected.unwrap_or(available);
            prop_assert_eq!(credits.len(), plain.len());
            let counters = plain.iter().map(|&available| Credits { available, capacity });
            prop_assert!(credits.iter().eq(counters));
            let Credits { available, .. } = credits.class(class);
            prop_assert_eq!(available, credits.available(class));
            prop_assert_eq!(credits.class(class).in_use(), capacity - available);
            prop_assert_eq!(credits.class(class).is_home(), capacity == available);
        }
    }
}

// "Overflow is a bug of the model, never a drop".
#[test]
fn overflow_is_an_error_in_words() {
    let overflow = ClassCredits::new(8, 1).give(ClassId(0), 7).unwrap_err().to_string();
    assert_eq!(overflow, "credit overflow: 7 cells given back to 8 available of 8");
}

// Of those in place too.
#[test]
fn unknown_class_is_refused() {
    let refused = |ask: &dyn Fn(&mut ClassCredits)| {
        let ask = std::panic::AssertUnwindSafe(|| ask(&mut ClassCredits::new(5, 3)));
        std::panic::catch_unwind(ask).is_err()
    };
    assert!(refused(&|credits| _ = credits.give(ClassId(3), 1)));
    assert!(refused(&|credits| _ = credits.take(ClassId(3), 1)));
    assert!(refused(&|credits| _ = credits.available(ClassId(3))));
}
