//! An observer that counts the corners of the RECN protocols, so that a test can say that its cases
//! reach them, and sees to it that packets leave every queue in order and that SAQs of injection
//! ports stay within Xoff.

use flow_control::Control;
use observe::{Event, Observer, PacketView, Place, Side, View};
use plan::{FabricConfig, Params, SchemeKind, checked};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use turnpool::Point;
use units::{LineId, QueueId, Tick};

/// A corner of the protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Corner {
    /// A SAQ allocated.
    Allocated,
    /// Allocated where two SAQs were in use.
    Third,
    /// Refused: no free SAQ.
    NoFreeSaq,
    /// Refused although a SAQ is free: a less specific point is set aside (`recn-basic`).
    MoreSpecificRefused,
    /// A point allocated at a port that has refused it before.
    AllocatedAfterRefusal,
    /// A token, inside a switch or over a link.
    Token,
    /// A NACK over a link.
    Nack,
    /// Xoff over a link, repeated without Xon in between.
    XoffRepeated,
    /// A point allocated at the far end of a link on a repeated Xoff.
    AllocatedByRepeat,
    /// Xoff or Xon ignored for want of a match.
    Ignored,
    /// A notification that found the point set aside already.
    Adopted,
    /// A point allocated where the SAQ of a prefix is alive.
    Nested,
    /// Where it holds packets: a marker goes into that SAQ.
    NestedWithMarker,
    /// A prefix of a point that is set aside was allocated.
    LessSpecific,
    /// A detection queue swapped for a SAQ.
    Swapped,
    /// Swapped with the tail of its last packet still arriving.
    SwappedInArrival,
    /// Swapped while a packet of the detection queue is being transmitted.
    SwappedInDeparture,
    /// A packet that was swapped into a SAQ.
    PacketSwapped,
    /// A packet moved by the PPU.
    Moved,
    /// A SAQ freed that no packet had visited.
    FreedUnvisited,
    /// A packet admitted into a SAQ of an injection port, which is at Xoff now.
    AdmittedToXoff,
    /// A packet admitted into one that is still below.
    AdmittedBelowXoff,
}

/// How often each corner was reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Corner, u64>);

impl Counts {
    /// How often this one.
    pub fn of(&self, corner: Corner) -> u64 {
        self.0.get(&corner).copied().unwrap_or(0)
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Counts) {
        other.0.iter().for_each(|(&corner, &count)| self.count(corner, count));
    }

    fn count(&mut self, corner: Corner, count: impl Into<u64>) {
        *self.0.entry(corner).or_default() += count.into();
    }
}

#[derive(Debug, Clone, Copy)]
struct Alive {
    line: LineId,
    visited: bool,
}

/// Follows every SAQ and every packet of a run.
#[derive(Debug)]
pub struct Corners {
    /// The counts.
    pub counts: Counts,
    params: Params,
    saqs: u32,
    xoff: u32,
    /// Normal queues of an ingress port of each switch: one for each of its ports, or one.
    normal: Vec<u16>,
    in_use: BTreeMap<Place, u32>,
    alive: BTreeMap<(Place, Point), Alive>,
    packets: BTreeMap<(Place, QueueId), VecDeque<PacketView>>,
    /// End of the transmission that left a queue last.
    leaving: BTreeMap<(Place, QueueId), Tick>,
    refused: BTreeSet<(Place, Point)>,
    /// Places that have sent Xoff for the point over their link, with no Xon since.
    stopped: BTreeSet<(Place, Point)>,
    repeated: BTreeSet<Point>,
    last: Option<Event>,
}

