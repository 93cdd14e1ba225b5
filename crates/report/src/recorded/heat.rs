//! Ports over time: a row a port, a column a bin, coloured by what the port waited for.

use super::files::Topology;
use super::ports::{Cell, IDLE, LEVELS, Port, Ports, STATES, Shown};
use crate::plot::{DIGITS, Scale};
use crate::text::{escape, joined, shortest};
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

/// A picture, the ports of one side, of one layer where there are several: name and rows.
type Panel<'a> = (String, Vec<Row<'a>>);

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
}

/// The panels, and how many ports a row merges at most.
fn panels<'a>(ports: &'a Ports, topology: Option<&Topology>) -> (Vec<Panel<'a>>, usize) {
    let layers = topology.map_or(&[][..], |t| &t.layers);
    let layers = if layers.iter().any(|&l| l >= LAYERS_MAX) { &[] } else { layers };
    let layer = |port: &Port| match port.side.as_str() {
        "injection" => 0,
        _ => layers.get(port.element as usize).copied().unwrap_or(0),
    };
    let mut all: Vec<(String, Vec<&Port>)> = Vec::new();
    for (side, what) in
        [("ingress", "Ingress ports"), ("egress", "Egress ports"), ("injection", "")]
    {
        for of in 0..LAYERS_MAX {
            let is_of = |port: &&Port| port.side == side && layer(port) == of;
            let found: Vec<&Port> = ports.cells.keys().filter(is_of).collect();
            let name = match what {
                "" => "Injection ports of end nodes".to_string(),
                _ if layers.iter().any(|&l| l > 0) => format!("{what}, stage {of}"),
                _ => format!("{what} of switches"),
            };
            all.extend((!found.is_empty()).then_some((name, found)));
        }
    }
    let rows_max = (CELLS_MAX / ports.columns.max(1) / all.len().max(1)).clamp(8, ROWS_MAX);
    let merged = |found: &[&Port]| found.len().div_ceil(rows_max);
    let merged_most = all.iter().map(|(_, found)| merged(found)).max().unwrap_or(1);
    let row = |chunk: &[&'a Port]| {
        let mut cells = ports.cells[chunk[0]].clone();
        for port in &chunk[1..] {
            let others = ports.cells[*port].iter();
            cells.iter_mut().zip(others).for_each(|(a, b)| *a = a.worse(*b));
        }
        Row { first: chunk[0], last: chunk[chunk.len() - 1], cells }
    };
    let panels = all.into_iter().map(|(name, found)| {
        let rows = found.chunks(merged(&found)).map(row);
        (name, rows.collect())
    });
    (panels.collect(), merged_most)
}

pub(super) fn section(ports: &Ports, topology: Option<&Topology>) -> String {
    let (panels, merged) = panels(ports, topology);
    if panels.is_empty() {
        return String::new();
    }
    // those that are held up most are open
    let held = |(_, rows): &Panel<'_>| {
        let cells = rows.iter().flat_map(|row| &row.cells);
        cells.map(|cell| u64::from(cell.waits())).sum::<u64>() / rows.len().max(1) as u64
    };
    let most = panels.iter().map(held).max();
    let open_one = panels.iter().position(|panel| Some(held(panel)) == most);
    let mut out = String::from(
        "<section>\n<h2>Ports over time</h2>\n<figure id=\"ports\" class=\"heat\">\n\
         <ul class=\"legend\">\n",
    );
    for (state, (_, name)) in STATES.iter().enumerate() {
        let _ = writeln!(out, "<li>{} {name}</li>", sample(state));
    }
    out.push_str("</ul>\n");
    for (n, (name, rows)) in panels.iter().enumerate() {
        let open = if open_one == Some(n) { " open" } else { "" };
        let name = escape(name);
        let _ = write!(
            out,
            "<details{open}>\n<summary>{name}</summary>\n{}\
             <output class=\"told\" hidden></output>\n\
             <script type=\"application/json\">{}</script>\n</details>\n",
            svg(ports, &name, rows, n),
            data(ports, rows)
        );
    }
    let caption = caption(ports, merged);
    let _ = write!(out, "<figcaption>{caption}</figcaption>\n</figure>\n</section>\n");
    out
}

