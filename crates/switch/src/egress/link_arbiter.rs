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
    #[inline(always)]
    pub fn raise(&mut self, queue: QueueId) {
        self.eligible.insert(queue.index());
    }

    /// Nothing in a queue may request any more.
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
