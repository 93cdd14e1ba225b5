//! What parts of a fabric send each other: packets and control packets on wires that lead from one part to another.

use crate::wires::Credit;
use flow_control::Control;
use switch::{Packet, PacketId, Packets};
use units::Tick;

/// What one part has sent to another within a window, in the order of sending; each with the port at which it will arrive.
#[derive(Debug)]
pub(crate) struct Mail {
    /// Each also with `few`: [`switch::Env::send_packet`].
    pub(crate) packets: Vec<(u32, Packet, bool)>,
    pub(crate) credits: Vec<(u32, Credit)>,
    pub(crate) named: Vec<(u32, Tick, Control)>,
}

impl Mail {
    /// With room for one of each on every one of so many links: within a window a link seldom sends more.
    pub(crate) fn with_room(links: usize) -> Mail {
        Mail {
            packets: Vec::with_capacity(links),
            credits: Vec::with_capacity(links),
            named: Vec::with_capacity(links),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.packets.is_empty() && self.credits.is_empty() && self.named.is_empty()
    }
}

/// What a part has sent to others within the present window.
#[derive(Debug)]
pub(crate) struct Outbox {
    /// Packets that left: part, port, packet and `few`. Their records stay until the window ends, since observers look at them
    /// after they were sent.
    leaving: Vec<(u32, u32, (PacketId, bool))>,
    mail: Vec<Mail>,
    earliest: Tick,
}

impl Outbox {
    /// To parts, with so many links to each.
    pub(crate) fn new(links: &[usize]) -> Outbox {
        Outbox {
            leaving: Vec::with_capacity(links.iter().sum()),
            mail: links.iter().copied().map(Mail::with_room).collect(),
            earliest: Tick::MAX,
        }
    }

    pub(crate) fn packet(&mut self, part: u32, to: u32, packet: (PacketId, bool), due: Tick) {
        self.earliest = self.earliest.min(due);
        self.leaving.push((part, to, packet));
    }

    pub(crate) fn credit(&mut self, part: u32, to: u32, credit: Credit) {
        self.earliest = self.earliest.min(credit.due);
        self.mail[part as usize].credits.push((to, credit));
    }

    pub(crate) fn named(&mut self, part: u32, to: u32, due: Tick, control: Control) {
        self.earliest = self.earliest.min(due);
        self.mail[part as usize].named.push((to, due, control));
    }

    /// Ends the window: what it has for each part, and when the first of it is due ([`Tick::MAX`]: there is nothing).
    pub(crate) fn close(&mut self, packets: &mut Packets) -> (&mut [Mail], Tick) {
        for (part, to, (id, few)) in self.leaving.drain(..) {
            self.mail[part as usize]
                .packets
                .push((to, packets[id].clone(), few));
            packets.remove(id);
        }
        let earliest = std::mem::replace(&mut self.earliest, Tick::MAX);
        (&mut self.mail, earliest)
    }
}
