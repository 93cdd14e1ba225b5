//! From axes to points: the product, less what `[[only]]` merges, and `[[skip]]` and `study.where`
//! leave out.

use super::reader::{Axis, Choice, Condition, Only, Outline, Reader};
use crate::error::{Errors, Place, ScenarioError, short};
use crate::value::{Kind as Toml, Table};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most points of a study, before merging.
const POINTS_MAX: usize = 1_000_000;

/// The most keys of a point that a message names.
const DESCRIBED_MAX: usize = 12;

pub(crate) struct Assignment<'a> {
    pub(crate) settings: Vec<(&'a str, &'a Choice)>,
}

impl Assignment<'_> {
    /// `switch.scheme = recn, recn.saqs = 8`; of many keys the first ones.
    pub(crate) fn describe(&self) -> String {
        let items = self.settings.iter().take(DESCRIBED_MAX);
        let items = items.map(|(key, choice)| format!("{key} = {}", short(&choice.plain.label())));
        let mut text = items.collect::<Vec<_>>().join(", ");
        let more = self.settings.len().saturating_sub(DESCRIBED_MAX);
        if more > 0 {
            let _ = write!(text, " and {more} more");
        }
        text
    }
}

/// All points in order, the first axis varying slowest.
pub(crate) fn assignments(outline: &Outline) -> Result<Vec<Assignment<'_>>, Errors> {
    let length = |axis: &Axis| axis.keys.first().map_or(0, |key| key.choices.len());
    let lengths: Vec<usize> = outline.axes.iter().map(length).collect();
    let total = lengths.iter().try_fold(1usize, |total, &length| total.checked_mul(length));
    let total = total.filter(|&total| total <= POINTS_MAX).ok_or_else(|| too_many(outline))?;
    let mut seen = BTreeSet::new();
    let mut points = Vec::new();
    let mut indices: Vec<Option<usize>> = vec![None; lengths.len()];
    for number in 0..total {
        let mut rest = number;
        for (index, &length) in indices.iter_mut().zip(&lengths).rev() {
            *index = Some(rest % length);
            rest /= length;
        }
        hold_still(outline, &mut indices);
        let skipped = outline.skip.iter().any(|rule| holds(outline, rule, &indices));
        if skipped || !seen.insert(indices.clone()) {
            continue;
        }
        let filter = outline.filter.as_ref();
        if filter.map_or(Ok(true), |filter| filter.holds(&outline.axes, &indices))? {
            points.push(assignment(outline, &indices));
        }
    }
    Ok(points)
}

fn too_many(outline: &Outline) -> ScenarioError {
    let key = outline.axes.last().and_then(|axis| axis.keys.first());
    let place = key.map_or_else(|| Place::unread("the study"), |key| key.origin.clone());
    let help = "fewer values, or keys that move together in a [[zip]]";
    ScenarioError::new(&place, "axes", format!("more than {POINTS_MAX} points"), help)
}

/// Takes out axes that do not vary here, until nothing changes: one that is out fulfils nothing.
fn hold_still(outline: &Outline, indices: &mut [Option<usize>]) {
    loop {
        let mut changed = false;
        for rule in &outline.only {
            if !holds(outline, &rule.when, indices) {
                for &axis in &rule.axes {
                    changed |= indices[axis].take().is_some();
                }
            }
        }
        if !changed {
            return;
        }
    }
}

fn holds(outline: &Outline, conditions: &[Condition], indices: &[Option<usize>]) -> bool {
    conditions.iter().all(|condition| {
        let key = &outline.axes[condition.axis].keys[condition.key];
        indices[condition.axis]
            .is_some_and(|index| condition.values.contains(&key.choices[index].plain))
    })
}

fn assignment<'a>(outline: &'a Outline, indices: &[Option<usize>]) -> Assignment<'a> {
    let mut settings = Vec::new();
    for (axis, index) in outline.axes.iter().zip(indices) {
        let Some(index) = *index else { continue };
        settings.extend(axis.keys.iter().map(|key| (key.path.as_str(), &key.choices[index])));
    }
    Assignment { settings }
}

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
