//! CNPs at an end node (spec: pfc.md, DCQCN): which marked packets are answered by one, and their
//! order.

use ecn::response::NotificationPoint;
use plan::CnpConfig;
use std::collections::BTreeMap;
use switch::Packet;
use units::Tick;

/// The flows that end at a node.
#[derive(Debug)]
pub(crate) struct Cnps {
    pub(crate) config: CnpConfig,
    /// By source: when the last CNP went there, and the number of the next.
    points: BTreeMap<u32, (NotificationPoint, u32)>,
    /// By node that packets went to: the number of its next CNP.
    expected: BTreeMap<u32, u32>,
    /// Made so far.
    pub(crate) made: u64,
}

impl Cnps {
    pub(crate) fn new(config: CnpConfig) -> Cnps {
        Cnps { config, points: BTreeMap::new(), expected: BTreeMap::new(), made: 0 }
    }

    /// A packet is ejected: the number of the CNP that goes to its source, if one does.
    pub(crate) fn ejected(&mut self, packet: &Packet, now: Tick) -> Option<u32> {
        if !packet.mark {
            return None;
        }
        let (point, next) = self.points.entry(packet.source).or_default();
        if !point.marked(now, self.config.interval) {
            return None;
        }
        self.made += 1;
        let number = *next;
        *next += 1;
        Some(number)
    }

    /// A CNP has come: whether it is the next of its sender.
    pub(crate) fn is_next(&mut self, cnp: &Packet) -> bool {
        let expected = self.expected.entry(cnp.source).or_default();
        let is_next = *expected == cnp.sequence;
        *expected += 1;
        is_next
    }
}
