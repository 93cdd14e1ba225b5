//! What parts of a fabric send each other: packets and control packets on wires that lead from one
//! part to another.

use crate::gone::Gone;
use crate::wires::Credit;
use flow_control::Control;
use switch::{Packet, Packets};
use units::{PacketId, Tick, WireId};

/// What one part has sent to another within a window, in the order of sending.
#[derive(Debug)]
pub(crate) struct Mail {
    pub(crate) packets: Vec<(WireId, Packet)>,
    pub(crate) credits: Vec<(WireId, Credit)>,
    pub(crate) named: Vec<(WireId, Tick, Control)>,
    pub(crate) gone: Vec<Gone>,
}

impl Mail {
    /// With room for one of each on every one of so many links: within a window a link seldom sends
    /// more.
    pub(crate) fn with_room(links: usize) -> Mail {
        Mail {
            packets: Vec::with_capacity(links),
            credits: Vec::with_capacity(links),
            named: Vec::with_capacity(links),
            gone: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Mail {
            packets,
            credits,
            named,
            gone,
        } = self;
        packets.is_empty() && credits.is_empty() && named.is_empty() && gone.is_empty()
    }
}

/// A packet that leaves for another part.
#[derive(Debug)]
struct Leaving {
    part: u32,
    wire: WireId,
    packet: PacketId,
}

/// What a part has sent to others within the present window.
#[derive(Debug)]
pub(crate) struct Outbox {
    /// Their records stay until the window ends, since observers look at them after they were sent.
    leaving: Vec<Leaving>,
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

    pub(crate) fn packet(&mut self, part: u32, wire: WireId, packet: PacketId, due: Tick) {
        self.earliest = self.earliest.min(due);
        self.leaving.push(Leaving { part, wire, packet });
    }

    pub(crate) fn credit(&mut self, part: u32, wire: WireId, credit: Credit) {
        self.earliest = self.earliest.min(credit.due);
        self.mail[part as usize].credits.push((wire, credit));
    }

    pub(crate) fn named(&mut self, part: u32, wire: WireId, due: Tick, control: Control) {
        self.earliest = self.earliest.min(due);
        self.mail[part as usize].named.push((wire, due, control));
    }

    /// A packet was lost or stranded: every other part is told.
    pub(crate) fn gone(&mut self, gone: Gone) {
        self.mail.iter_mut().for_each(|mail| mail.gone.push(gone));
    }

    /// The packets that other parts have not been told of; they are told now.
    pub(crate) fn take_gone(&mut self) -> Vec<Gone> {
        let mut mail = self.mail.iter_mut();
        let gone = mail.next().map(|mail| std::mem::take(&mut mail.gone));
        mail.for_each(|mail| mail.gone.clear());
        gone.unwrap_or_default()
    }

    /// Ends the window: what it has for each part, and when the first of it is due ([`Tick::MAX`]:
    /// there is nothing).
    pub(crate) fn close(&mut self, packets: &mut Packets) -> (&mut [Mail], Tick) {
        for Leaving { part, wire, packet } in self.leaving.drain(..) {
            let record = packets[packet].clone();
            self.mail[part as usize].packets.push((wire, record));
            packets.remove(packet);
        }
        let earliest = std::mem::replace(&mut self.earliest, Tick::MAX);
        (&mut self.mail, earliest)
    }
}
