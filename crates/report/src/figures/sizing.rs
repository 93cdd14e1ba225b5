//! Throughput and p99 latency of the judged flows against the number of SAQs.

use super::family::{families, values};
use super::metric::{Metric, reach, spread_note};
use super::{Figure, first};
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale, Stroke, dots};
use crate::store::{Met, Point, Store};
use crate::styles::SAQS;

/// The numbers of SAQs, and the ends of level lines, a little beyond; `None` without numbers.
fn sizes(store: &Store) -> Option<(Vec<f64>, [f64; 2])> {
    let saqs = values(&families(store, SAQS));
    let (&least, &most) = (saqs.first()?, saqs.last()?);
    if least == most {
        return None;
    }
    if least > 0.0 && most / least >= 8.0 {
        return Some((saqs, [least / 1.15, most * 1.15]));
    }
    let room = (most - least) * 0.03 + 0.008;
    Some((saqs, [least - room, most + room]))
}

/// The picture of these lines; of a point at an answer `dot` gives the ring.
fn plot<'a>(
    (id, what): (&str, &str),
    saqs: &[f64],
    y: Axis,
    lines: Vec<Line>,
    answers: impl Iterator<Item = &'a Point>,
    dot: impl Fn(&Point, f64) -> Option<Dot>,
) -> Plot {
    let mut x = Axis::new("SAQs a port", "", Scale::at(saqs));
    x.key = SAQS.into();
    let title = format!("{what}, against the number of SAQs");
    let mut plot = Plot::new(id.into(), title, x, y, 360.0, lines);
    let rings = answers.filter_map(|point| dot(point, point.number(SAQS)?));
    plot.rings.extend(rings.map(|dot| (dot.x, dot.y)));
    plot
}

/// A line a setting, those without SAQs as levels, the target, and rings at the answers; `None`
/// where no numbers of SAQs are compared.
pub(super) fn sizing(store: &Store) -> Option<Figure> {
    let (saqs, ends) = sizes(store)?;
    let metric = Metric::of(store);
    let dot = |point: &Point, x: f64| metric.dot(point, x);
    let lines = lines(store, ends, dot);
    let y = Axis::new(&metric.title, metric.unit, metric.scale(&lines));
    let answers = store.answer.iter().flat_map(|answer| &answer.settings);
    let held = answers.filter(|s| s.is_enough == Met::Yes).filter_map(|s| s.at.as_ref());
    let answers = held.filter_map(|held| store.point(&held.labels));
    let what = format!("The {}", metric.what);
    let mut plot = plot(("sizing-0", &what), &saqs, y, lines, answers, dot);
    let ring = " Ring: the fewest SAQs that are enough, with more SAQs too.";
    let caption = caption(store, &what, &plot, ring);
    plot.guides.extend(metric.target(ends));
    Some(Figure::of_settings("sizing", "Throughput against SAQs", plot, caption))
}

fn caption(store: &Store, what: &str, plot: &Plot, ring: &str) -> String {
    let spread = spread_note(store, "shaded");
    let ring = if plot.rings.is_empty() { "" } else { ring };
    format!("{what}, against SAQs a port; level lines: schemes without SAQs.{spread}{ring}")
}

/// The same of the p99 latency; `None` where it is not known.
pub(super) fn p99(store: &Store) -> Option<Figure> {
    let (saqs, ends) = sizes(store)?;
    let answer = store.answer.as_ref()?;
    let flows = if answer.target.metric == "victims" { "victims" } else { "all" };
    let window = answer.window.as_str();
    let dot = |point: &Point, x: f64| {
        let judged = point.judged.as_ref()?;
        let dot = Dot::with_half(x, judged.p99_ns?, judged.p99_half_95_ns);
        let at_least = judged.p99_is_lower_bound;
        Some(Dot { at_least, ..dot }.per(1000.0))
    };
    let lines = lines(store, ends, dot);
    let (low, high) = reach(&lines);
    if low <= 0.0 || high <= 0.0 {
        return None;
    }
    let y = Axis::new("p99 latency", "\u{b5}s (logarithmic)", Scale::log(low, high));
    let answers = answer.settings.iter().filter_map(|setting| {
        let fewest = setting.p99_saqs.as_ref()?.fewest?;
        let of_fewest = |p: &&Point| {
            let mut labels = setting.labels.iter();
            p.number(SAQS) == Some(fewest) && labels.all(|(k, v)| p.labels.get(k) == Some(v))
        };
        store.points.iter().find(of_fewest)
    });
    let what = format!("The p99 latency of {flows} in window {window}");
    let mut plot = plot(("sizing-p99-0", &what), &saqs, y, lines, answers, dot);
    let times = answer.target.p99_times;
    let best = answer.reference.as_ref().map(|held| &held.judged);
    let best = best.filter(|held| !held.p99_is_lower_bound).and_then(|held| held.p99_ns);
    let limit = match (answer.target.p99_ns, best) {
        (Some(ns), _) => Some((ns, format!("target: {} us", ns / 1000.0), "target".into())),
        (None, Some(ns)) => {
            let name = format!("target: {times} times that of the best");
            Some((ns * times, name, format!("{times} times the best")))
        }
        (None, None) => None,
    };
    let limit = limit.filter(|(ns, ..)| (low..=high).contains(&(ns / 1000.0)));
    plot.guides.extend(limit.map(|(ns, name, end)| Guide {
        class: "target",
        dots: ends.map(|x| (x, ns / 1000.0)).to_vec(),
        name,
        end,
    }));
    let what =
        format!("The p99 latency of messages of {flows} that were generated in window {window}");
    let mut caption = caption(store, &what, &plot, " Ring: the fewest SAQs that it needs.");
    if dots(&plot.lines).any(|dot| dot.at_least) {
        caption.push_str(" Hollow marks are lower bounds: the true value is there or above.");
    }
    Some(Figure::of_settings("sizing-p99", "Latency against SAQs", plot, caption))
}

/// A level line for each point without SAQs, and a line a setting.
fn lines(store: &Store, ends: [f64; 2], dot: impl Fn(&Point, f64) -> Option<Dot>) -> Vec<Line> {
    let level = |point: &Point| {
        let level = dot(point, ends[0])?.y;
        let line = Line::of(point, ends.map(|x| Dot::at(x, level)).to_vec());
        Some(Line { dash: 0, end: point.title.clone(), ..line })
    };
    let baselines = store.points.iter().filter(|p| p.is_baseline);
    let mut lines: Vec<Line> = baselines.filter_map(level).collect();
    for family in &families(store, SAQS) {
        let members = family.members.iter();
        let dots = members.filter_map(|&(x, point)| dot(point, x));
        let line = family.line(store, SAQS, dots.collect());
        lines.extend(line.map(|line| Line { stroke: Stroke::Banded, ..line }));
    }
    first::settings(store, &mut lines);
    lines
}
