//! The credit counters of a sender, one for each class.

use crate::per_class::PerClass;
use thiserror::Error;
use units::ClassId;

/// A broken invariant of credit flow control; losslessness rests on both never happening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CreditError {
    /// More credits were taken than there are: the next memory would overflow.
    #[error("credit underflow: {needed} cells needed, {available} available")]
    Underflow {
        /// Cells asked for.
        needed: u32,
        /// Cells that were available.
        available: u32,
    },
    /// More credits came back than were out: a return was counted twice.
    #[error("credit overflow: {given} cells given back to {available} available of {capacity}")]
    Overflow {
        /// Cells given back.
        given: u32,
        /// Cells that were available before.
        available: u32,
        /// Cells of the memory that the credits are for.
        capacity: u32,
    },
}

/// What the counter of a class shows, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Credits {
    /// May be sent now.
    pub available: u32,
    /// Of the memory that the credits are for.
    pub capacity: u32,
}

impl Credits {
    /// Cells sent and not yet given back.
    #[inline]
    pub const fn in_use(self) -> u32 {
        self.capacity - self.available
    }

    /// Whether every credit is back: the memory is empty and no return is under way.
    #[inline]
    pub const fn is_home(self) -> bool {
        self.available == self.capacity
    }
}

/// Credits that a sender holds for each class (queue, VC) of the next memory, all of the same
/// capacity.
///
/// A credit is taken when a transmission starts and given back when the packet's tail has left the
/// next memory, so `available + in_use == capacity` always. Source: spec page `switch.md`. Methods
/// panic on a class that there is not.
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
    #[inline(always)]
    pub fn available(&self, class: ClassId) -> u32 {
        if class.0 >= self.classes {
            self.unknown(class);
        }
        u32::from(self.available[class])
    }

    /// Takes the credits of a packet of `n` cells.
    /// Errors: [`CreditError::Underflow`], and nothing is taken.
    #[inline(always)]
    pub fn take(&mut self, class: ClassId, n: u32) -> Result<(), CreditError> {
        let available = self.available(class);
        if cfg!(not(setaside_unchecked)) && n > available {
            return Err(CreditError::Underflow { needed: n, available });
        }
        self.available[class] = (available - n) as u16;
        Ok(())
    }

    /// Gives `n` cells back.
    /// Errors: [`CreditError::Overflow`], and nothing is given.
    #[inline(always)]
    pub fn give(&mut self, class: ClassId, n: u32) -> Result<(), CreditError> {
        let Credits { available, capacity } = self.class(class);
        // Compared by subtraction: `available + n` may not fit.
        if cfg!(not(setaside_unchecked)) && n > capacity - available {
            return Err(CreditError::Overflow { given: n, available, capacity });
        }
        self.available[class] = (available + n) as u16;
        Ok(())
    }

    /// What the counter of a class shows.
    #[inline(always)]
    pub fn class(&self, class: ClassId) -> Credits {
        Credits { available: self.available(class), capacity: u32::from(self.capacity) }
    }

    /// What the counters show, by class.
    pub fn iter(&self) -> impl Iterator<Item = Credits> {
        (0..self.classes).map(|class| self.class(ClassId(class)))
    }

    #[cold]
    #[inline(never)]
    fn unknown(&self, class: ClassId) -> ! {
        panic!("credit of class {class} of {}", self.classes)
    }
}
