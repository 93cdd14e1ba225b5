//! The waiting bound: heads that have requested for too long, and the ports and the room that they
//! reserve (spec: switch.md, Organisations).

use super::crossbar::Switch;
use super::{Flat, Mode, NONE, Packet, T};
use observe::Observer;

/// A head that requests, by age: since when, input, queue.
pub(super) type Waiter = (T, u8, u16);

/// Register and lists of a switch; the register is first.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Waiting {
    /// No head is overdue before this tick.
    pub(crate) from: T,
    bound: T,
    survey_at: T,
    /// Heads that had requested for half of the bound at the last survey, the oldest first.
    pub(super) waiters: Vec<Waiter>,
    /// [`super::many`]: those before this place have gone.
    pub(super) gone: usize,
    /// There: places in it by input and queue.
    pub(super) places: Vec<u32>,
    /// There: places of overdue heads with room, as of the last evaluation.
    pub(super) with_room: Vec<u32>,
    /// Output, whether it is a SAQ's, head: as of the last evaluation.
    held: Vec<(u8, bool, Waiter)>,
    held_before: Vec<(u8, bool, Waiter)>,
    /// Output, class of credit, head.
    claims: Vec<(u8, u16, Waiter)>,
    claims_before: Vec<(u8, u16, Waiter)>,
    held_inputs: u64,
    held_outputs: u64,
}

impl Waiting {
    /// Of a switch with so many ports where a head is overdue after `bound`; [`NONE`]: never.
    pub(crate) fn new(bound: T, ports: usize) -> Waiting {
        let from = overdue_at(0, bound);
        Waiting {
            from,
            bound,
            survey_at: from,
            waiters: Vec::with_capacity(2 * ports),
            held: Vec::with_capacity(ports),
            held_before: Vec::with_capacity(ports),
            claims: Vec::with_capacity(ports),
            claims_before: Vec::with_capacity(ports),
            ..Waiting::default()
        }
    }

    /// Inputs from which queues, normal or SAQs, may go to an output, reservations considered.
    pub(crate) fn may_go(&self, saqs: bool, output: usize) -> u64 {
        if self.held_outputs >> output & 1 == 0 {
            return !self.held_inputs;
        }
        match self.held_of(output) {
            Some((_, saq, (_, input, _))) if saq == saqs => 1 << input,
            _ => 0,
        }
    }

    /// How many of those that stand are overdue.
    fn overdue(&self, t: T) -> usize {
        self.waiters.partition_point(|head| overdue_at(head.0, self.bound) <= t)
    }

    fn held_of(&self, output: usize) -> Option<(u8, bool, Waiter)> {
        let mut held = self.held.iter();
        held.find(|held| usize::from(held.0) == output).copied()
    }

    /// The queue of an input, normal or a SAQ, that has reserved an output.
    pub(crate) fn holder(&self, saqs: bool, output: usize, input: usize) -> Option<u16> {
        let (_, saq, (_, by, queue)) = self.held_of(output)?;
        (saq == saqs && usize::from(by) == input).then_some(queue)
    }

    fn is_claimed(&self, output: usize, class: u16, head: Waiter, behind_all: bool) -> bool {
        let claims = self.claims.iter();
        let mut claims = claims.filter(|claim| usize::from(claim.0) == output && claim.1 == class);
        claims.any(|claim| claim.2 < head || behind_all)
    }
}

fn overdue_at(since: T, bound: T) -> T {
    since.saturating_add(bound).saturating_add(1)
}

impl<M: Mode> Flat<M> {
    /// Whether an older head that lacks room claims what this one would take.
    pub(crate) fn is_claimed(
        &self,
        s: usize,
        (input, output): (usize, usize),
        queue: usize,
        k: usize,
        is_saq: bool,
    ) -> bool {
        let packet = &self.packets.slots[k];
        let head = (packet.visible, input as u8, queue as u16);
        let behind_all = is_saq && self.recn.strict;
        let waiting = &self.switches[s].waiting;
        waiting.is_claimed(output, packet.next_class, head, behind_all)
    }

    /// Where heads may be overdue.
    #[cold]
    #[inline(never)]
    pub(crate) fn evaluate_where_overdue(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        let changed = self.reserve(observer, s, t);
        let goes = if self.rare.saqs && self.recn.switches[s].wanted != 0 {
            self.evaluate_with_saqs(observer, s, t, true)
        } else {
            let any = self.candidates(observer, s, t, true);
            if any != 0 {
                self.arbitrate_many(observer, s, any, t);
            }
            any != 0
        };
        if goes || changed {
            self.ask_crossbar(s, t + 1);
        }
    }

