//! `[[only]]` and `[[skip]]`: which points of the product there are.

use super::reader::{Axis, Condition, Only, Reader};
use crate::error::short;
use crate::value::{Kind as Toml, Table};

impl Reader {
    /// `{ key = [values] }`: keys that are axes, values on them.
    fn conditions(&mut self, table: &Table, axes: &[Axis], what: &str) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for leaf in self.leaves(table, "") {
            let found = axes.iter().enumerate().find_map(|(axis, of)| {
                let key = of.keys.iter().position(|key| key.path == leaf.key)?;
                Some((axis, key))
            });
            let Some((axis, key)) = found else {
                let what = format!("{what} names a key that does not vary");
                self.refuse(&leaf.key, what, "legal: a key of [axes] or [[zip]]", &leaf.key_origin);
                continue;
            };
            let items = leaf.value.items();
            let choices = &axes[axis].keys[key].choices;
            let mut values = Vec::new();
            for item in items {
                let Some(plain) = self.choice(&leaf.key, item) else { continue };
                if choices.iter().any(|choice| choice.plain == plain) {
                    values.push(plain);
                    continue;
                }
                let label = short(&plain.label());
                let text = format!("{what} names {label}, which is not on the axis");
                let legal = choices.iter().map(|choice| choice.plain.label());
                let legal = legal.collect::<Vec<_>>().join(", ");
                let help = format!("values of the axis: {legal}");
                self.refuse(&leaf.key, text, help, &item.origin);
            }
            if items.is_empty() {
                let place = &leaf.value.origin;
                self.refuse(&leaf.key, "an empty list", "legal: one value or more", place);
            }
            conditions.push(Condition { axis, key, values });
        }
        conditions
    }

    pub(super) fn only(&mut self, table: &Table, axes: &[Axis]) -> Vec<Only> {
        const AXES: &str = "only.axes";
        let mut rules: Vec<Only> = Vec::new();
        for (inner, place) in self.tables(table, "only") {
            self.only_legal(inner, "[[only]]", &["when", "axes"]);
            let (Some(when), Some(list)) = (inner.get("when"), inner.get("axes")) else {
                let help =
                    "write when = { \"switch.scheme\" = [\"recn\"] } and axes = [\"recn.saqs\"]";
                self.refuse("only", "it needs both `when` and `axes`", help, place);
                continue;
            };
            let Some(conditions) = self.table(when, "only.when") else { continue };
            let when = self.conditions(conditions, axes, "[[only]]");
            if conditions.entries.is_empty() {
                let help = "write when = { \"switch.scheme\" = [\"recn\"] }";
                self.refuse("only.when", "no condition", help, place);
            }
            let items = list.value.items();
            if items.is_empty() {
                let help = "legal: one key or more of [axes] or [[zip]]";
                self.refuse(AXES, "an empty list", help, &list.value.origin);
            }
            let mut named = Vec::new();
            for item in items {
                let Toml::Text(path) = &item.kind else {
                    let what = format!("expected a key as a string, found {}", item.type_name());
                    self.refuse(AXES, what, "write axes = [\"recn.saqs\"]", &item.origin);
                    continue;
                };
                let mut refuse = |what: &str, help: &str| {
                    self.refuse(AXES, format!("`{}` {what}", short(path)), help, &item.origin);
                };
                let is_key = |axis: &Axis| axis.keys.iter().any(|key| key.path == *path);
                let Some(axis) = axes.iter().position(is_key) else {
                    refuse("does not vary", "legal: a key of [axes] or [[zip]]");
                    continue;
                };
                if rules.iter().any(|rule| rule.axes.contains(&axis)) {
                    let help = "put all values that it varies at into one `when`";
                    refuse("stands in two [[only]]", help);
                }
                if when.iter().any(|condition| condition.axis == axis) {
                    refuse("cannot depend on itself", "legal: another axis in `when`");
                }
                named.push(axis);
            }
            rules.push(Only { when, axes: named });
        }
        rules
    }

    pub(super) fn skip(&mut self, table: &Table, axes: &[Axis]) -> Vec<Vec<Condition>> {
        let mut rules = Vec::new();
        for (inner, place) in self.tables(table, "skip") {
            let conditions = self.conditions(inner, axes, "[[skip]]");
            if inner.entries.is_empty() {
                let what = "no condition: every point would be left out";
                self.refuse("skip", what, "write \"switch.scheme\" = [\"voq-net\"]", place);
            }
            rules.push(conditions);
        }
        rules
    }
}
