//! Trees as plain rows: `trees.csv` one line a tree, `trees.json` everything.

use super::{Branch, Inside, Tree, Trees};
use crate::recorder::name;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use units::{Tick, TimeBase, Unit};

/// Everything that was recorded of all trees.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TreesRecord {
    /// The trees in the order of their birth; a tree is named by its place here.
    pub trees: Vec<TreeRow>,
    /// Roots that moved.
    pub moves: Vec<MoveRow>,
}

/// One tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeRow {
    /// Its number.
    pub tree: usize,
    /// The congested output port.
    pub root: String,
    /// `egress` or `ingress`.
    pub first_seen: &'static str,
    /// First SAQ.
    pub born_ns: f64,
    /// Last SAQ freed; null: alive at the end of the run.
    pub end_ns: Option<f64>,
    /// The most SAQs at once.
    pub saqs_peak: u32,
    /// When.
    pub peak_ns: f64,
    /// Ports that held SAQs then, without neighbours upstream that did.
    pub leaves_at_peak: Vec<String>,
    /// Ports that ever held SAQs for it.
    pub ports: PortCounts,
    /// Notifications and requests that found no free SAQ.
    pub refused: u64,
    /// The trees that it was a part of.
    pub inside: Vec<InsideRow>,
    /// Ports that acted as root, from each time on.
    pub acting: Vec<(f64, Vec<String>)>,
    /// Ports that joined, in order: the paths of the notifications.
    pub branches: Vec<BranchRow>,
    /// When SAQs were at Xoff: place in `branches`, from when on, until when; null: to the end.
    pub xoffs: Vec<(usize, f64, Option<f64>)>,
    /// SAQs in use after each change.
    pub saqs: Vec<(f64, u32)>,
}

/// How many ports of each side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PortCounts {
    /// Ingress ports of switches.
    pub ingress: usize,
    /// Egress ports of switches.
    pub egress: usize,
    /// Injection ports of end nodes.
    pub injection: usize,
}

/// A part of another tree for some time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InsideRow {
    /// Number of the other tree.
    pub tree: usize,
    /// From when on.
    pub from_ns: f64,
    /// Until when; null: to the end.
    pub until_ns: Option<f64>,
}

/// A port that joined a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BranchRow {
    /// The port.
    pub port: String,
    /// Who notified it; null: it found the congestion by itself.
    pub from: Option<String>,
    /// When.
    pub joined_ns: f64,
    /// When the egress port of the root took it over.
    pub adopted_ns: Option<f64>,
    /// When its SAQ was freed.
    pub left_ns: Option<f64>,
}

/// A root that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveRow {
    /// When.
    pub at_ns: f64,
    /// Where the root was.
    pub from: String,
    /// Where it is.
    pub to: String,
    /// `downstream` or `upstream`.
    pub direction: &'static str,
}

impl Tree {
    fn port_counts(&self) -> PortCounts {
        let units: BTreeSet<Unit> = self.branches.iter().map(|b| b.unit).collect();
        let mut counts = PortCounts::default();
        for unit in units {
            *match unit {
                Unit::Ingress { .. } => &mut counts.ingress,
                Unit::Egress { .. } => &mut counts.egress,
                _ => &mut counts.injection,
            } += 1;
        }
        counts
    }

    fn row(&self, tree: usize, time: &TimeBase) -> TreeRow {
        let ns = |tick: Tick| time.tick_to_ns(tick);
        let names = |units: &[Unit]| units.iter().map(Unit::to_string).collect();
        let (saqs_peak, peak) = self.peak();
        let inside =
            |i: &Inside| InsideRow { tree: i.tree, from_ns: ns(i.from), until_ns: i.until.map(ns) };
        let branch = |b: &Branch| BranchRow {
            port: b.unit.to_string(),
            from: b.from.map(|from| from.to_string()),
            joined_ns: ns(b.joined),
            adopted_ns: b.adopted.map(ns),
            left_ns: b.left.map(ns),
        };
        TreeRow {
            tree,
            root: self.root.to_string(),
            first_seen: name(self.first_seen),
            born_ns: ns(self.born),
            end_ns: self.end.map(ns),
            saqs_peak,
            peak_ns: ns(peak),
            leaves_at_peak: self.leaves(peak).iter().map(Unit::to_string).collect(),
            ports: self.port_counts(),
            refused: self.refused,
            inside: self.inside.iter().map(inside).collect(),
            acting: self.acting.iter().map(|(at, ports)| (ns(*at), names(ports))).collect(),
            branches: self.branches.iter().map(branch).collect(),
            xoffs: self.xoffs.iter().map(|x| (x.0, ns(x.1), x.2.map(ns))).collect(),
            saqs: self.saqs.iter().map(|&(at, n)| (ns(at), n)).collect(),
        }
    }
}

impl Trees {
    /// All trees and moves, times in ns.
    pub fn record(&self, time: &TimeBase) -> TreesRecord {
        let rows = self.trees.iter().enumerate().map(|(k, t)| t.row(k, time));
        let moves = self.moves().into_iter().map(|m| MoveRow {
            at_ns: time.tick_to_ns(m.at),
            from: m.from.to_string(),
            to: m.to.to_string(),
            direction: if m.downstream { "downstream" } else { "upstream" },
        });
        TreesRecord { trees: rows.collect(), moves: moves.collect() }
    }

    /// `trees.csv`: one line a tree, in the order of their birth. An empty field: not yet, or
    /// never.
    pub fn csv(&self, time: &TimeBase) -> String {
        let mut text = String::from(
            "tree,root,first_seen,born_ns,end_ns,saqs_peak,peak_ns,leaves_at_peak,\
             ports_ingress,ports_egress,ports_injection,refused,inside_tree,inside_from_ns\n",
        );
        for (number, tree) in self.trees.iter().enumerate() {
            let row = tree.row(number, time);
            let option = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
            let inside = row.inside.first();
            let _ = writeln!(
                text,
                "{number},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                row.root,
                row.first_seen,
                row.born_ns,
                option(row.end_ns),
                row.saqs_peak,
                row.peak_ns,
                row.leaves_at_peak.len(),
                row.ports.ingress,
                row.ports.egress,
                row.ports.injection,
                row.refused,
                inside.map_or(String::new(), |i| i.tree.to_string()),
                option(inside.map(|i| i.from_ns)),
            );
        }
        text
    }
}
