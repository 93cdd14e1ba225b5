//! The answer of a study: what is enough, a line a setting, what is beside them, and cautions.

use super::{column, wide};
use crate::names;
use crate::plot::sample;
use crate::store::{Answer, Fewest, Held, Met, Setting, Store};
use crate::text::{escape, joined, number, shortest, with_half};

/// More settings than these are counted; those that matter most stay.
const SETTINGS_MAX: usize = 12;
/// More schemes without SAQs than these are counted.
const WITHOUT_MAX: usize = 8;
/// A latency from here on is given in us.
const US_FROM: f64 = 10_000.0;

struct Table<'a> {
    store: &'a Store,
    answer: &'a Answer,
    in_us: bool,
}

/// The question and the answers, or what a search found; empty where the study has none.
pub(super) fn section(store: &Store) -> String {
    if !store.found.is_empty() {
        return format!("<pre class=\"found\">{}</pre>\n", escape(&store.found));
    }
    let Some(answer) = &store.answer else {
        return String::new();
    };
    let mut out = format!("<p class=\"enough\">Enough: {}.</p>\n", escape(&answer.enough));
    if !answer.settings.is_empty() {
        out.push_str(&table(store, answer));
    }
    if !answer.cautions.is_empty() {
        let cautions = answer.cautions.iter().map(|c| format!("<li>{}</li>\n", escape(c)));
        out.push_str(&format!("<ul class=\"cautions\">\n{}</ul>\n", joined(cautions, "")));
    }
    out
}

fn table(store: &Store, answer: &Answer) -> String {
    let shown = nearest(answer);
    let without = answer.without_saqs.iter().take(WITHOUT_MAX);
    let held = shown.iter().filter_map(|s| s.at.as_ref()).chain(without.clone());
    let most = held.filter_map(|held| held.judged.p99_ns).fold(0.0, f64::max);
    let table = Table { store, answer, in_us: most >= US_FROM };
    let settings = joined(shown.iter().map(|setting| table.setting(setting)), "");
    let others = joined(without.map(|held| table.without(held)), "");
    let rows = format!("{settings}</tbody>\n<tbody>\n{others}");
    let out = wide("Answers", "<table class=\"answers\">", &table.heading(), &rows);
    let more = answer.settings.len() - shown.len();
    let mut notes = Vec::new();
    if more > 0 {
        notes.push(format!("{more} more settings are in the table of all points."));
    }
    let without = answer.without_saqs.len().saturating_sub(WITHOUT_MAX);
    if without > 0 {
        notes.push(format!("{without} more points without SAQs are there too."));
    }
    notes.push(table.p99_note());
    out + &format!("<p class=\"note\">{}</p>\n", escape(&notes.join(" ")))
}

fn nearest(answer: &Answer) -> Vec<&Setting> {
    let mut first: Vec<usize> = answer.rank.iter().copied().take(SETTINGS_MAX).collect();
    first.sort_unstable();
    first.into_iter().filter_map(|n| answer.settings.get(n)).collect()
}

