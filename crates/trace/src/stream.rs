//! The messages of a trace of either kind, for its player.

use crate::error::{Place, Problem, SettingError, TraceError};
use crate::mapping::{Mapping, Timing};
use crate::messages::{AFTER_MESSAGES, Message};
use crate::options::Options;
use crate::record::{Item, Record};
use crate::synthetic::Synthetic;
use crate::trace::Trace;
use std::path::Path;
use thiserror::Error;

/// Why a trace cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The mapping, or the made workload.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

struct Clock {
    timing: Timing,
    /// Repetitions that are over, and where the present one begins, uncompressed.
    done: u64,
    origin_ns: u128,
    length_ns: u64,
}

impl Clock {
    fn new(timing: Timing) -> Clock {
        let length_ns = timing.end_ns.map_or(0, |end| end - timing.start_ns);
        Clock { timing, done: 0, origin_ns: 0, length_ns }
    }

    /// When a time of the part that is used is played.
    ///
    /// # Errors
    /// It does not fit in 64 bits of ns.
    fn at(&mut self, time_ns: u64) -> Result<u64, TraceError> {
        let Timing { start_ns, end_ns, compression, .. } = self.timing;
        let inside = time_ns - start_ns;
        if end_ns.is_none() {
            self.length_ns = self.length_ns.max(inside.saturating_add(1));
        }
        let whole = self.origin_ns + u128::from(inside);
        let scaled = whole.checked_mul(compression.den().into());
        let scaled = scaled.map(|scaled| scaled / u128::from(compression.num()));
        let fitting = scaled.and_then(|scaled| u64::try_from(scaled).ok());
        fitting.ok_or_else(|| TraceError {
            file: "the repeated trace".into(),
            place: Place::File,
            problem: Problem::time(),
        })
    }

    /// The present repetition is over. Whether another one follows.
    fn again(&mut self) -> bool {
        self.done += 1;
        self.origin_ns += u128::from(self.length_ns);
        self.done < self.timing.repetitions
    }
}

type Open = Box<dyn FnMut() -> Result<Trace, TraceError> + Send>;

/// Messages of a trace, a part of it and as often as wanted: times do not go back, ids ascend.
pub struct Stream {
    open: Open,
    /// The trace in the present repetition, unless the next one is due.
    pub trace: Trace,
    is_due: bool,
    is_io: bool,
    mapping: Mapping,
    nodes: u32,
    clock: Clock,
    /// Number of the next record of the trace.
    number: u64,
    pending: Option<Message>,
    /// First and last id of this repetition, as the trace has them; those of records count from 0.
    ids: Option<(u64, u64)>,
    base: u64,
    is_over: bool,
}

/// Opens a trace as messages between `nodes` end nodes.
///
/// # Errors
/// A mapping that is not legal, what [`Trace::open`] refuses, standard input to be repeated.
pub fn open(
    path: &Path,
    options: &Options,
    mapping: &Mapping,
    nodes: u32,
) -> Result<Stream, PlayError> {
    mapping.check(nodes)?;
    if path == Path::new("-") && mapping.timing.repetitions > 1 {
        let given = format!("{} of standard input", mapping.timing.repetitions);
        return Err(SettingError::new("repetitions", given, "1, or the name of a file").into());
    }
    let (path, options) = (path.to_owned(), *options);
    Stream::new(move || Trace::open(&path, &options), mapping, nodes)
}

/// A made workload as messages between `nodes` end nodes.
///
/// # Errors
/// A workload or a mapping that is not legal.
pub fn made(synthetic: &Synthetic, mapping: &Mapping, nodes: u32) -> Result<Stream, PlayError> {
    mapping.check(nodes)?;
    let records = synthetic.records()?;
    Stream::new(move || Ok(Trace::Made(Box::new(records.clone()))), mapping, nodes)
}

