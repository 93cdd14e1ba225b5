//! From trees to rows and to `trees.csv`.

use super::rows::{BranchRow, InsideRow, MoveRow, PortCounts, TreeRow, TreesRecord};
use super::{Tree, Trees};
use observe::Side;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use units::{Tick, TimeBase, Unit};

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Ingress => "ingress",
        Side::Egress => "egress",
    }
}

impl Tree {
    /// Ports that ever held SAQs for the tree.
    pub fn port_counts(&self) -> PortCounts {
        let units: BTreeSet<Unit> = self.branches.iter().map(|b| b.unit).collect();
        let mut counts = PortCounts::default();
        for unit in units {
            match unit {
                Unit::Ingress { .. } => counts.ingress += 1,
                Unit::Egress { .. } => counts.egress += 1,
                _ => counts.injection += 1,
            }
        }
        counts
    }

    fn row(&self, tree: usize, time: &TimeBase) -> TreeRow {
        let ns = |tick: Tick| time.tick_to_ns(tick);
        let (saqs_peak, peak) = self.peak();
        TreeRow {
            tree,
            root: self.root.to_string(),
            first_seen: side_name(self.first_seen),
            born_ns: ns(self.born),
            end_ns: self.end.map(ns),
            saqs_peak,
            peak_ns: ns(peak),
            leaves_at_peak: self.leaves(peak).iter().map(Unit::to_string).collect(),
            ports: self.port_counts(),
            refused: self.refused,
            inside: self
                .inside
                .iter()
                .map(|i| InsideRow { tree: i.tree, from_ns: ns(i.from), until_ns: i.until.map(ns) })
                .collect(),
            acting: self
                .acting
                .iter()
                .map(|(at, ports)| (ns(*at), ports.iter().map(Unit::to_string).collect()))
                .collect(),
            branches: self
                .branches
                .iter()
                .map(|b| BranchRow {
                    port: b.unit.to_string(),
                    from: b.from.map(|from| from.to_string()),
                    joined_ns: ns(b.joined),
                    adopted_ns: b.adopted.map(ns),
                    left_ns: b.left.map(ns),
                })
                .collect(),
            xoffs: self.xoffs.iter().map(|x| (x.branch, ns(x.from), x.until.map(ns))).collect(),
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
