//! A congestion tree as a picture: the switches on the ways to one node, and the notifications.

use super::chart::{COLOURS, opened};
use inspect::{Branch, Tree};
use observe::Side;
use setaside::Recorded;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use units::Unit;

const COLUMN: f64 = 215.0;
const ROW: f64 = 74.0;
const BOX: (f64, f64) = (84.0, 54.0);
const MARGIN: f64 = 70.0;
const LEGEND_LINE: f64 = 20.0;

type At = (f64, f64);

/// One hop of a way: a switch, the port in, the port out.
type Hop = (u32, u8, u8);

pub(super) type Way = (u32, Vec<Hop>);

struct Layout {
    /// Centre of each box, by switch; end nodes are numbered behind the switches.
    at: BTreeMap<(bool, u32), At>,
    /// Sorted ports of each switch that the ways use: in, out.
    ports: BTreeMap<u32, (BTreeSet<u8>, BTreeSet<u8>)>,
    size: (f64, f64),
}

/// All ways to one destination make a tree; switches are placed by their distance from it.
fn layout(ways: &[Way], destination: u32) -> Layout {
    let longest = ways.iter().map(|w| w.1.len()).max().unwrap_or(0);
    let mut at: BTreeMap<(bool, u32), At> = BTreeMap::new();
    let mut ports: BTreeMap<u32, (BTreeSet<u8>, BTreeSet<u8>)> = BTreeMap::new();
    // Sources that meet early are placed together.
    let mut order: Vec<&Way> = ways.iter().collect();
    order.sort_by_key(|(source, hops)| {
        let from_end: Vec<u32> = hops.iter().rev().map(|h| h.0).collect();
        (from_end, *source)
    });
    let mut rows: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let x = |behind: usize| MARGIN + (longest - behind) as f64 * COLUMN;
    for (row, (source, hops)) in order.iter().enumerate() {
        let y = MARGIN + row as f64 * ROW;
        at.insert((false, *source), (x(hops.len()), y));
        for (k, &(switch, input, output)) in hops.iter().enumerate() {
            at.insert((true, switch), (x(hops.len() - 1 - k), 0.0));
            rows.entry(switch).or_default().push(y);
            let used = ports.entry(switch).or_default();
            used.0.insert(input);
            used.1.insert(output);
        }
    }
    for (switch, ys) in &rows {
        if let Some(place) = at.get_mut(&(true, *switch)) {
            place.1 = ys.iter().sum::<f64>() / ys.len() as f64;
        }
    }
    let last = order.iter().filter_map(|w| w.1.last()).next();
    let y = last.map_or(MARGIN, |h| at[&(true, h.0)].1);
    at.insert((false, destination), (x(0) + COLUMN * 0.75, y));
    let height = MARGIN + ways.len() as f64 * ROW;
    Layout { at, ports, size: (x(0) + COLUMN * 0.75 + MARGIN, height) }
}

impl Layout {
    /// Where a port is drawn: inputs left, outputs right, spread in the order of their numbers.
    fn port(&self, unit: Unit) -> Option<At> {
        let (switch, port, right) = match unit {
            Unit::Ingress { switch, port } => (switch, port, false),
            Unit::Egress { switch, port } => (switch, port, true),
            Unit::Injection { node } => {
                let (x, y) = *self.at.get(&(false, node))?;
                return Some((x + 16.0, y));
            }
            _ => return None,
        };
        let (x, y) = *self.at.get(&(true, switch))?;
        let used = self.ports.get(&switch)?;
        let side = if right { &used.1 } else { &used.0 };
        let number = side.iter().position(|&p| p == port)? as f64;
        let step = BOX.1 / side.len() as f64;
        let offset = (number + 0.5) * step - BOX.1 / 2.0;
        let x = if right { x + BOX.0 / 2.0 } else { x - BOX.0 / 2.0 };
        Some((x, y + offset))
    }
}

pub(super) fn side(side: Side) -> &'static str {
    if side == Side::Egress { "egress" } else { "ingress" }
}

fn first_joins(tree: &Tree) -> Vec<&Branch> {
    let mut seen = BTreeSet::new();
    let branches = tree.branches.iter();
    branches.filter(|b| seen.insert((b.unit, b.from))).collect()
}

/// The picture. `ways`: the hops of every source.
pub(super) fn picture(title: &str, ways: &[Way], destination: u32, recorded: &Recorded) -> String {
    let layout = layout(ways, destination);
    let trees = recorded.recording.trees.trees();
    let (width, height) = layout.size;
    let legend = height + 10.0;
    let total = legend + LEGEND_LINE * (trees.len() as f64 + 3.0);
    let mut svg = opened(title, (width, total), 12, (MARGIN, 26, 15));
    wires(&mut svg, ways, destination, &layout);
    for (number, tree) in trees.iter().enumerate() {
        notifications(&mut svg, number, tree, &layout, recorded);
    }
    legend_lines(&mut svg, trees, legend, recorded);
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, from: At, to: At, style: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    *svg +=
        &format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>\n");
}

fn circle(svg: &mut String, (x, y): At, style: &str) {
    *svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" {style}/>\n");
}

fn words(svg: &mut String, (x, y): At, style: &str, words: &str) {
    *svg += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{words}</text>\n");
}

