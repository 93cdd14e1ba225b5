//! What the steps of a tick will read, loaded before.
//!
//! In a network that no second-level cache holds a packet-hop misses some thirty lines, one after
//! the other. What different links, heads and crossbars read does not depend on each other: loaded
//! for all of a tick, nothing else between, misses are waited for together. No result depends on
//! it.

use super::crossbar::Switch;
use super::mapping::Beyond;
use super::{Flat, Mode, NONE, Packet, Port, T};
use std::hint::black_box;
use units::bits::ones;

/// Ports of a fabric whose state no second-level cache holds (docs: performance/reasons.md). Fewer
/// where checks are on, so that tests come by here.
const PORTS_MIN: usize = if cfg!(debug_assertions) { 40 } else { 8000 };

/// What a tick has to do, listed.
#[derive(Debug)]
pub(crate) struct Reach {
    pub(crate) is_on: bool,
    /// Of a list of the wheel.
    ids: Vec<u32>,
    heads: Vec<Head>,
}

/// The head of a queue that may move from a port to a port.
#[derive(Debug, Clone, Copy)]
struct Head {
    queue: u32,
    from: u32,
    to: u32,
}

impl Reach {
    pub(crate) fn new(ports: usize) -> Reach {
        let is_on = ports >= PORTS_MIN;
        let room = if is_on { 8 * ports } else { 0 };
        Reach { is_on, ids: Vec::with_capacity(room), heads: Vec::with_capacity(room) }
    }
}

/// Reads all of these words.
#[inline(always)]
fn load(words: impl Iterator<Item = u32>) {
    black_box(words.fold(0, |all, word| all ^ word));
}

impl Port {
    /// A word of each of its cache lines.
    #[inline(always)]
    fn lines(&self) -> u32 {
        self.busy ^ self.element
    }
}

impl Packet {
    /// A word of the cache line that a hop reads.
    #[inline(always)]
    fn line(&self) -> u32 {
        self.visible
    }
}

impl Beyond {
    /// A word of its cache line.
    #[inline(always)]
    fn line(&self) -> u32 {
        matches!(self, Beyond::Table).into()
    }
}

impl<M: Mode> Flat<M> {
    /// Links: port, the queue that is next, its head, and where that goes.
    #[inline(never)]
    pub(crate) fn reach_links(&mut self) {
        self.wheel.ids(super::wheel::LINKS, &mut self.reach.ids);
        let Reach { ids, heads, .. } = &mut self.reach;
        load(ids.iter().map(|&p| self.port[p as usize].lines()));
        heads.clear();
        for &p in &*ids {
            let port = &self.port[p as usize];
            let behind = port.eligible >> (port.pointer % 64);
            let queue = match behind {
                0 => port.eligible.trailing_zeros(),
                _ => u32::from(port.pointer % 64) + behind.trailing_zeros(),
            };
            if port.eligible != 0 && self.rare.words(port.egress_words).fits_word() {
                let queue = port.egress + queue;
                let to = port.peer;
                heads.push(Head { queue, from: p, to });
            }
        }
        load(self.reach.heads.iter().map(|head| {
            let credits = self.port[head.from as usize].credits;
            self.head_of(head) ^ self.port[head.to as usize].lines() ^ self.counter(credits)
        }));
        load(self.packets_of_heads().map(|(_, packet)| packet.line()));
        load(self.packets_of_heads().map(|(head, packet)| {
            let there = &self.port[head.to as usize];
            let queue = self.queue_by(self.ingress_map, packet.ahead, packet.destination);
            let out = there.first(head.to as usize) + usize::from(packet.ahead);
            let beyond = self.beyond.get(out).map_or(0, Beyond::line);
            self.tail_of(there.ingress, queue) ^ beyond ^ self.counter(there.credits)
        }));
    }

    /// Heads: queue, port, packet, and the outputs that they request.
    #[inline(never)]
    pub(crate) fn reach_heads(&mut self) {
        self.wheel.ids(super::wheel::HEADS, &mut self.reach.ids);
        let queues = || {
            let ids = self.reach.ids.iter();
            ids.map(|&queue| &self.queues[queue as usize])
        };
        load(queues().map(|queue| queue.head));
        load(queues().map(|queue| {
            let p = queue.port as usize;
            let head = self.packets.slots.get(queue.head as usize);
            let sends = self.crossing[p].end ^ self.sends_until[p];
            self.port[p].lines() ^ sends ^ head.map_or(0, |head| head.visible)
        }));
        load(queues().map(|queue| {
            let p = queue.port as usize;
            let port = &self.port[p];
            let head = self.packets.slots.get(queue.head as usize);
            let output = port.first(p) + head.map_or(0, |head| head.out.into());
            self.switches[port.element as usize].first ^ self.crossing[output].end
        }));
    }

