//! A plain oracle of the waiting bound: looks at a fabric before every tick, keeps how long each
//! head has requested and had room, and says which one has waited for longer than the bound allows.
//! It knows nothing of pointers, arbiters and lists.

use fabric::Fabric;
use observe::Observer;
use std::collections::BTreeMap;
use switch::{CrossingView, RequestView};
use units::{PacketId, PortId, QueueId, Span, SwitchId, Tick};

/// By age: since when it requests, input, queue.
type Age = (Tick, PortId, QueueId);

/// A head that requests.
#[derive(Debug, Clone)]
struct Standing {
    since: Tick,
    view: RequestView,
    /// Span in which it had room and nothing but other heads of its class was in its way.
    waited: Span,
    /// Older ones of its class in the switch when it became overdue.
    older: Option<u64>,
}

impl Standing {
    fn age(&self) -> Age {
        (self.since, self.view.input, self.view.queue)
    }

    fn has_room(&self) -> bool {
        self.view.room >= u32::from(self.view.cells)
    }

    fn meets(&self, input: PortId, output: PortId) -> bool {
        self.view.input == input || self.view.output == output
    }
}

/// Switch, input, queue, packet.
type Key = (SwitchId, PortId, QueueId, PacketId);

/// What the oracle has seen.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    bound: Span,
    /// The longest that a transfer holds its ports.
    transfer: Span,
    heads: BTreeMap<Key, Standing>,
    /// Transfers under way: switch and input, transfer, whether the packet came from a SAQ.
    crossings: BTreeMap<(SwitchId, PortId), (CrossingView, bool)>,
    /// Heads that were overdue: of normal queues, of SAQs.
    pub overdue: [u64; 2],
    /// Of them the most ticks of waiting with room beyond the bound.
    pub longest_beyond: [Span; 2],
}

impl Standings {
    /// For heads that are overdue after `bound`, and transfers that hold their ports for at most
    /// `transfer`.
    pub fn new(bound: Span, transfer: Span) -> Standings {
        Standings {
            bound,
            transfer,
            ..Standings::default()
        }
    }

    /// Simulates up to tick `until`, tick by tick.
    ///
    /// # Errors
    /// Who has waited for too long, or the deadlock.
    pub fn run<O: Observer>(&mut self, fabric: &mut Fabric<O>, until: Tick) -> Result<(), String> {
        while fabric.now() < until {
            let now = fabric.now();
            self.look_at_heads(fabric, now);
            let counted = self.counted(now);
            fabric.run_until(now.next()).map_err(|e| e.to_string())?;
            let normal = self.look_at_crossings(fabric);
            self.count(&counted, &normal, now)?;
        }
        Ok(())
    }

