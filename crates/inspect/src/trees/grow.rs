//! Trees that are born, grow, become parts of others, shrink and end; and who acts as their root.

use super::{Branch, Inside, Tree, Trees};
use observe::Side;
use std::collections::{BTreeMap, BTreeSet};
use turnpool::Point;
use units::{Tick, Unit};

impl Trees {
    pub(super) fn join(&mut self, unit: Unit, point: Point, root: Unit, found: bool) {
        let now = self.now;
        let tree = match self.alive.get(&root) {
            Some(&tree) => tree,
            None => self.birth(root, if found { Side::Ingress } else { Side::Egress }),
        };
        let from = if found { None } else { self.points.next(unit, point) };
        let branch = (tree, self.trees[tree].branches.len());
        if let Some(freed) = self.present.insert((unit, point), branch) {
            // Freed and made anew in one tick: the change of the first is still to come.
            self.replaced.insert((unit, point), freed);
        }
        let t = &mut self.trees[tree];
        t.branches.push(Branch { unit, point, from, joined: now, adopted: None, left: None });
        t.in_use += 1;
        t.saqs.push((now, t.in_use));
        if let Some(port) = self.through_port(unit, point).filter(|&port| port != root) {
            let count = self.through.entry((port, tree)).or_insert(0);
            *count += 1;
            if *count == 1
                && let Some(&inner) = self.alive.get(&port)
            {
                self.enter(inner, tree);
            }
        }
    }

    fn birth(&mut self, root: Unit, first_seen: Side) -> usize {
        let tree = self.trees.len();
        self.trees.push(Tree {
            root,
            first_seen,
            born: self.now,
            end: None,
            branches: Vec::new(),
            saqs: Vec::new(),
            refused: 0,
            inside: Vec::new(),
            acting: Vec::new(),
            xoffs: Vec::new(),
            xoffs_open: BTreeMap::new(),
            in_use: 0,
            xoff: BTreeSet::new(),
            at_xoff_in_window: BTreeSet::new(),
        });
        self.alive.insert(root, tree);
        let outer: Vec<usize> = self
            .through
            .range((root, 0)..=(root, usize::MAX))
            .map(|(&(_, tree), _)| tree)
            .collect();
        for outer in outer {
            self.enter(tree, outer);
        }
        tree
    }

    fn enter(&mut self, inner: usize, outer: usize) {
        let inside = Inside { tree: outer, from: self.now, until: None };
        self.trees[inner].inside.push(inside);
    }

    pub(super) fn leave(&mut self, unit: Unit, point: Point) {
        let now = self.now;
        let replaced = self.replaced.remove(&(unit, point));
        let Some((tree, branch)) = replaced.or_else(|| self.present.remove(&(unit, point))) else {
            return;
        };
        let t = &mut self.trees[tree];
        t.branches[branch].left = Some(now);
        t.xoff.remove(&(unit, point));
        t.go_on((unit, point), now);
        t.in_use -= 1;
        t.saqs.push((now, t.in_use));
        let (root, ended) = (t.root, t.in_use == 0);
        if ended {
            t.end = Some(now);
            self.alive.remove(&root);
            for inside in self.trees[tree].inside.iter_mut() {
                inside.until.get_or_insert(now);
            }
        }
        let Some(port) = self.through_port(unit, point).filter(|&port| port != root) else {
            return;
        };
        if let Some(count) = self.through.get_mut(&(port, tree)) {
            *count -= 1;
            if *count == 0 {
                self.through.remove(&(port, tree));
                if let Some(&inner) = self.alive.get(&port) {
                    for inside in self.trees[inner].inside.iter_mut() {
                        if inside.tree == tree {
                            inside.until.get_or_insert(now);
                        }
                    }
                }
            }
        }
    }

    /// The output port of a switch that a SAQ is in or feeds.
    fn through_port(&self, unit: Unit, point: Point) -> Option<Unit> {
        match unit {
            Unit::Egress { .. } => Some(unit),
            Unit::Ingress { .. } => self.points.next(unit, point),
            _ => None,
        }
    }

    /// Which ports act as root in the windows that end by `now`.
    pub(super) fn close_windows(&mut self, now: Tick) {
        while now >= self.window_end {
            let start = self.window_end - self.window;
            for at in 0..self.trees.len() {
                // Ended trees are closed once.
                if self.trees[at].end.is_none_or(|end| end >= start) {
                    self.close_window(at, start);
                }
            }
            self.window_end += self.window;
        }
    }

    fn close_window(&mut self, at: usize, start: Tick) {
        let points = &self.points;
        let tree = &mut self.trees[at];
        let mut holds = BTreeSet::new();
        let mut full = BTreeSet::new();
        for &(unit, point) in &tree.at_xoff_in_window {
            full.insert(unit);
            match unit {
                Unit::Ingress { .. } => holds.extend(points.next(unit, point)),
                _ => {
                    holds.insert(unit);
                }
            }
        }
        let acting: Vec<Unit> = holds
            .into_iter()
            .filter(|&port| match port {
                Unit::Egress { .. } if port != tree.root => {
                    points.next(port, Point::EMPTY).is_none_or(|behind| !full.contains(&behind))
                }
                Unit::Egress { .. } => true,
                _ => false,
            })
            .collect();
        tree.at_xoff_in_window = tree.xoff.clone();
        let last = tree.acting.last().map_or(&[][..], |(_, last)| last);
        if last != acting {
            tree.acting.push((start, acting));
        }
    }
}
