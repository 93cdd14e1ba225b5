//! The messages of a trace of either kind, for whoever plays it.

use crate::error::{Place, Problem, SettingError, TraceError};
use crate::mapped::Mapped;
use crate::mapping::Mapping;
use crate::messages::{AFTER_MESSAGES, Message, Messages};
use crate::options::Options;
use crate::record::Record;
use crate::records::Records;
use crate::synthetic::{Requests, Synthetic};
use crate::timing::{Clock, Lies};
use crate::trace::Trace;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a trace cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The mapping.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Messages of a trace of either kind: times do not go back, ids ascend, all nodes are there.
#[derive(Debug)]
pub struct Stream {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Mapped(Box<Mapped<Records>>),
    Made(Box<Mapped<Made>>),
    Played(Box<Played>),
}

/// Opens a trace as messages between `nodes` end nodes. Of a trace of messages the mapping's
/// [`Timing`](crate::Timing) counts alone.
///
/// # Errors
/// A mapping that is not legal for so many nodes, and what [`Trace::open`] refuses. Standard input
/// cannot be repeated.
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
    let kind = match Trace::open(path, options)? {
        Trace::Records(records) => {
            let (path, options) = (path.to_owned(), *options);
            let again = move || Records::open(&path, &options);
            Kind::Mapped(Box::new(Mapped::begun(mapping.clone(), *records, again)?))
        }
        Trace::Messages(messages) => Kind::Played(Box::new(Played {
            path: path.to_owned(),
            options: *options,
            nodes,
            messages: messages.within(nodes),
            clock: Clock::new(mapping.timing),
            first: None,
            last: None,
            base: 0,
            is_over: false,
        })),
    };
    Ok(Stream { kind })
}

/// Records of a made workload.
type Made = std::iter::Map<Requests, fn(Record) -> Result<Record, TraceError>>;

/// A made workload as messages between `nodes` end nodes.
///
/// # Errors
/// A workload or a mapping that is not legal.
pub fn made(synthetic: &Synthetic, mapping: &Mapping, nodes: u32) -> Result<Stream, SettingError> {
    mapping.check(nodes)?;
    let records = synthetic.records()?;
    let open = move || Ok(records.clone().map(Ok as fn(_) -> _));
    let kind = Kind::Made(Box::new(Mapped::new(mapping.clone(), open)?));
    Ok(Stream { kind })
}

impl Stream {
    /// How many messages back one may wait for.
    pub fn after_messages(&self) -> usize {
        match &self.kind {
            Kind::Mapped(_) | Kind::Made(_) => 1,
            Kind::Played(_) => AFTER_MESSAGES,
        }
    }

    /// Whether times are ticks, see [`Messages::is_in_ticks`].
    pub fn is_in_ticks(&self) -> bool {
        match &self.kind {
            Kind::Mapped(_) | Kind::Made(_) => false,
            Kind::Played(played) => played.messages.is_in_ticks(),
        }
    }

    /// Where the trace is cut off, where that was allowed and is reached.
    pub fn truncated(&self) -> Option<TraceError> {
        match &self.kind {
            Kind::Mapped(mapped) => mapped.records()?.seen().truncated,
            Kind::Made(_) => None,
            Kind::Played(played) => played.messages.truncated().cloned(),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<Message, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.kind {
            Kind::Mapped(mapped) => mapped.next(),
            Kind::Made(mapped) => mapped.next(),
            Kind::Played(played) => played.next(),
        }
    }
}

/// A trace of messages, a part of it and as often as wanted.
#[derive(Debug)]
struct Played {
    path: PathBuf,
    options: Options,
    nodes: u32,
    messages: Messages,
    clock: Clock,
    /// Ids of the first and the last message of this repetition, as in the file.
    first: Option<u64>,
    last: Option<u64>,
    /// What is added to ids.
    base: u64,
    is_over: bool,
}

impl Played {
    /// The message as it is played: what it waits for may not be.
    fn played(&mut self, message: Message, time_ns: u64) -> Result<Message, TraceError> {
        let first = *self.first.get_or_insert(message.id);
        self.last = Some(message.id);
        let too_large = || TraceError {
            file: self.path.display().to_string().into(),
            place: Place::File,
            problem: Problem::Field {
                name: "id",
                found: format!("{} + {}", message.id, self.base),
                expected: "ids below 2^64, also when they are repeated".to_string(),
            },
        };
        let id = message.id.checked_add(self.base).ok_or_else(too_large)?;
        let after = message.after.filter(|after| *after >= first);
        Ok(Message { id, time_ns, after: after.map(|after| after + self.base), ..message })
    }

    /// The repetition is over; the next one begins, if there is something to repeat.
    fn again(&mut self) -> Result<(), TraceError> {
        let (Some(first), Some(last)) = (self.first.take(), self.last.take()) else {
            self.is_over = true;
            return Ok(());
        };
        self.is_over = !self.clock.again();
        if !self.is_over {
            // the next first id is behind the last one
            self.base = self.base.saturating_add(last - first).saturating_add(1);
            let messages = Messages::open(&self.path, &self.options)?;
            self.messages = messages.within(self.nodes);
        }
        Ok(())
    }

    fn step(&mut self) -> Result<Option<Message>, TraceError> {
        while !self.is_over {
            let Some(message) = self.messages.next().transpose()? else {
                self.again()?;
                continue;
            };
            match self.clock.at(message.time_ns) {
                Some(Lies::At(time_ns)) => return self.played(message, time_ns).map(Some),
                Some(Lies::Before) => {}
                Some(Lies::Behind) => self.again()?,
                None => return Err(TraceError::of_time()),
            }
        }
        Ok(None)
    }

    fn next(&mut self) -> Option<Result<Message, TraceError>> {
        let next = self.step();
        self.is_over |= next.is_err();
        next.transpose()
    }
}