    /// Heads that request, before tick `now`.
    fn look_at_heads<O: Observer>(&mut self, fabric: &Fabric<O>, now: Tick) {
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
            let is_older =
                |s: &&Standing| s.view.is_saq == this.view.is_saq && s.age() < this.age();
            let older = self.of_switch(key.0).filter(is_older).count() as u64;
            self.overdue[usize::from(this.view.is_saq)] += 1;
            if let Some(this) = self.heads.get_mut(&key) {
                this.older = Some(older);
            }
        }
    }

    fn is_overdue(&self, standing: &Standing, now: Tick) -> bool {
        now > standing.since.saturating_add(self.bound)
    }

    fn of_switch(&self, switch: SwitchId) -> impl Iterator<Item = &Standing> {
        let from = (switch, PortId(0), QueueId(0), PacketId(0));
        let heads = self.heads.range(from..);
        heads
            .take_while(move |(key, _)| key.0 == switch)
            .map(|(_, standing)| standing)
    }

    /// Whether an older overdue head waits for what room there is of the class of `this`; a normal
    /// queue is older than any SAQ.
    fn is_claimed(&self, switch: SwitchId, this: &Standing, now: Tick) -> bool {
        self.of_switch(switch).any(|other| {
            self.is_overdue(other, now)
                && !other.has_room()
                && (other.view.output, other.view.class) == (this.view.output, this.view.class)
                && goes_before(other, this)
        })
    }

    /// The heads for which this tick counts, as far as is known before it, each with the ports that
    /// normal queues must leave alone in it.
    fn counted(&self, now: Tick) -> Vec<(Key, Vec<(PortId, PortId)>)> {
        let mut counted = Vec::new();
        for (key, this) in &self.heads {
            if this.since > now || !this.has_room() || self.is_claimed(key.0, this, now) {
                continue;
            }
            let is_in_turn = |other: &&Standing| {
                self.is_overdue(other, now)
                    && other.view.is_saq == this.view.is_saq
                    && other.age() < this.age()
                    && other.has_room()
            };
            let turns: Vec<&Standing> = std::iter::once(this)
                .chain(self.of_switch(key.0).filter(is_in_turn))
                .collect();
            if turns.iter().any(|turn| !turn.view.is_output_open) {
                continue;
            }
            let ports = turns.iter().map(|turn| (turn.view.input, turn.view.output));
            if this.view.is_saq
                && turns
                    .iter()
                    .any(|turn| self.is_normal_there(key.0, turn, now))
            {
                continue;
            }
            counted.push((*key, ports.collect()));
        }
        counted
    }

    /// Whether a normal queue uses a port of a SAQ, or an overdue one with room wants to.
    fn is_normal_there(&self, switch: SwitchId, saq: &Standing, now: Tick) -> bool {
        let uses = self
            .crossings
            .range((switch, PortId(0))..)
            .take_while(|(key, _)| key.0 == switch)
            .any(|(_, (c, is_saq))| !is_saq && c.end > now && saq.meets(c.input, c.output));
        uses || self.of_switch(switch).any(|other| {
            !other.view.is_saq
                && self.is_overdue(other, now)
                && other.has_room()
                && other.meets(saq.view.input, saq.view.output)
        })
    }

    /// Transfers that started in the last tick from normal queues: switch, input, output.
    fn look_at_crossings<O: Observer>(
        &mut self,
        fabric: &Fabric<O>,
    ) -> Vec<(SwitchId, PortId, PortId)> {
        let mut now = BTreeMap::new();
        let mut normal = Vec::new();
        let mut heads = BTreeMap::new();
        fabric.requests(|switch, v| {
            heads.insert((switch, v.input, v.queue, v.packet), ());
        });
        fabric.crossings(|switch, view| {
            let key = (switch, view.input);
            let known = self.crossings.get(&key).filter(|(c, _)| *c == view);
            let is_saq = known.map_or_else(
                || {
                    // Which head of that input went.
                    let from = (switch, view.input, QueueId(0), PacketId(0));
                    let went = self
                        .heads
                        .range(from..)
                        .take_while(|(key, _)| (key.0, key.1) == (switch, view.input))
                        .find(|(key, s)| s.view.output == view.output && !heads.contains_key(key));
                    let is_saq = went.is_some_and(|(_, s)| s.view.is_saq);
                    if !is_saq {
                        normal.push((switch, view.input, view.output));
                    }
                    is_saq
                },
                |(_, is_saq)| *is_saq,
            );
            now.insert(key, (view, is_saq));
        });
        self.crossings = now;
        normal
    }

    /// The tick counts for those in `counted` whose ports no normal queue took in it.
    fn count(
        &mut self,
        counted: &[(Key, Vec<(PortId, PortId)>)],
        normal: &[(SwitchId, PortId, PortId)],
        now: Tick,
    ) -> Result<(), String> {
        for (key, ports) in counted {
            let Some(this) = self.heads.get_mut(key) else {
                continue;
            };
            let in_the_way = |&(switch, input, output): &(SwitchId, PortId, PortId)| {
                switch == key.0 && ports.iter().any(|&(i, o)| i == input || o == output)
            };
            if this.view.is_saq && normal.iter().any(in_the_way) {
                continue;
            }
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

fn goes_before(other: &Standing, this: &Standing) -> bool {
    match (other.view.is_saq, this.view.is_saq) {
        (false, true) => true,
        (true, false) => false,
        _ => other.age() < this.age(),
    }
}
