//! Deadlock check: a cycle in the channel dependency graph [dally-seitz-1987].
//!
//! A channel is a directed link, named by the switch port that it leaves. Channel c depends on d
//! when some route uses d right after c. Links from and to end nodes cannot be on a cycle. One
//! channel per link: no virtual channels yet.

use std::collections::VecDeque;
use std::fmt;

use units::SwitchId;

use crate::graph::{Endpoint, Graph};
use crate::survey::Survey;

/// A directed link, named by the switch port that it leaves; displayed as `s4.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    /// The switch.
    pub switch: u32,
    /// Its port.
    pub port: u8,
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", SwitchId(self.switch), self.port)
    }
}

/// Channels each of which waits for the next and the last for the first; displayed as
/// `s0.3 -> s4.1 -> s0.3`.
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

/// The channels that `channel` depends on.
fn successors<'a>(
    graph: &'a Graph,
    survey: &'a Survey,
    channel: Channel,
) -> impl Iterator<Item = Channel> + 'a {
    let (switch, mut mask) = match graph.peer(channel.switch, channel.port) {
        Endpoint::Port { switch, port } => (switch, survey.turns[graph.port_index(switch, port)]),
        _ => (0, 0),
    };
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let port = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            Channel { switch, port }
        })
    })
}

/// Looks for a cycle: depth first, with a stack of its own, since routes of a large graph would
/// overflow the thread's.
pub(crate) fn check(graph: &Graph, survey: &Survey) -> Deadlock {
    const UNSEEN: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let index = |channel: Channel| graph.port_index(channel.switch, channel.port);
    let mut state = vec![UNSEEN; graph.ports_total()];
    for switch in 0..graph.switches() as u32 {
        for port in 0..graph.ports(switch) as u8 {
            let root = Channel { switch, port };
            if state[index(root)] != UNSEEN {
                continue;
            }
            state[index(root)] = OPEN;
            let mut stack = vec![(root, successors(graph, survey, root))];
            while let Some((channel, rest)) = stack.last_mut() {
                match rest.next() {
                    None => {
                        state[index(*channel)] = DONE;
                        stack.pop();
                    }
                    Some(next) if state[index(next)] == OPEN => {
                        return Deadlock::Cycle(shortest_cycle(graph, survey, next));
                    }
                    Some(next) if state[index(next)] == UNSEEN => {
                        state[index(next)] = OPEN;
                        stack.push((next, successors(graph, survey, next)));
                    }
                    Some(_) => {}
                }
            }
        }
    }
    Deadlock::Free
}

/// A shortest cycle through `start`, which is on one.
fn shortest_cycle(graph: &Graph, survey: &Survey, start: Channel) -> Cycle {
    let index = |channel: Channel| graph.port_index(channel.switch, channel.port);
    let mut from: Vec<Option<Channel>> = vec![None; graph.ports_total()];
    let mut waiting = VecDeque::from([start]);
    while let Some(channel) = waiting.pop_front() {
        for next in successors(graph, survey, channel) {
            if next == start {
                let mut cycle = vec![channel];
                let mut at = channel;
                while at != start {
                    // Every channel in the queue but `start` was reached from another.
                    at = from[index(at)].unwrap_or(start);
                    cycle.push(at);
                }
                cycle.reverse();
                return Cycle(cycle);
            }
            if from[index(next)].is_none() {
                from[index(next)] = Some(channel);
                waiting.push_back(next);
            }
        }
    }
    unreachable!(
        "the depth-first search met `start` while it was open, so a cycle leads through it"
    )
}
