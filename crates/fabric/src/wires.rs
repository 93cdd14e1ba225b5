//! The wires: packets and control packets on their way, by the port at which they will arrive.

use arrayvec::ArrayVec;
use flow_control::Control;
use observe::Owner;
use std::collections::VecDeque;
use switch::{Fifo, Packets};
use units::{ClassId, PacketId, Tick, WireId};

/// Whether the port at the end of a wire is in this part of the fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It is: element by its number in this part.
    Here(Owner),
    /// It is in another.
    Away {
        /// Which.
        part: u32,
    },
}

/// A credit packet on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) due: Tick,
    pub(crate) cells: u32,
    pub(crate) class: ClassId,
}

/// Credit packets for which a wire has room in place.
const IN_PLACE: usize = 2;

/// Further ones for which there is room from the start.
const BEHIND: usize = 4;

/// One wire: one cache line.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Wire {
    end: End,
    packets: Fifo,
    /// The receiver is told of the next credit as it comes; else it counts what has come when it
    /// needs it.
    awaited: bool,
    /// Apart from the others: their stage at the receiver makes them later than a named packet sent
    /// after them. Further ones are in [`Wires::more`].
    credits: ArrayVec<Credit, IN_PLACE>,
}

const _: () = assert!(size_of::<Wire>() == 64);

/// What was on a wire that was cut.
#[derive(Debug)]
pub(crate) struct Cut {
    /// Packets, still among the packets.
    pub(crate) packets: Vec<PacketId>,
    /// Credit: class and cells.
    pub(crate) credits: Vec<(ClassId, u32)>,
}

/// Everything on wires.
#[derive(Debug, Clone)]
pub(crate) struct Wires {
    wires: Box<[Wire]>,
    named: Box<[VecDeque<(Tick, Control)>]>,
    /// Credit packets behind those in place.
    more: Box<[VecDeque<Credit>]>,
    /// Reused.
    kept: Vec<Credit>,
    all_awaited: bool,
}

impl Wires {
    /// Wires that end so. `all_awaited`: receivers are told of every credit (`iq`, where the
    /// crossbar asks for it).
    pub(crate) fn new(ends: impl ExactSizeIterator<Item = End>, all_awaited: bool) -> Wires {
        let named = vec![VecDeque::new(); ends.len()].into();
        let behind = || VecDeque::with_capacity(BEHIND);
        let more = (0..ends.len()).map(|_| behind()).collect();
        let wire = |end| Wire {
            end,
            packets: Fifo::default(),
            credits: ArrayVec::new(),
            awaited: all_awaited,
        };
        Wires {
            wires: ends.map(wire).collect(),
            named,
            more,
            kept: Vec::with_capacity(IN_PLACE + BEHIND),
            all_awaited,
        }
    }

    /// Where it ends.
    #[inline(always)]
    pub(crate) fn end(&self, wire: WireId) -> End {
        self.wires[wire.index()].end
    }

    /// Puts a packet on a wire.
    #[inline(always)]
    pub(crate) fn send(&mut self, wire: WireId, packets: &mut Packets, id: PacketId) {
        self.wires[wire.index()].packets.push(packets, id);
    }

    /// The packet that arrives next.
    #[inline(always)]
    pub(crate) fn front(&self, wire: WireId) -> Option<PacketId> {
        self.wires[wire.index()].packets.front()
    }

    /// When the packet that arrives next does.
    #[inline(always)]
    pub(crate) fn packet_due(&self, wire: WireId, packets: &Packets) -> Option<Tick> {
        self.wires[wire.index()].packets.due(packets)
    }

    /// Takes the packet that arrives next.
    #[inline(always)]
    pub(crate) fn take(&mut self, wire: WireId, packets: &Packets) -> Option<PacketId> {
        self.wires[wire.index()].packets.pop(packets)
    }

    /// Puts a credit packet on a wire. Whether the receiver is to be told as it comes.
    #[inline(always)]
    pub(crate) fn send_credit(&mut self, at: WireId, credit: Credit, now: Tick) -> bool {
        let wire = &mut self.wires[at.index()];
        if wire.credits.try_push(credit).is_err() {
            self.send_behind(at, credit, now);
        }
        self.wires[at.index()].awaited
    }

