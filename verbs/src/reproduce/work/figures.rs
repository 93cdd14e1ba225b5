//! Figures of a work in the layout of the paper, and their numbers.

use super::data::{Figure, PanelOf, TIME, Work};
use super::runs::{Runs, Tables, mean};
use crate::page::io;
use crate::reproduce::chart::{Line, Panel, Style, grid};
use observe::SeriesRow;
use setaside::Failure;
use std::fmt::Write as _;
use std::path::Path;
use study::PointRow;

/// A scheme has one colour everywhere.
const SCHEMES: [&str; 6] = ["recn", "recn-basic", "voq-net", "voq-sw", "1q", "dbbm"];
/// Readings of `voq-sw` have one kind of dashes each.
const OUTPUTS: [&str; 3] = ["look-ahead", "single-fifo", "split-fifo"];
const SCHEME: &str = "switch.scheme";
const OUTPUT: &str = "voq_sw.output";

/// Below the folder: `img/WORK-NAME.svg`, `reproduction/WORK-NAME.csv`.
pub(super) fn paths(work: &str, figure: &Figure) -> [String; 2] {
    let stem = format!("{work}-{}", figure.name);
    [format!("img/{stem}.svg"), format!("reproduction/{stem}.csv")]
}

/// Writes all figures of which there is a point.
pub(super) fn write(work: &str, data: &Work, tables: &Tables, dir: &Path) -> Result<(), Failure> {
    for figure in &data.figure {
        let Some((svg, csv)) = draw(figure, tables)? else {
            continue;
        };
        for (name, text) in paths(work, figure).iter().zip([svg, csv]) {
            let path = dir.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(io(parent.display()))?;
            }
            std::fs::write(&path, text).map_err(io(path.display()))?;
        }
    }
    Ok(())
}

pub(super) fn is_there(figure: &Figure, tables: &Tables) -> bool {
    let mut panels = figure.panel.iter();
    panels.any(|panel| {
        let runs = tables.get(&panel.study);
        runs.is_some_and(|runs| !runs.points(&panel.point).is_empty())
    })
}

fn draw(figure: &Figure, tables: &Tables) -> Result<Option<(String, String)>, Failure> {
    if !is_there(figure, tables) {
        return Ok(None);
    }
    let mut csv = format!("panel,line,{},{}\n", figure.x, figure.y);
    let mut key: Vec<(String, Style)> = Vec::new();
    let mut panels = Vec::new();
    for panel in &figure.panel {
        let lines = match tables.get(&panel.study) {
            Some(runs) => lines(figure, panel, runs)?,
            None => Vec::new(),
        };
        for (name, line) in &lines {
            if !key.iter().any(|(known, _)| known == name) {
                key.push((name.clone(), line.style));
            }
            for (x, y) in &line.points {
                let _ = writeln!(csv, "\"{}\",\"{name}\",{x},{y}", panel.title);
            }
        }
        let x = panel.x_axis.as_ref().unwrap_or(&figure.x_axis).clone();
        let mut y = panel.y_axis.as_ref().unwrap_or(&figure.y_axis).clone();
        y.title = format!("{}: {}", panel.title, y.title);
        panels.push(Panel::new(x, y, lines.into_iter().map(|(_, line)| line).collect()));
    }
    key.sort_by_key(|(_, style)| (style.0, style.1));
    Ok(Some((grid(&figure.title, &panels, figure.columns, &key), csv)))
}

/// By name, in the order of the points.
fn lines(figure: &Figure, panel: &PanelOf, runs: &Runs) -> Result<Vec<(String, Line)>, Failure> {
    let y = panel.y.as_ref().unwrap_or(&figure.y);
    let mut lines: Vec<(String, Line)> = Vec::new();
    for point in runs.points(&panel.point) {
        let (name, style) = style(point);
        let points: Vec<(f64, f64)> = if figure.x == TIME {
            let run = runs.stored(point);
            let series = run.iter().flat_map(|run| &run.record.series);
            // in the middle of the bin, us
            let series: Vec<&SeriesRow> = series.collect();
            let half = series.get(1).map_or(0.0, |row| row.t_ns / 2.0);
            let at = |row: &&SeriesRow| ((row.t_ns + half) / 1000.0, of_series(row, y));
            series.iter().map(at).collect()
        } else {
            let x = point.label(&figure.x).and_then(|x| x.parse().ok());
            x.zip(mean(point, y)).into_iter().collect()
        };
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, line)) if figure.x != TIME => line.points.extend(points),
            _ => lines.push((name, Line::new(style, points))),
        }
    }
    Ok(lines)
}

fn of_series(row: &SeriesRow, column: &str) -> f64 {
    match column {
        "saqs_ingress" => row.saqs_ingress.into(),
        "saqs_egress" => row.saqs_egress.into(),
        _ => row.delivered_bytes_per_ns,
    }
}

/// A line's name and style, by its scheme.
fn style(point: &PointRow) -> (String, Style) {
    let scheme = point.label(SCHEME).unwrap_or("");
    let colour = SCHEMES.iter().position(|name| *name == scheme).unwrap_or(SCHEMES.len());
    match point.label(OUTPUT) {
        Some(output) => {
            let dashes = OUTPUTS.iter().position(|name| *name == output).unwrap_or(0);
            (format!("{scheme}, {output}"), Style(colour, dashes))
        }
        None => (scheme.to_string(), Style(colour, 0)),
    }
}
