//! The answer for people: at most 25 lines of 80 columns, however large the study.

use super::{Answer, Fewest, Held, Met, SAQS, SCHEME, Setting, is_asked};
use crate::job::label;
use crate::lines::{half_legend, sentence, with_half};
use crate::target::Reference;
use crate::text::WIDTH;
use crate::text_table::TextTable;
use crate::windows::MEASURED;

const LINES_MAX: usize = 25;
const HEADING_LINES: usize = 5;
const LEGEND_LINES: usize = 3;
/// More settings than these are counted even where there is room; the best stay.
const SETTINGS_MAX: usize = 12;
/// More points without SAQs than these are counted.
const WITHOUT_MAX: usize = 6;
/// More cautions than these are counted.
const CAUTIONS_MAX: usize = 3;
/// Columns that a narrow table does without, the first of them first.
const LEAST: [&str; 4] = ["margin", "victims", "all flows", "bits"];
/// Endings of keys that are units, and their replacements.
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
        let best = match self.is_partial {
            true => "the best of the points that ran",
            false => "the best of the study",
        };
        let reference = match (&target.reference, &self.reference) {
            (Reference::Best, Some(held)) => {
                format!("{best} ({}, {} B/ns)", held.name, delivered(held))
            }
            (Reference::Best, None) if self.questions > 1 => {
                format!("{best} at the same {}", self.asked())
            }
            (Reference::Best, None) => best.into(),
            (Reference::Scheme(_), Some(held)) => {
                format!("{} ({} B/ns)", held.name, delivered(held))
            }
            (Reference::Scheme(scheme), None) => scheme.clone(),
            (Reference::Offered, _) => "what is offered".into(),
            (Reference::Possible, _) => "what is possible".into(),
        };
        let when = match (self.window.as_str(), self.window_ns) {
            (MEASURED, _) => " in the measured time".into(),
            (_, Some((start, end))) => format!(" from {} to {} us", us(start), us(end)),
            (window, None) => format!(" in window {window}"),
        };
        // in percent, as short as it is
        let (flows, share) = (self.flows.name(), (target.share * 1e8).round() / 1e6);
        let more = if self.has_sizes { ", with more SAQs too" } else { "" };
        format!("{flows} at least {share} % of {reference}{when}{more}")
    }

    fn asked(&self) -> String {
        let mut keys = keys(&self.settings);
        keys.retain(|key| is_asked(key));
        match keys.as_slice() {
            [one] => (*one).into(),
            _ => format!("question ({} of them)", self.questions),
        }
    }

    /// At most 25 lines of [`WIDTH`], unless `whole` is asked for; `head` is first.
    pub fn to_text(&self, head: &str, whole: bool) -> String {
        let most = |few: usize| if whole { usize::MAX } else { few };
        let above = sentence(head) + &sentence(&format!("enough: {}", self.enough()));
        let cautions = self.cautions.iter().map(|caution| sentence(&format!("! {caution}")));
        let mut cautions: String = cautions.take(most(CAUTIONS_MAX)).collect();
        let more = self.cautions.len().saturating_sub(most(CAUTIONS_MAX));
        if more > 0 {
            cautions += &format!("! {more} more: -v\n");
        }
        let without = self.without(most(WITHOUT_MAX));
        let taken: usize =
            [&above, &without, &cautions].map(|text| text.lines().count()).iter().sum();
        let taken = taken + HEADING_LINES + LEGEND_LINES + 1;
        // those that matter most, in the order of the study
        let room = most(LINES_MAX.saturating_sub(taken).clamp(1, SETTINGS_MAX));
        let mut first: Vec<usize> = self.rank.iter().copied().take(room).collect();
        first.sort_unstable();
        let shown: Vec<&Setting> = first.into_iter().map(|n| &self.settings[n]).collect();
        let mut text = above;
        if !shown.is_empty() {
            text += &self.table(&shown);
        }
        let more = self.settings.len() - shown.len();
        if more > 0 {
            text += &format!("{more} more settings: --table\n");
        }
        text + &without + &cautions
    }

    fn table(&self, shown: &[&Setting]) -> String {
        let mut table = TextTable::new(shown.iter().copied());
        let axes = axes(&self.settings, self.has_sizes);
        for axis in &axes {
            let (title, unit) = short(axis, &axes);
            table.names(&title, unit, |s| label(&s.labels, axis).unwrap_or("-").to_string());
        }
        if axes.is_empty() {
            table.names("scheme", "", |s| label(&s.labels, SCHEME).unwrap_or("all").to_string());
        }
        if self.has_sizes {
            table.numbers("SAQs", "", fewest_or_best);
        }
        let at = |s: &Setting, cell: &dyn Fn(&Held) -> Option<String>| {
            s.at.as_ref().and_then(cell).unwrap_or("-".into())
        };
        table.numbers(self.flows.name(), "B/ns", |s| at(s, &|held| Some(delivered(held))));
        let of = match self.target.reference {
            Reference::Best => "of best",
            Reference::Offered => "of offered",
            Reference::Possible => "of possible",
            Reference::Scheme(_) => "of reference",
        };
        table.numbers(of, "%", |s| at(s, &|held| in_percent(held, |share| format!("{share:.1}"))));
        let target = self.target.share * 100.0;
        let margin = |share: f64| format!("{:+.1}", share - target);
        table.numbers("margin", "%", |s| at(s, &|held| in_percent(held, margin)));
        let p99s = shown.iter().filter_map(|s| s.at.as_ref()?.p99_ns);
        let in_us = p99s.fold(0.0, f64::max) >= 10_000.0;
        let unit = if in_us { "us" } else { "ns" };
        table.numbers("p99", unit, |s| at(s, &|held| Some(p99(held, in_us))));
        let bits = |held: &Held| Some(format!("{:.0}", held.control_bits?));
        table.numbers("bits", "a port", |s| at(s, &bits));
        if self.has_sizes {
            table.numbers("p99 needs", "SAQs", is_enough);
        } else {
            table.names("enough", "", is_enough);
        }
        table.fitted(WIDTH, &LEAST).0 + &self.legend(&|mark| table.has(mark))
    }

    /// What the p99 is held against, and what the marks that the table has mean.
    fn legend(&self, has: &dyn Fn(&str) -> bool) -> String {
        let times = self.target.p99_times;
        let limit = match (&self.reference, self.target.p99_ns) {
            (_, Some(ns)) => format!("up to {} us", us(ns)),
            (None, _) => format!("within {times} times that of the best"),
            (Some(held), _) => {
                let bound = if held.p99_is_lower_bound { ">= " } else { "" };
                let limit =
                    held.p99_ns.map(|ns| format!(" ({bound}{:.2} us)", ns * times / 1000.0));
                format!("within {times} times that of {}{}", held.name, limit.unwrap_or_default())
            }
        };
        let mut text = match self.has_sizes {
            true => format!("p99 needs: {limit}"),
            false => format!("enough: p99 too, {limit}"),
        };
        for (mark, meaning) in [
            ("*", "; *: the most compared"),
            ("?", "; ?: not known"),
            ("~", "; ~: the interval crosses the target"),
            ("none (", "; none (n): the best of those compared"),
        ] {
            text += if has(mark) { meaning } else { "" };
        }
        if has("±") {
            text += &format!("; {}", half_legend(self.replicas));
        }
        sentence(&text)
    }

    fn without(&self, most: usize) -> String {
        if self.without.is_empty() {
            return String::new();
        }
        let one = |held: &Held| {
            let share = in_percent(held, |share| format!("{share:.1}"));
            let share = share.map_or("?".into(), |share| format!("{share} %"));
            match held.control_bits.filter(|_| held.throughput == Met::Yes) {
                Some(bits) => format!("{} {share} ({bits:.0} bits a port)", held.name),
                None => format!("{} {share}", held.name),
            }
        };
        let mut names: Vec<String> = self.without.iter().take(most).map(one).collect();
        let more = self.without.len().saturating_sub(most);
        if more > 0 {
            names.push(format!("{more} more: -v"));
        }
        sentence(&format!("without SAQs: {}", names.join(", ")))
    }
}

