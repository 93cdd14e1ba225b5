//! An observer that counts the corners of the RECN protocols, so that a test can say that its cases
//! reach them.

use flow_control::Control;
use observe::{Event, Observer, Place, Side, View};
use std::collections::{BTreeMap, BTreeSet};
use turnpool::Point;
use units::{LineId, QueueId};

/// How often each corner was reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// SAQs allocated.
    pub allocations: u64,
    /// Refused: no free SAQ.
    pub no_free_saq: u64,
    /// Refused although a SAQ is free: a less specific point is set aside (`recn-basic`).
    pub more_specific_refused: u64,
    /// A point allocated at a port that has refused it before.
    pub allocated_after_refusal: u64,
    /// Tokens, inside switches and over links.
    pub tokens: u64,
    /// NACKs over links.
    pub nacks: u64,
    /// Xoff over links, repeated without Xon in between.
    pub xoff_repeats: u64,
    /// A point allocated at the far end of a link on a repeated Xoff.
    pub allocated_by_repeat: u64,
    /// Xoff or Xon ignored for want of a match.
    pub ignored: u64,
    /// A notification that found the point set aside already.
    pub adoptions: u64,
    /// A point allocated where the SAQ of a prefix holds packets: a marker goes into that SAQ.
    pub nested_with_marker: u64,
    /// A point allocated where the SAQ of a prefix is alive.
    pub nested: u64,
    /// A prefix of a point that is set aside was allocated.
    pub less_specific: u64,
    /// Detection queues swapped for a SAQ.
    pub swaps: u64,
    /// Packets moved by the PPU.
    pub moves: u64,
    /// SAQs freed that no packet had visited.
    pub freed_unvisited: u64,
    /// The most SAQs at one port.
    pub peak: u32,
}

impl Counts {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Counts) {
        self.allocations += other.allocations;
        self.no_free_saq += other.no_free_saq;
        self.more_specific_refused += other.more_specific_refused;
        self.allocated_after_refusal += other.allocated_after_refusal;
        self.tokens += other.tokens;
        self.nacks += other.nacks;
        self.xoff_repeats += other.xoff_repeats;
        self.allocated_by_repeat += other.allocated_by_repeat;
        self.ignored += other.ignored;
        self.adoptions += other.adoptions;
        self.nested_with_marker += other.nested_with_marker;
        self.nested += other.nested;
        self.less_specific += other.less_specific;
        self.swaps += other.swaps;
        self.moves += other.moves;
        self.freed_unvisited += other.freed_unvisited;
        self.peak = self.peak.max(other.peak);
    }
}

#[derive(Debug, Clone, Copy)]
struct Alive {
    line: LineId,
    visited: bool,
}

/// Follows every SAQ of a run.
#[derive(Debug, Default)]
pub struct Corners {
    /// The counts.
    pub counts: Counts,
    saqs: u32,
    /// Whether an ingress port has a normal queue for each port of its switch, or one.
    detection_queues: bool,
    ports: Vec<u16>,
    in_use: BTreeMap<Place, u32>,
    alive: BTreeMap<(Place, Point), Alive>,
    packets: BTreeMap<(Place, QueueId), u32>,
    refused: BTreeSet<(Place, Point)>,
    /// Places that have sent Xoff for the point over their link, with no Xon since.
    xoff: BTreeSet<(Place, Point)>,
    repeated: BTreeSet<Point>,
    last: Option<(Place, Event)>,
}

impl Corners {
    /// An observer for ports with `saqs` SAQs; `ports[element]` is the number of ports of a switch.
    pub fn new(saqs: u32, detection_queues: bool, ports: Vec<u16>) -> Corners {
        Corners { saqs, detection_queues, ports, ..Corners::default() }
    }

    fn normal(&self, view: View<'_>, place: Place) -> u16 {
        let element = view.owners[place.port.index()].element.index();
        match (self.detection_queues, place.side, self.ports.get(element)) {
            (true, Side::Ingress, Some(&ports)) => ports,
            _ => 1,
        }
    }

    fn stored(&mut self, view: View<'_>, place: Place, queue: QueueId) {
        *self.packets.entry((place, queue)).or_default() += 1;
        if let Some(line) = queue.0.checked_sub(self.normal(view, place)) {
            let at = self.at(place).find(|(_, a)| u16::from(a.line.0) == line);
            if let Some(point) = at.map(|(point, _)| point)
                && let Some(alive) = self.alive.get_mut(&(place, point))
            {
                alive.visited = true;
            }
        }
    }

