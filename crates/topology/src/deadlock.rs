//! Deadlock check: a cycle in the channel dependency graph [dally-seitz-1987].
//!
//! A channel is a virtual channel of a directed link, named by the switch port that it leaves.
//! Channel c depends on d when some route uses d right after c. Links from and to end nodes cannot
//! be on a cycle.

use std::collections::VecDeque;

use units::bits::ones;

use crate::channel::{Channel, Cycle};
use crate::graph::{Endpoint, Graph};
use crate::survey::Survey;
use crate::vcs::VcTable;

/// The outcome of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadlock {
    /// No cycle: the routes cannot deadlock.
    Free,
    /// A shortest cycle through one of the channels concerned.
    Cycle(Cycle),
}

/// The channel dependency graph.
pub(crate) trait Dependencies {
    fn graph(&self) -> &Graph;

    /// Virtual channels of a link.
    fn vcs(&self) -> u8;

    /// The channels that `channel` depends on.
    fn successors(&self, channel: Channel) -> impl Iterator<Item = Channel>;

    /// Every channel, by switch, port and virtual channel.
    fn channels(&self) -> impl Iterator<Item = Channel> {
        let (ports, count) = (self.graph().all_ports(), self.vcs());
        ports.flat_map(move |(switch, port)| (0..count).map(move |vc| Channel { switch, port, vc }))
    }

    /// Place of a channel in an array over all of them.
    fn index(&self, channel: Channel) -> usize {
        let port = self.graph().port_index(channel.switch, channel.port);
        port * usize::from(self.vcs()) + usize::from(channel.vc)
    }

    fn len(&self) -> usize {
        self.graph().ports_total() * usize::from(self.vcs())
    }
}

/// That of routes whose virtual channels follow from the steps of a table.
struct Surveyed<'a> {
    graph: &'a Graph,
    vcs: &'a VcTable,
    survey: &'a Survey,
}

impl Dependencies for Surveyed<'_> {
    fn graph(&self) -> &Graph {
        self.graph
    }

    fn vcs(&self) -> u8 {
        self.vcs.count()
    }

    fn successors(&self, channel: Channel) -> impl Iterator<Item = Channel> {
        let (graph, vcs) = (self.graph, self.vcs);
        let (switch, in_port, mask) = match graph.peer(channel.switch, channel.port) {
            Endpoint::Port { switch, port } => {
                let ingress = vcs.index(graph.port_index(switch, port), channel.vc);
                (switch, port, self.survey.turns[ingress])
            }
            _ => (0, 0, 0),
        };
        ones(mask).map(move |port| {
            let port = port as u8;
            let vc = vcs.next(graph, switch, (in_port, channel.vc), port);
            Channel { switch, port, vc }
        })
    }
}

/// Looks for a cycle of routes.
pub(crate) fn check(graph: &Graph, vcs: &VcTable, survey: &Survey) -> Deadlock {
    find(&Surveyed { graph, vcs, survey })
}

/// Looks for a cycle: depth first, with a stack of its own, since routes of a large graph would
/// overflow the thread's.
pub(crate) fn find(on: &impl Dependencies) -> Deadlock {
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
fn shortest_cycle(on: &impl Dependencies, start: Channel) -> Cycle {
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
