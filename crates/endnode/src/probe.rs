//! What can be seen of an end node from outside, between two ticks.

use crate::admittance::Waiting;
use crate::ecn::Ecn;
use crate::node::EndNode;
use switch::Egress;
use units::{Tick, Unit};

impl EndNode {
    /// The injection port: its memory, credit and link.
    pub fn injection(&self) -> &Egress {
        self.injection.port()
    }

    /// Whether a message waits in admittance, or an ACK for injection.
    pub fn is_waiting(&self) -> bool {
        self.admittance.is_waiting() || self.ecn.as_ref().is_some_and(|ecn| !ecn.acks().is_empty())
    }

    /// ACKs and flows, with ECN.
    pub fn ecn(&self) -> Option<&Ecn> {
        self.ecn.as_deref()
    }

    /// Visits the messages generated before `now` that have not come to admittance.
    pub fn unadmitted(&self, now: Tick, mut visit: impl FnMut(Waiting)) {
        self.sources.unadmitted(now, &mut visit);
        let replies = self.transport.replies();
        replies.take_while(|reply| reply.born < now).for_each(|reply| visit(*reply));
    }

    /// Visits the replies that wait for their delay: those that are generated at `now` or later.
    pub fn replies_to_come(&self, now: Tick, visit: impl FnMut(Waiting)) {
        let replies = self.transport.replies().copied();
        replies.filter(|reply| reply.born >= now).for_each(visit);
    }

    /// Visits the messages in admittance, by destination, then age; one of which packets have left
    /// with what remains of it.
    pub fn messages(&self, visit: impl FnMut(Waiting)) {
        self.admittance.messages(visit);
    }

    /// Packets in admittance.
    pub fn packets(&self) -> u64 {
        self.admittance.packets()
    }

    /// Everything is at home: names the first thing that is not.
    pub fn left_over(&self) -> Option<String> {
        let node = Unit::Node { node: self.index() };
        if self.is_waiting() {
            return Some(format!("{node}: messages wait in admittance"));
        }
        if self.transport.due().is_some() {
            return Some(format!("{node}: replies wait for their delay"));
        }
        let outstanding = self.ecn().map_or(0, Ecn::outstanding);
        if outstanding > 0 {
            return Some(format!("{node}: {outstanding} packets without an ACK"));
        }
        self.injection().left_over()
    }
}
