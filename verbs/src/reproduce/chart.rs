//! Curves side by side as one SVG; coordinates to a tenth: the bytes depend on the data alone.

use serde::Deserialize;
use study::Interval;

/// Colours that colour-blind readers distinguish.
pub(super) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7f3c8d", "#555555"];
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;
/// A row of panels below another, which has no title above it.
const ROW: f64 = HEIGHT - 20.0;
const KEY_LINE: f64 = 20.0;
const KEY_COLUMN: f64 = 260.0;

/// From 0 to `max`, marked every `step`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Axis {
    pub(super) title: String,
    pub(super) max: f64,
    pub(super) step: f64,
}

impl Axis {
    pub(super) fn new(title: &str, max: f64, step: f64) -> Axis {
        Axis { title: title.to_string(), max, step }
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = (self.max / self.step + 1e-9) as usize;
        let step = self.step;
        (0..=count).map(move |k| k as f64 * step)
    }

    fn text(&self, value: f64) -> String {
        let digits = (0..4)
            .find(|&digits| {
                let scaled = self.step * f64::powi(10.0, digits);
                (scaled - scaled.round()).abs() < 1e-9
            })
            .unwrap_or(4);
        format!("{value:.0$}", digits as usize)
    }
}

/// The style of a line: numbers of its colour and its dashes.
#[derive(Clone, Copy)]
pub(super) struct Style(pub(super) usize, pub(super) usize);

/// A line; what is above the axis is cut off.
pub(super) struct Line {
    pub(super) style: Style,
    pub(super) points: Vec<(f64, f64)>,
    /// By point: half of its interval, if it has one.
    halves: Vec<Option<f64>>,
}

pub(super) struct Panel {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) lines: Vec<Line>,
    /// Bounds, dotted from side to side, by the numbers of their colours.
    pub(super) levels: Vec<(usize, f64)>,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Panels in rows of so many, with one key below.
pub(super) fn grid(
    title: &str,
    panels: &[Panel],
    in_row: usize,
    key: &[(String, Style)],
) -> String {
    let in_row = in_row.clamp(1, panels.len().max(1));
    let width = WIDTH * in_row as f64;
    let columns = (((width - LEFT) / KEY_COLUMN) as usize).max(1);
    let below = HEIGHT + (panels.len().div_ceil(in_row).max(1) - 1) as f64 * ROW;
    let height = below + KEY_LINE * (key.len().div_ceil(columns) as f64 + 0.5);
    let title = escaped(title);
    let mut out = opened(&title, (width, height), 12, (LEFT, 20, 14));
    for (row, panels) in panels.chunks(in_row).enumerate() {
        if row > 0 {
            out += &format!("<g transform=\"translate(0 {})\">\n", row as f64 * ROW);
        }
        for (at, panel) in panels.iter().enumerate() {
            panel.draw(WIDTH * at as f64, row * in_row + at, &mut out);
        }
        if row > 0 {
            out.push_str("</g>\n");
        }
    }
    for (at, (name, style)) in key.iter().enumerate() {
        let x = LEFT + (at % columns) as f64 * KEY_COLUMN;
        let y = below + 8.0 + (at / columns) as f64 * KEY_LINE;
        let (end, beside, base) = (x + 30.0, x + 38.0, y + 4.0);
        let (stroke, name) = (stroke(*style, 2.0), escaped(name));
        out += &format!(
            "<line x1=\"{x}\" x2=\"{end}\" y1=\"{y}\" y2=\"{y}\"{stroke}/>\n\
             <text x=\"{beside}\" y=\"{base}\">{name}</text>\n"
        );
    }
    out.push_str("</svg>\n");
    out
}

/// The begin of a picture of this size: font size; the place of its title and its font size.
pub(super) fn opened(
    title: &str,
    (width, height): (f64, f64),
    font: u32,
    (x, y, title_font): (f64, u32, u32),
) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"{font}\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{x}\" y=\"{y}\" font-size=\"{title_font}\">{title}</text>\n"
    )
}

fn stroke(style: Style, width: f64) -> String {
    let colour = COLOURS[style.0 % COLOURS.len()];
    let dash = match DASHES[style.1 % DASHES.len()] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    };
    format!(" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}")
}

impl Panel {
    pub(super) fn new(x: Axis, y: Axis, lines: Vec<Line>) -> Panel {
        Panel { x, y, lines, levels: Vec::new() }
    }

