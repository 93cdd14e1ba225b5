//! Looking ahead: reading a word of each cache line that an event will need, for several events in turn, so that the misses
//! of one event need not wait for those of another. Nothing is changed, and nothing comes of what is read.
//!
//! What is needed is found by way of pointers, so there is a look for each step of the way: registers of the switch, ports,
//! heads and queues, cells, packets.

use crate::env::Wake;
use crate::in_port::InPort;
use crate::out_port::OutPort;
use crate::packet::{PacketId, Packets};
use crate::requests::{Class, bits};
use crate::switch::Switch;

/// Looks that an event needs.
#[inline]
pub fn looks(kind: Wake) -> usize {
    match kind {
        Wake::Link | Wake::Crossbar => 5,
        Wake::Store | Wake::StoreEgress => 3,
        _ => 1,
    }
}

impl Switch {
    /// Look number `step`, below [`looks`], for an event of `kind` at `port`; `arriving` is the packet on the wire to it, for
    /// [`Wake::Store`]. The result means nothing: it is there so that the reading is.
    #[inline]
    pub fn look(
        &self,
        kind: Wake,
        port: usize,
        step: usize,
        arriving: Option<PacketId>,
        packets: &Packets,
    ) -> u64 {
        if step == 0 {
            return self.busy_inputs ^ self.begun ^ self.requests.requested(Class::Normal);
        }
        match kind {
            Wake::Link => {
                let (output, input) = (&self.outputs[port], &self.inputs[port]);
                match step {
                    1 => output.look() ^ input.look(),
                    2 => output.look_at_head() ^ input.look_at_transfer(),
                    _ => look_at_front(output.first_in_line(), step, packets),
                }
            }
            Wake::Crossbar => self.look_at_crossbar(port, step, packets),
            Wake::Store => {
                let input = &self.inputs[port];
                let packet = |id: PacketId| &packets[id];
                match (step, arriving) {
                    (1, Some(id)) => input.look() ^ packet(id).due,
                    (2, Some(id)) => {
                        let output = usize::from(packet(id).ahead);
                        input.look_at_queues()
                            ^ self.outputs[output].link.look()
                            ^ self.requests.inputs_of_any_class(output)
                            ^ self.requests.outputs(port)
                    }
                    _ => 0,
                }
            }
            Wake::StoreEgress => {
                let output = &self.outputs[port];
                match step {
                    1 => output.look(),
                    2 => {
                        let front = output.arrivals.front();
                        output.look_at_queues() ^ front.map_or(0, |id| packets[id].due)
                    }
                    _ => 0,
                }
            }
            _ => 0,
        }
    }

    #[inline]
    fn look_at_crossbar(&self, output: usize, step: usize, packets: &Packets) -> u64 {
        if step == 1 {
            return self.outputs[output].look() ^ self.requests.inputs_of_any_class(output);
        }
        let Some(input) = bits(self.requests.inputs_of_any_class(output)).next() else {
            return 0;
        };
        let port = &self.inputs[input];
        let queues = self.requests.queues(Class::Normal, input, output);
        if step == 2 {
            return port.look() ^ self.outputs[input].link.look() ^ queues[0];
        }
        let Some(queue) = bits(queues[0]).next() else {
            return 0;
        };
        match step {
            3 => port.heads[queue].visible ^ u64::from(port.memory.packets(queue as u16)),
            _ => look_at_front(port.memory.front(queue as u16), step, packets),
        }
    }
}

/// The last looks: at the cell that names a packet, then at the packet.
#[inline]
fn look_at_front(front: Option<PacketId>, step: usize, packets: &Packets) -> u64 {
    match front {
        Some(id) if step == 4 => packets[id].due,
        Some(id) => u64::from(id),
        None => 0,
    }
}

impl InPort {
    /// The registers of the port.
    #[inline]
    fn look(&self) -> u64 {
        u64::from(self.pointer) ^ u64::from(self.memory.free_cells()) ^ u64::from(self.normal)
    }

    /// What a store will touch.
    #[inline]
    fn look_at_queues(&self) -> u64 {
        let head = self.heads.first().map_or(0, |head| head.visible);
        let last = self.heads.last().map_or(0, |head| head.visible);
        head ^ last ^ self.memory.look()
    }

    /// The cells that come free with the tail of the present transfer.
    #[inline]
    fn look_at_transfer(&self) -> u64 {
        let cells = self.transfer.as_ref().map(|t| &t.lease);
        cells.map_or(0, |lease| self.memory.look_at_lease(lease))
    }
}

impl OutPort {
    /// The registers of the port.
    #[inline]
    fn look(&self) -> u64 {
        self.tail_end()
            ^ u64::from(self.arrivals.front().is_some())
            ^ u64::from(self.memory.free_cells())
            ^ self.link.look()
    }

    /// What a store will touch.
    #[inline]
    fn look_at_queues(&self) -> u64 {
        let (first, last) = self.look_at_ends();
        first ^ last ^ self.memory.look()
    }
}
