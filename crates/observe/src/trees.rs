//! Congestion trees: which output ports are roots, how far each tree has spread, which are parts of others.
//!
//! Every SAQ stands for a point; followed through the graph that point is an output port, the **root** of a tree. The tree
//! lives from its first SAQ to the end of its last; every port that holds a SAQ for it is a **branch**, a branch whose
//! neighbour upstream holds none is a **leaf**. A tree whose root port holds SAQs towards a farther root is **inside** that
//! tree: what was a root of its own (a local congestion spot) has become a branch.
//!
//! SAQs are named after the root that was there when they were made, and stay with that name while they are full. Which port
//! limits the flows *now* is seen from Xoff: a port **acts as root** in a window if queues that feed it were at Xoff and the
//! queue behind it was not.

mod moves;
mod rows;

use super::points::Points;
use crate::observer::{Observer, View};
use flow_control::Control;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use switch::{Event, Place, Side};
use topology::Network;
use turnpool::Point;
use units::{Tick, Ticks, Unit};

pub use moves::Move;
pub use rows::{TreeRow, TreesRecord};

/// A port that holds a SAQ for a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The port.
    pub unit: Unit,
    /// The point as it is named there.
    pub point: Point,
    /// The port that made it do so; none where it found the congestion by itself.
    pub from: Option<Unit>,
    /// When the SAQ was allocated.
    pub joined: Tick,
    /// When the egress port of a root took over what the ingress port had found by itself.
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
    /// On which side it was seen first: a beyond-threshold egress queue, or an ingress port by itself.
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
    in_use: u32,
    xoff: BTreeSet<(Unit, Point)>,
    at_xoff_in_window: BTreeSet<(Unit, Point)>,
}

/// What an event means for trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Made { found: bool },
    Adopted,
    Refused,
    Xoff,
    Xon,
    Freed,
}

impl News {
    /// Order within a tick: SAQs are made before they are freed. Xoff and Xon of one queue stay in their order.
    fn rank(self) -> u8 {
        match self {
            News::Made { .. } => 0,
            News::Adopted => 1,
            News::Refused => 2,
            News::Xoff | News::Xon => 3,
            News::Freed => 4,
        }
    }
}

/// The observer.
#[derive(Debug, Clone)]
pub struct Trees {
    points: Points,
    window: Ticks,
    window_end: Tick,
    /// What an egress port has just told an ingress port: `(ingress port, point)`.
    told: Option<(Unit, Point)>,
    now: Tick,
    news: Vec<(News, Unit, Point)>,
    trees: Vec<Tree>,
    /// Living trees by root.
    alive: BTreeMap<Unit, usize>,
    /// Present branches: index into those of their tree.
    present: BTreeMap<(Unit, Point), (usize, usize)>,
    /// SAQs that a port holds, or that lead through it, by tree.
    through: BTreeMap<(Unit, usize), u32>,
}

impl Trees {
    /// No trees yet. `window`: how long Xoff is remembered for [`Tree::acting`], ticks.
    pub fn new(network: Arc<Network>, window: Ticks) -> Trees {
        Trees {
            points: Points::new(network),
            window: window.max(1),
            window_end: window.max(1),
            told: None,
            now: 0,
            news: Vec::new(),
            trees: Vec::new(),
            alive: BTreeMap::new(),
            present: BTreeMap::new(),
            through: BTreeMap::new(),
        }
    }

    /// Takes in what is left of the last tick; the run has come to `now`.
    pub fn finish(&mut self, now: Tick) {
        self.flush();
        self.close_windows(now);
    }

