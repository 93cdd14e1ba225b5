//! Pictures of runs, as `verbs/pages/NAME.toml` lists them.

use super::chart::{Axis, Line, Panel, Style, grid};
use super::runs::{Done, Named, pairs};
use super::template::Column;
use crate::page::{self, failed};
use serde::Deserialize;
use setaside::Failure;

/// A picture: in each panel a line for each colour with each kind of dashes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    /// With `{}` where a work has several of the kind.
    title: String,
    /// A value of runs, along the x axes of all panels.
    #[serde(default)]
    x: String,
    x_axis: Axis,
    pub(super) panel: Vec<PanelOf>,
    pub(super) colour: Vec<Named>,
    #[serde(default = "solid")]
    dashes: Vec<Named>,
    /// All lines of one kind of dashes before those of the next.
    #[serde(default)]
    by_dashes: bool,
}

fn solid() -> Vec<Named> {
    vec![Named::new()]
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PanelOf {
    /// A value of runs; without one it is over time.
    #[serde(default)]
    y: String,
    y_axis: Axis,
    /// In the place of the picture's.
    x_axis: Option<Axis>,
    /// Of its runs, `AXIS=VALUE`.
    #[serde(default)]
    labels: Vec<String>,
    /// Bounds, dotted: numbers of their colours.
    #[serde(default)]
    pub(super) levels: Vec<(usize, f64)>,
}

/// Runs with these labels `AXIS=VALUE`.
pub(super) fn meant<'a>(runs: &[&'a Done], labels: &[String]) -> Result<Vec<&'a Done>, Failure> {
    let labels = pairs(labels);
    let runs: Vec<&Done> = runs.iter().copied().filter(|run| run.is(&labels)).collect();
    let some = || failed(format!("a picture of no runs: {labels:?}"));
    Some(runs).filter(|runs| !runs.is_empty()).ok_or_else(some)
}

impl Figure {
    pub(super) fn titled(&self, word: &str) -> Figure {
        Figure { title: self.title.replace("{}", word), ..self.clone() }
    }

    pub(super) fn solid(&self) -> Figure {
        Figure { dashes: solid(), ..self.clone() }
    }

