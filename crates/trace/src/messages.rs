//! Traces of messages: a CSV with a line a message.
//!
//! `id,time_ns,source,destination,bytes,after`, which is the first line too; or `tick` in the place
//! of `time_ns`, as runs of the model are recorded. Ids ascend, times do
//! not go back, a message has at least one byte and goes to another node. `after` is empty, or the
//! id of an earlier message whose destination is this one's source: then this one is generated no
//! earlier than its time, and no earlier than that one has arrived. It is one of the last
//! [`AFTER_MESSAGES`] before it, so that the reader needs constant memory.

use crate::compression::Compression;
use crate::error::{Place, Problem, TraceError};
use crate::format::{HEADER, HEADER_TICKS};
use crate::input::Input;
use crate::line::Line;
use crate::options::Options;
use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;

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
    input: Input,
    allow_truncated: bool,
    nodes: Option<u32>,
    has_header: bool,
    is_in_ticks: bool,
    read: u64,
    last_ns: u64,
    /// Id and destination of the last ones.
    recent: VecDeque<(u64, u32)>,
    is_over: bool,
    truncated: Option<TraceError>,
}

impl std::fmt::Debug for Messages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Messages").field("read", &self.read).finish_non_exhaustive()
    }
}

impl Messages {
    /// Opens a trace of messages; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be opened or begins with another line than [`HEADER`].
    pub fn open(path: &Path, options: &Options) -> Result<Messages, TraceError> {
        Messages::of_input(crate::open::input(path, options)?, options)
    }

    /// Reads a trace of messages from a stream; `name` is for errors.
    ///
    /// # Errors
    /// As [`Messages::open`].
    pub fn new(
        source: impl Read + Send + 'static,
        name: &str,
        options: &Options,
    ) -> Result<Messages, TraceError> {
        Messages::of_input(Input::new(source, name, options.compression)?, options)
    }

    pub(crate) fn of_input(input: Input, options: &Options) -> Result<Messages, TraceError> {
        Ok(Messages {
            input,
            allow_truncated: options.allow_truncated,
            nodes: None,
            has_header: false,
            is_in_ticks: false,
            read: 0,
            last_ns: 0,
            recent: VecDeque::new(),
            is_over: false,
            truncated: None,
        })
    }

    /// Refuses messages from or to other end nodes than the first `nodes`.
    #[must_use]
    pub fn within(mut self, nodes: u32) -> Messages {
        self.nodes = Some(nodes);
        self
    }

    /// The compression.
    pub fn compression(&self) -> Compression {
        self.input.compression()
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
            if !self.has_header {
                self.is_in_ticks = text == HEADER_TICKS;
                if text != HEADER && !self.is_in_ticks {
                    return Err(line.field_error("first line", line.text, HEADER));
                }
                self.has_header = true;
                continue;
            }
            let limits = Limits {
                nodes: self.nodes.unwrap_or(u32::MAX),
                last_ns: self.last_ns,
                recent: &self.recent,
            };
            let message = limits.message(line)?;
            self.last_ns = message.time_ns;
            self.read += 1;
            if self.recent.len() == AFTER_MESSAGES {
                self.recent.pop_front();
            }
            self.recent.push_back((message.id, message.destination));
            return Ok(Some(message));
        }
        if self.has_header {
            return Ok(None);
        }
        let found = String::new();
        let expected = HEADER.to_string();
        let name = "first line";
        let problem = Problem::Field { name, found, expected };
        Err(self.input.error(Place::File, problem))
    }
}

impl Iterator for Messages {
    type Item = Result<Message, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let read = self.read();
        let error = match read.map_err(|error| self.input.cut_or(error, self.read)) {
            Ok(Some(message)) => return Some(Ok(message)),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        self.is_over = true;
        let is_cut = |error: &TraceError| matches!(error.problem, Problem::Truncated { .. });
        if self.allow_truncated && error.as_ref().is_some_and(is_cut) {
            self.truncated = error;
            return None;
        }
        error.map(Err)
    }
}

/// What a message has to hold.
struct Limits<'a> {
    nodes: u32,
    last_ns: u64,
    recent: &'a VecDeque<(u64, u32)>,
}

impl Limits<'_> {
    fn message(&self, line: Line<'_>) -> Result<Message, TraceError> {
        let fields = line.fields::<6>().map_err(|found| {
            let expected = "6: id, time_ns, source, destination, bytes, after";
            line.error(line.text, Problem::Fields { found, expected })
        })?;
        let [id_field, time_field, source_field, to_field, bytes_field, after_field] = fields;
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
        let bytes = line.number("bytes", bytes_field, "a whole number, 1 or more")?;
        if bytes == 0 {
            return Err(line.field_error("bytes", bytes_field, "a whole number, 1 or more"));
        }
        let after = match after_field {
            "" => None,
            field => Some(self.after(line, field, source)?),
        };
        Ok(Message { id, time_ns, source, destination, bytes, after })
    }

    fn node(&self, line: Line<'_>, name: &'static str, field: &str) -> Result<u32, TraceError> {
        let legal = format!("an end node, 0 to {}", self.nodes.saturating_sub(1));
        let node: u32 = line.number(name, field, &legal)?;
        if node < self.nodes { Ok(node) } else { Err(line.field_error(name, field, &legal)) }
    }

    fn after(&self, line: Line<'_>, field: &str, source: u32) -> Result<u64, TraceError> {
        let legal = format!("nothing, or the id of an earlier message to node {source}");
        let after: u64 = line.number("after", field, &legal)?;
        let at = self.recent.binary_search_by_key(&after, |(id, _)| *id);
        let Ok(at) = at else {
            let of = format!("{legal}, at most {AFTER_MESSAGES} messages back");
            return Err(line.field_error("after", field, &of));
        };
        match self.recent[at].1 {
            destination if destination == source => Ok(after),
            destination => {
                let of = format!("{legal}; this one is to node {destination}");
                Err(line.field_error("after", field, &of))
            }
        }
    }
}
