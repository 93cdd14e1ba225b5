//! Which lines are drawn before the reader asks for others: those that the answer speaks of.

use crate::plot::Line;
use crate::store::{Answer, Held, Met, Setting, Store};

/// At most so many, and all where there are no more.
const LINES_SHOWN: usize = 8;

/// Points: the reference, the fewest SAQs that are enough, those without SAQs; else the nearest.
pub(super) fn points(store: &Store, lines: &mut [Line]) {
    let answer = store.answer.as_ref();
    let held = answer.map_or(Vec::new(), |answer| {
        let settings = ordered(answer).into_iter().filter_map(|s| s.at.as_ref());
        answer.reference.iter().chain(settings).collect()
    });
    let title = |held: &Held| store.point(&held.labels).map(|point| point.title.clone());
    let held: Vec<String> = held.into_iter().filter_map(title).collect();
    let without: Vec<String> = without(answer).into_iter().filter_map(title).collect();
    show(lines, &held, &without);
}

/// Settings: those that are enough, with the fewest SAQs first, or those that are nearest.
pub(super) fn settings(store: &Store, lines: &mut [Line]) {
    let answer = store.answer.as_ref();
    let name_of = |is_of: &dyn Fn(&Line) -> bool| {
        lines.iter().find(|line| is_of(line)).map(|line| line.name.clone())
    };
    let without = without(answer);
    let is_one = |line: &Line| without.iter().any(|held| held.labels == line.labels);
    let name = |setting: &Setting| {
        name_of(&|line| {
            let mut labels = setting.labels.iter();
            !is_one(line) && labels.all(|(k, v)| line.labels.get(k) == Some(v))
        })
    };
    let settings = answer.map_or(Vec::new(), ordered).into_iter().filter_map(name);
    let settings: Vec<String> = settings.collect();
    let others = without.iter().filter_map(|held| name_of(&|line| line.labels == held.labels));
    let others: Vec<String> = others.collect();
    show(lines, &settings, &others);
}

pub(crate) fn parts(lines: &mut [Line]) {
    show(lines, &[], &[]);
}

/// Points without SAQs, those that deliver most first.
fn without(answer: Option<&Answer>) -> Vec<&Held> {
    let mut all: Vec<&Held> = answer.map_or(Vec::new(), |a| a.without_saqs.iter().collect());
    let share = |held: &Held| held.judged.share.unwrap_or(0.0);
    all.sort_by(|a, b| share(b).total_cmp(&share(a)));
    all
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
    let others = others.iter().map(|name| (name, LINES_SHOWN));
    for (name, most) in names.iter().map(|name| (name, room)).chain(others) {
        if !chosen.contains(&name) && chosen.len() < most {
            chosen.push(name);
        }
    }
    for (n, line) in lines.iter_mut().enumerate() {
        line.is_shown = match chosen.is_empty() {
            true => n < LINES_SHOWN,
            false => chosen.contains(&&line.name),
        };
    }
}
