//! Which queue, credit class, virtual channel and output a packet takes next.

use super::{Flat, Mode, Packet, Port, Size};
use plan::SchemeKind;
use std::sync::Arc;

/// The queue of a scheme (spec: switch.md, Queue schemes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Map {
    /// Queue 0.
    One,
    /// By output: here, or in the next switch.
    Output,
    /// By destination.
    Destination,
    /// By destination modulo this.
    Modulo(u32),
}

impl Map {
    #[inline(always)]
    pub(crate) fn queue(self, output: u8, destination: u32) -> usize {
        match self {
            Map::One => 0,
            Map::Output => usize::from(output),
            Map::Destination => destination as usize,
            Map::Modulo(queues) => (destination % queues) as usize,
        }
    }

    /// Of ingress and egress ports.
    pub(crate) fn of(config: &plan::SwitchConfig) -> [Map; 2] {
        use plan::VoqSwOutput;
        match config.scheme {
            SchemeKind::OneQueue => [Map::One; 2],
            SchemeKind::VoqSw if config.voq_sw_output == VoqSwOutput::LookAhead => [Map::Output; 2],
            SchemeKind::VoqSw => [Map::Output, Map::One],
            SchemeKind::VoqNet => [Map::Destination; 2],
            SchemeKind::Dbbm => [Map::Modulo(config.dbbm_queues); 2],
            SchemeKind::Damq => [Map::Output; 2],
            SchemeKind::VoqPerVc => [Map::Output, Map::One],
            SchemeKind::Pfc => match config.pfc.map(|pfc| pfc.queues) {
                Some(plan::PfcQueues::VoqSw) => [Map::Output, Map::One],
                _ => [Map::One; 2],
            },
            SchemeKind::RecnBasic | SchemeKind::RecnDdIq => [Map::One; 2],
            SchemeKind::Recn | SchemeKind::RecnDd => [Map::Output, Map::One],
        }
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
    /// The queue of a packet at an ingress port; a class each, if each has its credit.
    #[inline(always)]
    pub(crate) fn ingress_queue(&self, p: usize, packet: &Packet) -> usize {
        if self.per_queue_credits {
            return packet.class.into();
        }
        let queue = self.ingress_map.queue(packet.out, packet.destination);
        self.of_vc(packet.vc, self.port[p].ingress_of_vc) + queue
    }

    /// The queue of a packet at an egress port; a class each, if each has its credit.
    #[inline(always)]
    pub(crate) fn egress_queue(&self, port: &Port, packet: &Packet) -> usize {
        if self.per_queue_credits {
            return packet.class.into();
        }
        let queue = self.egress_map.queue(packet.ahead, packet.destination);
        self.of_vc(packet.next_vc, port.egress_of_vc) + queue
    }

    /// The class of a packet in the memory of an egress port.
    #[inline(always)]
    pub(crate) fn class_of_egress(&self, p: usize, packet: &Packet) -> u16 {
        if !self.per_queue_credits {
            return packet.next_vc.into();
        }
        let queue = self.egress_map.queue(packet.ahead, packet.destination);
        (self.of_vc(packet.next_vc, self.port[p].egress_of_vc) + queue) as u16
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
        if !port.to_switch {
            return 0;
        }
        if !self.per_queue_credits {
            return packet.next_vc.into();
        }
        let queue = self.ingress_map.queue(packet.ahead, packet.destination);
        if !self.rare.vcs {
            return queue as u16;
        }
        let queues = self.port[port.peer as usize].ingress_of_vc;
        (self.of_vc(packet.next_vc, queues) + queue) as u16
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
