//! One picture: as SVG what is drawn at first, as JSON all that can be drawn. Colours and text
//! sizes are CSS classes, so that a page in the dark or on a phone changes them.

mod axes;
mod data;
mod labels;
mod line;
mod scale;
mod style;
pub(crate) use data::DIGITS;
pub(crate) use scale::Scale;
pub(crate) use style::{Stroke, constants, sample};

use crate::text::escape;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Units of the picture: its width is this, whatever it is on the screen.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 62.0;

/// A scale with its title.
pub(crate) struct Axis {
    pub(crate) title: String,
    /// Empty where the title says it.
    pub(crate) unit: String,
    /// The key of a scenario that the title stands for, if any.
    pub(crate) key: String,
    pub(crate) scale: Scale,
}

impl Axis {
    /// An axis of a quantity.
    pub(crate) fn new(title: &str, unit: &str, scale: Scale) -> Self {
        Axis { title: title.into(), unit: unit.into(), key: String::new(), scale }
    }

    fn text(&self) -> String {
        let comma = if self.unit.is_empty() { "" } else { ", " };
        format!("{}{comma}{}", self.title, self.unit)
    }
}

/// A point of a line.
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
    /// A value without an interval.
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

/// A line, or a mark alone.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Colour and mark.
    pub(crate) style: usize,
    pub(crate) dash: usize,
    pub(crate) stroke: Stroke,
    pub(crate) name: String,
    /// What the name stands for in keys; may be empty.
    pub(crate) keys: String,
    /// What the reader chooses it by.
    pub(crate) labels: Map<String, Value>,
    pub(crate) dots: Vec<Dot>,
    /// Drawn before it is asked for.
    pub(crate) is_shown: bool,
    /// What stands at its right end; may be empty.
    pub(crate) end: String,
    /// The dot from which a line goes down to the axis, if any.
    pub(crate) drop: Option<usize>,
}

/// The label of a line that is a part of a run.
pub(crate) const PART: &str = "flows";

impl Line {
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

/// A shaded stretch of the x axis.
pub(crate) struct Band {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) name: String,
}

/// A line to compare with, which is not data.
pub(crate) struct Guide {
    pub(crate) class: &'static str,
    pub(crate) dots: Vec<(f64, f64)>,
    /// In the legend.
    pub(crate) name: String,
    /// At its right end; may be empty.
    pub(crate) end: String,
}

/// One picture.
pub(crate) struct Plot {
    /// Unique on the page.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) height: f64,
    pub(crate) bands: Vec<Band>,
    pub(crate) guides: Vec<Guide>,
    /// Dots that a ring marks.
    pub(crate) rings: Vec<(f64, f64)>,
    pub(crate) lines: Vec<Line>,
}

impl Plot {
    /// A picture of these lines.
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
        Plot {
            id,
            title,
            x,
            y,
            height,
            bands: Vec::new(),
            guides: Vec::new(),
            rings: Vec::new(),
            lines,
        }
    }

    fn px(&self, x: f64) -> f64 {
        LEFT + self.x.scale.place(x) * (WIDTH - LEFT - self.right())
    }

    fn py(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.scale.place(y) * (self.height - TOP - BOTTOM)
    }

    /// The `<svg>` element.
    pub(crate) fn svg(&self) -> String {
        let (id, height) = (&self.id, self.height);
        let shown = || self.lines.iter().filter(|line| line.is_shown);
        let names: Vec<&str> = shown().map(|line| line.name.as_str()).collect();
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title>\
             <desc id=\"{id}-d\">Lines: {}. The numbers are in the files of the results.</desc>\n",
            escape(&self.title),
            escape(&names.join("; "))
        );
        self.draw_bands(&mut out);
        self.draw_axes(&mut out);
        for Guide { class, dots, .. } in &self.guides {
            let at = dots.iter().map(|&(x, y)| self.place(x, y));
            let at = at.collect::<Vec<_>>().join(" ");
            put(&mut out, format_args!("<polyline class=\"guide {class}\" points=\"{at}\"/>"));
        }
        out.push_str("<g class=\"lines\">\n");
        for (n, line) in self.lines.iter().enumerate().filter(|l| l.1.is_shown) {
            self.draw_line(&mut out, n, line);
        }
        out.push_str("</g>\n");
        for &(x, y) in &self.rings {
            let (x, y, end) = (self.px(x), self.py(y), self.height - BOTTOM);
            put(
                &mut out,
                format_args!(
                    "<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\"/>\
                     <path class=\"ring\" d=\"M{x:.1} {end:.1}v-12\"/>"
                ),
            );
        }
        self.draw_labels(&mut out);
        out.push_str("</svg>\n");
        out
    }

    fn place(&self, x: f64, y: f64) -> String {
        format!("{:.1},{:.1}", self.px(x), self.py(y))
    }
}

fn put(out: &mut String, args: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(args); // a String takes everything
    out.push('\n');
}
