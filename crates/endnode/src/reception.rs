//! Reception: an ejected packet is where it should be, is what was sent, and comes in order.

use observe::{PacketKind, REPLY_SEQUENCE, payload};
use plan::Order;
use switch::Packet;
use units::{Tick, Unit, broken};

/// The receiving side of a node.
#[derive(Debug)]
pub struct Reception {
    node: u32,
    order: Order,
    /// Number of the next packet from each source.
    expected: Box<[u32]>,
    /// Of replies, where they are numbered apart ([`REPLY_SEQUENCE`]).
    expected_replies: Box<[u32]>,
}

impl Reception {
    /// Nothing has come yet. `replies_apart`: replies have VCs of their own.
    pub fn new(node: u32, nodes: usize, replies_apart: bool, order: Order) -> Reception {
        let replies = if replies_apart { nodes } else { 0 };
        Reception {
            node,
            order,
            expected: vec![0; nodes].into(),
            expected_replies: vec![REPLY_SEQUENCE; replies].into(),
        }
    }

    /// Number of the next packet of the kind of `packet` from its source.
    pub fn expected(&mut self, packet: &Packet) -> u32 {
        *self.next(packet)
    }

    /// The next packet of this kind from this source will not come: it was lost or stranded.
    pub fn skip(&mut self, packet: &Packet) {
        *self.next(packet) += 1;
    }

    fn next(&mut self, packet: &Packet) -> &mut u32 {
        let source = packet.source as usize;
        match self.expected_replies.get_mut(source) {
            Some(next) if packet.kind == PacketKind::Reply => next,
            _ => &mut self.expected[source],
        }
    }

    /// Whether packets must come in order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Checks an ejected packet for place, contents and, where it is kept, order.
    /// Panics: With [`units::Broken`] if one is wrong.
    pub fn take(&mut self, packet: &Packet, now: Tick) {
        let p = packet;
        let (node, order) = (self.node, self.order);
        let expected = self.next(p);
        if cfg!(not(setaside_unchecked)) {
            let whole = payload(p.source, p.destination, p.sequence, p.bytes) == p.payload;
            let is_late = order == Order::Kept && p.sequence != *expected;
            if p.destination != node || !whole || is_late {
                wrong(node, p, *expected, now);
            }
        }
        *expected += 1;
    }
}

fn wrong(node: u32, p: &Packet, expected: u32, now: Tick) -> ! {
    let packet = format!("packet n{}->n{} #{}", p.source, p.destination, p.sequence);
    let what = if p.destination != node {
        format!("{packet} ejected at n{node}")
    } else if p.payload != payload(p.source, p.destination, p.sequence, p.bytes) {
        format!("{packet} has other contents")
    } else {
        format!("order: {packet} ejected, #{expected} expected")
    };
    broken(Unit::Node { node }, now, &what)
}
