//! One value for each class of credits.

use std::ops::{Index, IndexMut};

use units::ClassId;

/// One value for each class of credits; those of the first `N` classes are in place, so that nearly
/// every memory's cost neither a pointer nor a cache line of their own. It does not know how many
/// classes there are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct PerClass<T, const N: usize> {
    first: [T; N],
    others: Box<[T]>,
}

impl<T: Copy, const N: usize> PerClass<T, N> {
    /// One value for all of `classes` classes.
    pub(crate) fn new(value: T, classes: u16) -> Self {
        Self {
            first: [value; N],
            others: vec![value; usize::from(classes).saturating_sub(N)].into(),
        }
    }
}

impl<T, const N: usize> Index<ClassId> for PerClass<T, N> {
    type Output = T;
    #[inline(always)]
    fn index(&self, class: ClassId) -> &T {
        let class = class.index();
        match self.first.get(class) {
            Some(value) => value,
            None => &self.others[class - N],
        }
    }
}

impl<T, const N: usize> IndexMut<ClassId> for PerClass<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, class: ClassId) -> &mut T {
        let class = class.index();
        match self.first.get_mut(class) {
            Some(value) => value,
            None => &mut self.others[class - N],
        }
    }
}
