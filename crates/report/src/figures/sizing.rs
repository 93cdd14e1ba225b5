//! Throughput against the number of SAQs.

use super::Figure;
use super::family::{Family, families, values};
use super::metric::{Metric, bars_note, dot, metric};
use crate::names;
use crate::plot::{Axis, Dot, Line, Plot, Scale, Stroke};
use crate::store::{Point, Store};
use crate::text::csv_field;

const SAQS: &str = "recn.saqs";
/// More schemes without SAQs than these are not drawn as levels.
const LEVELS_MAX: usize = 8;

/// Column, how it is drawn, what it is called.
type Drawn = (&'static str, Stroke, &'static str);

/// Worst dip and throughput against the number of SAQs; `None` without that axis.
pub(super) fn sizing(store: &Store) -> Option<Figure> {
    let families = families(store, SAQS);
    let saqs = values(&families);
    let (&least, &most) = (saqs.first()?, saqs.last()?);
    let Metric {
        throughput,
        dip,
        what,
    } = metric(store);
    let drawn: [Drawn; 2] = [
        (throughput, Stroke::Marked, "throughput"),
        (dip, Stroke::MarkedDashed, "worst dip"),
    ];
    let drawn: Vec<Drawn> = drawn.into_iter().filter(|d| !d.0.is_empty()).collect();
    let mut lines = Vec::new();
    for (style, family) in families.iter().enumerate() {
        lines.extend(drawn.iter().filter_map(|d| line(style, family, d)));
    }
    let has_none = |point: &&Point| point.label(SAQS).is_none();
    let without: Vec<&Point> = store.points.iter().filter(has_none).collect();
    let dips = if dip.is_empty() {
        ""
    } else {
        " and its worst dip (lowest mean over a part of about 20 \u{b5}s)"
    };
    let mut caption = format!(
        "Throughput {what}{dips} against SAQs a port.{}",
        bars_note(store)
    );
    if without.len() <= LEVELS_MAX {
        let levels = without.iter().zip(families.len()..);
        let ends = edges(least, most);
        lines.extend(levels.filter_map(|(point, style)| level(style, point, throughput, ends)));
    } else {
        let count = without.len();
        caption.push_str(&format!(
            " The {count} points without SAQs are in the CSV only."
        ));
    }
    let dots = lines.iter().flat_map(|line| &line.dots);
    let top = dots.map(|dot| dot.range.1).fold(0.0, f64::max);
    let mut x = Axis::new("SAQs a port", "", Scale::at(&saqs));
    x.key = SAQS.into();
    let plot = Plot::new(
        "sizing-0".into(),
        format!("Throughput {what} against the number of SAQs"),
        x,
        Axis::new("Delivered", "bytes/ns", Scale::from_zero(top, 5)),
        400.0,
        lines,
    );
    Some(Figure {
        id: "sizing",
        heading: "Throughput against SAQs",
        pictures: vec![(None, plot)],
        caption,
        csv: csv(&families, &without, &drawn),
    })
}

/// A quantity of a family; `None` where it has no value.
fn line(style: usize, family: &Family<'_>, &(column, stroke, what): &Drawn) -> Option<Line> {
    let members = family.members.iter();
    let dots: Vec<Dot> = members.filter_map(|&(x, p)| dot(p, x, column)).collect();
    let name = match family.name.as_str() {
        "" => names::capital(what),
        name => format!("{name}: {what}"),
    };
    (!dots.is_empty()).then(|| Line {
        style,
        stroke,
        names: vec![name],
        keys: family.keys.clone(),
        dots,
    })
}

/// A scheme without SAQs, from edge to edge.
fn level(style: usize, point: &Point, column: &str, ends: [f64; 2]) -> Option<Line> {
    let (level, ..) = point.value(column)?;
    Some(Line {
        style,
        stroke: Stroke::Plain,
        names: vec![format!("{}: throughput (no SAQs)", point.title)],
        keys: point.keys.clone(),
        dots: ends.map(|x| Dot::at(x, level)).to_vec(),
    })
}

/// Where the levels of schemes without SAQs begin and end: a little beyond the outermost values.
fn edges(least: f64, most: f64) -> [f64; 2] {
    if least > 0.0 && most / least >= 8.0 {
        return [least / 1.15, most * 1.15];
    }
    let room = (most - least) * 0.03 + 0.008;
    [least - room, most + room]
}

fn csv(families: &[Family<'_>], without: &[&Point], drawn: &[Drawn]) -> String {
    let mut out = "point,recn_saqs".to_string();
    for (column, ..) in drawn {
        out.push_str(&format!(",{column},min,max"));
    }
    out.push('\n');
    let mut row = |point: &Point, saqs: String| {
        let values = drawn.iter().map(|(column, ..)| match point.value(column) {
            Some((mean, min, max)) => format!("{mean},{min},{max}"),
            None => ",,".into(),
        });
        let values: Vec<String> = values.collect();
        let (name, values) = (csv_field(&point.name), values.join(","));
        out.push_str(&format!("{name},{saqs},{values}\n"));
    };
    let members = families.iter().flat_map(|f| &f.members);
    members.for_each(|(saqs, point)| row(point, saqs.to_string()));
    without.iter().for_each(|point| row(point, String::new()));
    out
}
