//! Colours, dashes and marks of lines.

/// Colours of the palette; further lines differ by their dashes.
pub(super) const COLOURS: usize = 8;
const DASHES: [&str; 4] = ["", "9 3", "3 3", "10 3 2 3"];

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stroke {
    /// Without marks, dashes by style.
    Plain,
    /// Solid, with the mark of the style.
    Marked,
    /// Dashed, with hollow marks.
    MarkedDashed,
    /// No line: a mark, with its name beside it where there is room.
    Alone,
}

impl Stroke {
    /// Whether there are marks on it.
    pub(super) fn is_marked(self) -> bool {
        self != Stroke::Plain
    }

    /// The attribute of the dash pattern, with a space before it.
    pub(super) fn dashes(self, style: usize) -> String {
        let pattern = match self {
            // neighbours differ in both, and a colour that comes again has other dashes
            Stroke::Plain => DASHES[(style + style / COLOURS) % DASHES.len()],
            Stroke::MarkedDashed => "6 4",
            Stroke::Marked | Stroke::Alone => "",
        };
        if pattern.is_empty() {
            return String::new();
        }
        format!(" stroke-dasharray=\"{pattern}\"")
    }
}

/// A legend entry's sample: line, mark or both.
pub(crate) fn sample(style: usize, stroke: Stroke) -> String {
    let mut out = format!(
        "<svg class=\"sample c{}\" viewBox=\"0 0 40 14\" aria-hidden=\"true\">",
        style % COLOURS
    );
    if stroke != Stroke::Alone {
        let dashes = stroke.dashes(style);
        out.push_str(&format!("<polyline{dashes} points=\"1,7 39,7\"/>"));
    }
    if stroke.is_marked() {
        out.push_str(&mark(style, 20.0, 7.0, stroke == Stroke::MarkedDashed));
    }
    out + "</svg>"
}

/// Six shapes; with the colours they meet again after 24.
pub(super) fn mark(style: usize, x: f64, y: f64, hollow: bool) -> String {
    let class = if hollow { "mark hollow" } else { "mark" };
    let path = match style % 6 {
        0 => format!("M{:.1} {y:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x - 5.0),
        1 => format!("M{:.1} {:.1}h9v9h-9z", x - 4.5, y - 4.5),
        2 => format!("M{x:.1} {:.1}l5.5 9.5h-11z", y - 6.0),
        3 => format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6z", y - 6.0),
        4 => format!("M{x:.1} {:.1}l5.5 -9.5h-11z", y + 6.0),
        _ => {
            let (left, top) = (x - 2.0, y - 6.0);
            format!("M{left:.1} {top:.1}h4v4h4v4h-4v4h-4v-4h-4v-4h4z")
        }
    };
    format!("<path class=\"{class}\" d=\"{path}\"/>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_colour_differ_in_their_dashes() {
        let all: Vec<(usize, String)> = (0..COLOURS * DASHES.len())
            .map(|style| (style % COLOURS, Stroke::Plain.dashes(style)))
            .collect();
        for (n, style) in all.iter().enumerate() {
            assert!(!all[n + 1..].contains(style), "{n}: {style:?}");
        }
    }
}
