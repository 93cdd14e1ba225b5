//! Transport: a request is answered by a reply (spec: switch.md, Request and reply). The window of
//! a closed loop is a register of its generator ([`workload::Closed`]).

use crate::admittance::Waiting;
use observe::PacketKind;
use std::collections::VecDeque;
use std::sync::Arc;
use switch::Packet;
use units::{Span, Tick};
use workload::Replies;

/// Replies on their way into admittance.
#[derive(Debug)]
pub struct Transport {
    /// What each group asks for.
    groups: Arc<[Option<Replies>]>,
    /// In the order of generation, of one tick in the order of the requests.
    replies: VecDeque<Waiting>,
    stage: Span,
}

impl Transport {
    /// Nothing is under way. `groups`: what the messages of each group ask for; `stage`: from the
    /// generation of a reply to its entry into admittance.
    pub fn new(groups: Arc<[Option<Replies>]>, stage: Span) -> Transport {
        Transport { groups, replies: VecDeque::new(), stage }
    }

    /// The last packet of a message is ejected: if its group asks for it, a reply is generated
    /// after the delay of the group.
    pub fn requested(&mut self, packet: &Packet, now: Tick) {
        let Some(&Some(asked)) = self.groups.get(usize::from(packet.group)) else {
            return;
        };
        let reply = Waiting {
            destination: packet.source,
            bytes: asked.bytes,
            born: now.saturating_add(asked.delay),
            group: packet.group,
            kind: PacketKind::Reply,
            asked: packet.born,
        };
        let behind = self.replies.partition_point(|other| other.born <= reply.born);
        self.replies.insert(behind, reply);
    }

    /// When the next reply enters admittance.
    pub fn due(&self) -> Option<Tick> {
        let reply = self.replies.front()?;
        Some(reply.born.saturating_add(self.stage))
    }

    /// The next reply that enters admittance now.
    pub fn reply(&mut self, now: Tick) -> Option<Waiting> {
        if self.due()? > now {
            return None;
        }
        self.replies.pop_front()
    }

    /// Replies that have not come to admittance, the next one first.
    pub fn replies(&self) -> impl Iterator<Item = &Waiting> {
        self.replies.iter()
    }
}
