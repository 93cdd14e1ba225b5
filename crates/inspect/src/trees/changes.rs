//! What events mean for trees, which are born, grow, become parts of others, shrink and end; in
//! which order the changes of a tick are taken; who acts as root.

use super::{Branch, Inside, Tree, Trees};
use flow_control::Control;
use observe::{Event, Side};
use std::collections::{BTreeMap, BTreeSet};
use turnpool::Point;
use units::{Tick, Unit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Made { found: bool },
    Adopted,
    Refused,
    Xoff,
    Xon,
    Freed,
}

impl Change {
    fn of(control: Control) -> Change {
        if matches!(control, Control::Xoff(_)) { Change::Xoff } else { Change::Xon }
    }

    /// Order within a tick: SAQs are made before they are freed. Xoff and Xon of one queue stay
    /// in their order.
    fn rank(self) -> u8 {
        match self {
            Change::Made { .. } => 0,
            Change::Adopted => 1,
            Change::Refused => 2,
            Change::Xoff | Change::Xon => 3,
            Change::Freed => 4,
        }
    }
}

impl Trees {
    fn add(&mut self, change: Change, unit: Unit, point: Point) {
        self.changes.push((change, unit, point));
    }

    /// The changes of a tick, in an order that does not depend on who was visited first.
    pub(super) fn flush(&mut self) {
        if let Some((unit, point)) = self.notified.take() {
            self.add(Change::Adopted, unit, point);
        }
        let mut changes = std::mem::take(&mut self.changes);
        changes.sort_by_key(|&(change, unit, point)| (change.rank(), unit, point));
        for &(what, unit, point) in &changes {
            self.take(what, unit, point);
        }
        changes.clear();
        self.changes = changes;
    }

    fn take(&mut self, change: Change, unit: Unit, point: Point) {
        let Some(root) = self.points.root(unit, point) else {
            return;
        };
        match change {
            Change::Made { found } => self.join(unit, point, root, found),
            Change::Freed => self.leave(unit, point),
            Change::Adopted => {
                if let Some(&(tree, branch)) = self.present.get(&(unit, point)) {
                    self.trees[tree].branches[branch].adopted.get_or_insert(self.now);
                }
            }
            Change::Refused => {
                if let Some(&tree) = self.alive.get(&root) {
                    self.trees[tree].refused += 1;
                }
            }
            Change::Xoff | Change::Xon => {
                let Some(&tree) = self.alive.get(&root) else {
                    return;
                };
                let (port, now, t) = ((unit, point), self.now, &mut self.trees[tree]);
                if change == Change::Xon {
                    t.xoff.remove(&port);
                    return t.go_on(port, now);
                }
                t.xoff.insert(port);
                t.at_xoff_in_window.insert(port);
                if let Some(&(of, branch)) = self.present.get(&port)
                    && of == tree
                {
                    t.stop(port, branch, now);
                }
            }
        }
    }

    pub(super) fn on_event(&mut self, unit: Unit, event: Event) {
        // What follows an internal notification at once is the answer; if nothing does, the
        // ingress port had it already.
        if let Some((notified, point)) = self.notified.take() {
            match event {
                Event::SaqAllocated { point: p, .. } if (notified, point) == (unit, p) => {
                    return self.add(Change::Made { found: false }, unit, p);
                }
                Event::SaqRefused(p) if (notified, point) == (unit, p) => {
                    return self.add(Change::Refused, unit, p);
                }
                _ => self.add(Change::Adopted, notified, point),
            }
        }
        match event {
            Event::SaqAllocated { point, .. } => {
                let found = self.points.is_one_turn(unit, point);
                self.add(Change::Made { found }, unit, point);
            }
            Event::SaqFreed { point, .. } => self.add(Change::Freed, unit, point),
            Event::SaqRefused(point) => self.add(Change::Refused, unit, point),
            Event::Internal(Control::Notification(point)) => {
                self.notified = self.points.notified(unit, point).map(|notified| (notified, point));
            }
            Event::ControlSent(control @ (Control::Xoff(point) | Control::Xon(point))) => {
                // Sent over the link of a port by the ingress side of that port.
                if let Unit::Egress { switch, port } = unit {
                    self.add(Change::of(control), Unit::Ingress { switch, port }, point);
                }
            }
            Event::Internal(control @ (Control::Xoff(point) | Control::Xon(point))) => {
                if let Some(point) = self.points.rest(unit, point) {
                    self.add(Change::of(control), unit, point);
                }
            }
            _ => {}
        }
    }

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
        let outer = self.through.range((root, 0)..=(root, usize::MAX));
        let outer: Vec<usize> = outer.map(|(&(_, outer), _)| outer).collect();
        for outer in outer {
            self.enter(tree, outer);
        }
        tree
    }

    fn enter(&mut self, inner: usize, outer: usize) {
        self.trees[inner].inside.push(Inside { tree: outer, from: self.now, until: None });
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
            t.inside.iter_mut().for_each(|inside| _ = inside.until.get_or_insert(now));
            self.alive.remove(&root);
        }
        let Some(port) = self.through_port(unit, point).filter(|&port| port != root) else {
            return;
        };
        let Some(count) = self.through.get_mut(&(port, tree)) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            self.through.remove(&(port, tree));
            if let Some(&inner) = self.alive.get(&port) {
                let inner = self.trees[inner].inside.iter_mut().filter(|i| i.tree == tree);
                inner.for_each(|inside| _ = inside.until.get_or_insert(now));
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
        let (mut holds, mut full) = (BTreeSet::new(), BTreeSet::new());
        for &(unit, point) in &tree.at_xoff_in_window {
            full.insert(unit);
            holds.extend(match unit {
                Unit::Ingress { .. } => points.next(unit, point),
                _ => Some(unit),
            });
        }
        let is_acting = |&port: &Unit| match port {
            Unit::Egress { .. } if port != tree.root => {
                points.next(port, Point::EMPTY).is_none_or(|behind| !full.contains(&behind))
            }
            Unit::Egress { .. } => true,
            _ => false,
        };
        let acting: Vec<Unit> = holds.into_iter().filter(is_acting).collect();
        tree.at_xoff_in_window = tree.xoff.clone();
        let last = tree.acting.last().map_or(&[][..], |(_, last)| last);
        if last != acting {
            tree.acting.push((start, acting));
        }
    }
}
