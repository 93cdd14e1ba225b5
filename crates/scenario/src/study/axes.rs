//! `[axes]` and `[[zip]]`: the factors of the product.

use super::reader::{Axis, AxisKey, Choice, Reader};
use crate::error::short;
use crate::keys;
use crate::scenario::Set;
use crate::value::{Entry, Kind as Toml, Table};
use std::collections::BTreeSet;
use std::ops::Bound;

const SIZE_KEYS_MAX: usize = 3;

impl Reader {
    pub(super) fn axes(
        &mut self,
        table: &Table,
        set: &[Entry],
        sets: &[Set],
    ) -> (Vec<Axis>, Vec<String>) {
        let mut axes: Vec<Axis> = Vec::new();
        for leaf in self.leaves_of(table, "axes") {
            axes.extend(self.axis_key(&leaf).map(|key| Axis { keys: vec![key] }));
        }
        for (inner, place) in self.tables(table, "zip") {
            let leaves = self.leaves(inner, "");
            let keys: Vec<AxisKey> = leaves.iter().filter_map(|leaf| self.axis_key(leaf)).collect();
            if keys.len() < leaves.len() {
                continue;
            }
            if keys.len() < 2 {
                let what = format!("{} keys to move together", keys.len());
                let help = "legal: two keys or more; one key is an axis of [axes]";
                self.refuse("zip", what, help, place);
            }
            let first = keys.first().map_or(0, |key| key.choices.len());
            for key in keys.iter().filter(|key| key.choices.len() != first) {
                let (count, other) = (key.choices.len(), &keys[0].path);
                let what = format!("{count} values, where `{other}` has {first}");
                let help = "legal: as many values for each key of a [[zip]]";
                self.refuse(&key.path, what, help, &key.origin);
            }
            axes.push(Axis { keys });
        }
        let size = self.size(table, &mut axes);
        let fixed: BTreeSet<&str> = set.iter().map(|leaf| leaf.key.as_str()).collect();
        let given: BTreeSet<&str> = sets.iter().map(Set::key).collect();
        let mut seen = BTreeSet::new();
        for AxisKey { path, origin, .. } in axes.iter().flat_map(|axis| &axis.keys) {
            let places = [(&seen, "[axes] or [[zip]]"), (&fixed, "[set]")];
            let other =
                places.into_iter().find_map(|(keys, place)| Some((meeting(keys, path)?, place)));
            if let Some((other, place)) = other {
                let what = match other == path {
                    true => format!("it stands in {place} too"),
                    false => format!("`{other}` stands in {place} too"),
                };
                self.refuse(path, what, "legal: each key once", origin);
            }
            if let Some(other) = meeting(&given, path) {
                let what = match other == path {
                    true => "an axis of the study, and given by --set too".to_owned(),
                    false => format!("an axis of the study, and --set gives {}", short(other)),
                };
                self.refuse(path, what, "legal: one of them", origin);
            }
            seen.insert(path.as_str());
        }
        (axes, size)
    }

    /// `[size]`: axes of one key each that a search varies; their keys.
    fn size(&mut self, table: &Table, axes: &mut Vec<Axis>) -> Vec<String> {
        let Some(entry) = table.get("size") else {
            return Vec::new();
        };
        let Some(inner) = self.table(entry, "size") else {
            return Vec::new();
        };
        let leaves = self.leaves(inner, "");
        if !(1..=SIZE_KEYS_MAX).contains(&leaves.len()) {
            let what = format!("{} keys to size", leaves.len());
            let help = format!("legal: 1 to {SIZE_KEYS_MAX} keys, each with its values");
            self.refuse("size", what, help, &entry.key_origin);
        }
        let mut keys = Vec::new();
        for leaf in &leaves {
            let Some(key) = self.axis_key(leaf) else { continue };
            if key.choices.len() < 2 {
                let help = "legal: two values or more, from the least to the most";
                self.refuse(&leaf.key, "one value", help, &leaf.value.origin);
            }
            keys.push(key.path.clone());
            axes.push(Axis { keys: vec![key] });
        }
        keys
    }

    fn axis_key(&mut self, leaf: &Entry) -> Option<AxisKey> {
        let (path, place) = (&leaf.key, &leaf.value.origin);
        let values = match (&leaf.value.kind, keys::find(path)) {
            (Toml::Array(items), _) => items.clone(),
            (Toml::Table(range), Some(key)) => self.range(path, key.kind, range, place)?,
            _ => {
                let what = format!("expected a list or a range, found {}", leaf.value.type_name());
                let help = "legal: [1, 2, 4], { from = 1, to = 16, factor = 2 } or { from = 1, to = 16, step = 1 }";
                self.refuse(path, what, help, place);
                return None;
            }
        };
        if values.is_empty() {
            self.refuse(path, "an empty list", "legal: one value or more", place);
            return None;
        }
        let mut choices: Vec<Choice> = Vec::new();
        let mut seen = BTreeSet::new();
        for value in values {
            let Some(plain) = self.choice(path, &value) else { continue };
            if !seen.insert(plain.toml()) {
                let what = format!("{} stands in the list twice", short(&value.show()));
                self.refuse(path, what, "legal: each value once", &value.origin);
            }
            choices.push(Choice { value, plain });
        }
        Some(AxisKey { path: path.clone(), origin: leaf.key_origin.clone(), choices })
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
