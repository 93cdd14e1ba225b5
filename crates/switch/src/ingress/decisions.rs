//! When heads are assigned to an output again (spec: rsi.md, `lar_decision = "head"`).

use units::{QueueId, Tick};

/// A timer for each queue of an ingress port. It takes no room where nothing was ever set.
#[derive(Debug, Default)]
pub struct Decisions {
    due: Vec<Tick>,
}

impl Decisions {
    /// The head of a queue is decided again at a tick; [`Tick::MAX`]: never.
    pub fn set(&mut self, queue: QueueId, due: Tick) {
        if self.due.len() <= queue.index() {
            self.due.resize(queue.index() + 1, Tick::MAX);
        }
        self.due[queue.index()] = due;
    }

    /// When the next timer ends; [`Tick::MAX`]: none runs.
    #[inline]
    pub fn next(&self) -> Tick {
        self.due.iter().copied().min().unwrap_or(Tick::MAX)
    }

    /// A queue whose time is `now`; its timer ends.
    #[inline]
    pub fn take(&mut self, now: Tick) -> Option<QueueId> {
        let queue = self.due.iter().position(|&due| due == now)?;
        self.due[queue] = Tick::MAX;
        Some(QueueId::at(queue))
    }
}
