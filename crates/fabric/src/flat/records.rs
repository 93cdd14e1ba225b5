//! Records: packets, queues, and both sides of a port.

use super::{NONE, T};
use observe::{PacketKind, PacketView};
use turnpool::Route;
use units::{PortId, Tick, VcId};

/// A packet: what a hop touches in the first cache line, what the ends touch in the second.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Packet {
    /// Turns that remain.
    pub(crate) route: Route,
    /// The packet behind it in its queue or on its wire.
    pub(crate) next: u32,
    /// From this tick on an arbiter sees it, if it is the head of its queue.
    pub(crate) visible: T,
    /// When its head is stored where it is, or is on its way to; at an end node its tail.
    pub(crate) stored: T,
    /// When its tail is.
    pub(crate) tail: T,
    pub(crate) payload: u32,
    pub(crate) destination: u32,
    /// Its lengths: [`Size`], and the cells that it takes.
    pub(crate) size: u16,
    pub(crate) cells: u16,
    /// Credit class where it is, or is on its way to.
    pub(crate) class: u16,
    /// That of the memory after that.
    pub(crate) next_class: u16,
    /// Output that it requests in the switch that it is in.
    pub(crate) out: u8,
    /// Output that it will request in the next one.
    pub(crate) ahead: u8,
    /// Ingress port by which it came.
    pub(crate) sender: u8,
    pub(crate) vc: u8,
    pub(crate) next_vc: u8,
    pub(crate) mark: bool,
    pub(crate) assigned: bool,
    pub(crate) kind: PacketKind,
    pub(crate) source: u32,
    pub(crate) sequence: u32,
    pub(crate) bytes: u32,
    pub(crate) born: T,
    pub(crate) injected: T,
    pub(crate) asked: T,
    pub(crate) group: u8,
    pub(crate) last: bool,
}

const _: () = assert!(std::mem::offset_of!(Packet, source) == 64);

impl Packet {
    /// As observers are told of it.
    #[inline(always)]
    pub(crate) fn view(&self) -> PacketView {
        PacketView {
            source: self.source,
            destination: self.destination,
            sequence: self.sequence,
            payload: self.payload,
            bytes: self.bytes,
            born: Tick(self.born.into()),
            injected: Tick(self.injected.into()),
            asked: Tick(self.asked.into()),
            stored: Tick(self.stored.into()),
            output: PortId(self.out),
            vc: VcId(self.vc),
            next_vc: VcId(self.next_vc),
            group: self.group,
            kind: self.kind,
            mark: self.mark,
            last: self.last,
        }
    }
}

/// Packets in slots that are used again.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    pub(crate) slots: Vec<Packet>,
    free: Vec<u32>,
}

impl Packets {
    #[inline]
    pub(crate) fn insert(&mut self, packet: Packet) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self.slots[id as usize] = packet;
                id
            }
            None => {
                self.slots.push(packet);
                (self.slots.len() - 1) as u32
            }
        }
    }

    /// Visits every packet alive, in no order that means anything.
    pub(crate) fn for_each(&self, visit: &mut dyn FnMut(&Packet)) {
        let mut alive = vec![true; self.slots.len()];
        for &id in &self.free {
            alive[id as usize] = false;
        }
        let slots = self.slots.iter().zip(alive);
        slots.filter(|(_, alive)| *alive).map(|(packet, _)| packet).for_each(visit);
    }

    #[inline]
    pub(crate) fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    /// Puts a packet, with none behind it, behind the last one of a queue. Whether it is the first.
    #[inline(always)]
    pub(crate) fn push(&mut self, queue: &mut Queue, k: usize) -> bool {
        debug_assert_eq!(self.slots[k].next, NONE);
        let tail = std::mem::replace(&mut queue.tail, k as u32);
        queue.packets += 1;
        if queue.head == NONE {
            queue.head = k as u32;
            return true;
        }
        self.slots[tail as usize].next = k as u32;
        false
    }

    /// Takes the head of a queue that has one.
    #[inline(always)]
    pub(crate) fn pop(&mut self, queue: &mut Queue) -> usize {
        let k = queue.head as usize;
        queue.head = std::mem::replace(&mut self.slots[k].next, NONE);
        queue.packets -= 1;
        k
    }
}

/// What a packet of some bytes takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Ticks on a link.
    pub(crate) link: T,
    /// Ticks on the crossbar.
    pub(crate) crossbar: T,
    pub(crate) cells: u16,
}

/// A queue of packets, linked through them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) head: u32,
    pub(crate) tail: u32,
    pub(crate) packets: u32,
    /// The port that it is of.
    pub(crate) port: u32,
}

impl Queue {
    pub(crate) fn new(port: usize) -> Queue {
        Queue { head: NONE, tail: NONE, packets: 0, port: port as u32 }
    }
}

