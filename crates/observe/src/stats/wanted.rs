//! What the inputs of switches hold packets for, as far as pauses ask for it.

use crate::packet::{PacketKey, PacketKind, PacketView};
use std::collections::BTreeMap;
use units::{PortId, VcId, WireId};

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
pub(super) struct Wants {
    vc: VcId,
    way: Way,
}

impl Wants {
    #[inline(always)]
    pub(super) fn of(packet: &PacketView) -> Wants {
        Wants { vc: packet.vc, way: Way { output: packet.output, vc: packet.next_vc } }
    }
}

/// See [`PacketView::id`].
type PacketId = (PacketKey, PacketKind);

/// Packets of a VC of an input that are for one way.
#[derive(Debug, Clone, Copy)]
struct Count {
    wants: Wants,
    packets: u32,
}

/// What an input holds.
#[derive(Debug, Clone, Default)]
struct Input {
    /// By packet, as it was when it was stored: its route may be another one when it leaves.
    of: BTreeMap<PacketId, Wants>,
    counts: Vec<Count>,
}

/// Counts of all inputs.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    inputs: Vec<Input>,
}

impl Wanted {
    /// A packet was stored at an input.
    pub(super) fn stored(&mut self, input: WireId, id: PacketId, wants: Wants) {
        if self.inputs.len() <= input.index() {
            self.inputs.resize(input.index() + 1, Input::default());
        }
        let Input { of, counts } = &mut self.inputs[input.index()];
        of.insert(id, wants);
        match counts.iter_mut().find(|count| count.is(wants)) {
            Some(count) => count.packets += 1,
            None => counts.push(Count { wants, packets: 1 }),
        }
    }

    /// A packet has left the input.
    pub(super) fn departed(&mut self, input: WireId, id: PacketId) {
        let Some(Input { of, counts }) = self.inputs.get_mut(input.index()) else {
            return;
        };
        let Some(wants) = of.remove(&id) else {
            return;
        };
        if let Some(count) = counts.iter_mut().find(|count| count.is(wants)) {
            count.packets -= 1;
        }
    }

    /// The way for which a VC of an input holds the most packets, of those that `are`; of equal
    /// ones the first.
    pub(super) fn most(&self, input: WireId, vc: VcId, are: impl Fn(Way) -> bool) -> Option<Way> {
        let counts = self.inputs.get(input.index())?.counts.iter();
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
