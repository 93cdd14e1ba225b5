//! Follows every SAQ and every packet of a run: counts the corners of the RECN protocols, so that a
//! test can require that its cases reach them, and checks that packets leave every queue in order,
//! that SAQs of injection ports stay within Xoff, and that in the enhanced version every SAQ lives
//! by the rules (spec: recn.md).

use crate::prelude::*;
use crate::watch::{Port, Seen};
use flow_control::Control;
use observe::{PacketView, Side};
use plan::{Params, checked};
use std::collections::VecDeque;
use turnpool::Point;
use units::{LineId, QueueId};

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
#[derive(Debug, Clone, Default)]
pub struct Counts(BTreeMap<Corner, u64>);

impl Counts {
    /// How often this one.
    pub fn of(&self, corner: Corner) -> u64 {
        self.0.get(&corner).copied().unwrap_or(0)
    }

    fn count(&mut self, corner: Corner, count: impl Into<u64>) {
        *self.0.entry(corner).or_default() += count.into();
    }

    /// Counts the corners of a run from its first tick until it has drained.
    ///
    /// # Errors
    /// The first event that breaks a rule, and which one.
    pub fn add(&mut self, config: &FabricConfig, watch: &Watch) -> Holds {
        let params = checked(config).map_err(|error| error.to_string())?;
        let mut lives = Lives {
            config,
            params,
            counts: self,
            saqs: BTreeMap::new(),
            packets: BTreeMap::new(),
            leaving: BTreeMap::new(),
            refused: BTreeSet::new(),
            repeated: BTreeSet::new(),
            sent: BTreeMap::new(),
            due: Vec::new(),
        };
        let mut last = None;
        for seen in &watch.events {
            // A notification inside the switch that was neither refused nor allocated.
            let adopted = matches!(last, Some(Event::Internal(Control::Notification(_))))
                && !matches!(seen.event, Event::SaqAllocated { .. } | Event::SaqRefused(_));
            lives.counts.count(Corner::Adopted, adopted);
            lives.event(seen).map_err(|what| format!("{what}: {seen:?}"))?;
            last = Some(seen.event);
        }
        match (lives.saqs.keys().next(), lives.due.first()) {
            (None, None) => Ok(()),
            left => Err(format!("left at the end: {left:?}")),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Saq {
    line: LineId,
    since: Tick,
    visited: bool,
}

/// The last control packet of a port about a point, and whether the answer to its notification is
/// still to come.
#[derive(Default)]
struct Sent {
    last: Option<Control>,
    unanswered: bool,
}

struct Lives<'a> {
    config: &'a FabricConfig,
    params: Params,
    counts: &'a mut Counts,
    saqs: BTreeMap<(Port, Point), Saq>,
    packets: BTreeMap<(Port, QueueId), VecDeque<PacketView>>,
    /// End of the transmission that left a queue last.
    leaving: BTreeMap<(Port, QueueId), Tick>,
    refused: BTreeSet<(Port, Point)>,
    /// Points whose Xoff was repeated over some link.
    repeated: BTreeSet<Point>,
    sent: BTreeMap<(Port, Point), Sent>,
    /// Egress SAQs that were freed and whose token waits for the link.
    due: Vec<(Port, Point)>,
}

/// A SAQ by its CAM line and its point.
type Line = (LineId, Point);

/// A rule that must hold.
fn rule(holds: bool, else_what: impl Into<String>) -> Holds {
    if holds { Ok(()) } else { Err(else_what.into()) }
}

impl Lives<'_> {
    fn event(&mut self, &Seen { at, port, event }: &Seen) -> Holds {
        match event {
            Event::Stored { packet, queue } => self.stored(port, packet, queue)?,
            Event::Moved { packet, queue } => {
                self.counts.count(Corner::Moved, true);
                self.left(port, packet, QueueId(0))?;
                self.stored(port, packet, queue)?;
            }
            Event::Departed { packet, queue, .. } => {
                self.left(port, packet, queue)?;
                let length = self.params.lengths(packet.bytes).crossbar;
                self.leaving.insert((port, queue), at + length);
            }
            Event::SaqAllocated { line, point, in_use } => {
                self.allocated(at, port, (line, point), in_use)?;
            }
            Event::Swapped { queue, saq } => self.swapped(at, port, queue, saq)?,
            Event::SaqFreed { line, point, .. } => self.freed(at, port, (line, point))?,
            Event::SaqRefused(point) => {
                let is_full = self.at(port).count() == usize::from(self.config.switch.recn.saqs);
                let corner = if is_full { Corner::NoFreeSaq } else { Corner::MoreSpecificRefused };
                self.counts.count(corner, true);
                self.refused.insert((port, point));
            }
            Event::ControlSent(control) => self.control_sent(port, control)?,
            Event::Internal(Control::Token(_)) => self.counts.count(Corner::Token, true),
            Event::Ignored(_) => self.counts.count(Corner::Ignored, true),
            _ => {}
        }
        Ok(())
    }

    fn is_switch(&self, element: u32) -> bool {
        (element as usize) < self.config.network.switches()
    }

    /// Queue of a CAM line: behind the normal ones, at an ingress one for each port or one.
    fn queue_of(&self, (element, _, side): Port, line: LineId) -> QueueId {
        let detects = matches!(self.config.switch.scheme, SchemeKind::Recn | SchemeKind::RecnDd);
        let normal = match side == Side::Ingress && detects {
            true => self.config.network.graph().ports(element) as u16,
            false => 1,
        };
        QueueId(normal + u16::from(line.0))
    }

    fn queue(&mut self, port: Port, queue: QueueId) -> &mut VecDeque<PacketView> {
        self.packets.entry((port, queue)).or_default()
    }

    fn at(&self, port: Port) -> impl Iterator<Item = (Point, Saq)> + '_ {
        let here = self.saqs.iter().filter(move |((p, _), _)| *p == port);
        here.map(|(&(_, point), &saq)| (point, saq))
    }