/// A state in the legend, from its palest to its strongest.
fn sample(state: usize) -> String {
    let (idle, class) = (STATES[IDLE].0, STATES[state].0);
    let levels = (0..if state == IDLE { 0 } else { LEVELS.len() }).map(|level| {
        let x = 10 * level;
        format!(r#"<rect class="{class} l{level}" x="{x}" width="10" height="14"/>"#)
    });
    format!(
        "<svg class=\"sample\" viewBox=\"0 0 40 14\" aria-hidden=\"true\">\
         <rect class=\"{idle}\" width=\"40\" height=\"14\"/>{}</svg>",
        joined(levels, "")
    )
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

pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn svg(ports: &Ports, name: &str, rows: &[Row<'_>], n: usize) -> String {
    let row = (400.0 / rows.len() as f64).clamp(3.0, 14.0);
    let (wide, high) = (WIDTH - LEFT - RIGHT, rows.len() as f64 * row);
    let (column, bottom) = (wide / ports.columns as f64, TOP + high);
    let (height, columns, count) = (bottom + BOTTOM, ports.columns, rows.len());
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.1}\" role=\"img\" tabindex=\"0\" \
         aria-labelledby=\"ports-{n}-t ports-{n}-d\"><title id=\"ports-{n}-t\">{name} over time\
         </title><desc id=\"ports-{n}-d\">A row a port, {count} in all; a column a stretch of \
         time, coloured by what the port waited for.</desc>\n\
         <rect class=\"hi\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{wide:.1}\" height=\"{high:.1}\"/>\n\
         <g class=\"cells\" data-columns=\"{columns}\" data-rows=\"{count}\" \
         transform=\"translate({LEFT} {TOP}) scale({column:.4} {row:.4})\">\n"
    );
    for (state, (class, _)) in STATES.iter().enumerate().filter(|(s, _)| *s != IDLE) {
        for level in 0..LEVELS.len() {
            let path = path(rows, Shown { state, level });
            if !path.is_empty() {
                let _ = writeln!(out, r#"<path class="{class} l{level}" d="{path}"/>"#);
            }
        }
    }
    out.push_str("<rect class=\"cursor\" width=\"1\" height=\"1\" visibility=\"hidden\"/>\n</g>\n");
    labels(&mut out, rows, row);
    let scale = Scale::exact(0.0, ports.start_ns(ports.columns) / 1000.0, 8);
    for &tick in &scale.ticks {
        let (x, text) = (LEFT + scale.place(tick) * wide, scale.label(tick));
        let (end, y) = (bottom + 5.0, bottom + 19.0);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom:.1}\" y2=\"{end:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>"
        );
    }
    let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, bottom + 40.0);
    let _ = writeln!(
        out,
        "<text class=\"title\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">\
         Time, \u{b5}s</text>\n</svg>"
    );
    out
}

/// Cells that are shown so, those beside each other as one stroke.
fn path(rows: &[Row<'_>], shown: Shown) -> String {
    let mut path = String::new();
    for (y, row) in rows.iter().enumerate() {
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
fn labels(out: &mut String, rows: &[Row<'_>], row: f64) {
    let mut free_from = 0.0;
    let is_same = |a: &Row<'_>, b: &Row<'_>| a.first.element == b.first.element;
    let mut n = 0;
    for of in rows.chunk_by(is_same) {
        let (first, y) = (of[0].first, TOP + n as f64 * row);
        if n > 0 && first.side != "injection" {
            let x = LEFT - 8.0;
            let _ = writeln!(
                out,
                r#"<line class="grid" x1="{x:.1}" x2="{LEFT}" y1="{y:.1}" y2="{y:.1}"/>"#
            );
        }
        n += of.len();
        if y >= free_from {
            free_from = y + 22.0;
            let name = escape(first.name.split('.').next().unwrap_or_default());
            let (x, y) = (LEFT - 10.0, y + 11.0);
            let _ = writeln!(
                out,
                r#"<text class="tick" x="{x:.1}" y="{y:.1}" text-anchor="end">{name}</text>"#
            );
        }
    }
}

/// What the script shows: five digits a cell, the four shares as one number to the base 101.
fn data(ports: &Ports, rows: &[Row<'_>]) -> String {
    let cell = |cell: &Cell| {
        let value = cell.0.iter().fold(0u32, |all, &v| all * 101 + u32::from(v));
        [1, 90, 8_100, 729_000, 65_610_000].map(|of| DIGITS.as_bytes()[(value / of % 90) as usize])
    };
    let row = |row: &Row<'_>| {
        let digits = row.cells.iter().flat_map(cell).map(char::from);
        (row.name(), digits.collect::<String>())
    };
    let rows: Vec<(String, String)> = rows.iter().map(row).collect();
    let column_us = ports.bin_ns * ports.bins_a_column as f64 / 1000.0;
    // names are of this program, yet nothing may end the script
    serde_json::json!({ "us": column_us, "rows": rows }).to_string().replace('<', "\\u003c")
}