/// A port of a switch, or the one of an end node, by the number of the wire that ends there: what
/// does not change, and the registers of its sending side: link, credit, room and link arbiter.
#[derive(Debug, Clone, Default)]
#[repr(C, align(64))]
pub(crate) struct Port {
    /// The link is taken until then.
    pub(crate) busy: T,
    /// The link is looked at then, if not before; [`NONE`].
    pub(crate) asked: T,
    /// When the tail of the packet that leaves the egress memory has left; [`NONE`].
    pub(crate) tail_end: T,
    pub(crate) leaving_class: u16,
    pub(crate) leaving_cells: u16,
    /// Queues with a head that may request: a bit each, or how many where they fit no word.
    pub(crate) eligible: u64,
    /// Classes of credit that wait from `ready` on: a bit each, or how many.
    pub(crate) waiting: u64,
    /// From when on the first credit waits that goes back over the link; [`NONE`].
    pub(crate) ready: T,
    /// From when on other credit waits; further such credit is in [`super::Flat::later`].
    pub(crate) later: T,
    pub(crate) later_class: u16,
    pub(crate) later_cells: u16,
    /// Where the round robin over the queues, over classes of credit that waits begins.
    pub(crate) pointer: u16,
    pub(crate) back_pointer: u16,
    /// Credit packets on their way here, in place.
    pub(crate) flying: u8,
    /// Somebody waits for credit here.
    pub(crate) awaits_credit: bool,
    /// Somebody waits for the credit that goes back over the link.
    pub(crate) returns_urgently: bool,
    /// Somebody waits for room here, and nothing that it wants leaves.
    pub(crate) awaits_room: bool,
    /// Named control packets wait.
    pub(crate) named: bool,
    pub(crate) at_switch: bool,
    pub(crate) to_switch: bool,
    pub(crate) number: u8,
    /// The port at the other end of its link.
    pub(crate) peer: u32,
    /// Of the wire that begins here.
    pub(crate) latency: T,
    // The second cache line.
    pub(crate) fly: [Fly; 2],
    /// Its switch; of an end node its number.
    pub(crate) element: u32,
    /// First queue of the egress side, and of the ingress side.
    pub(crate) egress: u32,
    pub(crate) ingress: u32,
    /// Counters of classes, one behind the other: credit behind the link, room in the egress
    /// memory, and credit of the ingress memory that waits to go back over the link.
    pub(crate) credits: u32,
    pub(crate) room: u32,
    pub(crate) back: u32,
    /// Cells of a class, behind the link and in the egress memory.
    pub(crate) credit_cells: u16,
    pub(crate) room_cells: u16,
    /// Queues of a side, SAQs not counted.
    pub(crate) egress_queues: u16,
    pub(crate) ingress_queues: u16,
    /// Its link leads to another part.
    pub(crate) is_cut: bool,
    /// Ports of its switch.
    pub(crate) ports: u8,
    /// Width of the turns of its switch.
    pub(crate) width: u8,
    /// Sets of queues, or of classes, that fit no word.
    pub(crate) egress_words: Words,
    pub(crate) back_words: Words,
    /// Queues of a VC.
    pub(crate) egress_of_vc: u16,
    pub(crate) ingress_of_vc: u16,
}

const _: () = assert!(std::mem::offset_of!(Port, fly) == 64 && size_of::<Port>() == 128);

impl Port {
    /// Port 0 of the switch of port `p`, which this is.
    #[inline(always)]
    pub(crate) fn first(&self, p: usize) -> usize {
        p - usize::from(self.number)
    }

    /// From when on a control packet may start: out of band it needs no idle link, but one that is
    /// up.
    #[inline(always)]
    pub(crate) fn later_busy(&self, out_of_band: bool) -> T {
        if out_of_band && self.busy != NONE { 0 } else { self.busy }
    }
}

/// A set that fits no word: where it stands in [`super::Flat::wide`], behind how many words it has;
/// 0 for one that fits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Words(u32);

impl Words {
    /// A set of so many numbers, with words of its own if it needs them.
    pub(crate) fn of(count: u32, wide: &mut Vec<u64>) -> Words {
        if count <= 64 {
            return Words::default();
        }
        if wide.is_empty() {
            wide.push(0);
        }
        let (at, len) = (wide.len(), count.div_ceil(64));
        wide.push(len.into());
        wide.resize(wide.len() + len as usize, 0);
        Words(at as u32)
    }

    #[inline(always)]
    pub(crate) fn fits_word(self) -> bool {
        self.0 == 0
    }

    /// Its words; none where it fits one.
    #[inline(always)]
    pub(crate) fn all(self, wide: &[u64]) -> &[u64] {
        match wide.get(self.0 as usize) {
            Some(&len) => &wide[self.0 as usize + 1..][..len as usize],
            None => &[],
        }
    }

    /// The word of a number, of a set that fits none.
    #[inline(always)]
    pub(crate) fn word(self, wide: &mut [u64], number: usize) -> &mut u64 {
        &mut wide[self.0 as usize + 1 + number / 64]
    }
}

/// Credit on its way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fly {
    pub(crate) due: T,
    pub(crate) class: u16,
    pub(crate) cells: u16,
}