    /// A third credit packet: what has come is added up by class, so that a receiver that does not
    /// need it keeps no list of it.
    #[inline(never)]
    fn send_behind(&mut self, at: WireId, credit: Credit, now: Tick) {
        let (wire, more) = (&mut self.wires[at.index()], &mut self.more[at.index()]);
        let kept = &mut self.kept;
        for credit in wire.credits.drain(..).chain(more.drain(..)) {
            let known = |k: &&mut Credit| k.class == credit.class && credit.due < now;
            match kept.iter_mut().find(known) {
                Some(k) => k.cells += credit.cells,
                None => kept.push(credit),
            }
        }
        kept.push(credit);
        for credit in kept.drain(..) {
            if let Err(full) = wire.credits.try_push(credit) {
                more.push_back(full.element());
            }
        }
    }

    /// Takes a credit packet that has come before tick `before`.
    #[inline(always)]
    pub(crate) fn take_credit(&mut self, at: WireId, before: Tick) -> Option<Credit> {
        let wire = &mut self.wires[at.index()];
        let first = *wire.credits.first()?;
        if first.due >= before {
            return None;
        }
        wire.credits.remove(0);
        if !wire.credits.is_empty() {
            self.pull(at);
        }
        Some(first)
    }

    /// One of two in place was taken: the next one comes up.
    #[inline(never)]
    fn pull(&mut self, at: WireId) {
        if let Some(next) = self.more[at.index()].pop_front() {
            self.wires[at.index()].credits.push(next);
        }
    }

    /// The receiver is told of the next credit as it comes, or it was: when the next one comes that
    /// is on the wire already and nobody was told of.
    pub(crate) fn await_credit(&mut self, wire: WireId) -> Option<Tick> {
        let wire = &mut self.wires[wire.index()];
        if std::mem::replace(&mut wire.awaited, true) {
            return None;
        }
        wire.credits.first().map(|credit| credit.due)
    }

    /// The receiver was told of credit: it says if it goes on waiting.
    #[inline]
    pub(crate) fn end_await(&mut self, wire: WireId) {
        self.wires[wire.index()].awaited = self.all_awaited;
    }

    /// Puts another control packet on a wire.
    #[inline]
    pub(crate) fn send_named(&mut self, wire: WireId, due: Tick, control: Control) {
        self.named[wire.index()].push_back((due, control));
    }

    /// Takes another control packet that is due by `now`.
    #[inline]
    pub(crate) fn take_named(&mut self, wire: WireId, now: Tick) -> Option<Control> {
        let named = &mut self.named[wire.index()];
        named.front().filter(|(due, _)| *due <= now)?;
        named.pop_front().map(|(_, control)| control)
    }

    /// Packets on a wire.
    pub(crate) fn packets_to<'a>(
        &self,
        wire: WireId,
        packets: &'a Packets,
    ) -> impl Iterator<Item = PacketId> + 'a {
        self.wires[wire.index()].packets.iter(packets)
    }

    /// Credit on a wire: class and cells.
    pub(crate) fn credits_to(&self, wire: WireId) -> impl Iterator<Item = (ClassId, u32)> + '_ {
        let in_place = self.wires[wire.index()].credits.iter();
        let credits = in_place.chain(&self.more[wire.index()]);
        credits.map(|credit| (credit.class, credit.cells))
    }

    /// Control packets on all wires.
    pub(crate) fn control_packets(&self) -> usize {
        let credits = self.wires.iter().map(|wire| wire.credits.len());
        let more = self.more.iter().map(VecDeque::len);
        let named = self.named.iter().map(VecDeque::len);
        credits.chain(more).chain(named).sum()
    }

    /// A link is cut: packets and credit on the wire are lost. Other control packets arrive, as if
    /// the link layer had sent them again: what RECN does without them is not specified.
    pub(crate) fn cut(&mut self, wire: WireId, packets: &Packets) -> Cut {
        let (record, more) = (&mut self.wires[wire.index()], &mut self.more[wire.index()]);
        let on_wire = std::mem::take(&mut record.packets);
        let credits = record.credits.drain(..).chain(more.drain(..));
        Cut {
            packets: on_wire.iter(packets).collect(),
            credits: credits.map(|credit| (credit.class, credit.cells)).collect(),
        }
    }

    /// What was told of faults over a wire that was cut does not arrive.
    pub(crate) fn forget_recovery(&mut self, wire: WireId) {
        self.named[wire.index()].retain(|(_, control)| !matches!(control, Control::Recovery(_)));
    }

    /// Asks for a wire ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, wire: WireId) {
        prefetch::nth(&self.wires, wire.index());
    }
}
