//! One tree, and figures over the lives of trees.

use super::Trees;
use observe::Side;
use std::collections::{BTreeMap, BTreeSet};
use turnpool::Point;
use units::{Tick, Unit};

/// A port that holds a SAQ for a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The port.
    pub unit: Unit,
    /// The point as it is named there.
    pub point: Point,
    /// The port that made it do so; none where it detected the congestion.
    pub from: Option<Unit>,
    /// When the SAQ was allocated.
    pub joined: Tick,
    /// When the egress port of a root took over what the ingress port had detected.
    pub adopted: Option<Tick>,
    /// When the SAQ was freed.
    pub left: Option<Tick>,
}

impl Branch {
    /// Whether it held its SAQ at the end of tick `at`.
    pub fn is_there(&self, at: Tick) -> bool {
        self.joined <= at && self.left.is_none_or(|left| at < left)
    }
}

/// For some time, the root port of a tree held SAQs for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inside {
    /// Number of the other tree.
    pub tree: usize,
    /// From when on.
    pub from: Tick,
    /// Until when.
    pub until: Option<Tick>,
}

/// One congestion tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The congested output port.
    pub root: Unit,
    /// The side that detected it: a beyond-threshold egress queue, or an ingress port.
    pub first_seen: Side,
    /// First SAQ.
    pub born: Tick,
    /// Last SAQ freed.
    pub end: Option<Tick>,
    /// Ports that joined, in the order in which they did; one that comes back is there again.
    pub branches: Vec<Branch>,
    /// SAQs in use after each change.
    pub saqs: Vec<(Tick, u32)>,
    /// Notifications and requests that found no free SAQ.
    pub refused: u64,
    /// The trees that this one was a part of.
    pub inside: Vec<Inside>,
    /// Ports that acted as root, from the window that starts at each tick on.
    pub acting: Vec<(Tick, Vec<Unit>)>,
    /// When SAQs were at Xoff: number of the branch, from when on, until Xon or the SAQ was freed.
    pub(super) xoffs: Vec<(usize, Tick, Option<Tick>)>,
    /// Place in `xoffs` of those that have not ended.
    pub(super) xoffs_open: BTreeMap<(Unit, Point), usize>,
    pub(super) in_use: u32,
    pub(super) xoff: BTreeSet<(Unit, Point)>,
    pub(super) at_xoff_in_window: BTreeSet<(Unit, Point)>,
}

/// A root that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// When.
    pub at: Tick,
    /// Where the root was.
    pub from: Unit,
    /// Where it is.
    pub to: Unit,
    /// Towards the destination: the tree became a part of another. Else it came out of one.
    pub downstream: bool,
}

impl Tree {
    /// Ports that held SAQs of the tree at `at` while no neighbour upstream did.
    pub fn leaves(&self, at: Tick) -> BTreeSet<Unit> {
        let there: Vec<_> = self.branches.iter().filter(|b| b.is_there(at)).collect();
        let parents: BTreeSet<Unit> = there.iter().filter_map(|b| b.from).collect();
        there.iter().map(|b| b.unit).filter(|unit| !parents.contains(unit)).collect()
    }

    /// The most SAQs at once, and when that was reached first.
    pub fn peak(&self) -> (u32, Tick) {
        let mut peak = (0, self.born);
        for &(at, saqs) in &self.saqs {
            if saqs > peak.0 {
                peak = (saqs, at);
            }
        }
        peak
    }

    /// When any port of a switch joined first, on each side; the root's own egress queue counts
    /// from the birth of the tree where it was seen there.
    pub fn joined_switch(&self, switch: u32, side: Side) -> Option<Tick> {
        let own = matches!(self.root, Unit::Egress { switch: s, .. } if s == switch);
        if own && side == Side::Egress && self.first_seen == Side::Egress {
            return Some(self.born);
        }
        let of_switch = self.branches.iter().filter(|b| match b.unit {
            Unit::Ingress { switch: s, .. } => s == switch && side == Side::Ingress,
            Unit::Egress { switch: s, .. } => s == switch && side == Side::Egress,
            _ => false,
        });
        of_switch.map(|b| b.joined).min()
    }

    /// Whether it was alive at the end of tick `at`.
    pub fn is_alive(&self, at: Tick) -> bool {
        self.born <= at && self.end.is_none_or(|end| at < end)
    }

    /// Whether it was a part of another at the end of tick `at`.
    pub fn is_inside(&self, at: Tick) -> bool {
        let open = |until: Option<Tick>| until.is_none_or(|until| at < until);
        self.inside.iter().any(|i| i.from <= at && open(i.until))
    }

    /// Ports that acted as root in the window that holds `at`.
    pub fn acting(&self, at: Tick) -> &[Unit] {
        let window = self.acting.iter().rev().find(|(from, _)| *from <= at);
        window.map_or(&[], |(_, ports)| ports)
    }

    /// The SAQ of a present branch is at Xoff from `now` on.
    pub(super) fn stop(&mut self, port: (Unit, Point), branch: usize, now: Tick) {
        let next = self.xoffs.len();
        if *self.xoffs_open.entry(port).or_insert(next) == next {
            self.xoffs.push((branch, now, None));
        }
    }

    pub(super) fn go_on(&mut self, port: (Unit, Point), now: Tick) {
        if let Some(at) = self.xoffs_open.remove(&port) {
            self.xoffs[at].2 = Some(now);
        }
    }
}

impl Trees {
    /// Roots that moved, in order: downstream when a tree became a part of another, upstream
    /// when it left one and lived on.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for tree in &self.trees {
            for inside in &tree.inside {
                let outer = self.trees[inside.tree].root;
                // A spot that is born inside a tree has no root to move.
                if inside.from > tree.born {
                    let (at, from) = (inside.from, tree.root);
                    moves.push(Move { at, from, to: outer, downstream: true });
                }
                if let Some(until) = inside.until
                    && tree.is_alive(until)
                {
                    moves.push(Move { at: until, from: outer, to: tree.root, downstream: false });
                }
            }
        }
        moves.sort_unstable();
        moves
    }
}
