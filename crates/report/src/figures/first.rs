//! Which lines are drawn before the reader asks for others: those that the answer speaks of.

use crate::plot::Line;
use crate::store::{Setting, Store};

/// At most so many, and all where there are no more.
pub(crate) const LINES_SHOWN: usize = 8;

/// Points: what all are held against, those with the fewest SAQs that are enough, those without
/// SAQs; where none is enough, those that are nearest.
pub(super) fn points(store: &Store, lines: &mut [Line]) {
    let mut names: Vec<&str> = Vec::new();
    if let Some(answer) = &store.answer {
        let settings = ordered(&answer.settings).into_iter();
        let held = answer.reference.iter();
        let held = held.chain(settings.filter_map(|s| s.at.as_ref()));
        let mut without: Vec<_> = answer.without_saqs.iter().collect();
        without.sort_by(|a, b| b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0)));
        let room = LINES_SHOWN.saturating_sub(without.len()).max(LINES_SHOWN / 2);
        let all = held.take(room).chain(without);
        names.extend(all.filter_map(|held| Some(store.point(&held.labels)?.title.as_str())));
    }
    show(lines, &names);
}

/// Settings: those that are enough, with the fewest SAQs first, then those that are nearest.
pub(super) fn settings(store: &Store, lines: &mut [Line]) {
    let mut names: Vec<String> = Vec::new();
    for setting in store.answer.iter().flat_map(|a| ordered(&a.settings)) {
        let is_of = |line: &&Line| {
            let mut labels = setting.labels.iter();
            line.end.is_empty() && labels.all(|(k, v)| line.labels.get(k) == Some(v))
        };
        names.extend(lines.iter().find(is_of).map(|line| line.name.clone()));
    }
    let ends = lines.iter().filter(|line| !line.end.is_empty());
    let ends: Vec<String> = ends.map(|line| line.name.clone()).collect();
    let room = LINES_SHOWN.saturating_sub(ends.len()).max(LINES_SHOWN / 2);
    names.truncate(room);
    names.extend(ends);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    show(lines, &names);
}

/// The best first; those that are not enough only where none is.
fn ordered(settings: &[Setting]) -> Vec<&Setting> {
    let is_any = settings.iter().any(|s| s.is_enough);
    let mut all: Vec<&Setting> = settings.iter().filter(|s| s.is_enough == is_any).collect();
    let share = |s: &Setting| s.at.as_ref().and_then(|at| at.share).unwrap_or(0.0);
    let saqs = |s: &Setting| s.saqs.unwrap_or(f64::INFINITY);
    all.sort_by(|a, b| {
        let by_size = saqs(a).total_cmp(&saqs(b));
        by_size.then(share(b).total_cmp(&share(a)))
    });
    all
}

fn show(lines: &mut [Line], names: &[&str]) {
    if lines.len() <= LINES_SHOWN {
        return;
    }
    let is_named = |line: &Line| names.contains(&line.name.as_str());
    let any = lines.iter().any(is_named);
    let mut room = LINES_SHOWN;
    for line in lines {
        line.is_shown = room > 0 && (!any || is_named(line));
        room -= usize::from(line.is_shown);
    }
}
