//! What the inputs of switches hold packets for, as far as pauses ask for it.

use switch::Packet;
use units::{PacketId, PortId, VcId, WireId};

/// A VC of the link behind an output of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The output.
    pub output: PortId,
    /// The VC behind it.
    pub vc: VcId,
}

/// Where a packet waits, and for what.
#[derive(Debug, Clone, Copy)]
struct Wants {
    vc: VcId,
    way: Way,
}

/// Packets of a VC of an input that are for one way.
#[derive(Debug, Clone, Copy)]
struct Count {
    wants: Wants,
    packets: u32,
}

/// Counts of all inputs.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    /// By packet, as it was when it was stored: its route is another one when it has left.
    of: Vec<Option<Wants>>,
    /// By input.
    inputs: Vec<Vec<Count>>,
}

impl Wanted {
    /// A packet was stored at an input.
    pub(super) fn stored(&mut self, input: WireId, id: PacketId, packet: &Packet) {
        let wants = Wants {
            vc: packet.vc,
            way: Way {
                output: packet.output,
                vc: packet.next_vc,
            },
        };
        let slot = id.0 as usize;
        if self.of.len() <= slot {
            self.of.resize(slot + 1, None);
        }
        self.of[slot] = Some(wants);
        if self.inputs.len() <= input.index() {
            self.inputs.resize(input.index() + 1, Vec::new());
        }
        let counts = &mut self.inputs[input.index()];
        match counts.iter_mut().find(|count| count.is(wants)) {
            Some(count) => count.packets += 1,
            None => counts.push(Count { wants, packets: 1 }),
        }
    }

    /// A packet has left the input.
    pub(super) fn departed(&mut self, input: WireId, id: PacketId) {
        let Some(wants) = self.of.get_mut(id.0 as usize).and_then(Option::take) else {
            return;
        };
        let mut counts = self.inputs[input.index()].iter_mut();
        if let Some(count) = counts.find(|count| count.is(wants)) {
            count.packets -= 1;
        }
    }

    /// The way for which a VC of an input holds the most packets, of those that `are`; of equal
    /// ones the first.
    pub(super) fn most(&self, input: WireId, vc: VcId, are: impl Fn(Way) -> bool) -> Option<Way> {
        let counts = self.inputs.get(input.index())?.iter();
        let here = counts.filter(|count| count.wants.vc == vc && count.packets > 0);
        let ways = here.map(|count| (count.packets, std::cmp::Reverse(count.wants.way)));
        let most = ways.filter(|(_, way)| are(way.0)).max()?;
        Some(most.1.0)
    }
}

impl Count {
    fn is(&self, wants: Wants) -> bool {
        self.wants.vc == wants.vc && self.wants.way == wants.way
    }
}
