//! SAQs in use over time.

use super::time::{Part, middles, over_time, sweep_lines};
use super::{Figure, replicas_note};
use crate::plot::{Dot, Line};
use crate::store::Store;
use crate::values::listed;

/// More points without a line than these are counted.
const NAMES_MAX: usize = 8;

/// Column, heading, title of the axis.
const PARTS: [(&str, &str, &str); 4] = [
    ("saqs_ingress_max_port", "Fullest port, ingress", "SAQs at the fullest ingress port"),
    ("saqs_egress_max_port", "Fullest port, egress", "SAQs at the fullest egress port"),
    ("saqs_ingress", "All ports, ingress", "SAQs of all ingress ports"),
    ("saqs_egress", "All ports, egress", "SAQs of all egress ports"),
];

/// At the fullest port and at all together; `None` where none is ever used.
pub(super) fn saqs(store: &Store) -> Option<Figure> {
    let mut parts: Vec<(Vec<Line>, usize)> = PARTS.iter().map(|p| lines(store, p.0)).collect();
    let all = || parts.iter().flat_map(|part| &part.0);
    let is_used = |line: &&Line| line.dots.iter().any(|dot| dot.y > 0.0);
    let used: Vec<String> = all().filter(is_used).map(|line| line.name.clone()).collect();
    if used.is_empty() {
        return None;
    }
    let is_unused = |line: &&Line| !used.contains(&line.name);
    let unused: Vec<&str> = parts[0].0.iter().filter(is_unused).map(|l| l.name.as_str()).collect();
    let mut caption = format!("SAQs in use, the most in each bin.{}", replicas_note(store));
    if !unused.is_empty() && store.is_sweep {
        let unused = listed(&unused, NAMES_MAX, "; ");
        caption.push_str(&format!(" Without a line, as they use none: {unused}."));
    }
    for (lines, _) in &mut parts {
        lines.retain(|line| used.contains(&line.name));
    }
    let part = |(lines, &(_, heading, title)): ((Vec<Line>, usize), &_)| Part {
        heading: Some(heading),
        title,
        unit: "",
        lines,
    };
    let parts = parts.into_iter().zip(&PARTS).map(part).collect();
    over_time(store, ("saqs", "SAQs in use over time"), parts, caption)
}

fn lines(store: &Store, column: &str) -> (Vec<Line>, usize) {
    if store.is_sweep {
        return sweep_lines(store, column, true);
    }
    let dots = middles(&store.runs[0], column).into_iter();
    let dots = dots.map(|(t, v)| Dot::at(t, v)).collect();
    (vec![Line::plain(0, "SAQs", dots)], 1)
}
