//! What observers see: places, and the events there.

use crate::packet::{PacketKind, PacketView};
use flow_control::{Control, PauseWord};
use hierarchy::Region;
use turnpool::Point;
use units::{ClassId, LineId, PortId, QueueId, Span, Tick, VcId, WireId};

/// Side of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// Where packets come in.
    Ingress = 0,
    /// Where packets go out; the injection side of an end node too.
    Egress = 1,
}

/// One side of one port of the fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The wire that ends at the port.
    pub port: WireId,
    /// Which side.
    pub side: Side,
}

/// The fixed hook points: what an observer sees, in the tick in which it happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A head was stored in a queue.
    Stored {
        /// The packet.
        packet: PacketView,
        /// The queue.
        queue: QueueId,
    },
    /// The PPU moved a packet from the cold queue into a SAQ.
    Moved {
        /// The packet.
        packet: PacketView,
        /// The SAQ's queue.
        queue: QueueId,
    },
    /// A packet left its queue: its transmission starts.
    Departed {
        /// The packet.
        packet: PacketView,
        /// The queue.
        queue: QueueId,
        /// Where to: output port of the crossbar, 0 for a link.
        output: PortId,
    },
    /// The tail of a packet will leave a switch: one packet-hop, reported at its start.
    Hop {
        /// Tick in which the tail leaves.
        at: Tick,
        /// How long the packet holds the link.
        span: Span,
    },
    /// Credit starts on the link behind this place.
    CreditSent {
        /// Its class.
        class: ClassId,
        /// Cells.
        cells: u32,
    },
    /// Another control packet starts on the link behind this place.
    ControlSent(Control),
    /// A SAQ was allocated.
    SaqAllocated {
        /// CAM line.
        line: LineId,
        /// Its point.
        point: Point,
        /// SAQs in use at this place now.
        in_use: u32,
    },
    /// A SAQ was freed.
    SaqFreed {
        /// CAM line.
        line: LineId,
        /// Its point.
        point: Point,
        /// SAQs in use at this place now.
        in_use: u32,
    },
    /// A detection queue that was full has become the queue of the SAQ allocated for it, packets
    /// and all, and an empty queue has taken its place.
    Swapped {
        /// The detection queue.
        queue: QueueId,
        /// The SAQ's queue.
        saq: QueueId,
    },
    /// An allocation found no free SAQ.
    SaqRefused(Point),
    /// A message inside a switch, between this egress port and one ingress port: a notification
    /// (DD versions: a request that was answered), Xoff, Xon or a token. Reported once for each
    /// ingress port that it goes to, about the point as that port names it.
    Internal(Control),
    /// An Xoff or Xon without an exact match was ignored.
    Ignored(Control),
    /// From the next tick on a VC may not start packets on the link behind this place, or may.
    Paused {
        /// The VC.
        vc: VcId,
        /// Which of the two.
        word: PauseWord,
    },
    /// Two-level routing: an entry has other ports now; at the ingress side of port 0 of its
    /// switch.
    Entry {
        /// Which.
        region: Region,
        /// Its ports, a bit each.
        ports: u64,
    },
    /// A packet was lost to a fault: it was on a link that went down, or in a switch that did.
    Lost {
        /// The packet.
        packet: PacketView,
    },
    /// A packet was removed from the head of a queue, since no port leads to its destination.
    Stranded {
        /// The packet.
        packet: PacketView,
        /// The queue.
        queue: QueueId,
    },
}

impl Event {
    /// Whether it is about SAQs or their messages, not packets and credit.
    pub fn is_of_saqs(&self) -> bool {
        use Event::*;
        matches!(
            self,
            ControlSent(_)
                | SaqAllocated { .. }
                | SaqFreed { .. }
                | Swapped { .. }
                | SaqRefused(_)
                | Internal(_)
                | Ignored(_)
        )
    }
}

/// A message as it enters admittance, or is refused there, as observers see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length of the message.
    pub bytes: u32,
    /// Packets that it makes.
    pub packets: u32,
    /// Its group; of a reply that of the request.
    pub group: u8,
    /// Whether it is a reply.
    pub kind: PacketKind,
    /// When it was generated.
    pub born: Tick,
    /// Of a reply: when the request was generated.
    pub asked: Tick,
    /// Whether it was refused at the source.
    pub refused: bool,
}