impl Corners {
    /// An observer for a legal fabric.
    pub fn new(config: &FabricConfig) -> Corners {
        let graph = config.network.graph();
        let detection = matches!(config.switch.scheme, SchemeKind::Recn | SchemeKind::RecnDd);
        let normal = |switch| if detection { graph.ports(switch) as u16 } else { 1 };
        Corners {
            params: checked(config).expect("legal"),
            saqs: config.switch.recn.saqs.into(),
            xoff: config.switch.recn.thresholds.xoff,
            normal: (0..graph.switches() as u32).map(normal).collect(),
            counts: Counts::default(),
            in_use: BTreeMap::new(),
            alive: BTreeMap::new(),
            packets: BTreeMap::new(),
            leaving: BTreeMap::new(),
            refused: BTreeSet::new(),
            stopped: BTreeSet::new(),
            repeated: BTreeSet::new(),
            last: None,
        }
    }

    /// Queue of a CAM line: behind the normal ones.
    fn saq(&self, view: View<'_>, place: Place, line: LineId) -> QueueId {
        let element = view.owners[place.port.index()].element.index();
        let normal = match (place.side, self.normal.get(element)) {
            (Side::Ingress, Some(&normal)) => normal,
            _ => 1,
        };
        QueueId(normal + u16::from(line.0))
    }

    fn queue(&mut self, place: Place, queue: QueueId) -> &mut VecDeque<PacketView> {
        self.packets.entry((place, queue)).or_default()
    }

    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        self.queue(place, queue).push_back(packet);
        self.visited(view, place, queue);
        let is_switch = view.owners[place.port.index()].element.index() < self.normal.len();
        // Queue 0 is the normal one.
        if !is_switch && place.side == Side::Egress && queue > QueueId(0) {
            self.admitted(place, queue);
        }
    }

    /// "It moves if the injection memory has a cell and, where its queue is a SAQ, ready or not,
    /// that SAQ is below Xoff" (recn.md). Nothing but admittance fills those SAQs.
    fn admitted(&mut self, place: Place, queue: QueueId) {
        let (held, xoff) = (self.queue(place, queue).len() as u32, self.xoff);
        assert!(held <= xoff, "{held} packets at Xoff {xoff}: {place:?} queue {queue}");
        self.counts.count(Corner::AdmittedToXoff, held == xoff);
        self.counts.count(Corner::AdmittedBelowXoff, held < xoff);
    }

    fn left(&mut self, place: Place, packet: PacketView, queue: QueueId) {
        let first = self.queue(place, queue).pop_front().map(|first| first.id());
        assert_eq!(first, Some(packet.id()), "out of order at {place:?} queue {queue}");
    }

    /// The SAQ with this queue, if it is one, has been visited by a packet.
    fn visited(&mut self, view: View<'_>, place: Place, queue: QueueId) {
        let of_queue = |saq: &Alive| self.saq(view, place, saq.line) == queue;
        let found = self.at(place).find(|(_, saq)| of_queue(saq)).map(|(point, _)| point);
        if let Some(alive) = found.and_then(|point| self.alive.get_mut(&(place, point))) {
            alive.visited = true;
        }
    }

    fn at(&self, place: Place) -> impl Iterator<Item = (Point, Alive)> + '_ {
        let here = self.alive.iter().filter(move |((p, _), _)| *p == place);
        here.map(|(&(_, point), &alive)| (point, alive))
    }

    fn allocated(&mut self, view: View<'_>, place: Place, line: LineId, point: Point) {
        let again = self.refused.remove(&(place, point));
        let prefix = self
            .at(place)
            .filter(|(other, _)| other.is_prefix_of(&point))
            .max_by_key(|(other, _)| other.bits());
        let longer = self.at(place).any(|(other, _)| point.is_prefix_of(&other));
        let host = prefix.map(|(_, host)| (place, self.saq(view, place, host.line)));
        let held = host.and_then(|host| self.packets.get(&host));
        let marker = held.is_some_and(|packets| !packets.is_empty());
        self.counts.count(Corner::Allocated, 1_u64);
        self.counts.count(Corner::AllocatedAfterRefusal, again);
        self.counts.count(Corner::LessSpecific, longer);
        self.counts.count(Corner::Nested, host.is_some());
        self.counts.count(Corner::NestedWithMarker, marker);
        self.alive.insert((place, point), Alive { line, visited: false });
    }

    /// What is in the detection queue goes along; ingress detection follows the arrival that it
    /// looks at.
    fn swapped(&mut self, view: View<'_>, place: Place, queue: QueueId, saq: QueueId) {
        let packets = self.packets.remove(&(place, queue)).unwrap_or_default();
        let newest = packets.back().expect("it arrived just now");
        let tail = newest.stored + self.params.lengths(newest.bytes).link;
        let leaving = self.leaving.get(&(place, queue)).is_some_and(|&end| end > view.now);
        self.counts.count(Corner::Swapped, 1_u64);
        self.counts.count(Corner::SwappedInArrival, tail > view.now);
        self.counts.count(Corner::SwappedInDeparture, leaving);
        self.counts.count(Corner::PacketSwapped, packets.len() as u64);
        self.packets.insert((place, saq), packets);
        self.visited(view, place, saq);
    }

    fn control_sent(&mut self, place: Place, control: Control) {
        match control {
            Control::Token(_) => self.counts.count(Corner::Token, 1_u64),
            Control::Nack(_) => self.counts.count(Corner::Nack, 1_u64),
            Control::Recovery(_) | Control::Pause(..) => {}
            Control::Xoff(point) => {
                let repeats = !self.stopped.insert((place, point));
                self.counts.count(Corner::XoffRepeated, repeats);
                if repeats {
                    self.repeated.insert(point);
                }
            }
            // A notification opens a new conversation, with its own Xoff behind it.
            Control::Xon(point) | Control::Notification(point) => {
                self.stopped.remove(&(place, point));
            }
        }
    }
}

