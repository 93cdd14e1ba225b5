//! Deadlock check: a cycle in the channel dependency graph [dally-seitz-1987].
//!
//! A channel is a virtual channel of a directed link, named by the switch port that it leaves.
//! Channel c depends on d when some route uses d right after c. Links from and to end nodes cannot
//! be on a cycle.

use std::collections::VecDeque;
use std::fmt;

use units::SwitchId;
use units::bits::ones;

use crate::graph::{Endpoint, Graph};
use crate::ground::Ground;
use crate::survey::Survey;

/// A virtual channel of the directed link that leaves a switch port; displayed as `s4.1 vc0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    /// The switch.
    pub switch: u32,
    /// Its port.
    pub port: u8,
    /// The virtual channel, from 0.
    pub vc: u8,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} vc{}", SwitchId(self.switch), self.port, self.vc)
    }
}

/// Channels each of which waits for the next; displayed as `s0.3 vc0 -> s4.1 vc0 -> s0.3 vc0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<Channel>);

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for channel in &self.0 {
            write!(f, "{channel} -> ")?;
        }
        match self.0.first() {
            Some(first) => first.fmt(f),
            None => f.write_str("empty"),
        }
    }
}

/// The outcome of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadlock {
    /// No cycle: the routes cannot deadlock.
    Free,
    /// A shortest cycle through one of the channels concerned.
    Cycle(Cycle),
}

pub(crate) struct Dependencies<'a> {
    graph: &'a Graph,
    /// Virtual channels of a link.
    vcs: u8,
    /// By ingress port, virtual channel in, virtual channel out: ports out, a bit each.
    turns: Vec<u64>,
}

impl<'a> Dependencies<'a> {
    pub(crate) fn new(graph: &'a Graph, vcs: u8) -> Self {
        let turns = vec![0; graph.ports_total() * usize::from(vcs).pow(2)];
        Self { graph, vcs, turns }
    }

    /// Those of routes whose virtual channels follow from the steps of a table.
    pub(crate) fn of_routes(ground: &'a Ground, survey: &Survey) -> Self {
        let mut all = Self::new(&ground.graph, ground.vcs);
        for (switch, in_port) in ground.graph.all_ports() {
            for in_vc in 0..ground.vcs {
                let turns = survey.turns[ground.place(switch, in_port, in_vc)];
                for port in ones(turns).map(|port| port as u8) {
                    let vc = ground.next_vc(switch, (in_port, in_vc), port);
                    all.add((switch, in_port, in_vc), port, vc);
                }
            }
        }
        all
    }

    /// A packet that came into a switch by a port on a virtual channel leaves by `port` on `vc`.
    #[inline]
    pub(crate) fn add(&mut self, (switch, in_port, in_vc): (u32, u8, u8), port: u8, vc: u8) {
        let row = self.index(Channel { switch, port: in_port, vc: in_vc }) * usize::from(self.vcs);
        self.turns[row + usize::from(vc)] |= 1 << port;
    }

    fn successors(&self, channel: Channel) -> impl Iterator<Item = Channel> {
        let ingress = match self.graph.peer(channel.switch, channel.port) {
            Endpoint::Port { switch, port } => Some(Channel { switch, port, vc: channel.vc }),
            Endpoint::Node(_) | Endpoint::None => None,
        };
        ingress.into_iter().flat_map(move |ingress| {
            let row = &self.turns[self.index(ingress) * usize::from(self.vcs)..];
            row.iter().zip(0..self.vcs).flat_map(move |(&ports, vc)| {
                let switch = ingress.switch;
                ones(ports).map(move |port| Channel { switch, port: port as u8, vc })
            })
        })
    }

    fn channels(&self) -> impl Iterator<Item = Channel> {
        let channels = |(switch, port)| (0..self.vcs).map(move |vc| Channel { switch, port, vc });
        self.graph.all_ports().flat_map(channels)
    }

    fn index(&self, channel: Channel) -> usize {
        let port = self.graph.port_index(channel.switch, channel.port);
        port * usize::from(self.vcs) + usize::from(channel.vc)
    }

    fn len(&self) -> usize {
        self.graph.ports_total() * usize::from(self.vcs)
    }
}

/// Searches for a cycle depth first; recursion would overflow the stack in a large graph.
pub(crate) fn find(on: &Dependencies<'_>) -> Deadlock {
    const UNSEEN: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut state = vec![UNSEEN; on.len()];
    for root in on.channels() {
        if state[on.index(root)] != UNSEEN {
            continue;
        }
        state[on.index(root)] = OPEN;
        let mut stack = vec![(root, on.successors(root))];
        while let Some((channel, rest)) = stack.last_mut() {
            match rest.next() {
                None => {
                    state[on.index(*channel)] = DONE;
                    stack.pop();
                }
                Some(next) if state[on.index(next)] == OPEN => {
                    return Deadlock::Cycle(shortest_cycle(on, next));
                }
                Some(next) if state[on.index(next)] == UNSEEN => {
                    state[on.index(next)] = OPEN;
                    stack.push((next, on.successors(next)));
                }
                Some(_) => {}
            }
        }
    }
    Deadlock::Free
}

/// A shortest cycle through `start`, which is on one.
fn shortest_cycle(on: &Dependencies<'_>, start: Channel) -> Cycle {
    let mut from: Vec<Option<Channel>> = vec![None; on.len()];
    let mut waiting = VecDeque::from([start]);
    while let Some(channel) = waiting.pop_front() {
        for next in on.successors(channel) {
            if next == start {
                let mut cycle = vec![channel];
                let mut at = channel;
                while at != start {
                    // Every channel in the queue but `start` was reached from another.
                    at = from[on.index(at)].unwrap_or(start);
                    cycle.push(at);
                }
                cycle.reverse();
                return Cycle(cycle);
            }
            if from[on.index(next)].is_none() {
                from[on.index(next)] = Some(channel);
                waiting.push_back(next);
            }
        }
    }
    unreachable!(
        "the depth-first search met `start` while it was open, so a cycle leads through it"
    )
}
