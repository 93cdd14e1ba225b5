//! Names beside marks that stand alone.

use super::{BOTTOM, LEFT, Line, Plot, Stroke, TOP, WIDTH, put};
use crate::text::escape;

/// Longer names are in the legend only.
const NAME_MAX: usize = 40;

/// Left, top, right, bottom.
type Area = [f64; 4];

/// Where a name may stand: from the mark to its start, end or middle.
const PLACES: [(f64, f64, &str); 6] = [
    (11.0, 4.0, "start"),
    (-11.0, 4.0, "end"),
    (0.0, -12.0, "middle"),
    (0.0, 20.0, "middle"),
    (9.0, -9.0, "start"),
    (9.0, 17.0, "start"),
];

impl Plot {
    /// A name goes where it covers no mark and no other name; where there is no such place the
    /// legend alone names the mark.
    pub(super) fn draw_labels(&self, out: &mut String) {
        let alone: Vec<(usize, &Line)> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.stroke == Stroke::Alone)
            .collect();
        let at = |line: &Line| {
            let dot = line.dots[0];
            (self.px(dot.x), self.py(dot.y))
        };
        let around = |(x, y): (f64, f64)| [x - 7.0, y - 7.0, x + 7.0, y + 7.0];
        let mut taken: Vec<Area> = alone.iter().map(|(_, line)| around(at(line))).collect();
        for (n, (number, line)) in alone.iter().enumerate() {
            let ((x, y), name) = (at(line), line.name());
            if name.chars().count() > NAME_MAX {
                continue;
            }
            let wide = name.chars().count() as f64 * 7.0;
            let place = PLACES.into_iter().find_map(|(dx, dy, anchor)| {
                let left = match anchor {
                    "end" => x + dx - wide,
                    "middle" => x + dx - wide / 2.0,
                    _ => x + dx,
                };
                let area = [left, y + dy - 11.0, left + wide, y + dy + 3.0];
                let mut others = taken.iter().enumerate().filter(|(k, _)| *k != n);
                let free = others.all(|(_, other)| !overlap(&area, other));
                (self.is_inside(&area) && free).then_some((dx, dy, anchor, area))
            });
            let Some((dx, dy, anchor, area)) = place else {
                continue;
            };
            taken.push(area);
            let (x, y, name) = (x + dx, y + dy, escape(&name));
            put(
                out,
                format_args!(
                    "<text class=\"name\" data-s=\"{number}\" x=\"{x:.1}\" y=\"{y:.1}\" \
                     text-anchor=\"{anchor}\">{name}</text>"
                ),
            );
        }
    }

    fn is_inside(&self, area: &Area) -> bool {
        area[0] > LEFT
            && area[2] < WIDTH - 2.0
            && area[1] > TOP - 10.0
            && area[3] < self.height - BOTTOM
    }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a[2] >= b[0] && a[0] <= b[2] && a[3] >= b[1] && a[1] <= b[3]
}
