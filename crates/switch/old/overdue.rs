//! The waiting bound: heads that have requested for too long, and the ports and the room that they
//! reserve.
//!
//! The bounds of an arbiter are counted in its calls. They do not hold in a switch, whose inputs
//! and outputs fall free in a rhythm: a request may find its input or its output busy at each call
//! that would be its turn. So a head that has stood for more than [`crate::Params::wait_bound`] is
//! *overdue*. The overdue heads of a switch choose in the order of their age, normal queues before
//! SAQs: each that has room and whose input and output are reserved for none before it reserves
//! both, so that neither is granted for anything else, until it goes. One that lacks room claims
//! what room there is of its class of credit.
//!
//! **The bound.** Let `T` be the longest time that a transfer holds its ports
//! ([`crossbar::TransferTiming`]), and `k` the number of heads of normal queues in the switch that
//! are overdue and older than one such head. It goes before it has had room for
//!
//! ```text
//! wait_bound + (2 k + 1) T
//! ```
//!
//! ticks in all. For consider the oldest that has room: nothing that starts from now on takes its
//! ports or its room, and what is under way ends within `T`; so it goes within `T`, unless one that
//! is still older gets room before that. Each of the `k` goes once, and comes to be the oldest with
//! room at most once more than that: at most `k` of those periods are cut short and at most `k + 1`
//! end with a start, and each lasts `T` at the most. None becomes older than a head that stands,
//! since each begins to stand when it comes to the front of its queue. Room that an older one
//! claims is not room in this count. Of a SAQ the same is true of the time in which no normal queue
//! takes or has reserved its ports. In `iq` the link is the output: time in which it carries
//! control packets does not count either.
//!
//! What is overdue, and what it reserves, follows from committed registers alone, so that engines
//! that look at different times find the same. Nothing is paid before [`Overdue::from`] but one
//! comparison an evaluation.

use crate::env::{Env, Wake};
use crate::heads::{Head, NO_OUTPUT};
use crate::params::Params;
use crate::requests::{Class, bits};
use crate::switch::{CrossbarGrant, Switch};
use saq::QueueId;
use units::{Tick, Ticks};

/// A head that requests, by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    since: Tick,
    input: u8,
    queue: QueueId,
}

/// The ports that an overdue head has reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    class: Class,
    output: u8,
    head: Standing,
}

/// What an overdue head that lacks room waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Claim {
    class: Class,
    output: u8,
    /// Class of credit.
    credit: u16,
    head: Standing,
}

/// Inputs and outputs that are reserved for a class of queues.
#[derive(Debug, Clone, Copy, Default)]
struct Ports {
    inputs: u64,
    outputs: u64,
}

/// Register and lists of the waiting bound of a switch.
#[derive(Debug)]
pub(crate) struct Overdue {
    /// No head is overdue before this tick.
    pub(crate) from: Tick,
    bound: Ticks,
    /// No head that is not in `standing` is overdue before this tick.
    survey_at: Tick,
    /// Heads that had stood for half of the bound at the last survey, the oldest first; some may
    /// have gone since.
    standing: Vec<Standing>,
    /// As of the last evaluation, by age; and what was of the one before.
    held: Vec<Held>,
    held_before: Vec<Held>,
    claims: Vec<Claim>,
    claims_before: Vec<Claim>,
    /// By class: the ports in `held`.
    ports: [Ports; 2],
    /// Outputs in `held` and `claims`; none before tick `from`.
    outputs: u64,
    /// When an evaluation was asked for because another head will be overdue.
    wake_at: Tick,
}

impl Overdue {
    /// Of a switch with so many ports in which a head is overdue after `bound`.
    pub(crate) fn new(bound: Ticks, ports: usize) -> Overdue {
        Overdue {
            from: bound.saturating_add(1),
            bound,
            survey_at: bound.saturating_add(1),
            standing: Vec::with_capacity(2 * ports),
            held: Vec::with_capacity(ports),
            held_before: Vec::with_capacity(ports),
            claims: Vec::with_capacity(ports),
            claims_before: Vec::with_capacity(ports),
            ports: [Ports::default(); 2],
            outputs: 0,
            wake_at: Tick::MAX,
        }
    }

