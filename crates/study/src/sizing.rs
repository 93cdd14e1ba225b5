//! How many SAQs are enough, in words: [`Table::findings`].
//!
//! Judged are the victims, the flows to no hot destination, during the congestion tree: they are
//! what SAQs protect. All flows together hide them, since a hot destination takes the same rate
//! however much its tree costs the others.

use crate::table::{PointRow, RunRow, Table};
use crate::windows::WindowRow;

const SAQS: &str = "recn.saqs";
const SCHEME: &str = "switch.scheme";
const DURING: &str = "during";
/// Part of the best that may be lost by what counts as enough.
const MARGIN: f64 = 0.02;
/// More families of points than these are counted, not judged in words.
const FINDINGS_MAX: usize = 8;
/// More other points than these are counted, not named.
const NAMES_MAX: usize = 8;

/// What is compared.
struct Judged {
    column: &'static str,
    flows: &'static str,
    /// Without a window of a tree: the measured time.
    in_tree: bool,
}

/// Points that differ in the number of SAQs alone, fewest first.
struct Family<'a> {
    name: String,
    members: Vec<(f64, &'a PointRow)>,
}

impl Table {
    /// A sentence for each family of points that differ in `recn.saqs` alone: how many SAQs are
    /// enough, and for which flows, when, by what margin and beside what; or why that is not said.
    pub fn findings(&self) -> Vec<String> {
        let families = self.families();
        let mut lines: Vec<String> = families
            .iter()
            .take(FINDINGS_MAX)
            .map(|family| self.finding(family))
            .collect();
        if families.len() > FINDINGS_MAX {
            let more = families.len() - FINDINGS_MAX;
            lines.push(format!(
                "{more} further sets of points that differ in {SAQS} alone are not judged in words"
            ));
        }
        lines
    }

