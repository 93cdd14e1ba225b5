//! What events mean for trees, and in which order the changes of a tick are taken.

use super::Trees;
use flow_control::Control;
use observe::Event;
use turnpool::Point;
use units::Unit;

/// What an event means for trees.
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
    /// Of Xoff or Xon.
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
        if let Some((unit, point)) = self.told.take() {
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
                let now = self.now;
                if let Some(&(tree, branch)) = self.present.get(&(unit, point)) {
                    self.trees[tree].branches[branch].adopted.get_or_insert(now);
                }
            }
            Change::Refused => {
                if let Some(&tree) = self.alive.get(&root) {
                    self.trees[tree].refused += 1;
                }
            }
            Change::Xoff | Change::Xon => {
                if let Some(&tree) = self.alive.get(&root) {
                    let port = (unit, point);
                    let branch = self.present.get(&port);
                    let branch = branch.filter(|(of, _)| *of == tree).map(|(_, branch)| *branch);
                    let tree = &mut self.trees[tree];
                    if change == Change::Xoff {
                        tree.xoff.insert(port);
                        tree.at_xoff_in_window.insert(port);
                        if let Some(branch) = branch {
                            tree.stop(port, branch, self.now);
                        }
                    } else {
                        tree.xoff.remove(&port);
                        tree.go_on(port, self.now);
                    }
                }
            }
        }
    }

    pub(super) fn on_event(&mut self, unit: Unit, event: Event) {
        // What follows an internal notification at once is the answer; if nothing does, the
        // ingress port had it already.
        if let Some((told, point)) = self.told.take() {
            match event {
                Event::SaqAllocated { point: p, .. } if (told, point) == (unit, p) => {
                    return self.add(Change::Made { found: false }, unit, p);
                }
                Event::SaqRefused(p) if (told, point) == (unit, p) => {
                    return self.add(Change::Refused, unit, p);
                }
                _ => self.add(Change::Adopted, told, point),
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
                self.told = self.points.told(unit, point).map(|told| (told, point));
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
}
