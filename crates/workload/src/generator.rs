//! The messages of one source in one group, one after the other.

use units::Tick;

use crate::arrivals::{Arrivals, Schedule};
use crate::closed::Places;
use crate::interval::IntervalError;
use crate::options::{GeneratorOptions, Message, Target};
use crate::pattern::uniform::{UniformAll, UniformList};
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
    schedule: Schedule,
    destination: Destination,
    bytes: Sampler,
    group: u8,
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
            places: options.closed.map(|closed| Box::new(Places::new(closed))),
            expected: Box::new(expected),
        })
    }

    /// Tick of the message that `next` would give.
    #[inline]
    pub fn peek_tick(&self) -> Option<Tick> {
        let arrival = self.schedule.peek()?;
        match &self.places {
            None => Some(arrival),
            Some(places) => {
                let tick = arrival.max(places.free_from()?);
                (tick < self.schedule.end()).then_some(tick)
            }
        }
    }

    /// A request has been answered, or will never be: it was refused, lost, or its reply was. Its
    /// place in the window is free after the time to think. In order of ticks; of an open loop
    /// nothing follows from it. [`Generator::peek_tick`] may say something else afterwards.
    pub fn answered(&mut self, now: Tick) {
        if let Some(places) = &mut self.places {
            places.answered(now);
        }
    }

    /// Whether it is a closed loop.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.places.is_some()
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
    /// Bernoulli arrivals alike, mean length x load / mean time of a message on the link. A
    /// closed loop offers that at most.
    pub fn bytes_per_tick(&self) -> f64 {
        self.expected.bytes_per_tick
    }

    /// Calls `each` with every destination and the bytes per tick that go there on average; a
    /// node that is in a list twice comes twice.
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
        let tick = self.peek_tick()?;
        self.schedule.advance();
        if let Some(places) = &mut self.places {
            places.take();
        }
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