impl Table<'_> {
    fn heading(&self) -> String {
        let target = &self.answer.target;
        let of = match target.reference.as_str() {
            of @ ("best" | "offered" | "possible") => of,
            _ => "reference",
        };
        let (names, units) = names::short_heading(&self.store.axes);
        let (of, us) = (format!("of {of}"), if self.in_us { "\u{b5}s" } else { "ns" });
        let mut all = vec![(target.metric.as_str(), "B/ns"), (&of, "%"), ("margin", "%")];
        all.extend([("p99", us), ("control", "bits a port")]);
        if self.answer.has_sizes {
            all.insert(0, ("SAQs", "a port"));
            all.push(("p99 needs", "SAQs"));
        } else {
            all.push(("enough", ""));
        }
        let all = all.into_iter().map(|(title, unit)| column("", title, unit, ""));
        column(" l", &names, &units, &self.store.axes.join(", ")) + &joined(all, "")
    }

    fn setting(&self, setting: &Setting) -> String {
        let name = names::short(&self.store.axes, &setting.labels);
        let name = if name.is_empty() { "all" } else { &name };
        let at = setting.at.as_ref();
        let mut out = self.name(at, name, setting.is_enough);
        if let Some(saqs) = &setting.saqs {
            let best = at.and_then(|at| at.labels.get("recn.saqs")?.as_str());
            let of_best = match (saqs.fewest, saqs.is_unknown, best) {
                (None, false, Some(best)) => format!("<small>best: {}</small>", escape(best)),
                _ => String::new(),
            };
            out.push_str(&format!("<td class=\"saqs\">{}{of_best}</td>", fewest(saqs)));
        }
        let crossing = crossing(setting.is_certain);
        let verdict = match (&setting.p99_saqs, setting.is_enough) {
            (Some(p99), _) => fewest(p99),
            (None, Met::Yes) => format!("yes{crossing}"),
            (None, Met::No) => format!("no{crossing}"),
            (None, Met::Unknown) => "?".into(),
        };
        out + &self.held(at) + &cell(&verdict) + "</tr>\n"
    }

    fn without(&self, held: &Held) -> String {
        let name = names::short(&self.store.axes, &held.labels);
        let name = self.name(Some(held), &name, held.judged.throughput_is_enough);
        let no_saqs = if self.answer.has_sizes { &cell("no SAQs") } else { "" };
        name + no_saqs + &self.held(Some(held)) + &cell("\u{2013}") + "</tr>\n"
    }

    /// The begin of a row: the name with the style of the point in the figures.
    fn name(&self, held: Option<&Held>, name: &str, is_enough: Met) -> String {
        let point = held.and_then(|held| self.store.point(&held.labels));
        let sample = point.map_or(String::new(), |p| sample(p.style, 0));
        let (keys, name) = (escape(point.map_or("", |p| &p.keys)), escape(name));
        let class = if is_enough == Met::Yes { " class=\"yes\"" } else { "" };
        format!(
            "<tr{class}><th scope=\"row\" class=\"l\" title=\"{keys}\">{sample}\
             <span>{name}</span></th>"
        )
    }

    fn held(&self, at: Option<&Held>) -> String {
        let judged = at.map(|at| &at.judged);
        let share = judged.and_then(|at| at.share).map(|share| share * 100.0);
        let half = judged.and_then(|at| at.share_half_95).map(|h| h * 100.0);
        let margin = share.map(|share| share - self.answer.target.at_least * 100.0);
        let plus = if margin.is_some_and(|m| m >= 0.0) { "+" } else { "" };
        let margin = margin.map(|m| with_half(&format!("{plus}{}", number(m, 1)), half, 1));
        let share = share.map(|share| with_half(&number(share, 1), half, 1));
        let delivered = judged.map(|at| {
            let mean = number(at.delivered_bytes_per_ns, 2);
            with_half(&mean, at.delivered_half_95_bytes_per_ns, 2)
        });
        let p99 = judged.and_then(|at| {
            let ns = at.p99_ns?;
            let (unit_ns, decimals) = match self.in_us {
                true if ns < US_FROM => (1000.0, 2),
                true => (1000.0, 1),
                false => (1.0, 0),
            };
            let bound = if at.p99_is_lower_bound { "&gt;= " } else { "" };
            let mean = format!("{bound}{}", number(ns / unit_ns, decimals));
            Some(with_half(&mean, at.p99_half_95_ns.map(|half| half / unit_ns), decimals))
        });
        let bits = judged.and_then(|at| at.port_control_bits).map(|bits| number(bits, 0));
        let all = [delivered, share, margin, p99, bits];
        joined(all.map(|text| cell(text.as_deref().unwrap_or("\u{2013}"))), "")
    }

    fn p99_note(&self) -> String {
        let target = &self.answer.target;
        let (what, marks) = match self.answer.has_sizes {
            true => {
                ("p99 needs: the fewest SAQs for", " *: the most that were compared; ?: not known.")
            }
            false => ("enough:", ""),
        };
        let halves = match self.store.has_replicas() {
            true => {
                " \u{b1}: half of the 95 % interval over the replicas, by Student's t; shares run \
                 by run of the same seed; ~: the interval crosses the target."
            }
            false => "",
        };
        let us = |ns: f64| number(ns / 1000.0, 2);
        if let Some(ns) = target.p99_ns {
            return format!("{what} a p99 up to {} \u{b5}s.{marks}{halves}", us(ns));
        }
        let held = self.answer.reference.as_ref();
        let point = held.and_then(|held| self.store.point(&held.labels));
        let whose = point.map_or("the best", |point| &point.title);
        let limit = held.and_then(|held| held.judged.p99_ns).map(|ns| ns * target.p99_times);
        let limit = limit.map_or(String::new(), |ns| format!(" ({} \u{b5}s)", us(ns)));
        let times = shortest(target.p99_times);
        format!("{what} a p99 within {times} times that of {whose}{limit}.{marks}{halves}")
    }
}

fn cell(text: &str) -> String {
    format!("<td>{text}</td>")
}

/// What a verdict that chance may turn has behind it.
fn crossing(is_certain: Option<bool>) -> &'static str {
    if is_certain == Some(false) { "~" } else { "" }
}

/// The fewest that are enough, and what it is from replica to replica.
fn fewest(fewest: &Fewest) -> String {
    let text = |n: Option<f64>| n.map_or("none".into(), shortest);
    let range = match fewest.by_replica {
        Some([least, most]) => format!("<small>{}..{}</small>", text(least), text(most)),
        None => String::new(),
    };
    let largest = if fewest.is_largest { "*" } else { "" };
    match fewest.is_unknown {
        true => "?".into(),
        false => text(fewest.fewest) + largest + crossing(fewest.is_certain) + &range,
    }
}
