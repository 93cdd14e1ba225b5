//! How many SAQs are enough, in words: [`Table::findings`].
//!
//! Judged are the victims, the flows to no hot destination, during the congestion tree: they are
//! what SAQs protect. All flows together hide them, since a hot destination takes the same rate
//! however much its tree costs the others.

mod family;
mod fewest;
mod words;

use crate::table::{PointRow, RunRow, Spread, Table};
use crate::windows::WindowRow;
use family::{Family, comparable};
use fewest::fewest;

const SAQS: &str = "recn.saqs";
const SCHEME: &str = "switch.scheme";
const DURING: &str = "during";
/// Part of the best that may be lost by what counts as enough.
const MARGIN: f64 = 0.02;
/// More families of points than these are counted, not judged in words.
const FINDINGS_MAX: usize = 8;
/// More other points than these are counted, not named.
const NAMES_MAX: usize = 8;

/// A number of SAQs, its point, and what that delivers.
type Measured<'a> = (f64, &'a PointRow, Spread);

/// What is compared.
struct Judged {
    column: &'static str,
    flows: &'static str,
    /// Without a window of a tree: the measured time.
    in_tree: bool,
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
        let of = |point: &PointRow| point.value(judged.column);
        let (name, flows) = (&family.name, judged.flows);
        let members = family.members.iter();
        let measured: Vec<Measured<'_>> = members
            .filter_map(|&(saqs, point)| Some((saqs, point, of(point)?)))
            .collect();
        if measured.len() < 2 {
            return format!(
                "{name}: how many SAQs are enough is not said: {}",
                self.why_not(family, &judged)
            );
        }
        let others: Vec<(&PointRow, Spread)> = self
            .points
            .iter()
            .filter(|p| {
                family
                    .members
                    .iter()
                    .all(|(_, member)| member.name != p.name)
            })
            .filter(|p| comparable(p, family.members[0].1))
            .filter_map(|p| Some((p, of(p)?)))
            .collect();
        let first = (words::saqs(measured[0].0), measured[0].2);
        let (best_name, best) = measured
            .iter()
            .map(|(n, _, v)| (words::saqs(*n), *v))
            .chain(others.iter().map(|(p, v)| (p.name.clone(), *v)))
            .fold(first, |best, next| {
                if next.1.mean > best.1.mean {
                    next
                } else {
                    best
                }
            });
        let fewest = fewest(measured.iter().map(|m| (m.0, m.2.mean)), best.mean);
        let replicas = self.fewest_of_replicas(&measured, &others, judged.column);
        let margin = MARGIN * 100.0;
        let verdict = match fewest {
            Some(n) => format!(
                "{} enough: the fewest from which on {flows} keep within {margin} % of the best",
                if n == 1.0 {
                    "1 SAQ is".into()
                } else {
                    format!("{n} SAQs are")
                }
            ),
            None => format!(
                "no number of SAQs compared is enough for {flows} to keep within {margin} % of the best"
            ),
        };
        let each = measured.iter().map(|(n, _, v)| {
            let (saqs, v, part) = (words::saqs(*n), words::value(*v), part(v.mean, best.mean));
            format!("{saqs} {v} ({part:+.1} %)")
        });
        let each: Vec<String> = each.collect();
        let beside = match others.len() {
            0 => String::new(),
            1..=NAMES_MAX => {
                let names: Vec<&str> = others.iter().map(|(p, _)| p.name.as_str()).collect();
                format!("; compared with {}", names.join("; "))
            }
            n => format!("; compared with {n} other points"),
        };
        let points = measured.iter().map(|m| m.1);
        format!(
            "{name}: {verdict}{}. Delivered in {}, bytes/ns{}: {}; best: {best_name} {}{beside}{}.{}",
            words::by_replica(&replicas),
            self.when(family, &judged),
            words::replicas(points.chain(others.iter().map(|o| o.0))),
            each.join(", "),
            words::value(best),
            words::missing(family, &measured),
            words::cost(fewest, &measured),
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

/// Percent above the best; below it negative.
fn part(value: f64, best: f64) -> f64 {
    let percent = if best > 0.0 {
        (value / best - 1.0) * 100.0
    } else {
        0.0
    };
    (percent * 10.0).round() / 10.0 + 0.0 // as it is shown, and no minus before a zero
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