impl Stream {
    /// Messages of the trace that `open` gives; it is called once for each repetition.
    ///
    /// # Errors
    /// A mapping that is not legal, and those of `open`.
    pub fn new(
        mut open: impl FnMut() -> Result<Trace, TraceError> + Send + 'static,
        mapping: &Mapping,
        nodes: u32,
    ) -> Result<Stream, PlayError> {
        mapping.check(nodes)?;
        let mut trace = open()?;
        trace.within(nodes);
        Ok(Stream {
            open: Box::new(open),
            is_io: trace.is_io(),
            trace,
            is_due: false,
            mapping: mapping.clone(),
            nodes,
            clock: Clock::new(mapping.timing),
            number: 0,
            pending: None,
            ids: None,
            base: 0,
            is_over: false,
        })
    }

    /// How many messages back one may wait for.
    pub fn after_messages(&self) -> usize {
        if self.is_io { 1 } else { AFTER_MESSAGES }
    }

    /// Opens the trace once more; it is of the same kind.
    fn reopened(&mut self) -> Result<Trace, TraceError> {
        let mut trace = (self.open)()?;
        trace.within(self.nodes);
        let (io, messages) = ("a trace of I/O", "a trace of messages");
        let (found, expected) = match self.is_io {
            true => (messages, io),
            false => (io, messages),
        };
        match trace.is_io() == self.is_io {
            true => Ok(trace),
            false => Err(trace.error(Problem::Other(format!("{found}; expected: {expected}")))),
        }
    }

    /// The repetition is over; the next one begins, if there is something to repeat.
    fn again(&mut self) {
        let Some((first, last)) = self.ids.take().filter(|_| self.clock.again()) else {
            self.is_over = true;
            return;
        };
        // the next first id is behind the last one
        self.base = self.base.saturating_add(last - first).saturating_add(1);
        self.is_due = true;
        self.number = 0;
    }

    /// The message to the device; the one that is sent back follows it.
    fn mapped(&mut self, record: &Record, number: u64, time_ns: u64) -> Message {
        let in_trace = self.ids.map_or(0, |(_, last)| last + 1);
        self.ids = Some((0, in_trace + 1));
        let (bytes, back) = self.mapping.bytes(record);
        let there = Message {
            id: self.base + in_trace,
            time_ns,
            source: self.mapping.host(record, number),
            destination: self.mapping.device(record),
            bytes,
            after: None,
        };
        self.pending = Some(Message {
            id: there.id + 1,
            source: there.destination,
            destination: there.source,
            bytes: back,
            after: Some(there.id),
            ..there
        });
        there
    }

    /// The message as it is played: what it waits for may not be.
    fn played(&mut self, message: Message, time_ns: u64) -> Result<Message, Problem> {
        let first = self.ids.map_or(message.id, |(first, _)| first);
        self.ids = Some((first, message.id));
        let after = message.after.filter(|after| *after >= first);
        let after = after.map(|after| after + self.base);
        let id = message.id.checked_add(self.base).ok_or_else(|| {
            let found = format!("{} + {}", message.id, self.base);
            Problem::field("id", found, "ids below 2^64, also when they are repeated")
        })?;
        Ok(Message { id, time_ns, after, ..message })
    }

    fn step(&mut self) -> Result<Option<Message>, TraceError> {
        while !self.is_over {
            if std::mem::take(&mut self.is_due) {
                self.trace = self.reopened()?;
            }
            let Some(next) = self.trace.next()? else {
                self.again();
                continue;
            };
            let number = self.number;
            self.number += 1;
            let time_ns = next.time_and_bytes().0;
            let Timing { start_ns, end_ns, .. } = self.clock.timing;
            if end_ns.is_some_and(|end| time_ns >= end) {
                self.again();
            } else if time_ns >= start_ns {
                let time_ns = self.clock.at(time_ns)?;
                let message = match next {
                    Item::Record(record) => Ok(self.mapped(&record, number, time_ns)),
                    Item::Message(message) => self.played(message, time_ns),
                };
                return message.map(Some).map_err(|problem| self.trace.error(problem));
            }
        }
        Ok(None)
    }
}

impl Iterator for Stream {
    type Item = Result<Message, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(message) = self.pending.take() {
            return Some(Ok(message));
        }
        let next = self.step();
        self.is_over |= next.is_err();
        next.transpose()
    }
}