    /// Which heads are overdue, and what they reserve in this tick. Whether that has changed.
    fn reserve(&mut self, observer: &mut impl Observer, s: usize, t: T) -> bool {
        if t >= self.switches[s].waiting.survey_at {
            self.survey(s, t);
        }
        let mut lists = std::mem::take(&mut self.switches[s].waiting);
        std::mem::swap(&mut lists.held, &mut lists.held_before);
        std::mem::swap(&mut lists.claims, &mut lists.claims_before);
        lists.held.clear();
        lists.claims.clear();
        (lists.held_inputs, lists.held_outputs) = (0, 0);
        if self.rare.many {
            self.reserve_of_many(observer, s, &mut lists, t);
        } else {
            self.reserve_of_all(observer, s, &mut lists, t);
        }
        let changed = lists.held != lists.held_before || lists.claims != lists.claims_before;
        self.switches[s].waiting = lists;
        changed
    }

    fn reserve_of_all(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        lists: &mut Waiting,
        t: T,
    ) {
        let (overdue, mut at) = (lists.overdue(t), 0);
        lists.waiters.retain(|&(since, input, queue)| {
            at += 1;
            at > overdue || self.waits_since(s, input, queue) == Some(since)
        });
        for at in 0..lists.overdue(t) {
            let head = lists.waiters[at];
            self.reserve_for(observer, s, head, lists, t);
        }
        let first = lists.waiters.first().map_or(NONE, |head| head.0);
        lists.from = overdue_at(first, lists.bound).min(lists.survey_at);
    }

    /// [`super::many`]: heads without room are not looked up.
    fn reserve_of_many(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        lists: &mut Waiting,
        t: T,
    ) {
        self.overdue_with_room(s, lists, lists.overdue(t), t);
        for at in 0..lists.with_room.len() {
            let head = lists.waiters[lists.with_room[at] as usize];
            self.reserve_for(observer, s, head, lists, t);
        }
        let first = self.switches[s].first as usize;
        let mut later = lists.waiters[lists.gone..].iter();
        let gone = later.position(|&(_, input, queue)| {
            self.many.is_listed(first + usize::from(input), queue.into())
        });
        lists.gone = gone.map_or(lists.waiters.len(), |gone| lists.gone + gone);
        let since = lists.waiters.get(lists.gone).map_or(NONE, |head| head.0);
        lists.from = overdue_at(since, lists.bound).min(lists.survey_at);
    }

    /// The head of a queue that requests.
    fn requesting_head(&self, s: usize, input: u8, queue: u16) -> Option<&Packet> {
        let p = self.switches[s].first as usize + usize::from(input);
        if !self.asks(p, usize::from(queue)) {
            return None;
        }
        let k = self.queues[self.port[p].ingress as usize + usize::from(queue)].head;
        self.packets.slots.get(k as usize)
    }

    pub(super) fn waits_since(&self, s: usize, input: u8, queue: u16) -> Option<T> {
        Some(self.requesting_head(s, input, queue)?.visible)
    }

    /// Looks at all heads that request.
    fn survey(&mut self, s: usize, t: T) {
        let mut waiters = std::mem::take(&mut self.switches[s].waiting.waiters);
        waiters.clear();
        let bound = self.switches[s].waiting.bound;
        let mut youngest = t;
        for input in 0..self.switches[s].ports {
            let p = self.switches[s].first as usize + usize::from(input);
            let queues = match self.recn.strict {
                true => usize::from(self.port[p].ingress_queues),
                false => self.ingress_queues(p),
            };
            for queue in 0..queues as u16 {
                let Some(since) = self.waits_since(s, input, queue) else {
                    continue;
                };
                if since.saturating_add(bound / 2) <= t {
                    waiters.push((since, input, queue));
                } else {
                    youngest = youngest.min(since);
                }
            }
        }
        waiters.sort_unstable();
        let Switch { first, ports, waiting, .. } = &mut self.switches[s];
        let of = (*first as usize, usize::from(*ports));
        if self.rare.many {
            self.many.list(of, &waiters, &mut waiting.places);
        }
        (waiting.waiters, waiting.gone) = (waiters, 0);
        waiting.survey_at = overdue_at(youngest, bound);
    }

    /// An overdue head reserves its ports if it has room and none before it has; without room it
    /// claims what there is.
    fn reserve_for(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        head: Waiter,
        lists: &mut Waiting,
        t: T,
    ) {
        let (_, input, queue) = head;
        let Some(packet) = self.requesting_head(s, input, queue) else {
            return;
        };
        let (class, output) = (packet.next_class, usize::from(packet.out));
        let cells = packet.cells;
        let p = self.switches[s].first as usize + output;
        if lists.is_claimed(output, class, head, false) {
            return;
        }
        let room = self.room_behind(observer, p, class, u16::MAX, t);
        if room < cells {
            self.await_room(p, t);
            if room > 0 {
                lists.claims.push((output as u8, class, head));
            }
            return;
        }
        if (lists.held_inputs >> input | lists.held_outputs >> output) & 1 == 1 {
            return;
        }
        lists.held_inputs |= 1 << input;
        lists.held_outputs |= 1 << output;
        let from = self.switches[s].first as usize + usize::from(input);
        let is_saq = queue >= self.port[from].ingress_queues;
        lists.held.push((output as u8, is_saq, head));
    }
}
