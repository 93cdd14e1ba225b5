//! What a switch is given from outside: the present tick, the packets, wires, an alarm clock, an observer.

use crate::packet::{PacketId, Packets};
use flow_control::Control;
use turnpool::Point;
use units::{Tick, Ticks};

/// A moment at which a unit has something to do. An engine that visits everything anyway may ignore them all:
/// each is also found by looking at the unit's registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Wake {
    /// Evaluate: the link behind this output. (In `iq` it opens the crossbar output, so it comes first.)
    Link,
    /// Evaluate: heads that came to this input some ticks ago, to be stored late ([`Env::stores_late`]), are visible.
    LateStore,
    /// Evaluate: the crossbar, for this output.
    Crossbar,
    /// Commit 1, `oq`: the tail of the packet on this link leaves.
    LinkTail,
    /// Commit 2: a head is stored at this input, if it was not before.
    Store,
    /// Commit 2: a head is stored at this output, if it was not before.
    StoreEgress,
    /// Commit 2: a tail is ejected at this end node.
    Eject,
    /// Commit 2: a message is generated at this end node.
    Generate,
    /// Commit 3: the PPU of this input moves a packet.
    Ppu,
    /// Commit 3: admittance of this end node.
    Admit,
    /// Commit 4: a control packet arrives at this port.
    Control,
    /// Commit 5-8: markers, frees and tokens of this element.
    Recn,
}

impl Wake {
    /// Number of kinds.
    pub const KINDS: usize = 12;
    /// All kinds, in the order of the phases of a tick.
    pub const ALL: [Wake; Wake::KINDS] = [
        Wake::Link,
        Wake::LateStore,
        Wake::Crossbar,
        Wake::LinkTail,
        Wake::Store,
        Wake::StoreEgress,
        Wake::Eject,
        Wake::Generate,
        Wake::Ppu,
        Wake::Admit,
        Wake::Control,
        Wake::Recn,
    ];
}

/// Side of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Where packets come in.
    Ingress = 0,
    /// Where packets go out; the injection side of an end node too.
    Egress = 1,
}

/// One side of one port of the fabric; `port` is the dense number that the fabric gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Dense port number.
    pub port: u32,
    /// Which side.
    pub side: Side,
}

/// The fixed hook points: what an observer is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A head was stored in a queue.
    Stored {
        /// The packet.
        packet: PacketId,
        /// The queue.
        queue: u16,
    },
    /// The PPU moved a packet from the cold queue into a SAQ.
    Moved {
        /// The packet.
        packet: PacketId,
        /// The SAQ's queue.
        queue: u16,
    },
    /// A packet left its queue: its transmission starts.
    Departed {
        /// The packet.
        packet: PacketId,
        /// The queue.
        queue: u16,
        /// Where to: output port of the crossbar, 0 for a link.
        output: u8,
    },
    /// The tail of a packet will leave a switch on its output link: one packet-hop. Told at its start.
    Hop {
        /// Tick in which the tail leaves.
        at: Tick,
        /// Ticks that the packet holds the link.
        ticks: Ticks,
    },
    /// A control packet starts on the link behind this place.
    ControlSent(Control),
    /// A SAQ was allocated.
    SaqAllocated {
        /// CAM line.
        line: u8,
        /// Point it stands for.
        point: Point,
        /// SAQs in use at this place now.
        in_use: u32,
    },
    /// A SAQ was freed.
    SaqFreed {
        /// CAM line.
        line: u8,
        /// Point it stood for.
        point: Point,
        /// SAQs in use at this place now.
        in_use: u32,
    },
    /// An allocation found no free SAQ.
    SaqRefused(Point),
    /// A message inside a switch, between this egress port and one ingress port: a notification (DD versions: a request that
    /// was answered), Xoff, Xon or a token. Told once for each ingress port that it goes to, about the point as that port
    /// names it.
    Internal(Control),
    /// An Xoff or Xon without an exact match was ignored.
    Ignored(Control),
}

