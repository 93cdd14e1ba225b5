//! What may happen in one commit.

use super::network::Element;
use units::{LineId, QueueId};

/// Something of steps 1 to 4 of a commit, or the end of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Step 1: the head of a queue leaves.
    Depart {
        /// From here.
        unit: usize,
        /// And this queue.
        queue: QueueId,
    },
    /// Step 2: the first packet on its way is stored.
    Store {
        /// Here.
        unit: usize,
    },
    /// Step 3: the next packet of a flow enters the injection memory.
    Admit {
        /// Which.
        flow: usize,
    },
    /// Step 3: the PPU moves the head of the cold queue.
    Move {
        /// Here.
        unit: usize,
    },
    /// Step 4: the first control packet on its way is read.
    Control {
        /// Here.
        unit: usize,
    },
    /// A SAQ is old enough to be freed.
    SaqTimer {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// A refused notification may be repeated.
    Retry {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// DD versions: Xoff may be repeated.
    Repeat {
        /// Here.
        unit: usize,
        /// Its line.
        line: LineId,
    },
    /// Nothing but what the last commit has left to look at.
    Settle {
        /// Whose commit.
        element: Element,
    },
}

/// What happens in one commit of one element: an event or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// The only one, or the earlier one.
    pub first: Event,
    /// Of a later step, or of the same step elsewhere.
    pub second: Option<Event>,
}
