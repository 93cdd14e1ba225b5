//! Colours, dashes and marks of lines.

use serde_json::json;

pub(super) const COLOURS: usize = 8;
/// The size of a point, see `styles`.
const DASHES: [&str; 8] = ["", "9 3", "3 3", "10 3 2 3", "16 4", "6 2 2 2 2 2", "2 5", "16 3 5 3"];
/// Six shapes around the origin.
const MARKS: [&str; 6] = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.5 -4.5h9v9h-9z",
    "M0 -6l5.5 9.5h-11z",
    "M0 -6l6 6l-6 6l-6 -6z",
    "M0 6l5.5 -9.5h-11z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stroke {
    /// Of many dots: a mark here and there.
    Plain,
    /// A mark and a bar at each dot.
    Marked,
    /// A mark at each dot, and a band between the ends of the intervals.
    Banded,
}

impl Stroke {
    pub(super) fn letter(self) -> &'static str {
        match self {
            Stroke::Plain => "p",
            Stroke::Marked => "m",
            Stroke::Banded => "b",
        }
    }
}

/// The attribute of the dash pattern, with a space before it.
pub(super) fn dashes(dash: usize) -> String {
    match DASHES[dash % DASHES.len()] {
        "" => String::new(),
        pattern => format!(" stroke-dasharray=\"{pattern}\""),
    }
}

pub(crate) fn constants() -> String {
    let all = json!({ "digits": super::DIGITS, "dashes": DASHES, "marks": MARKS });
    format!("const LOOKS = {all};\n")
}

pub(crate) fn sample(style: usize, dash: usize) -> String {
    format!(
        "<svg class=\"sample c{}\" viewBox=\"0 0 40 14\" aria-hidden=\"true\">\
         <polyline{} points=\"1,7 39,7\"/>{}</svg>",
        style % COLOURS,
        dashes(dash),
        mark(style, 20.0, 7.0, false)
    )
}

/// A colour that recurs has another shape: with it they meet again after 48.
fn shape(style: usize) -> usize {
    (style % COLOURS + style / COLOURS) % MARKS.len()
}

pub(super) fn mark(style: usize, x: f64, y: f64, hollow: bool) -> String {
    let class = if hollow { "mark hollow" } else { "mark" };
    let path = MARKS[shape(style)];
    format!("<path class=\"{class}\" transform=\"translate({x:.1} {y:.1})\" d=\"{path}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_one_colour_differ_in_their_marks() {
        let all: Vec<(usize, usize)> =
            (0..COLOURS * MARKS.len()).map(|style| (style % COLOURS, shape(style))).collect();
        for (n, style) in all.iter().enumerate() {
            assert!(!all[n + 1..].contains(style), "{n}: {style:?}");
        }
    }
}