    /// Whether any head has reserved `output`, or claims room behind it.
    #[inline(always)]
    pub(crate) fn concerns(&self, output: usize) -> bool {
        self.outputs >> output & 1 == 1
    }

    /// When a head that stands since `since` is overdue.
    fn overdue_at(&self, since: Tick) -> Tick {
        since.saturating_add(self.bound).saturating_add(1)
    }

    /// Inputs from which queues of `class` may go to `output`, reservations considered.
    pub(crate) fn may_go(&self, class: Class, output: usize) -> u64 {
        let mut inputs = u64::MAX;
        for by in [Class::Normal, Class::Saq] {
            let ports = self.ports[by as usize];
            inputs &= if ports.outputs >> output & 1 == 0 {
                !ports.inputs
            } else if by == class {
                let holds = |held: &&Held| usize::from(held.output) == output;
                let held = self.held.iter().find(holds);
                held.map_or(0, |held| 1 << held.head.input)
            } else {
                0
            };
            if by == class {
                break;
            }
        }
        inputs
    }

    /// The queue of `class` of `input` that has reserved `output`.
    pub(crate) fn holder(&self, class: Class, output: usize, input: usize) -> Option<QueueId> {
        if self.ports[class as usize].outputs >> output & 1 == 0 {
            return None;
        }
        let held = self.held.iter().find(|held| {
            held.class == class
                && usize::from(held.output) == output
                && usize::from(held.head.input) == input
        })?;
        Some(held.head.queue)
    }

    /// Whether an older head that lacks room claims what this one would take.
    pub(crate) fn room_is_claimed(
        &self,
        class: Class,
        input: usize,
        queue: QueueId,
        head: &Head,
    ) -> bool {
        let this = Standing {
            since: head.visible,
            input: input as u8,
            queue,
        };
        self.claims.iter().any(|claim| {
            claim.output == head.output
                && claim.credit == head.class
                && match (claim.class, class) {
                    (Class::Normal, Class::Saq) => true,
                    (Class::Saq, Class::Normal) => false,
                    _ => claim.head < this,
                }
        })
    }
}

impl Switch {
    /// Whether a head that is granted was overdue.
    pub(crate) fn is_overdue(&self, grant: &CrossbarGrant, now: Tick) -> bool {
        let memory = &self.inputs[usize::from(grant.input)].memory;
        self.overdue
            .overdue_at(memory.register(grant.queue).visible)
            <= now
    }

    /// Evaluate: which heads are overdue, and what they reserve in this tick. Returns whether that
    /// differs from what the last evaluation found.
    pub(crate) fn reserve(&mut self, params: &Params, env: &mut impl Env) -> bool {
        let now = env.now();
        if now >= self.overdue.survey_at {
            self.survey(now);
        }
        let lists = &mut self.overdue;
        std::mem::swap(&mut lists.held, &mut lists.held_before);
        std::mem::swap(&mut lists.claims, &mut lists.claims_before);
        lists.held.clear();
        lists.claims.clear();
        lists.ports = [Ports::default(); 2];
        lists.outputs = 0;
        let mut standing = std::mem::take(&mut lists.standing);
        let are_overdue = self.drop_those_gone(&mut standing, now);
        for &class in &Class::ALL[..if params.saqs() > 0 { 2 } else { 1 }] {
            for &head in &standing[..are_overdue] {
                let port = &self.inputs[usize::from(head.input)];
                if port.class_of(head.queue, env).0 == class {
                    self.reserve_for(class, head, env);
                }
            }
        }
        let lists = &mut self.overdue;
        let next = |at: usize| standing.get(at).map_or(Tick::MAX, |head| head.since);
        let (first, next) = (next(0), next(are_overdue));
        lists.from = lists.overdue_at(first).min(lists.survey_at);
        // A normal queue that becomes overdue may undo what a SAQ has reserved.
        let next = lists.overdue_at(next).min(lists.survey_at);
        if lists.ports[Class::Saq as usize].outputs != 0 && lists.wake_at != next {
            lists.wake_at = next;
            env.wake(next, Wake::Crossbar, self.index, 0);
        }
        lists.standing = standing;
        lists.held != lists.held_before || lists.claims != lists.claims_before
    }

