//! Roots that move: what the lives of trees say when read together.

use super::{Tree, Trees};
use observe::Side;
use std::collections::BTreeSet;
use units::{Tick, Unit};

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
        let of_switch = self.branches.iter().filter(|b| match (b.unit, side) {
            (Unit::Ingress { switch: s, .. }, Side::Ingress)
            | (Unit::Egress { switch: s, .. }, Side::Egress) => s == switch,
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
                    moves.push(Move {
                        at: inside.from,
                        from: tree.root,
                        to: outer,
                        downstream: true,
                    });
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