/// The surroundings of a unit in one tick.
pub trait Env {
    /// The present tick.
    fn now(&self) -> Tick;
    /// Known beforehand: no port has SAQs, and there are memories on both sides of the crossbar (`cioq`). Where this is a
    /// constant, what only other switches need is not even looked for.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        false
    }
    /// Known beforehand: heads are stored when somebody looks, as soon as they are visible to an arbiter, at ports that are
    /// quiet (no SAQ is in use there) and of which too little is taken for congestion to be detected; all others in the tick in
    /// which they come.
    #[inline(always)]
    fn stores_late(&self) -> bool {
        false
    }
    /// All packets.
    fn packets(&mut self) -> &mut Packets;
    /// Asks to be woken. `at` is the present tick only for phases still to come.
    fn wake(&mut self, at: Tick, kind: Wake, element: u32, port: u8);
    /// Puts a packet on the wire that ends at port `to`; its `due` is set. `few`: with it too little is in the memory there for
    /// congestion to be detected.
    fn send_packet(&mut self, to: u32, packet: PacketId, few: bool);
    /// Puts a control packet on the wire that ends at port `to`.
    fn send_control(&mut self, to: u32, due: Tick, control: Control);
    /// Takes the packet that arrives next at port `at`, if it is due by tick `by`.
    fn take_packet(&mut self, at: u32, by: Tick) -> Option<PacketId>;
    /// `late`: heads that are sent to port `at` from now on may be stored late. Else they are stored in their tick, and those on
    /// the wire already too.
    #[inline]
    fn set_late(&mut self, _at: u32, _late: bool) {}
    /// Tells the observers.
    fn observe(&mut self, place: Place, event: Event);
    /// Takes credit of one class that has reached port `at` before this tick and that nobody was woken for: class and cells.
    #[inline]
    fn take_credit(&mut self, _at: u32) -> Option<(u16, u32)> {
        None
    }
    /// Credit of so many classes adds up where it comes, until a head lacks it; with more classes it is taken in every evaluation.
    #[inline(always)]
    fn classes_that_land(&self) -> usize {
        0
    }
    /// Credit packets decide when the link behind port `at` goes on: from now on each wakes the port, those on the wire too.
    /// Without it their credit may wait on the wire until somebody asks for it.
    #[inline]
    fn wait_for_credit(&mut self, _at: u32) {}
    /// Tells the observers of [`Event::Stored`], which happened in tick `_at`. This and the next three happen in every hop, so
    /// that surroundings may have a shorter way for them than [`Env::observe`].
    #[inline]
    fn stored(&mut self, place: Place, packet: PacketId, queue: u16, _at: Tick) {
        self.observe(place, Event::Stored { packet, queue });
    }
    /// Tells the observers of [`Event::Departed`].
    #[inline]
    fn departed(&mut self, place: Place, packet: PacketId, queue: u16, output: u8) {
        self.observe(
            place,
            Event::Departed {
                packet,
                queue,
                output,
            },
        );
    }
    /// Tells the observers of [`Event::Hop`].
    #[inline]
    fn hop(&mut self, place: Place, at: Tick, ticks: Ticks) {
        self.observe(place, Event::Hop { at, ticks });
    }
    /// A credit packet starts in tick `start`, this one or a past one: tells the observers, and puts it on the wire that ends at
    /// port `to`, where it is due at `due`. Returns whether somebody waits for the next one: else that may start late, when
    /// somebody looks.
    #[inline]
    fn send_credit(
        &mut self,
        place: Place,
        to: u32,
        (_start, due): (Tick, Tick),
        class: u16,
        cells: u32,
    ) -> bool {
        let credit = Control::Credit { class, cells };
        self.observe(place, Event::ControlSent(credit));
        self.send_control(to, due, credit);
        true
    }
}