    /// Drops heads that were overdue and have gone. Returns how many are overdue.
    fn drop_those_gone(&self, standing: &mut Vec<Standing>, now: Tick) -> usize {
        let listed = standing.partition_point(|head| self.overdue.overdue_at(head.since) <= now);
        let mut left = 0;
        for at in 0..listed {
            let head = standing[at];
            if self.stands(&head) {
                standing[left] = head;
                left += 1;
            }
        }
        standing.drain(left..listed);
        left
    }

    /// Whether a head in the list requests still.
    fn stands(&self, head: &Standing) -> bool {
        let port = &self.inputs[usize::from(head.input)];
        let register = port.memory.register(head.queue);
        register.output != NO_OUTPUT && register.visible == head.since
    }

    /// Visits all heads that request: class, input, queue, since when.
    pub(crate) fn visit_standing(&self, mut visit: impl FnMut(Class, u8, QueueId, Tick)) {
        for (input, port) in self.inputs.iter().enumerate() {
            for output in bits(self.requests.outputs(input)) {
                for class in Class::ALL {
                    let base = port.first_of(class);
                    self.requests.find((class, input, output), 0, |number| {
                        let queue = (base + number) as QueueId;
                        let since = port.memory.register(queue).visible;
                        visit(class, input as u8, queue, since);
                        false
                    });
                }
            }
        }
    }

    /// Looks at all heads that request.
    fn survey(&mut self, now: Tick) {
        let mut standing = std::mem::take(&mut self.overdue.standing);
        standing.clear();
        let bound = self.overdue.bound;
        // What comes to stand after this tick.
        let mut youngest = now;
        self.visit_standing(|_, input, queue, since| {
            if since.saturating_add(bound / 2) <= now {
                standing.push(Standing {
                    since,
                    input,
                    queue,
                });
            } else {
                youngest = youngest.min(since);
            }
        });
        standing.sort_unstable();
        self.overdue.standing = standing;
        self.overdue.survey_at = self.overdue.overdue_at(youngest);
    }

    /// An overdue head: if it has room, and its ports are reserved for none that is older, it
    /// reserves them; without room it claims what there is.
    fn reserve_for(&mut self, class: Class, head: Standing, env: &mut impl Env) {
        let input = usize::from(head.input);
        let register = *self.inputs[input].memory.register(head.queue);
        let output = usize::from(register.output);
        if self
            .overdue
            .room_is_claimed(class, input, head.queue, &register)
        {
            return;
        }
        // A tail that has left makes room.
        if !self.has_room(output, &register, false) {
            self.outputs[output].finish_tail(env.now());
        }
        if !self.has_room(output, &register, false) {
            self.outputs[output].await_room(env);
            let room = self.outputs[output].behind_crossbar();
            // Where there is none at all nobody can take it.
            if room.available(register.class) > 0 {
                self.overdue.outputs |= 1 << output;
                self.overdue.claims.push(Claim {
                    class,
                    output: register.output,
                    credit: register.class,
                    head,
                });
            }
            return;
        }
        let taken =
            |ports: Ports| ports.inputs >> input & 1 == 1 || ports.outputs >> output & 1 == 1;
        if taken(self.overdue.ports[0]) || taken(self.overdue.ports[class as usize]) {
            return;
        }
        let ports = &mut self.overdue.ports[class as usize];
        ports.inputs |= 1 << input;
        ports.outputs |= 1 << output;
        self.overdue.outputs |= 1 << output;
        self.overdue.held.push(Held {
            class,
            output: register.output,
            head,
        });
    }
}
