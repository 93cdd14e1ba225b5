//! The figures: random sources over time, and victims by the number of SAQs.

use super::cases::{self, BIN_NS, CASES, Case, ECN, Ran, named};
use crate::reproduce::chart::{Axis, Line, Panel, Style, svg};
use study::Interval;

fn key() -> Vec<(String, Style)> {
    let names = ECN.iter().enumerate();
    names.map(|(at, (name, _))| (format!("ECN: {name}"), Style(at, 0))).collect()
}

/// An axis from 0 that holds `most`, with marks at round numbers.
fn axis(title: &str, most: f64) -> Axis {
    let step = [1.0, 5.0, 10.0, 20.0, 40.0, 50.0, 100.0]
        .into_iter()
        .find(|step| most <= 6.0 * step)
        .unwrap_or(200.0);
    Axis::new(title, (most * 1.02 / step).ceil() * step, step)
}

/// A panel a scheme, a line an ECN; mean over seeds.
pub(super) fn over_time(case: &Case, ran: &Ran) -> String {
    let mut most: f64 = 0.0;
    let mut panels = Vec::new();
    for (scheme, saqs) in case.schemes() {
        let scheme = named(scheme, saqs);
        let mut lines = Vec::new();
        for (at, (ecn, _)) in ECN.into_iter().enumerate() {
            let runs = ran.of(&scheme, ecn);
            let rates: Vec<Vec<f64>> = runs.iter().map(|run| cases::random_rates(run)).collect();
            let bins = rates.iter().map(Vec::len).min().unwrap_or(0);
            let mean = |bin: usize| {
                rates.iter().map(|rates| rates[bin]).sum::<f64>() / rates.len().max(1) as f64
            };
            let points: Vec<(f64, f64)> =
                (0..bins).map(|bin| ((bin as f64 + 0.5) * BIN_NS / 1000.0, mean(bin))).collect();
            most = points.iter().map(|point| point.1).fold(most, f64::max);
            lines.push(Line::new(Style(at, 0), points));
        }
        panels.push((scheme, lines));
    }
    let panels: Vec<Panel> = panels
        .into_iter()
        .map(|(scheme, lines)| Panel {
            x: axis("us", case.duration_us()),
            y: axis(&format!("{scheme}: delivered of random sources, bytes/ns"), most),
            lines,
            levels: Vec::new(),
        })
        .collect();
    svg(case.title, &panels, &key())
}

/// A panel a case, a line an ECN.
pub(super) fn over_saqs(all: &[Ran]) -> String {
    let mut panels = Vec::new();
    for (case, ran) in CASES.iter().zip(all) {
        let mut most: f64 = 0.0;
        let mut of = |scheme: &str, ecn: &str| {
            let runs = ran.of(scheme, ecn);
            let rates: Vec<f64> = runs.iter().filter_map(|run| cases::delivered(run)).collect();
            let found = Interval::of(&rates);
            let (mean, half) = found.map_or((0.0, 0.0), |i| (i.mean, i.half.unwrap_or(0.0)));
            most = most.max(mean + half);
            (mean, half)
        };
        let mut lines = Vec::new();
        for (at, (ecn, _)) in ECN.into_iter().enumerate() {
            let mut line = Line::new(Style(at, 0), Vec::new());
            // without a SAQ: one queue
            for saqs in [None].into_iter().chain(case.saqs.iter().map(Some)) {
                let scheme = saqs.map_or("1q".to_string(), |saqs| named("recn", Some(saqs)));
                let (mean, half) = of(&scheme, ecn);
                let x = saqs.and_then(|saqs| saqs.parse().ok()).unwrap_or(0.0);
                line.points.push((x, mean));
                line.halves.push(half);
            }
            lines.push(line);
        }
        let voq = of("voq-sw", "none").0;
        panels.push(Panel {
            x: Axis::new("SAQs a port; 0: 1q", 8.0, 1.0),
            y: axis(&format!("{}: victims, bytes/ns", case.title), most),
            lines,
            levels: vec![(Style(7, 0), voq)],
        });
    }
    svg("Victims while the tree stands", &panels, &key())
}
