//! Which queue of an input goes to an output, if that pair is granted: head visible, room behind
//! the output. Round robin within the class; for arbiters that read ages the oldest.

use super::{Class, Ports, Scheduler};
use crate::heads::{Head, Heads};
use units::{PortId, QueueId, Tick};

impl Scheduler {
    /// The queue of `class` of `input` that may start towards `output` now, if one may, and since
    /// when its head is visible.
    #[inline(always)]
    pub(super) fn grantable(
        &mut self,
        class: Class,
        input: PortId,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<(QueueId, Tick)> {
        let found = self.look_at_heads(class, input, output, now, ports);
        if found.first.is_none() {
            if found.invisible != Tick::MAX {
                self.again.push((found.invisible, output));
            }
            self.lacking |= u64::from(found.starved) << output.0;
        }
        found.first
    }

    /// For arbiters that read ages.
    #[inline(always)]
    pub(super) fn set_age(&mut self, input: PortId, output: PortId, visible: Tick) {
        if self.oldest_first {
            let pair = self.pair(input, output);
            self.ages[pair] = visible.0;
        }
    }

    /// The queues of `class` of `input` that request `output`, from the pointer of their round
    /// robin on.
    #[inline(always)]
    pub(super) fn look_at_heads(
        &self,
        class: Class,
        input: PortId,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Heads {
        let word = self
            .requests
            .only_word(class, input.index(), output.index());
        match word {
            Some(word) if !self.oldest_first && !self.waiting.concerns(output) => {
                let base = self.first_of(class);
                let mut found = Heads::default();
                bits::first_from(word, self.pointer(class, input, output), |number| {
                    let queue = QueueId((base + number) as u16);
                    let head = ports.head(input, queue);
                    found.look_at(queue, head.visible, now, || has_room(ports, output, head))
                });
                found
            }
            _ => self.look_at_many_heads(class, input, output, now, ports),
        }
    }

    /// The queue that the round robin among those of `class` of `input` that request `output`
    /// begins with. Each output has its own: what goes to another moves nothing here.
    #[inline(always)]
    pub(super) fn pointer(&self, class: Class, input: PortId, output: PortId) -> u32 {
        if class == Class::Normal && !self.shared_outputs {
            return 0;
        }
        u32::from(self.pointers[self.pair(input, output)][class as usize])
    }

    #[inline(never)]
    fn look_at_many_heads(
        &self,
        class: Class,
        input: PortId,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Heads {
        let base = self.first_of(class);
        let mut found = Heads::default();
        let pointer = self.pointer(class, input, output);
        let mut look = |number: usize| {
            let queue = QueueId::at(base + number);
            let head = ports.head(input, queue);
            let before = found.first;
            let fits = || {
                has_room(ports, output, head)
                    && !(self.waiting.concerns(output)
                        && self
                            .waiting
                            .room_is_claimed(class, (input, output), queue, head))
            };
            let may_go = found.look_at(queue, head.visible, now, fits);
            if !may_go || !self.oldest_first {
                return may_go;
            }
            // By age of the packet, not by how long it has been at the head.
            let age = ports.age(input, queue);
            found.first = match before {
                Some((_, oldest)) if age >= oldest => before,
                _ => Some((queue, age)),
            };
            false
        };
        match self.waiting.holder(class, output, input) {
            Some(queue) => {
                look(queue.index() - base);
            }
            None => {
                let pair = (class, input.index(), output.index());
                self.requests.find(pair, pointer, look);
            }
        }
        found
    }
}

/// Whether there is room for a head behind an output.
#[inline(always)]
pub(super) fn has_room(ports: &impl Ports, output: PortId, head: &Head) -> bool {
    ports.room(output, head.class) >= u32::from(head.cells)
}
