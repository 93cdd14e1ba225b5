//! Ports over time: a row a port, a column a bin, coloured by what the port waited for.

use super::files::Topology;
use super::ports::{Cell, IDLE, LEVELS, Port, Ports, STATES, Shown};
use crate::plot::{DIGITS, Scale};
use crate::text::{escape, shortest};
use std::fmt::Write as _;

/// Rows of a panel, at most, and cells of all.
const ROWS_MAX: usize = 128;
const CELLS_MAX: usize = 170_000;
/// Layers that get panels of their own, at most.
const LAYERS_MAX: u32 = 5;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 26.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 52.0;

/// A picture: the ports of one side, of one layer where there are several.
struct Panel<'a> {
    name: String,
    rows: Vec<Row<'a>>,
}

/// One or more ports that are beside each other.
struct Row<'a> {
    first: &'a Port,
    last: &'a Port,
    cells: Vec<Cell>,
}

impl Row<'_> {
    fn name(&self) -> String {
        match self.first == self.last {
            true => self.first.name.clone(),
            false => format!("{} to {}", self.first.name, self.last.name),
        }
    }

    fn waits(&self) -> u64 {
        let held_up = |cell: &Cell| cell.0[1..].iter().map(|&v| u64::from(v)).sum::<u64>();
        self.cells.iter().map(held_up).sum()
    }
}

fn panels<'a>(ports: &'a Ports, topology: Option<&Topology>) -> (Vec<Panel<'a>>, usize) {
    let layers = topology.filter(|t| t.layers.iter().all(|&l| l < LAYERS_MAX));
    let layer = |port: &Port| match port.side.as_str() {
        "injection" => 0,
        _ => layers.map_or(0, |t| t.layers.get(port.element as usize).copied().unwrap_or(0)),
    };
    let several = layers.is_some_and(|t| t.layers.iter().any(|&l| l > 0));
    let mut all: Vec<(&str, u32, Vec<&Port>)> = Vec::new();
    for side in ["ingress", "egress", "injection"] {
        for of in 0..LAYERS_MAX {
            let is_of = |port: &&Port| port.side == side && layer(port) == of;
            let found: Vec<&Port> = ports.cells.keys().filter(is_of).collect();
            if !found.is_empty() {
                all.push((side, of, found));
            }
        }
    }
    let rows_max = (CELLS_MAX / ports.columns.max(1) / all.len().max(1)).clamp(8, ROWS_MAX);
    let mut merged_most = 1;
    let panels = all.into_iter().map(|(side, of, found)| {
        let merged = found.len().div_ceil(rows_max);
        merged_most = merged_most.max(merged);
        let rows = found.chunks(merged).map(|chunk| {
            let mut cells = ports.cells[chunk[0]].clone();
            for port in &chunk[1..] {
                let others = ports.cells[*port].iter();
                cells.iter_mut().zip(others).for_each(|(a, b)| *a = a.worse(*b));
            }
            Row { first: chunk[0], last: chunk[chunk.len() - 1], cells }
        });
        let name = match side {
            "injection" => "Injection ports of end nodes".to_string(),
            side => {
                let side = if side == "ingress" { "Ingress ports" } else { "Egress ports" };
                match several {
                    true => format!("{side}, stage {of}"),
                    false => format!("{side} of switches"),
                }
            }
        };
        Panel { name, rows: rows.collect() }
    });
    (panels.collect(), merged_most)
}

pub(super) fn section(ports: &Ports, topology: Option<&Topology>) -> String {
    let (panels, merged) = panels(ports, topology);
    if panels.is_empty() {
        return String::new();
    }
    // those that are held up most are open
    let held = |panel: &Panel<'_>| {
        panel.rows.iter().map(Row::waits).sum::<u64>() / panel.rows.len().max(1) as u64
    };
    let most = panels.iter().map(held).max();
    let mut out = String::from(
        "<section>\n<h2>Ports over time</h2>\n<figure id=\"ports\" class=\"heat\">\n\
         <ul class=\"legend\">\n",
    );
    for (state, (_, name)) in STATES.iter().enumerate() {
        let _ = writeln!(out, "<li>{} {name}</li>", sample(state));
    }
    out.push_str("</ul>\n");
    let mut is_open = false;
    for (n, panel) in panels.iter().enumerate() {
        let opens = !is_open && Some(held(panel)) == most;
        is_open |= opens;
        let open = if opens { " open" } else { "" };
        let _ = write!(
            out,
            "<details{open}>\n<summary>{}</summary>\n{}<output class=\"told\" hidden></output>\n\
             <script type=\"application/json\">{}</script>\n</details>\n",
            escape(&panel.name),
            svg(ports, panel, n),
            data(ports, panel)
        );
    }
    out.push_str(&format!(
        "<figcaption>{}</figcaption>\n</figure>\n</section>\n",
        caption(ports, merged)
    ));
    out
}

/// A state in the legend, from its palest to its strongest.
fn sample(state: usize) -> String {
    let idle = format!("<rect class=\"{}\" width=\"40\" height=\"14\"/>", STATES[IDLE].0);
    let mut out =
        format!("<svg class=\"sample\" viewBox=\"0 0 40 14\" aria-hidden=\"true\">{idle}");
    let levels = if state == IDLE { 0 } else { LEVELS.len() };
    for level in 0..levels {
        let _ = write!(
            out,
            "<rect class=\"{} l{level}\" x=\"{}\" width=\"10\" height=\"14\"/>",
            STATES[state].0,
            10 * level
        );
    }
    out + "</svg>"
}