    fn draw(&self, left: f64, at: usize, out: &mut String) {
        let (x0, x1) = (left + LEFT, left + WIDTH - RIGHT);
        let (y0, y1) = (HEIGHT - BOTTOM, TOP);
        let px = |x: f64| x0 + x / self.x.max * (x1 - x0);
        let py = |y: f64| y0 + y / self.y.max * (y1 - y0);
        let (width, height) = (x1 - x0, y0 - y1);
        *out += &format!(
            "<clipPath id=\"p{at}\"><rect x=\"{x0}\" y=\"{y1}\" width=\"{width}\" \
             height=\"{height}\"/></clipPath>\n"
        );
        let before = x0 - 6.0;
        for mark in self.y.marks() {
            let (y, text) = (py(mark), self.y.text(mark));
            let base = y + 4.0;
            *out += &format!(
                "<line x1=\"{x0}\" x2=\"{x1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\n\
                 <text x=\"{before}\" y=\"{base:.1}\" text-anchor=\"end\">{text}</text>\n"
            );
        }
        let (tick, below) = (y0 + 4.0, y0 + 18.0);
        for mark in self.x.marks() {
            let (x, text) = (px(mark), self.x.text(mark));
            *out += &format!(
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y0}\" y2=\"{tick}\" stroke=\"#333333\"/>\n\
                 <text x=\"{x:.1}\" y=\"{below}\" text-anchor=\"middle\">{text}</text>\n"
            );
        }
        let (middle, bottom, title) = ((x0 + x1) / 2.0, HEIGHT - 12.0, escaped(&self.x.title));
        let (edge, above, y_title) = (left + 10.0, y1 - 12.0, escaped(&self.y.title));
        *out += &format!(
            "<line x1=\"{x0}\" x2=\"{x1}\" y1=\"{y0}\" y2=\"{y0}\" stroke=\"#333333\"/>\n\
             <text x=\"{middle:.1}\" y=\"{bottom}\" text-anchor=\"middle\">{title}</text>\n\
             <text x=\"{edge}\" y=\"{above}\">{y_title}</text>\n\
             <g clip-path=\"url(#p{at})\">\n"
        );
        for &(colour, level) in &self.levels {
            let y = py(level);
            let stroke = stroke(Style(colour, 2), 1.0);
            *out +=
                &format!("<line x1=\"{x0}\" x2=\"{x1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"{stroke}/>\n");
        }
        for line in &self.lines {
            line.draw(&px, &py, out);
        }
        out.push_str("</g>\n");
    }
}

impl Line {
    pub(super) fn new(style: Style, points: Vec<(f64, f64)>) -> Line {
        Line { style, points, halves: Vec::new() }
    }

    /// Puts a point at the mean of some values with their 95 % interval; the upper end of that.
    pub(super) fn add(&mut self, x: f64, values: &[f64]) -> f64 {
        let Some(found) = Interval::of(values) else {
            return 0.0;
        };
        self.points.push((x, found.mean));
        self.halves.push(found.half);
        found.mean + found.half.unwrap_or(0.0)
    }

    fn draw(&self, px: &dyn Fn(f64) -> f64, py: &dyn Fn(f64) -> f64, out: &mut String) {
        let points = self.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", px(x), py(y)));
        let (points, dashed) = (points.collect::<Vec<_>>().join(" "), stroke(self.style, 2.0));
        *out += &format!("<polyline points=\"{points}\"{dashed}/>\n");
        let whole = |width| stroke(Style(self.style.0, 0), width);
        if let [(x, y)] = self.points[..] {
            // a line of one point would not be seen
            let (x, y, stroke) = (px(x), py(y), whole(2.0));
            *out += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"{stroke}/>\n");
        }
        let halves = self.points.iter().zip(&self.halves);
        for (&(x, y), half) in halves.filter_map(|(at, half)| Some((at, (*half)?))) {
            let (x, low, high, stroke) = (px(x), py(y - half), py(y + half), whole(1.5));
            *out += &format!(
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\"{stroke}/>\n"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Line, Panel, Style, grid};

    #[test]
    fn marks_show_as_many_digits_as_they_need() {
        let axis = Axis::new("x", 1.0, 0.25);
        let marks: Vec<String> = axis.marks().map(|mark| axis.text(mark)).collect();
        assert_eq!(marks, ["0.00", "0.25", "0.50", "0.75", "1.00"]);
        let axis = Axis::new("x", 1200.0, 400.0);
        assert_eq!(axis.marks().map(|m| axis.text(m)).last(), Some("1200".into()));
    }

    // The lower left corner is the origin, the upper right one the ends of both axes.
    #[test]
    fn lines_go_from_corner_to_corner() {
        let line = Line::new(Style(0, 1), vec![(0.0, 0.0), (1.0, 10.0)]);
        let (x, y) = (Axis::new("x < 1", 1.0, 0.5), Axis::new("y", 10.0, 5.0));
        let panel = Panel::new(x, y, vec![line]);
        let text = grid("a & b", &[panel], 1, &[("one".to_string(), Style(0, 1))]);
        assert!(text.contains("<polyline points=\"62.0,254.0 386.0,52.0\""), "{text}");
        assert!(text.contains("<title>a &amp; b</title>") && text.contains("x &lt; 1"));
        assert_eq!(text.matches("stroke-dasharray=\"7 4\"").count(), 2);
    }

    #[test]
    fn panels_of_a_grid_are_in_rows() {
        let axis = || Axis::new("x", 1.0, 1.0);
        let panel = || Panel::new(axis(), axis(), Vec::new());
        let text = grid("", &[panel(), panel(), panel()], 2, &[]);
        assert!(text.contains("viewBox=\"0 0 800 590\""), "{text}");
        assert_eq!(text.matches("translate(0 280)").count(), 1);
        assert!(text.contains("clipPath id=\"p2\"><rect x=\"62\""));
    }
}
