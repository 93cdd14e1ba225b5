//! Messages that are given instead of drawn: a trace, read during the run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::sync::Arc;

use units::Tick;

use crate::generator::Message;

/// One message of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    /// When it is generated, at the earliest.
    pub tick: Tick,
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length in bytes.
    pub bytes: u32,
    /// Not before so many messages of the trace from a node have arrived: `(node, messages)`.
    pub after: Option<(u32, u64)>,
}

/// The messages of a trace, in order of ticks; an error ends them.
pub type Messages = Box<dyn Iterator<Item = Result<Given, String>> + Send>;

/// A trace that is part of a workload: it can be read from its start any number of times.
#[derive(Clone)]
pub struct Trace {
    /// Number of its group in [`crate::Workload::groups`].
    pub group: u8,
    /// Some of its messages wait for others.
    pub has_after: bool,
    /// Opens it.
    pub open: Arc<dyn Fn() -> Messages + Send + Sync>,
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trace {{ group: {} }}", self.group)
    }
}

/// In order of generation: tick, place in the trace, destination, bytes.
type Ready = (Tick, u64, u32, u32);

/// The messages of one source that have been given and are not generated yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    group: u8,
    ready: BinaryHeap<Reverse<Ready>>,
    /// By what they wait for, with their places in the trace.
    waiting: BTreeMap<(u32, u64), Vec<(u64, Given)>>,
    /// Messages that have arrived, by source.
    arrived: BTreeMap<u32, u64>,
    /// The message that was taken last: it may be put back.
    last: Option<Ready>,
    given: u64,
}

impl Replay {
    pub(crate) fn new(group: u8) -> Replay {
        Replay { group, ..Replay::default() }
    }

    pub(crate) fn give(&mut self, message: Given) {
        let place = self.given;
        self.given += 1;
        match message.after {
            Some((node, count)) if self.arrived.get(&node).is_none_or(|&n| n < count) => {
                let waiting = self.waiting.entry((node, count)).or_default();
                waiting.push((place, message));
            }
            _ => self.ready(message.tick, place, &message),
        }
    }

    /// The last message of [`Replay::next`] was not generated yet.
    pub(crate) fn put_back(&mut self) {
        self.ready.extend(self.last.take().map(Reverse));
    }

    pub(crate) fn arrived(&mut self, from: u32, now: Tick) {
        let count = self.arrived.entry(from).or_default();
        *count += 1;
        let released = self.waiting.remove(&(from, *count));
        for (place, message) in released.into_iter().flatten() {
            self.ready(message.tick.max(now), place, &message);
        }
    }

    fn ready(&mut self, tick: Tick, place: u64, message: &Given) {
        let (destination, bytes) = (message.destination, message.bytes);
        self.ready.push(Reverse((tick, place, destination, bytes)));
    }

    pub(crate) fn next(&mut self) -> Option<Message> {
        let Reverse(ready) = self.ready.pop()?;
        self.last = Some(ready);
        let (tick, _, destination, bytes) = ready;
        Some(Message { tick, destination, bytes, group: self.group })
    }
}
