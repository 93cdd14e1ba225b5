//! Looks between two ticks: what has not arrived, how long heads wait, who waits for whom.

use super::nodes::Waiting;
use super::{Flat, Mode, Packet};
use crate::engine::{of_message, of_packet};
use crate::waits::At;
use observe::{Offered, Outstanding, Side};
use units::{ElementId, PortId, QueueId, Span};

impl<M: Mode> Flat<M> {
    /// Visits all that was generated before now and has not arrived, each once.
    pub(crate) fn outstanding(&self, visit: &mut dyn FnMut(Outstanding)) {
        for (n, node) in self.nodes.iter().enumerate() {
            let mut waits = |message: &Waiting| visit(of_message(self.offered(n, message, false)));
            node.messages(&mut waits);
            node.unadmitted(self.now.into(), &mut |message| waits(&message));
        }
        let mut visit =
            |packet: &Packet| of_packet(packet.view()).into_iter().for_each(&mut *visit);
        self.packets.for_each(&mut visit);
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, visit: &mut dyn FnMut(Outstanding)) {
        for (n, node) in self.nodes.iter().enumerate() {
            let replies = node.replies.iter().filter(|reply| reply.born >= self.now);
            replies.for_each(|reply| visit(of_message(self.offered(n, reply, false))));
        }
    }

    /// Adds the messages that were generated before now and would enter admittance later.
    pub(crate) fn unadmitted(&self, offers: &mut Vec<Offered>) {
        for (n, node) in self.nodes.iter().enumerate() {
            node.unadmitted(self.now.into(), &mut |message| {
                offers.push(self.offered(n, &message, false));
            });
        }
    }

    /// Packets of messages in admittance, and packets in the network, answers of ECN not counted.
    pub(crate) fn packets(&self) -> (u64, i64) {
        let mut waiting = 0;
        for node in &self.nodes {
            node.messages(&mut |message| {
                waiting += u64::from(message.bytes.div_ceil(self.packet_bytes));
            });
        }
        let [answers, _] = self.ends.answers();
        (waiting, self.alive - answers)
    }

    /// The longest that any head has requested, of normal queues and of SAQs.
    pub(crate) fn longest_waits(&self) -> [Span; 2] {
        let mut longest = [0; 2];
        for (s, switch) in self.switches.iter().enumerate() {
            for (longest, gone) in longest.iter_mut().zip(switch.longest) {
                *longest = gone.max(*longest);
            }
            for input in 0..switch.ports {
                let p = switch.first as usize + usize::from(input);
                for queue in 0..self.ingress_queues(p) as u16 {
                    let Some(since) = self.waits_since(s, input, queue) else {
                        continue;
                    };
                    let class = usize::from(queue >= self.port[p].ingress_queues);
                    longest[class] = longest[class].max(self.now.saturating_sub(since));
                }
            }
        }
        longest.map(|longest| Span(longest.into()))
    }

    pub(super) fn at(&self, p: usize, side: Side, queue: usize) -> At {
        let port = &self.port[p];
        let nodes_from = if port.at_switch { 0 } else { self.switches.len() };
        At {
            element: ElementId::at(nodes_from + port.element as usize),
            side,
            port: PortId(port.number),
            queue: QueueId::at(queue),
        }
    }

    /// Adds the queues of a side that hold cells of a class. Whether they hold so many.
    pub(super) fn holds(
        &self,
        (holder, side): (usize, Side),
        class: u16,
        in_use: u32,
        holding: &mut Vec<At>,
    ) -> bool {
        let (first, normal, saqs) = self.queues_of(holder, side);
        let of_vc = match side {
            Side::Ingress => self.port[holder].ingress_of_vc,
            Side::Egress => self.port[holder].egress_of_vc,
        };
        let of_class = |queue: &usize| {
            let own = if self.per_queue_credits {
                *queue
            } else if *queue >= normal {
                // A SAQ: there is one VC.
                0
            } else {
                queue / usize::from(of_vc)
            };
            own == usize::from(class)
        };
        let mut queued = 0;
        for queue in (0..normal + saqs).filter(of_class) {
            let held = self.cells_stored(first + queue);
            queued += held;
            if held > 0 {
                holding.push(self.at(holder, side, queue));
            }
        }
        if self.pauses.is_on && side == Side::Ingress {
            // Until some of them move it stays paused; else RESUME is on its way, or will be.
            let stays = self.pauses.wanted_down_to(holder, class);
            return stays.is_some_and(|stays| queued > stays);
        }
        queued == in_use
    }

    /// Cells of the packets of a queue that are stored. A recorder asks for each queue again and
    /// again: counted where no packet of another size was seen and the last one is there.
    pub(super) fn cells_stored(&self, queue: usize) -> u32 {
        let cells = |packet: &super::records::Packet| u32::from(packet.cells);
        let walked = || self.stored(queue).map(cells).sum();
        let record = &self.queues[queue];
        if record.packets == 0 {
            return 0;
        }
        let last = &self.packets.slots[record.tail as usize];
        match &self.sizes[..] {
            [only] if last.stored < self.now => {
                let counted = record.packets * u32::from(only.cells);
                debug_assert_eq!(counted, walked());
                counted
            }
            _ => walked(),
        }
    }
}