/// Boxes, end nodes, links.
fn wires(svg: &mut String, ways: &[Way], destination: u32, layout: &Layout) {
    const WIRE: &str = "stroke=\"#bbbbbb\" stroke-width=\"1\"";
    const NAME: &str = "text-anchor=\"middle\" fill=\"#333333\"";
    let mut links = BTreeSet::new();
    for (source, hops) in ways {
        let mut from = Unit::Injection { node: *source };
        for &(switch, input, output) in hops {
            links.insert((from, Unit::Ingress { switch, port: input }));
            from = Unit::Egress { switch, port: output };
        }
        if let (Some(a), Some(&b)) = (layout.port(from), layout.at.get(&(false, destination))) {
            line(svg, a, (b.0 - 16.0, b.1), WIRE);
        }
    }
    for (from, to) in links {
        if let (Some(a), Some(b)) = (layout.port(from), layout.port(to)) {
            line(svg, a, b, WIRE);
        }
    }
    for (&(is_switch, number), &(x, y)) in &layout.at {
        if is_switch {
            let (left, top) = (x - BOX.0 / 2.0, y - BOX.1 / 2.0);
            *svg += &format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{}\" height=\"{}\" rx=\"6\" \
                 fill=\"#f6f6f6\" stroke=\"#777777\"/>\n",
                BOX.0, BOX.1
            );
            words(svg, (x, top - 4.0), NAME, &format!("s{number}"));
        } else {
            circle(svg, (x, y), "r=\"16\" fill=\"#ffffff\" stroke=\"#777777\"");
            words(svg, (x, y + 4.0), NAME, &format!("n{number}"));
        }
    }
}

/// Arrows of one tree beside those of others; a dot at the root, a ring where a port found it.
fn notifications(
    svg: &mut String,
    number: usize,
    tree: &Tree,
    layout: &Layout,
    recorded: &Recorded,
) {
    let colour = COLOURS[number % COLOURS.len()];
    let beside = (number as f64 % 4.0 - 1.5) * 4.0;
    let moved = |p: At| (p.0, p.1 + beside);
    let dash = if tree.end.is_some() { " stroke-dasharray=\"4 3\"" } else { "" };
    for branch in first_joins(tree) {
        let Some(to) = layout.port(branch.unit).map(moved) else {
            continue;
        };
        let Some(from) = branch.from.and_then(|from| layout.port(from)).map(moved) else {
            let ring = format!("r=\"4.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"");
            circle(svg, to, &ring);
            continue;
        };
        line(svg, from, to, &format!("stroke=\"{colour}\" stroke-width=\"2\"{dash}"));
        head(svg, from, to, colour);
        if matches!(branch.unit, Unit::Egress { .. } | Unit::Injection { .. }) {
            let us = recorded.time_base.tick_to_ns(branch.joined) / 1000.0;
            // On the side of the arrow where there is room.
            let y = to.1 + if from.1 < to.1 - 1.0 { 16.0 } else { -5.0 };
            let at = (to.0 + 8.0 + 26.0 * (number % 4) as f64, y);
            let style = format!("font-size=\"10\" fill=\"{colour}\"");
            words(svg, at, &style, &format!("{us:.1}"));
        }
    }
    if let Some(root) = layout.port(tree.root).map(moved) {
        circle(svg, root, &format!("r=\"5\" fill=\"{colour}\""));
    }
}

fn head(svg: &mut String, from: At, to: At, colour: &str) {
    let (dx, dy) = (from.0 - to.0, from.1 - to.1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let (ux, uy) = (dx / length * 8.0, dy / length * 8.0);
    let corners = [
        to,
        (to.0 + ux - uy * 0.5, to.1 + uy + ux * 0.5),
        (to.0 + ux + uy * 0.5, to.1 + uy - ux * 0.5),
    ];
    let corners = corners.map(|(x, y)| format!("{x:.1} {y:.1}")).join("L");
    *svg += &format!("<path d=\"M{corners}Z\" fill=\"{colour}\"/>\n");
}

fn legend_lines(svg: &mut String, trees: &[Tree], top: f64, recorded: &Recorded) {
    let us = |tick| recorded.time_base.tick_to_ns(tick) / 1000.0;
    let mut y = top + LEGEND_LINE;
    let mut text = |colour: &str, what: &str| {
        let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y:.1}\" fill=\"{colour}\">{what}</text>");
        y += LEGEND_LINE;
    };
    let about = "Packets go from left to right, notifications from right to left; numbers: when a \
                 port joined, us. Full dot: root. Ring: found at the ingress.";
    text("#333333", about);
    for (number, tree) in trees.iter().enumerate() {
        let side = side(tree.first_seen);
        let end = tree.end.map_or("there at the end".to_string(), |end| {
            format!("gone at {:.1} us (dashed)", us(end))
        });
        let inside = tree.inside.first().map_or(String::new(), |i| {
            format!("; from {:.1} us on a part of tree {}", us(i.from), i.tree + 1)
        });
        let what = format!(
            "tree {}: root {}, seen first at the {side} at {:.1} us, {end}{inside}",
            number + 1,
            tree.root,
            us(tree.born)
        );
        text(COLOURS[number % COLOURS.len()], &what);
    }
}