    /// All trees, in the order of their birth.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    fn add(&mut self, news: News, unit: Unit, point: Point) {
        self.news.push((news, unit, point));
    }

    /// The news of a tick, in an order that does not depend on who was visited first.
    fn flush(&mut self) {
        if let Some((unit, point)) = self.told.take() {
            self.add(News::Adopted, unit, point);
        }
        let mut news = std::mem::take(&mut self.news);
        news.sort_by_key(|&(news, unit, point)| (news.rank(), unit, point));
        for &(what, unit, point) in &news {
            self.take(what, unit, point);
        }
        news.clear();
        self.news = news;
    }

    fn take(&mut self, news: News, unit: Unit, point: Point) {
        let Some(root) = self.points.root(unit, point) else {
            return;
        };
        match news {
            News::Made { found } => self.join(unit, point, root, found),
            News::Freed => self.leave(unit, point),
            News::Adopted => {
                let now = self.now;
                if let Some(&(tree, branch)) = self.present.get(&(unit, point)) {
                    self.trees[tree].branches[branch].adopted.get_or_insert(now);
                }
            }
            News::Refused => {
                if let Some(&tree) = self.alive.get(&root) {
                    self.trees[tree].refused += 1;
                }
            }
            News::Xoff | News::Xon => {
                if let Some(&tree) = self.alive.get(&root) {
                    let tree = &mut self.trees[tree];
                    if news == News::Xoff {
                        tree.xoff.insert((unit, point));
                        tree.at_xoff_in_window.insert((unit, point));
                    } else {
                        tree.xoff.remove(&(unit, point));
                    }
                }
            }
        }
    }

    fn join(&mut self, unit: Unit, point: Point, root: Unit, found: bool) {
        let now = self.now;
        let tree = match self.alive.get(&root) {
            Some(&tree) => tree,
            None => self.birth(root, if found { Side::Ingress } else { Side::Egress }),
        };
        let from = if found {
            None
        } else {
            self.points.next(unit, point)
        };
        self.present
            .insert((unit, point), (tree, self.trees[tree].branches.len()));
        let t = &mut self.trees[tree];
        t.branches.push(Branch {
            unit,
            point,
            from,
            joined: now,
            adopted: None,
            left: None,
        });
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
        let inside = Inside {
            tree: outer,
            from: self.now,
            until: None,
        };
        self.trees[inner].inside.push(inside);
    }

    fn leave(&mut self, unit: Unit, point: Point) {
        let now = self.now;
        let Some((tree, branch)) = self.present.remove(&(unit, point)) else {
            return;
        };
        let t = &mut self.trees[tree];
        t.branches[branch].left = Some(now);
        t.xoff.remove(&(unit, point));
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

    fn close_windows(&mut self, now: Tick) {
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
                Unit::Egress { .. } if port != tree.root => points
                    .next(port, Point::EMPTY)
                    .is_none_or(|behind| !full.contains(&behind)),
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

    fn news_of(&mut self, unit: Unit, event: Event) {
        // What follows an internal notification at once is the answer; if nothing does, the ingress port had it already.
        if let Some((told, point)) = self.told.take() {
            match event {
                Event::SaqAllocated { point: p, .. } if (told, point) == (unit, p) => {
                    return self.add(News::Made { found: false }, unit, p);
                }
                Event::SaqRefused(p) if (told, point) == (unit, p) => {
                    return self.add(News::Refused, unit, p);
                }
                _ => self.add(News::Adopted, told, point),
            }
        }
        match event {
            Event::SaqAllocated { point, .. } => {
                let found = self.points.is_one_turn(unit, point);
                self.add(News::Made { found }, unit, point);
            }
            Event::SaqFreed { point, .. } => self.add(News::Freed, unit, point),
            Event::SaqRefused(point) => self.add(News::Refused, unit, point),
            Event::Internal(Control::Notification(point)) => {
                self.told = self.points.told(unit, point).map(|told| (told, point));
            }
            Event::ControlSent(Control::Xoff(point) | Control::Xon(point)) => {
                // Sent over the link of a port by the ingress side of that port.
                if let Unit::Egress { switch, port } = unit {
                    let xoff = matches!(event, Event::ControlSent(Control::Xoff(_)));
                    let news = if xoff { News::Xoff } else { News::Xon };
                    self.add(news, Unit::Ingress { switch, port }, point);
                }
            }
            Event::Internal(control @ (Control::Xoff(point) | Control::Xon(point))) => {
                let news = if matches!(control, Control::Xoff(_)) {
                    News::Xoff
                } else {
                    News::Xon
                };
                if let Some(point) = self.points.rest(unit, point) {
                    self.add(news, unit, point);
                }
            }
            _ => {}
        }
    }
}

impl Observer for Trees {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if matches!(
            event,
            Event::Stored { .. }
                | Event::Departed { .. }
                | Event::Hop { .. }
                | Event::Moved { .. }
                | Event::ControlSent(Control::Credit { .. })
        ) {
            return;
        }
        if view.now != self.now {
            self.flush();
            self.close_windows(view.now);
            self.now = view.now;
        }
        let owner = view.owners[place.port as usize];
        let unit = self.points.unit(owner, place.side);
        self.news_of(unit, event);
    }
}
