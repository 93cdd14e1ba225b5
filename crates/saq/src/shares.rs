//! Static shares of a port memory.

use thiserror::Error;
use units::ClassId;

/// Shares that [`Shares::split`] refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SharesError {
    /// A memory must be split into at least one share.
    #[error("memory of {cells} cells split into 0 classes: at least 1 is needed")]
    NoClasses {
        /// Cells of the memory.
        cells: u32,
    },
    /// A share could not hold what it must.
    #[error(
        "memory of {cells} cells split into {classes} classes leaves {share} cells each: \
         at least {min_cells} are needed, {needed} in all"
    )]
    ShareTooSmall {
        /// Cells of the memory.
        cells: u32,
        /// Classes asked for.
        classes: u16,
        /// Cells of each share.
        share: u32,
        /// Cells that a share must have.
        min_cells: u32,
        /// Cells that the memory would need.
        needed: u64,
    },
}

/// How a port memory is divided among classes (queues, VCs): equal whole cells, each with its own
/// credits.
///
/// A description only: the caller keeps the credits of each class, and these keep it within its
/// share. Source: spec page `switch.md`, memory and credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    share: u32,
    classes: u16,
}

impl Shares {
    /// One class with all `cells`: port-level credits.
    #[must_use]
    pub const fn shared(cells: u32) -> Self {
        Self { share: cells, classes: 1 }
    }

    /// `cells` split equally over `classes`, at least one cell each; the remainder stays unused.
    ///
    /// # Errors
    /// [`SharesError`]: no classes, or more classes than cells.
    pub const fn split(cells: u32, classes: u16) -> Result<Self, SharesError> {
        Self::split_min(cells, classes, 1)
    }

    /// As [`split`](Self::split), with at least `min_cells` each: a share below the largest packet
    /// would never send.
    ///
    /// # Errors
    /// [`SharesError`]: no classes, or shares below `min_cells`.
    pub const fn split_min(cells: u32, classes: u16, min_cells: u32) -> Result<Self, SharesError> {
        if classes == 0 {
            return Err(SharesError::NoClasses { cells });
        }
        let share = cells / classes as u32;
        if share < min_cells {
            return Err(SharesError::ShareTooSmall {
                cells,
                classes,
                share,
                min_cells,
                needed: classes as u64 * min_cells as u64,
            });
        }
        Ok(Self { share, classes })
    }

    /// Cells of `class`, 0 where there is no such class.
    #[inline]
    #[must_use]
    pub const fn class_cells(&self, class: ClassId) -> u32 {
        if class.0 < self.classes { self.share } else { 0 }
    }

    /// How many classes there are.
    #[inline]
    #[must_use]
    pub const fn classes(&self) -> u16 {
        self.classes
    }
}
