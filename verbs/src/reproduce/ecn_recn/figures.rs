//! The figures: random sources over time, and victims by the number of SAQs.

use super::cases::{BIN_NS, Case, DELIVERED, Plan, Ran, random_rates, recn};
use crate::reproduce::chart::{Axis, Line, Panel, Style, svg};
use crate::reproduce::runs::Listed;

fn key(ecn: &[Listed]) -> Vec<(String, Style)> {
    let names = ecn.iter().enumerate();
    names.map(|(at, ecn)| (format!("ECN: {}", ecn.name), Style(at, 0))).collect()
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
pub(super) fn over_time(ecn: &[Listed], case: &Case, ran: &Ran) -> String {
    let mut most: f64 = 0.0;
    let mut panels = Vec::new();
    for scheme in case.schemes() {
        let mut lines = Vec::new();
        for (at, ecn) in ecn.iter().enumerate() {
            let runs = ran.of(&scheme, &ecn.name);
            let rates: Vec<Vec<f64>> = runs.iter().map(|run| random_rates(run)).collect();
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
    let panels = panels.into_iter().map(|(scheme, lines)| {
        let y = axis(&format!("{scheme}: delivered of random sources, bytes/ns"), most);
        Panel::new(axis("us", ran.duration_us()), y, lines)
    });
    svg(&case.title, &panels.collect::<Vec<_>>(), &key(ecn))
}

/// A panel a case, a line an ECN.
pub(super) fn over_saqs(plan: &Plan, all: &[Ran]) -> String {
    let mut panels = Vec::new();
    for (case, ran) in plan.case.iter().zip(all) {
        let mut most: f64 = 0.0;
        let victims = |scheme: &str, ecn: &str| -> Vec<f64> {
            let runs = ran.of(scheme, ecn);
            runs.iter().filter_map(|run| run.number(DELIVERED)).collect()
        };
        let mut lines = Vec::new();
        for (at, Listed { name: ecn, .. }) in plan.ecn.iter().enumerate() {
            let mut line = Line::new(Style(at, 0), Vec::new());
            // without a SAQ: one queue
            most = most.max(line.add(0.0, &victims("1q", ecn)));
            for saqs in &case.saqs {
                let top = line.add(saqs.parse().unwrap_or(0.0), &victims(&recn(saqs), ecn));
                most = most.max(top);
            }
            lines.push(line);
        }
        let mut voq = Line::new(Style(7, 0), Vec::new());
        most = most.max(voq.add(0.0, &victims("voq-sw", "none")));
        let x = Axis::new("SAQs a port; 0: 1q", 8.0, 1.0);
        let y = axis(&format!("{}: victims, bytes/ns", case.title), most);
        let levels = voq.points.iter().map(|point| (7, point.1)).collect();
        panels.push(Panel { levels, ..Panel::new(x, y, lines) });
    }
    svg("Victims while the tree stands", &panels, &key(&plan.ecn))
}
