//! The oracle: a switch as a list of packets, which is searched at every event. No counters.

use ecn::marking::{Held, Kind, Marking};
use units::PortId;

/// A packet of the oracle.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    pub(crate) number: usize,
    pub(crate) input: usize,
    pub(crate) output: PortId,
    pub(crate) kind: Kind,
    pub(crate) sending: bool,
    /// Found by a search: to be marked.
    pub(crate) marked: bool,
}

/// All packets in the input buffers, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    pub(crate) packets: Vec<Packet>,
    arrivals: usize,
}

impl Scan {
    /// A packet arrives; says how many packets its buffer holds now.
    pub(crate) fn arrive(&mut self, input: usize, output: PortId, kind: Kind) -> usize {
        self.packets.push(Packet {
            number: self.arrivals,
            input,
            output,
            kind,
            sending: false,
            marked: false,
        });
        self.arrivals += 1;
        self.stored(input)
    }

    pub(crate) fn stored(&self, input: usize) -> usize {
        self.packets.iter().filter(|p| p.input == input).count()
    }

    /// What a buffer holds, with the numbers of the packets.
    pub(crate) fn held(&self, input: usize) -> Vec<(usize, Held)> {
        let there = self.packets.iter().filter(|p| p.input == input);
        there
            .map(|p| {
                let (output, kind, sending) = (p.output, p.kind, p.sending);
                (p.number, Held { output, kind, sending })
            })
            .collect()
    }

    /// Places in the list of the packets that wait for an output.
    pub(crate) fn waiting(&self, output: PortId) -> Vec<usize> {
        let all = self.packets.iter().enumerate();
        all.filter(|(_, p)| p.output == output && !p.sending).map(|(at, _)| at).collect()
    }

    /// Marks all data packets that wait for an output.
    pub(crate) fn mark_all(&mut self, output: PortId) {
        for packet in &mut self.packets {
            packet.marked |=
                packet.output == output && !packet.sending && packet.kind == Kind::Data;
        }
    }

    /// A buffer is full.
    pub(crate) fn full(&mut self, rule: &Marking, input: usize) {
        match rule {
            Marking::Naive => {
                for packet in self.packets.iter_mut().filter(|p| p.input == input) {
                    packet.marked |= !packet.sending && packet.kind == Kind::Data;
                }
            }
            Marking::InputTriggered | Marking::InputOutputTriggered { .. } => {
                for (_, held) in self.held(input) {
                    self.mark_all(held.output);
                }
            }
            Marking::None | Marking::Red(_) => {}
        }
    }

    /// Data packets that wait for an output.
    pub(crate) fn data_waiting(&self, output: PortId) -> usize {
        let all = self.waiting(output).into_iter();
        all.filter(|&at| self.packets[at].kind == Kind::Data).count()
    }
}
