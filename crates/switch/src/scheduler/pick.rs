//! Which queue of an input goes to an output, if that pair is granted: head visible, room behind
//! the output. Round robin within the class; for arbiters that read ages the oldest.

use super::{Class, Ports, Scheduler};
use crate::memory::Head;
use units::{PortId, QueueId, Tick};

impl Scheduler {
    /// The queue of `class` of `input` that may start towards `output` now, if one may, and the age
    /// of its packet for arbiters that read it.
    pub(super) fn grantable(
        &self,
        class: Class,
        input: PortId,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<(QueueId, Tick)> {
        let base = self.first_of(class);
        let may_go = |number: usize| {
            let queue = QueueId::at(base + number);
            let head = ports.head(input, queue);
            let is_claimed = || {
                let pair = (input, output);
                self.waiting.concerns(output)
                    && self.waiting.room_is_claimed(class, pair, queue, head)
            };
            head.visible <= now && has_room(ports, output, head) && !is_claimed()
        };
        let first = match self.waiting.holder(class, output, input) {
            Some(queue) => Some(queue.index() - base).filter(|&number| may_go(number)),
            None if self.oldest_first => {
                return self.oldest(class, input, output, ports, may_go);
            }
            None => {
                let pair = (class, input.index(), output.index());
                let pointer = self.pointer(class, input, output);
                self.requests.find(pair, pointer, may_go)
            }
        };
        let queue = QueueId::at(base + first?);
        let age = if self.oldest_first { ports.age(input, queue) } else { Tick::ZERO };
        Some((queue, age))
    }

    /// Of the queues that may go the one with the oldest packet, by how long that is stored, not by
    /// how long it has been at the head.
    fn oldest(
        &self,
        class: Class,
        input: PortId,
        output: PortId,
        ports: &impl Ports,
        may_go: impl Fn(usize) -> bool,
    ) -> Option<(QueueId, Tick)> {
        let mut oldest: Option<(QueueId, Tick)> = None;
        let pair = (class, input.index(), output.index());
        let pointer = self.pointer(class, input, output);
        self.requests.find(pair, pointer, |number| {
            if may_go(number) {
                let queue = QueueId::at(self.first_of(class) + number);
                let age = ports.age(input, queue);
                if oldest.is_none_or(|(_, other)| age < other) {
                    oldest = Some((queue, age));
                }
            }
            false
        });
        oldest
    }

    /// The queue that the round robin among those of `class` of `input` that request `output`
    /// begins with. Each output has its own: what goes to another moves nothing here.
    pub(super) fn pointer(&self, class: Class, input: PortId, output: PortId) -> u32 {
        if class == Class::Normal && !self.shared_outputs {
            return 0;
        }
        u32::from(self.pointers[self.pair(input, output)][class as usize])
    }
}

/// Whether there is room for a head behind an output.
pub(super) fn has_room(ports: &impl Ports, output: PortId, head: &Head) -> bool {
    ports.room(output, head.class) >= u32::from(head.cells)
}
