//! A published statement beside what is measured.

use super::data::{Filter, Statement};
use super::runs::{Tables, mean};
use crate::reproduce::runs::{cell, interval};
use study::Interval;

/// What the paper has no value for.
const NOT_PRINTED: &str = "not printed";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Confirmed,
    /// Close, or met by a variant alone.
    WithDifference,
    Not,
    /// Nothing is published, or nothing that a number can meet.
    Unsaid,
    /// Its points have not been run.
    NotRun,
}

impl Verdict {
    pub(super) fn text(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::WithDifference => "with a difference",
            Verdict::Not => "**not**",
            Verdict::Unsaid => "-",
            Verdict::NotRun => "not run",
        }
    }

    /// Of what is measured by default and in variants.
    fn of(s: &Statement, default: Option<f64>, variants: &[Option<f64>]) -> Verdict {
        let within = |band: [f64; 2], value: f64| band[0] <= value && value <= band[1];
        let (Some(band), Some(value)) = (s.band, default) else {
            return match default {
                Some(_) => Verdict::Unsaid,
                None => Verdict::NotRun,
            };
        };
        if within(band, value) {
            Verdict::Confirmed
        } else if s.near.is_some_and(|near| within(near, value))
            || variants.iter().flatten().any(|&value| within(band, value))
        {
            Verdict::WithDifference
        } else {
            Verdict::Not
        }
    }
}

#[derive(Default)]
pub(super) struct Found {
    pub(super) values: Vec<f64>,
    pub(super) ideal: Option<f64>,
}

impl Found {
    pub(super) fn mean(&self) -> Option<f64> {
        Interval::of(&self.values).map(|i| i.mean)
    }

    pub(super) fn text(&self, digits: usize) -> String {
        interval(&self.values, digits)
    }
}

pub(super) struct Judged<'a> {
    pub(super) statement: &'a Statement,
    pub(super) default: Found,
    pub(super) variants: Vec<(&'a str, Found)>,
    pub(super) verdict: Verdict,
}

impl Judged<'_> {
    pub(super) fn ideal(&self) -> String {
        cell(self.default.ideal, self.statement.digits)
    }

    /// Whether the paper states it.
    pub(super) fn is_published(&self) -> bool {
        self.statement.published != NOT_PRINTED
    }

    /// Whether it must be met and is not.
    pub(super) fn is_missed(&self) -> bool {
        self.statement.must && !matches!(self.verdict, Verdict::Confirmed | Verdict::NotRun)
    }
}

pub(super) fn judge<'a>(s: &'a Statement, tables: &Tables) -> Judged<'a> {
    let mut points =
        s.points().map(|(study, point)| find(s, study, point, tables).unwrap_or_default());
    let default = points.next().unwrap_or_default();
    let names = s.variant.iter().map(|v| v.name.as_str());
    let variants: Vec<(&str, Found)> = names.zip(points).collect();
    let means: Vec<Option<f64>> = variants.iter().map(|(_, found)| found.mean()).collect();
    let verdict = Verdict::of(s, default.mean(), &means);
    Judged { statement: s, default, variants, verdict }
}

fn find(s: &Statement, study: &str, filter: &Filter, tables: &Tables) -> Option<Found> {
    let runs = tables.get(study)?;
    // The least of some of the runs is not that of all.
    if s.least && !runs.has_all(filter) {
        return None;
    }
    let beside = match &s.beside {
        None => 1.0,
        Some(beside) => {
            let runs = tables.get(beside.study.as_deref().unwrap_or(study))?;
            mean(runs.points(&beside.point).first()?, &s.column)?
        }
    };
    let found = runs.points(filter).into_iter().map(|point| {
        let values = runs.replicas(point, &s.column).into_iter();
        let values: Vec<f64> = match &s.of {
            Some(of) => {
                let of = runs.replicas(point, of);
                values.zip(of).map(|(a, b)| a / b / beside).collect()
            }
            None => values.map(|value| value / beside).collect(),
        };
        // a share has no ideal
        let is_share = s.of.is_some() || s.beside.is_some();
        Found { values, ideal: (!is_share).then(|| runs.ideal(point, &s.column)).flatten() }
    });
    let found: Vec<Found> = found.filter(|found| found.mean().is_some()).collect();
    if found.len() > 1 && !s.least {
        return None;
    }
    let by_mean = |a: &Found, b: &Found| a.mean().partial_cmp(&b.mean());
    found.into_iter().min_by(|a, b| by_mean(a, b).unwrap_or(std::cmp::Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use crate::reproduce::work::data::Statement;

    #[test]
    fn verdicts() {
        let text = "text = \"\"\npublished = \"\"\nstudy = \"\"\ncolumn = \"\"\n";
        let statement = |more: &str| -> Statement {
            toml::from_str(&format!("{text}{more}")).expect("it is one")
        };
        let plain = statement("band = [40.0, 44.0]\n");
        let near = statement("band = [40.0, 44.0]\nnear = [38.0, 46.0]\n");
        let unstated = statement("");
        let cases = [
            (&plain, Some(40.0), None, Verdict::Confirmed),
            (&plain, Some(44.1), None, Verdict::Not),
            (&plain, Some(44.1), Some(42.0), Verdict::WithDifference),
            (&plain, Some(44.1), Some(45.0), Verdict::Not),
            (&near, Some(38.0), None, Verdict::WithDifference),
            (&near, Some(37.9), None, Verdict::Not),
            (&plain, None, Some(42.0), Verdict::NotRun),
            (&unstated, Some(1.0), None, Verdict::Unsaid),
            (&unstated, None, None, Verdict::NotRun),
        ];
        for (at, (statement, default, variant, verdict)) in cases.into_iter().enumerate() {
            assert_eq!(Verdict::of(statement, default, &[variant]), verdict, "{at}");
        }
    }
}
