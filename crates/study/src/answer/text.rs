//! The answer for people: at most 25 lines of 80 columns, however large the study.

use super::{Answer, Held, Reference, SAQS, SCHEME, Setting};
use crate::lines::sentence;
use crate::text::WIDTH;
use crate::text_table::TextTable;

/// Lines of a screen.
const LINES_MAX: usize = 25;
/// The heading of the table has at most so many.
const HEADING_LINES: usize = 5;
/// More settings than these are counted even where there is room; the best stay.
const SETTINGS_MAX: usize = 12;
/// More points without SAQs than these are counted.
const WITHOUT_MAX: usize = 6;
/// More cautions than these are counted.
const CAUTIONS_MAX: usize = 3;
/// Columns that a narrow table does without, the first of them first.
const LEAST: [&str; 3] = ["margin", "control", "p99 needs"];
/// Endings of keys that are units, and what stands for them.
const UNITS: [(&str, &str); 5] = [
    ("_packets", "packets"),
    ("_bytes_per_ns", "B/ns"),
    ("_bytes", "bytes"),
    ("_ns", "ns"),
    ("_percent", "%"),
];

impl Answer {
    /// What counts as enough, in a sentence.
    pub fn enough(&self) -> String {
        let target = &self.target;
        let reference = match (&self.reference, self.questions) {
            (Some(held), _) if target.reference == Reference::Best => format!(
                "the best of the study ({}, {:.2} B/ns)",
                held.name, held.bytes_per_ns
            ),
            (Some(held), _) => format!("{} ({:.2} B/ns)", held.name, held.bytes_per_ns),
            (None, questions @ 2..) if target.reference == Reference::Best => {
                format!(
                    "the best of the study at the same {}",
                    self.asked(questions)
                )
            }
            _ => target.reference.words(),
        };
        let when = match self.window_ns {
            Some((start, end)) => format!(" from {} to {} us", us(start), us(end)),
            None if self.is_in_tree => " in window during".into(),
            None => String::new(),
        };
        format!(
            "{} at least {} % of {reference}{when}{}",
            self.flows.name(),
            percent(target.share),
            match self.has_sizes {
                true => ", with more SAQs too",
                false => "",
            }
        )
    }

