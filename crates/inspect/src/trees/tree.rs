//! What is known of a tree.

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
    /// The port that made it do so; none where it found the congestion by itself.
    pub from: Option<Unit>,
    /// When the SAQ was allocated.
    pub joined: Tick,
    /// When the egress port of a root took over what the ingress port had found by itself.
    pub adopted: Option<Tick>,
    /// When the SAQ was freed.
    pub left: Option<Tick>,
}

impl Tree {
    /// The SAQ of a present branch is at Xoff from `now` on.
    pub(super) fn stop(&mut self, port: (Unit, Point), branch: usize, now: Tick) {
        let next = self.xoffs.len();
        if *self.xoffs_open.entry(port).or_insert(next) == next {
            self.xoffs.push(XoffSpan { branch, from: now, until: None });
        }
    }

    /// It is no longer.
    pub(super) fn go_on(&mut self, port: (Unit, Point), now: Tick) {
        if let Some(at) = self.xoffs_open.remove(&port) {
            self.xoffs[at].until = Some(now);
        }
    }
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

/// A SAQ had told the ports before it to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct XoffSpan {
    /// Number of the branch in [`Tree::branches`].
    pub branch: usize,
    /// Xoff was sent.
    pub from: Tick,
    /// Xon was sent, or the SAQ freed.
    pub until: Option<Tick>,
}

/// One congestion tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The congested output port.
    pub root: Unit,
    /// On which side it was seen first: a beyond-threshold egress queue, or an ingress port by
    /// itself.
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
    /// When the SAQ of a branch was at Xoff, in the order in which it began.
    pub xoffs: Vec<XoffSpan>,
    /// Place in `xoffs` of those that have not ended.
    pub(super) xoffs_open: BTreeMap<(Unit, Point), usize>,
    pub(super) in_use: u32,
    pub(super) xoff: BTreeSet<(Unit, Point)>,
    pub(super) at_xoff_in_window: BTreeSet<(Unit, Point)>,
}
