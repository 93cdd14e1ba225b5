//! Messages: generated, refused or entered into admittance.

use super::{Waiting, waiting};
use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Observer, Offered};
use plan::GeneratorRule;
use units::Tick;
use workload::{Given, Message};

impl<M: Mode> Flat<M> {
    /// Asks for the next generation of a node.
    pub(crate) fn ask_to_generate(&mut self, n: usize, t: T, first: bool) {
        let Some(due) = self.nodes[n].due(self.times.injection) else {
            return;
        };
        let least = if first { 0 } else { u64::from(t) + 1 };
        let at = due.max(least);
        if at < u64::from(self.nodes[n].generate_asked) {
            let at = at as T;
            self.nodes[n].generate_asked = at;
            self.wheel.put(at, Kind::Generate, n);
        }
    }

    /// A message of a trace is given to its source, if that is of this part.
    pub(crate) fn give_message(&mut self, message: Given, now: Tick) {
        let n = message.source as usize;
        if let Some(source) = self.nodes[n].of_trace() {
            source.generator.give(source.next.is_some(), message);
            source.advance();
            let is_first = now == Tick::ZERO;
            self.ask_to_generate(n, now.0.saturating_sub(1) as T, is_first);
        }
    }

    #[inline(always)]
    pub(crate) fn offered(&self, n: usize, message: &Waiting, refused: bool) -> Offered {
        Offered {
            source: n as u32,
            destination: message.destination,
            bytes: message.bytes,
            packets: message.bytes.div_ceil(self.packet_bytes),
            group: message.group,
            kind: message.kind,
            born: Tick(message.born.into()),
            asked: Tick(message.asked.into()),
            refused,
        }
    }

    pub(super) fn offer(
        &self,
        observer: &mut impl Observer,
        n: usize,
        message: &Waiting,
        refused: bool,
        t: T,
    ) {
        let offered = self.offered(n, message, refused);
        observer.offered(Self::view_at(&self.owners, t), offered);
    }

    /// Whether a message fits the queue of its destination, behind one that is not in it yet.
    fn fits_queue(&self, n: usize, message: &Message, ahead: Option<Waiting>) -> bool {
        let ahead = ahead.filter(|ahead| ahead.destination == message.destination);
        let queued = self.nodes[n].queues.get(message.destination as usize).bytes;
        let queued = queued.saturating_add(ahead.map_or(0, |ahead| ahead.bytes));
        self.admittance_bytes.is_none_or(|limit| queued.saturating_add(message.bytes) <= limit)
    }

    /// Step 2: every message due enters its admittance queue or is refused.
    #[inline(never)]
    pub(crate) fn generate(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        if self.nodes[n].generate_asked <= t {
            self.nodes[n].generate_asked = NONE;
        }
        let stage = u64::from(self.times.injection);
        let mut only: Option<Waiting> = None;
        for at in 0..self.nodes[n].sources.len() {
            loop {
                let source = &self.nodes[n].sources[at];
                let Some(message) = source.next.filter(|_| !source.waits) else {
                    break;
                };
                let born = source.time_of(&message);
                if born + stage > u64::from(t) {
                    break;
                }
                let cut_off = !self.nodes[n].leads_on(message.destination);
                let refused = cut_off || !self.fits_queue(n, &message, only);
                let source = &mut self.nodes[n].sources[at];
                if refused && !cut_off && self.generator == GeneratorRule::Delayed {
                    source.waits = true;
                    break;
                }
                if refused {
                    source.generator.answered(Tick(t.into()));
                }
                source.advance();
                let message = waiting(&message, born);
                self.offer(observer, n, &message, refused, t);
                if !refused {
                    self.enter(n, message, &mut only);
                }
            }
        }
        while let Some(reply) = self.nodes[n].replies.front().copied() {
            if u64::from(reply.born) + stage > u64::from(t) {
                break;
            }
            self.nodes[n].replies.pop_front();
            self.offer(observer, n, &reply, false, t);
            self.enter(n, reply, &mut only);
        }
        match only {
            Some(message) if self.admit_at_once(observer, n, &message, t) => {}
            Some(message) => {
                self.nodes[n].push(message);
                self.ask_to_admit_now(n);
            }
            None if self.nodes[n].waiting_count > 0 => self.ask_to_admit_now(n),
            None => {}
        }
        self.ask_to_generate(n, t, false);
    }

    /// A message enters admittance; the first one, where none waits, may go on at once.
    pub(super) fn enter(&mut self, n: usize, message: Waiting, only: &mut Option<Waiting>) {
        if self.nodes[n].waiting_count == 0 && only.is_none() {
            *only = Some(message);
            return;
        }
        if let Some(first) = only.take() {
            self.nodes[n].push(first);
        }
        self.nodes[n].push(message);
    }

    /// `delayed`: a message that waited for room is generated now if there is some.
    pub(super) fn retry_delayed(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        if self.generator != GeneratorRule::Delayed {
            return;
        }
        for at in 0..self.nodes[n].sources.len() {
            let source = &self.nodes[n].sources[at];
            let Some(message) = source.next.filter(|_| source.waits) else {
                continue;
            };
            let refused = !self.nodes[n].leads_on(message.destination);
            if !refused && !self.fits_queue(n, &message, None) {
                continue;
            }
            let born = u64::from(t - self.times.injection);
            let source = &mut self.nodes[n].sources[at];
            if refused {
                source.generator.answered(Tick(t.into()));
            }
            source.waits = false;
            if source.generator.is_closed() {
                source.not_before = born;
            } else {
                source.shift = born.saturating_sub(message.tick.0);
            }
            source.advance();
            let message = waiting(&message, born);
            self.offer(observer, n, &message, refused, t);
            if !refused {
                self.nodes[n].push(message);
            }
        }
        self.ask_to_generate(n, t, false);
    }
}
