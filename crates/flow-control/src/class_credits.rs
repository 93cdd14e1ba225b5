//! The credit counters of a sender, one for each class.

use units::ClassId;

use crate::per_class::PerClass;
use crate::{CreditError, Credits};

/// [`Credits`] for each class (queue, VC) of the next memory, all of the same capacity.
///
/// The counters of the first 8 classes are in place: those of nearly every port cost neither a
/// pointer nor a cache line of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct ClassCredits {
    capacity: u16,
    classes: u16,
    available: PerClass<u16, 8>,
}

impl ClassCredits {
    /// All `capacity` cells of each of `classes` classes of an empty memory.
    /// Panics: With 0 classes.
    pub fn new(capacity: u16, classes: u16) -> Self {
        assert!(classes > 0, "0 classes of credits: legal is 1 or more");
        Self { capacity, classes, available: PerClass::new(capacity, classes) }
    }

    /// Number of classes.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "there is a class")]
    pub const fn len(&self) -> usize {
        self.classes as usize
    }

    /// Cells of a class that may be sent now.
    /// Panics: On a class that there is not.
    #[inline(always)]
    pub fn available(&self, class: ClassId) -> u32 {
        if class.0 >= self.classes {
            self.unknown(class);
        }
        u32::from(self.available[class])
    }

    /// Takes the credits of a packet of `n` cells: [`Credits::take`].
    /// Errors: [`CreditError::Underflow`], and nothing is taken.
    /// Panics: On a class that there is not.
    #[inline(always)]
    pub fn take(&mut self, class: ClassId, n: u32) -> Result<(), CreditError> {
        let mut credits = self.class(class);
        credits.take(n)?;
        self.available[class] = credits.available() as u16;
        Ok(())
    }

    /// Gives `n` cells back: [`Credits::give`].
    /// Errors: [`CreditError::Overflow`], and nothing is given.
    /// Panics: On a class that there is not.
    #[inline(always)]
    pub fn give(&mut self, class: ClassId, n: u32) -> Result<(), CreditError> {
        let mut credits = self.class(class);
        credits.give(n)?;
        self.available[class] = credits.available() as u16;
        Ok(())
    }

    /// The counter of a class as one of its own.
    /// Panics: On a class that there is not.
    #[inline(always)]
    pub fn class(&self, class: ClassId) -> Credits {
        Credits::with_available(self.available(class), u32::from(self.capacity))
    }

    /// The counters, by class.
    pub fn iter(&self) -> impl Iterator<Item = Credits> {
        (0..self.classes).map(|class| self.class(ClassId(class)))
    }

    #[cold]
    #[inline(never)]
    fn unknown(&self, class: ClassId) -> ! {
        panic!("credit of class {class} of {}", self.classes)
    }
}

#[cfg(test)]
mod tests {
    use super::ClassCredits;
    use crate::Credits;
    use proptest::prelude::*;
    use units::ClassId;

    proptest! {
        // Each class counts as one counter of its own, whatever the others do, in place or not.
        #[test]
        fn classes_count_apart(
            capacity in prop_oneof![0_u16..50, Just(u16::MAX)],
            classes in prop_oneof![1_u16..40, 7_u16..10],
            steps in prop::collection::vec((0_u16..40, any::<bool>(), 0_u32..60), 0..200),
        ) {
            let mut credits = ClassCredits::new(capacity, classes);
            let mut plain = vec![Credits::new(u32::from(capacity)); usize::from(classes)];
            for (class, take, n) in steps {
                let class = ClassId(class % classes);
                let one = &mut plain[class.index()];
                if take {
                    prop_assert_eq!(credits.take(class, n), one.take(n));
                } else {
                    prop_assert_eq!(credits.give(class, n), one.give(n));
                }
                prop_assert_eq!(credits.len(), plain.len());
                prop_assert_eq!(credits.iter().collect::<Vec<_>>(), plain.clone());
            }
        }
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
}