    /// The axes that make different questions.
    fn asked(&self, questions: usize) -> String {
        let labels = self.settings.iter().flat_map(|setting| &setting.labels);
        let mut keys: Vec<&str> = Vec::new();
        for (key, _) in labels {
            let section = key.split('.').next().unwrap_or_default();
            if super::ASKED.contains(&section) && !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        match keys.as_slice() {
            [one] => (*one).into(),
            _ => format!("question ({questions} of them)"),
        }
    }

    /// The answer: `head`, what counts as enough, a line a setting, what stands beside them, and
    /// what to be careful about. At most 25 lines of [`WIDTH`].
    pub fn to_text(&self, head: &str) -> String {
        let above = sentence(head) + &sentence(&format!("enough: {}", self.enough()));
        let mut below = self.beside();
        for caution in self.cautions.iter().take(CAUTIONS_MAX) {
            below += &sentence(&format!("! {caution}"));
        }
        let more = self.cautions.len().saturating_sub(CAUTIONS_MAX);
        if more > 0 {
            below += &format!("! {more} more: -v\n");
        }
        let taken = above.lines().count() + below.lines().count() + HEADING_LINES + 1;
        let shown = self.shown(LINES_MAX.saturating_sub(taken).clamp(1, SETTINGS_MAX));
        let mut text = above;
        if !shown.is_empty() {
            text += &self.table(&shown);
        }
        let more = self.settings.len() - shown.len();
        if more > 0 {
            text += &format!("{more} more settings: --table\n");
        }
        text + &below
    }

    /// The settings that fit: those that are nearest to the target, in the order of the study.
    fn shown(&self, most: usize) -> Vec<&Setting> {
        let share = |s: &Setting| s.at.as_ref().and_then(|at| at.share).unwrap_or(-1.0);
        let mut best: Vec<usize> = (0..self.settings.len()).collect();
        best.sort_by(|&a, &b| share(&self.settings[b]).total_cmp(&share(&self.settings[a])));
        best.truncate(most);
        best.sort_unstable();
        best.into_iter().map(|n| &self.settings[n]).collect()
    }

    fn table(&self, shown: &[&Setting]) -> String {
        let mut table = TextTable::new();
        let axes = axes(&self.settings, self.has_sizes);
        for axis in &axes {
            let (title, unit) = short(axis, &axes);
            table.names_with_unit(&title, unit);
        }
        if axes.is_empty() {
            table.names("scheme");
        }
        if self.has_sizes {
            table.numbers("SAQs", "");
        }
        table.numbers(self.flows.name(), "B/ns");
        table.numbers(
            match self.target.reference {
                Reference::Best => "of best",
                Reference::Offered => "of offered",
                Reference::Possible => "of possible",
                Reference::Scheme(_) => "of reference",
            },
            "%",
        );
        table.numbers("margin", "%");
        let p99s = shown.iter().filter_map(|s| s.at.as_ref()?.p99_ns);
        let in_us = p99s.fold(0.0, f64::max) >= 10_000.0;
        table.numbers("p99", if in_us { "us" } else { "ns" });
        table.numbers("control", "bit/port");
        if self.has_sizes {
            table.numbers("p99 needs", "SAQs");
        } else {
            table.names("enough");
        }
        for setting in shown {
            table.row(self.cells(setting, &axes, in_us));
        }
        table.fitted(WIDTH, &LEAST).0
    }

    fn cells(&self, setting: &Setting, axes: &[&str], in_us: bool) -> Vec<String> {
        let label = |axis: &&str| {
            let found = setting.labels.iter().find(|(key, _)| key == axis);
            found.map_or("-".into(), |(_, value)| value.clone())
        };
        let mut cells: Vec<String> = axes.iter().map(label).collect();
        if axes.is_empty() {
            let scheme = setting.labels.iter().find(|(key, _)| key == SCHEME);
            cells.push(scheme.map_or("all".into(), |(_, scheme)| scheme.clone()));
        }
        let at = setting.at.as_ref();
        let number = |value: Option<f64>, decimals: usize| {
            value.map_or("-".into(), |v: f64| format!("{v:.decimals$}"))
        };
        if self.has_sizes {
            cells.push(saqs(setting, at.is_some()));
        }
        let share = at.and_then(|at| at.share).map(|share| share * 100.0);
        let target = self.target.share * 100.0;
        cells.push(number(at.map(|at| at.bytes_per_ns), 2));
        cells.push(number(share, 1));
        cells.push(share.map_or("-".into(), |share| format!("{:+.1}", share - target)));
        cells.push(at.map_or("-".into(), |at| p99(at, in_us)));
        cells.push(number(at.and_then(|at| at.control_bits), 0));
        cells.push(match (self.has_sizes, setting.is_enough) {
            (true, _) => setting.p99_saqs.map_or("none".into(), |n| n.to_string()),
            (false, true) => "yes".into(),
            (false, false) => "no".into(),
        });
        cells
    }

    /// What the p99 of the target is, and the points without SAQs.
    fn beside(&self) -> String {
        let times = self.target.p99_times;
        let of = self.reference.as_ref().and_then(|held| held.p99_ns);
        let limit = of.map_or(String::new(), |p99| {
            format!(" ({:.2} us)", p99 * times / 1000.0)
        });
        let whose = match &self.target.reference {
            Reference::Scheme(scheme) => scheme.as_str(),
            _ => "the best",
        };
        let p99 = match self.has_sizes {
            true => {
                format!("p99 needs: SAQs for a p99 within {times} times that of {whose}{limit}")
            }
            false => {
                format!("enough: p99 too within {times} times that of {whose}{limit}")
            }
        };
        let mut text = String::new();
        if self.settings.iter().any(|s| s.at.is_some()) {
            text += &sentence(&p99);
        }
        if self.without.is_empty() {
            return text;
        }
        let one = |held: &Held| {
            let share = held
                .share
                .map_or("-".into(), |s| format!("{:.1} %", s * 100.0));
            let is_enough = held.share.is_some_and(|s| s >= self.target.share);
            match held.control_bits.filter(|_| is_enough) {
                Some(bits) => format!("{} {share} ({bits:.0} bits a port)", held.name),
                None => format!("{} {share}", held.name),
            }
        };
        let mut names: Vec<String> = self.without.iter().take(WITHOUT_MAX).map(one).collect();
        let more = self.without.len().saturating_sub(WITHOUT_MAX);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        text + &sentence(&format!("without SAQs: {}", names.join(", ")))
    }
}

/// The axes of the settings, in their order; the scheme where it is not the same for all.
fn axes(settings: &[Setting], has_sizes: bool) -> Vec<&str> {
    let mut axes: Vec<&str> = Vec::new();
    for (key, _) in settings.iter().flat_map(|setting| &setting.labels) {
        if !axes.contains(&key.as_str()) {
            axes.push(key);
        }
    }
    let of = |setting: &Setting, axis: &str| {
        let found = setting.labels.iter().find(|(key, _)| key == axis);
        found.map(|(_, value)| value.clone())
    };
    let differs = |axis: &str| {
        let mut values = settings.iter().map(|setting| of(setting, axis));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    axes.retain(|axis| *axis != SAQS || !has_sizes);
    axes.retain(|axis| *axis != SCHEME || differs(axis));
    axes
}

/// The last part of a key without its unit, and the unit; the whole key where two end alike.
fn short<'a>(axis: &'a str, axes: &[&str]) -> (String, &'a str) {
    let last = |key: &'a str| key.rsplit('.').next().unwrap_or(key);
    let is_shared = axes.iter().filter(|a| a.ends_with(last(axis))).count() > 1;
    let name = if is_shared { axis } else { last(axis) };
    match UNITS.iter().find(|(end, _)| name.ends_with(end)) {
        Some((end, unit)) => (name[..name.len() - end.len()].replace('_', " "), unit),
        None => (name.replace('_', " "), ""),
    }
}

/// The fewest, and what it is from replica to replica.
fn saqs(setting: &Setting, is_measured: bool) -> String {
    let text = |n: Option<f64>| n.map_or("none".into(), |n| n.to_string());
    match setting.saqs_by_replica {
        _ if !is_measured => "-".into(),
        Some([least, most]) => format!("{} [{}..{}]", text(setting.saqs), text(least), text(most)),
        None => text(setting.saqs),
    }
}

fn p99(held: &Held, in_us: bool) -> String {
    let bound = if held.p99_is_lower_bound { ">= " } else { "" };
    match held.p99_ns {
        Some(ns) if in_us && ns < 10_000.0 => format!("{bound}{:.2}", ns / 1000.0),
        Some(ns) if in_us => format!("{bound}{:.1}", ns / 1000.0),
        Some(ns) => format!("{bound}{ns:.0}"),
        None => "-".into(),
    }
}

/// A share in percent, as short as it is.
fn percent(share: f64) -> String {
    let percent = (share * 1e8).round() / 1e6;
    percent.to_string()
}

fn us(ns: f64) -> String {
    (ns / 1000.0).to_string()
}
