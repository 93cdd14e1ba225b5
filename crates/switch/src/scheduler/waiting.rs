//! The waiting bound: heads that have requested for too long, and the ports and the room that they
//! reserve (docs/units/scheduler.md; the proof: decision 0016). All follows from committed
//! registers.

use super::pick::has_room;
use super::{Class, Ports, Scheduler};
use crate::memory::Head;
use plan::SaqPriority;
use units::bits::ones;
use units::{ClassId, PortId, QueueId, Span, Tick};

/// A head that requests, by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiter {
    since: Tick,
    input: PortId,
    queue: QueueId,
}

/// The ports that an overdue head has reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    class: Class,
    output: PortId,
    head: Waiter,
}

/// What an overdue head that lacks room waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Claim {
    output: PortId,
    /// Class of credit.
    credit: ClassId,
    head: Waiter,
}

/// Register and lists of the waiting bound of a switch.
#[derive(Debug)]
pub(super) struct Waiting {
    /// No head is overdue before this tick.
    from: Tick,
    bound: Span,
    saqs: SaqPriority,
    /// No head that is not in `waiters` is overdue before this tick.
    survey_at: Tick,
    /// Heads that had requested for half of the bound at the last survey, by age; some have left.
    waiters: Vec<Waiter>,
    /// As of the last evaluation, by age.
    held: Vec<Held>,
    claims: Vec<Claim>,
    /// The ports in `held`, a bit each.
    held_inputs: u64,
    held_outputs: u64,
    /// Outputs in `held` and `claims`; none before tick `from`.
    outputs: u64,
}

impl Waiting {
    /// Of a switch with so many ports in which a head is overdue after `bound`.
    pub(super) fn new(bound: Span, saqs: SaqPriority, ports: usize) -> Waiting {
        let first = Tick::ZERO.saturating_add(bound).saturating_add(Span::TICK);
        Waiting {
            from: first,
            bound,
            saqs,
            survey_at: first,
            waiters: Vec::with_capacity(2 * ports),
            held: Vec::with_capacity(ports),
            claims: Vec::with_capacity(ports),
            held_inputs: 0,
            held_outputs: 0,
            outputs: 0,
        }
    }

    /// Whether any head has reserved `output`, or claims room behind it.
    pub(super) fn concerns(&self, output: PortId) -> bool {
        self.outputs >> output.0 & 1 == 1
    }

    /// When a head that requests since `since` is overdue.
    pub(super) fn overdue_at(&self, since: Tick) -> Tick {
        let last = since.saturating_add(self.bound);
        last.saturating_add(Span::TICK)
    }

    /// Inputs from which queues of `class` may go to `output`, reservations considered.
    pub(super) fn may_go(&self, class: Class, output: PortId) -> u64 {
        match self.held_of(output) {
            None => !self.held_inputs,
            Some(held) if held.class == class => 1 << held.head.input.0,
            Some(_) => 0,
        }
    }

    /// The head that has reserved `output`.
    fn held_of(&self, output: PortId) -> Option<&Held> {
        if self.held_outputs >> output.0 & 1 == 0 {
            return None;
        }
        self.held.iter().find(|held| held.output == output)
    }

    /// The queue of `class` of `input` that has reserved `output`.
    pub(super) fn holder(&self, class: Class, output: PortId, input: PortId) -> Option<QueueId> {
        let holds = |held: &&Held| held.class == class && held.head.input == input;
        Some(self.held_of(output).filter(holds)?.head.queue)
    }

    /// Whether an older head that lacks room claims what this one would take behind `output`.
    pub(super) fn room_is_claimed(
        &self,
        class: Class,
        (input, output): (PortId, PortId),
        queue: QueueId,
        head: &Head,
    ) -> bool {
        let this = Waiter { since: head.visible, input, queue };
        self.claims.iter().any(|claim| {
            claim.output == output
                && claim.credit == head.class
                && (claim.head < this || self.is_behind_all_overdue(class))
        })
    }

    /// Whether every overdue head goes before those of `class`, whatever their age.
    fn is_behind_all_overdue(&self, class: Class) -> bool {
        self.saqs == SaqPriority::Strict && class == Class::Saq
    }

    /// Drops heads that were overdue and have left. How many are overdue.
    fn drop_left(&self, waiters: &mut Vec<Waiter>, now: Tick, ports: &impl Ports) -> usize {
        let listed = waiters.partition_point(|head| self.overdue_at(head.since) <= now);
        let mut left = 0;
        for at in 0..listed {
            let head = waiters[at];
            let register = ports.head(head.input, head.queue);
            if register.requests && register.visible == head.since {
                waiters[left] = head;
                left += 1;
            }
        }
        waiters.drain(left..listed);
        left
    }
}