    pub(super) fn curves<'a>(&self, runs: &[&'a Done]) -> Result<Vec<Column<'a>>, Failure> {
        let lines = self.styles().into_iter();
        lines.map(|(name, _, labels)| Ok((name, meant(runs, &labels)?))).collect()
    }

    /// Name, style and labels of each line.
    pub(super) fn styles(&self) -> Vec<(String, Style, Vec<String>)> {
        let mut all = Vec::new();
        for (colour, of_colour) in self.colour.iter().enumerate() {
            for (dash, dashes) in self.dashes.iter().enumerate() {
                let both = || [of_colour, dashes].into_iter();
                let name = both().filter_map(|named| named.first()).map(String::as_str);
                let labels = both().flat_map(|named| named.iter().skip(1).cloned());
                let name = name.collect::<Vec<_>>().join(", ");
                all.push((name, Style(colour, dash), labels.collect()));
            }
        }
        if self.by_dashes {
            all.sort_by_key(|(_, style, _)| style.1);
        }
        all
    }

    /// Writes it: a point for each value on the x axis, at the mean of the runs that have it.
    pub(super) fn write(&self, file: &str, runs: &[&Done]) -> Result<(), Failure> {
        self.draw(file, runs, |style, runs, y| {
            let mut line = Line::new(style, Vec::new());
            for at in runs.chunk_by(|a, b| a.number(&self.x) == b.number(&self.x)) {
                let values: Vec<f64> = at.iter().filter_map(|run| run.number(y)).collect();
                if let Some(x) = at[0].number(&self.x) {
                    line.add(x, &values);
                }
            }
            line
        })
    }

    /// Writes it with these points over time, the mean of the runs of each line.
    pub(super) fn write_series(
        &self,
        file: &str,
        runs: &[&Done],
        points: impl Fn(&Done, f64) -> Vec<(f64, f64)>,
    ) -> Result<(), Failure> {
        self.draw(file, runs, |style, runs, _| {
            let all: Vec<_> = runs.iter().map(|run| points(run, self.x_axis.max)).collect();
            let length = all.iter().map(Vec::len).min().unwrap_or(0);
            let sum = |at: usize| all.iter().map(|points| points[at].1).sum::<f64>();
            let mean = (0..length).map(|at| (all[0][at].0, sum(at) / all.len() as f64));
            Line::new(style, mean.collect())
        })
    }

    fn draw(
        &self,
        file: &str,
        runs: &[&Done],
        line: impl Fn(Style, &[&Done], &str) -> Line,
    ) -> Result<(), Failure> {
        let mut panels = Vec::new();
        for panel in &self.panel {
            let runs = meant(runs, &panel.labels)?;
            let lines = self
                .styles()
                .into_iter()
                .map(|(_, style, labels)| Ok(line(style, &meant(&runs, &labels)?, &panel.y)));
            panels.push(Panel {
                x: panel.x_axis.as_ref().unwrap_or(&self.x_axis).clone(),
                y: panel.y_axis.clone(),
                lines: lines.collect::<Result<_, Failure>>()?,
                levels: panel.levels.clone(),
            });
        }
        let key: Vec<_> = self.styles().into_iter().map(|(name, style, _)| (name, style)).collect();
        page::write(
            &format!("docs/img/{file}.svg"),
            &grid(&self.title, &panels, panels.len(), &key),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Figure, meant};
    use crate::page::root;
    use crate::reproduce::runs::{Done, Labels, Runner, with};
    use observe::Record;
    use scenario::Study;

    // The runs of a picture take hours: that each line has some is seen here.
    #[test]
    fn every_line_has_runs() {
        for (work, name, file) in [
            ("lai-rsi", "uniform", "rsi-uniform"),
            ("lai-rsi", "local", "rsi-local"),
            ("lai-rsi", "links", "rsi-links"),
            ("lai-rsi", "hot-spot", "rsi-hot-spot"),
            ("lai-rsi", "threshold", "rsi-threshold"),
            ("priya-recn-iq-2017", "over-time", "recn-dd-iq-over-time"),
            ("priya-recn-iq-2017", "hot-spot", "recn-dd-iq-hot-spot"),
            ("santos-ecn-2002", "buffer", "ecn-buffer"),
            ("santos-ecn-2002", "flows", "ecn-flows"),
        ] {
            let study = root().join(format!("scenarios/studies/{file}.toml"));
            let study = Study::load(&study, &[]).expect(file);
            let labels = study.points().iter().map(|point| point.settings.clone());
            Figure::each_line_has_some(work, name, labels);
        }
        for (work, name, runs, labels) in [
            ("lai-rsi", "rack-one", "rack-uniform", &[][..]),
            ("lai-rsi", "rack-all", "rack-hot-spot", &[]),
            ("ecn-beside-recn", "case-4-half", "cases", &[("case", "case-4-half")]),
            ("ecn-beside-recn", "case-4-full", "cases", &[("case", "case-4-full")]),
            ("ecn-beside-recn", "case-5-half", "cases", &[("case", "case-5-half")]),
            ("ecn-beside-recn", "saqs", "cases", &[]),
        ] {
            let mut all = Runner { work, resume: false }.wanted(runs, &[]).expect(runs);
            all.retain(|run| {
                labels.iter().all(|(axis, value)| {
                    run.labels.contains(&(axis.to_string(), value.to_string()))
                })
            });
            Figure::each_line_has_some(work, name, all.into_iter().map(|run| run.labels));
        }
    }

    impl Figure {
        /// Of the runs with these labels.
        pub(in super::super) fn each_line_has_some(
            work: &'static str,
            name: &str,
            labels: impl IntoIterator<Item = Labels>,
        ) {
            let figure = Runner { work, resume: false }.figure(name).expect(name);
            let run = |labels| Done::new(labels, 0, 1.0, Record::default());
            let runs: Vec<Done> = labels.into_iter().map(run).collect();
            for panel in &figure.panel {
                let runs = meant(&with(&runs, &[]), &panel.labels).expect(name);
                figure.curves(&runs).expect(name);
            }
        }
    }
}
