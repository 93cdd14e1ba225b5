//! From axes to points: the product, less what `[[only]]` merges, and `[[skip]]` and `study.where`
//! leave out.

use super::read::Outline;
use super::reader::{Axis, Choice, Condition};
use crate::error::{Errors, Place, ScenarioError, short};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The most points of a study, before merging.
const POINTS_MAX: usize = 1_000_000;

/// The most keys of a point that a message names.
const DESCRIBED_MAX: usize = 12;

/// Keys and values of one point, in the order of the axes.
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
            // Writing to a string cannot fail.
            let _ = write!(text, " and {more} more");
        }
        text
    }
}

/// All points in order, the first axis varying slowest.
pub(crate) fn assignments(outline: &Outline) -> Result<Vec<Assignment<'_>>, Errors> {
    let lengths: Vec<usize> = outline.axes.iter().map(Axis::len).collect();
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
