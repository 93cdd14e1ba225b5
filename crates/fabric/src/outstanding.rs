//! What has not arrived: found by a walk over all places where messages and packets wait, between two ticks.

use crate::admittance::Waiting;
use crate::fabric::Fabric;
use crate::observer::{Observer, Offered, View};
use crate::part::Part;
use units::Tick;

/// A message that has not arrived, or a packet of one that is in the network. Of a message whose last packet is in the network
/// that packet stands for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outstanding {
    /// Source node.
    pub(crate) source: u32,
    /// Destination node.
    pub(crate) destination: u32,
    /// Its group.
    pub(crate) group: u8,
    /// When the message was generated.
    pub(crate) born: Tick,
    /// It is the message, or its last packet.
    pub(crate) is_message: bool,
    /// When the packet started on its injection link, if it has.
    pub(crate) injected: Option<Tick>,
}

impl<O: Observer> Fabric<O> {
    /// Visits all that was generated before now and has not arrived: messages on their way into admittance, messages in
    /// admittance, packets in the network. Each once, in no order that means anything.
    pub(crate) fn outstanding(&self, mut visit: impl FnMut(Outstanding)) {
        let now = self.now();
        for part in self.parts() {
            for node in &part.units.nodes {
                let source = node.index();
                let mut message = |waiting: Waiting| {
                    visit(Outstanding {
                        source,
                        destination: waiting.destination,
                        group: waiting.group,
                        born: waiting.born,
                        is_message: true,
                        injected: None,
                    });
                };
                node.admittance.messages(&mut message);
                node.unadmitted(now, &mut message);
            }
            part.medium.packets.for_each(|p| {
                visit(Outstanding {
                    source: p.source,
                    destination: p.destination,
                    group: p.group,
                    born: p.born,
                    is_message: p.last,
                    // Nothing starts in tick 0: the stages of admittance take one at least.
                    injected: (p.injected > 0).then_some(p.injected),
                });
            });
        }
    }

    /// The run is over: observers are told of messages that were generated before now and would enter admittance later. They
    /// count as generated and not refused. Returns their packets.
    pub(crate) fn offer_unadmitted(&mut self) -> u64 {
        let now = self.now();
        let mut packets = 0;
        for (part, observer) in self.parts_and_observers() {
            let mut offers = unadmitted(part, now);
            // Observers are told in the order of generation.
            offers.sort_by_key(|offered| (offered.born, offered.source));
            let view = View {
                now,
                packets: &part.medium.packets,
                owners: &part.medium.owners,
            };
            for offered in offers {
                packets += u64::from(offered.packets);
                observer.offered(view, offered);
            }
        }
        packets
    }
}

fn unadmitted(part: &Part, now: Tick) -> Vec<Offered> {
    let mut offers = Vec::new();
    for node in &part.units.nodes {
        node.unadmitted(now, &mut |waiting: Waiting| {
            offers.push(Offered {
                source: node.index(),
                destination: waiting.destination,
                bytes: waiting.bytes,
                packets: waiting.bytes.div_ceil(part.units.params.packet_bytes),
                group: waiting.group,
                born: waiting.born,
                refused: false,
            });
        });
    }
    offers
}
