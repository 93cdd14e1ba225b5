//! Heat maps of links as SVG: a column from stage to stage, a row a link.

use crate::reproduce::chart::opened;

/// What is at the two ends of the links of a column.
pub(super) const COLUMNS: [&str; 5] = ["node to 0", "stage 0 to 1", "1 to 2", "2 to 1", "1 to 0"];

pub(super) struct Panel<'a> {
    pub(super) title: &'a str,
    /// By column, then link: 0 to 1.
    pub(super) shares: &'a [Vec<f64>],
}

const CELL: (f64, f64) = (44.0, 6.0);
const GAP: f64 = 4.0;
const MARGIN: f64 = 24.0;
const TOP: f64 = 92.0;
const BETWEEN: f64 = 30.0;
const LEGEND: f64 = 60.0;
const STEPS: usize = 10;

/// White, then yellow to dark red: lightness alone distinguishes them too.
pub(super) fn colour(share: f64) -> String {
    let stops = [
        (0.0, [247, 247, 247]),
        (0.25, [254, 217, 118]),
        (0.5, [253, 141, 60]),
        (0.75, [227, 26, 28]),
        (1.0, [103, 0, 31]),
    ];
    let share = share.clamp(0.0, 1.0);
    let above = stops.iter().position(|(at, _)| share <= *at).unwrap_or(4).max(1);
    let ((low, from), (high, to)) = (stops[above - 1], stops[above]);
    let part = (share - low) / (high - low);
    let mix = |k: usize| {
        let (from, to) = (f64::from(from[k]), f64::from(to[k]));
        (from + (to - from) * part).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

pub(super) fn svg(title: &str, panels: &[Panel<'_>]) -> String {
    let width_of = |panel: &Panel<'_>| panel.shares.len() as f64 * (CELL.0 + GAP);
    let rows = panels.iter().flat_map(|panel| panel.shares.iter().map(Vec::len));
    let height = rows.max().unwrap_or(0) as f64 * CELL.1;
    let panels_width: f64 = panels.iter().map(|panel| width_of(panel) + BETWEEN).sum();
    let (width, total) = (2.0 * MARGIN + panels_width, TOP + height + LEGEND);
    let mut svg = opened(title, (width, total), 11, (MARGIN, 26, 15));
    let mut x = MARGIN;
    for panel in panels {
        let heading = "font-size=\"13\" font-weight=\"bold\"";
        svg += &format!("<text x=\"{x:.0}\" y=\"54\" {heading}>{}</text>\n", panel.title);
        for (column, (name, shares)) in COLUMNS.iter().zip(panel.shares).enumerate() {
            let left = x + column as f64 * (CELL.0 + GAP);
            let (above, below) = name.split_once(" to ").unwrap_or((name, ""));
            let middle = left + CELL.0 / 2.0;
            svg += &format!(
                "<text x=\"{middle:.0}\" y=\"72\" text-anchor=\"middle\">{above}</text>\n\
                 <text x=\"{middle:.0}\" y=\"85\" text-anchor=\"middle\">to {below}</text>\n"
            );
            for (row, share) in shares.iter().enumerate() {
                rect(&mut svg, (left, TOP + row as f64 * CELL.1), CELL, *share);
            }
        }
        x += width_of(panel) + BETWEEN;
    }
    legend(&mut svg, TOP + height + 22.0);
    svg.push_str("</svg>\n");
    svg
}

pub(super) fn legend(svg: &mut String, y: f64) {
    for step in 0..=STEPS {
        let share = step as f64 / STEPS as f64;
        let x = MARGIN + step as f64 * 34.0;
        rect(svg, (x, y), (34.0, 10.0), share);
        let (middle, below, percent) = (x + 17.0, y + 24.0, share * 100.0);
        *svg += &format!(
            "<text x=\"{middle:.0}\" y=\"{below:.0}\" text-anchor=\"middle\">\
             {percent:.0} %</text>\n"
        );
    }
}

fn rect(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), share: f64) {
    let fill = colour(share);
    *svg += &format!(
        "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         fill=\"{fill}\"/>\n"
    );
}
