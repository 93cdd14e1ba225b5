//! Which queue of an input goes to an output, if that pair is granted: head visible, room behind
//! the output. Round robin within the class; for arbiters that read ages the oldest.

use super::{Class, Ports, Scheduler};
use crate::memory::Head;
use units::{PortId, QueueId, Tick};

impl Scheduler {
    /// The queue of `class` of `input` that may go to `output` now, and the age of its packet.
    pub(super) fn grantable(
        &self,
        class: Class,
        input: PortId,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<(QueueId, Tick)> {
        let base = self.first_of(class);
        let age = |queue| if self.oldest_first { ports.age(input, queue) } else { Tick::ZERO };
        let may_go = |queue| {
            let head = ports.head(input, queue);
            let is_claimed = || {
                let pair = (input, output);
                self.waiting.concerns(output)
                    && self.waiting.room_is_claimed(class, pair, queue, head)
            };
            head.visible <= now && has_room(ports, output, head) && !is_claimed()
        };
        if let Some(queue) = self.waiting.holder(class, output, input) {
            return may_go(queue).then(|| (queue, age(queue)));
        }
        let mut found: Option<(QueueId, Tick)> = None;
        let pair = (class, input.index(), output.index());
        self.requests.find(pair, self.pointer(class, input, output), |number| {
            let queue = QueueId::at(base + number);
            if !may_go(queue) {
                return false;
            }
            let age = age(queue);
            if found.is_none_or(|(_, other)| age < other) {
                found = Some((queue, age));
            }
            // The first in turn, or of all the one whose packet is stored longest.
            !self.oldest_first
        });
        found
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
