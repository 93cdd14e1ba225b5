//! The figures that size a switch: throughput against SAQs, and against the memory that a scheme
//! costs.

use super::Figure;
use crate::plot::{Axis, Line, Mark, Plot, Stroke};
use crate::scale::Scale;
use crate::store::{Point, Store};
use crate::text::csv_field;

const SAQS: &str = "recn.saqs";
const BITS: &str = "port_control_bits";
/// More schemes without SAQs than these are not drawn as levels.
const LEVELS_MAX: usize = 8;

/// What is drawn: throughput and its worst dip, and how to call them.
struct Metric {
    throughput: &'static str,
    dip: &'static str,
    what: &'static str,
}

/// In the order of choice: what a congestion tree costs the victims, what it costs all flows, and
/// without a tree the measured time.
const METRICS: [Metric; 4] = [
    Metric {
        throughput: "victims_during_bytes_per_ns",
        dip: "victims_worst_dip_bytes_per_ns",
        what: "of the victims (flows to no hot destination) in window during",
    },
    Metric {
        throughput: "during_bytes_per_ns",
        dip: "worst_dip_bytes_per_ns",
        what: "of all flows in window during",
    },
    Metric {
        throughput: "victims_delivered_bytes_per_ns",
        dip: "",
        what: "of the victims (flows to no hot destination) in the measured time",
    },
    Metric {
        throughput: "delivered_bytes_per_ns",
        dip: "",
        what: "of all flows in the measured time",
    },
];

/// The first metric that some point has.
fn metric(store: &Store) -> &'static Metric {
    let has = |m: &&Metric| store.points.iter().any(|p| p.value(m.throughput).is_some());
    METRICS.iter().find(has).unwrap_or(&METRICS[3])
}

/// Points that differ in the number of SAQs alone: by SAQs, with the style of the first of them.
struct Family<'a> {
    name: String,
    style: usize,
    members: Vec<(f64, &'a Point)>,
}

fn families(store: &Store) -> Vec<Family<'_>> {
    let mut families: Vec<(Vec<(&str, &str)>, Family<'_>)> = Vec::new();
    for (style, point) in store.points.iter().enumerate() {
        let Some(saqs) = point
            .label(SAQS)
            .and_then(|v| v.parse::<f64>().ok())
            .filter(|s| s.is_finite())
        else {
            continue;
        };
        let others: Vec<(&str, &str)> = point
            .labels
            .iter()
            .filter(|(k, _)| *k != SAQS)
            .map(|(k, v)| (k.as_str(), v.as_str().unwrap_or_default()))
            .collect();
        match families.iter_mut().find(|(labels, _)| *labels == others) {
            Some((_, family)) => family.members.push((saqs, point)),
            None => {
                let part = |(k, v): &(&str, &str)| {
                    if *k == "switch.scheme" {
                        v.to_string()
                    } else {
                        format!("{k} {v}")
                    }
                };
                let name = others.iter().map(part).collect::<Vec<_>>().join(", ");
                let name = if name.is_empty() {
                    "recn".to_string()
                } else {
                    name
                };
                families.push((
                    others,
                    Family {
                        name,
                        style,
                        members: vec![(saqs, point)],
                    },
                ));
            }
        }
    }
    let mut families: Vec<Family<'_>> = families.into_iter().map(|(_, family)| family).collect();
    families
        .iter_mut()
        .for_each(|f| f.members.sort_by(|a, b| a.0.total_cmp(&b.0)));
    families.retain(|f| {
        f.members
            .iter()
            .any(|(_, p)| METRICS.iter().any(|m| p.value(m.throughput).is_some()))
    });
    families
}

