//! All states that a network can get into, breadth first.

use super::network::{Action, Broken, Network};
use super::shape::Shape;
use hierarchy::recovery::Protocol;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Explored {
    /// Different states; all there are, if nothing is wrong.
    pub(crate) states: usize,
    pub(crate) steps: usize,
    pub(crate) at_rest: usize,
    /// Steps of the longest of the shortest ways to a state.
    pub(crate) depth: usize,
    /// Whether every way without faults comes to rest.
    pub(crate) rests: bool,
    /// The shortest way to a state at rest with a wrong entry.
    pub(crate) wrong: Option<Vec<Action>>,
}

/// A state, with how many faults may still come, as it is stored: among millions two that differ
/// have the same number once in millions of runs.
fn key(state: &(Network, u8)) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Which faults are tried: `links`, `routers`, and how many in all. Each may be repaired, at any
/// time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Faults {
    pub(crate) count: u8,
    pub(crate) links: bool,
    pub(crate) routers: bool,
}

/// Explores all states, or up to the first at rest with a wrong entry. A rule may be broken.
pub(crate) fn explore(
    shape: &Shape,
    protocol: Protocol,
    faults: Faults,
    broken: Option<Broken>,
) -> Explored {
    let mut first = (Network::new(shape, protocol), faults.count);
    first.0.lean = true;
    first.0.broken = broken;
    let mut known = BTreeMap::from([(key(&first), 0_usize)]);
    // By state: where it was come from, and by what; steps that are not faults.
    let mut ways: Vec<(usize, Option<Action>)> = vec![(0, None)];
    let mut depths = vec![0_usize];
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut queue = VecDeque::from([first]);
    let (mut at, mut steps, mut at_rest, mut wrong) = (0, 0, 0, None);
    while let Some((network, left)) = queue.pop_front() {
        let mut actions = network.due(shape);
        if actions.is_empty() {
            at_rest += 1;
            if !network.wrong(shape).is_empty() {
                wrong = Some(way_to(at, &ways));
                break;
            }
        }
        let due = actions.len();
        actions.extend(network.faults().filter(|action| match action {
            Action::LinkFails(_) => faults.links && left > 0,
            Action::RouterFails(_) => faults.routers && left > 0,
            _ => true,
        }));
        for (index, &action) in actions.iter().enumerate() {
            let fails = matches!(action, Action::LinkFails(_) | Action::RouterFails(_));
            let mut next = (network.clone(), left - u8::from(fails));
            next.0.step(shape, action);
            steps += 1;
            let new = ways.len();
            let to = *known.entry(key(&next)).or_insert(new);
            if to == new {
                ways.push((at, Some(action)));
                depths.push(depths[at] + 1);
                queue.push_back(next);
            }
            if index < due {
                edges.push((at as u32, to as u32));
            }
        }
        at += 1;
    }
    Explored {
        states: ways.len(),
        steps,
        at_rest,
        depth: depths.into_iter().max().unwrap_or(0),
        rests: wrong.is_none() && has_no_cycle(ways.len(), &edges),
        wrong,
    }
}

fn way_to(mut at: usize, ways: &[(usize, Option<Action>)]) -> Vec<Action> {
    let mut way = Vec::new();
    while let (from, Some(action)) = ways[at] {
        way.push(action);
        at = from;
    }
    way.reverse();
    way
}

/// Edges are sorted by where they come from.
fn has_no_cycle(states: usize, edges: &[(u32, u32)]) -> bool {
    let mut first = vec![0_usize; states + 1];
    let mut incoming = vec![0_u32; states];
    for &(from, to) in edges {
        first[from as usize + 1] += 1;
        incoming[to as usize] += 1;
    }
    for state in 0..states {
        first[state + 1] += first[state];
    }
    let mut free: Vec<usize> = (0..states).filter(|&s| incoming[s] == 0).collect();
    let mut done = 0;
    while let Some(state) = free.pop() {
        done += 1;
        for &(_, to) in &edges[first[state]..first[state + 1]] {
            incoming[to as usize] -= 1;
            if incoming[to as usize] == 0 {
                free.push(to as usize);
            }
        }
    }
    done == states
}
