//! Traces of messages: a CSV with a line a message.
//!
//! The first line is [`HEADER`], or [`HEADER_TICKS`]. Ids ascend, times do not go back, a message
//! has at least one byte and is sent to another node. `after` is empty, or the id of an earlier
//! message to this one's source, whose arrival it waits for: one of the last [`AFTER_MESSAGES`], so
//! that the reader needs constant memory.

use crate::error::TraceError;
use crate::line::Line;
use crate::records::Reader;
use std::collections::VecDeque;
use std::fmt;

/// The first line.
pub const HEADER: &str = "id,time_ns,source,destination,bytes,after";
/// The first line where times are ticks of a model, which may be no whole ns.
pub const HEADER_TICKS: &str = "id,tick,source,destination,bytes,after";

/// How many messages back `after` may reach.
pub const AFTER_MESSAGES: usize = 1 << 20;

/// A message from an end node to another one. Displayed as its line of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// Its number; ascends along a trace.
    pub id: u64,
    /// When it is generated at the earliest, ns, or ticks, from the start of the trace.
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

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Message { id, time_ns, source, destination, bytes, after } = self;
        write!(f, "{id},{time_ns},{source},{destination},{bytes},")?;
        after.map_or(Ok(()), |after| write!(f, "{after}"))
    }
}

impl Reader {
    pub(crate) fn message(&mut self, line: Line<'_>) -> Result<Option<Message>, TraceError> {
        let text = line.text.trim();
        if self.is_begun && !text.is_empty() {
            return self.limits.message(line).map(Some);
        }
        if !text.is_empty() {
            self.is_in_ticks = text == HEADER_TICKS;
            if text != HEADER && !self.is_in_ticks {
                return Err(line.field_error("first line", line.text, HEADER));
            }
            self.is_begun = true;
        }
        Ok(None)
    }
}

pub(crate) struct Limits {
    pub(crate) nodes: u32,
    last_ns: u64,
    /// Id and destination of the last ones.
    recent: VecDeque<(u64, u32)>,
}

impl Limits {
    pub(crate) fn new() -> Limits {
        Limits { nodes: u32::MAX, last_ns: 0, recent: VecDeque::new() }
    }

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