    /// "It moves if the injection memory has a cell and, where its queue is a SAQ, ready or not,
    /// that SAQ is below Xoff" (recn.md). Nothing but admittance fills those SAQs.
    fn stored(&mut self, port: Port, packet: PacketView, queue: QueueId) -> Holds {
        self.queue(port, queue).push_back(packet);
        self.visited(port, queue);
        // Queue 0 is the normal one.
        if port.2 == Side::Egress && !self.is_switch(port.0) && queue > QueueId(0) {
            let xoff = self.config.switch.recn.thresholds.xoff;
            let held = self.queue(port, queue).len() as u32;
            rule(held <= xoff, format!("{held} packets at Xoff {xoff}"))?;
            self.counts.count(Corner::AdmittedToXoff, held == xoff);
            self.counts.count(Corner::AdmittedBelowXoff, held < xoff);
        }
        Ok(())
    }

    fn left(&mut self, port: Port, packet: PacketView, queue: QueueId) -> Holds {
        let first = self.queue(port, queue).pop_front().map(|first| first.id());
        rule(first == Some(packet.id()), "out of order")
    }

    /// The SAQ with this queue, if it is one, has been visited by a packet.
    fn visited(&mut self, port: Port, queue: QueueId) {
        let found = self.at(port).find(|(_, saq)| self.queue_of(port, saq.line) == queue);
        if let Some(saq) = found.and_then(|(point, _)| self.saqs.get_mut(&(port, point))) {
            saq.visited = true;
        }
    }

    fn allocated(&mut self, at: Tick, port: Port, (line, point): Line, in_use: u32) -> Holds {
        let before = self.at(port).count() as u32;
        let most = u32::from(self.config.switch.recn.saqs);
        rule(in_use == before + 1 && in_use <= most, "more SAQs than there are")?;
        let queue = self.queue_of(port, line);
        rule(self.queue(port, queue).is_empty(), "allocated with packets")?;
        let prefixes = self.at(port).filter(|(other, _)| other.is_prefix_of(&point));
        let host = prefixes.max_by_key(|(other, _)| other.bits());
        let longer = self.at(port).any(|(other, _)| point.is_prefix_of(&other));
        let held = host.map(|(_, host)| self.queue_of(port, host.line));
        let held = held.and_then(|host| self.packets.get(&(port, host)));
        let marker = held.is_some_and(|packets| !packets.is_empty());
        let repeated = port.2 == Side::Egress && self.repeated.remove(&point);
        let again = self.refused.remove(&(port, point));
        self.counts.count(Corner::Allocated, true);
        self.counts.count(Corner::Third, in_use > 2);
        self.counts.count(Corner::AllocatedByRepeat, repeated);
        self.counts.count(Corner::AllocatedAfterRefusal, again);
        self.counts.count(Corner::LessSpecific, longer);
        self.counts.count(Corner::Nested, host.is_some());
        self.counts.count(Corner::NestedWithMarker, marker);
        let saq = Saq { line, since: at, visited: false };
        rule(self.saqs.insert((port, point), saq).is_none(), "two SAQs for one point")
    }

