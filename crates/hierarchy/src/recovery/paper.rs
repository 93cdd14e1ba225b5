//! `Protocol::Paper` (lai-rsi, cleaned of misprints; spec: rsi.md, Fault discovery and recovery).
//!
//! What the rules leave open is read so: all copies of a router's tables are alike; an entry
//! *contains* its configured ports, valid or not; the region of a failed port is each node whose T1
//! entry contains it, and the node behind a global link; a packet that was seen is dropped, and one
//! that is sent on keeps its stamp (without that FR would go round for ever); FR takes back what is
//! known of failed nodes in the super nodes whose entries contain its port.

use super::{Address, Effect, Message, Recovery, Region, Stamp};
use crate::TwoLevelTable;
use std::collections::BTreeSet;
use units::PortId;

/// What a router remembers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Seen {
    /// Nodes of other super nodes that have failed, as far as is known here.
    failed: BTreeSet<Address>,
    /// Packets that came or were made here.
    stamps: BTreeSet<Stamp>,
    /// Number of the next packet that is made here.
    next: u32,
}

impl Seen {
    /// All but the number.
    pub(crate) fn forget(&mut self) {
        self.failed.clear();
        self.stamps.clear();
    }
}

impl Recovery {
    /// The table entry that a node belongs to.
    pub(crate) fn region_of(&self, place: Address) -> Region {
        TwoLevelTable::region(self.configured.place, place)
    }

    /// A port has failed: FD of each region that it influences.
    pub(crate) fn paper_down(&mut self, port: PortId, effects: &mut Vec<Effect>) {
        let bit = 1 << port.0;
        let super_node = self.configured.place.super_node;
        for node in 0..self.configured.table.nodes() {
            let at = usize::from(node);
            if self.configured.table.all()[at] & bit != 0 {
                self.fail(port, at, Address { super_node, node }, None, effects);
            }
        }
        let peer = self.configured.peers[port.index()];
        if peer.super_node != super_node
            && let Some(at) = self.configured.table.find(self.region_of(peer))
        {
            self.fail(port, at, peer, None, effects);
        }
    }

    /// Whether a packet was not seen here before.
    pub(crate) fn is_new(&mut self, stamp: Stamp) -> bool {
        self.seen().stamps.insert(stamp)
    }

    /// A region is lost behind a port; `stamp` of the FD that reported it.
    pub(crate) fn fail(
        &mut self,
        port: PortId,
        at: usize,
        place: Address,
        stamp: Option<Stamp>,
        effects: &mut Vec<Effect>,
    ) {
        let bit = 1 << port.0;
        if self.all_failed(place) && self.valid[at] & bit != 0 {
            self.valid[at] &= !bit;
            self.show(at, effects);
        }
        if self.configured.table.all()[at] == bit {
            let stamp = stamp.unwrap_or_else(|| self.stamp());
            self.send(u64::MAX, Message::Failed(place, stamp), effects);
        }
    }

    /// Whether nothing is left of the entry that a failed node belongs to: a T2 entry becomes
    /// invalid only when all nodes of that super node have failed.
    fn all_failed(&mut self, place: Address) -> bool {
        if let Region::Node(_) = self.region_of(place) {
            return true;
        }
        let nodes = self.configured.table.nodes();
        let failed = &mut self.seen().failed;
        failed.insert(place);
        let there = failed.iter().filter(|other| other.super_node == place.super_node);
        there.count() == usize::from(nodes)
    }

    /// A port has recovered; `stamp` of the FR that reported it.
    pub(crate) fn recover(
        &mut self,
        port: PortId,
        stamp: Option<Stamp>,
        effects: &mut Vec<Effect>,
    ) {
        let bit = 1 << port.0;
        let mut status = false;
        for at in 0..self.valid.len() {
            let configured = self.configured.table.all()[at];
            if configured & bit == 0 {
                continue;
            }
            if self.valid[at] & bit == 0 {
                self.valid[at] |= bit;
                self.show(at, effects);
            }
            if let Region::SuperNode(super_node) = self.configured.table.at(at) {
                let failed = &mut self.seen().failed;
                failed.retain(|place| place.super_node != super_node);
            }
            status |= configured == bit;
        }
        if status && *self.valid == *self.configured.table.all() {
            let stamp = stamp.unwrap_or_else(|| self.stamp());
            self.send(u64::MAX, Message::Recovered(stamp), effects);
        }
    }

    fn stamp(&mut self) -> Stamp {
        let origin = self.configured.place;
        let seen = self.seen();
        let number = seen.next;
        seen.next += 1;
        let stamp = Stamp { origin, number };
        seen.stamps.insert(stamp);
        stamp
    }

    fn seen(&mut self) -> &mut Seen {
        self.paper.as_mut().expect("the protocol of the paper")
    }
}
