//! Numbers of things by their names, in the order of first appearance.

use std::collections::BTreeMap;

/// The most devices, and the most machines, of a trace: what is remembered of one is bounded.
pub const NAMES_MAX: usize = 65_536;

/// Numbers of things by what tells them apart, in the order of first appearance.
#[derive(Debug, Clone)]
pub(crate) struct Numbers<K> {
    by_key: BTreeMap<K, u32>,
    names: Vec<String>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers { by_key: BTreeMap::new(), names: Vec::new() }
    }
}

impl<K: Ord> Numbers<K> {
    /// The number of `key`; one that is new gets the next number and this name. `None` beyond
    /// [`NAMES_MAX`].
    pub(crate) fn of<Q>(&mut self, key: &Q, name: impl FnOnce() -> String) -> Option<u32>
    where
        K: std::borrow::Borrow<Q>,
        Q: Ord + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(number) = self.by_key.get(key) {
            return Some(*number);
        }
        if self.names.len() == NAMES_MAX {
            return None;
        }
        let number = self.names.len() as u32;
        self.names.push(name());
        self.by_key.insert(key.to_owned(), number);
        Some(number)
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}
