//! SAQs in use over time.

use super::time::{Part, middles, over_time, sweep_lines};
use super::{Figure, replicas_note};
use crate::plot::{Dot, Line, Stroke};
use crate::store::Store;
use std::collections::BTreeSet;

/// At all ports together, or at the fullest port; `None` where none is ever used.
pub(super) fn saqs(store: &Store, per_port: bool) -> Option<Figure> {
    let (columns, id, heading, title, what) = match per_port {
        false => (
            ["saqs_ingress", "saqs_egress"],
            "saqs",
            "SAQs in use over time",
            "SAQs",
            "SAQs in use at all ports together, maximum in the bin.",
        ),
        true => (
            ["saqs_ingress_max_port", "saqs_egress_max_port"],
            "saqs-port",
            "SAQs in use at the fullest port over time",
            "SAQs at one port",
            "The most SAQs in use at any one port, maximum in the bin.",
        ),
    };
    let mut all = columns.map(|column| lines(store, column));
    let used: BTreeSet<usize> = all
        .iter()
        .flatten()
        .filter(|line| line.dots.iter().any(|dot| dot.y > 0.0))
        .map(|line| line.style)
        .collect();
    if used.is_empty() {
        return None;
    }
    let unused = all[0].iter().filter(|line| !used.contains(&line.style));
    let unused: Vec<String> = unused.map(Line::name).collect();
    let mut caption = format!("{what} {}", replicas_note(store));
    if !unused.is_empty() && store.is_sweep {
        let unused = unused.join("; ");
        caption.push_str(&format!(" Without a line, as they use none: {unused}."));
    }
    all.iter_mut()
        .for_each(|lines| lines.retain(|line| used.contains(&line.style)));
    let [ingress, egress] = all;
    let part = |heading, lines| Part {
        heading: Some(heading),
        title,
        unit: "",
        lines,
    };
    over_time(
        store,
        (id, heading),
        vec![part("Ingress", ingress), part("Egress", egress)],
        caption,
        &columns,
    )
}

fn lines(store: &Store, column: &str) -> Vec<Line> {
    if store.is_sweep {
        return sweep_lines(store, column);
    }
    let of_run = middles(&store.runs[0], column).into_iter();
    vec![Line {
        style: 0,
        stroke: Stroke::Plain,
        names: vec!["SAQs".into()],
        keys: String::new(),
        dots: of_run.map(|(t, v)| Dot::at(t, v)).collect(),
    }]
}
