//! The link arbiter: round robin over the queues whose head is visible and has credit.

use super::Fcu;
use crate::memory::PortMemory;
use units::bits::Set;
use units::{QueueId, Tick};

/// Registers: the queues with a head that may request, and where the round robin begins.
#[derive(Debug)]
pub struct LinkArbiter {
    eligible: Set,
    pointer: u32,
}

impl LinkArbiter {
    /// Of a port with so many queues, none of which requests.
    pub fn new(queues: usize) -> LinkArbiter {
        LinkArbiter { eligible: Set::new(queues), pointer: 0 }
    }

    /// The head of a queue may request.
    pub fn raise(&mut self, queue: QueueId) {
        self.eligible.insert(queue.index());
    }

    /// Nothing in a queue may request any more.
    pub fn withdraw(&mut self, queue: QueueId) {
        self.eligible.remove(queue.index());
    }

    /// Whether any head requests.
    #[inline]
    pub fn has_requests(&self) -> bool {
        !self.eligible.is_empty()
    }

    /// Evaluate: the first head in the round robin that is visible and has credit.
    #[inline]
    pub fn pick(&self, memory: &PortMemory, fcu: &Fcu, now: Tick) -> Option<QueueId> {
        let may_go = |queue: usize| {
            let head = memory.head(QueueId::at(queue));
            head.visible <= now && fcu.available(head.class) >= u32::from(head.cells)
        };
        let first = self.eligible.first_from(self.pointer as usize, may_go);
        first.map(QueueId::at)
    }

    /// Visits the queues with a head that may request.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(QueueId)) {
        self.eligible.first_from(0, |queue| {
            visit(QueueId::at(queue));
            false
        });
    }

    /// A queue was granted: the round robin goes on behind it.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, true, unit);
    /// let mut arbiter = LinkArbiter::new(2);
    /// for queue in [QueueId(0), QueueId(1)] {
    ///     *memory.head_mut(queue) = head;
    ///     arbiter.raise(queue);
    /// }
    /// let fcu = Fcu::new(1, 64, unit);
    /// let turns = [(); 3].map(|()| {
    ///     let queue = arbiter.pick(&memory, &fcu, Tick(10)).expect("both request");
    ///     arbiter.granted(queue);
    ///     queue.0
    /// });
    /// assert_eq!(turns, [0, 1, 0]);
    /// ```
    pub fn granted(&mut self, queue: QueueId) {
        self.pointer = u32::from(queue.0) + 1;
    }
}