/// The axes of the settings, in their order; the scheme where it is not the same for all.
fn axes(settings: &[Setting], has_sizes: bool) -> Vec<&str> {
    let differs = |axis: &str| {
        let mut values = settings.iter().map(|setting| label(&setting.labels, axis));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let mut axes = keys(settings);
    axes.retain(|axis| (*axis != SAQS || !has_sizes) && (*axis != SCHEME || differs(axis)));
    axes
}

fn keys(settings: &[Setting]) -> Vec<&str> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in settings.iter().flat_map(|setting| &setting.labels) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    keys
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

/// What a verdict that chance may turn has behind it.
fn crossing(is_certain: Option<bool>) -> &'static str {
    if is_certain == Some(false) { "~" } else { "" }
}

/// The fewest SAQs of a setting; where none of those compared is enough, the best.
fn fewest_or_best(setting: &Setting) -> String {
    let Some([saqs, _]) = &setting.fewest else { return String::new() };
    let best = setting.at.as_ref().and_then(|at| label(&at.labels, SAQS));
    match (saqs, best) {
        (Fewest { saqs: None, is_unknown: false, by_replica: None, .. }, Some(best)) => {
            format!("none{} ({best})", crossing(saqs.is_certain))
        }
        _ => fewest(saqs),
    }
}

/// The fewest SAQs for the p99; of a setting that is a point whether it is enough.
fn is_enough(setting: &Setting) -> String {
    match (&setting.fewest, setting.is_enough) {
        (Some([_, p99]), _) => fewest(p99),
        (None, Met::Unknown) => "?".into(),
        (None, met) => format!("{}{}", met.word(), crossing(setting.is_certain)),
    }
}

/// The fewest, and what it is from replica to replica.
fn fewest(fewest: &Fewest) -> String {
    let text = |n: Option<f64>| n.map_or("none".into(), |n| n.to_string());
    let largest = if fewest.is_largest { "*" } else { "" };
    let mean = text(fewest.saqs) + largest + crossing(fewest.is_certain);
    match fewest.by_replica {
        _ if fewest.is_unknown => "?".into(),
        Some([least, most]) => format!("{mean} [{}..{}]", text(least), text(most)),
        None => mean,
    }
}

/// The share of the reference with half of its interval.
fn in_percent(held: &Held, text: impl Fn(f64) -> String) -> Option<String> {
    let half = held.share_half_95.map(|half| half * 100.0);
    Some(with_half(text(held.share? * 100.0), half, 1))
}

fn delivered(held: &Held) -> String {
    with_half(format!("{:.2}", held.bytes_per_ns), held.half_95_bytes_per_ns, 2)
}

/// The mean with half of its interval; of a lower bound the bound alone.
fn p99(held: &Held, in_us: bool) -> String {
    let Some(ns) = held.p99_ns else { return "-".into() };
    let (unit_ns, decimals) = match in_us {
        true if ns < 10_000.0 => (1_000.0, 2),
        true => (1_000.0, 1),
        false => (1.0, 0),
    };
    let mean = format!("{:.decimals$}", ns / unit_ns);
    match held.p99_is_lower_bound {
        true => format!(">= {mean}"),
        false => with_half(mean, held.p99_half_95_ns.map(|half| half / unit_ns), decimals),
    }
}

fn us(ns: f64) -> String {
    (ns / 1000.0).to_string()
}
