//! `[axes]` and `[[zip]]`: the factors of the product.

use super::reader::{Axis, AxisKey, Choice, Leaf, Reader};
use crate::error::short;
use crate::keys;
use crate::scenario::Set;
use crate::value::{Kind as Toml, Table};
use std::collections::BTreeSet;
use std::ops::Bound;

/// The most keys of `[size]`.
const SIZE_KEYS_MAX: usize = 3;

impl Reader {
    pub(super) fn axes(
        &mut self,
        table: &Table,
        set: &[Leaf],
        sets: &[Set],
    ) -> (Vec<Axis>, Vec<String>) {
        let mut axes: Vec<Axis> = Vec::new();
        if let Some(inner) = table.get("axes").and_then(|entry| self.table(entry, "axes")) {
            for leaf in self.leaves(inner, "") {
                axes.extend(self.axis_key(&leaf).map(|key| Axis { keys: vec![key] }));
            }
        }
        for (inner, origin) in self.tables(table, "zip") {
            let leaves = self.leaves(inner, "");
            let keys: Vec<AxisKey> = leaves.iter().filter_map(|leaf| self.axis_key(leaf)).collect();
            if keys.len() < leaves.len() {
                continue;
            }
            if keys.len() < 2 {
                self.refuse(
                    "zip",
                    format!("{} keys to move together", keys.len()),
                    "legal: two keys or more; one key is an axis of [axes]",
                    origin,
                );
            }
            let first = keys.first().map_or(0, |key| key.choices.len());
            for key in &keys {
                if key.choices.len() != first {
                    let what = format!(
                        "{} values, where `{}` has {first}",
                        key.choices.len(),
                        keys[0].path
                    );
                    self.refuse(
                        &key.path,
                        what,
                        "legal: as many values for each key of a [[zip]]",
                        &key.origin,
                    );
                }
            }
            axes.push(Axis { keys });
        }
        let size = self.size(table, &mut axes);
        let fixed: BTreeSet<&str> = set.iter().map(|leaf| leaf.path.as_str()).collect();
        let given: BTreeSet<&str> = sets.iter().map(Set::key).collect();
        let mut seen = BTreeSet::new();
        for key in axes.iter().flat_map(|axis| &axis.keys) {
            let places = [(&seen, "[axes] or [[zip]]"), (&fixed, "[set]")];
            let other = places
                .into_iter()
                .find_map(|(keys, place)| Some((meeting(keys, &key.path)?, place)));
            if let Some((other, place)) = other {
                let what = match other == key.path {
                    true => format!("it stands in {place} too"),
                    false => format!("`{other}` stands in {place} too"),
                };
                self.refuse(&key.path, what, "legal: each key once", &key.origin);
            }
            if let Some(other) = meeting(&given, &key.path) {
                let what = match other == key.path {
                    true => "an axis of the study, and given by --set too".to_owned(),
                    false => format!("an axis of the study, and --set gives {}", short(other)),
                };
                self.refuse(&key.path, what, "legal: one of them", &key.origin);
            }
            seen.insert(key.path.as_str());
        }
        (axes, size)
    }

    /// `[size]`: axes of one key each that a search goes along; their keys.
    fn size(&mut self, table: &Table, axes: &mut Vec<Axis>) -> Vec<String> {
        let Some(entry) = table.get("size") else {
            return Vec::new();
        };
        let leaves = match self.table(entry, "size") {
            Some(inner) => self.leaves(inner, ""),
            None => return Vec::new(),
        };
        if !(1..=SIZE_KEYS_MAX).contains(&leaves.len()) {
            self.refuse(
                "size",
                format!("{} keys to size", leaves.len()),
                format!("legal: 1 to {SIZE_KEYS_MAX} keys, each with its values"),
                &entry.key_origin,
            );
        }
        let before = axes.len();
        for leaf in &leaves {
            let Some(key) = self.axis_key(leaf) else {
                continue;
            };
            if key.choices.len() < 2 {
                self.refuse(
                    &leaf.path,
                    "one value",
                    "legal: two values or more, from the least to the most",
                    &leaf.value.origin,
                );
            }
            axes.push(Axis { keys: vec![key] });
        }
        let keys = axes[before..].iter().flat_map(|axis| &axis.keys);
        keys.map(|key| key.path.clone()).collect()
    }

    /// The choices of one key; `None` with an error.
    fn axis_key(&mut self, leaf: &Leaf) -> Option<AxisKey> {
        let key = keys::find(&leaf.path);
        let values = match (&leaf.value.kind, key) {
            (Toml::Array(items), _) => items.clone(),
            (Toml::Table(range), Some(key)) => {
                self.range(&leaf.path, key.kind, range, &leaf.value.origin)?
            }
            _ => {
                let what = format!("expected a list or a range, found {}", leaf.value.type_name());
                self.refuse(&leaf.path, what, "legal: [1, 2, 4], { from = 1, to = 16, factor = 2 } or { from = 1, to = 16, step = 1 }", &leaf.value.origin);
                return None;
            }
        };
        if values.is_empty() {
            self.refuse(
                &leaf.path,
                "an empty list",
                "legal: one value or more",
                &leaf.value.origin,
            );
            return None;
        }
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen = BTreeSet::new();
        for value in values {
            if let Some(plain) = self.choice(&leaf.path, &value) {
                if !seen.insert(plain.toml()) {
                    let what = format!("{} stands in the list twice", short(&value.show()));
                    self.refuse(&leaf.path, what, "legal: each value once", &value.origin);
                }
                choices.push(Choice { value, plain });
            }
        }
        Some(AxisKey { path: leaf.path.clone(), origin: leaf.origin.clone(), choices })
    }
}

/// The first of `keys` that is `path`, or has it in it, or is in it.
fn meeting<'a>(keys: &BTreeSet<&'a str>, path: &str) -> Option<&'a str> {
    let above = path.match_indices('.').map(|(dot, _)| &path[..dot]);
    let found = above.chain([path]).find_map(|path| keys.get(path));
    let inside = format!("{path}.");
    let from = (Bound::Included(inside.as_str()), Bound::Unbounded);
    let below = keys.range::<str, _>(from).next();
    let below = below.filter(|key| key.starts_with(&inside));
    found.or(below).copied()
}