impl Scheduler {
    /// Evaluate: which heads are overdue, and what they reserve in this tick. Whether any may be.
    pub(super) fn reserve(&mut self, now: Tick, ports: &impl Ports) -> bool {
        if now < self.waiting.from {
            return false;
        }
        if now >= self.waiting.survey_at {
            self.survey(now, ports);
        }
        let lists = &mut self.waiting;
        lists.held.clear();
        lists.claims.clear();
        (lists.held_inputs, lists.held_outputs, lists.outputs) = (0, 0, 0);
        let mut waiters = std::mem::take(&mut lists.waiters);
        let overdue = lists.drop_left(&mut waiters, now, ports);
        for &head in &waiters[..overdue] {
            self.reserve_for(head, ports);
        }
        let lists = &mut self.waiting;
        let first = waiters.first().map_or(Tick::MAX, |head| head.since);
        lists.from = lists.overdue_at(first).min(lists.survey_at);
        lists.waiters = waiters;
        true
    }

    /// Visits all requests: class, input and output, queue.
    pub(super) fn visit_requests(&self, mut visit: impl FnMut((Class, PortId, PortId), QueueId)) {
        for input in (0..usize::from(self.ports)).map(PortId::at) {
            for output in ones(self.requests.outputs(input.index())).map(PortId::at) {
                for class in Class::ALL {
                    let base = self.first_of(class);
                    let pair = (class, input.index(), output.index());
                    self.requests.find(pair, 0, |number| {
                        visit((class, input, output), QueueId::at(base + number));
                        false
                    });
                }
            }
        }
    }

    /// The longest that any head has requested, of normal queues and of SAQs: of those that went
    /// since [`Scheduler::forget_waits`], and of those that still request before tick `now`.
    pub fn longest_waits(&self, now: Tick, ports: &impl Ports) -> [Span; 2] {
        let mut longest = self.longest_wait;
        self.visit_requests(|(class, input, _), queue| {
            let since = ports.head(input, queue).visible;
            let longest = &mut longest[class as usize];
            *longest = now.since(since).max(*longest);
        });
        longest
    }

    /// The longest waits are counted anew.
    pub fn forget_waits(&mut self) {
        self.longest_wait = [Span::ZERO; 2];
    }

    /// Lists the heads that have requested for half of the bound.
    fn survey(&mut self, now: Tick, ports: &impl Ports) {
        let mut waiters = std::mem::take(&mut self.waiting.waiters);
        waiters.clear();
        let half = self.waiting.bound / 2;
        // What requests after this tick.
        let mut youngest = now;
        self.visit_requests(|(class, input, _), queue| {
            let since = ports.head(input, queue).visible;
            if self.waiting.is_behind_all_overdue(class) {
                // It is never overdue.
            } else if since.saturating_add(half) <= now {
                waiters.push(Waiter { since, input, queue });
            } else {
                youngest = youngest.min(since);
            }
        });
        waiters.sort_unstable();
        self.waiting.waiters = waiters;
        self.waiting.survey_at = self.waiting.overdue_at(youngest);
    }

    /// An overdue head: if it has room, and its ports are reserved for none that is older, it
    /// reserves them; without room it claims what there is.
    fn reserve_for(&mut self, head: Waiter, ports: &impl Ports) {
        let (class, _) = self.class_of(head.queue);
        let register = ports.head(head.input, head.queue);
        let output = register.output;
        let pair = (head.input, output);
        let claimed = self.waiting.room_is_claimed(class, pair, head.queue, register);
        if claimed {
            return;
        }
        if !has_room(ports, output, register) {
            // Where there is none at all no other can take it.
            if ports.room(output, register.class) > 0 {
                self.waiting.outputs |= 1 << output.0;
                self.waiting.claims.push(Claim { output, credit: register.class, head });
            }
            return;
        }
        let lists = &mut self.waiting;
        if (lists.held_inputs >> head.input.0 | lists.held_outputs >> output.0) & 1 == 1 {
            return;
        }
        lists.held_inputs |= 1 << head.input.0;
        lists.held_outputs |= 1 << output.0;
        lists.outputs |= 1 << output.0;
        lists.held.push(Held { class, output, head });
    }
}
