//! A workload as the user sets it, free of ticks.

use std::borrow::Cow;

use units::Ratio;
use units::named;

use crate::arrivals::Arrivals;
use crate::pattern::Pattern;
use crate::size::MessageBytes;

/// The whole workload: random sources, all nodes that are sources of no other group, and groups of
/// others. Built by [`WorkloadConfig::build`](crate::WorkloadConfig::build).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadConfig {
    /// Load of the random sources, up to 1 of the link rate; `None`: 0. Key `workload.load`.
    pub load: Option<Ratio>,
    /// Pattern of the random sources. Key `workload.pattern`.
    pub pattern: Pattern,
    /// Destinations: of `uniform` the candidates (empty: all nodes), of `hot` and `fixed` the list.
    /// Key `workload.destinations`.
    pub destinations: Vec<u32>,
    /// Nodes of a block (of a super node), one after the other, for patterns that go by blocks.
    pub block_nodes: Option<u32>,
    /// Nodes may send to themselves, in all groups. Key `workload.self`.
    pub self_traffic: bool,
    /// Arrival process. Key `workload.arrivals`.
    pub arrivals: Arrivals,
    /// Lengths of messages. Key `workload.message_bytes`.
    pub message_bytes: MessageBytes,
    /// The hot group. Keys `workload.hot.*`.
    pub hot: Option<GroupConfig>,
    /// Further groups. Keys `[[workload.group]]`; in errors `workload.group[0].*`.
    pub groups: Vec<GroupConfig>,
    /// Hot spots that move: one group, the last. Keys `workload.moving.*`.
    pub moving: Option<MovingConfig>,
}

impl WorkloadConfig {
    /// Every group beside `random`, in the order of results; hot spots that move are one.
    pub fn all_groups(&self) -> impl Iterator<Item = Cow<'_, GroupConfig>> {
        let given = self.hot.iter().chain(&self.groups).map(Cow::Borrowed);
        let moving = self.moving.iter().map(MovingConfig::group);
        given.chain(moving.map(Cow::Owned))
    }
}

/// A group of sources with a window in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupConfig {
    /// Name in results; each group has its own, and none is called `random`. Key `name`.
    pub name: String,
    /// Load of each source, up to 1 of the link rate; `None`: 0. Key `load`.
    pub load: Option<Ratio>,
    /// Pattern. Key `pattern`.
    pub pattern: Pattern,
    /// Destinations, as in [`WorkloadConfig::destinations`]. Key `destinations`.
    pub destinations: Vec<u32>,
    /// The sources. Keys `sources` and `share`.
    pub sources: Sources,
    /// Where a number or share of sources is placed. Key `placement`.
    pub placement: Placement,
    /// Start of the first source, in ns. Key `start_ns`.
    pub start_ns: u64,
    /// End of the first source, in ns; `None` has no end. Key `end_ns`.
    pub end_ns: Option<u64>,
    /// Source j starts and ends j times so many ns later; 0 starts all at once. Key `step_ns`.
    pub step_ns: u64,
    /// Arrival process; `None` as in [`WorkloadConfig`]. Key `arrivals`.
    pub arrivals: Option<Arrivals>,
    /// Lengths of messages; `None` as in [`WorkloadConfig`]. Key `message_bytes`.
    pub message_bytes: Option<MessageBytes>,
    /// Its messages are requests, each answered by a reply of so many bytes. Key `reply_bytes`.
    pub reply_bytes: Option<u32>,
    /// From the ejection of a request to its reply, in ns. Key `reply_delay_ns`.
    pub reply_delay_ns: u64,
    /// Requests that each source may have outstanding; `None` is an open loop. Key `window`.
    pub window: Option<u32>,
    /// From a reply to the next request, in ns; above 0 only with `window`. Key `think_ns`.
    pub think_ns: u64,
}

/// The sources of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sources {
    /// These nodes, source j the j-th. A node may be in the lists of several groups.
    List(Vec<u32>),
    /// So many nodes.
    Count(u32),
    /// This share of all nodes, rounded down to whole nodes.
    Share(Ratio),
}

impl Default for GroupConfig {
    /// One source at full load, all the time; group `hot` with no destination yet.
    fn default() -> Self {
        Self {
            name: "hot".to_owned(),
            load: Some(Ratio::ONE),
            pattern: Pattern::Hot,
            destinations: Vec::new(),
            sources: Sources::Count(1),
            placement: Placement::Spread,
            start_ns: 0,
            end_ns: None,
            step_ns: 0,
            arrivals: None,
            message_bytes: None,
            reply_bytes: None,
            reply_delay_ns: 0,
            window: None,
            think_ns: 0,
        }
    }
}

/// Destinations that become hot one after the other, all of [`MOVING_GROUP`](crate::MOVING_GROUP).
///
/// Destination i is hot from `start_ns` + i x `period_ns` on, for `dwell_ns`, with the sources j
/// for which j mod `overlap` = i mod `overlap`. Random streams are named after the destination:
/// `node12.to-5.phase`, `node12.to-5-2.phase` where it is hot a second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovingConfig {
    /// The group: `destinations` in the order in which they become hot, `start_ns` of the first;
    /// [`group`](Self::group) sets name, pattern and end.
    pub group: GroupConfig,
    /// Sets of sources, and so the destinations that are hot at a time. Key `overlap`.
    pub overlap: u32,
    /// A source that is the hot destination of its set sends nothing meanwhile; else it is refused.
    pub skips_itself: bool,
    /// For how long each is hot, in ns; at most `overlap` x `period_ns` where there are more
    /// destinations than `overlap`. Key `dwell_ns`.
    pub dwell_ns: u64,
    /// From one destination becoming hot to the next, in ns. Key `period_ns`.
    pub period_ns: u64,
}

named! {
    /// Placement of sources (key `workload.hot.placement`); the papers do not print theirs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Placement: "placement" {
        /// Source j of H is node floor((j + 1/2) N / H), or the next that is free.
        #[default]
        Spread = "spread",
        /// Every set of H free nodes alike, from the stream `GROUP.placement`.
        Random = "random",
        /// The first H free nodes.
        Block = "block",
    }
}
