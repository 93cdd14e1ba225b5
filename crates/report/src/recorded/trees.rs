//! Congestion trees on the topology: drawn for the moment with the most SAQs, moved by a slider.

use super::files::Topology;
use super::frames::{Frames, is_in};
use super::heat::count;
use super::scene::Scene;
use crate::text::{escape, shortest};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Roots with a colour of their own where none is at a hot destination.
const COLOURED: usize = 6;
/// Colours; of more roots at hot destinations they come again.
const COLOURS: usize = 8;
/// SAQs of a port that are distinguished by width.
const WIDEST: usize = 3;

/// How many roots are coloured: those at hot destinations, the real ones.
fn coloured(frames: &Frames) -> usize {
    match frames.roots.iter().filter(|root| root.hot.is_some()).count() {
        0 => COLOURED.min(frames.roots.len()),
        hot => hot,
    }
}

fn colour(frames: &Frames, root: usize) -> String {
    match root < coloured(frames) {
        true => format!("c{}", root % COLOURS),
        false => "rest".into(),
    }
}

/// What is drawn of a port at a moment.
struct State {
    root: usize,
    saqs: usize,
    is_xoff: bool,
}

fn states(frames: &Frames, frame: usize) -> BTreeMap<usize, State> {
    let mut states: BTreeMap<usize, State> = BTreeMap::new();
    for held in frames.at(frame) {
        let first = State { root: held.root, saqs: 0, is_xoff: false };
        let state = states.entry(held.port).or_insert(first);
        state.root = state.root.min(held.root);
        state.saqs += 1;
        state.is_xoff |= is_in(&held.xoffs, frame);
    }
    states
}

/// The section; `None` where there were no trees.
pub(super) fn section(frames: &Frames, topology: &Topology) -> Option<String> {
    if frames.held.is_empty() {
        return None;
    }
    let (last, peak) = (frames.times.len() - 1, frames.peak);
    Some(format!(
        "<section>\n<h2>Congestion trees</h2>\n<figure id=\"trees\" class=\"scene\">\n\
         <div class=\"slider\" hidden><button type=\"button\">Play</button>\
         <input type=\"range\" min=\"0\" max=\"{last}\" value=\"{peak}\" \
         aria-label=\"Time\"/></div>\n\
         <p class=\"now\"><output id=\"trees-now\">{}</output></p>\n{}{}\
         <output class=\"told\" hidden></output>\n<figcaption>{}</figcaption>\n\
         <script type=\"application/json\">{}</script>\n</figure>\n</section>\n",
        now(frames, peak),
        svg(frames, topology),
        legend(frames),
        caption(frames, topology),
        data(frames)
    ))
}

/// The moment in words; the script has the same.
fn now(frames: &Frames, frame: usize) -> String {
    let states = states(frames, frame);
    let saqs: usize = states.values().map(|s| s.saqs).sum();
    let xoffs = states.values().filter(|s| s.is_xoff).count();
    let alive = frames.roots.iter().filter(|root| is_in(&root.alive, frame));
    format!(
        "At {} \u{b5}s: roots {}, ports with SAQs {}, SAQs {saqs}, ports at Xoff {xoffs}",
        microseconds(frames.times[frame]),
        alive.count(),
        states.len()
    )
}

/// To the nanosecond: moments may be that close.
fn microseconds(ns: f64) -> String {
    shortest(ns.round() / 1000.0)
}

fn svg(frames: &Frames, topology: &Topology) -> String {
    let scene = Scene::new(topology);
    let mut out = format!(
        "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" tabindex=\"0\" aria-labelledby=\"trees-0-t \
         trees-0-d\"><title id=\"trees-0-t\">Congestion trees on the topology</title>\
         <desc id=\"trees-0-d\">Switches and end nodes with their links; ports that hold SAQs are \
         coloured by the root of their tree.</desc>\n{}",
        scene.width,
        scene.height,
        scene.wires()
    );
    let now = states(frames, frames.peak);
    let r = (0.3 * scene.unit).clamp(1.6, 4.0);
    for (n, name) in frames.ports.iter().enumerate() {
        let Some(lane) = scene.lanes.get(name) else {
            continue;
        };
        let class = now.get(&n).map_or(String::new(), |s| {
            let x = if s.is_xoff { " x" } else { "" };
            format!(" on {} n{}{x}", colour(frames, s.root), s.saqs.min(WIDEST))
        });
        let ((x1, y1), (x2, y2), (x, y)) = (lane.from, lane.to, lane.dot);
        let (left, top, size) = (x - 1.2 * r, y - 1.2 * r, 2.4 * r);
        let _ = writeln!(
            out,
            "<g class=\"port{class}\" data-p=\"{n}\"><path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>\
             <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size:.1}\" height=\"{size:.1}\"/></g>"
        );
    }
    out.push_str(&scene.elements());
    let size = 2.6 * r;
    for (n, root) in frames.roots.iter().enumerate() {
        if let Some(lane) = scene.lanes.get(&root.name) {
            let on = if is_in(&root.alive, frames.peak) { " on" } else { "" };
            let (class, (x, y)) = (colour(frames, n), (lane.dot.0, lane.dot.1 - size));
            let _ = writeln!(
                out,
                "<path class=\"root{on} {class}\" data-r=\"{n}\" d=\"M{x:.1} {y:.1}l{size:.1} \
                 {size:.1}l-{size:.1} {size:.1}l-{size:.1} -{size:.1}z\"/>"
            );
        }
    }
    out + "</svg>\n"
}