impl Observer for Corners {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        // A notification inside the switch that was neither refused nor allocated: adopted.
        let adopted = matches!(self.last, Some(Event::Internal(Control::Notification(_))))
            && !matches!(event, Event::SaqAllocated { .. } | Event::SaqRefused(_));
        self.counts.count(Corner::Adopted, adopted);
        match event {
            Event::Stored { packet, queue } => self.stored(view, place, packet, queue),
            Event::Moved { packet, queue } => {
                self.counts.count(Corner::Moved, 1_u64);
                self.left(place, packet, QueueId(0));
                self.stored(view, place, packet, queue);
            }
            Event::Departed { packet, queue, .. } => {
                self.left(place, packet, queue);
                let length = self.params.lengths(packet.bytes).crossbar;
                self.leaving.insert((place, queue), view.now + length);
            }
            Event::SaqAllocated { line, point, in_use } => {
                self.in_use.insert(place, in_use);
                self.counts.count(Corner::Third, in_use > 2);
                let repeated = place.side == Side::Egress && self.repeated.remove(&point);
                self.counts.count(Corner::AllocatedByRepeat, repeated);
                self.allocated(view, place, line, point);
            }
            Event::Swapped { queue, saq } => self.swapped(view, place, queue, saq),
            Event::SaqFreed { point, in_use, .. } => {
                self.in_use.insert(place, in_use);
                let alive = self.alive.remove(&(place, point));
                let unvisited = alive.is_some_and(|saq| !saq.visited);
                self.counts.count(Corner::FreedUnvisited, unvisited);
            }
            Event::SaqRefused(point) => {
                let full = self.in_use.get(&place).is_some_and(|&n| n == self.saqs);
                let corner = if full { Corner::NoFreeSaq } else { Corner::MoreSpecificRefused };
                self.counts.count(corner, 1_u64);
                self.refused.insert((place, point));
            }
            Event::ControlSent(control) => self.control_sent(place, control),
            Event::Internal(Control::Token(_)) => self.counts.count(Corner::Token, 1_u64),
            Event::Ignored(_) => self.counts.count(Corner::Ignored, 1_u64),
            _ => {}
        }
        self.last = Some(event);
    }
}
