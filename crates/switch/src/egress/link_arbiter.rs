//! The link arbiter: round robin over the queues whose head is visible and has credit.

use super::Settled;
use crate::heads::Heads;
use crate::memory::PortMemory;
use bits::Set;
use units::{QueueId, Tick};

/// Registers: the queues with a head that may request, a bit each, and where the round robin
/// begins.
#[derive(Debug)]
pub struct LinkArbiter {
    eligible: Set,
    pointer: u32,
}

impl LinkArbiter {
    /// Of a port with so many queues, none of which requests.
    pub fn new(queues: usize) -> LinkArbiter {
        LinkArbiter {
            eligible: Set::new(queues),
            pointer: 0,
        }
    }

    /// The head of a queue may request.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut arbiter = LinkArbiter::new(16);
    /// assert!(!arbiter.has_requests());
    /// arbiter.raise(QueueId(3));
    /// assert!(arbiter.has_requests());
    /// ```
    #[inline(always)]
    pub fn raise(&mut self, queue: QueueId) {
        self.eligible.insert(queue.index());
    }

    /// Nothing in a queue may request any more.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut arbiter = LinkArbiter::new(16);
    /// arbiter.raise(QueueId(3));
    /// arbiter.withdraw(QueueId(3)); // Xoff, or no packet any more
    /// assert!(!arbiter.has_requests());
    /// ```
    #[inline(always)]
    pub fn withdraw(&mut self, queue: QueueId) {
        self.eligible.remove(queue.index());
    }

    /// Whether any head requests.
    #[inline(always)]
    pub fn has_requests(&self) -> bool {
        !self.eligible.is_empty()
    }

    /// Evaluate: the heads that request, in the order of the round robin, up to the first that is
    /// visible and has credit.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, true, unit);
    /// *memory.head_mut(QueueId(1)) = head; // of one cell, visible from tick 10 on
    /// let mut arbiter = LinkArbiter::new(2);
    /// arbiter.raise(QueueId(1));
    /// let mut fcu = Fcu::new(1, 1, unit);
    /// let credit = fcu.settle(Tick(10), || None);
    /// assert_eq!(arbiter.pick(&memory, credit, Tick(9)).first, None);
    /// assert_eq!(arbiter.pick(&memory, credit, Tick(10)).first, Some((QueueId(1), Tick(10))));
    /// fcu.take(ClassId(0), 1, Tick(10));
    /// let credit = fcu.settle(Tick(11), || None);
    /// assert!(arbiter.pick(&memory, credit, Tick(11)).starved); // no credit
    /// ```
    #[inline(always)]
    pub fn pick(&self, memory: &PortMemory, credits: Settled<'_>, now: Tick) -> Heads {
        match self.eligible.only_word() {
            Some(word) => {
                let mut found = Heads::default();
                bits::first_from(word, self.pointer, |queue| {
                    look_at(queue, memory, credits, now, &mut found)
                });
                found
            }
            None => self.pick_of_many(memory, credits, now),
        }
    }

    #[inline(never)]
    fn pick_of_many(&self, memory: &PortMemory, credits: Settled<'_>, now: Tick) -> Heads {
        let mut found = Heads::default();
        self.eligible.first_from(self.pointer as usize, |queue| {
            look_at(queue, memory, credits, now, &mut found)
        });
        found
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
    /// let mut fcu = Fcu::new(1, 64, unit);
    /// let credit = fcu.settle(Tick(10), || None);
    /// let turns = [(); 3].map(|()| {
    ///     let (queue, _) = arbiter.pick(&memory, credit, Tick(10)).first.expect("both request");
    ///     arbiter.granted(queue);
    ///     queue.0
    /// });
    /// assert_eq!(turns, [0, 1, 0]);
    /// ```
    #[inline(always)]
    pub fn granted(&mut self, queue: QueueId) {
        self.pointer = u32::from(queue.0) + 1;
    }

    /// The queue that the round robin begins with, of at most 64.
    #[inline(always)]
    pub(crate) fn first_in_turn(&self) -> Option<QueueId> {
        let word = self.eligible.only_word()?;
        bits::first_from(word, self.pointer, |_| true).map(QueueId::at)
    }
}

#[inline(always)]
fn look_at(
    queue: usize,
    memory: &PortMemory,
    credits: Settled<'_>,
    now: Tick,
    found: &mut Heads,
) -> bool {
    let queue = QueueId(queue as u16);
    let head = memory.head(queue);
    found.look_at(queue, head.visible, now, || {
        credits.available(head.class) >= u32::from(head.cells)
    })
}
