//! `[[only]]` and `[[skip]]`: which points of the product there are.

use super::reader::{Axis, Condition, Only, Reader};
use crate::error::short;
use crate::plain::nearest;
use crate::value::{Kind as Toml, Table, Value};

impl Reader {
    /// `{ key = [values] }`: keys that are axes, values that stand on them.
    fn conditions(&mut self, table: &Table, axes: &[Axis], what: &str) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for leaf in self.leaves(table, "") {
            let found = axes.iter().enumerate().find_map(|(axis, of)| {
                let key = of.keys.iter().position(|key| key.path == leaf.path)?;
                Some((axis, key))
            });
            let Some((axis, key)) = found else {
                self.refuse(
                    &leaf.path,
                    format!("{what} names a key that does not vary"),
                    "legal: a key of [axes] or [[zip]]",
                    &leaf.origin,
                );
                continue;
            };
            let items: &[Value] = match &leaf.value.kind {
                Toml::Array(items) => items,
                _ => std::slice::from_ref(&leaf.value),
            };
            let choices = &axes[axis].keys[key].choices;
            let mut values = Vec::new();
            for item in items {
                match self.choice(&leaf.path, item) {
                    Some(plain) if choices.iter().any(|choice| choice.plain == plain) => {
                        values.push(plain)
                    }
                    Some(plain) => {
                        let legal: Vec<String> =
                            choices.iter().map(|choice| choice.plain.label()).collect();
                        let text = format!(
                            "{what} names {}, which is not on the axis",
                            short(&plain.label())
                        );
                        self.refuse(
                            &leaf.path,
                            text,
                            format!("values of the axis: {}", legal.join(", ")),
                            &item.origin,
                        );
                    }
                    None => {}
                }
            }
            if items.is_empty() {
                self.refuse(
                    &leaf.path,
                    "an empty list",
                    "legal: one value or more",
                    &leaf.value.origin,
                );
            }
            conditions.push(Condition { axis, key, values });
        }
        conditions
    }

    pub(super) fn only(&mut self, table: &Table, axes: &[Axis]) -> Vec<Only> {
        let mut rules: Vec<Only> = Vec::new();
        for (inner, origin) in self.tables(table, "only") {
            for entry in &inner.entries {
                if !["when", "axes"].contains(&entry.key.as_str()) {
                    let path = format!("only.{}", entry.key);
                    let near = nearest(&entry.key, ["when", "axes"]);
                    self.unknown(
                        "unknown key",
                        "[[only]]",
                        &path,
                        near,
                        &["when", "axes"],
                        &entry.key_origin,
                    );
                }
            }
            let (Some(when), Some(list)) = (inner.get("when"), inner.get("axes")) else {
                self.refuse(
                    "only",
                    "it needs both `when` and `axes`",
                    "write when = { \"switch.scheme\" = [\"recn\"] } and axes = [\"recn.saqs\"]",
                    origin,
                );
                continue;
            };
            let when = match self.table(when, "only.when") {
                Some(table) => self.conditions(table, axes, "[[only]]"),
                None => continue,
            };
            if matches!(&inner.get("when").map(|entry| &entry.value.kind), Some(Toml::Table(table)) if table.entries.is_empty())
            {
                self.refuse(
                    "only.when",
                    "no condition",
                    "write when = { \"switch.scheme\" = [\"recn\"] }",
                    origin,
                );
            }
            let items: &[Value] = match &list.value.kind {
                Toml::Array(items) => items,
                _ => std::slice::from_ref(&list.value),
            };
            if items.is_empty() {
                self.refuse(
                    "only.axes",
                    "an empty list",
                    "legal: one key or more of [axes] or [[zip]]",
                    &list.value.origin,
                );
            }
            let mut named = Vec::new();
            for item in items {
                let Toml::Text(path) = &item.kind else {
                    let what = format!("expected a key as a string, found {}", item.type_name());
                    self.refuse("only.axes", what, "write axes = [\"recn.saqs\"]", &item.origin);
                    continue;
                };
                let found =
                    axes.iter().position(|axis| axis.keys.iter().any(|key| key.path == *path));
                let Some(axis) = found else {
                    self.refuse(
                        "only.axes",
                        format!("`{}` does not vary", short(path)),
                        "legal: a key of [axes] or [[zip]]",
                        &item.origin,
                    );
                    continue;
                };
                if rules.iter().any(|rule| rule.axes.contains(&axis)) {
                    self.refuse(
                        "only.axes",
                        format!("`{}` stands in two [[only]]", short(path)),
                        "put all values that it varies at into one `when`",
                        &item.origin,
                    );
                }
                if when.iter().any(|condition| condition.axis == axis) {
                    self.refuse(
                        "only.axes",
                        format!("`{}` cannot depend on itself", short(path)),
                        "legal: another axis in `when`",
                        &item.origin,
                    );
                }
                named.push(axis);
            }
            rules.push(Only { when, axes: named });
        }
        rules
    }

    pub(super) fn skip(&mut self, table: &Table, axes: &[Axis]) -> Vec<Vec<Condition>> {
        let mut rules = Vec::new();
        for (inner, origin) in self.tables(table, "skip") {
            let conditions = self.conditions(inner, axes, "[[skip]]");
            if inner.entries.is_empty() {
                self.refuse(
                    "skip",
                    "no condition: every point would be left out",
                    "write \"switch.scheme\" = [\"voq-net\"]",
                    origin,
                );
            }
            rules.push(conditions);
        }
        rules
    }
}
