//! Transfers over the crossbar.

use super::Input;
use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Event, Observer, Side};
use units::{PortId, QueueId};

impl<M: Mode> Flat<M> {
    /// A transfer is granted and starts.
    #[inline(always)]
    pub(super) fn granted(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        (input, output): (usize, usize),
        t: T,
    ) {
        let switch = &self.switches[s];
        let first = switch.first as usize;
        let queue = if self.rare.shared || self.rare.oldest_first {
            usize::from(self.scratch.queue_of[input * usize::from(switch.ports) + output])
        } else {
            self.ingress_map.of_output(output)
        };
        if self.rare.shared {
            let pointer = &mut self.pointers[self.pairs[first + input] as usize + output];
            *pointer = queue as u16 + 1;
        }
        self.transfer(observer, (s, first), (input, output), queue, t);
    }

    /// The same, called and not inlined: several start, or it is rare.
    #[inline(never)]
    pub(crate) fn granted_apart(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        pair: (usize, usize),
        t: T,
    ) {
        self.granted(observer, s, pair, t);
    }

    /// Step 1: a packet leaves its ingress queue over the crossbar of a switch, whose port 0 is
    /// `first`.
    #[inline(always)]
    pub(crate) fn transfer(
        &mut self,
        observer: &mut impl Observer,
        (s, first): (usize, usize),
        (input, output): (usize, usize),
        queue: usize,
        t: T,
    ) {
        let (p, to) = (first + input, first + output);
        let port = &self.port[p];
        let (width, queues) = (port.width, port.ingress_queues);
        let at = Input { port: p, first, switch: s, number: input as u8, queues };
        let record = port.ingress as usize + queue;
        let source = &mut self.queues[record];
        let k = source.head as usize;
        let packet = &mut self.packets.slots[k];
        let mut next = packet.next;
        source.head = next;
        source.packets -= 1;
        let (view, place) = (Self::view_at(&self.owners, t), Self::place(p, Side::Ingress));
        let (number, port) = (QueueId(queue as u16), PortId(output as u8));
        let departed = Event::Departed { packet: packet.view(), queue: number, output: port };
        observer.event(view, place, departed);
        let (since, held, class) = (packet.visible, packet.class, packet.next_class);
        let cells = packet.cells;
        if !self.rare.tables && packet.route.consume(width.into()).is_err() {
            self.broken(p, Side::Ingress, t, "the route ends");
        }
        if self.rare.extras {
            self.hear_credit(to, t);
        }
        let end = if self.rare.is_iq {
            self.launch(observer, to, k, self.times.egress, t)
        } else {
            self.cross(observer, to, k, t)
        };
        let free = match self.rare.extras {
            true => self.extras_of_transfer((p, to), k, (held, class), (end, t)),
            false => NONE,
        };
        let falls = self.drop_request(at, queue, output);
        let own = &mut self.crossing[p];
        own.output = output as u8;
        own.outputs &= !(u64::from(falls) << output);
        let mut waiting = own.outputs;
        let there = &mut self.crossing[to];
        (there.end, there.sender, there.cells) = (end, input as u8, cells);
        there.inputs &= !(u64::from(falls) << input);
        waiting |= there.inputs;
        let switch = &mut self.switches[s];
        let bit = 1 << output;
        switch.wanted &= !(if there.inputs == 0 { bit } else { 0 });
        switch.awaited &= !bit;
        let is_saq = self.rare.saqs && queue >= usize::from(queues);
        let longest = &mut switch.longest[usize::from(is_saq)];
        *longest = (t - since).max(*longest);
        if !self.rare.multicast {
            self.sends_until[p] = end;
        }
        if self.has_credits() {
            self.return_credit(observer, p, held, cells, end, t);
        }
        if self.rare.two_level {
            next = self.left_where_levels(observer, record, k, t);
        }
        let mut asks = next != NONE && self.may_pass(p, record);
        if self.has_saqs(p) {
            self.left_ingress(observer, p, queue, output, t);
            asks = self.renew(p, queue);
        }
        if asks {
            let head = &mut self.packets.slots[next as usize];
            head.visible = head.visible.max(t + 1);
            let (visible, out) = (head.visible, usize::from(head.out));
            if visible <= end && !self.rare.multicast {
                self.request(at, queue, out);
                waiting |= 1 << out;
            } else {
                self.wheel.put(visible, Kind::Head, record);
            }
        }
        if free != NONE && free != next {
            self.passes(observer, p, free, t);
        }
        if !M::PLAIN || self.has_saqs(p) {
            // Other requests may have come and gone.
            waiting = self.crossing[p].outputs | self.crossing[to].inputs;
        }
        if self.rare.saqs && self.recn.switches[s].wanted != 0 {
            waiting |= self.recn.requests[p].outputs | self.recn.requests[to].inputs;
        }
        if self.rare.saqs && self.recn.moves {
            self.left_where_ppus_are((p, to), k, t);
        }
        if waiting != 0 {
            self.await_output(s, output);
        }
    }

    /// The packet goes to the memory behind the crossbar. When its tail has left.
    #[inline(always)]
    pub(super) fn cross(&mut self, observer: &mut impl Observer, to: usize, k: usize, t: T) -> T {
        let packet = &mut self.packets.slots[k];
        let span = self.sizes[usize::from(packet.size)].crossbar;
        let end = (t + span).max(packet.tail + self.times.crossbar_phit);
        let class = packet.next_class;
        packet.class = class;
        packet.vc = packet.next_vc;
        packet.tail = end + self.times.egress;
        packet.stored =
            if self.rare.store_and_forward { packet.tail } else { t + self.times.egress };
        let room = &mut self.counters[self.port[to].room as usize + usize::from(class)];
        debug_assert!(*room >= packet.cells);
        *room -= packet.cells;
        if self.rare.many {
            self.many.set_room(to, class, *room);
        }
        if self.times_egress(observer, to, t) {
            let stored = self.packets.slots[k].stored;
            self.put_on_wire(self.egress_side(to), k);
            self.wheel.put(stored, Kind::StoreEgress, to);
        } else {
            self.store_egress(observer, to, k, t);
        }
        end
    }
}