fn caption(ports: &Ports, merged: usize) -> String {
    let mut text = String::from(
        "Each row is a port, each column a stretch of time. Where the port waited in 10 % of its \
         looks or more, the colour is the largest cause: credit-stalled: the next memory had no \
         room; stalled by Xoff: every visible head was in a SAQ at Xoff; lost arbitration: its \
         output was taken by another. Else it is that of utilised, the crossbar input or the link \
         was busy, from 10 % on, or idle. The stronger, the larger the share of looks in which it \
         waited, for any cause, or was utilised: from 10, 25, 50 and 75 % on. ",
    );
    let column = shortest(ports.bin_ns * ports.bins_a_column as f64 / 1000.0);
    if ports.bins_a_column > 1 || merged > 1 {
        let _ = write!(
            text,
            "Thinned for the page: a column is {} of {column} \u{b5}s, a row at most {}; of \
             several, the one that was held up for the largest share of its looks is shown. \
             ports.csv has all. ",
            count(ports.bins_a_column, "bin", "bins"),
            count(merged, "port", "ports"),
        );
    } else {
        let _ = write!(text, "A column is a bin of {column} \u{b5}s. ");
    }
    text + "Point at a cell for its shares, or focus a picture and use the arrow keys."
}

fn count(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

fn svg(ports: &Ports, panel: &Panel<'_>, n: usize) -> String {
    let rows = panel.rows.len() as f64;
    let row = (400.0 / rows).clamp(3.0, 14.0);
    let column = (WIDTH - LEFT - RIGHT) / ports.columns as f64;
    let (bottom, height) = (TOP + rows * row, TOP + rows * row + BOTTOM);
    let (name, columns) = (escape(&panel.name), ports.columns);
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.1}\" role=\"img\" tabindex=\"0\" \
         aria-labelledby=\"ports-{n}-t ports-{n}-d\"><title id=\"ports-{n}-t\">{name} over time\
         </title><desc id=\"ports-{n}-d\">A row a port, {} in all; a column a stretch of time, \
         coloured by what the port waited for.</desc>\n\
         <rect class=\"hi\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>\n\
         <g class=\"cells\" data-columns=\"{columns}\" data-rows=\"{rows}\" \
         transform=\"translate({LEFT} {TOP}) scale({column:.4} {row:.4})\">\n",
        panel.rows.len(),
        WIDTH - LEFT - RIGHT,
        rows * row,
    );
    for (state, (class, _)) in STATES.iter().enumerate().filter(|(s, _)| *s != IDLE) {
        for level in 0..LEVELS.len() {
            let path = path(panel, Shown { state, level });
            if !path.is_empty() {
                let _ = writeln!(out, "<path class=\"{class} l{level}\" d=\"{path}\"/>");
            }
        }
    }
    out.push_str("<rect class=\"cursor\" width=\"1\" height=\"1\" visibility=\"hidden\"/>\n</g>\n");
    labels(&mut out, panel, row);
    let end = ports.start_ns(ports.columns) / 1000.0;
    let scale = Scale::exact(0.0, end, 8);
    for &tick in &scale.ticks {
        let x = LEFT + scale.place(tick) * (WIDTH - LEFT - RIGHT);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom:.1}\" y2=\"{:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 5.0,
            bottom + 19.0,
            scale.label(tick)
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"title\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">\
         Time, \u{b5}s</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 40.0
    );
    out
}

/// Cells that are shown so, those beside each other as one stroke.
fn path(panel: &Panel<'_>, shown: Shown) -> String {
    let mut path = String::new();
    for (y, row) in panel.rows.iter().enumerate() {
        let mut x = 0;
        for run in row.cells.chunk_by(|a, b| a.shown() == b.shown()) {
            if run[0].shown() == Some(shown) {
                let _ = write!(path, "M{x} {y}.5h{}", run.len());
            }
            x += run.len();
        }
    }
    path
}

/// Names of switches or end nodes at the left, as many as there is room for.
fn labels(out: &mut String, panel: &Panel<'_>, row: f64) {
    let mut free_from = 0.0;
    let mut before = None;
    for (n, of) in panel.rows.iter().enumerate() {
        let y = TOP + n as f64 * row;
        if before == Some(of.first.element) {
            continue;
        }
        before = Some(of.first.element);
        if n > 0 && of.first.side != "injection" {
            let _ = writeln!(
                out,
                "<line class=\"grid\" x1=\"{:.1}\" x2=\"{LEFT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
                LEFT - 8.0
            );
        }
        if y >= free_from {
            free_from = y + 22.0;
            let what = of.first.name.split('.').next().unwrap_or_default();
            let _ = writeln!(
                out,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 10.0,
                y + 11.0,
                escape(what)
            );
        }
    }
}

/// What the script shows: five digits a cell, the four shares as one number to the base 101.
fn data(ports: &Ports, panel: &Panel<'_>) -> String {
    let rows: Vec<serde_json::Value> = panel
        .rows
        .iter()
        .map(|row| {
            let mut text = String::with_capacity(row.cells.len() * 5);
            for cell in &row.cells {
                let mut value = cell.0.iter().fold(0u32, |all, &v| all * 101 + u32::from(v));
                for _ in 0..5 {
                    text.push(char::from(DIGITS.as_bytes()[(value % 90) as usize]));
                    value /= 90;
                }
            }
            serde_json::json!([row.name(), text])
        })
        .collect();
    let column_us = ports.bin_ns * ports.bins_a_column as f64 / 1000.0;
    // names are of this program, yet nothing may end the script
    serde_json::json!({ "us": column_us, "rows": rows }).to_string().replace('<', "\\u003c")
}
