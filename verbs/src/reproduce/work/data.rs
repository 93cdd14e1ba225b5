//! The file of a work.

use crate::reproduce::chart::Axis;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Axes and the values of theirs that are meant; an axis that is not named may have any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(super) struct Filter(BTreeMap<String, OneOrMany>);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Filter {
    /// Whether a point with these labels is meant.
    pub(super) fn has(&self, labels: &[(String, String)]) -> bool {
        self.0.iter().all(|(key, wanted)| {
            let value = labels.iter().find(|(axis, _)| axis == key).map(|l| &l.1);
            value.is_some_and(|value| match wanted {
                OneOrMany::One(one) => one == value,
                OneOrMany::Many(many) => many.contains(value),
            })
        })
    }

    /// Axes that have one value.
    pub(super) fn fixes(&self, axis: &str) -> bool {
        self.0.get(axis).is_some_and(|v| match v {
            OneOrMany::One(_) => true,
            OneOrMany::Many(many) => many.len() < 2,
        })
    }
}

/// Keys and what is set over a study.
pub(super) type Sets = BTreeMap<String, String>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Work {
    pub(super) about: String,
    /// By a name for this file.
    pub(super) study: BTreeMap<String, StudyOf>,
    #[serde(default)]
    pub(super) statement: Vec<Statement>,
    #[serde(default)]
    pub(super) figure: Vec<Figure>,
    #[serde(default)]
    pub(super) table: Vec<PointTable>,
    #[serde(default)]
    pub(super) variants: Vec<Variants>,
    /// Studies in which two windows of the measured time are compared.
    #[serde(default)]
    pub(super) steady: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StudyOf {
    /// In `scenarios/studies`.
    pub(super) file: String,
    #[serde(default)]
    pub(super) sets: Sets,
    #[serde(default)]
    pub(super) quick: Quick,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quick {
    #[serde(default)]
    pub(super) sets: Sets,
    #[serde(default)]
    pub(super) keep: Filter,
    #[serde(default)]
    pub(super) skip: bool,
}

/// A published statement and what is measured for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Statement {
    /// Figure, case, scheme, as the page heads it.
    pub(super) text: String,
    /// As it is published, or `not printed`.
    pub(super) published: String,
    pub(super) study: String,
    #[serde(default)]
    pub(super) point: Filter,
    /// One of the columns of results.
    pub(super) column: String,
    /// Of several points the least; else of one.
    #[serde(default)]
    pub(super) least: bool,
    /// Column of the same point, by which the value is divided.
    pub(super) of: Option<String>,
    /// Point by whose value the value is divided.
    pub(super) beside: Option<Beside>,
    /// Confirmed within it. Without one there is no verdict.
    pub(super) band: Option<[f64; 2]>,
    /// Confirmed with a difference within it.
    pub(super) near: Option<[f64; 2]>,
    /// Other settings, shown beside; met only by them it is confirmed with a difference.
    #[serde(default)]
    pub(super) variant: Vec<Variant>,
    /// A value outside the band makes the command fail.
    #[serde(default)]
    pub(super) must: bool,
    /// Why it differs, where that is known.
    #[serde(default)]
    pub(super) why: String,
    #[serde(default = "two")]
    pub(super) digits: usize,
}

impl Statement {
    /// Studies and points that it is judged by: its own, those of variants, that beside it.
    pub(super) fn points<'a>(&'a self) -> impl Iterator<Item = (&'a str, &'a Filter)> {
        let variants = self.variant.iter().map(|v| (&v.study, &v.point));
        let beside = self.beside.iter().map(|b| (&b.study, &b.point));
        let of = |(study, point): (&'a Option<String>, _)| {
            (study.as_deref().unwrap_or(&self.study), point)
        };
        [(&None, &self.point)].into_iter().chain(variants).chain(beside).map(of)
    }
}

