//! One value for each class of credits.

use std::ops::{Index, IndexMut};

/// One value for each class of credits. Nearly every memory has one class: its value is in place, so that it costs neither
/// a pointer nor a cache line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerClass<T> {
    first: T,
    others: Box<[T]>,
}

impl<T: Clone> PerClass<T> {
    /// The same value for `classes` classes.
    ///
    /// # Panics
    /// With 0 classes.
    #[must_use]
    pub fn new(value: T, classes: usize) -> Self {
        assert!(classes > 0, "0 classes of credits: legal is 1 or more");
        Self {
            others: vec![value.clone(); classes - 1].into(),
            first: value,
        }
    }
}

impl<T> PerClass<T> {
    /// Number of classes.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is a class")]
    pub fn len(&self) -> usize {
        1 + self.others.len()
    }

    /// Whether there is one class.
    #[inline]
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.others.is_empty()
    }

    /// Asks for the values that are not in place ahead of their use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::first(&self.others);
    }

    /// The values, by class.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// # Panics
/// On a class that there is not.
impl<T> Index<u16> for PerClass<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, class: u16) -> &T {
        match class {
            0 => &self.first,
            _ => &self.others[usize::from(class) - 1],
        }
    }
}

impl<T> IndexMut<u16> for PerClass<T> {
    #[inline(always)]
    fn index_mut(&mut self, class: u16) -> &mut T {
        match class {
            0 => &mut self.first,
            _ => &mut self.others[usize::from(class) - 1],
        }
    }
}
