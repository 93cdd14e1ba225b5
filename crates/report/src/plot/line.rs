//! Lines with their marks and spreads; the script draws the same.

use super::style::{COLOURS, mark};
use super::{BOTTOM, Dot, Line, Plot, Stroke, put};

/// Marks of a line without dots of its own.
const MARKS: usize = 5;

impl Plot {
    /// The group of a line: its number is for the script.
    pub(super) fn draw_line(&self, out: &mut String, number: usize, line: &Line) {
        let Line { style, stroke, dots, .. } = line;
        let at: Vec<String> = dots.iter().map(|d| self.place(d.x, d.y)).collect();
        put(out, format_args!("<g class=\"s c{}\" data-i=\"{number}\">", style % COLOURS));
        let has_spread = |dot: &Dot| dot.range.0 < dot.range.1;
        if *stroke == Stroke::Banded && dots.iter().any(has_spread) {
            let low = dots.iter().map(|d| self.place(d.x, d.range.0));
            let high = dots.iter().rev().map(|d| self.place(d.x, d.range.1));
            let around = low.chain(high).collect::<Vec<_>>().join("L");
            put(out, format_args!("<path class=\"spread\" d=\"M{around}Z\"/>"));
        }
        if let Some(dot) = line.drop.and_then(|n| dots.get(n)) {
            let (x, y, bottom) = (self.px(dot.x), self.py(dot.y), self.height - BOTTOM);
            put(out, format_args!("<path class=\"drop\" d=\"M{x:.1} {y:.1}V{bottom:.1}\"/>"));
        }
        let (dashes, at) = (super::style::dashes(line.dash), at.join(" "));
        put(out, format_args!("<polyline{dashes} points=\"{at}\"/>"));
        for (n, dot) in dots.iter().enumerate() {
            if *stroke == Stroke::Marked && has_spread(dot) {
                self.draw_bar(out, dot);
            }
            let every = (dots.len() / MARKS).max(1);
            let offset = (style * 3) % every;
            if *stroke != Stroke::Plain || (dots.len() > 2 * MARKS && n % every == offset) {
                let (x, y) = (self.px(dot.x), self.py(dot.y));
                out.push_str(&mark(*style, x, y, dot.at_least));
            }
        }
        out.push_str("</g>\n");
    }

    /// From end to end of the interval.
    fn draw_bar(&self, out: &mut String, dot: &Dot) {
        let (x, low, high) = (self.px(dot.x), self.py(dot.range.0), self.py(dot.range.1));
        put(out, format_args!("<path class=\"range\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>"));
    }
}
