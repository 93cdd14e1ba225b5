//! An observer that counts requests and replies.

use observe::{Observer, Offered, PacketKind, PacketView, Place, View};
use std::collections::BTreeMap;

/// What was asked and answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Windows {
    /// Requests that a source has outstanding, by source and group.
    outstanding: BTreeMap<(u32, u8), u32>,
    /// The most that a source of a group ever had, by group.
    pub most: BTreeMap<u8, u32>,
    /// Requests that were delivered, by group.
    pub requests: BTreeMap<u8, u64>,
    /// Replies that were offered, by group.
    pub offered: BTreeMap<u8, u64>,
    /// Replies that were delivered, by group.
    pub replies: BTreeMap<u8, u64>,
}

impl Observer for Windows {
    fn offered(&mut self, _: View<'_>, offered: Offered) {
        match offered.kind {
            PacketKind::Data if !offered.refused => {
                let key = (offered.source, offered.group);
                let outstanding = self.outstanding.entry(key).or_default();
                *outstanding += 1;
                let most = self.most.entry(offered.group).or_default();
                *most = (*most).max(*outstanding);
            }
            PacketKind::Data => {}
            PacketKind::Reply => *self.offered.entry(offered.group).or_default() += 1,
            PacketKind::Ack | PacketKind::Cnp => {}
        }
    }

    fn ejected(&mut self, _: View<'_>, _: Place, packet: PacketView) {
        if !packet.last {
            return;
        }
        match packet.kind {
            PacketKind::Data => *self.requests.entry(packet.group).or_default() += 1,
            PacketKind::Reply => {
                *self.replies.entry(packet.group).or_default() += 1;
                let key = (packet.destination, packet.group);
                *self.outstanding.entry(key).or_default() -= 1;
            }
            PacketKind::Ack | PacketKind::Cnp => {}
        }
    }
}