    /// What is in the detection queue goes along; ingress detection follows its arrival.
    fn swapped(&mut self, at: Tick, port: Port, queue: QueueId, saq: QueueId) -> Holds {
        let (element, number, _) = port;
        let found = self.at(port).find(|(_, known)| self.queue_of(port, known.line) == saq);
        let (point, known) = found.ok_or("swapped with no SAQ")?;
        let network = &self.config.network;
        let turn = point.first(network.turn_width(element));
        let output = turnpool::forward(number.into(), turn, network.graph().ports(element));
        let is_own = known.since == at && queue.index() == output as usize;
        rule(is_own, "swapped with another SAQ than was allocated for that output")?;
        let packets = self.packets.remove(&(port, queue)).unwrap_or_default();
        let newest = packets.back().expect("it arrived just now");
        let tail = newest.stored + self.params.lengths(newest.bytes).link;
        let leaving = self.leaving.get(&(port, queue)).is_some_and(|&end| end > at);
        self.counts.count(Corner::Swapped, true);
        self.counts.count(Corner::SwappedInArrival, tail > at);
        self.counts.count(Corner::SwappedInDeparture, leaving);
        self.counts.count(Corner::PacketSwapped, packets.len() as u64);
        self.packets.insert((port, saq), packets);
        self.visited(port, saq);
        Ok(())
    }

    fn freed(&mut self, at: Tick, port: Port, (line, point): Line) -> Holds {
        let saq = self.saqs.remove(&(port, point)).ok_or("freed without a life")?;
        let queue = self.queue_of(port, line);
        let is_empty = self.queue(port, queue).is_empty();
        rule(saq.line == line && is_empty, "freed with packets")?;
        self.counts.count(Corner::FreedUnvisited, !saq.visited);
        if self.config.switch.scheme == SchemeKind::Recn {
            let old = saq.since + self.config.switch.recn.saq_timer.max(Span::TICK);
            rule(at >= old, format!("allocated at {}, freed too soon", saq.since))?;
            let mut children = self.children(port, point).into_iter();
            let child = children.find(|child| self.saqs.contains_key(child));
            rule(child.is_none(), format!("freed before its child {child:?}"))?;
            if port.2 == Side::Egress {
                self.due.push((port, point));
            }
        }
        Ok(())
    }

    fn control_sent(&mut self, port: Port, control: Control) -> Holds {
        let is_enhanced = self.config.switch.scheme == SchemeKind::Recn;
        match control {
            Control::Token(point) => {
                self.counts.count(Corner::Token, true);
                if is_enhanced {
                    let due = self.due.iter().position(|&due| due == (port, point));
                    self.due.swap_remove(due.ok_or("an unexpected token")?);
                    let asked = (self.peer(port), point);
                    self.sent.entry(asked).or_default().unanswered = false;
                }
            }
            Control::Nack(_) => {
                self.counts.count(Corner::Nack, true);
                rule(!is_enhanced, "refused over a link")?;
            }
            Control::Notification(point) | Control::Xoff(point) | Control::Xon(point) => {
                let sent = self.sent.entry((port, point)).or_default();
                let before = sent.last.replace(control);
                let (is_legal, repeats) = match control {
                    Control::Notification(_) => (!sent.unanswered, false),
                    Control::Xoff(_) => {
                        let stopped = matches!(before, Some(Control::Xoff(_)));
                        (before.is_some() && !stopped, stopped)
                    }
                    _ => (matches!(before, Some(Control::Xoff(_))), false),
                };
                sent.unanswered |= matches!(control, Control::Notification(_));
                rule(is_legal || !is_enhanced, format!("sent after {before:?}"))?;
                self.counts.count(Corner::XoffRepeated, repeats);
                if repeats {
                    self.repeated.insert(point);
                }
            }
            Control::Recovery(_) | Control::Pause(..) => {}
        }
        Ok(())
    }

    /// The other end of the link of a port: what it sends is reported at its egress side.
    fn peer(&self, (element, port, _): Port) -> Port {
        let side = Side::Egress;
        let (graph, switches) = (self.config.network.graph(), self.config.network.switches());
        if !self.is_switch(element) {
            let (switch, port) = graph.node_port(element - switches as u32);
            return (switch, port, side);
        }
        match graph.peer(element, port) {
            Endpoint::Node(node) => (switches as u32 + node, 0, side),
            Endpoint::Port { switch, port } => (switch, port, side),
            Endpoint::None => panic!("nothing is behind port {port} of switch {element}"),
        }
    }

    /// SAQs that may have been allocated on behalf of this one, and go before it.
    fn children(&self, port: Port, point: Point) -> Vec<(Port, Point)> {
        let (element, number, side) = port;
        if side == Side::Ingress {
            return vec![(self.peer(port), point)];
        }
        if !self.is_switch(element) {
            return Vec::new();
        }
        let network = &self.config.network;
        let (ports, width) = (network.graph().ports(element), network.turn_width(element));
        let child = |input: u32| {
            let turn = turnpool::turn(input, number.into(), ports);
            let point = point.prepend(turn, width).expect("short routes");
            ((element, input as u8, Side::Ingress), point)
        };
        let inputs =
            (0..ports).filter(|&i| i != u32::from(number) || network.options().self_traffic);
        inputs.map(child).collect()
    }
}
