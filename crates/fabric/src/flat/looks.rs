//! Looks between two ticks: what has not arrived, how long heads wait, who waits for whom.

use super::Flat;
use super::nodes::Waiting;
use crate::waits::{At, Locked};
use observe::{Offered, Outstanding, Owner, PacketKind, Side};
use std::sync::Arc;
use units::{ElementId, PortId, QueueId, Span, Tick};

impl<const EAGER: bool> Flat<EAGER> {
    /// The stages between the generation of a message and its entry into admittance.
    pub(crate) fn injection_stage(&self) -> Span {
        self.params.stages.injection
    }

    /// Whose ports they are, by wire.
    pub(crate) fn owners(&self) -> &Arc<[Owner]> {
        &self.owners
    }

    /// Packets put on a wire, packets ejected, packets in the network.
    pub(crate) fn signs(&self) -> (u64, u64, i64) {
        (self.sent, self.ejected, self.alive)
    }

    /// Visits all that was generated before now and has not arrived, each once.
    pub(crate) fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        let now = u64::from(self.now);
        for n in 0..self.nodes.len() as u32 {
            let mut waits = |message: &Waiting| visit(of_message(n, message));
            self.nodes[n as usize].messages(&mut waits);
            self.nodes[n as usize].unadmitted(now, |message| waits(&message));
        }
        self.packets.for_each(|packet| {
            if matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp) {
                return;
            }
            let view = packet.view();
            visit(Outstanding {
                source: view.source,
                destination: view.destination,
                group: view.group,
                kind: view.kind,
                born: view.born,
                asked: view.asked,
                is_message: view.last,
                // Nothing starts in tick 0: the stages of admittance take one at least.
                injected: (view.injected > Tick::ZERO).then_some(view.injected),
            });
        });
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        for (n, node) in self.nodes.iter().enumerate() {
            let replies = node.replies_from(self.now);
            replies.for_each(|reply| visit(of_message(n as u32, reply)));
        }
    }

    /// Adds the messages that were generated before now and would enter admittance later.
    pub(crate) fn unadmitted(&self, offers: &mut Vec<Offered>) {
        for (n, node) in self.nodes.iter().enumerate() {
            node.unadmitted(self.now.into(), |message| {
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

    /// Answers of ECN in the network and such that wait for injection; CNPs made, where there are
    /// any.
    pub(crate) fn answers(&self) -> (i64, Option<u64>) {
        (self.ends.answers().iter().sum(), self.ends.cnps_made())
    }

    /// See [`crate::Fabric::marking_events`].
    pub(crate) fn marking_events(&self) -> [u64; 3] {
        self.marks.events()
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
                    let Some(since) = self.stands_since(s, input, queue) else {
                        continue;
                    };
                    let class = usize::from(queue >= self.port[p].ingress_queues);
                    longest[class] = longest[class].max(self.now.saturating_sub(since));
                }
            }
        }
        longest.map(|longest| Span(longest.into()))
    }

    /// The longest waits are counted anew.
    pub(crate) fn forget_waits(&mut self) {
        for switch in &mut self.switches {
            switch.longest = [0; 2];
        }
    }

    fn at(&self, p: usize, side: Side, queue: usize) -> At {
        let port = &self.port[p];
        let nodes_from = if port.at_switch {
            0
        } else {
            self.switches.len()
        };
        At {
            element: ElementId::at(nodes_from + port.element as usize),
            side,
            port: PortId(port.number),
            queue: QueueId::at(queue),
        }
    }

    /// Adds every queue whose head was visible by `before`.
    fn add_heads(&self, before: u64, heads: &mut Vec<At>) {
        for (p, port) in self.port.iter().enumerate() {
            let sides = [
                (Side::Ingress, port.ingress, port.ingress_queues),
                (Side::Egress, port.egress, port.egress_queues),
            ];
            for (side, first, queues) in sides {
                let index = match side {
                    Side::Ingress => p,
                    Side::Egress => self.egress_side(p),
                };
                // Lines without queues, and ports of other parts, have none.
                let saqs = if queues > 0 { self.saqs(index) } else { 0 };
                for queue in 0..usize::from(queues) + saqs {
                    let head = self.queues[first as usize + queue].head;
                    let Some(packet) = self.packets.slots.get(head as usize) else {
                        continue;
                    };
                    let visible = packet.stored + self.times.arbitration;
                    if u64::from(visible) <= before {
                        heads.push(self.at(p, side, queue));
                    }
                }
            }
        }
    }

    /// How many queues can never move again, of those whose heads were visible by `before`.
    pub(crate) fn locked(parts: &mut [Self], locked: &mut Locked, before: Tick) -> usize {
        let mut heads = locked.take_list();
        for part in &mut *parts {
            part.add_heads(before.0, &mut heads);
            for p in 0..part.port.len() {
                part.settle_unseen(p);
            }
        }
        heads.sort_unstable();
        let mut holding = std::mem::take(&mut parts[0].holding);
        let needs = |at: At, tell: &mut dyn FnMut(&[At])| {
            let (element, port) = (at.element, at.port);
            let p = parts[0].port_of(Owner { element, port });
            parts[parts[0].part_of(p)].needs(parts, (at, p), &mut holding, tell);
        };
        let stuck = locked.search_among(heads, needs);
        parts[0].holding = holding;
        stuck
    }

    /// Tells of each condition for the head of a queue of a port to move, as far as only others
    /// that stand can meet it.
    fn needs(
        &self,
        parts: &[Self],
        (at, p): (At, usize),
        holding: &mut Vec<At>,
        tell: &mut dyn FnMut(&[At]),
    ) {
        let port = &self.port[p];
        let (first, side) = match at.side {
            Side::Ingress => (port.ingress, p),
            Side::Egress => (port.egress, self.egress_side(p)),
        };
        let queue = at.queue.index();
        let head = self.queues[first as usize + queue].head;
        let Some(packet) = self.packets.slots.get(head as usize) else {
            return;
        };
        // Where it goes next: an egress memory of its switch, or the memory behind a link.
        let to = match at.side {
            Side::Ingress => port.first as usize + usize::from(packet.out),
            Side::Egress => p,
        };
        let in_egress = at.side == Side::Ingress && !self.is_iq;
        let there = &self.port[to];
        let holder = if in_egress {
            Some((to, Side::Egress))
        } else {
            there
                .to_switch
                .then_some((there.peer as usize, Side::Ingress))
        };
        let [behind_marker, blocked] = self.held(side, queue);
        if behind_marker {
            holding.clear();
            let host = self.marker_host(side, queue);
            holding.extend(host.map(|queue| self.at(p, at.side, queue)));
            tell(holding);
        }
        if blocked {
            holding.clear();
            if let Some((holder, there)) = holder {
                let skip = match at.side {
                    Side::Ingress => u32::from(port.width),
                    Side::Egress => 0,
                };
                let of = match there {
                    Side::Ingress => holder,
                    Side::Egress => self.egress_side(holder),
                };
                let of = &parts[self.part_of(holder)].recn.sides[of];
                let queue = self.xon_from(side, queue, skip, of);
                holding.extend(queue.map(|queue| self.at(holder, there, queue)));
            }
            tell(holding);
        }
        let is_moved = at.side == Side::Ingress
            && self.has_saqs(p)
            && self.saq_of_cold_head(p, queue).is_some();
        if is_moved {
            return;
        }
        let cells = self.sizes[usize::from(packet.size)].cells;
        let class = packet.next_class;
        let (available, capacity) = if in_egress {
            (
                self.room[there.room as usize + usize::from(class)],
                there.room_cells,
            )
        } else {
            (
                self.credits[there.credits as usize + usize::from(class)],
                there.credit_cells,
            )
        };
        if available < cells
            && let Some(holder) = holder
            && parts[self.part_of(holder.0)].holds(
                holder,
                class,
                u32::from(capacity - available),
                holding,
            )
        {
            tell(holding);
        }
    }

    /// Collects the queues of a side that hold cells of a class. Whether they hold all these: what
    /// is not there is on its way in or out, or its credit is on its way back.
    fn holds(
        &self,
        (holder, side): (usize, Side),
        class: u16,
        in_use: u32,
        holding: &mut Vec<At>,
    ) -> bool {
        let port = &self.port[holder];
        let (first, normal, of_vc, index) = match side {
            Side::Ingress => (
                port.ingress,
                port.ingress_queues,
                port.ingress_of_vc,
                holder,
            ),
            Side::Egress => {
                let index = self.egress_side(holder);
                (port.egress, port.egress_queues, port.egress_of_vc, index)
            }
        };
        let of_class = |queue: &usize| {
            let own = if self.per_queue_credits {
                *queue
            } else if *queue >= usize::from(normal) {
                // A SAQ: there is one VC.
                0
            } else {
                queue / usize::from(of_vc)
            };
            own == usize::from(class)
        };
        holding.clear();
        let mut queued = 0;
        let queues = usize::from(normal) + self.saqs(index);
        for queue in (0..queues).filter(of_class) {
            let held = self.cells_stored(first as usize + queue);
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

    /// Cells of the packets of a queue that are stored.
    fn cells_stored(&self, queue: usize) -> u32 {
        let (mut cells, mut k) = (0, self.queues[queue].head);
        while let Some(packet) = self.packets.slots.get(k as usize) {
            if packet.stored < self.now {
                cells += u32::from(self.sizes[usize::from(packet.size)].cells);
            }
            k = packet.next;
        }
        cells
    }
}

fn of_message(source: u32, message: &Waiting) -> Outstanding {
    Outstanding {
        source,
        destination: message.destination,
        group: message.group,
        kind: message.kind,
        born: Tick(message.born.into()),
        asked: Tick(message.asked.into()),
        is_message: true,
        injected: None,
    }
}
