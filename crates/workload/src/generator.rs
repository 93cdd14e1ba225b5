//! The messages of one source in one group, one after the other.

use std::sync::Arc;

use units::{Ratio, Tick};

use crate::arrivals::{Arrivals, Schedule};
use crate::closed::{Closed, Places};
use crate::interval::{IntervalError, at_load, interval};
use crate::replay::{Given, Replay};
use crate::rng::{Stream, below, stream};
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

/// Where a source sends to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Always the same node.
    Node(u32),
    /// Each of `count` nodes alike: those from 0 on, without one.
    Uniform {
        /// Number of candidates, the node left out not counted.
        count: u32,
        /// The node left out, usually the source; `u32::MAX` leaves none out.
        without: u32,
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
    /// Mean time of a message on the link, in ticks; both parts below 2^63.
    pub message_ticks: Ratio,
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
    /// Closed loop: requests wait for replies to earlier ones. `None`: open loop.
    pub closed: Option<Closed>,
}

/// The messages of one source in one group, in order of ticks, pulled by `next`.
///
/// In a closed loop a message is generated when it has arrived by the clock and a place of the
/// window is free, whatever is later: as long as none is free there is no next message, and
/// [`Generator::answered`] may make one.
///
/// Random streams: `node12.random.` and `phase` or `arrivals`, `destination`, `bytes`, with the
/// names of node and group.
#[derive(Clone, Debug)]
pub struct Generator {
    group: u8,
    from: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Draws(Draws),
    Trace(Box<Replay>),
}

#[derive(Clone, Debug)]
struct Draws {
    schedule: Schedule,
    target: Target,
    rng: Stream,
    bytes: Sampler,
    places: Option<Box<Places>>,
    expected: Box<Expected>,
}

#[derive(Clone, Copy, Debug)]
struct Expected {
    start_tick: Tick,
    bytes_per_tick: f64,
}

impl Generator {
    /// A generator before its first message.
    ///
    /// # Errors
    /// [`IntervalError`] where message ticks / load is too fine to hold.
    pub fn new(options: GeneratorOptions<'_>) -> Result<Self, IntervalError> {
        let rng = |what| {
            stream(options.seed, &format!("node{}.{}.{what}", options.node, options.group_name))
        };
        let (start, end) = (options.start_tick, options.end_tick.unwrap_or(Tick::MAX));
        let (ticks, load) = (options.message_ticks, options.load);
        interval(ticks.num().into(), ticks.den().into())?;
        let schedule = match options.arrivals {
            Arrivals::FixedInterval => {
                Schedule::fixed_interval(at_load(ticks, load)?, start, end, rng("phase"))
            }
            Arrivals::Bernoulli => Schedule::bernoulli(ticks, load, start, end, rng("arrivals")),
        };
        let bytes = options.message_bytes.sampler(|| rng("bytes"));
        let expected = Expected {
            start_tick: start,
            bytes_per_tick: options.message_bytes.mean() * load.to_f64() / ticks.to_f64(),
        };
        let draws = Draws {
            schedule,
            target: options.target,
            rng: rng("destination"),
            bytes,
            places: options.closed.map(|closed| Box::new(Places::new(closed))),
            expected: Box::new(expected),
        };
        Ok(Self { group: options.group, from: Origin::Draws(draws) })
    }

    /// A generator that gives what [`Generator::give`] is given.
    pub fn of_trace(group: u8) -> Self {
        Self { group, from: Origin::Trace(Box::new(Replay::new(group))) }
    }

    /// A message of a trace, in order of ticks; `taken`: the last message that `next` gave was not
    /// generated yet and is given again when it is its turn.
    ///
    /// # Panics
    /// If it is no generator of a trace.
    pub fn give(&mut self, taken: bool, message: Given) {
        let replay = self.trace(taken);
        replay.expect("a generator of a trace").give(message);
    }

    /// A message from a node has arrived, `taken` as in [`give`](Self::give). Whether of a trace.
    pub fn arrived(&mut self, taken: bool, from: u32, now: Tick) -> bool {
        let replay = self.trace(taken);
        replay.is_some_and(|replay| {
            replay.arrived(from, now);
            true
        })
    }

    fn trace(&mut self, taken: bool) -> Option<&mut Replay> {
        let Origin::Trace(replay) = &mut self.from else {
            return None;
        };
        if taken {
            replay.put_back();
        }
        Some(replay)
    }

    /// A request of a closed loop has been answered, or will never be. Its place is free after the
    /// time to think; `next` may give a message, or an earlier one, afterwards.
    pub fn answered(&mut self, now: Tick) {
        if let Origin::Draws(Draws { places: Some(places), .. }) = &mut self.from {
            places.answered(now);
        }
    }

    /// Whether it is a closed loop.
    #[inline]
    pub fn is_closed(&self) -> bool {
        matches!(&self.from, Origin::Draws(draws) if draws.places.is_some())
    }

    /// Whether it gives messages of a trace.
    #[inline]
    pub fn is_of_trace(&self) -> bool {
        matches!(self.from, Origin::Trace(_))
    }

    /// First tick of the window in which messages are generated.
    #[inline]
    pub fn start_tick(&self) -> Tick {
        match &self.from {
            Origin::Draws(draws) => draws.expected.start_tick,
            Origin::Trace(_) => Tick::ZERO,
        }
    }

    /// First tick after the window; `Tick::MAX` where it has no end.
    #[inline]
    pub fn end_tick(&self) -> Tick {
        match &self.from {
            Origin::Draws(draws) => draws.schedule.end(),
            Origin::Trace(_) => Tick::MAX,
        }
    }

    /// What it offers on average in its window, bytes per tick; a closed loop at most, a trace 0.
    pub fn bytes_per_tick(&self) -> f64 {
        match &self.from {
            Origin::Draws(draws) => draws.expected.bytes_per_tick,
            Origin::Trace(_) => 0.0,
        }
    }

    /// Calls `each` with every destination and the bytes per tick that go there on average; once
    /// for each time that it is in a list. Of a trace none.
    pub fn each_destination(&self, mut each: impl FnMut(u32, f64)) {
        let Origin::Draws(draws) = &self.from else {
            return;
        };
        let all = self.bytes_per_tick();
        match &draws.target {
            Target::Node(node) => each(*node, all),
            &Target::Uniform { count, without } => {
                let part = all / f64::from(count);
                (0..count).for_each(|drawn| each(past(drawn, without), part));
            }
            Target::OneOf(list) => {
                let part = all / list.len() as f64;
                list.iter().for_each(|&node| each(node, part));
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
        match &mut self.from {
            Origin::Draws(draws) => draws.next(self.group),
            Origin::Trace(replay) => replay.next(),
        }
    }
}

impl Draws {
    #[inline]
    fn next(&mut self, group: u8) -> Option<Message> {
        let mut tick = self.schedule.peek()?;
        if let Some(places) = &mut self.places {
            tick = tick.max(places.free_from()?);
            if tick >= self.schedule.end() {
                return None;
            }
            places.take();
        }
        self.schedule.advance();
        let destination = match &self.target {
            Target::Node(node) => *node,
            Target::Uniform { count, without } => {
                let drawn = below(&mut self.rng, u64::from(*count)) as u32;
                past(drawn, *without)
            }
            Target::OneOf(list) => list[below(&mut self.rng, list.len() as u64) as usize],
        };
        Some(Message { tick, destination, bytes: self.bytes.draw(), group })
    }
}

/// The node that a number drawn over all but one means.
#[inline]
fn past(drawn: u32, without: u32) -> u32 {
    drawn + u32::from(drawn >= without)
}
