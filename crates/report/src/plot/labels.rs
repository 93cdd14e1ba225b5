//! Names at the right ends of lines.

use super::style::COLOURS;
use super::{BOTTOM, Plot, RIGHT, TOP, WIDTH, put};
use crate::text::escape;

/// From one name to the next.
const APART: f64 = 17.0;

impl Plot {
    /// Room at the right.
    pub(super) fn right(&self) -> f64 {
        let lines = self.lines.iter().map(|line| &line.end);
        let guides = self.guides.iter().map(|guide| &guide.end);
        let most = lines.chain(guides).map(|end| end.chars().count()).max();
        match most.unwrap_or(0) {
            0 => RIGHT,
            letters => letters as f64 * 8.6 + 14.0,
        }
    }

    /// Each beside the end of its line, moved where it would cover another.
    pub(super) fn draw_labels(&self, out: &mut String) {
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
            put(
                out,
                format_args!(
                    "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" dy=\".35em\">{}</text>",
                    escape(name)
                ),
            );
        }
    }
}
