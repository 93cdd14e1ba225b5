//! Axes, grid and shaded stretches.

use super::{Axis, BOTTOM, LEFT, Plot, TOP, WIDTH, put};
use crate::text::escape;

/// Colours of shaded stretches.
const BAND_COLOURS: usize = 3;

impl Plot {
    pub(super) fn draw_bands(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - self.right());
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (n, band) in self.bands.iter().enumerate() {
            let inside = |x: f64| self.px(x).clamp(LEFT, right);
            let (from, to) = (inside(band.from), inside(band.to));
            if to <= from {
                continue;
            }
            put(
                out,
                format_args!(
                    "<rect class=\"band b{}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" \
                     height=\"{:.1}\"/>",
                    n % BAND_COLOURS,
                    to - from,
                    bottom - TOP
                ),
            );
            // above the plot, over one another where windows overlap or are narrow
            let (half, middle) = (band.name.chars().count() as f64 * 5.0, (from + to) / 2.0);
            let meets = |(a, b): &&(f64, f64)| middle - half < *b && middle + half > *a;
            let row = taken.iter().filter(meets).count();
            taken.push((middle - half, middle + half));
            let y = TOP - 7.0 - 15.0 * row as f64;
            put(
                out,
                format_args!(
                    "<text class=\"bandname\" x=\"{middle:.1}\" y=\"{y:.1}\" \
                     text-anchor=\"middle\">{}</text>",
                    escape(&band.name)
                ),
            );
        }
    }

    pub(super) fn draw_axes(&self, out: &mut String) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - self.right());
        for &tick in &self.y.scale.ticks {
            let (y, x, text) = (self.py(tick), LEFT - 8.0, self.y.scale.label(tick));
            put(
                out,
                format_args!(
                    "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" \
                     y2=\"{y:.1}\"/>\
                     <text class=\"tick\" x=\"{x}\" y=\"{y:.1}\" dy=\".35em\" \
                     text-anchor=\"end\">{text}</text>"
                ),
            );
        }
        for &tick in &self.x.scale.ticks {
            let (x, text) = (self.px(tick), self.x.scale.label(tick));
            let (end, y) = (bottom + 5.0, bottom + 9.0);
            put(
                out,
                format_args!(
                    "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" \
                     y2=\"{end}\"/>\
                     <text class=\"tick\" x=\"{x:.1}\" y=\"{y}\" dy=\".8em\" \
                     text-anchor=\"middle\">{text}</text>"
                ),
            );
        }
        put(
            out,
            format_args!(
                "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" \
                 y2=\"{bottom}\"/>"
            ),
        );
        let title = title(&self.y);
        put(out, format_args!("<text class=\"title\" x=\"6\" y=\"20\">{title}</text>"));
        let (x, y, title) = ((LEFT + right) / 2.0, self.height - 8.0, self::title(&self.x));
        put(
            out,
            format_args!(
                "<text class=\"title\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{title}</text>"
            ),
        );
    }
}

/// The title, and the key that it stands for where a pointer rests on it.
fn title(axis: &Axis) -> String {
    let text = escape(&axis.text());
    if axis.key.is_empty() {
        return text;
    }
    format!("{text}<title>{}</title>", escape(&axis.key))
}
