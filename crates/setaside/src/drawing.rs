//! A hierarchical network as a picture: super nodes are circles of nodes on a ring, local links
//! thin and grey, global links coloured.
//!
//! The bytes depend on the network alone: coordinates are printed to a tenth.

use std::f64::consts::TAU;
use std::fmt::Write as _;
use topology::Plan;

/// Between the centres of nodes that are next to each other on their circle.
const NODE_GAP: f64 = 15.0;
const NODE_RADIUS: f64 = 5.0;
/// Between the circles of super nodes.
const GAP: f64 = 34.0;
const MARGIN: f64 = 20.0;
const WIDTH_MIN: f64 = 520.0;
const TITLE: f64 = 46.0;
/// How far global links bend towards the centre: 0 not at all, 1 up to it.
const BEND: f64 = 0.35;

struct Layout<'a> {
    plan: &'a Plan,
    /// Radius of the circle of a super node, and of the ring of their centres.
    circle: f64,
    ring: f64,
    centre: (f64, f64),
    /// The node, or the middle between two, that faces the centre.
    inner: f64,
}

impl<'a> Layout<'a> {
    fn new(plan: &'a Plan) -> Self {
        let (nodes, super_nodes) = (f64::from(plan.local.nodes), plan.super_nodes);
        let circle = (nodes * NODE_GAP / TAU).max(NODE_GAP);
        let ring = match super_nodes {
            1 => 0.0,
            _ => (circle + GAP / 2.0) / (TAU / 2.0 / f64::from(super_nodes)).sin(),
        };
        let half = ring + circle + MARGIN;
        // Nodes with global links face the centre.
        let ports = plan.local.global_ports;
        let is_joined = |&node: &u32| (0..ports).any(|port| plan.far_end(node, port).is_some());
        let last = (0..plan.local.nodes).rfind(is_joined).unwrap_or(0);
        Layout {
            plan,
            circle,
            ring,
            centre: (half.max(WIDTH_MIN / 2.0), half + TITLE),
            inner: f64::from(last) / 2.0,
        }
    }

    fn super_node(&self, s: u32) -> (f64, f64) {
        at(self.centre, self.ring, self.turn(s))
    }

    /// Where a super node is on the ring, in turns.
    fn turn(&self, s: u32) -> f64 {
        f64::from(s) / f64::from(self.plan.super_nodes)
    }

    fn node(&self, switch: u32) -> (f64, f64) {
        let (s, node) = self.plan.place(switch);
        let from_inner = (f64::from(node) - self.inner) / f64::from(self.plan.local.nodes);
        let turn = self.turn(s) + 0.5 + from_inner;
        at(self.super_node(s), self.circle, turn)
    }
}

/// A point so far from another one, at a part of a turn from the top, clockwise.
pub(crate) fn at((x, y): (f64, f64), distance: f64, turn: f64) -> (f64, f64) {
    let (sin, cos) = (turn * TAU).sin_cos();
    (x + distance * sin, y - distance * cos)
}

/// The picture, one SVG element a line.
pub(crate) fn svg(name: &str, plan: &Plan) -> String {
    let layout = Layout::new(plan);
    let (width, height) = (2.0 * layout.centre.0, 2.0 * layout.centre.1 - TITLE);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\">"
    );
    let _ = writeln!(
        svg,
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{MARGIN}\" y=\"22\" font-size=\"15\">{name}: {} super nodes of {}, {}</text>\n\
         <text x=\"{MARGIN}\" y=\"39\" font-size=\"11\" fill=\"#666\">local links grey; global \
         links in the colour of the super node with the lower number</text>",
        plan.super_nodes, plan.local.nodes, plan.wiring
    );
    local_links(&mut svg, &layout);
    global_links(&mut svg, &layout);
    nodes(&mut svg, &layout);
    svg.push_str("</svg>\n");
    svg
}

fn local_links(svg: &mut String, layout: &Layout<'_>) {
    let plan = layout.plan;
    svg.push_str("<g stroke=\"#bbb\" stroke-width=\"0.6\">\n");
    for switch in 0..plan.switches() {
        let (_, node) = plan.place(switch);
        let (x1, y1) = layout.node(switch);
        for &other in plan.local.neighbours(node) {
            if other > node {
                let (x2, y2) = layout.node(switch - node + other);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
                );
            }
        }
    }
    svg.push_str("</g>\n");
}

