//! The table for people.

use crate::columns::{COLUMNS, Column, place};
use crate::lines::{at_most, half_legend, sentence, with_half};
use crate::table::{Outcome, PointRow, RunRow, Table};
use crate::text_table::TextTable;
use crate::windows::{MEASURED, WindowRow};
use crate::{Job, RunFailure};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Which measured columns the table for people has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The most important ones, lines no longer than this.
    Fit(usize),
    /// All of the short table.
    All,
    /// Those of these names in files, in the order of the files.
    Named(Vec<String>),
}

/// Width of a terminal that everybody has.
pub const WIDTH: usize = 80;

impl Default for Shown {
    fn default() -> Self {
        Shown::Fit(WIDTH)
    }
}

impl FromStr for Shown {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        if given == "all" {
            return Ok(Shown::All);
        }
        let names: Vec<String> = given.split(',').map(|name| name.trim().into()).collect();
        match names.iter().find(|name| place(name).is_none()) {
            None => Ok(Shown::Named(names)),
            Some(unknown) => {
                let legal: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
                let legal = legal.join(", ");
                Err(format!("no column `{unknown}`; legal: all, or some of {legal}"))
            }
        }
    }
}

/// What the mark behind the name of a point means.
pub const UNSTEADY: &str = "second half of the measured time differs from the first beyond its noise: \
                            longer `run.warmup_ns`";
const WITH_COLUMNS: [&str; 4] = [MEASURED, "before", "during", "after"];
/// Columns that a narrow table does without, the first of them first, by their titles.
const LEAST: [&str; 10] = [
    "control / port",
    "message p99",
    "worst dip",
    "after",
    "before",
    "SAQs out",
    "victims worst dip",
    "refused",
    "starved",
    "out of order",
];
/// Then these, where victims and hot flows are apart.
const LEAST_BESIDE_VICTIMS: [&str; 4] = ["during", "of ideal", "delivered", "SAQs in"];
/// More reasons than these for one window are counted.
const NOTES_MAX: usize = 3;

impl Table {
    /// The text with all columns of the short table: see [`Table::to_text_of`].
    pub fn to_text(&self) -> String {
        self.to_text_of(&Shown::All)
    }

    /// The short table, and below it what its marks mean, windows that are empty or cut, and runs
    /// that failed or did not run, wrapped at [`WIDTH`]. Columns without any value are left out.
    pub fn to_text_of(&self, columns: &Shown) -> String {
        let is_shown = |column: &Column| match columns {
            Shown::Fit(_) | Shown::All => column.brief,
            Shown::Named(names) => names.iter().any(|name| name == column.name),
        };
        let shown: Vec<usize> = (0..COLUMNS.len())
            .filter(|&c| is_shown(&COLUMNS[c]) && self.points.iter().any(|p| p.values[c].is_some()))
            .collect();
        let width = if let Shown::Fit(width) = columns { *width } else { usize::MAX };
        let mut table = self.columns_of(&shown, false);
        let is_short = table.whole_width() > width;
        if is_short {
            table = self.columns_of(&shown, true);
        }
        let apart = shown.iter().any(|&c| COLUMNS[c].title == "victims during");
        let beside = if apart { &LEAST_BESIDE_VICTIMS[..] } else { &[] };
        let (text, left_out) = table.fitted(width, &[&LEAST[..], beside].concat());
        let mut lines = Vec::new();
        if !left_out.is_empty() {
            lines.push(format!("not shown: {}", left_out.join(", ")));
            lines.push("all of them: --columns all, or results.csv".into());
        }
        lines.extend(self.marks(&shown, is_short));
        lines.extend(self.window_notes());
        lines.extend(self.starved_in_windows());
        lines.extend(self.runs_without_values());
        lines.iter().fold(text, |text, line| text + &sentence(line))
    }

