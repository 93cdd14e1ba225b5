//! A picture as SVG: what is drawn at first. The script draws the same lines.

use super::style::{COLOURS, dashes, mark};
use super::{Axis, Dot, Guide, Line, Plot, Stroke};
use crate::text::{escape, joined};
use std::fmt::Write;

/// Units of the picture: its width is this, whatever it is on the screen.
pub(super) const WIDTH: f64 = 760.0;
pub(super) const LEFT: f64 = 70.0;
pub(super) const RIGHT: f64 = 30.0;
pub(super) const TOP: f64 = 50.0;
pub(super) const BOTTOM: f64 = 62.0;

const BAND_COLOURS: usize = 3;

const APART: f64 = 17.0;

/// Marks of a line without dots of its own.
const MARKS: usize = 5;

impl Plot {
    fn px(&self, x: f64) -> f64 {
        LEFT + self.x.scale.place(x) * (WIDTH - LEFT - self.right())
    }

    fn py(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.scale.place(y) * (self.height - TOP - BOTTOM)
    }

    pub(crate) fn svg(&self) -> String {
        let (id, height) = (&self.id, self.height);
        let shown = || self.lines.iter().filter(|line| line.is_shown);
        let names = joined(shown().map(|line| &line.name), "; ");
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\"><title id=\"{id}-t\">{}</title>\
             <desc id=\"{id}-d\">Lines: {}. The numbers are in the files of the results.</desc>\n",
            escape(&self.title),
            escape(&names)
        );
        self.draw_bands(&mut out);
        self.draw_axes(&mut out);
        for Guide { class, dots, .. } in &self.guides {
            let at = joined(dots.iter().map(|&(x, y)| self.place(x, y)), " ");
            let _ = writeln!(out, "<polyline class=\"guide {class}\" points=\"{at}\"/>");
        }
        out.push_str("<g class=\"lines\">\n");
        for (n, line) in self.lines.iter().enumerate().filter(|l| l.1.is_shown) {
            self.draw_line(&mut out, n, line);
        }
        out.push_str("</g>\n");
        for &(x, y) in &self.rings {
            let (x, y, end) = (self.px(x), self.py(y), self.height - BOTTOM);
            let _ = writeln!(
                out,
                "<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\"/>\
                 <path class=\"ring\" d=\"M{x:.1} {end:.1}v-12\"/>"
            );
        }
        self.draw_labels(&mut out);
        out + "</svg>\n"
    }

    fn place(&self, x: f64, y: f64) -> String {
        format!("{:.1},{:.1}", self.px(x), self.py(y))
    }

    fn draw_bands(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - self.right());
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (n, band) in self.bands.iter().enumerate() {
            let inside = |x: f64| self.px(x).clamp(LEFT, right);
            let (from, to) = (inside(band.from), inside(band.to));
            if to <= from {
                continue;
            }
            let (class, width, height) = (n % BAND_COLOURS, to - from, bottom - TOP);
            let _ = writeln!(
                out,
                "<rect class=\"band b{class}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\"/>"
            );
            // above the plot, over one another where windows overlap or are narrow
            let (half, middle) = (band.name.chars().count() as f64 * 5.0, (from + to) / 2.0);
            let meets = |(a, b): &&(f64, f64)| middle - half < *b && middle + half > *a;
            let y = TOP - 7.0 - 15.0 * taken.iter().filter(meets).count() as f64;
            taken.push((middle - half, middle + half));
            let (place, name) = (format!("x=\"{middle:.1}\" y=\"{y:.1}\""), escape(&band.name));
            let _ = writeln!(
                out,
                r#"<text class="bandname" {place} text-anchor="middle">{name}</text>"#
            );
        }
    }

    fn draw_axes(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - self.right());
        for &tick in &self.y.scale.ticks {
            let (y, x, text) = (self.py(tick), LEFT - 8.0, self.y.scale.label(tick));
            let _ = writeln!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{x}\" y=\"{y:.1}\" dy=\".35em\" \
                 text-anchor=\"end\">{text}</text>"
            );
        }
        for &tick in &self.x.scale.ticks {
            let (x, text) = (self.px(tick), self.x.scale.label(tick));
            let (end, y) = (bottom + 5.0, bottom + 9.0);
            let _ = writeln!(
                out,
                "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{end}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{y}\" dy=\".8em\" \
                 text-anchor=\"middle\">{text}</text>"
            );
        }
        let [x_title, y_title] = [&self.x, &self.y].map(title);
        let (x, y) = ((LEFT + right) / 2.0, self.height - 8.0);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>\n\
             <text class=\"title\" x=\"6\" y=\"20\">{y_title}</text>\n\
             <text class=\"title\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{x_title}</text>"
        );
    }

    pub(super) fn right(&self) -> f64 {
        let lines = self.lines.iter().map(|line| &line.end);
        let guides = self.guides.iter().map(|guide| &guide.end);
        match lines.chain(guides).map(|end| end.chars().count()).max() {
            None | Some(0) => RIGHT,
            Some(letters) => letters as f64 * 8.6 + 14.0,
        }
    }

    /// Each beside the end of its line, moved where it would cover another.
    fn draw_labels(&self, out: &mut String) {
        let mut all: Vec<(f64, String, &str)> = Vec::new();
        for (n, line) in self.lines.iter().enumerate().filter(|l| l.1.is_shown) {
            if let (false, Some(last)) = (line.end.is_empty(), line.dots.last()) {
                let whose = format!("end c{}\" data-i=\"{n}", line.style % COLOURS);
                all.push((self.py(last.y), whose, &line.end));
            }
        }
        for guide in self.guides.iter().filter(|g| !g.end.is_empty()) {
            if let Some(last) = guide.dots.last() {
                all.push((self.py(last.1), "end".into(), &guide.end));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        for n in 0..all.len() {
            let least = if n > 0 { all[n - 1].0 + APART } else { TOP };
            all[n].0 = all[n].0.max(least);
        }
        let bottom = self.height - BOTTOM + 4.0;
        for n in (0..all.len()).rev() {
            let most = all.get(n + 1).map_or(bottom, |next| next.0 - APART);
            all[n].0 = all[n].0.min(most);
        }
        let x = WIDTH - self.right() + 8.0;
        for (y, class, name) in all {
            let name = escape(name);
            let _ = writeln!(
                out,
                r#"<text class="{class}" x="{x:.1}" y="{y:.1}" dy=".35em">{name}</text>"#
            );
        }
    }

    /// The group of a line: its number is for the script.
    fn draw_line(&self, out: &mut String, number: usize, line: &Line) {
        let Line { style, stroke, dots, .. } = line;
        let _ = writeln!(out, "<g class=\"s c{}\" data-i=\"{number}\">", style % COLOURS);
        let has_spread = |dot: &Dot| dot.range.0 < dot.range.1;
        if *stroke == Stroke::Banded && dots.iter().any(has_spread) {
            let low = dots.iter().map(|d| self.place(d.x, d.range.0));
            let high = dots.iter().rev().map(|d| self.place(d.x, d.range.1));
            let around = joined(low.chain(high), "L");
            let _ = writeln!(out, "<path class=\"spread\" d=\"M{around}Z\"/>");
        }
        if let Some(dot) = line.drop.and_then(|n| dots.get(n)) {
            let (x, y, bottom) = (self.px(dot.x), self.py(dot.y), self.height - BOTTOM);
            let _ = writeln!(out, "<path class=\"drop\" d=\"M{x:.1} {y:.1}V{bottom:.1}\"/>");
        }
        let at = joined(dots.iter().map(|d| self.place(d.x, d.y)), " ");
        let dashes = dashes(line.dash);
        let _ = writeln!(out, "<polyline{dashes} points=\"{at}\"/>");
        for (n, dot) in dots.iter().enumerate() {
            let (x, y) = (self.px(dot.x), self.py(dot.y));
            if *stroke == Stroke::Marked && has_spread(dot) {
                let (low, high) = (self.py(dot.range.0), self.py(dot.range.1));
                let _ = writeln!(out, "<path class=\"range\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>");
            }
            let every = (dots.len() / MARKS).max(1);
            let offset = (style * 3) % every;
            if *stroke != Stroke::Plain || (dots.len() > 2 * MARKS && n % every == offset) {
                out.push_str(&mark(*style, x, y, dot.at_least));
            }
        }
        out.push_str("</g>\n");
    }
}

/// The title, and its key where a pointer rests on it.
fn title(axis: &Axis) -> String {
    let comma = if axis.unit.is_empty() { "" } else { ", " };
    let text = escape(&format!("{}{comma}{}", axis.title, axis.unit));
    match axis.key.as_str() {
        "" => text,
        key => format!("{text}<title>{}</title>", escape(key)),
    }
}
