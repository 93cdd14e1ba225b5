//! The messages of one source in one group, one after the other.

use units::Tick;

use crate::arrivals::{Arrivals, Schedule};
use crate::closed::Places;
use crate::interval::IntervalError;
use crate::options::{GeneratorOptions, Message, Target};
use crate::pattern::uniform::{UniformAll, UniformList};
use crate::replay::{Given, Replay};
use crate::rng::stream;
use crate::size::Sampler;

/// The messages of one source in one group, in order of ticks. Pulled: nothing happens between
/// two calls of `next`.
///
/// In a closed loop a message is generated when it has arrived by the clock and a place of the
/// window is free, whatever is later: as long as no place is free there is no next message, and
/// [`Generator::answered`] may make one. Places are free from the start; several messages may then
/// have the tick in which the places fell free.
///
/// Random streams: `node12.random.phase` or `node12.random.arrivals`,
/// `node12.random.destination`, `node12.random.bytes`, with the numbers and names of node and
/// group.
#[derive(Clone, Debug)]
pub struct Generator {
    group: u8,
    from: Origin,
}

/// Where messages come from.
#[derive(Clone, Debug)]
enum Origin {
    Draws(Draws),
    Trace(Box<Replay>),
}

#[derive(Clone, Debug)]
struct Draws {
    schedule: Schedule,
    destination: Destination,
    bytes: Sampler,
    /// Of a closed loop.
    places: Option<Box<Places>>,
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
            stream(options.seed, &format!("node{}.{}.{what}", options.node, options.group_name))
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
            Target::OneOf(candidates) => {
                Destination::OneOf(Box::new(UniformList { rng: rng("destination"), candidates }))
            }
        };
        let bytes = options.message_bytes.sampler(|| rng("bytes"));
        let message_ticks = options.message_ticks.num() as f64 / options.message_ticks.den() as f64;
        let expected = Expected {
            start_tick: start,
            bytes_per_tick: options.message_bytes.mean() * options.load.to_f64() / message_ticks,
        };
        let draws = Draws {
            schedule,
            destination,
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

    /// A message of a trace; `taken`: the last message that `next` gave
    /// was not generated yet and is given again when it is its turn. Messages are given in order of
    /// ticks, none of them later than what is due.
    ///
    /// # Panics
    /// If it is no generator of a trace.
    pub fn give(&mut self, taken: bool, message: Given) {
        let replay = self.trace(taken);
        replay.expect("a generator of a trace").give(message);
    }

    /// A message of the trace from a node has arrived at the source, and `taken` as in
    /// [`Generator::give`]. Whether it is a generator of a trace.
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

    /// Tick of the message that `next` would give.
    #[inline]
    pub fn peek_tick(&self) -> Option<Tick> {
        match &self.from {
            Origin::Draws(draws) => draws.peek(),
            Origin::Trace(replay) => replay.peek(),
        }
    }

    /// A request has been answered, or will never be: it was refused, lost, or its reply was. Its
    /// place in the window is free after the time to think. In order of ticks; of an open loop
    /// nothing follows from it. [`Generator::peek_tick`] may say something else afterwards.
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

    /// What it offers on average in its window, bytes per tick: with fixed intervals and with
    /// Bernoulli arrivals alike, mean length x load / mean time of a message on the link. A
    /// closed loop offers that at most; of a trace it is not known, and 0.
    pub fn bytes_per_tick(&self) -> f64 {
        match &self.from {
            Origin::Draws(draws) => draws.expected.bytes_per_tick,
            Origin::Trace(_) => 0.0,
        }
    }

    /// Calls `each` with every destination and the bytes per tick that go there on average; a
    /// node that is in a list twice comes twice. Of a trace none.
    pub fn each_destination(&self, mut each: impl FnMut(u32, f64)) {
        let Origin::Draws(draws) = &self.from else {
            return;
        };
        let all = self.bytes_per_tick();
        match &draws.destination {
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
        match &mut self.from {
            Origin::Draws(draws) => draws.next(self.group),
            Origin::Trace(replay) => replay.next(),
        }
    }
}

impl Draws {
    #[inline]
    fn peek(&self) -> Option<Tick> {
        let arrival = self.schedule.peek()?;
        match &self.places {
            None => Some(arrival),
            Some(places) => {
                let tick = arrival.max(places.free_from()?);
                (tick < self.schedule.end()).then_some(tick)
            }
        }
    }

    #[inline]
    fn next(&mut self, group: u8) -> Option<Message> {
        let tick = self.peek()?;
        self.schedule.advance();
        if let Some(places) = &mut self.places {
            places.take();
        }
        let destination = match &mut self.destination {
            Destination::Node(node) => *node,
            Destination::Uniform(all) => all.draw(),
            Destination::OneOf(list) => list.draw(),
        };
        Some(Message { tick, destination, bytes: self.bytes.draw(), group })
    }
}