fn legend(frames: &Frames) -> String {
    let sample = |class: &str, mark: &str, text: &str| {
        format!(
            "<li><svg class=\"sample {class}\" viewBox=\"0 0 40 14\" \
             aria-hidden=\"true\">{mark}</svg> {text}</li>\n"
        )
    };
    let port = |more: &str| {
        format!(
            "<g class=\"port on n1{more}\"><path d=\"M1 7H39\"/>\
             <circle cx=\"20\" cy=\"7\" r=\"3.5\"/>\
             <rect x=\"16\" y=\"3\" width=\"8\" height=\"8\"/></g>"
        )
    };
    let mut out = String::from("<ul class=\"legend\">\n");
    let diamond = "<path class=\"root on\" d=\"M20 1l6 6l-6 6l-6 -6z\"/>";
    for (mark, text) in [
        (diamond, "root: the congested output"),
        (&port(""), "branch: a port that holds a SAQ; thicker with 2, with 3 or more"),
        (&port(" x"), "at Xoff: a SAQ there has told the ports before it to stop"),
    ] {
        out.push_str(&sample("rest", mark, text));
    }
    out.push_str("</ul>\n<ul class=\"legend roots\">\n");
    let coloured = coloured(frames);
    for (n, root) in frames.roots.iter().take(coloured).enumerate() {
        let trees = match root.trees {
            1 => String::new(),
            trees => format!(", {trees} trees"),
        };
        let hot = root.hot.map_or(String::new(), |node| format!(", to hot node {node}"));
        let saqs = count(root.saqs_peak as usize, "SAQ", "SAQs");
        let (name, at) = (escape(&root.name), microseconds(root.peak_ns));
        let text = format!("root {name}{hot}: at most {saqs}, at {at} \u{b5}s{trees}");
        out.push_str(&sample(&colour(frames, n), &port(""), &text));
    }
    if frames.roots.len() > coloured {
        let text = count(frames.roots.len() - coloured, "other root", "other roots");
        out.push_str(&sample("rest", &port(""), &text));
    }
    out + "</ul>\n"
}

fn caption(frames: &Frames, topology: &Topology) -> String {
    let mut text = format!(
        "{}, {} switches and {} end nodes. A link has a lane in each direction, on the right-hand \
         side of the way that data go; its first half is the port that sends, its second half the \
         one that receives. Each picture is a moment: where SAQs come, go or send Xoff or Xon, \
         closest together where that happens most, a few edges of bins, and the peak of the \
         largest tree; without the slider, that with the most SAQs. A port with SAQs of several \
         trees has the colour of the root that is named first. ",
        escape(&topology.topology),
        topology.switches.len(),
        topology.nodes.len()
    );
    let Frames { trees, between, dropped, .. } = frames;
    text += &count(*trees, "tree was recorded", "trees were recorded");
    if *between > 0 {
        text += &format!("; {between} lived between two moments alone");
    }
    if *dropped > 0 {
        let thinned = "thinned for the page";
        text += &format!("; {thinned}: {dropped} smaller ones are left out, trees.json has all");
    }
    text + ". Point at a port for what it holds, or focus the picture and use the arrow keys."
}

/// What the script draws from.
fn data(frames: &Frames) -> String {
    let held = frames.held.iter().map(|h| {
        let mut all = vec![json!(h.port), json!(h.root), json!(h.at.0), json!(h.at.1)];
        all.extend((!h.xoffs.is_empty()).then(|| json!(h.xoffs)));
        all
    });
    json!({
        "times": frames.times.iter().map(|t| microseconds(*t)).collect::<Vec<_>>(),
        "ports": frames.ports,
        "roots": frames.roots.iter().map(|r| (&r.name, &r.alive)).collect::<Vec<_>>(),
        "held": held.collect::<Vec<_>>(),
        "coloured": coloured(frames),
        "colours": COLOURS,
        "widest": WIDEST,
    })
    .to_string()
    .replace('<', "\\u003c")
}
