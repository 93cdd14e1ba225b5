//! The generators of a node: when the next message is generated, and the rule of a message that
//! finds no room.

use crate::admittance::{Admittance, Waiting};
use observe::PacketKind;
use plan::GeneratorRule;
use units::{Span, Tick};
use workload::{Generator, Given, Message};

/// A generator and the message that it will give next.
#[derive(Debug)]
pub(crate) struct Source {
    generator: Generator,
    next: Option<Message>,
    /// `delayed`, open loop: how much later than drawn everything is by now.
    shift: Span,
    /// `delayed`, closed loop: nothing is generated before this, since a message waited. The window
    /// has held the later ones back as long as that, so nothing is to be shifted.
    not_before: Tick,
    /// `delayed`: the message waits for room.
    waits: bool,
}

impl Source {
    fn new(mut generator: Generator) -> Source {
        Source {
            next: generator.next(),
            generator,
            shift: Span::ZERO,
            not_before: Tick::ZERO,
            waits: false,
        }
    }

    fn is_closed(&self, group: u8) -> bool {
        self.generator.is_closed() && self.generator.group() == group
    }

    /// When a message of its generator is generated.
    fn time_of(&self, message: &Message) -> Tick {
        (message.tick + self.shift).max(self.not_before)
    }

    /// Whether the delay has pushed a message out of its window: it is not generated.
    fn is_in_window(&self, message: &Message) -> bool {
        let time = self.time_of(message);
        time == message.tick || time < self.generator.end_tick()
    }

    fn advance(&mut self) {
        let next = self.generator.next();
        self.next = next.filter(|message| self.is_in_window(message));
    }

    /// When the next message is generated.
    fn time(&self) -> Option<Tick> {
        self.next.as_ref().map(|message| self.time_of(message))
    }

    /// The message that waited is generated at `born`, and all that follow so much later.
    fn resume(&mut self, message: &Message, born: Tick) {
        self.waits = false;
        if self.generator.is_closed() {
            self.not_before = born;
        } else {
            self.shift = born.since(message.tick);
        }
        self.advance();
    }

    /// Visits the messages generated before `now` that are on their way into admittance. One that
    /// waits for room, and what comes after it, is not generated yet.
    fn unadmitted(&self, now: Tick, visit: &mut impl FnMut(Waiting)) {
        if self.waits || self.time().is_none_or(|time| time >= now) {
            return;
        }
        let later = self.generator.clone();
        let messages = self.next.into_iter().chain(later);
        let in_window = messages.take_while(|message| self.is_in_window(message));
        for message in in_window {
            let born = self.time_of(&message);
            if born >= now {
                break;
            }
            visit(waiting(&message, born));
        }
    }
}

fn waiting(message: &Message, born: Tick) -> Waiting {
    Waiting {
        destination: message.destination,
        bytes: message.bytes,
        born,
        group: message.group,
        kind: PacketKind::Data,
        asked: Tick::ZERO,
    }
}

/// All generators of a node; of a closed loop there is one a group. A message is generated some
/// ticks (`stage`) before it enters admittance.
#[derive(Debug)]
pub struct Sources {
    pub(crate) sources: Box<[Source]>,
    rule: GeneratorRule,
    stage: Span,
}

impl Sources {
    /// Generators before their first message; `stage`: from the generation of a message to its
    /// entry into admittance.
    pub fn new(generators: Vec<Generator>, rule: GeneratorRule, stage: Span) -> Sources {
        Sources { sources: generators.into_iter().map(Source::new).collect(), rule, stage }
    }

    /// When the next message enters admittance; one that waits for room has no time.
    pub fn due(&self) -> Option<Tick> {
        let sources = self.sources.iter().filter(|source| !source.waits);
        let next = sources.filter_map(Source::time).min();
        next.map(|time| time + self.stage)
    }

    /// The next message of generator `at` that enters admittance now, or is refused (true);
    /// `waited`: one that has waited for room, which is generated now. One that does not fit waits,
    /// where that is the rule and a port leads to its destination. A closed loop learns at once of
    /// one that is refused.
    pub fn generate(
        &mut self,
        at: usize,
        waited: bool,
        now: Tick,
        admittance: &Admittance,
    ) -> Option<(Waiting, bool)> {
        let source = &mut self.sources[at];
        let message = source.next.filter(|_| source.waits == waited)?;
        let born = if waited { now - self.stage } else { source.time_of(&message) };
        if born + self.stage > now {
            return None;
        }
        let leads_on = admittance.leads_on(message.destination);
        let refused = !leads_on || !admittance.fits(message.destination, message.bytes);
        if refused && leads_on && self.rule == GeneratorRule::Delayed {
            source.waits = true;
            return None;
        }
        if refused {
            source.generator.answered(now);
        }
        if waited {
            source.resume(&message, born);
        } else {
            source.advance();
        }
        Some((waiting(&message, born), refused))
    }

    /// Whether a group is a closed loop.
    pub fn is_closed(&self, group: u8) -> bool {
        self.sources.iter().any(|source| source.is_closed(group))
    }

    /// A request of a group has been answered, or never will be: in a closed loop its place in the
    /// window is free after the time to think.
    pub fn answered(&mut self, group: u8, now: Tick) {
        let mut sources = self.sources.iter_mut();
        let Some(source) = sources.find(|source| source.is_closed(group)) else {
            return;
        };
        source.generator.answered(now);
        if source.next.is_none() {
            source.advance();
        }
    }

    /// A message of a trace is given: it is generated here when it is its turn.
    /// Panics: If no generator is one of a trace.
    pub fn give(&mut self, message: Given) {
        let source = self.of_trace().expect("a generator of a trace");
        source.generator.give(source.next.is_some(), message);
        source.advance();
    }

    /// A message from a node has arrived: if it is of the trace, others may have waited for it.
    pub fn arrived(&mut self, group: u8, from: u32, now: Tick) {
        let of_group = |source: &&mut Source| source.generator.group() == group;
        if let Some(source) = self.of_trace().filter(of_group) {
            let taken = source.next.is_some();
            source.generator.arrived(taken, from, now);
            source.advance();
        }
    }

    fn of_trace(&mut self) -> Option<&mut Source> {
        let mut sources = self.sources.iter_mut();
        sources.find(|source| source.generator.is_of_trace())
    }

    /// Visits the messages generated before `now` that have not come to admittance.
    pub fn unadmitted(&self, now: Tick, visit: &mut impl FnMut(Waiting)) {
        for source in &self.sources {
            source.unadmitted(now, visit);
        }
    }
}
