//! Hot spots that move: destinations that are hot one after the other.

use std::collections::{BTreeMap, BTreeSet};

use units::{Ratio, Span};

use crate::arrivals::Arrivals;
use crate::config::{GroupConfig, Sources};
use crate::error::WorkloadError;
use crate::generator::Generator;
use crate::group::{Common, Group};
use crate::pattern::Pattern;
use crate::placed::GroupSummary;
use crate::placement::Placement;
use crate::scale::TimeScale;
use crate::size::MessageBytes;

/// Name of the group whose hot spots move.
pub const MOVING_GROUP: &str = "moving";

/// Path of its section, in errors.
pub(crate) const KEY: &str = "workload.moving";

/// Destinations that become hot one after the other, all of one group, [`MOVING_GROUP`].
///
/// Destination i is hot from `start_ns` + i x `period_ns` on, for `dwell_ns`. It takes from the
/// sources j with j mod `overlap` = i mod `overlap`: a set of sources, which turns to another
/// destination every `overlap` x `period_ns`.
///
/// Random streams are named after the destination, not after the group: `node12.to-5.phase`,
/// `node12.to-5-2.phase` where it is hot a second time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovingConfig {
    /// Load of each source while it has a hot destination; `None` stands for 0, no traffic. Key
    /// `load`.
    pub load: Option<Ratio>,
    /// Destinations in the order in which they become hot, at least one; one that is there again
    /// is hot again. Key `destinations`.
    pub destinations: Vec<u32>,
    /// Sets of sources, and so the destinations that are hot at a time; at most as many as there
    /// are sources. Key `overlap`.
    pub overlap: u32,
    /// The sources. Keys `sources` and `share`.
    pub sources: Sources,
    /// Where a number or share of sources is placed. Key `placement`.
    pub placement: Placement,
    /// A source that is the hot destination of its set sends nothing meanwhile; else it is
    /// refused. Said of sources that nobody listed one by one.
    pub skips_itself: bool,
    /// When the first destination becomes hot, in ns. Key `start_ns`.
    pub start_ns: u64,
    /// For how long each destination is hot, in ns; above 0, and at most `overlap` x `period_ns`
    /// where there are more destinations than `overlap`. Key `dwell_ns`.
    pub dwell_ns: u64,
    /// From one destination becoming hot to the next, in ns. Key `period_ns`.
    pub period_ns: u64,
    /// Arrival process; `None` as in [`WorkloadConfig`](crate::WorkloadConfig). Key `arrivals`.
    pub arrivals: Option<Arrivals>,
    /// Lengths of messages; `None` as in [`WorkloadConfig`](crate::WorkloadConfig). Key
    /// `message_bytes`.
    pub message_bytes: Option<MessageBytes>,
}

impl MovingConfig {
    /// The group that it is in results, from when the first destination becomes hot to when the
    /// last one no longer is.
    pub fn group(&self) -> GroupConfig {
        GroupConfig {
            name: MOVING_GROUP.to_owned(),
            load: self.load,
            pattern: Pattern::Hot,
            destinations: self.destinations.clone(),
            sources: self.sources.clone(),
            placement: self.placement,
            start_ns: self.start_ns,
            end_ns: Some(self.end_ns().unwrap_or(u64::MAX)),
            arrivals: self.arrivals,
            message_bytes: self.message_bytes.clone(),
            ..GroupConfig::default()
        }
    }

    /// When destination `i` becomes hot, in ns; `None` for what 64 bits do not hold.
    pub fn hot_from_ns(&self, i: usize) -> Option<u64> {
        let later = self.period_ns.checked_mul(i as u64)?;
        self.start_ns.checked_add(later)
    }

    fn end_ns(&self) -> Option<u64> {
        let last = self.destinations.len().saturating_sub(1);
        self.hot_from_ns(last)?.checked_add(self.dwell_ns)
    }

    /// Names of the random streams, destination by destination.
    fn streams(&self) -> Vec<String> {
        let mut times: BTreeMap<u32, u32> = BTreeMap::new();
        let name = |&node: &u32| {
            let time = times.entry(node).or_insert(0);
            *time += 1;
            match *time {
                1 => format!("to-{node}"),
                time => format!("to-{node}-{time}"),
            }
        };
        self.destinations.iter().map(name).collect()
    }

    /// Whether every other group, each with its key, leaves it its name and its random streams: two
    /// groups with one stream would draw the same.
    pub(crate) fn check_names(
        &self,
        others: &[(String, &GroupConfig)],
    ) -> Result<(), WorkloadError> {
        let streams = BTreeSet::from_iter(self.streams());
        for (key, config) in others {
            let (key, given) = (format!("{key}.name"), config.name.clone());
            if given == MOVING_GROUP {
                return Err(WorkloadError::GroupName { key, given });
            }
            if streams.contains(&given) {
                return Err(WorkloadError::StreamName { key, given });
            }
        }
        Ok(())
    }

    fn check(&self, sources: usize, scale: &dyn TimeScale) -> Result<(), WorkloadError> {
        let key = |name: &str| format!("{KEY}.{name}");
        for (name, given) in [("overlap", u64::from(self.overlap)), ("dwell_ns", self.dwell_ns)] {
            if given == 0 {
                return Err(WorkloadError::Zero { key: key(name) });
            }
        }
        if self.overlap as usize > sources {
            return Err(WorkloadError::Overlap {
                key: key("overlap"),
                given: self.overlap,
                sources,
            });
        }
        let least_ns = self.dwell_ns.div_ceil(u64::from(self.overlap));
        if self.destinations.len() > self.overlap as usize && self.period_ns < least_ns {
            return Err(WorkloadError::Period {
                key: key("period_ns"),
                given: self.period_ns,
                overlap: self.overlap,
                dwell_ns: self.dwell_ns,
                least_ns,
            });
        }
        let end = self.end_ns();
        if end.is_none_or(|end| scale.ns_to_ticks(end) == Span::MAX) {
            return Err(WorkloadError::Time { key: key("period_ns"), given: self.period_ns });
        }
        Ok(())
    }

    /// Checks it and adds the generators of its sources, those of the first destination first;
    /// `group` is what is made of [`MovingConfig::group`].
    pub(crate) fn generate(
        &self,
        group: &Group<'_>,
        common: &Common<'_>,
        summary: &mut GroupSummary,
        generators: &mut Vec<(u32, Generator)>,
    ) -> Result<(), WorkloadError> {
        group.check_destination_count(summary.sources.len())?;
        self.check(summary.sources.len(), common.scale)?;
        let overlap = self.overlap as usize;
        let mut speaks = BTreeSet::new();
        let destinations = self.streams().into_iter().zip(&self.destinations);
        for (i, (stream, &destination)) in destinations.enumerate() {
            let hot = Group {
                name: &stream,
                destinations: &[destination],
                // Checked above: that is less than the end.
                active: self
                    .hot_from_ns(i)
                    .map_or(group.active, |start| (start, Some(start + self.dwell_ns), 0)),
                refuses_itself: !self.skips_itself,
                ..group.clone()
            };
            let of_set = summary.sources.iter().skip(i % overlap).step_by(overlap);
            let mut set =
                GroupSummary { sources: of_set.copied().collect(), ..GroupSummary::default() };
            hot.generate(common, &mut set, generators)?;
            let is_silent = |node: &u32| set.silent.contains(node);
            speaks.extend(set.sources.iter().copied().filter(|node| !is_silent(node)));
        }
        let silent = summary.sources.iter().filter(|node| !speaks.contains(node));
        summary.silent = silent.copied().collect();
        Ok(())
    }
}
