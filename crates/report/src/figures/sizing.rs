//! Throughput and p99 latency of the judged flows against the number of SAQs.

use super::family::{families, values};
use super::metric::{Metric, reach, spread_note};
use super::{Figure, Of, first};
use crate::looks::SAQS;
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale, Stroke};
use crate::store::{Met, Point, Store};

/// A line a setting, those without SAQs as levels, the target, and rings at the answers; `None`
/// where no numbers of SAQs are compared.
pub(super) fn sizing(store: &Store) -> Option<Figure> {
    let families = families(store, SAQS);
    let saqs = values(&families);
    let (&least, &most) = (saqs.first()?, saqs.last()?);
    if least == most {
        return None;
    }
    let metric = Metric::of(store);
    let ends = edges(least, most);
    let lines = lines(store, ends, |point, x| metric.dot(point, x));
    let scale = metric.scale(&lines);
    let mut x = Axis::new("SAQs a port", "", Scale::at(&saqs));
    x.key = SAQS.into();
    let mut plot = Plot::new(
        "sizing-0".into(),
        format!("The {}, against the number of SAQs", metric.what),
        x,
        Axis::new(&metric.title, metric.unit, scale),
        360.0,
        lines,
    );
    let answers = store.answer.iter().flat_map(|answer| &answer.settings);
    for held in answers.filter(|s| s.is_enough == Met::Yes).filter_map(|s| s.at.as_ref()) {
        let dot = store.point(&held.labels);
        let dot = dot.and_then(|p| metric.dot(p, p.number(SAQS)?));
        plot.rings.extend(dot.map(|dot| (dot.x, dot.y)));
    }
    let mut caption = format!(
        "The {}, against SAQs a port; level lines: schemes without SAQs.{}",
        metric.what,
        spread_note(store, "shaded")
    );
    if !plot.rings.is_empty() {
        caption.push_str(" Ring: the fewest SAQs that are enough, with more SAQs too.");
    }
    plot.guides.extend(metric.target(ends));
    Some(Figure {
        id: "sizing",
        heading: "Throughput against SAQs",
        of: Of::Settings,
        pictures: vec![(None, plot)],
        caption,
    })
}

/// The same of the p99 latency; `None` where it is not known.
pub(super) fn p99(store: &Store) -> Option<Figure> {
    let families = families(store, SAQS);
    let saqs = values(&families);
    let (&least, &most) = (saqs.first()?, saqs.last()?);
    let answer = store.answer.as_ref().filter(|_| least < most)?;
    let flows = if answer.target.metric == "victims" { "victims" } else { "all" };
    let window = answer.window.as_str();
    let dot = |point: &Point, x: f64| {
        let judged = point.judged.as_ref()?;
        let dot = Dot::with_half(x, judged.p99_ns?, judged.p99_half_95_ns);
        let at_least = judged.p99_is_lower_bound;
        Some(Dot { at_least, ..dot }.per(1000.0))
    };
    let ends = edges(least, most);
    let lines = lines(store, ends, dot);
    let (low, high) = reach(&lines);
    if low <= 0.0 || high <= 0.0 {
        return None;
    }
    let mut dots = lines.iter().flat_map(|line| &line.dots);
    let bound = dots.any(|dot| dot.at_least);
    let mut x = Axis::new("SAQs a port", "", Scale::at(&saqs));
    x.key = SAQS.into();
    let mut plot = Plot::new(
        "sizing-p99-0".into(),
        format!("The p99 latency of {flows} in window {window}, against the number of SAQs"),
        x,
        Axis::new("p99 latency", "\u{b5}s (logarithmic)", Scale::log(low, high)),
        360.0,
        lines,
    );
    for setting in &answer.settings {
        let fewest = setting.p99_saqs.as_ref().and_then(|f| f.fewest);
        let of_fewest = |p: &&Point| {
            let mut labels = setting.labels.iter();
            p.number(SAQS) == fewest && labels.all(|(k, v)| p.labels.get(k) == Some(v))
        };
        let point = fewest.and_then(|_| store.points.iter().find(of_fewest));
        let dot = point.and_then(|point| dot(point, point.number(SAQS)?));
        plot.rings.extend(dot.map(|dot| (dot.x, dot.y)));
    }
    let times = answer.target.p99_times;
    let reference =
        answer.reference.as_ref().map(|held| &held.judged).filter(|held| !held.p99_is_lower_bound);
    let of_best = reference.and_then(|held| {
        let name = format!("target: {times} times that of the best");
        Some((held.p99_ns? * times, name, format!("{times} times the best")))
    });
    let limit = match answer.target.p99_ns {
        Some(ns) => Some((ns, format!("target: {} us", ns / 1000.0), "target".into())),
        None => of_best,
    };
    plot.guides.extend(limit.and_then(|(ns, name, end)| {
        let limit = ns / 1000.0;
        (low..=high).contains(&limit).then(|| Guide {
            class: "target",
            dots: ends.map(|x| (x, limit)).to_vec(),
            name,
            end,
        })
    }));
    let mut caption = format!(
        "The p99 latency of messages of {flows} that were generated in window {window}, against \
         SAQs a port; level lines: schemes without SAQs.{}",
        spread_note(store, "shaded")
    );
    if !plot.rings.is_empty() {
        caption.push_str(" Ring: the fewest SAQs that it needs.");
    }
    if bound {
        caption.push_str(" Hollow marks are lower bounds: the true value is there or above.");
    }
    Some(Figure {
        id: "sizing-p99",
        heading: "Latency against SAQs",
        of: Of::Settings,
        pictures: vec![(None, plot)],
        caption,
    })
}

/// A level line for each point without SAQs, and a line a setting.
fn lines(store: &Store, ends: [f64; 2], dot: impl Fn(&Point, f64) -> Option<Dot>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for point in store.points.iter().filter(|p| p.is_baseline) {
        let Some(level) = dot(point, ends[0]) else {
            continue;
        };
        let line = Line::plain(point.style, &point.title, Vec::new());
        lines.push(Line {
            keys: point.keys.clone(),
            labels: point.labels.clone(),
            dots: ends.map(|x| Dot::at(x, level.y)).to_vec(),
            end: point.title.clone(),
            ..line
        });
    }
    for family in &families(store, SAQS) {
        let members = family.members.iter();
        let dots = members.filter_map(|&(x, point)| dot(point, x));
        let line = family.line(store, SAQS, dots.collect());
        lines.extend(line.map(|line| Line { stroke: Stroke::Banded, ..line }));
    }
    first::settings(store, &mut lines);
    lines
}

/// Where level lines begin and end: a little beyond the outermost values.
fn edges(least: f64, most: f64) -> [f64; 2] {
    if least > 0.0 && most / least >= 8.0 {
        return [least / 1.15, most * 1.15];
    }
    let room = (most - least) * 0.03 + 0.008;
    [least - room, most + room]
}