fn two() -> usize {
    2
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Beside {
    pub(super) study: Option<String>,
    #[serde(default)]
    pub(super) point: Filter,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) study: Option<String>,
    pub(super) point: Filter,
}

/// A figure: one panel a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) columns: usize,
    /// Axis of a study, or `time`.
    pub(super) x: String,
    /// Column of results, or of the series.
    pub(super) y: String,
    pub(super) x_axis: Axis,
    pub(super) y_axis: Axis,
    pub(super) panel: Vec<PanelOf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PanelOf {
    pub(super) title: String,
    pub(super) study: String,
    #[serde(default)]
    pub(super) point: Filter,
    /// In the place of the figure's.
    pub(super) y: Option<String>,
    pub(super) x_axis: Option<Axis>,
    pub(super) y_axis: Option<Axis>,
}

/// Points of a study and columns, as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PointTable {
    pub(super) title: String,
    pub(super) about: String,
    pub(super) study: String,
    #[serde(default)]
    pub(super) point: Filter,
    pub(super) columns: Vec<String>,
}

/// Open keys moved over a study, one at a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variants {
    /// Its rows are studies `NAME/ROW` of statements.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) about: String,
    pub(super) study: StudyOf,
    /// Shown of each point; sentences are about the second.
    pub(super) columns: [String; 2],
    /// Points whose first column is shown as a share of that of another.
    pub(super) share: Share,
    pub(super) row: Vec<Row>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Share {
    pub(super) of: Vec<String>,
    pub(super) beside: String,
    pub(super) least: f64,
}

/// A value of an open key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// Which key: rows of one key make one sentence.
    pub(super) key: String,
    /// Which value; empty: the defaults.
    #[serde(default)]
    pub(super) value: String,
    #[serde(default)]
    pub(super) sets: Sets,
}

impl Row {
    pub(super) fn name(&self) -> String {
        match self.value.as_str() {
            "" => self.key.clone(),
            value => format!("{}: {value}", self.key),
        }
    }
}

/// Columns of a series over time.
pub(super) const SERIES: [&str; 3] = ["delivered_bytes_per_ns", "saqs_ingress", "saqs_egress"];
/// Along the x axis: the time.
pub(super) const TIME: &str = "time";

impl Work {
    /// Reads the file of a work and checks that what it names is there; or what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Work, String> {
        let work: Work = toml::from_str(text).map_err(|e| e.to_string())?;
        work.check()?;
        Ok(work)
    }

    /// The studies by their names in the work, rows of variants too.
    pub(super) fn studies(&self) -> Vec<(String, StudyOf)> {
        let own = self.study.iter().map(|(name, study)| (name.clone(), study.clone()));
        let rows = self.variants.iter().flat_map(|Variants { study, row, .. }| {
            row.iter().map(move |row| {
                let mut study = study.clone();
                study.sets.extend(row.sets.clone());
                study
            })
        });
        let names = self.variants.iter().flat_map(Variants::studies);
        own.chain(names.zip(rows)).collect()
    }

    fn check(&self) -> Result<(), String> {
        let studies: Vec<String> = self.studies().into_iter().map(|(name, _)| name).collect();
        let known = |place: &str, name: &str| match studies.iter().any(|study| study == name) {
            true => Ok(()),
            false => Err(format!("{place}: no study `{name}`; legal: {}", studies.join(", "))),
        };
        for s in &self.statement {
            let place = format!("statement `{}`", s.text);
            for (study, _) in s.points() {
                known(&place, study)?;
            }
            for name in [&s.column].into_iter().chain(&s.of) {
                column(&place, name)?;
            }
            for &[low, high] in s.band.iter().chain(&s.near) {
                if low.is_nan() || high.is_nan() || low > high {
                    return Err(format!("{place}: {low} to {high} is no band"));
                }
            }
        }
        for (at, f) in self.figure.iter().enumerate() {
            let place = format!("figure `{}`", f.name);
            if self.figure[..at].iter().any(|other| other.name == f.name) {
                return Err(format!("{place}: its name stands there twice"));
            }
            for panel in &f.panel {
                known(&place, &panel.study)?;
                let y = panel.y.as_ref().unwrap_or(&f.y);
                if f.x != TIME {
                    column(&place, y)?;
                } else if !SERIES.contains(&y.as_str()) {
                    return Err(no_column(&place, y));
                }
                let axes = [&f.x_axis, &f.y_axis].into_iter();
                for axis in axes.chain(&panel.x_axis).chain(&panel.y_axis) {
                    if !(axis.step > 0.0 && axis.step <= axis.max && axis.max.is_finite()) {
                        let what = "an axis ends above 0 and has a step of at most that";
                        return Err(format!("{place}: {what}"));
                    }
                }
            }
        }
        for t in &self.table {
            let place = format!("table `{}`", t.title);
            known(&place, &t.study)?;
            t.columns.iter().try_for_each(|name| column(&place, name))?;
        }
        for v in &self.variants {
            let place = format!("variants `{}`", v.name);
            v.columns.iter().try_for_each(|name| column(&place, name))?;
            if v.row.first().is_none_or(|row| !row.value.is_empty()) {
                return Err(format!("{place}: no defaults: the first row has no value"));
            }
            let mut rows: Vec<String> = v.row.iter().map(Row::name).collect();
            rows.sort();
            if let Some(pair) = rows.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("{place}: {} stands there twice", pair[0]));
            }
        }
        self.steady.iter().try_for_each(|s| known("steady", s))
    }
}

