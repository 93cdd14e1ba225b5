//! One picture as SVG. Colours and text sizes are CSS classes, so that a page in the dark or on a
//! phone changes them.

use crate::scale::Scale;
use crate::text::{escape, number};
use std::fmt::Write;

/// Colours of the palette; further lines differ by their dashes.
pub(crate) const COLOURS: usize = 10;
const DASHES: [&str; 4] = ["", "9 3", "3 3", "10 3 2 3"];
const WIDTH: f64 = 760.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 62.0;

/// Dash pattern of a line style.
fn dashes(style: usize) -> &'static str {
    DASHES[(style + style / COLOURS) % DASHES.len()]
}

/// A scale with its title (unit included).
pub(crate) struct Axis {
    pub(crate) title: String,
    pub(crate) scale: Scale,
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Stroke {
    /// Without marks, dashes by style.
    Plain,
    /// Solid, with the mark of the style.
    Marked,
    /// Dashed, with hollow marks.
    MarkedDashed,
}

/// A line; the style gives colour, dashes and mark.
pub(crate) struct Line {
    pub(crate) style: usize,
    pub(crate) stroke: Stroke,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A lone mark with its name and the range over replicas.
pub(crate) struct Mark {
    pub(crate) style: usize,
    pub(crate) at: (f64, f64),
    pub(crate) range: (f64, f64),
    pub(crate) name: String,
}

/// A shaded stretch of the x axis.
pub(crate) struct Band {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) name: String,
}

/// Colours of shaded stretches.
const BAND_COLOURS: usize = 3;

/// One picture.
pub(crate) struct Plot {
    /// Unique on the page.
    pub(crate) id: String,
    pub(crate) title: String,
    /// For those who do not see it.
    pub(crate) description: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) height: f64,
    pub(crate) bands: Vec<Band>,
    pub(crate) lines: Vec<Line>,
    pub(crate) marks: Vec<Mark>,
}

impl Plot {
    fn px(&self, x: f64) -> f64 {
        LEFT + self.x.scale.place(x) * (WIDTH - LEFT - RIGHT)
    }

    fn py(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.scale.place(y) * (self.height - TOP - BOTTOM)
    }