fn global_links(svg: &mut String, layout: &Layout<'_>) {
    let plan = layout.plan;
    // Many links are drawn finer.
    let stroke = if plan.global_links > 200 { 0.6 } else { 1.3 };
    let _ = writeln!(svg, "<g fill=\"none\" stroke-width=\"{stroke}\" stroke-opacity=\"0.8\">");
    let ports = plan.local.global_ports;
    for (switch, port) in (0..plan.switches()).flat_map(|s| (0..ports).map(move |p| (s, p))) {
        let Some((far, _)) = plan.far_end(switch, port).filter(|(far, _)| *far > switch) else {
            continue;
        };
        let ((x1, y1), (x2, y2)) = (layout.node(switch), layout.node(far));
        let bent = |a: f64, b: f64, centre: f64| (1.0 - BEND) * (a + b) / 2.0 + BEND * centre;
        let (x, y) = (bent(x1, x2, layout.centre.0), bent(y1, y2, layout.centre.1));
        let hue = plan.place(switch).0 * 360 / plan.super_nodes;
        let _ = writeln!(
            svg,
            "<path stroke=\"hsl({hue},70%,45%)\" \
             d=\"M{x1:.1} {y1:.1}Q{x:.1} {y:.1} {x2:.1} {y2:.1}\"/>"
        );
    }
    svg.push_str("</g>\n");
}

fn nodes(svg: &mut String, layout: &Layout<'_>) {
    let plan = layout.plan;
    svg.push_str("<g font-size=\"6\" text-anchor=\"middle\">\n");
    for switch in 0..plan.switches() {
        let (s, node) = plan.place(switch);
        let (x, y) = layout.node(switch);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{NODE_RADIUS}\" fill=\"#fff\" stroke=\"#333\" \
             stroke-width=\"0.8\"><title>s{switch}, n{switch}: node {node} of super node {s}\
             </title></circle><text x=\"{x:.1}\" y=\"{:.1}\">{node}</text>",
            y + 2.1
        );
    }
    svg.push_str("</g>\n<g font-size=\"15\" font-weight=\"bold\" text-anchor=\"middle\">\n");
    for s in 0..plan.super_nodes {
        let (x, y) = layout.super_node(s);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" stroke=\"#fff\" stroke-width=\"3\" \
             paint-order=\"stroke\">{s}</text>",
            y + 5.0
        );
    }
    svg.push_str("</g>\n");
}

#[cfg(test)]
mod tests {
    use super::svg;
    use topology::{BuildOptions, GlobalWiring, Network, TopologyConfig};

    fn drawn(super_nodes: u32) -> String {
        let wiring = GlobalWiring::PalmTreeSpread(1);
        let config = TopologyConfig::of_super_nodes("rsi-butterfly", super_nodes, wiring);
        let options = BuildOptions { vcs: 16, ..BuildOptions::default() };
        let network = Network::build(&config.expect("a name"), &options).expect("a legal network");
        let hierarchy = network.hierarchy().expect("a hierarchical network");
        svg(network.name(), hierarchy.plan())
    }

    // A circle a node, a line a local link, a curve a global link.
    #[test]
    fn every_node_and_link_is_drawn_once() {
        for super_nodes in [1, 2, 8, 33] {
            let picture = drawn(super_nodes);
            assert_eq!(picture, drawn(super_nodes));
            let count = |what: &str| picture.matches(what).count() as u32;
            let global = super_nodes * (super_nodes - 1) / 2;
            let found = (count("<circle"), count("<line"), count("<path"));
            assert_eq!(found, (16 * super_nodes, 48 * super_nodes, global));
        }
    }

    // Coordinates are inside the view box.
    #[test]
    fn nothing_is_drawn_outside() {
        let picture = drawn(8);
        let box_of = picture.split("viewBox=\"0 0 ").nth(1).expect("a view box");
        let width: f64 = box_of.split(' ').next().and_then(|w| w.parse().ok()).expect("a width");
        for part in picture.split("cx=\"").skip(1) {
            let x: f64 = part.split('"').next().and_then(|x| x.parse().ok()).expect("a number");
            assert!(x > 5.0 && x < width - 5.0, "{x}");
        }
    }
}
