//! The messages of a run as a trace, so that it can be replayed.

use observe::{Offered, PacketKind};
use std::collections::{BTreeMap, VecDeque};
use units::Tick;

/// One message as it was generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logged {
    /// Its number, from 0 in order of generation, of one tick by source.
    pub id: u64,
    /// When it was generated.
    pub tick: Tick,
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length in bytes.
    pub bytes: u32,
    /// Of a reply, the number of its request.
    pub after: Option<u64>,
}

/// A request by source, destination, group and tick.
type Request = (u32, u32, u8, Tick);

/// Hands on every message that is generated, refused or not, in the order of [`Logged::id`].
pub struct MessageLog {
    sink: Box<dyn FnMut(Logged) + Send>,
    /// By group: whether its messages are requests.
    asks: Vec<bool>,
    /// Requests that are not answered yet, by number.
    requests: BTreeMap<Request, VecDeque<u64>>,
    /// What was generated in one tick.
    now: Vec<Offered>,
    next_id: u64,
}

impl MessageLog {
    /// Nothing was generated. `asks`: by group, whether its messages ask for replies.
    pub fn new(asks: Vec<bool>, sink: Box<dyn FnMut(Logged) + Send>) -> MessageLog {
        MessageLog { sink, asks, requests: BTreeMap::new(), now: Vec::new(), next_id: 0 }
    }

    pub(crate) fn offered(&mut self, offered: Offered) {
        if self.now.first().is_some_and(|first| first.born != offered.born) {
            self.flush();
        }
        self.now.push(offered);
    }

    /// Hands on what was generated last; the run is over.
    pub fn flush(&mut self) {
        let mut now = std::mem::take(&mut self.now);
        // Nodes are visited in any order; the messages of one of them are in theirs.
        now.sort_by_key(|offered| offered.source);
        for offered in now.drain(..) {
            self.log(&offered);
        }
        self.now = now;
    }

    fn log(&mut self, offered: &Offered) {
        let id = self.next_id;
        self.next_id += 1;
        let (source, destination, group) = (offered.source, offered.destination, offered.group);
        let mut after = None;
        if offered.kind == PacketKind::Reply {
            let request = (destination, source, group, offered.asked);
            if let Some(ids) = self.requests.get_mut(&request) {
                after = ids.pop_front();
                if ids.is_empty() {
                    self.requests.remove(&request);
                }
            }
        } else if !offered.refused && self.asks.get(usize::from(group)) == Some(&true) {
            let request = (source, destination, group, offered.born);
            self.requests.entry(request).or_default().push_back(id);
        }
        (self.sink)(Logged {
            id,
            tick: offered.born,
            source,
            destination,
            bytes: offered.bytes,
            after,
        });
    }
}
