//! What a generator is made of, and what it gives.

use std::sync::Arc;

use units::{Ratio, Tick};

use crate::arrivals::Arrivals;
use crate::closed::Closed;
use crate::interval::Interval;
use crate::size::MessageBytes;

/// One message as it is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// When it is generated.
    pub tick: Tick,
    /// Destination node.
    pub destination: u32,
    /// Length in bytes.
    pub bytes: u32,
    /// Number of its group in [`crate::Workload::groups`].
    pub group: u8,
}

/// Where a source sends to, with what it takes to draw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Always the same node.
    Node(u32),
    /// Each of `nodes` nodes alike, without `except` where that is one of them.
    Uniform {
        /// Number of nodes.
        nodes: u32,
        /// The node left out; usually the source.
        except: Option<u32>,
    },
    /// Each entry of a list alike.
    OneOf(Arc<[u32]>),
}

/// What a [`Generator`](crate::Generator) is made of.
#[derive(Clone, Debug)]
pub struct GeneratorOptions<'a> {
    /// Seed of the run.
    pub seed: u64,
    /// The source.
    pub node: u32,
    /// Number of the group.
    pub group: u8,
    /// Name of the group, part of the names of the random streams.
    pub group_name: &'a str,
    /// Arrival process.
    pub arrivals: Arrivals,
    /// Mean time of a message on the link, in ticks.
    pub message_ticks: Interval,
    /// Part of the link rate, above 0 and up to 1.
    pub load: Ratio,
    /// Lengths of the messages; checked by the caller.
    pub message_bytes: &'a MessageBytes,
    /// Where to; not empty, checked by the caller.
    pub target: Target,
    /// First tick of the window in which messages are generated.
    pub start_tick: Tick,
    /// First tick after the window; `None` has no end.
    pub end_tick: Option<Tick>,
    /// Closed loop: requests wait for replies to earlier ones. `None`: open loop.
    pub closed: Option<Closed>,
}
