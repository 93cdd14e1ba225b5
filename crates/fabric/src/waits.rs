//! Who waits for whom: what keeps the head of a queue, the queues that can never move again
//! ([`locked`]), and the dump of a run that is stuck. Engines say what they see as plain values.

mod locked;

pub(crate) use locked::Locked;

use observe::{PacketKey, Side, Waits};
use std::fmt::{self, Display, Formatter, Write as _};
use units::{ClassId, ElementId, PortId, QueueId, Tick, Unit};

const LINES_MAX: usize = 200;

/// A queue of the fabric. Elements by their numbers in the whole fabric, switches first.
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
    /// The head of a queue.
    fn head(&self, at: At) -> Option<Head>;
    /// Packets of a queue.
    fn packets(&self, at: At) -> usize;
    /// The queue that must move for the marker of a SAQ to come on: its host, or, where that holds
    /// markers alone, the host of the host's marker.
    fn marker_host(&self, at: At) -> Option<At>;
    /// The queue at Xoff that holds back a blocked SAQ; `None`: Xon is on its way.
    fn xon_from(&self, at: At) -> Option<At>;
    /// Adds the queues that hold cells of the class that a head takes next. Whether these hold all
    /// that it lacks: what is not there is on its way in or out, or its credit is on its way back.
    fn add_holders(&self, at: At, head: &Head, list: &mut Vec<At>) -> bool;
    /// Whether a crossbar or a PPU has moved a packet since, or a control packet is under way.
    fn may_have_moved(&self, since: Tick) -> bool;
}

/// The head of a queue, and what it waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// Side of a port.
    pub(crate) unit: Unit,
    pub(crate) packet: PacketKey,
    pub(crate) cells: u32,
    /// Since when an arbiter has seen it.
    pub(crate) visible: Tick,
    /// The marker of its SAQ is not at the head of its queue yet.
    pub(crate) behind_marker: bool,
    /// Its SAQ is at Xoff.
    pub(crate) is_blocked: bool,
    /// The PPU moves it: it requests nothing.
    pub(crate) is_moved: bool,
    /// The output that it goes through.
    pub(crate) output: Unit,
    /// The class that it takes in the memory that it goes to next, behind the crossbar or the link:
    /// cells of it that are free, and that packets hold or that are on their way back.
    pub(crate) class: ClassId,
    pub(crate) free: u32,
    pub(crate) in_use: u32,
}

impl Head {
    pub(crate) fn lacks_room(&self) -> bool {
        self.free < self.cells
    }

    /// What it waits for once it is visible.
    pub(crate) fn waits(&self) -> Waits {
        match self.lacks_room() {
            _ if self.behind_marker => Waits::Nothing,
            _ if self.is_blocked => Waits::Xon,
            true => Waits::Credit,
            false => Waits::Arbitration,
        }
    }
}

impl Display for Head {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Head { packet, cells, output, class, free, .. } = self;
        let PacketKey { source, destination, sequence } = packet;
        write!(f, "head n{source}->n{destination} #{sequence} waits for ")?;
        let crosses = matches!(self.unit, Unit::Ingress { .. });
        match self.lacks_room() {
            _ if self.behind_marker => f.write_str("its marker"),
            _ if self.is_blocked => f.write_str("Xon"),
            true if crosses => {
                write!(f, "room behind {output} ({free} of {cells} cells of class {class})")
            }
            true => write!(f, "credit ({free} of {cells} cells of class {class})"),
            false if crosses => write!(f, "the crossbar to {output}"),
            false => f.write_str("the link"),
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
            let (unit, queue, packets) = (head.unit, at.queue, fabric.packets(at));
            let _ = writeln!(text, "  {unit} queue {queue}: {packets} packets, {head}");
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

#[cfg(test)]
mod tests {
    use super::*;

    // A head behind its marker waits for nothing that could be named, one in a SAQ at Xoff for Xon,
    // one without room in the next memory for credit; any other may go.
    #[test]
    fn a_head_waits_for_what_it_lacks() {
        let unit = Unit::Ingress { switch: 0, port: 0 };
        let packet = PacketKey { source: 0, destination: 1, sequence: 0 };
        for (behind_marker, is_blocked, free, waits) in [
            (true, true, 0, Waits::Nothing),
            (false, true, 9, Waits::Xon),
            (false, false, 1, Waits::Credit),
            (false, false, 2, Waits::Arbitration),
        ] {
            let head = Head {
                unit,
                packet,
                cells: 2,
                visible: Tick(1),
                behind_marker,
                is_blocked,
                is_moved: false,
                output: unit,
                class: ClassId(0),
                free,
                in_use: 0,
            };
            assert_eq!(head.waits(), waits, "{head:?}");
        }
    }
}