    /// Crossbars: switch, what is requested, ports, queues, and heads with where they go.
    #[inline(never)]
    pub(crate) fn reach_crossbars(&mut self, t: T) {
        let crossbars = || self.crossbars.iter().map(|&s| s as usize);
        let ports = |s: usize| {
            let Switch { first, ports, .. } = self.switches[s];
            first as usize..first as usize + usize::from(ports)
        };
        load(crossbars().map(|s| self.switches[s].first ^ self.switches[s].longest[0]));
        load(crossbars().map(|s| self.sends_until[ports(s).start]));
        // Of what is smaller than a cache line not each is read: every second, every fourth.
        let crossings = |s| self.crossing[ports(s)].iter().step_by(2);
        load(crossbars().flat_map(|s| crossings(s).map(|crossing| crossing.end)));
        if self.rare.saqs {
            let requests = |s| self.recn.requests[ports(s)].iter().step_by(4);
            load(crossbars().flat_map(|s| requests(s).map(|port| port.outputs as u32)));
            load(crossbars().map(|s| self.recn.switches[s].wanted as u32));
        }
        self.list_heads(t);
        load(self.reach.heads.iter().map(|head| {
            let (from, to) = (&self.port[head.from as usize], &self.port[head.to as usize]);
            let there = self.port.get(from.peer as usize).map_or(0, Port::lines);
            self.head_of(head) ^ there ^ to.lines() ^ self.counter(from.back)
        }));
        load(self.packets_of_heads().map(|(head, packet)| {
            let there = self.port.get(self.port[head.from as usize].peer as usize);
            let credits = there.map_or(0, |there| self.counter(there.credits));
            packet.line() ^ credits ^ self.counter(self.port[head.to as usize].room)
        }));
        load(self.packets_of_heads().map(|(head, packet)| {
            let queue = self.queue_by(self.egress_map, packet.ahead, packet.destination);
            self.tail_of(self.port[head.to as usize].egress, queue)
        }));
    }

    /// The heads that may cross in tick `t`.
    fn list_heads(&mut self, t: T) {
        let mut heads = std::mem::take(&mut self.reach.heads);
        heads.clear();
        for &s in &self.crossbars {
            let switch = &self.switches[s as usize];
            let first = switch.first as usize;
            let busy = self.busy_inputs(switch, t);
            let is_free = |output: &usize| self.crossing[first + output].end <= t;
            for output in ones(switch.wanted).filter(is_free) {
                for input in ones(self.crossing[first + output].inputs & !busy) {
                    // Of those of its port, whose first one is added below; where queues share
                    // outputs it is one of several.
                    let queue =
                        if self.rare.shared { 0 } else { self.ingress_map.of_output(output) };
                    heads.push(Head {
                        queue: queue as u32,
                        from: (first + input) as u32,
                        to: (first + output) as u32,
                    });
                }
            }
        }
        for head in &mut heads {
            head.queue += self.port[head.from as usize].ingress;
        }
        self.reach.heads = heads;
    }

    fn head_of(&self, head: &Head) -> u32 {
        let queue = self.queues.get(head.queue as usize);
        queue.map_or(NONE, |queue| queue.head)
    }

    fn packets_of_heads(&self) -> impl Iterator<Item = (&Head, &Packet)> {
        let heads = self.reach.heads.iter();
        heads.filter_map(|head| Some((head, self.packets.slots.get(self.head_of(head) as usize)?)))
    }

    /// The last packet of a queue, by the first one of its port.
    fn tail_of(&self, first: u32, queue: usize) -> u32 {
        let queue = self.queues.get(first as usize + queue);
        queue.map_or(NONE, |queue| queue.tail)
    }

    fn counter(&self, at: u32) -> u32 {
        let counter = self.counters.get(at as usize);
        counter.map_or(0, |&cells| cells.into())
    }
}