impl Variants {
    /// Its rows as studies.
    pub(super) fn studies(&self) -> impl Iterator<Item = String> {
        self.row.iter().map(|row| format!("{}/{}", self.name, row.name()))
    }
}

fn column(place: &str, name: &str) -> Result<(), String> {
    let is_known = study::COLUMNS.iter().any(|column| column.name == name);
    if is_known { Ok(()) } else { Err(no_column(place, name)) }
}

fn no_column(place: &str, name: &str) -> String {
    format!("{place}: no column `{name}` of results")
}

#[cfg(test)]
mod tests {
    use super::Work;

    const LEGAL: &str = r#"
about = ""
steady = ["a"]
[study.a]
file = "a.toml"
[[statement]]
text = "t"
published = "p"
study = "a"
column = "of_ideal"
band = [1.0, 2.0]
[[figure]]
name = "f"
title = ""
columns = 1
x = "time"
y = "saqs_egress"
x_axis = { title = "", max = 1.0, step = 0.5 }
y_axis = { title = "", max = 1.0, step = 0.5 }
panel = [{ title = "", study = "a" }]
[[variants]]
name = "v"
title = ""
about = ""
study.file = "b.toml"
columns = ["of_ideal", "of_ideal"]
share = { of = [], beside = "", least = 0.0 }
row = [{ key = "k" }]
"#;

    #[test]
    fn what_is_wrong_is_reported() {
        Work::parse(LEGAL).expect("nothing is wrong");
        for (legal, wrong, error_part) in [
            ("file = \"a.toml\"", "files = 1", "unknown field `files`"),
            ("study = \"a\"\n", "study = \"b\"\n", "no study `b`; legal: a, v/k"),
            ("of_ideal", "speed", "no column `speed`"),
            ("[1.0, 2.0]", "[2.0, 1.0]", "2 to 1 is no band"),
            ("step = 0.5", "step = 0.0", "an axis ends above 0"),
            ("[\"a\"]", "[1]", "invalid type"),
            ("{ key = \"k\" }", "{ key = \"k\", value = \"1\" }", "no defaults"),
        ] {
            let error = Work::parse(&LEGAL.replacen(legal, wrong, 1)).expect_err(error_part);
            assert!(error.contains(error_part), "{error}");
        }
    }
}
