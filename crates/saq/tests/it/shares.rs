//! Static shares of a memory.

use proptest::prelude::*;
use saq::{Shares, SharesError};
use units::ClassId;

// "port-level credits = free cells of the next memory": one class has it all.
#[test]
fn shared_memory_is_one_class() {
    let shares = Shares::shared(512);
    assert_eq!((shares.classes(), shares.class_cells(ClassId(0))), (1, 512));
}

// "memory split equally over the queues", in whole cells; the remainder is unused.
#[test]
fn split_leaves_the_remainder_unused() {
    let shares = Shares::split(64, 6).unwrap();
    assert_eq!((shares.class_cells(ClassId(0)), shares.class_cells(ClassId(5))), (10, 10));
    assert_eq!(shares.class_cells(ClassId(6)), 0);
}

// "Where the equal share is below two packets a queue it is refused": the error tells what memory
// it would take.
#[test]
fn share_below_the_minimum_is_refused() {
    let error = Shares::split_min(512, 512, 2).unwrap_err();
    assert_eq!(
        error,
        SharesError::ShareTooSmall {
            cells: 512,
            classes: 512,
            share: 1,
            min_cells: 2,
            needed: 1024
        }
    );
    assert!(Shares::split_min(512, 256, 2).is_ok());
    assert!(Shares::split(3, 4).is_err());
    assert_eq!(Shares::split(4, 0), Err(SharesError::NoClasses { cells: 4 }));
}

proptest! {
    #![proptest_config(crate::fixed::fixed(200, 2005))]

    // Shares never exceed the memory, and less than a cell a class is left over.
    #[test]
    fn shares_fit_the_memory(cells in 0u32..100_000, classes in 1u16..3000) {
        if let Ok(shares) = Shares::split(cells, classes) {
            let share = |class| u64::from(shares.class_cells(ClassId(class)));
            let used: u64 = (0..classes).map(share).sum();
            prop_assert!(used <= u64::from(cells) && u64::from(cells) - used < u64::from(classes));
        } else {
            prop_assert!(cells < u32::from(classes));
        }
    }
}
