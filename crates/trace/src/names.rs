//! Sets of names, for reading and printing; numbers in the order of first appearance.

use std::collections::BTreeMap;

/// A word that names nothing in a set of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{given}`; legal: {}", legal.join(", "))]
pub struct UnknownName {
    /// What was to be named, such as `format`.
    pub kind: &'static str,
    /// The word that was given.
    pub given: String,
    /// Every legal word.
    pub legal: &'static [&'static str],
}

/// Gives an enum `ALL`, `NAMES`, `name()`, `Display` and `FromStr`.
macro_rules! named {
    ($type:ident, $kind:literal, $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Every value, in the order of [`Self::NAMES`].
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let named = Self::ALL.iter().copied().find(|value| value.name() == word);
                named.ok_or_else(|| $crate::UnknownName {
                    kind: $kind,
                    given: word.to_owned(),
                    legal: Self::NAMES,
                })
            }
        }
    };
}
pub(crate) use named;

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
        Numbers {
            by_key: BTreeMap::new(),
            names: Vec::new(),
        }
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