/// Worst dip and throughput against the number of SAQs; `None` without that axis.
pub(crate) fn sizing(store: &Store) -> Option<Figure> {
    let families = families(store);
    let mut saqs: Vec<f64> = families
        .iter()
        .flat_map(|f| f.members.iter().map(|m| m.0))
        .collect();
    saqs.sort_by(f64::total_cmp);
    saqs.dedup();
    let (&least, &most) = (saqs.first()?, saqs.last()?);
    let Metric {
        throughput,
        dip,
        what,
    } = metric(store);
    let (mut lines, mut legend) = (Vec::new(), Vec::new());
    let drawn: Vec<(&str, Stroke, &str)> = [
        (*throughput, Stroke::Marked, "throughput"),
        (*dip, Stroke::MarkedDashed, "worst dip"),
    ]
    .into_iter()
    .filter(|(column, ..)| !column.is_empty())
    .collect();
    let mut csv = "point,recn_saqs".to_string();
    for (column, ..) in &drawn {
        csv.push_str(&format!(",{column},min,max"));
    }
    csv.push('\n');
    let mut row = |point: &Point, saqs: String| {
        let values = drawn.iter().map(|(c, ..)| {
            point.value(c).map_or(",,".into(), |(mean, min, max)| {
                format!("{mean},{min},{max}")
            })
        });
        csv.push_str(&format!(
            "{},{saqs},{}\n",
            csv_field(&point.name),
            values.collect::<Vec<_>>().join(",")
        ));
    };
    for family in &families {
        for (column, stroke, what) in drawn.iter().copied() {
            let points: Vec<(f64, f64)> = family
                .members
                .iter()
                .filter_map(|(s, p)| Some((*s, p.value(column)?.0)))
                .collect();
            if points.is_empty() {
                continue;
            }
            lines.push(Line {
                style: family.style,
                stroke,
                points,
            });
            legend.push((
                family.style,
                Some(stroke),
                format!("{}: {what}", family.name),
            ));
        }
        family
            .members
            .iter()
            .for_each(|(s, p)| row(p, s.to_string()));
    }
    let without: Vec<(usize, &Point)> = store
        .points
        .iter()
        .enumerate()
        .filter(|(_, p)| p.label(SAQS).is_none())
        .collect();
    without.iter().for_each(|(_, p)| row(p, String::new()));
    let dips = if dip.is_empty() {
        ""
    } else {
        " and its worst dip (lowest mean over a part of about 20 \u{b5}s)"
    };
    let mut caption = format!("Throughput {what}{dips} against SAQs a port.");
    if without.len() <= LEVELS_MAX {
        for (style, point) in &without {
            let Some((level, ..)) = point.value(throughput) else {
                continue;
            };
            lines.push(Line {
                style: *style,
                stroke: Stroke::Plain,
                points: edges(least, most).map(|x| (x, level)).to_vec(),
            });
            legend.push((
                *style,
                Some(Stroke::Plain),
                format!("{}: throughput (no SAQs)", point.name),
            ));
        }
    } else {
        caption.push_str(&format!(
            " The {} points without SAQs are in the CSV only.",
            without.len()
        ));
    }
    let top = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|p| p.1)
        .fold(0.0, f64::max);
    let plot = Plot {
        id: "sizing-0".into(),
        title: format!("Throughput {what} against the number of SAQs"),
        description: caption.clone(),
        x: Axis {
            title: "SAQs at a port".into(),
            scale: Scale::at(&saqs),
        },
        y: Axis {
            title: "Delivered, bytes/ns".into(),
            scale: Scale::from_zero(top, 5),
        },
        height: 400.0,
        bands: Vec::new(),
        lines,
        marks: Vec::new(),
    };
    Some(Figure {
        id: "sizing",
        heading: "Throughput against SAQs",
        plots: vec![(None, plot)],
        legend,
        caption,
        csv,
    })
}

/// Where the levels of schemes without SAQs begin and end: a little beyond the outermost values.
fn edges(least: f64, most: f64) -> [f64; 2] {
    if least > 0.0 && most / least >= 8.0 {
        [least / 1.15, most * 1.15]
    } else {
        [
            least - (most - least) * 0.03 - 0.008,
            most + (most - least) * 0.03 + 0.008,
        ]
    }
}

/// Control memory of a port against throughput; `None` where no point has both.
pub(crate) fn memory(store: &Store) -> Option<Figure> {
    let Metric {
        throughput, what, ..
    } = metric(store);
    let marks: Vec<Mark> = store
        .points
        .iter()
        .enumerate()
        .filter_map(|(style, point)| {
            let (y, min, max) = point.value(throughput)?;
            Some(Mark {
                style,
                at: (point.value(BITS)?.0, y),
                range: (min, max),
                name: point.name.clone(),
            })
        })
        .collect();
    let (min, max) = (
        marks.iter().map(|m| m.at.0).fold(f64::MAX, f64::min),
        marks.iter().map(|m| m.at.0).fold(0.0, f64::max),
    );
    if max <= 0.0 {
        return None;
    }
    let missing: Vec<&str> = store
        .points
        .iter()
        .map(|p| p.name.as_str())
        .filter(|n| marks.iter().all(|m| m.name != *n))
        .collect();
    let mut caption = format!(
        "What a port pays for its scheme beside data memory (bits of CAM lines and of queue registers) against throughput {what}. Up and left is better."
    );
    if store.runs.iter().any(|run| run.replica > 0) {
        caption.push_str(" Bars: smallest to largest replica.");
    }
    if !missing.is_empty() {
        caption.push_str(&format!(" Without values: {}.", missing.join("; ")));
    }
    let mut csv = format!("point,{BITS},{throughput},min,max\n");
    for m in &marks {
        csv.push_str(&format!(
            "{},{},{},{},{}\n",
            csv_field(&m.name),
            m.at.0,
            m.at.1,
            m.range.0,
            m.range.1
        ));
    }
    let legend = marks
        .iter()
        .map(|m| (m.style, None, m.name.clone()))
        .collect();
    let log = min > 0.0 && max / min > 8.0;
    let plot = Plot {
        id: "memory-0".into(),
        title: "Memory cost against throughput".into(),
        description: caption.clone(),
        x: Axis {
            title: format!(
                "CAM and queue registers, bits a port{}",
                if log { " (logarithmic)" } else { "" }
            ),
            scale: if log {
                Scale::log(min, max)
            } else {
                Scale::around(min, max, 6)
            },
        },
        y: Axis {
            title: "Delivered, bytes/ns".into(),
            scale: Scale::from_zero(marks.iter().map(|m| m.range.1).fold(0.0, f64::max), 5),
        },
        height: 400.0,
        bands: Vec::new(),
        lines: Vec::new(),
        marks,
    };
    Some(Figure {
        id: "memory",
        heading: "Memory cost against throughput",
        plots: vec![(None, plot)],
        legend,
        caption,
        csv,
    })
}
