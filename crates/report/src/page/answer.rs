//! The answer of a study: what is enough, a line a setting, what is beside them, and cautions.

use super::{column, wide};
use crate::names;
use crate::plot::sample;
use crate::store::{Answer, Fewest, Held, Met, Setting, Store};
use crate::text::{escape, number, shortest, with_half};

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
    let cautions = answer.cautions.iter();
    let cautions: String = cautions.map(|c| format!("<li>{}</li>\n", escape(c))).collect();
    if !cautions.is_empty() {
        out.push_str(&format!("<ul class=\"cautions\">\n{cautions}</ul>\n"));
    }
    out
}

fn table(store: &Store, answer: &Answer) -> String {
    let shown = nearest(answer);
    let without = answer.without_saqs.iter().take(WITHOUT_MAX);
    let held = shown.iter().filter_map(|s| s.at.as_ref()).chain(without.clone());
    let most = held.filter_map(|held| held.judged.p99_ns).fold(0.0, f64::max);
    let table = Table { store, answer, in_us: most >= US_FROM };
    let mut out = String::from("<table class=\"answers\">\n<thead><tr>");
    out.push_str(&table.heading());
    out.push_str("</tr></thead>\n<tbody>\n");
    shown.iter().for_each(|s| out.push_str(&table.setting(s)));
    out.push_str("</tbody>\n<tbody>\n");
    without.for_each(|held| out.push_str(&table.without(held)));
    out.push_str("</tbody>\n");
    let out = wide("Answers", &out);
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
        let of = match self.answer.target.reference.as_str() {
            "best" | "offered" | "possible" => self.answer.target.reference.as_str(),
            _ => "reference",
        };
        let (names, units) = names::short_heading(&self.store.axes);
        let mut out = column(" l", &names, &units, &self.store.axes.join(", "));
        let metric = self.answer.target.metric.as_str();
        let (of, us) = (format!("of {of}"), if self.in_us { "\u{b5}s" } else { "ns" });
        let mut more = vec![(metric, "B/ns"), (&of, "%"), ("margin", "%"), ("p99", us)];
        more.push(("control", "bits a port"));
        if self.answer.has_sizes {
            more.insert(0, ("SAQs", "a port"));
            more.push(("p99 needs", "SAQs"));
        } else {
            more.push(("enough", ""));
        }
        for (title, unit) in more {
            out.push_str(&column("", title, unit, ""));
        }
        out
    }

    fn setting(&self, setting: &Setting) -> String {
        let name = names::short(&self.store.axes, &setting.labels);
        let name = if name.is_empty() { "all".into() } else { name };
        let class = class(setting.is_enough);
        let mut out = format!("<tr{class}>{}", self.name(setting.at.as_ref(), &name));
        let at = setting.at.as_ref();
        if let Some(saqs) = &setting.saqs {
            let best = at.and_then(|at| at.labels.get("recn.saqs")?.as_str());
            let of_best = match (saqs.fewest, saqs.is_unknown, best) {
                (None, false, Some(best)) => format!("<small>best: {}</small>", escape(best)),
                _ => String::new(),
            };
            out.push_str(&format!("<td class=\"saqs\">{}{of_best}</td>", fewest(saqs)));
        }
        out.push_str(&self.held(at));
        let verdict = match (&setting.p99_saqs, setting.is_enough) {
            (Some(p99), _) => fewest(p99),
            (None, Met::Yes) => format!("yes{}", crossing(setting.is_certain)),
            (None, Met::No) => format!("no{}", crossing(setting.is_certain)),
            (None, Met::Unknown) => "?".into(),
        };
        out + &cell(&verdict) + "</tr>\n"
    }

    fn without(&self, held: &Held) -> String {
        let name = names::short(&self.store.axes, &held.labels);
        let class = class(held.judged.throughput_is_enough);
        let mut out = format!("<tr{class}>{}", self.name(Some(held), &name));
        if self.answer.has_sizes {
            out.push_str(&cell("no SAQs"));
        }
        out + &self.held(Some(held)) + &cell("\u{2013}") + "</tr>\n"
    }

    /// With the style of the point in the figures.
    fn name(&self, held: Option<&Held>, name: &str) -> String {
        let point = held.and_then(|held| self.store.point(&held.labels));
        let sample = point.map_or(String::new(), |p| sample(p.style, 0));
        let keys = point.map_or("", |p| p.keys.as_str());
        format!(
            "<th scope=\"row\" class=\"l\" title=\"{}\">{sample}<span>{}</span></th>",
            escape(keys),
            escape(name)
        )
    }

    fn held(&self, at: Option<&Held>) -> String {
        let judged = at.map(|at| &at.judged);
        let share = judged.and_then(|at| at.share).map(|share| share * 100.0);
        let half = judged.and_then(|at| at.share_half_95).map(|h| h * 100.0);
        let margin = share.map(|share| share - self.answer.target.at_least * 100.0);
        let plus = if margin.is_some_and(|m| m >= 0.0) { "+" } else { "" };
        let none = || "\u{2013}".to_string();
        let margin = margin.map_or(none(), |m| format!("{plus}{}", number(m, 1)));
        let share = share.map_or(none(), |share| number(share, 1));
        let delivered = judged.map_or(none(), |at| {
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
        let bits = judged.and_then(|at| at.port_control_bits);
        [
            cell(&delivered),
            cell(&with_half(&share, half, 1)),
            cell(&with_half(&margin, half, 1)),
            cell(&p99.unwrap_or(none())),
            cell(&bits.map_or(none(), |bits| number(bits, 0))),
        ]
        .concat()
    }

    fn p99_note(&self) -> String {
        let times = shortest(self.answer.target.p99_times);
        let held = self.answer.reference.as_ref();
        let whose = held.and_then(|held| Some(self.store.point(&held.labels)?.title.as_str()));
        let limit = held.and_then(|held| held.judged.p99_ns);
        let limit = limit.map_or(String::new(), |ns| {
            let ns = ns * self.answer.target.p99_times;
            format!(" ({} \u{b5}s)", number(ns / 1000.0, 2))
        });
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
        if let Some(ns) = self.answer.target.p99_ns {
            let limit = number(ns / 1000.0, 2);
            return format!("{what} a p99 up to {limit} \u{b5}s.{marks}{halves}");
        }
        let whose = whose.unwrap_or("the best");
        format!("{what} a p99 within {times} times that of {whose}{limit}.{marks}{halves}")
    }
}

fn cell(text: &str) -> String {
    format!("<td>{text}</td>")
}

fn class(is_enough: Met) -> &'static str {
    match is_enough {
        Met::Yes => " class=\"yes\"",
        Met::No | Met::Unknown => "",
    }
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
