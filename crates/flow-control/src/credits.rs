//! The credit counter of a sender.

use thiserror::Error;

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

/// Credits that a sender holds for the next memory, or for one class (queue, VC) of it, in cells.
///
/// A credit is taken when a transmission starts and given back when the packet's tail has left the
/// next memory, so `available + in_use == capacity` always. Source: spec page `switch.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credits {
    available: u32,
    capacity: u32,
}

impl Credits {
    /// All `capacity` cells of an empty memory.
    pub const fn new(capacity: u32) -> Self {
        Self { available: capacity, capacity }
    }

    /// With only `available` of `capacity` cells left.
    #[inline(always)]
    pub(crate) const fn with_available(available: u32, capacity: u32) -> Self {
        Self { available, capacity }
    }

    /// Takes the credits of a packet of `n` cells.
    /// Errors: [`CreditError::Underflow`], and nothing is taken.
    #[inline(always)]
    pub const fn take(&mut self, n: u32) -> Result<(), CreditError> {
        if cfg!(not(setaside_unchecked)) && n > self.available {
            return Err(CreditError::Underflow { needed: n, available: self.available });
        }
        self.available -= n;
        Ok(())
    }

    /// Gives `n` cells back.
    /// Errors: [`CreditError::Overflow`], and nothing is given.
    #[inline(always)]
    pub const fn give(&mut self, n: u32) -> Result<(), CreditError> {
        // Compared by subtraction: `available + n` may not fit.
        if cfg!(not(setaside_unchecked)) && n > self.capacity - self.available {
            return Err(CreditError::Overflow {
                given: n,
                available: self.available,
                capacity: self.capacity,
            });
        }
        self.available += n;
        Ok(())
    }

    /// Cells that may be sent now.
    #[inline]
    pub const fn available(&self) -> u32 {
        self.available
    }

    /// Cells of the memory that the credits are for.
    #[inline]
    pub const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Cells sent and not yet given back.
    #[inline]
    pub const fn in_use(&self) -> u32 {
        self.capacity - self.available
    }

    /// Whether every credit is back: the memory is empty and no return is under way.
    #[inline]
    pub const fn is_home(&self) -> bool {
        self.available == self.capacity
    }
}
