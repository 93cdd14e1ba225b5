//! What has not arrived: found by a walk over all places where messages and packets wait, between
//! two ticks.

use crate::fabric::Fabric;
use crate::part::Part;
use endnode::Waiting;
use observe::{Observer, Offered, Outstanding, PacketKind, View};
use switch::Packet;
use units::Tick;

impl<O: Observer> Fabric<O> {
    /// Visits all that was generated before now and has not arrived: messages on their way into
    /// admittance, messages in admittance, packets in the network. Each once, in no order that
    /// means anything.
    pub(crate) fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        if let Some(flat) = self.flat() {
            return flat.outstanding(visit);
        }
        let now = self.now();
        for (_, node) in self.all().nodes() {
            let source = node.index();
            let mut waits = |message: Waiting| visit(of_message(source, &message));
            node.messages(&mut waits);
            node.unadmitted(now, &mut waits);
        }
        self.all().part.transit.packets.for_each(|packet| {
            if !matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp) {
                visit(of_packet(packet));
            }
        });
    }

    /// Visits the replies that wait for their delay.
    pub(crate) fn replies_to_come(&self, mut visit: impl FnMut(Outstanding)) {
        if let Some(flat) = self.flat() {
            return flat.replies_to_come(visit);
        }
        for (_, node) in self.all().nodes() {
            node.replies_to_come(self.now(), |reply| visit(of_message(node.index(), &reply)));
        }
    }

    /// The run is over: observers are told of messages that were generated before now and would
    /// enter admittance later. They count as generated and not refused. Returns their packets.
    pub(crate) fn offer_unadmitted(&mut self) -> u64 {
        let now = self.now();
        let (offers, owners) = match self.flat() {
            Some(flat) => (flat.unadmitted(), flat.owners().clone()),
            None => {
                let part = self.all().part;
                (unadmitted(part, now), part.transit.owners.clone())
            }
        };
        let view = View {
            now,
            owners: &owners,
        };
        let mut packets = 0;
        for offered in offers {
            packets += u64::from(offered.packets);
            self.observer.offered(view, offered);
        }
        packets
    }
}

/// In the order of generation, as observers are told.
fn unadmitted(part: &Part, now: Tick) -> Vec<Offered> {
    let mut offers = Vec::new();
    for node in &part.elements.nodes {
        let (source, packet_bytes) = (node.index(), part.elements.params.packet_bytes);
        node.unadmitted(now, |message| {
            offers.push(message.offered(source, packet_bytes, false));
        });
    }
    offers.sort_by_key(|offered| (offered.born, offered.source));
    offers
}

fn of_message(source: u32, message: &Waiting) -> Outstanding {
    Outstanding {
        source,
        destination: message.destination,
        group: message.group,
        kind: message.kind,
        born: message.born,
        asked: message.asked,
        is_message: true,
        injected: None,
    }
}

fn of_packet(packet: &Packet) -> Outstanding {
    Outstanding {
        source: packet.source,
        destination: packet.destination,
        group: packet.group,
        kind: packet.kind,
        born: packet.born,
        asked: packet.asked,
        is_message: packet.last,
        // Nothing starts in tick 0: the stages of admittance take one at least.
        injected: (packet.injected > Tick::ZERO).then_some(packet.injected),
    }
}
