//! What events mean for trees, and in which order the news of a tick are taken.

use super::Trees;
use flow_control::Control;
use observe::Event;
use turnpool::Point;
use units::Unit;

/// What an event means for trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    Made { found: bool },
    Adopted,
    Refused,
    Xoff,
    Xon,
    Freed,
}

impl News {
    /// Order within a tick: SAQs are made before they are freed. Xoff and Xon of one queue stay
    /// in their order.
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

impl Trees {
    fn add(&mut self, news: News, unit: Unit, point: Point) {
        self.news.push((news, unit, point));
    }

    /// The news of a tick, in an order that does not depend on who was visited first.
    pub(super) fn flush(&mut self) {
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
                    let port = (unit, point);
                    let branch = self.present.get(&port);
                    let branch = branch
                        .filter(|(of, _)| *of == tree)
                        .map(|(_, branch)| *branch);
                    let tree = &mut self.trees[tree];
                    if news == News::Xoff {
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

    pub(super) fn news_of(&mut self, unit: Unit, event: Event) {
        // What follows an internal notification at once is the answer; if nothing does, the
        // ingress port had it already.
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