    /// A line a point, with these columns, by [`short`] or [`long`].
    fn columns_of(&self, shown: &[usize], is_short: bool) -> TextTable<'_, PointRow> {
        let mark = |point: &PointRow| if point.is_unsteady() { " *" } else { "" };
        let mut table = TextTable::new(&self.points);
        if self.axes.is_empty() {
            table.names("point", "", |point| point.name.clone() + mark(point));
        }
        for (n, axis) in self.axes.iter().enumerate() {
            table.names(axis, "", |point| {
                let mark = if n == 0 { mark(point) } else { "" };
                point.label(axis).unwrap_or("-").to_string() + mark
            });
        }
        if self.points.iter().any(PointRow::lacks_replicas) {
            table.names("replicas", "", |PointRow { finished, replicas, .. }| {
                match finished == replicas {
                    true => replicas.to_string(),
                    false => format!("{finished} of {replicas}"),
                }
            });
        }
        let cell = if is_short { short } else { long };
        for &c in shown {
            table.numbers(COLUMNS[c].title, COLUMNS[c].unit, |point| cell(point, c));
        }
        table
    }

    fn marks(&self, shown: &[usize], is_short: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let any = |test: &dyn Fn(&PointRow) -> bool| self.points.iter().any(test);
        if any(&PointRow::is_unsteady) {
            lines.push(format!("*: {UNSTEADY}"));
        }
        if any(&|p| shown.iter().any(|&c| p.values[c].is_some_and(|s| s.at_least))) {
            lines.push(match is_short {
                true => ">= x: at least x; messages that had not arrived when the run ended count with their age".into(),
                false => ">= x (y %): at least x; y % of the messages had not arrived when the run ended and count with their age".into(),
            });
        }
        let half = |p: &PointRow, c: usize| p.values[c].and_then(|spread| spread.half_95);
        if any(&|p| shown.iter().any(|&c| half(p, c).is_some_and(|half| half > 0.0))) {
            let most = self.points.iter().map(|p| p.finished).max();
            lines.push(half_legend(most.unwrap_or(0)));
        }
        if any(&|p| p.value("flows_starved").is_some_and(|s| s.max > 0.0)) {
            let demand = "flows with standing demand of which nothing was delivered";
            lines.push(format!("starved: {demand} in the measured time"));
        }
        let runs = self.finished();
        let mut reordered: BTreeMap<&str, usize> = BTreeMap::new();
        let finished = self.runs.iter().filter_map(RunRow::finished);
        for why in finished.filter_map(|run| run.reordered_by.as_deref()) {
            *reordered.entry(why).or_default() += 1;
        }
        let line = |(why, of)| format!("out of order: {why} ({of} of {runs} runs)");
        lines.extend(reordered.into_iter().map(line));
        lines
    }

    /// Why windows are empty or cut short; and which ones have no columns.
    fn window_notes(&self) -> Vec<String> {
        let finished = self.finished();
        let mut others: BTreeSet<&str> = BTreeSet::new();
        let mut lines = Vec::new();
        for (window, runs) in self.windows_of_all() {
            if !WITH_COLUMNS.contains(&window) {
                others.insert(window);
            }
            let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
            for note in runs.iter().filter_map(|(_, row)| row.note.as_deref()) {
                *notes.entry(note).or_default() += 1;
            }
            for (note, runs) in notes.iter().take(NOTES_MAX) {
                let part = match *runs == finished {
                    true => String::new(),
                    false => format!(" ({runs} of {finished} runs)"),
                };
                lines.push(format!("window `{window}`: {note}{part}"));
            }
            if notes.len() > NOTES_MAX {
                let more = notes.len() - NOTES_MAX;
                lines.push(format!("window `{window}`: {more} other reasons, in windows.csv"));
            }
        }
        if !others.is_empty() {
            let names: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            lines.push(format!("windows {}: in windows.csv", names.join(", ")));
        }
        lines
    }

    /// Windows in which flows starved, though they may have got something in the measured time.
    fn starved_in_windows(&self) -> Vec<String> {
        let finished = self.finished();
        let line = |(window, runs): (&str, Vec<(&Job, &WindowRow)>)| {
            let starved = runs.into_iter().filter_map(|(job, row)| {
                let flows = row.flows_starved.filter(|flows| *flows > 0)?;
                Some((flows, &job.directory))
            });
            let starved: Vec<_> = starved.collect();
            // of equal ones the first
            let (most, at) = starved.iter().rev().max_by_key(|(flows, _)| flows)?;
            let runs = starved.len();
            Some(format!(
                "window `{window}`: flows starved in {runs} of {finished} runs, the most {most}, \
                 in {at}; windows.csv"
            ))
        };
        let windows = self.windows_of_all().into_iter();
        windows.filter(|(window, _)| *window != MEASURED).filter_map(line).collect()
    }

    /// Windows in order of time, as the runs have them: what all flows did in them, run by run.
    fn windows_of_all(&self) -> Vec<(&str, Vec<(&Job, &WindowRow)>)> {
        let mut found: Vec<(&str, Vec<(&Job, &WindowRow)>)> = Vec::new();
        for RunRow { job, outcome } in &self.runs {
            let rows = outcome.finished().into_iter().flat_map(|run| &run.windows);
            for row in rows.filter(|row| row.is_of_all()) {
                match found.iter_mut().find(|(window, _)| *window == row.window) {
                    Some((_, runs)) => runs.push((job, row)),
                    None => found.push((&row.window, vec![(job, row)])),
                }
            }
        }
        found
    }

    fn runs_without_values(&self) -> Vec<String> {
        let line = |RunRow { job, outcome }: &RunRow| match outcome {
            Outcome::Finished(_) => None,
            Outcome::Failed(RunFailure { exit, message }) => {
                Some(format!("failed (exit code {}): {}: {message}", exit.code(), job.directory))
            }
            Outcome::NotRun => Some(format!("not run: {}", job.directory)),
        };
        self.runs.iter().filter_map(line).collect()
    }
}

impl PointRow {
    /// Not all replicas that the study asks for have finished.
    pub fn lacks_replicas(&self) -> bool {
        self.replicas > 1 && self.finished < self.replicas
    }
}

/// As [`short`]; of a bound with the share of messages that had not arrived.
fn long(point: &PointRow, column: usize) -> String {
    let text = short(point, column);
    let share = COLUMNS[column].undelivered.and_then(place);
    let share = share.and_then(|c| point.values[c]);
    let is_bound = point.values[column].is_some_and(|spread| spread.at_least);
    match share.filter(|_| is_bound) {
        Some(share) => format!("{text} ({:.1} %)", share.mean * 100.0),
        None => text,
    }
}

fn short(point: &PointRow, column: usize) -> String {
    let Some(spread) = point.values[column] else {
        return if point.finished == 0 { "none" } else { "-" }.into();
    };
    let Column { name, decimals, .. } = COLUMNS[column];
    let bound = if spread.at_least { ">= " } else { "" };
    let mean = match name.ends_with("of_ideal") {
        true => at_most(spread.mean, 1.0, decimals), // what waited from before was possible before
        false => format!("{bound}{:.decimals$}", spread.mean),
    };
    with_half(mean, spread.half_95, decimals)
}
