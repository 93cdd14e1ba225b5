//! The messages of one source in one group, one after the other.

use std::sync::Arc;

use units::{Ratio, Tick};

use crate::arrivals::{Arrivals, Schedule};
use crate::interval::{Interval, IntervalError};
use crate::pattern::uniform::{UniformAll, UniformList};
use crate::rng::stream;
use crate::size::{MessageBytes, Sampler};

/// One message as it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// When it is generated.
    pub tick: Tick,
    /// Destination node.
    pub destination: u32,
    /// Length in bytes.
    pub bytes: u32,
    /// Number of its group in [`crate::Workload::groups`].
    pub group: u8,
}

/// Where a source sends to, with what it takes to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Always the same node.
    Node(u32),
    /// Each of `nodes` nodes alike, without `except` where that is one of them.
    Uniform {
        /// Number of nodes.
        nodes: u32,
        /// The node left out; usually the source.
        except: Option<u32>,
    },
    /// Each entry of a list alike.
    OneOf(Arc<[u32]>),
}

/// What a [`Generator`] is made of.
#[derive(Clone, Debug)]
pub struct GeneratorOptions<'a> {
    /// Seed of the run.
    pub seed: u64,
    /// The source.
    pub node: u32,
    /// Number of the group.
    pub group: u8,
    /// Name of the group, part of the names of the random streams.
    pub group_name: &'a str,
    /// Arrival process.
    pub arrivals: Arrivals,
    /// Mean time of a message on the link, in ticks.
    pub message_ticks: Interval,
    /// Part of the link rate, above 0 and up to 1.
    pub load: Ratio,
    /// Lengths of the messages; checked by the caller.
    pub message_bytes: &'a MessageBytes,
    /// Where to; not empty, checked by the caller.
    pub target: Target,
    /// First tick of the window in which messages are generated.
    pub start_tick: Tick,
    /// First tick after the window; `None` has no end.
    pub end_tick: Option<Tick>,
}

/// The messages of one source in one group, in order of ticks. Pulled: nothing happens between two
/// calls of `next`.
///
/// Random streams: `node12.random.phase` or `node12.random.arrivals`, `node12.random.destination`,
/// `node12.random.bytes`, with the numbers and names of node and group.
#[derive(Clone, Debug)]
pub struct Generator {
    schedule: Schedule,
    destination: Destination,
    bytes: Sampler,
    group: u8,
    expected: Box<Expected>,
}

/// What is not drawn and not read on the way.
#[derive(Clone, Copy, Debug)]
struct Expected {
    start_tick: Tick,
    bytes_per_tick: f64,
}

#[derive(Clone, Debug)]
enum Destination {
    Node(u32),
    Uniform(UniformAll),
    OneOf(Box<UniformList>),
}

impl Generator {
    /// A generator that stands before its first message.
    ///
    /// # Errors
    /// [`IntervalError`] where message ticks / load is too fine to hold.
    pub fn new(options: GeneratorOptions<'_>) -> Result<Self, IntervalError> {
        let rng = |what| {
            stream(
                options.seed,
                &format!("node{}.{}.{what}", options.node, options.group_name),
            )
        };
        let (start, end) = (options.start_tick, options.end_tick.unwrap_or(Tick::MAX));
        let schedule = match options.arrivals {
            Arrivals::FixedInterval => {
                let interval = options.message_ticks.at_load(options.load)?;
                Schedule::fixed_interval(interval, start, end, rng("phase"))
            }
            Arrivals::Bernoulli => Schedule::bernoulli(
                options.message_ticks,
                options.load,
                start,
                end,
                rng("arrivals"),
            ),
        };
        let destination = match options.target {
            Target::Node(node) => Destination::Node(node),
            Target::Uniform { nodes, except } => {
                let without = except.filter(|&node| node < nodes);
                Destination::Uniform(UniformAll {
                    rng: rng("destination"),
                    count: nodes - u32::from(without.is_some()),
                    without: without.unwrap_or(u32::MAX),
                })
            }
            Target::OneOf(candidates) => Destination::OneOf(Box::new(UniformList {
                rng: rng("destination"),
                candidates,
            })),
        };
        let bytes = options.message_bytes.sampler(|| rng("bytes"));
        let message_ticks = options.message_ticks.num() as f64 / options.message_ticks.den() as f64;
        let expected = Expected {
            start_tick: start,
            bytes_per_tick: options.message_bytes.mean() * options.load.to_f64() / message_ticks,
        };
        Ok(Self {
            schedule,
            destination,
            bytes,
            group: options.group,
            expected: Box::new(expected),
        })
    }

    /// Tick of the message that `next` would give.
    #[inline]
    pub fn peek_tick(&self) -> Option<Tick> {
        self.schedule.peek()
    }

    /// First tick of the window in which messages are generated.
    #[inline]
    pub fn start_tick(&self) -> Tick {
        self.expected.start_tick
    }

    /// First tick after the window; `Tick::MAX` where it has no end.
    #[inline]
    pub fn end_tick(&self) -> Tick {
        self.schedule.end()
    }

    /// What it offers on average in its window, bytes per tick: with fixed intervals and with
    /// Bernoulli arrivals alike, mean length x load / mean time of a message on the link.
    pub fn bytes_per_tick(&self) -> f64 {
        self.expected.bytes_per_tick
    }

    /// Calls `each` with every destination and the bytes per tick that go there on average; a node
    /// that is in a list twice comes twice.
    pub fn each_destination(&self, mut each: impl FnMut(u32, f64)) {
        let all = self.bytes_per_tick();
        match &self.destination {
            Destination::Node(node) => each(*node, all),
            Destination::Uniform(uniform) => {
                let part = all / f64::from(uniform.count);
                uniform.candidates().for_each(|node| each(node, part));
            }
            Destination::OneOf(list) => {
                let part = all / list.candidates.len() as f64;
                list.candidates.iter().for_each(|&node| each(node, part));
            }
        }
    }

    /// Number of its group.
    #[inline]
    pub fn group(&self) -> u8 {
        self.group
    }
}

impl Iterator for Generator {
    type Item = Message;

    #[inline]
    fn next(&mut self) -> Option<Message> {
        let tick = self.schedule.peek()?;
        self.schedule.advance();
        let destination = match &mut self.destination {
            Destination::Node(node) => *node,
            Destination::Uniform(all) => all.draw(),
            Destination::OneOf(list) => list.draw(),
        };
        Some(Message {
            tick,
            destination,
            bytes: self.bytes.draw(),
            group: self.group,
        })
    }
}

impl std::iter::FusedIterator for Generator {}
