//! A plain oracle of the waiting bound: samples a fabric before every tick, keeps how long each
//! head has requested and had room, and reports the one that waited for longer than the bound
//! allows. It knows nothing of pointers, arbiters and lists.

use crate::prelude::*;
use switch::RequestView;
use units::{PacketId, QueueId, SwitchId};

/// By age: since when it requests, input, queue.
type Age = (Tick, PortId, QueueId);

#[derive(Debug, Clone)]
struct Standing {
    since: Tick,
    view: RequestView,
    /// Span in which it had room and nothing but other heads was in its way.
    waited: Span,
    /// Older ones in the switch when it became overdue.
    older: Option<u64>,
}

impl Standing {
    fn age(&self) -> Age {
        (self.since, self.view.input, self.view.queue)
    }

    fn has_room(&self) -> bool {
        self.view.room >= u32::from(self.view.cells)
    }
}

/// Switch, input, queue, packet.
type Key = (SwitchId, PortId, QueueId, PacketId);

/// What the oracle has seen.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    bound: Span,
    /// Whether it holds for SAQs.
    saqs: Option<SaqPriority>,
    /// The longest that a transfer holds its ports.
    transfer: Span,
    heads: BTreeMap<Key, Standing>,
    /// Heads that were overdue: of normal queues, of SAQs.
    pub overdue: [u64; 2],
    /// Of them the most ticks of waiting with room beyond the bound.
    pub longest_beyond: [Span; 2],
}

impl Standings {
    /// For heads that are overdue after `bound`, SAQs by `saqs`, and transfers that hold their
    /// ports for at most `transfer`.
    pub fn new(bound: Span, saqs: SaqPriority, transfer: Span) -> Standings {
        Standings { bound, saqs: Some(saqs), transfer, ..Standings::default() }
    }

    /// Simulates up to tick `until`, tick by tick.
    pub fn run<O: Observer>(&mut self, fabric: &mut Fabric<O>, until: Tick) -> Holds {
        while fabric.now() < until {
            let now = fabric.now();
            self.sample_heads(fabric, now);
            let counted = self.counted(now);
            fabric.run_until(now.next()).map_err(|e| e.to_string())?;
            self.count(&counted, now)?;
        }
        Ok(())
    }

    /// Heads that request, before tick `now`.
    fn sample_heads<O: Observer>(&mut self, fabric: &Fabric<O>, now: Tick) {
        let before = std::mem::take(&mut self.heads);
        fabric.requests(|switch, view| {
            let key = (switch, view.input, view.queue, view.packet);
            let known = before.get(&key);
            let standing = Standing {
                since: known.map_or(view.due.max(now), |s| s.since),
                view,
                waited: known.map_or(Span::ZERO, |s| s.waited),
                older: known.and_then(|s| s.older),
            };
            self.heads.insert(key, standing);
        });
        let overdue: Vec<Key> = self
            .heads
            .iter()
            .filter(|(_, s)| s.older.is_none() && self.is_overdue(s, now))
            .map(|(key, _)| *key)
            .collect();
        for key in overdue {
            let this = &self.heads[&key];
            let is_older = |s: &&Standing| self.has_bound(s) && s.age() < this.age();
            let older = self.of_switch(key.0).filter(is_older).count() as u64;
            self.overdue[usize::from(this.view.is_saq)] += 1;
            if let Some(this) = self.heads.get_mut(&key) {
                this.older = Some(older);
            }
        }
    }

    /// "`strict`: a SAQ is never overdue".
    fn has_bound(&self, standing: &Standing) -> bool {
        self.saqs == Some(SaqPriority::Bounded) || !standing.view.is_saq
    }

    fn is_overdue(&self, standing: &Standing, now: Tick) -> bool {
        self.has_bound(standing) && now > standing.since.saturating_add(self.bound)
    }

    fn of_switch(&self, switch: SwitchId) -> impl Iterator<Item = &Standing> {
        let from = (switch, PortId(0), QueueId(0), PacketId(0));
        let heads = self.heads.range(from..);
        heads.take_while(move |(key, _)| key.0 == switch).map(|(_, standing)| standing)
    }

    /// Whether an older overdue head waits for what room there is of the class of `this`.
    fn is_claimed(&self, switch: SwitchId, this: &Standing, now: Tick) -> bool {
        self.of_switch(switch).any(|other| {
            self.is_overdue(other, now)
                && !other.has_room()
                && (other.view.output, other.view.class) == (this.view.output, this.view.class)
                && other.age() < this.age()
        })
    }

    /// The heads for which this tick counts.
    fn counted(&self, now: Tick) -> Vec<Key> {
        let mut counted = Vec::new();
        for (key, this) in &self.heads {
            if !self.has_bound(this) || this.since > now || !this.has_room() {
                continue;
            }
            if self.is_claimed(key.0, this, now) {
                continue;
            }
            let is_in_turn = |other: &&Standing| {
                self.is_overdue(other, now) && other.age() < this.age() && other.has_room()
            };
            let mut turns = std::iter::once(this).chain(self.of_switch(key.0).filter(is_in_turn));
            if turns.all(|turn| turn.view.is_output_open) {
                counted.push(*key);
            }
        }
        counted
    }

    /// The tick counts for those in `counted`.
    fn count(&mut self, counted: &[Key], now: Tick) -> Holds {
        for key in counted {
            let Some(this) = self.heads.get_mut(key) else {
                continue;
            };
            this.waited += Span::TICK;
            let older = this.older.unwrap_or(0);
            let most = self.bound + self.transfer * (2 * older + 1);
            let beyond = this.waited.saturating_sub(self.bound);
            let longest = &mut self.longest_beyond[usize::from(this.view.is_saq)];
            *longest = (*longest).max(beyond);
            // The tick in which it goes is not one of waiting.
            if this.waited > most + Span::TICK {
                return Err(format!(
                    "tick {now}, switch {}: {:?} stands since {} and has had room for {} ticks; \
                     the bound is {} + (2 x {older} + 1) x {} = {most}",
                    key.0, this.view, this.since, this.waited, self.bound, self.transfer
                ));
            }
        }
        Ok(())
    }
}
