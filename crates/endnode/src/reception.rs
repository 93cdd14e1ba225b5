//! Reception: an ejected packet is where it should be, is what was sent, and comes in order.

use switch::{Packet, payload};
use units::{Tick, Unit, broken};

/// The receiving side of a node.
#[derive(Debug)]
pub struct Reception {
    node: u32,
    /// Number of the next packet from each source. Data and replies of a flow share the numbers.
    expected: Box<[u32]>,
}

impl Reception {
    /// Nothing has come yet.
    pub fn new(node: u32, nodes: usize) -> Reception {
        Reception {
            node,
            expected: vec![0; nodes].into(),
        }
    }

    /// Number of the next packet from a source.
    #[inline]
    pub fn expected(&self, source: u32) -> u32 {
        self.expected[source as usize]
    }

    /// The next packet from a source will not come: it was lost or stranded.
    pub fn skip(&mut self, source: u32) {
        self.expected[source as usize] += 1;
    }

    /// Checks an ejected packet for place, contents and order.
    ///
    /// # Panics
    /// With [`units::Broken`] if one is wrong.
    #[inline]
    pub fn take(&mut self, packet: &Packet, now: Tick) {
        let p = packet;
        let expected = &mut self.expected[p.source as usize];
        if cfg!(not(setaside_unchecked)) {
            let whole = payload(p.source, p.destination, p.sequence, p.bytes) == p.payload;
            if p.destination != self.node || !whole || p.sequence != *expected {
                wrong(self.node, p, *expected, now);
            }
        }
        *expected += 1;
    }
}

#[cold]
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
