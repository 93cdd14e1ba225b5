//! Which sides are timed. In an eager fabric a side is so from before anything there may concern a
//! SAQ until nothing does: no line is valid, and its queues, with what is on its way to them, are
//! below the thresholds of detection. Then what is stored there cannot change anything beside the
//! queues themselves.

use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Observer, Side};
use recn::{MarkedQueues, RecnPort};
use units::QueueId;

impl<M: Mode> Flat<M> {
    /// A packet comes to an input: it is timed if that may be congestion. Whether it is.
    #[inline(always)]
    pub(crate) fn times_ingress(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        t: T,
    ) -> bool {
        if !M::EAGER || !self.rare.saqs {
            return self.are_stores_timed() || self.rare.two_level;
        }
        if self.recn.timed[p] {
            return true;
        }
        let packet = &self.packets.slots[k];
        let queue = self.queue_by(self.ingress_map, packet.ahead, packet.destination);
        let packets = self.queues[self.port[p].ingress as usize + queue].packets;
        if packets + 1 < self.recn.ingress_below {
            return false;
        }
        self.make_timed(observer, p, t);
        true
    }

    /// The same of a packet that comes to an output.
    #[inline(always)]
    pub(crate) fn times_egress(&mut self, observer: &mut impl Observer, p: usize, t: T) -> bool {
        if !M::EAGER || !self.rare.saqs {
            return self.are_stores_timed();
        }
        let side = self.egress_side(p);
        if self.recn.timed[side] {
            return true;
        }
        let packets = self.queues[self.port[p].egress as usize].packets;
        if packets + 1 < self.recn.egress_below {
            return false;
        }
        self.make_timed(observer, side, t);
        true
    }

    /// A side is timed from now on: what was told ahead of its tick is taken back.
    #[inline]
    pub(super) fn make_timed(&mut self, observer: &mut impl Observer, side: usize, t: T) {
        if !self.recn.timed[side] {
            self.recn.timed[side] = true;
            match side.checked_sub(self.port.len()) {
                None => self.time(observer, (side, Side::Ingress), t),
                Some(p) => self.time(observer, (p, Side::Egress), t),
            }
        }
    }

    #[inline(never)]
    fn time(&mut self, observer: &mut impl Observer, (p, side): (usize, Side), t: T) {
        let (index, (first, normal, _)) = (self.side_of(p, side), self.queues_of(p, side));
        let (place, is_ingress) = (Self::place(p, side), side == Side::Ingress);
        let mut ahead = std::mem::take(&mut self.recn.ahead);
        for queue in 0..normal {
            let from = ahead.len();
            let kept = self.cut(first + queue, t, &mut ahead);
            self.recn.sides[index].counts.set(queue, kept);
            if is_ingress {
                self.recn.sides[index].set_asks(queue, kept > 0);
            }
            match ahead.get(from) {
                Some(&(_, k)) if kept == 0 && is_ingress => {
                    let out = usize::from(self.packets.slots[k as usize].out);
                    self.withdraw(self.input(p), queue, out);
                }
                _ if kept == 0 && !is_ingress => {
                    let port = &mut self.port[p];
                    let words = self.rare.words(port.egress_words);
                    super::super::links::remove(&mut port.eligible, words, &mut self.wide, queue);
                }
                _ => {}
            }
            for &(at, k) in &ahead[from..] {
                let packet = &mut self.packets.slots[k as usize];
                if is_ingress {
                    // As it was on the wire.
                    packet.ahead = packet.out;
                }
                let (view, queue) = (Self::view_at(&self.owners, at), QueueId::at(queue));
                observer.retract_stored(view, place, packet.view(), queue);
            }
        }
        let kind = if is_ingress { Kind::Store } else { Kind::StoreEgress };
        ahead.sort_unstable();
        for (at, k) in ahead.drain(..) {
            self.put_on_wire(index, k as usize);
            self.wheel.put(at, kind, p);
        }
        self.recn.ahead = ahead;
    }

    /// Takes what is stored after tick `t` off the end of a queue: when, and the packet. How many
    /// stay.
    fn cut(&mut self, record: usize, t: T, ahead: &mut Vec<(T, u32)>) -> u32 {
        let (mut k, mut last, mut kept) = (self.queues[record].head, NONE, 0);
        while k != NONE && self.packets.slots[k as usize].stored <= t {
            (last, k) = (k, self.packets.slots[k as usize].next);
            kept += 1;
        }
        let cut = k;
        while k != NONE {
            let packet = &self.packets.slots[k as usize];
            ahead.push((packet.stored, k));
            k = packet.next;
        }
        let queue = &mut self.queues[record];
        queue.packets = kept;
        queue.tail = last;
        if last == NONE {
            queue.head = NONE;
        } else if cut != NONE {
            self.packets.slots[last as usize].next = NONE;
        }
        kept
    }

    /// Sides at which nothing concerns a SAQ any more are eager again.
    pub(crate) fn calm(&mut self, observer: &mut impl Observer, t: T) {
        while let Some(side) = self.recn.calm.pop() {
            let side = side as usize;
            if self.is_calm(side) {
                self.recn.timed[side] = false;
                // What is on its way there is stored now.
                while let Some(k) = self.take_from_wire(side, NONE) {
                    match side.checked_sub(self.port.len()) {
                        None => self.store(observer, side, k),
                        Some(p) => self.store_egress(observer, p, k, t),
                    }
                }
            }
        }
    }

    fn is_calm(&self, side: usize) -> bool {
        let Some((_, rules)) = self.recn.config else {
            return false;
        };
        if !self.recn.timed[side] || rules.moves() {
            return false;
        }
        let counts = &self.recn.sides[side].counts;
        let quiet = |lines: &RecnPort| {
            lines.cam().in_use() == 0
                && !lines.is_marked()
                && lines.root_children() == 0
                && !lines.root_xoff()
        };
        if !self.lines(side).is_none_or(quiet) {
            return false;
        }
        let (is_ingress, below, queues) = match side.checked_sub(self.port.len()) {
            None => (true, self.recn.ingress_below, self.port[side].ingress_queues),
            Some(p) => (false, self.recn.egress_below, self.port[p].egress_queues),
        };
        (0..usize::from(queues)).all(|queue| {
            let arriving = self.chain(self.wires[side].0).filter(|packet| {
                let to = self.queue_by(self.ingress_map, packet.ahead, packet.destination);
                !is_ingress || to == queue
            });
            let packets = counts.packets(QueueId(queue as u16)) + arriving.count() as u32;
            // Half: one that is looked at again with each packet would gain nothing.
            packets.saturating_mul(2) < below
        })
    }
}
