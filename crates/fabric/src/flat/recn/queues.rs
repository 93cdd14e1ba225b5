//! What RECN asks of the queues of one side of a port: how many packets, and where markers are.

use recn::MarkedQueues;
use saq::MmuError;
use units::{LineId, QueueId};

const NONE: u8 = u8::MAX;

/// A queue as RECN sees it.
#[derive(Debug, Clone, Copy)]
struct Count {
    packets: u32,
    /// Packets that have left.
    left: u32,
    /// The lines of the first and the last marker in it.
    first: u8,
    last: u8,
}

/// The marker of a line, if it is placed.
#[derive(Debug, Clone, Copy)]
struct Marker {
    /// It is at the head when so many packets have left.
    at: u32,
    /// The marker behind it.
    next: u8,
}

/// The queues of a side.
#[derive(Debug)]
pub(crate) struct Counts {
    queues: Box<[Count]>,
    /// By line.
    markers: Box<[Marker]>,
}

impl Counts {
    /// Of so many empty queues and lines.
    pub(crate) fn new(queues: usize, lines: usize) -> Counts {
        let empty = Count { packets: 0, left: 0, first: NONE, last: NONE };
        let none = Marker { at: 0, next: NONE };
        Counts { queues: vec![empty; queues].into(), markers: vec![none; lines].into() }
    }

    /// A queue without markers holds so many packets.
    pub(crate) fn set(&mut self, queue: usize, packets: u32) {
        let count = &mut self.queues[queue];
        debug_assert!(count.first == NONE);
        count.packets = packets;
    }

    /// A packet was put into a queue. How many there are now.
    pub(crate) fn pushed(&mut self, queue: usize) -> u32 {
        self.queues[queue].packets += 1;
        self.queues[queue].packets
    }

    /// The head of a queue left.
    pub(crate) fn popped(&mut self, queue: usize) {
        self.queues[queue].packets -= 1;
        self.queues[queue].left += 1;
    }

    /// The queue in which the marker of a line is.
    pub(crate) fn host_of(&self, line: LineId) -> Option<usize> {
        let holds = |count: &Count| {
            let mut at = count.first;
            while at != NONE && at != line.0 {
                at = self.markers[usize::from(at)].next;
            }
            at != NONE
        };
        self.queues.iter().position(holds)
    }
}

impl MarkedQueues for Counts {
    fn is_empty(&self, queue: QueueId) -> bool {
        self.queues[queue.index()].packets == 0
    }

    fn is_vacant(&self, queue: QueueId) -> bool {
        let count = &self.queues[queue.index()];
        count.packets == 0 && count.first == NONE
    }

    fn packets(&self, queue: QueueId) -> u32 {
        self.queues[queue.index()].packets
    }

    fn has_markers(&self, queue: QueueId) -> bool {
        self.queues[queue.index()].first != NONE
    }

    fn place_marker(&mut self, marker: LineId, host: QueueId) -> Result<(), MmuError> {
        let count = &mut self.queues[host.index()];
        self.markers[marker.index()] =
            Marker { at: count.left.wrapping_add(count.packets), next: NONE };
        match std::mem::replace(&mut count.last, marker.0) {
            NONE => count.first = marker.0,
            last => self.markers[usize::from(last)].next = marker.0,
        }
        Ok(())
    }

    fn take_head_marker(&mut self, queue: QueueId) -> Option<LineId> {
        let count = &mut self.queues[queue.index()];
        let marker = self.markers.get(usize::from(count.first))?;
        if marker.at != count.left {
            return None;
        }
        let line = std::mem::replace(&mut count.first, marker.next);
        if count.first == NONE {
            count.last = NONE;
        }
        Some(LineId(line))
    }

    fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        self.queues.swap(a.index(), b.index());
        Ok(())
    }
}
