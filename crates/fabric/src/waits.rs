//! Who waits for whom: what keeps the head of a queue, the queues that can never move again
//! ([`locked`]), and the dump of a run that is stuck. Engines say what they see as plain values.

mod locked;

pub(crate) use locked::Locked;

use observe::{PacketKey, Side};
use std::fmt::{self, Display, Formatter, Write as _};
use units::{ClassId, ElementId, PortId, QueueId, Tick, Unit};

const LINES_MAX: usize = 200;

/// A queue of the fabric. Elements: switches first, then end nodes, by their numbers in the whole
/// fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) element: ElementId,
    pub(crate) side: Side,
    pub(crate) port: PortId,
    pub(crate) queue: QueueId,
}

impl At {
    /// The first queue of a side of a port.
    pub(crate) fn first(element: ElementId, side: Side, port: PortId) -> At {
        At { element, side, port, queue: QueueId(0) }
    }

    /// Another queue there.
    pub(crate) fn queue(self, queue: QueueId) -> At {
        At { queue, ..self }
    }
}

/// Queues of which one must move first.
pub(crate) type Needed<'a> = &'a [At];

/// What shows that packets move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Signs {
    /// Packets put on a wire.
    pub(crate) sent: u64,
    /// Packets ejected.
    pub(crate) ejected: u64,
    /// Packets in the network.
    pub(crate) in_network: usize,
}

/// A fabric between two ticks, as far as its packets wait for something.
pub(crate) trait Standing {
    /// What shows that packets move.
    fn signs(&self) -> Signs;
    /// Adds every queue whose head was visible by `before`, in the order of [`At`].
    fn add_queues(&self, before: Tick, queues: &mut Vec<At>);
    /// Since when an arbiter has seen the head of a queue.
    fn visible(&self, at: At) -> Option<Tick>;
    /// Tells of each condition for the head of a queue to move, as far as only others that stand
    /// can meet it. A head of which nothing is told goes when its turn comes. `list` is used again.
    fn needs(&self, at: At, list: &mut Vec<At>, visit: &mut dyn FnMut(Needed<'_>));
    /// The head of a queue.
    fn head(&self, at: At) -> Option<Head>;
    /// Whether a crossbar or a PPU has moved a packet since, or a control packet is under way that
    /// may be what others wait for.
    fn may_have_moved(&self, since: Tick) -> bool;
}

/// The head of a queue, and what it waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// Side of a port.
    pub(crate) unit: Unit,
    /// Packets of the queue.
    pub(crate) packets: u32,
    pub(crate) packet: PacketKey,
    pub(crate) cells: u32,
    pub(crate) why: Why,
}

/// What a head waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Why {
    /// The marker of its SAQ.
    Marker,
    Xon,
    /// Room behind an output: there is so much of a class.
    Room(Unit, u32, ClassId),
    /// The crossbar to an output.
    Crossbar(Unit),
    /// Credit: there is so much of a class.
    Credit(u32, ClassId),
    Link,
}

impl Display for Head {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (p, cells) = (&self.packet, self.cells);
        write!(
            f,
            "{} packets, head n{}->n{} #{} waits for ",
            self.packets, p.source, p.destination, p.sequence
        )?;
        match self.why {
            Why::Marker => f.write_str("its marker"),
            Why::Xon => f.write_str("Xon"),
            Why::Room(output, available, class) => {
                write!(f, "room behind {output} ({available} of {cells} cells of class {class})")
            }
            Why::Crossbar(output) => write!(f, "the crossbar to {output}"),
            Why::Credit(available, class) => {
                write!(f, "credit ({available} of {cells} cells of class {class})")
            }
            Why::Link => f.write_str("the link"),
        }
    }
}

/// One line for each of these queues, as many as are of use.
pub(crate) fn list(fabric: &impl Standing, queues: &[At]) -> String {
    let (mut text, mut lines) = (String::new(), 0usize);
    for &at in queues {
        let Some(head) = fabric.head(at) else {
            continue;
        };
        lines += 1;
        if lines <= LINES_MAX {
            let _ = writeln!(text, "  {} queue {}: {head}", head.unit, at.queue);
        }
    }
    if lines > LINES_MAX {
        let _ = writeln!(text, "  and {} queues more", lines - LINES_MAX);
    }
    text
}

/// One line for each queue that holds packets: its head, and what it waits for.
pub(crate) fn dump(fabric: &impl Standing) -> String {
    let mut queues = Vec::new();
    fabric.add_queues(Tick::MAX, &mut queues);
    list(fabric, &queues)
}
