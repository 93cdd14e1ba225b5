//! Ejection: packets that have come, replies to them.

use super::{Source, Waiting};
use crate::flat::{Flat, Mode, NONE, T};
use observe::{Event, Observer, PacketKind, Side, payload};
use units::Tick;

impl<M: Mode> Flat<M> {
    /// Step 2: tails that are ejected.
    #[inline(never)]
    pub(crate) fn eject(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        while let Some(k) = self.take_from_wire(p, t) {
            let n = p - self.first_node;
            let packet = &self.packets.slots[k];
            let (class, cells) = (packet.class, packet.cells);
            let name = (packet.source, packet.destination, packet.sequence);
            if self.rare.faults && self.faults.gone.contains(name) {
                // It was cut in two.
                let event = Event::Lost { packet: packet.view() };
                self.lose(observer, p, k, event, t);
            } else if self.rare.answers && self.eject_with_answers(observer, n, k, t) {
                self.packets.remove(k as u32);
                self.ejected += 1;
            } else if self.reorder.is_empty() {
                self.deliver(observer, n, k, t);
            } else {
                self.deliver_in_order(observer, n, k, t);
            }
            if self.has_credits() {
                self.return_credit(observer, p, class, cells, t + 1, t);
            }
        }
    }

    /// A packet is checked for place, contents and order. A request may be answered, or a reply
    /// free a place of a window.
    #[inline(always)]
    pub(crate) fn deliver(&mut self, observer: &mut impl Observer, n: usize, k: usize, t: T) {
        let p = self.first_node + n;
        let packet = &self.packets.slots[k];
        let expected = self.nodes[n].expected(packet.source, packet.kind);
        let whole = payload(packet.source, packet.destination, packet.sequence, packet.bytes);
        let is_late = self.is_order_kept && packet.sequence != *expected;
        *expected += 1;
        if packet.destination as usize != n || whole != packet.payload || is_late {
            let what = "a packet at the wrong place, with other contents or late";
            self.broken(p, Side::Ingress, t, what);
        }
        self.alive -= 1;
        self.ejected += 1;
        let (last, kind, group) = (packet.last, packet.kind, packet.group);
        let mut asks = false;
        if last {
            match kind {
                PacketKind::Data => asks = self.requested(n, k, t),
                PacketKind::Reply => {
                    self.answered(n, group, t);
                    asks = true;
                }
                PacketKind::Ack | PacketKind::Cnp => {}
            }
        }
        let packet = self.packets.slots[k].view();
        observer.ejected(Self::view_at(&self.owners, t), Self::place(p, Side::Ingress), packet);
        self.packets.remove(k as u32);
        if asks {
            self.ask_to_generate(n, t, false);
        }
    }

    /// A message of the trace has come: others may have waited for it.
    fn trace_arrived(&mut self, n: usize, from: u32, t: T) -> bool {
        let Some(source) = self.nodes[n].of_trace() else {
            return false;
        };
        let taken = source.next.is_some();
        source.generator.arrived(taken, from, Tick(t.into()));
        source.advance();
        true
    }

    /// The last packet of a message has come: if its group asks for it, a reply follows; or what
    /// waits for it in a trace. Whether anything may.
    pub(super) fn requested(&mut self, n: usize, k: usize, t: T) -> bool {
        let packet = &self.packets.slots[k];
        let Some(&Some(asked)) = self.replies.get(usize::from(packet.group)) else {
            let source = packet.source;
            return self.trace_group == Some(packet.group) && self.trace_arrived(n, source, t);
        };
        let reply = Waiting {
            destination: packet.source,
            bytes: asked.bytes,
            born: t.saturating_add(T::try_from(asked.delay.0).unwrap_or(NONE)),
            asked: packet.born,
            group: packet.group,
            kind: PacketKind::Reply,
            next: NONE,
        };
        let replies = &mut self.nodes[n].replies;
        let behind = replies.partition_point(|other| other.born <= reply.born);
        replies.insert(behind, reply);
        true
    }

    /// A request of a group has been answered.
    pub(crate) fn answered(&mut self, n: usize, group: u8, t: T) {
        let mut sources = self.nodes[n].sources.iter_mut();
        let is_of = |source: &&mut Source| {
            source.generator.is_closed() && source.generator.group() == group
        };
        if let Some(source) = sources.find(is_of) {
            source.generator.answered(Tick(t.into()));
            if source.next.is_none() {
                source.advance();
            }
        }
    }
}
