//! Traces of messages: a CSV with a line a message.
//!
//! `id,time_ns,source,destination,bytes,after`, which is the first line too; or `tick` in the place
//! of `time_ns`, as runs of the model are recorded. Ids ascend, times do
//! not go back, a message has at least one byte and goes to another node. `after` is empty, or the
//! id of an earlier message whose destination is this one's source: then this one is generated no
//! earlier than its time, and no earlier than that one has arrived. It is one of the last
//! [`AFTER_MESSAGES`] before it, so that the reader needs constant memory.

use crate::error::{Place, Problem, TraceError};
use crate::input::Input;
use crate::line::Line;
use crate::options::Options;
use std::collections::VecDeque;
use std::io::{self, Write};

/// The first line.
pub const HEADER: &str = "id,time_ns,source,destination,bytes,after";
/// The first line where times are ticks of a model, which may be no whole ns.
pub const HEADER_TICKS: &str = "id,tick,source,destination,bytes,after";

/// How many messages back `after` may reach.
pub const AFTER_MESSAGES: usize = 1 << 20;

/// A message from an end node to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number; ascends along a trace.
    pub id: u64,
    /// When it is generated at the earliest, ns from the start of the trace; ticks where the trace
    /// is in ticks.
    pub time_ns: u64,
    /// The end node that sends it.
    pub source: u32,
    /// The end node that it is for.
    pub destination: u32,
    /// Its length, in bytes, at least 1.
    pub bytes: u64,
    /// The message whose arrival it waits for: an earlier one to this one's source.
    pub after: Option<u64>,
}

/// Messages of a trace of messages, in constant memory.
pub struct Messages {
    pub(crate) input: Input,
    allow_truncated: bool,
    has_header: bool,
    is_in_ticks: bool,
    limits: Limits,
    read: u64,
    is_over: bool,
    truncated: Option<TraceError>,
}

impl Messages {
    pub(crate) fn new(input: Input, options: &Options) -> Messages {
        Messages {
            input,
            allow_truncated: options.allow_truncated,
            has_header: false,
            is_in_ticks: false,
            limits: Limits { nodes: u32::MAX, last_ns: 0, recent: VecDeque::new() },
            read: 0,
            is_over: false,
            truncated: None,
        }
    }

    /// Refuses messages from or to other end nodes than the first `nodes`.
    pub fn within(&mut self, nodes: u32) {
        self.limits.nodes = nodes;
    }

    /// Whether times are ticks; known from the first message on.
    pub fn is_in_ticks(&self) -> bool {
        self.is_in_ticks
    }

    /// Where the file is cut off, where that was allowed.
    pub fn truncated(&self) -> Option<&TraceError> {
        self.truncated.as_ref()
    }

    fn read(&mut self) -> Result<Option<Message>, TraceError> {
        while let Some(line) = self.input.line()? {
            let text = line.text.trim();
            if text.is_empty() {
                continue;
            }
            if self.has_header {
                return self.limits.message(line).map(Some);
            }
            self.is_in_ticks = text == HEADER_TICKS;
            if text != HEADER && !self.is_in_ticks {
                return Err(line.field_error("first line", line.text, HEADER));
            }
            self.has_header = true;
        }
        match self.has_header {
            true => Ok(None),
            false => Err(self.input.error(Place::File, Problem::field("first line", "", HEADER))),
        }
    }
}

impl Iterator for Messages {
    type Item = Result<Message, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.read().map_err(|error| self.input.cut_or(error, self.read));
        self.read += 1;
        self.is_over = !matches!(read, Ok(Some(_)));
        match read {
            Err(error) if error.is_cut() && self.allow_truncated => {
                self.truncated = Some(error);
                None
            }
            read => read.transpose(),
        }
    }
}

/// What a message has to hold.
struct Limits {
    nodes: u32,
    last_ns: u64,
    /// Id and destination of the last ones.
    recent: VecDeque<(u64, u32)>,
}

impl Limits {
    fn message(&mut self, line: Line<'_>) -> Result<Message, TraceError> {
        let expected = "6: id, time_ns, source, destination, bytes, after";
        let [id_field, time_field, source_field, to_field, bytes_field, after_field] =
            line.fields(false, expected)?;
        let id = line.number("id", id_field, "a whole number")?;
        if let Some((last, _)) = self.recent.back().filter(|(last, _)| id <= *last) {
            let legal = format!("more than {last}, the id before it");
            return Err(line.field_error("id", id_field, &legal));
        }
        let time_ns = line.number("time_ns", time_field, "a whole number of ns")?;
        if time_ns < self.last_ns {
            let legal = format!("at least {}, the time before it", self.last_ns);
            return Err(line.field_error("time_ns", time_field, &legal));
        }
        let source = self.node(line, "source", source_field)?;
        let destination = self.node(line, "destination", to_field)?;
        if source == destination {
            let legal = "another node than the source";
            return Err(line.field_error("destination", to_field, legal));
        }
        let legal = "a whole number, 1 or more";
        let bytes: u64 = line.number("bytes", bytes_field, legal)?;
        if bytes == 0 {
            return Err(line.field_error("bytes", bytes_field, legal));
        }
        let after = match after_field {
            "" => None,
            field => Some(self.after(line, field, source)?),
        };
        self.last_ns = time_ns;
        if self.recent.len() == AFTER_MESSAGES {
            self.recent.pop_front();
        }
        self.recent.push_back((id, destination));
        Ok(Message { id, time_ns, source, destination, bytes, after })
    }

    fn node(&self, line: Line<'_>, name: &'static str, field: &str) -> Result<u32, TraceError> {
        let legal = format!("an end node, 0 to {}", self.nodes.saturating_sub(1));
        let node: u32 = line.number(name, field, &legal)?;
        line.value(name, field, &legal, Some(node).filter(|node| *node < self.nodes))
    }

    fn after(&self, line: Line<'_>, field: &str, source: u32) -> Result<u64, TraceError> {
        let legal = format!("nothing, or the id of an earlier message to node {source}");
        let after: u64 = line.number("after", field, &legal)?;
        let legal = match self.recent.binary_search_by_key(&after, |(id, _)| *id) {
            Err(_) => format!("{legal}, at most {AFTER_MESSAGES} messages back"),
            Ok(at) => match self.recent[at].1 {
                destination if destination == source => return Ok(after),
                destination => format!("{legal}; this one is to node {destination}"),
            },
        };
        Err(line.field_error("after", field, &legal))
    }
}

/// Writes a trace of messages.
#[derive(Debug)]
pub struct MessageWriter<W: Write> {
    out: W,
}

impl<W: Write> MessageWriter<W> {
    /// Writes the first line: [`HEADER`] or [`HEADER_TICKS`].
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn new(mut out: W, header: &str) -> io::Result<MessageWriter<W>> {
        writeln!(out, "{header}")?;
        Ok(MessageWriter { out })
    }

    /// Writes a line.
    ///
    /// # Errors
    /// What is written to does not take it.
    pub fn write(&mut self, message: &Message) -> io::Result<()> {
        let Message { id, time_ns, source, destination, bytes, after } = message;
        write!(self.out, "{id},{time_ns},{source},{destination},{bytes},")?;
        match after {
            Some(after) => writeln!(self.out, "{after}"),
            None => writeln!(self.out),
        }
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}
