//! Which ports act as root in a window of time.

use super::Trees;
use std::collections::BTreeSet;
use turnpool::Point;
use units::{Tick, Unit};

impl Trees {
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
