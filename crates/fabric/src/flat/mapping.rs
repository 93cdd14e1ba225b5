//! Which queue, credit class, virtual channel and output a packet takes next.

use super::{Flat, Mode, Packet, Port, Size};
use plan::scheme::Queues;
use std::sync::Arc;

/// The queue of a scheme (spec: switch.md, Queue schemes): by output, or by destination. Numbers
/// in the place of cases, so that a hop pays no jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Map {
    /// All ones where each output has its queue, here or in the next switch.
    outputs: u8,
    /// Where destinations have queues: that of their remainder by so many.
    modulus: u32,
}

impl Map {
    /// Queue 0.
    pub(crate) const ONE: Map = Map { outputs: 0, modulus: 1 };
    /// By output.
    pub(crate) const OUTPUT: Map = Map { outputs: u8::MAX, modulus: 1 };

    /// Of what the normal queues of a port are for.
    pub(crate) fn of(queues: Queues) -> Map {
        match queues {
            Queues::One => Map::ONE,
            Queues::Output => Map::OUTPUT,
            Queues::Destination => Map { outputs: 0, modulus: u32::MAX },
            Queues::Modulo(modulus) => Map { outputs: 0, modulus },
        }
    }

    /// The queue of an output, where none is of a destination.
    #[inline(always)]
    pub(crate) fn of_output(self, output: usize) -> usize {
        output & usize::from(self.outputs)
    }
}

/// Behind the link of a port, how the output there is found. Four bytes: every hop reads that of a
/// port of which it touches nothing else.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Beyond {
    /// An end node, or a switch where two levels decide.
    Unasked,
    /// A port of that number of a switch with so many, whose turns have that width.
    Turns { width: u8, number: u8, ports: u8 },
    /// By the table of the switch.
    Table,
}

const _: () = assert!(size_of::<Beyond>() == 4);

impl Beyond {
    /// Of each port.
    pub(super) fn all(
        port: &[Port],
        tables: &[Option<Arc<::plan::RouteTable>>],
        is_two_level: bool,
    ) -> Box<[Beyond]> {
        let of = |of: &Port| {
            if !of.to_switch || is_two_level {
                return Beyond::Unasked;
            }
            let there = &port[of.peer as usize];
            match &tables[of.peer as usize] {
                Some(_) => Beyond::Table,
                None => {
                    Beyond::Turns { width: there.width, number: there.number, ports: there.ports }
                }
            }
        };
        port.iter().map(of).collect()
    }
}

impl<M: Mode> Flat<M> {
    /// The queue of a map for an output and a destination.
    #[inline(always)]
    pub(crate) fn queue_by(&self, map: Map, output: u8, destination: u32) -> usize {
        if self.rare.by_destination {
            return (destination % map.modulus) as usize;
        }
        map.of_output(output.into())
    }

    /// The queue of a packet at an ingress port; a class each, if each has its credit.
    #[inline(always)]
    pub(crate) fn ingress_queue(&self, p: usize, packet: &Packet) -> usize {
        if !M::PLAIN && self.per_queue_credits {
            return packet.class.into();
        }
        let queue = self.queue_by(self.ingress_map, packet.out, packet.destination);
        self.of_vc(packet.vc, self.port[p].ingress_of_vc) + queue
    }

    /// The queue of a packet at an egress port; a class each, if each has its credit.
    #[inline(always)]
    pub(crate) fn egress_queue(&self, port: &Port, packet: &Packet) -> usize {
        if !M::PLAIN && self.per_queue_credits {
            return packet.class.into();
        }
        let queue = self.queue_by(self.egress_map, packet.ahead, packet.destination);
        self.of_vc(packet.next_vc, port.egress_of_vc) + queue
    }

    /// The class of a packet in the memory of an egress port.
    #[inline(always)]
    pub(crate) fn class_of_egress(&self, p: usize, packet: &Packet) -> u16 {
        self.class_by(self.egress_class, packet, || self.port[p].egress_of_vc)
    }

