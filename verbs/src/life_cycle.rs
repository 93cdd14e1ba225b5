//! `cargo xtask life-cycle`: the life cycle of a SAQ, from the transition tables of the model.

use crate::page::Made;
use crate::reproduce::{Page, head};
use recn::life_cycle::{LifeEvent, LifeState, Row, rows};
use setaside::Failure;
use std::collections::BTreeSet;

const PAGE: &str = "docs/units/saq-life-cycle.md";

fn versions() -> [(&'static str, Vec<Row>); 2] {
    let table = |tokens| rows(tokens).collect();
    [("saq-life-cycle-tokens", table(true)), ("saq-life-cycle-dd", table(false))]
}

type Placed = (LifeState, i32, i32);

/// States with their place in the picture: column, row. Rows are in Gray code of (blocked, parent),
/// so that Xoff, Xon and children lead to a neighbour, around the end once.
const STATES: [Placed; 9] = [
    (LifeState::Idle, -1, -1),
    (LifeState::Waiting, 0, 0),
    (LifeState::WaitingBlocked, 0, 1),
    (LifeState::WaitingBlockedParent, 0, 2),
    (LifeState::WaitingParent, 0, 3),
    (LifeState::Open, 1, 0),
    (LifeState::Blocked, 1, 1),
    (LifeState::BlockedParent, 1, 2),
    (LifeState::OpenParent, 1, 3),
];

fn states(table: &[Row]) -> impl Iterator<Item = Placed> {
    STATES.into_iter().filter(|s| table.iter().any(|row| row.0 == s.0))
}

fn matrix(table: &[Row]) -> String {
    let events: BTreeSet<LifeEvent> = table.iter().map(|row| row.1).collect();
    let names: Vec<String> = events.iter().map(ToString::to_string).collect();
    let mut text = head(["state"].into_iter().chain(names.iter().map(String::as_str)));
    for (state, ..) in states(table) {
        let next =
            |event: &LifeEvent| match table.iter().find(|row| row.0 == state && row.1 == *event) {
                None => "-".to_string(),
                Some(row) if row.2 == state => "=".to_string(),
                Some(row) => row.2.to_string(),
            };
        let cells: Vec<String> = events.iter().map(next).collect();
        text += &format!("| **{state}** | {} |\n", cells.join(" | "));
    }
    text
}

fn text() -> Result<String, Failure> {
    let mut page = Page::read("saq-life-cycle")?;
    for (name, table) in versions() {
        page.put(name, &matrix(&table));
    }
    page.finish()
}

const WIDTH: i32 = 1240;
const BOX: (i32, i32) = (190, 44);
const TOP: i32 = 150;
const STEP: i32 = 120;

fn centre(column: i32, row: i32) -> (i32, i32) {
    match column {
        -1 => (WIDTH / 2, 40),
        _ => (380 + 480 * column, TOP + STEP * row),
    }
}

/// A path from state to state with room for the way back, the place of its label, its anchor.
fn path(from: Placed, to: Placed) -> (String, (i32, i32), &'static str) {
    let ((fx, fy), (tx, ty)) = (centre(from.1, from.2), centre(to.1, to.2));
    let (half_x, half_y) = (BOX.0 / 2, BOX.1 / 2);
    if from.1 == -1 || to.1 == -1 {
        // Idle: allocation goes down, a free comes up beside it.
        let side = if fx.max(tx) > WIDTH / 2 { 1 } else { -1 };
        let shift = if to.1 == -1 { 34 } else { -34 };
        let (x1, y1) =
            if from.1 == -1 { (fx + side * 50, fy + half_y) } else { (fx + shift, fy - half_y) };
        let (x2, y2) =
            if to.1 == -1 { (tx + side * half_x, ty) } else { (tx + shift * side, ty - half_y) };
        let anchor = if to.1 == -1 || side < 0 { "middle" } else { "end" };
        let label = match (to.1, side) {
            (-1, _) => (x1 - 40, (y1 + y2) / 2 - 22),
            (_, -1) => ((x1 + x2) / 2 - 90, (y1 + y2) / 2 - 4),
            _ => ((x1 + x2) / 2 - 6, (y1 + y2) / 2 + 14),
        };
        return (format!("M{x1} {y1} L{x2} {y2}"), label, anchor);
    }
    if from.1 != to.1 {
        return (
            format!("M{} {fy} L{} {ty}", fx + half_x, tx - half_x),
            ((fx + tx) / 2, fy - 8),
            "middle",
        );
    }
    let outward = if from.1 == 0 { -1 } else { 1 };
    let down = ty > fy;
    if (from.2 - to.2).abs() == 1 {
        let x = fx + if down { -26 } else { 26 };
        let (y1, y2) = if down { (fy + half_y, ty - half_y) } else { (fy - half_y, ty + half_y) };
        let label = (x + if down { -6 } else { 6 }, (y1 + y2) / 2 + 4);
        return (format!("M{x} {y1} L{x} {y2}"), label, if down { "end" } else { "start" });
    }
    // Around the end: the way down inside, the way up outside of it.
    let (bulge, shift) = if down { (150, 8) } else { (230, -8) };
    let x = fx + outward * half_x;
    let far = x + outward * bulge;
    let (y1, y2) = if down { (fy + shift, ty - shift) } else { (fy - shift, ty + shift) };
    let label_x = x + outward * if down { 8 } else { bulge * 3 / 4 + 6 };
    let anchor = if outward < 0 { "end" } else { "start" };
    let path = format!("M{x} {y1} C{far} {y1} {far} {y2} {x} {y2}");
    // Beside a box, where the labels between the boxes do not reach.
    let label_y = if down { fy + STEP } else { (y1 + y2) / 2 } + 4;
    (path, (label_x, label_y), anchor)
}

fn svg(table: &[Row]) -> String {
    let rows = states(table).map(|s| s.2).max().unwrap_or(0);
    let height = TOP + STEP * rows + 50;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L10 5 L0 10 z\" fill=\"#333333\"/></marker></defs>\n"
    );
    let between = |from: LifeState, to: LifeState| {
        let rows = table.iter().filter(|row| row.0 == from && row.2 == to);
        rows.map(|row| row.1.to_string()).collect::<Vec<_>>().join(", ")
    };
    let all: Vec<_> = states(table).collect();
    for &from in &all {
        for &to in all.iter().filter(|s| s.0 != from.0) {
            let events = between(from.0, to.0);
            if events.is_empty() {
                continue;
            }
            let (path, (x, y), anchor) = path(from, to);
            text += &format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"#333333\" \
                 marker-end=\"url(#arrow)\"/>\n\
                 <text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{events}</text>\n"
            );
        }
    }
    for (state, column, row) in all {
        let (x, y) = centre(column, row);
        let (left, top) = (x - BOX.0 / 2, y - BOX.1 / 2);
        let fill = if column == 1 && (row == 0 || row == 3) { "#dff0d8" } else { "#eeeeee" };
        let ((width, height), name) = (BOX, y - 2);
        text += &format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"8\" \
             fill=\"{fill}\" stroke=\"#333333\"/>\n\
             <text x=\"{x}\" y=\"{name}\" text-anchor=\"middle\" \
             font-weight=\"bold\">{state}</text>\n"
        );
        let (stays, below) = (between(state, state), y + 14);
        if !stays.is_empty() {
            text += &format!(
                "<text x=\"{x}\" y=\"{below}\" text-anchor=\"middle\" \
                 font-size=\"11\">stays on {stays}</text>\n"
            );
        }
    }
    text.push_str("</svg>\n");
    text
}

pub(crate) fn pages() -> Result<Vec<Made>, Failure> {
    let pictures = versions().map(|(name, table)| (format!("docs/img/{name}.svg"), svg(&table)));
    Ok([(PAGE.to_string(), text()?)].into_iter().chain(pictures).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row is in the page: as many cells lead somewhere as there are rows.
    #[test]
    fn every_row_is_a_cell() {
        for (_, table) in versions() {
            let text = matrix(&table);
            let cells = text.lines().skip(2).flat_map(|line| line.split(" | ").skip(1));
            let leading = cells.filter(|c| c.trim_end_matches(" |") != "-").count();
            assert_eq!(leading, table.len());
        }
    }
}
