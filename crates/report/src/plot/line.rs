//! Lines with their marks, spreads and values.

use super::style::{COLOURS, mark};
use super::{Dot, Line, Plot, Stroke, put};
use crate::text::{escape, significant};

impl Plot {
    /// The group of a line: its number, name and values are for the script.
    pub(super) fn draw_line(&self, out: &mut String, number: usize) {
        let line = &self.lines[number];
        let Line {
            style,
            stroke,
            dots,
            ..
        } = line;
        let off = if self.is_shown(number) { "" } else { " off" };
        let at: Vec<String> = dots.iter().map(|d| self.place(d)).collect();
        let at = at.join(" ");
        let values: Vec<String> = dots.iter().map(value).collect();
        put(
            out,
            format_args!(
                "<g class=\"s c{}{off}\" data-s=\"{number}\" data-n=\"{}\" data-v=\"{}\">",
                style % COLOURS,
                escape(&line.name()),
                values.join(";")
            ),
        );
        // of a mark alone the line is a place without a length, which is not seen
        let dashes = stroke.dashes(*style);
        put(out, format_args!("<polyline{dashes} points=\"{at}\"/>"));
        for dot in dots {
            self.draw_spread(out, dot);
            if stroke.is_marked() {
                let hollow = dot.at_least || *stroke == Stroke::MarkedDashed;
                out.push_str(&mark(*style, self.px(dot.x), self.py(dot.y), hollow));
            }
        }
        out.push_str("</g>\n");
    }

    fn place(&self, dot: &Dot) -> String {
        format!("{:.1},{:.1}", self.px(dot.x), self.py(dot.y))
    }

    /// A bar from the smallest to the largest replica.
    fn draw_spread(&self, out: &mut String, dot: &Dot) {
        if dot.range.0 >= dot.range.1 {
            return;
        }
        let (x, low, high) = (self.px(dot.x), self.py(dot.range.0), self.py(dot.range.1));
        put(
            out,
            format_args!(
                "<line class=\"range\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{low:.1}\" \
                 y2=\"{high:.1}\"/>"
            ),
        );
    }
}

/// `x y`, of replicas that differ `x y min max`; a lower bound ends with `b`.
fn value(dot: &Dot) -> String {
    let mut out = format!("{} {}", significant(dot.x), significant(dot.y));
    if dot.range.0 < dot.range.1 {
        let (min, max) = (significant(dot.range.0), significant(dot.range.1));
        out.push_str(&format!(" {min} {max}"));
    }
    if dot.at_least {
        out.push_str(" b");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_for_people() {
        let mut dot = Dot::at(0.1, 12_345.678);
        assert_eq!(value(&dot), "0.1 12\u{202f}346");
        dot.range = (12_000.0, 13_000.0);
        dot.at_least = true;
        assert_eq!(
            value(&dot),
            "0.1 12\u{202f}346 12\u{202f}000 13\u{202f}000 b"
        );
    }
}
