//! Throughput of the judged flows against the number of SAQs.

use super::family::{families, values};
use super::metric::{Metric, spread_note};
use super::{Figure, Of, first};
use crate::looks::SAQS;
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale, Stroke};
use crate::store::{Met, Store};

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
    let mut lines: Vec<Line> = Vec::new();
    for point in store.points.iter().filter(|p| p.is_baseline) {
        let Some(dot) = metric.dot(point, least) else {
            continue;
        };
        let line = Line::plain(point.style, &point.title, Vec::new());
        lines.push(Line {
            keys: point.keys.clone(),
            labels: point.labels.clone(),
            dots: ends.map(|x| Dot::at(x, dot.y)).to_vec(),
            end: point.title.clone(),
            ..line
        });
    }
    for family in &families {
        let members = family.members.iter();
        let dots = members.filter_map(|&(x, point)| metric.dot(point, x));
        let line = family.line(store, SAQS, dots.collect());
        lines.extend(line.map(|line| Line {
            stroke: Stroke::Banded,
            ..line
        }));
    }
    first::settings(store, &mut lines);
    let dots = lines.iter().flat_map(|line| &line.dots);
    let scale = metric.scale(dots.flat_map(|dot| [dot.range.0, dot.range.1]));
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
    for held in answers
        .filter(|s| s.is_enough == Met::Yes)
        .filter_map(|s| s.at.as_ref())
    {
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
    plot.guides.extend(metric.target.map(|(y, name)| Guide {
        class: "target",
        dots: ends.map(|x| (x, y)).to_vec(),
        name: format!("target: {name}"),
        end: name,
    }));
    Some(Figure {
        id: "sizing",
        heading: "Throughput against SAQs",
        of: Of::Settings,
        pictures: vec![(None, plot)],
        caption,
    })
}

/// Where level lines begin and end: a little beyond the outermost values.
fn edges(least: f64, most: f64) -> [f64; 2] {
    if least > 0.0 && most / least >= 8.0 {
        return [least / 1.15, most * 1.15];
    }
    let room = (most - least) * 0.03 + 0.008;
    [least - room, most + room]
}