    /// The `<svg>` element.
    pub(crate) fn svg(&self) -> String {
        let (id, height) = (&self.id, self.height);
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>\n",
            escape(&self.title),
            escape(&self.description)
        );
        self.draw_bands(&mut out);
        self.draw_axes(&mut out);
        for line in &self.lines {
            self.draw_line(&mut out, line);
        }
        self.draw_marks(&mut out);
        out.push_str("</svg>\n");
        out
    }

    fn draw_bands(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (n, band) in self.bands.iter().enumerate() {
            let (from, to) = (
                self.px(band.from).clamp(LEFT, right),
                self.px(band.to).clamp(LEFT, right),
            );
            if to <= from {
                continue;
            }
            put(
                out,
                format_args!(
                    "<rect class=\"band b{}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    n % BAND_COLOURS,
                    to - from,
                    bottom - TOP
                ),
            );
            // above the plot, over one another where windows overlap or are narrow
            let (half, middle) = (band.name.chars().count() as f64 * 5.0, (from + to) / 2.0);
            let row = taken
                .iter()
                .filter(|(a, b)| middle - half < *b && middle + half > *a)
                .count();
            taken.push((middle - half, middle + half));
            let y = TOP - 7.0 - 15.0 * row as f64;
            put(
                out,
                format_args!(
                    "<text class=\"bandname\" x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
                    escape(&band.name)
                ),
            );
        }
    }

    fn draw_axes(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        let decimals = self.y.scale.decimals();
        for &tick in &self.y.scale.ticks {
            let y = self.py(tick);
            put(
                out,
                format_args!(
                    "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
                ),
            );
            let (x, text) = (LEFT - 8.0, number(tick, decimals));
            put(
                out,
                format_args!(
                    "<text class=\"tick\" x=\"{x}\" y=\"{y:.1}\" dy=\".35em\" text-anchor=\"end\">{text}</text>"
                ),
            );
        }
        let decimals = self.x.scale.decimals();
        for &tick in &self.x.scale.ticks {
            let x = self.px(tick);
            put(
                out,
                format_args!(
                    "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{}\"/>",
                    bottom + 5.0
                ),
            );
            let (y, text) = (bottom + 9.0, number(tick, decimals));
            put(
                out,
                format_args!(
                    "<text class=\"tick\" x=\"{x:.1}\" y=\"{y}\" dy=\".8em\" text-anchor=\"middle\">{text}</text>"
                ),
            );
        }
        put(
            out,
            format_args!(
                "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>"
            ),
        );
        put(
            out,
            format_args!(
                "<text class=\"title\" x=\"6\" y=\"20\">{}</text>",
                escape(&self.y.title)
            ),
        );
        let (x, y) = ((LEFT + right) / 2.0, self.height - 8.0);
        put(
            out,
            format_args!(
                "<text class=\"title\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
                escape(&self.x.title)
            ),
        );
    }

    fn draw_line(&self, out: &mut String, line: &Line) {
        let Line {
            style,
            stroke,
            points,
        } = line;
        let path: Vec<String> = points
            .iter()
            .map(|&(x, y)| format!("{:.1},{:.1}", self.px(x), self.py(y)))
            .collect();
        let pattern = match stroke {
            Stroke::Plain => dashes(*style),
            Stroke::Marked => "",
            Stroke::MarkedDashed => "6 4",
        };
        let dash = if pattern.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{pattern}\"")
        };
        put(
            out,
            format_args!(
                "<g class=\"s c{}\" data-s=\"{style}\"><polyline{dash} points=\"{}\"/>",
                style % COLOURS,
                path.join(" ")
            ),
        );
        if *stroke != Stroke::Plain {
            for &(x, y) in points {
                out.push_str(&mark(
                    *style,
                    self.px(x),
                    self.py(y),
                    *stroke == Stroke::MarkedDashed,
                ));
            }
        }
        out.push_str("</g>\n");
    }

    fn draw_marks(&self, out: &mut String) {
        // a label goes where it covers no mark and no other label; where there is no such place the
        // legend alone names the mark
        let mut taken: Vec<[f64; 4]> = self
            .marks
            .iter()
            .map(|m| (self.px(m.at.0), self.py(m.at.1)))
            .map(|(x, y)| [x - 7.0, y - 7.0, x + 7.0, y + 7.0])
            .collect();
        for (n, m) in self.marks.iter().enumerate() {
            let (x, y) = (self.px(m.at.0), self.py(m.at.1));
            put(
                out,
                format_args!(
                    "<g class=\"s c{}\" data-s=\"{}\">",
                    m.style % COLOURS,
                    m.style
                ),
            );
            if m.range.0 < m.range.1 {
                let (low, high) = (self.py(m.range.0), self.py(m.range.1));
                put(
                    out,
                    format_args!(
                        "<line class=\"range\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\"/>"
                    ),
                );
            }
            out.push_str(&mark(m.style, x, y, false));
            let wide = m.name.chars().count() as f64 * 7.0;
            let place = [
                (11.0, 4.0, "start"),
                (-11.0, 4.0, "end"),
                (0.0, -12.0, "middle"),
                (0.0, 20.0, "middle"),
                (9.0, -9.0, "start"),
                (9.0, 17.0, "start"),
            ]
            .into_iter()
            .find_map(|(dx, dy, anchor)| {
                let left = x + dx
                    - if anchor == "end" {
                        wide
                    } else if anchor == "middle" {
                        wide / 2.0
                    } else {
                        0.0
                    };
                let place = [left, y + dy - 11.0, left + wide, y + dy + 3.0];
                let inside = place[0] > LEFT
                    && place[2] < WIDTH - 2.0
                    && place[1] > TOP - 10.0
                    && place[3] < self.height - BOTTOM;
                let free = taken.iter().enumerate().all(|(k, t)| {
                    k == n
                        || place[2] < t[0]
                        || place[0] > t[2]
                        || place[3] < t[1]
                        || place[1] > t[3]
                });
                (inside && free).then_some((dx, dy, anchor, place))
            });
            if let Some((dx, dy, anchor, place)) = place {
                taken.push(place);
                let (x, y, name) = (x + dx, y + dy, escape(&m.name));
                put(
                    out,
                    format_args!(
                        "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{name}</text>"
                    ),
                );
            }
            out.push_str("</g>\n");
        }
    }
}

/// A legend entry's sample: line, mark or both.
pub(crate) fn sample(style: usize, stroke: Option<Stroke>) -> String {
    let mut out = format!(
        "<svg class=\"sample c{}\" viewBox=\"0 0 40 14\" aria-hidden=\"true\">",
        style % COLOURS
    );
    let pattern = match stroke {
        Some(Stroke::Plain) => dashes(style),
        Some(Stroke::MarkedDashed) => "6 4",
        _ => "",
    };
    if stroke.is_some() {
        let dash = if pattern.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{pattern}\"")
        };
        out.push_str(&format!("<polyline{dash} points=\"1,7 39,7\"/>"));
    }
    if stroke != Some(Stroke::Plain) {
        out.push_str(&mark(
            style,
            20.0,
            7.0,
            stroke == Some(Stroke::MarkedDashed),
        ));
    }
    out + "</svg>"
}

/// Six shapes; the third of ten colours and the third of six shapes meet again after thirty.
fn mark(style: usize, x: f64, y: f64, hollow: bool) -> String {
    let class = if hollow { "mark hollow" } else { "mark" };
    let path = match style % 6 {
        0 => format!("M{:.1} {y:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x - 5.0),
        1 => format!("M{:.1} {:.1}h9v9h-9z", x - 4.5, y - 4.5),
        2 => format!("M{x:.1} {:.1}l5.5 9.5h-11z", y - 6.0),
        3 => format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0),
        4 => format!("M{x:.1} {:.1}l5.5 -9.5h-11z", y + 6.0),
        _ => format!("M{:.1} {:.1}h4v4h4v4h-4v4h-4v-4h-4v-4h4z", x - 2.0, y - 6.0),
    };
    format!("<path class=\"{class}\" d=\"{path}\"/>")
}

fn put(out: &mut String, args: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(args); // a String takes everything
    out.push('\n');
}
