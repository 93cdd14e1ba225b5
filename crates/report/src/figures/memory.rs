//! Control memory of a port against throughput.

use super::Figure;
use super::metric::{Metric, bars_note, dot, metric};
use crate::plot::{Axis, Line, Plot, Scale, Stroke};
use crate::store::{Point, Store};
use crate::text::csv_field;

const BITS: &str = "port_control_bits";

/// A mark a point; `None` where no point has both.
pub(super) fn memory(store: &Store) -> Option<Figure> {
    let Metric {
        throughput, what, ..
    } = metric(store);
    let mark = |(style, point): (usize, &Point)| {
        let bits = point.value(BITS)?.0;
        Some(Line {
            style,
            stroke: Stroke::Alone,
            names: vec![point.title.clone()],
            keys: point.keys.clone(),
            dots: vec![dot(point, bits, throughput)?],
        })
    };
    let points = || store.points.iter().enumerate();
    let marks: Vec<Line> = points().filter_map(mark).collect();
    let bits = || marks.iter().map(|m| m.dots[0].x);
    let (min, max) = (bits().fold(f64::MAX, f64::min), bits().fold(0.0, f64::max));
    if max <= 0.0 {
        return None;
    }
    let missing = points().filter(|p| mark(*p).is_none());
    let missing: Vec<&str> = missing.map(|(_, p)| p.title.as_str()).collect();
    let mut caption = format!(
        "What a port pays for its scheme beside data memory (bits of CAM lines, \
         of queue and SAQ registers, of credit counters and of the ECN marker) against throughput \
         {what}. Up and left is better.{}",
        bars_note(store)
    );
    if !missing.is_empty() {
        caption.push_str(&format!(" Without values: {}.", missing.join("; ")));
    }
    let log = min > 0.0 && max / min > 8.0;
    let (scale, logarithmic) = if log {
        (Scale::log(min, max), " (logarithmic)")
    } else {
        (Scale::around(min, max, 6), "")
    };
    let top = marks.iter().map(|m| m.dots[0].range.1).fold(0.0, f64::max);
    let plot = Plot::new(
        "memory-0".into(),
        "Memory cost against throughput".into(),
        Axis::new("Control", &format!("bits a port{logarithmic}"), scale),
        Axis::new("Delivered", "bytes/ns", Scale::from_zero(top, 5)),
        400.0,
        marks,
    );
    Some(Figure {
        id: "memory",
        heading: "Memory cost against throughput",
        pictures: vec![(None, plot)],
        caption,
        csv: csv(store, throughput),
    })
}

fn csv(store: &Store, throughput: &str) -> String {
    let mut out = format!("point,{BITS},{throughput},min,max\n");
    for point in &store.points {
        let values = (point.value(BITS), point.value(throughput));
        if let (Some((bits, ..)), Some((mean, min, max))) = values {
            let name = csv_field(&point.name);
            out.push_str(&format!("{name},{bits},{mean},{min},{max}\n"));
        }
    }
    out
}
