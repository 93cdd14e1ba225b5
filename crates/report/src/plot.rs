//! One picture: SVG of what is drawn at first, JSON of all; colours and sizes are CSS classes.

mod data;
mod draw;
mod scale;
mod style;
pub(crate) use data::DIGITS;
pub(crate) use scale::Scale;
pub(crate) use style::{Stroke, constants, sample};

use crate::store::Point;
use serde_json::{Map, Value};

pub(crate) struct Axis {
    pub(crate) title: String,
    pub(crate) unit: String,
    /// The key of a scenario of the title, if any.
    pub(crate) key: String,
    pub(crate) scale: Scale,
}

impl Axis {
    pub(crate) fn new(title: &str, unit: &str, scale: Scale) -> Self {
        Axis { title: title.into(), unit: unit.into(), key: String::new(), scale }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Ends of the 95 % interval, cut where they leave the picture.
    pub(crate) range: (f64, f64),
    /// A lower bound; drawn hollow.
    pub(crate) at_least: bool,
}

impl Dot {
    pub(crate) fn at(x: f64, y: f64) -> Self {
        Dot::with_half(x, y, None)
    }

    /// A mean and half of its interval, where it has one.
    pub(crate) fn with_half(x: f64, y: f64, half: Option<f64>) -> Self {
        let half = half.unwrap_or(0.0);
        Dot { x, y, range: (y - half, y + half), at_least: false }
    }

    /// The same value in a unit that is so many times as large.
    pub(crate) fn per(self, unit: f64) -> Self {
        Dot { y: self.y / unit, range: (self.range.0 / unit, self.range.1 / unit), ..self }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) style: usize,
    pub(crate) dash: usize,
    pub(crate) stroke: Stroke,
    pub(crate) name: String,
    pub(crate) keys: String,
    /// What the reader chooses it by.
    pub(crate) labels: Map<String, Value>,
    pub(crate) dots: Vec<Dot>,
    /// Drawn before it is asked for.
    pub(crate) is_shown: bool,
    /// The text at its right end; may be empty.
    pub(crate) end: String,
    /// The dot from which a line drops to the axis, if any.
    pub(crate) drop: Option<usize>,
}

/// The label of a line that is a part of a run.
pub(crate) const PART: &str = "flows";

impl Line {
    pub(crate) fn of(point: &Point, dots: Vec<Dot>) -> Self {
        Line {
            dash: point.dash,
            keys: point.keys.clone(),
            labels: point.labels.clone(),
            ..Line::plain(point.style, &point.title, dots)
        }
    }

    /// A plain line, of a part of a run.
    pub(crate) fn plain(style: usize, name: &str, dots: Vec<Dot>) -> Self {
        Line {
            style,
            dash: 0,
            stroke: Stroke::Plain,
            name: name.into(),
            keys: String::new(),
            labels: [(PART.into(), name.into())].into_iter().collect(),
            dots,
            is_shown: true,
            end: String::new(),
            drop: None,
        }
    }
}

pub(crate) fn dots(lines: &[Line]) -> impl Iterator<Item = &Dot> {
    lines.iter().flat_map(|line| &line.dots)
}

pub(crate) struct Band {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) name: String,
}

/// A line to compare with, which is not data.
pub(crate) struct Guide {
    pub(crate) class: &'static str,
    pub(crate) dots: Vec<(f64, f64)>,
    pub(crate) name: String,
    /// At its right end; may be empty.
    pub(crate) end: String,
}

pub(crate) struct Plot {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) height: f64,
    pub(crate) bands: Vec<Band>,
    pub(crate) guides: Vec<Guide>,
    pub(crate) rings: Vec<(f64, f64)>,
    pub(crate) lines: Vec<Line>,
}

impl Plot {
    pub(crate) fn new(
        id: String,
        title: String,
        x: Axis,
        y: Axis,
        height: f64,
        mut lines: Vec<Line>,
    ) -> Self {
        for dot in lines.iter_mut().flat_map(|line| &mut line.dots) {
            let (low, high) = dot.range;
            dot.range = (y.scale.inside(low), y.scale.inside(high));
        }
        let (bands, guides, rings) = (Vec::new(), Vec::new(), Vec::new());
        Plot { id, title, x, y, height, bands, guides, rings, lines }
    }
}
