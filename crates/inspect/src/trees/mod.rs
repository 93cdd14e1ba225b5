//! Congestion trees. Every SAQ has a point; followed through the graph that point is an output
//! port, the **root** of a tree, which lives from its first SAQ to the end of its last; ports that
//! hold its SAQs are **branches**, those without one upstream **leaves**. A tree whose root port
//! holds SAQs towards a farther root is **inside** that tree. SAQs keep the name of the root that
//! was there when they were made; a port **acts as root** in a window if queues that feed it were
//! at Xoff and the queue behind it was not.

mod changes;
mod rows;
mod tree;

use crate::points::Points;
use changes::Change;
use observe::{Event, Observer, Place, View};
use std::collections::BTreeMap;
use std::sync::Arc;
use topology::Network;
use turnpool::Point;
use units::{Span, Tick, Unit};

pub use rows::{BranchRow, InsideRow, MoveRow, PortCounts, TreeRow, TreesRecord};
pub use tree::{Branch, Inside, Move, Tree};

/// The observer.
#[derive(Debug, Clone)]
pub struct Trees {
    points: Points,
    window: Span,
    window_end: Tick,
    /// The last notification inside a switch: `(ingress port, point)`.
    notified: Option<(Unit, Point)>,
    now: Tick,
    changes: Vec<(Change, Unit, Point)>,
    trees: Vec<Tree>,
    /// Living trees by root.
    alive: BTreeMap<Unit, usize>,
    /// Present branches: index into those of their tree.
    present: BTreeMap<(Unit, Point), (usize, usize)>,
    /// Branches whose SAQ was freed in this tick and made anew for the same point.
    replaced: BTreeMap<(Unit, Point), (usize, usize)>,
    /// SAQs that a port holds, or that lead through it, by tree.
    through: BTreeMap<(Unit, usize), u32>,
}

impl Trees {
    /// No trees yet. `window`: how long Xoff is remembered for [`Tree::acting`], ticks.
    pub fn new(network: Arc<Network>, window: Span) -> Trees {
        let window = window.max(Span::TICK);
        Trees {
            points: Points::new(network),
            window,
            window_end: Tick::ZERO + window,
            notified: None,
            now: Tick::ZERO,
            changes: Vec::new(),
            trees: Vec::new(),
            alive: BTreeMap::new(),
            present: BTreeMap::new(),
            replaced: BTreeMap::new(),
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
}

impl Observer for Trees {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if !event.is_of_saqs() {
            return;
        }
        if view.now != self.now {
            self.flush();
            self.close_windows(view.now);
            self.now = view.now;
        }
        self.on_event(self.points.unit(view, place), event);
    }
}