    fn families(&self) -> Vec<Family<'_>> {
        let mut families: Vec<(Vec<&(String, String)>, Family<'_>)> = Vec::new();
        for point in &self.points {
            let saqs = point.label(SAQS).and_then(|v| v.parse::<f64>().ok());
            let Some(saqs) = saqs.filter(|s| s.is_finite()) else {
                continue;
            };
            let others: Vec<_> = point.labels.iter().filter(|l| l.0 != SAQS).collect();
            match families.iter_mut().find(|(labels, _)| *labels == others) {
                Some((_, family)) => family.members.push((saqs, point)),
                None => {
                    let name = family_name(&others);
                    let members = vec![(saqs, point)];
                    families.push((others, Family { name, members }));
                }
            }
        }
        let mut families: Vec<Family<'_>> =
            families.into_iter().map(|(_, family)| family).collect();
        families.retain(|family| family.members.len() > 1);
        for family in &mut families {
            family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        families
    }

    fn judged(&self) -> Judged {
        let victims = |p: &PointRow| p.value("victims_delivered_bytes_per_ns").is_some();
        let victims = self.points.iter().any(victims);
        let in_tree = self.runs.iter().any(|run| during(run).is_some());
        Judged {
            column: match (victims, in_tree) {
                (true, true) => "victims_during_bytes_per_ns",
                (true, false) => "victims_delivered_bytes_per_ns",
                (false, true) => "during_bytes_per_ns",
                (false, false) => "delivered_bytes_per_ns",
            },
            flows: if victims {
                "victims (flows to no hot destination)"
            } else {
                "all flows"
            },
            in_tree,
        }
    }

    fn finding(&self, family: &Family<'_>) -> String {
        let judged = self.judged();
        let value = |point: &PointRow| point.value(judged.column).map(|s| s.mean);
        let (name, flows) = (&family.name, judged.flows);
        let measured: Vec<(f64, &PointRow, f64)> = family
            .members
            .iter()
            .filter_map(|&(saqs, point)| Some((saqs, point, value(point)?)))
            .collect();
        if measured.len() < 2 {
            return format!(
                "{name}: how many SAQs are enough is not said: {}",
                self.why_not(family, &judged)
            );
        }
        let others: Vec<(&PointRow, f64)> = self
            .points
            .iter()
            .filter(|p| {
                family
                    .members
                    .iter()
                    .all(|(_, member)| member.name != p.name)
            })
            .filter(|p| comparable(p, family.members[0].1))
            .filter_map(|p| Some((p, value(p)?)))
            .collect();
        let (best_name, best) = measured
            .iter()
            .map(|(n, _, v)| (saqs(*n), *v))
            .chain(others.iter().map(|(p, v)| (p.name.clone(), *v)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .unwrap_or_default();
        let keeps = |v: f64| v >= best * (1.0 - MARGIN);
        let from = measured
            .iter()
            .rposition(|(.., v)| !keeps(*v))
            .map_or(0, |at| at + 1);
        let margin = MARGIN * 100.0;
        let verdict = match measured.get(from) {
            Some((n, ..)) => format!(
                "{} enough: the fewest from which on {flows} keep within {margin} % of the best",
                if *n == 1.0 {
                    "1 SAQ is".into()
                } else {
                    format!("{n} SAQs are")
                }
            ),
            None => format!(
                "no number of SAQs compared is enough for {flows} to keep within {margin} % of the best"
            ),
        };
        let each: Vec<String> = measured
            .iter()
            .map(|(n, _, v)| format!("{} {v:.2} ({:+.1} %)", saqs(*n), part(*v, best)))
            .collect();
        let beside = match others.len() {
            0 => String::new(),
            1..=NAMES_MAX => {
                let names: Vec<&str> = others.iter().map(|(p, _)| p.name.as_str()).collect();
                format!("; compared with {}", names.join("; "))
            }
            n => format!("; compared with {n} other points"),
        };
        format!(
            "{name}: {verdict}. Delivered in {}, bytes/ns{}: {}; best: {best_name} {best:.2}{beside}{}.",
            self.when(family, &judged),
            replicas(
                measured
                    .iter()
                    .map(|m| m.1)
                    .chain(others.iter().map(|o| o.0))
            ),
            each.join(", "),
            missing(family, &measured),
        )
    }

    /// The window in words: the same of all members, or its name alone.
    fn when(&self, family: &Family<'_>, judged: &Judged) -> String {
        if !judged.in_tree {
            return "the measured time".into();
        }
        let mut windows = self.windows_of(family);
        let first = windows.next();
        let same = |w: &WindowRow, f: &WindowRow| {
            (w.start_ns, w.end_ns, &w.note) == (f.start_ns, f.end_ns, &f.note)
        };
        match first {
            Some(first) if windows.all(|w| same(w, first)) => {
                let note = first
                    .note
                    .as_ref()
                    .map_or(String::new(), |n| format!("; {n}"));
                format!(
                    "window `{DURING}` ({} to {} ns{note})",
                    first.start_ns, first.end_ns
                )
            }
            _ => format!("window `{DURING}`"),
        }
    }

    fn why_not(&self, family: &Family<'_>, judged: &Judged) -> String {
        if family.members.iter().all(|(_, point)| point.finished == 0) {
            return "no run finished".into();
        }
        let empty = |w: &&WindowRow| w.end_ns <= w.start_ns;
        let reason = self.windows_of(family).find(empty).map(|w| w.note.clone());
        match reason {
            Some(Some(note)) => format!("window `{DURING}` is empty: {note}"),
            Some(None) => format!("window `{DURING}` is empty"),
            None => format!(
                "fewer than two of its points have a value of {}",
                judged.column
            ),
        }
    }

    /// Lines of the window in the runs of a family.
    fn windows_of(&self, family: &Family<'_>) -> impl Iterator<Item = &WindowRow> {
        let runs: Vec<usize> = family
            .members
            .iter()
            .flat_map(|m| m.1.runs.clone())
            .collect();
        let of_family = move |row: &&RunRow| runs.contains(&row.job.index);
        self.runs.iter().filter(of_family).filter_map(during)
    }
}

/// The line of all flows in the window of the tree.
fn during(row: &RunRow) -> Option<&WindowRow> {
    let mut windows = row.finished()?.windows.iter();
    windows.find(|w| w.window == DURING && w.is_of_all())
}

fn family_name(labels: &[&(String, String)]) -> String {
    let part = |(key, value): &&(String, String)| {
        if key == SCHEME {
            value.clone()
        } else {
            format!("{key} {value}")
        }
    };
    let name: Vec<String> = labels.iter().map(part).collect();
    if name.is_empty() {
        SAQS.into()
    } else {
        name.join(", ")
    }
}

/// Two points that differ in scheme, SAQs and keys that one of them alone has.
fn comparable(a: &PointRow, b: &PointRow) -> bool {
    let of_scheme = |key: &str| key == SCHEME || key == SAQS;
    a.labels
        .iter()
        .all(|(key, value)| of_scheme(key) || b.label(key).is_none_or(|other| other == value))
}

fn saqs(n: f64) -> String {
    format!("{n} SAQ{}", if n == 1.0 { "" } else { "s" })
}

/// Percent above the best; below it negative.
fn part(value: f64, best: f64) -> f64 {
    let percent = if best > 0.0 {
        (value / best - 1.0) * 100.0
    } else {
        0.0
    };
    (percent * 10.0).round() / 10.0 + 0.0 // as it is shown, and no minus before a zero
}

/// Over how many replicas values are means; empty where each is one run.
fn replicas<'a>(points: impl Iterator<Item = &'a PointRow>) -> String {
    let points: Vec<&PointRow> = points.collect();
    let least = points.iter().map(|p| p.finished).min().unwrap_or(1);
    let most = points.iter().map(|p| p.finished).max().unwrap_or(1);
    match most {
        1 => String::new(),
        _ if least == most => format!(", mean of {most} replicas"),
        _ => format!(", mean of {least} to {most} replicas"),
    }
}

fn missing(family: &Family<'_>, measured: &[(f64, &PointRow, f64)]) -> String {
    let has = |saqs: f64| measured.iter().any(|m| m.0 == saqs);
    let without: Vec<String> = family
        .members
        .iter()
        .filter(|(saqs, _)| !has(*saqs))
        .map(|(saqs, _)| saqs.to_string())
        .collect();
    if without.is_empty() {
        String::new()
    } else {
        format!("; without a value: {} SAQs", without.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_states_the_margin() {
        let page = include_str!("../../../docs/results.md").replace('\n', " ");
        let margin = format!("is within {} % of the best", MARGIN * 100.0);
        assert!(page.contains(&margin), "{margin}");
    }
}
