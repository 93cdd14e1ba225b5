//! Which lines are drawn before the reader asks for others: those that the answer speaks of.

use crate::plot::Line;
use crate::store::{Answer, Held, Met, Setting, Store};

/// At most so many, and all where there are no more.
const LINES_SHOWN: usize = 8;

/// Points: the reference, the fewest SAQs that are enough, those without SAQs; else the nearest.
pub(super) fn points(store: &Store, lines: &mut [Line]) {
    let Some(answer) = &store.answer else {
        return show(lines, &[], &[]);
    };
    let held = answer.reference.iter();
    let held = held.chain(ordered(answer).into_iter().filter_map(|s| s.at.as_ref()));
    let title = |held: &Held| store.point(&held.labels).map(|point| point.title.clone());
    let held: Vec<String> = held.filter_map(title).collect();
    show(lines, &held, &without(answer).filter_map(title).collect::<Vec<_>>());
}

/// Settings: those that are enough, with the fewest SAQs first, or those that are nearest.
pub(super) fn settings(store: &Store, lines: &mut [Line]) {
    let Some(answer) = &store.answer else {
        return show(lines, &[], &[]);
    };
    let is_one = |line: &Line| without(answer).any(|held| held.labels == line.labels);
    let name = |setting: &Setting| {
        let is_of = |line: &&Line| {
            let mut labels = setting.labels.iter();
            !is_one(line) && labels.all(|(k, v)| line.labels.get(k) == Some(v))
        };
        lines.iter().find(is_of).map(|line| line.name.clone())
    };
    let settings: Vec<String> = ordered(answer).into_iter().filter_map(name).collect();
    let without = without(answer).filter_map(|held| {
        let line = lines.iter().find(|line| line.labels == held.labels);
        line.map(|line| line.name.clone())
    });
    let without: Vec<String> = without.collect();
    show(lines, &settings, &without);
}

/// Parts of a run: the first of them.
pub(crate) fn parts(lines: &mut [Line]) {
    show(lines, &[], &[]);
}

/// Points without SAQs, those that deliver most first.
fn without(answer: &Answer) -> impl Iterator<Item = &Held> {
    let mut all: Vec<&Held> = answer.without_saqs.iter().collect();
    let share = |held: &Held| held.judged.share.unwrap_or(0.0);
    all.sort_by(|a, b| share(b).total_cmp(&share(a)));
    all.into_iter()
}

/// Those that matter most first. Of numbers of SAQs those that are not enough only where none is.
fn ordered(answer: &Answer) -> Vec<&Setting> {
    let is_yes = |s: &Setting| s.is_enough == Met::Yes;
    let any = answer.settings.iter().any(is_yes);
    let is_meant = |s: &&Setting| !answer.has_sizes || is_yes(s) == any;
    let ranked = answer.rank.iter().filter_map(|&n| answer.settings.get(n));
    ranked.filter(is_meant).collect()
}

/// The first of `names`, and of `others` at most half as many as are drawn, or more with room.
fn show(lines: &mut [Line], names: &[String], others: &[String]) {
    if lines.len() <= LINES_SHOWN {
        return;
    }
    let room = LINES_SHOWN.saturating_sub(others.len()).max(LINES_SHOWN / 2);
    let mut chosen: Vec<&String> = Vec::new();
    for (name, most) in
        names.iter().map(|n| (n, room)).chain(others.iter().map(|n| (n, LINES_SHOWN)))
    {
        if !chosen.contains(&name) && chosen.len() < most {
            chosen.push(name);
        }
    }
    let is_any = !chosen.is_empty();
    for (n, line) in lines.iter_mut().enumerate() {
        line.is_shown = match is_any {
            true => chosen.contains(&&line.name),
            false => n < LINES_SHOWN,
        };
    }
}