    /// The class of a packet by the map of a memory that has `queues` in a VC.
    #[inline(always)]
    fn class_by(&self, map: Map, packet: &Packet, queues: impl FnOnce() -> u16) -> u16 {
        let queue = self.queue_by(map, packet.ahead, packet.destination);
        let classes = if self.rare.vcs && self.per_queue_credits { queues() } else { 1 };
        (self.of_vc(packet.next_vc, classes) + queue) as u16
    }

    /// First queue of a VC.
    #[inline(always)]
    fn of_vc(&self, vc: u8, queues: u16) -> usize {
        if !self.rare.vcs {
            return 0;
        }
        usize::from(vc) * usize::from(queues)
    }

    /// What a transfer takes room in: the class in the memory of the egress port, in `iq` in the
    /// next input memory.
    #[inline(always)]
    pub(crate) fn class_behind_crossbar(&self, to: usize, packet: &Packet) -> u16 {
        if self.rare.is_iq {
            self.class_in_next_memory(&self.port[to], packet)
        } else {
            self.class_of_egress(to, packet)
        }
    }

    /// The class of a packet in the memory behind the link of a port.
    #[inline(always)]
    pub(crate) fn class_in_next_memory(&self, port: &Port, packet: &Packet) -> u16 {
        // In a plain fabric that is 0 by the map: nothing is ahead.
        debug_assert!(!M::PLAIN || port.to_switch || packet.ahead == 0);
        if !M::PLAIN && !port.to_switch {
            return 0;
        }
        let queues = || self.port[port.peer as usize].ingress_of_vc;
        self.class_by(self.ingress_class, packet, queues)
    }

    /// The VC of the link behind an output for a packet.
    #[inline(always)]
    pub(crate) fn next_vc(&self, p: usize, output: usize, k: usize) -> u8 {
        if !self.rare.vcs {
            return 0;
        }
        if self.rare.two_level {
            return self.vc_of_trip(output, k);
        }
        let vc = self.packets.slots[k].vc;
        let port = &self.port[output];
        let Some(step) = self.steps[p].get(usize::from(port.number)) else {
            return vc;
        };
        let first = if vc < self.first_reply_vc { 0 } else { self.first_reply_vc };
        first + step.next(units::VcId(vc - first)).0
    }

    /// The output that a packet of this route and destination will request behind the link of a
    /// port, whose turn is `skip` bits on; 0 before an end node.
    #[inline(always)]
    pub(crate) fn look_ahead(
        &self,
        p: usize,
        route: &turnpool::Route,
        destination: u32,
        skip: u32,
    ) -> u8 {
        match self.beyond[p] {
            Beyond::Unasked => 0,
            Beyond::Turns { width, number, ports } => match route.later(skip, width.into()) {
                Ok(turn) => turnpool::forward(number.into(), turn, ports.into()) as u8,
                Err(error) => self.broken(p, observe::Side::Egress, self.now, &error.to_string()),
            },
            Beyond::Table => {
                let table = self.tables[self.port[p].peer as usize].as_ref();
                let candidates = table.map_or(0, |table| table.candidates(destination));
                candidates.trailing_zeros() as u8 % 64
            }
        }
    }

    /// The lengths of packets of so many bytes.
    #[inline(always)]
    pub(crate) fn size_of(&mut self, bytes: u32) -> u16 {
        if bytes == self.packet_bytes {
            return 0;
        }
        self.size_of_other(bytes)
    }

    #[inline(never)]
    fn size_of_other(&mut self, bytes: u32) -> u16 {
        let known = self.size_of_bytes[bytes as usize];
        if known != u16::MAX {
            return known;
        }
        let lengths = self.params.lengths(bytes);
        self.many.is_whole = false;
        self.sizes.push(Size {
            link: lengths.link.0 as u32,
            crossbar: lengths.crossbar.0 as u32,
            cells: lengths.cells as u16,
        });
        let new = (self.sizes.len() - 1) as u16;
        self.size_of_bytes[bytes as usize] = new;
        new
    }
}
