//! The rules of enhanced RECN that hold in the life of every SAQ, whatever the traffic (spec:
//! recn.md).

use crate::watch::Seen;
use flow_control::Control;
use observe::{Event, Side};
use plan::FabricConfig;
use std::collections::BTreeMap;
use topology::{Endpoint, Network};
use turnpool::Point;
use units::{LineId, QueueId, Span, Tick};

/// Element, port, side.
pub type Port = (u32, u8, Side);

/// What an ingress port said last of a point over its link, and whether the answer to its
/// notification is still to come.
#[derive(Default)]
struct Said {
    last: Option<Control>,
    unanswered: bool,
}

/// Follows the life of every SAQ and checks what holds in every one.
pub struct Lives<'a> {
    network: &'a Network,
    config: &'a FabricConfig,
    alive: BTreeMap<(Port, Point), (Tick, LineId)>,
    packets: BTreeMap<(Port, QueueId), u32>,
    said: BTreeMap<(Port, Point), Said>,
    /// Egress SAQs that were freed and whose token waits for the link.
    owed: Vec<(Port, Point)>,
    /// The last event was an internal notification for this point.
    notified: Option<(u32, Point)>,
}

impl<'a> Lives<'a> {
    /// Checks all events of a fabric from its first tick until it has drained.
    ///
    /// # Errors
    /// The first event that breaks a rule, and which one.
    pub fn check(
        network: &'a Network,
        config: &'a FabricConfig,
        events: &[Seen],
    ) -> Result<(), String> {
        let (alive, packets, said, owed) = Default::default();
        let mut lives = Lives { network, config, alive, packets, said, owed, notified: None };
        for seen in events {
            lives.event(seen).map_err(|what| format!("{what}: {seen:?}"))?;
            lives.notified = match seen.event {
                Event::Internal(Control::Notification(point)) => Some((seen.element, point)),
                _ => None,
            };
        }
        match (lives.alive.keys().next(), lives.owed.first()) {
            (None, None) => Ok(()),
            left => Err(format!("left at the end: {left:?}")),
        }
    }

    fn is_switch(&self, element: u32) -> bool {
        (element as usize) < self.network.switches()
    }

    /// The other end of the link of a port: (element, port).
    fn peer(&self, element: u32, port: u8) -> (u32, u8) {
        if !self.is_switch(element) {
            return self.network.graph().node_port(element - self.network.switches() as u32);
        }
        match self.network.graph().peer(element, port) {
            Endpoint::Node(node) => (self.network.switches() as u32 + node, 0),
            Endpoint::Port { switch, port } => (switch, port),
            Endpoint::None => panic!("nothing is behind port {port} of switch {element}"),
        }
    }

    /// Queue of a CAM line: detection queues come first at an ingress, one normal queue at an
    /// egress.
    fn queue(&self, (element, _, side): Port, line: LineId) -> QueueId {
        let normal =
            if side == Side::Ingress { self.network.graph().ports(element) as u16 } else { 1 };
        QueueId(normal + u16::from(line.0))
    }

    fn packets(&mut self, port: Port, queue: QueueId) -> &mut u32 {
        self.packets.entry((port, queue)).or_default()
    }

    fn event(&mut self, seen: &Seen) -> Result<(), String> {
        let &Seen { at, element, port: number, side, event } = seen;
        let port = (element, number, side);
        match event {
            Event::Stored { queue, .. } => *self.packets(port, queue) += 1,
            Event::Departed { queue, .. } => *self.packets(port, queue) -= 1,
            Event::SaqAllocated { line, point, in_use } => {
                if in_use > u32::from(self.config.switch.recn.saqs) {
                    return Err("more SAQs than there are".to_string());
                }
                if self.alive.insert((port, point), (at, line)).is_some() {
                    return Err("two SAQs for one point".to_string());
                }
                let saq = self.queue(port, line);
                if side == Side::Ingress && self.notified != Some((element, point)) {
                    // Ingress detection: the detection queue becomes the SAQ.
                    let turn = point.first(self.network.turn_width(element));
                    let detection = turnpool::forward(
                        u32::from(number),
                        turn,
                        self.network.graph().ports(element),
                    ) as u16;
                    let detection = QueueId(detection);
                    *self.packets(port, saq) = std::mem::take(self.packets(port, detection));
                } else if *self.packets(port, saq) > 0 {
                    return Err("allocated with packets".to_string());
                }
            }
            Event::SaqFreed { line, point, .. } => {
                let (since, born_as) =
                    self.alive.remove(&(port, point)).ok_or("freed without a life")?;
                let saq = self.queue(port, line);
                if born_as != line || *self.packets(port, saq) > 0 {
                    return Err("freed with packets".to_string());
                }
                if at < since + self.config.switch.recn.saq_timer.max(Span::TICK) {
                    return Err(format!("allocated at {since}, freed too soon"));
                }
                if let Some(child) =
                    self.children(port, point).into_iter().find(|c| self.alive.contains_key(c))
                {
                    return Err(format!("freed before its child {child:?}"));
                }
                if side == Side::Egress {
                    self.owed.push((port, point));
                }
            }
            Event::ControlSent(Control::Token(point)) => {
                let place = self
                    .owed
                    .iter()
                    .position(|&o| o == (port, point))
                    .ok_or("a token that nobody owes")?;
                self.owed.remove(place);
                let (element, number) = self.peer(element, number);
                self.said
                    .entry(((element, number, Side::Ingress), point))
                    .or_default()
                    .unanswered = false;
            }
            Event::ControlSent(Control::Nack(_)) => return Err("refused over a link".to_string()),
            Event::ControlSent(
                control @ (Control::Notification(point)
                | Control::Xoff(point)
                | Control::Xon(point)),
            ) => {
                let said = self.said.entry(((element, number, Side::Ingress), point)).or_default();
                let legal = match control {
                    Control::Notification(_) => !said.unanswered,
                    Control::Xoff(_) => {
                        matches!(said.last, Some(Control::Notification(_) | Control::Xon(_)))
                    }
                    _ => matches!(said.last, Some(Control::Xoff(_))),
                };
                if !legal {
                    return Err(format!("said after {:?}", said.last));
                }
                said.last = Some(control);
                said.unanswered |= matches!(control, Control::Notification(_));
            }
            _ => {}
        }
        Ok(())
    }

    /// SAQs that may have been allocated on behalf of this one, and go before it.
    fn children(&self, (element, number, side): Port, point: Point) -> Vec<(Port, Point)> {
        if side == Side::Ingress {
            let (element, number) = self.peer(element, number);
            return vec![((element, number, Side::Egress), point)];
        }
        if !self.is_switch(element) {
            return Vec::new();
        }
        let (ports, width) =
            (self.network.graph().ports(element), self.network.turn_width(element));
        let inputs =
            (0..ports).filter(|&i| i != u32::from(number) || self.network.options().self_traffic);
        let child = |i: u32| {
            let turn = turnpool::turn(i, u32::from(number), ports);
            ((element, i as u8, Side::Ingress), point.prepend(turn, width).expect("short routes"))
        };
        inputs.map(child).collect()
    }
}
