//! Where switches, end nodes and links are drawn, and where on a link a port is.

use super::files::{End, Topology};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 16.0;
/// A small network is not blown up: there is room beside it.
const WIDTH_MIN: f64 = 480.0;

type At = (f64, f64);

/// A port on its link, the nearer half, on the right-hand side of the way that data go; its mark.
pub(super) struct Lane {
    pub(super) from: At,
    pub(super) to: At,
    pub(super) dot: At,
}

pub(super) struct Scene<'a> {
    topology: &'a Topology,
    is_layered: bool,
    /// Pixels of a unit of the file.
    pub(super) unit: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    least: At,
    /// By switch: half its width and height, pixels.
    boxes: Vec<At>,
    /// By switch and port, in layers: where on the box its link ends.
    anchors: BTreeMap<(u32, u32), At>,
    /// By name of the port.
    pub(super) lanes: BTreeMap<String, Lane>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(topology: &'a Topology) -> Scene<'a> {
        let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        for &[x, y] in topology.switches.iter().chain(&topology.nodes) {
            least = (least.0.min(x), least.1.min(y));
            most = (most.0.max(x), most.1.max(y));
        }
        let (wide, high) = ((most.0 - least.0).max(1.0), (most.1 - least.1).max(1.0));
        // a column of few elements is not blown up
        let unit = ((WIDTH - 2.0 * MARGIN) / wide).min(1000.0 / high).min(40.0);
        let room = ((WIDTH_MIN - wide * unit) / 2.0 - MARGIN).max(0.0);
        let mut scene = Scene {
            topology,
            is_layered: topology.layout == "layers",
            unit,
            width: (wide * unit + 2.0 * MARGIN).max(WIDTH_MIN),
            height: high * unit + 2.0 * MARGIN,
            least: (least.0 - room / unit, least.1),
            boxes: Vec::new(),
            anchors: BTreeMap::new(),
            lanes: BTreeMap::new(),
        };
        scene.boxes = scene.boxes();
        if scene.is_layered {
            scene.spread_ports();
        }
        for &[a, b] in &topology.links {
            scene.add_lanes(a, b);
            scene.add_lanes(b, a);
        }
        scene
    }

    fn place(&self, [x, y]: [f64; 2]) -> At {
        (MARGIN + (x - self.least.0) * self.unit, MARGIN + (y - self.least.1) * self.unit)
    }

    fn boxes(&self) -> Vec<At> {
        let high = self.height - 2.0 * MARGIN;
        let of_layer = |layer: u32| self.topology.layers.iter().filter(|&&l| l == layer).count();
        let r = (0.7 * self.unit).clamp(2.0, 9.0);
        let half = |&layer: &u32| match self.is_layered {
            true => (7.0, (0.4 * high / of_layer(layer) as f64).min(30.0)),
            false => (r, r),
        };
        self.topology.layers.iter().map(half).collect()
    }

    fn layer(&self, end: End) -> Option<u32> {
        self.topology.layers.get(end.switch? as usize).copied()
    }

    /// In layers: links down end at the left of a box, links up at its right, in port order.
    fn spread_ports(&mut self) {
        let mut sides: BTreeMap<(u32, bool), Vec<u32>> = BTreeMap::new();
        for &[a, b] in &self.topology.links {
            for (near, far) in [(a, b), (b, a)] {
                if let (Some(switch), Some(port)) = (near.switch, near.port) {
                    let is_up = self.layer(far) > self.layer(near);
                    sides.entry((switch, is_up)).or_default().push(port);
                }
            }
        }
        for ((switch, is_up), mut ports) in sides {
            ports.sort_unstable();
            let (x, y) = self.place(self.topology.switches[switch as usize]);
            let (w, h) = self.boxes[switch as usize];
            for (n, &port) in ports.iter().enumerate() {
                let part = (n as f64 + 0.5) / ports.len() as f64 * 2.0 - 1.0;
                let at = (if is_up { x + w } else { x - w }, y + part * h);
                self.anchors.insert((switch, port), at);
            }
        }
    }

    fn end(&self, end: End) -> Option<At> {
        if let Some(node) = end.node {
            return self.topology.nodes.get(node as usize).map(|&p| self.place(p));
        }
        let anchor = self.anchors.get(&(end.switch?, end.port.unwrap_or(0)));
        let centre = self.topology.switches.get(end.switch? as usize);
        anchor.copied().or_else(|| centre.map(|&centre| self.place(centre)))
    }

    /// The ports that data from `a` to `b` go through.
    fn add_lanes(&mut self, a: End, b: End) {
        let (Some(from), Some(to)) = (self.end(a), self.end(b)) else {
            return;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-6);
        let aside = (0.16 * self.unit).clamp(0.8, 2.5);
        let aside = (-dy / length * aside, dx / length * aside);
        let at = |part: f64| (from.0 + dx * part + aside.0, from.1 + dy * part + aside.1);
        // beside a box that hides the centre, and clear of it
        let near = match self.is_layered {
            true => 0.06,
            false => (1.6 * self.unit.clamp(3.0, 12.0) / length).min(0.3),
        };
        let first = match (a.node, a.switch, a.port) {
            (Some(node), ..) => Some(format!("node{node}.injection")),
            (_, Some(switch), Some(port)) => Some(format!("switch{switch}.out{port}")),
            _ => None,
        };
        let last = b.switch.zip(b.port).map(|(switch, port)| format!("switch{switch}.in{port}"));
        for (name, from, to, dot) in [(first, 0.0, 0.5, near), (last, 0.5, 1.0, 1.0 - near)] {
            let lane = Lane { from: at(from), to: at(to), dot: at(dot) };
            self.lanes.extend(name.map(|name| (name, lane)));
        }
    }

    pub(super) fn wires(&self) -> String {
        let mut path = String::new();
        for &[a, b] in &self.topology.links {
            if let (Some(from), Some(to)) = (self.end(a), self.end(b)) {
                let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1);
            }
        }
        format!("<path class=\"wire\" d=\"{path}\"/>\n")
    }

    /// Switches and end nodes, with their numbers where there is room.
    pub(super) fn elements(&self) -> String {
        let mut out = String::new();
        for (n, (&place, &(w, h))) in self.topology.switches.iter().zip(&self.boxes).enumerate() {
            let (x, y) = self.place(place);
            let (left, top, width, height) = (x - w, y - h, 2.0 * w, 2.0 * h);
            let _ = writeln!(
                out,
                "<rect class=\"switch\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\" rx=\"2\"/>"
            );
            if w >= 6.0 && h >= 4.0 {
                mini(&mut out, (x, y + 3.0), "middle", n);
            }
        }
        let r = (0.3 * self.unit).clamp(1.0, 4.0);
        for (n, &place) in self.topology.nodes.iter().enumerate() {
            let (x, y) = self.place(place);
            let _ = writeln!(out, r#"<circle class="node" cx="{x:.1}" cy="{y:.1}" r="{r:.1}"/>"#);
            if self.is_layered && self.unit >= 8.0 {
                mini(&mut out, (x - 5.0, y + 3.0), "end", n);
            }
        }
        out
    }
}

fn mini(out: &mut String, (x, y): At, anchor: &str, n: usize) {
    let _ = writeln!(
        out,
        r#"<text class="mini" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{n}</text>"#
    );
}