    fn at(&self, place: Place) -> impl Iterator<Item = (Point, Alive)> + '_ {
        let here = self.alive.iter().filter(move |((p, _), _)| *p == place);
        here.map(|(&(_, point), &alive)| (point, alive))
    }

    fn allocated(&mut self, view: View<'_>, place: Place, line: LineId, point: Point) {
        let normal = self.normal(view, place);
        self.counts.allocations += 1;
        self.counts.allocated_after_refusal += u64::from(self.refused.remove(&(place, point)));
        let prefix = self
            .at(place)
            .filter(|(other, _)| other.is_prefix_of(&point))
            .max_by_key(|(other, _)| other.bits());
        let longer = self.at(place).any(|(other, _)| point.is_prefix_of(&other));
        self.counts.less_specific += u64::from(longer);
        if let Some((_, host)) = prefix {
            self.counts.nested += 1;
            let held = self.packets.get(&(place, saq(normal, host.line)));
            self.counts.nested_with_marker += u64::from(held.is_some_and(|&n| n > 0));
        }
        let mut visited = false;
        // Ingress detection follows the arrival that it looks at.
        if let (true, Some((at, Event::Stored { queue, .. }))) = (self.detection_queues, self.last)
            && at == place
            && place.side == Side::Ingress
            && queue.0 < normal
        {
            self.counts.swaps += 1;
            let moved = self.packets.remove(&(place, queue)).unwrap_or(0);
            self.packets.insert((place, saq(normal, line)), moved);
            visited = true;
        }
        self.alive.insert((place, point), Alive { line, visited });
    }
}

/// Queue of a CAM line: behind the normal ones.
fn saq(normal: u16, line: LineId) -> QueueId {
    QueueId(normal + u16::from(line.0))
}

impl Observer for Corners {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        // A notification inside the switch that was neither refused nor allocated: adopted.
        if let Some((_, Event::Internal(Control::Notification(_)))) = self.last
            && !matches!(event, Event::SaqAllocated { .. } | Event::SaqRefused(_))
        {
            self.counts.adoptions += 1;
        }
        match event {
            Event::Stored { queue, .. } => self.stored(view, place, queue),
            Event::Moved { queue, .. } => {
                self.counts.moves += 1;
                *self.packets.entry((place, QueueId(0))).or_default() -= 1;
                self.stored(view, place, queue);
            }
            Event::Departed { queue, .. } => {
                *self.packets.entry((place, queue)).or_default() -= 1;
            }
            Event::SaqAllocated { line, point, in_use } => {
                self.in_use.insert(place, in_use);
                self.counts.peak = self.counts.peak.max(in_use);
                self.counts.allocated_by_repeat +=
                    u64::from(place.side == Side::Egress && self.repeated.remove(&point));
                self.allocated(view, place, line, point);
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.in_use.insert(place, in_use);
                let alive = self.alive.remove(&(place, point));
                self.counts.freed_unvisited += u64::from(alive.is_some_and(|a| !a.visited));
            }
            Event::SaqRefused(point) => {
                let full = self.in_use.get(&place).is_some_and(|&n| n == self.saqs);
                self.counts.no_free_saq += u64::from(full);
                self.counts.more_specific_refused += u64::from(!full);
                self.refused.insert((place, point));
            }
            Event::ControlSent(control) => match control {
                Control::Token(_) => self.counts.tokens += 1,
                Control::Nack(_) => self.counts.nacks += 1,
                Control::Recovery(_) | Control::Pause(..) => {}
                Control::Xoff(point) => {
                    let repeats = !self.xoff.insert((place, point));
                    self.counts.xoff_repeats += u64::from(repeats);
                    if repeats {
                        self.repeated.insert(point);
                    }
                }
                // A notification opens a new conversation, with its own Xoff behind it.
                Control::Xon(point) | Control::Notification(point) => {
                    self.xoff.remove(&(place, point));
                }
            },
            Event::Internal(Control::Token(_)) => self.counts.tokens += 1,
            Event::Ignored(_) => self.counts.ignored += 1,
            _ => {}
        }
        self.last = Some((place, event));
    }
}
