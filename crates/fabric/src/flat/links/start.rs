//! Packets that start on a link, and stores at outputs.

use super::{ask, insert, remove};
use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Event, Observer, Side};
use units::{PortId, QueueId, Span, Tick};

impl<M: Mode> Flat<M> {
    /// The tail before has left: its cells are room.
    #[inline(always)]
    pub(crate) fn settle_tail(&mut self, p: usize, t: T) {
        let port = &mut self.port[p];
        if port.tail_end > t {
            return;
        }
        port.tail_end = NONE;
        let class = port.leaving_class;
        let room = &mut self.counters[port.room as usize + usize::from(class)];
        *room += port.leaving_cells;
        if *room > port.room_cells {
            self.broken(p, Side::Egress, t, "more room than there is");
        }
        if self.rare.many {
            self.many.set_room(p, class, *room);
        }
    }

    /// Step 1: the head of an egress queue starts on the link.
    #[inline(always)]
    pub(super) fn start(&mut self, observer: &mut impl Observer, p: usize, queue: usize, t: T) {
        self.settle_tail(p, t);
        let port = &mut self.port[p];
        let at_switch = port.at_switch;
        let record = &mut self.queues[port.egress as usize + queue];
        let k = record.head as usize;
        let packet = &mut self.packets.slots[k];
        record.head = packet.next;
        record.packets -= 1;
        port.pointer = queue as u16 + 1;
        if packet.next == NONE {
            remove(&mut port.eligible, self.rare.words(port.egress_words), &mut self.wide, queue);
        }
        if !at_switch {
            packet.injected = t;
        }
        let cells = packet.cells;
        (port.leaving_class, port.leaving_cells) = (packet.class, cells);
        let view = Self::view_at(&self.owners, t);
        let place = Self::place(p, Side::Egress);
        let (queue_id, sender) = (QueueId(queue as u16), packet.sender);
        let departed =
            Event::Departed { packet: packet.view(), queue: queue_id, output: PortId(0) };
        observer.event(view, place, departed);
        let end = self.launch(observer, p, k, 0, t);
        if self.has_saqs(self.egress_side(p)) {
            self.left_egress(p, queue, t);
        }
        if self.rare.extras {
            self.left_red(p, queue, cells);
        }
        let port = &mut self.port[p];
        port.tail_end = end;
        if port.eligible != 0 {
            ask(port, &mut self.wheel, p, end);
        }
        let awaits_room = port.awaits_room;
        if !at_switch {
            return self.injection_started(p, end, t);
        }
        if self.rare.is_oq {
            // The memory is the one that the link to its input has credit for.
            let input = self.port[p].first(p) + usize::from(sender);
            self.return_credit(observer, input, 0, cells, end, t);
        }
        if awaits_room && self.is_for_anybody(p) {
            self.port[p].awaits_room = false;
            self.ask_crossbar(self.port[p].element as usize, end);
        }
    }

    /// A packet starts on a link, its head `stage` late. When the link is free again.
    #[inline(always)]
    pub(crate) fn launch(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        stage: T,
        t: T,
    ) -> T {
        let has_credits = self.has_credits();
        let port = &mut self.port[p];
        let packet = &mut self.packets.slots[k];
        let span = self.sizes[usize::from(packet.size)].link;
        let credit = &mut self.counters[port.credits as usize + usize::from(packet.next_class)];
        debug_assert!(*credit >= packet.cells);
        if has_credits {
            *credit -= packet.cells;
        }
        packet.class = packet.next_class;
        packet.vc = packet.next_vc;
        let end = (t + span).max(packet.tail + self.times.link_phit);
        let on_the_way = stage + port.latency;
        port.busy = end;
        let (peer, to_switch, is_cut) = (port.peer as usize, port.to_switch, port.is_cut);
        let awaits_credit = port.awaits_credit;
        self.sent += 1;
        if to_switch {
            packet.tail = end + on_the_way + self.times.ingress;
            packet.stored = if self.rare.store_and_forward {
                packet.tail
            } else {
                t + on_the_way + self.times.ingress
            };
        } else {
            packet.tail = end + on_the_way;
            packet.stored = packet.tail;
        }
        let at = packet.stored;
        if port.at_switch {
            let (at, span) = (Tick(u64::from(end) - 1), Span((end - t).into()));
            self.observe(observer, (p, Side::Egress), Event::Hop { at, span }, t);
        }
        if awaits_credit {
            self.waits_no_more(p);
        }
        if !to_switch {
            self.put_on_wire(peer, k);
            self.wheel.put(at, Kind::Eject, peer);
        } else if is_cut {
            self.leave(peer, k);
        } else {
            self.go_to_switch(observer, peer, k, t);
        }
        end
    }

    /// A packet is on its way to an input.
    #[inline(always)]
    pub(crate) fn go_to_switch(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) {
        if self.times_ingress(observer, p, k, t) {
            self.put_on_wire(p, k);
            let at = self.packets.slots[k].stored;
            self.wheel.put(at, Kind::Store, p);
        } else {
            self.store(observer, p, k);
        }
    }

    /// A packet comes to a side of a port, behind those that are on their way there.
    #[inline(always)]
    pub(crate) fn put_on_wire(&mut self, side: usize, k: usize) {
        let wire = self.wires[side];
        self.packets.slots[k].next = NONE;
        if wire.0 == NONE {
            self.wires[side] = (k as u32, k as u32);
        } else {
            self.packets.slots[wire.1 as usize].next = k as u32;
            self.wires[side].1 = k as u32;
        }
    }

    /// Takes the packet that comes to a side of a port by tick `t`.
    #[inline(always)]
    pub(crate) fn take_from_wire(&mut self, side: usize, t: T) -> Option<usize> {
        let k = self.wires[side].0;
        if k == NONE || self.packets.slots[k as usize].stored > t {
            return None;
        }
        self.wires[side].0 = self.packets.slots[k as usize].next;
        Some(k as usize)
    }

    /// A head is stored in an egress memory, or in that of an end node.
    #[inline(always)]
    pub(crate) fn store_egress(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) {
        let (port, packet) = (&self.port[p], &self.packets.slots[k]);
        let mut queue = self.egress_queue(port, packet);
        let next_class = self.class_in_next_memory(port, packet);
        let side = self.egress_side(p);
        let has_saqs = self.has_saqs(side);
        if has_saqs {
            queue = self.queue_by_cam(side, &packet.route, queue);
        }
        if self.rare.extras {
            self.red(p, k, queue);
        }
        let (port, packet) = (&mut self.port[p], &mut self.packets.slots[k]);
        packet.next = NONE;
        packet.next_class = next_class;
        let visible = packet.stored + self.times.arbitration;
        packet.visible = visible;
        let (view, place) =
            (Self::view_at(&self.owners, packet.stored), Self::place(p, Side::Egress));
        let stored = Event::Stored { packet: packet.view(), queue: QueueId(queue as u16) };
        observer.event(view, place, stored);
        let first = self.packets.push(&mut self.queues[port.egress as usize + queue], k);
        if has_saqs {
            if first {
                self.refresh_egress(p, queue, t);
            }
            self.stored_at_egress((p, k), queue, t);
        } else if first {
            let words = self.rare.words(port.egress_words);
            insert(&mut port.eligible, words, &mut self.wide, queue);
            let at = visible.max(port.busy).max(t + 1);
            ask(port, &mut self.wheel, p, at);
        }
    }
}
