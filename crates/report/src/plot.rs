//! One picture as SVG. Colours and text sizes are CSS classes, so that a page in the dark or on a
//! phone changes them. Each line carries its values, for the script that says them.

mod axes;
mod coincide;
mod labels;
mod line;
mod scale;
mod style;
pub(crate) use coincide::together;
pub(crate) use scale::Scale;
pub(crate) use style::{Stroke, sample};

use crate::text::escape;
use std::fmt::Write;

/// Units of the picture: its width is this, whatever it is on the screen.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 62.0;

/// More lines than these are not drawn before they are asked for.
pub(crate) const LINES_SHOWN: usize = 8;

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
        Axis {
            title: title.into(),
            unit: unit.into(),
            key: String::new(),
            scale,
        }
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
    /// Smallest and largest over the replicas.
    pub(crate) range: (f64, f64),
    /// A lower bound; drawn hollow.
    pub(crate) at_least: bool,
}

impl Dot {
    /// A value without a spread.
    pub(crate) fn at(x: f64, y: f64) -> Self {
        Dot {
            x,
            y,
            range: (y, y),
            at_least: false,
        }
    }
}

/// A line, or a mark alone.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Colour, dashes and mark.
    pub(crate) style: usize,
    pub(crate) stroke: Stroke,
    /// One name, more where lines that coincide were made one.
    pub(crate) names: Vec<String>,
    /// What the names stand for in keys; may be empty.
    pub(crate) keys: String,
    pub(crate) dots: Vec<Dot>,
}

impl Line {
    /// What the line is called.
    pub(crate) fn name(&self) -> String {
        together(&self.names)
    }
}

/// A shaded stretch of the x axis.
pub(crate) struct Band {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) name: String,
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
    /// A straight line from end to end to compare with.
    pub(crate) guide: Option<[(f64, f64); 2]>,
    lines: Vec<Line>,
}

impl Plot {
    /// A picture of these lines, those that coincide made one.
    pub(crate) fn new(
        id: String,
        title: String,
        x: Axis,
        y: Axis,
        height: f64,
        lines: Vec<Line>,
    ) -> Self {
        let mut plot = Plot {
            id,
            title,
            x,
            y,
            height,
            bands: Vec::new(),
            guide: None,
            lines: Vec::new(),
        };
        plot.lines = plot.merged(lines);
        plot
    }

    /// What is drawn, in the order of the legend.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether a line is drawn before it is asked for: marks alone, and the first lines.
    pub(crate) fn is_shown(&self, line: usize) -> bool {
        line < LINES_SHOWN || self.lines[line].stroke == Stroke::Alone
    }

    fn px(&self, x: f64) -> f64 {
        LEFT + self.x.scale.place(x) * (WIDTH - LEFT - RIGHT)
    }

    fn py(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.scale.place(y) * (self.height - TOP - BOTTOM)
    }

    /// The `<svg>` element.
    pub(crate) fn svg(&self) -> String {
        let (id, height) = (&self.id, self.height);
        let names: Vec<String> = self.lines.iter().map(Line::name).collect();
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\" data-x=\"{}\" data-xu=\"{}\" data-y=\"{}\" \
             data-yu=\"{}\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">Lines: {}. \
             The numbers are in the CSV below.</desc>\n",
            escape(&self.x.title),
            escape(&self.x.unit),
            escape(&self.y.title),
            escape(&self.y.unit),
            escape(&self.title),
            escape(&names.join("; "))
        );
        self.draw_bands(&mut out);
        self.draw_axes(&mut out);
        self.draw_guide(&mut out);
        for n in 0..self.lines.len() {
            self.draw_line(&mut out, n);
        }
        self.draw_labels(&mut out);
        out.push_str("</svg>\n");
        out
    }

    fn draw_guide(&self, out: &mut String) {
        let Some([from, to]) = self.guide else { return };
        let (x1, y1) = (self.px(from.0), self.py(from.1));
        let (x2, y2) = (self.px(to.0), self.py(to.1));
        put(
            out,
            format_args!(
                "<line class=\"guide\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" \
                 y2=\"{y2:.1}\"/>"
            ),
        );
    }
}

fn put(out: &mut String, args: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(args); // a String takes everything
    out.push('\n');
}
