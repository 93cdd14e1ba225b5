//! Hot spots that move: destinations that are hot one after the other.

use std::collections::{BTreeMap, BTreeSet};

use units::{Span, TimeBase};

use crate::config::{GroupConfig, MovingConfig};
use crate::error::WorkloadError;
use crate::generator::Generator;
use crate::group::{Common, Group};
use crate::pattern::Pattern;
use crate::replies::GroupSummary;

/// Name of the group whose hot spots move.
pub const MOVING_GROUP: &str = "moving";

pub(crate) const KEY: &str = "workload.moving";

impl MovingConfig {
    /// The group that it is in results, while any of its destinations is hot.
    pub fn group(&self) -> GroupConfig {
        GroupConfig {
            name: MOVING_GROUP.to_owned(),
            pattern: Pattern::Hot,
            end_ns: Some(self.end_ns().unwrap_or(u64::MAX)),
            ..self.group.clone()
        }
    }

    /// When destination `i` becomes hot, in ns; `None` for what 64 bits do not hold.
    pub fn hot_from_ns(&self, i: usize) -> Option<u64> {
        let later = self.period_ns.checked_mul(i as u64)?;
        self.group.start_ns.checked_add(later)
    }

    fn end_ns(&self) -> Option<u64> {
        let last = self.group.destinations.len().saturating_sub(1);
        self.hot_from_ns(last)?.checked_add(self.dwell_ns)
    }

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
        self.group.destinations.iter().map(name).collect()
    }

    /// Whether every other group leaves it its name and its random streams: two groups with one
    /// stream would draw the same.
    pub(crate) fn check_names(
        &self,
        others: &[(String, &GroupConfig)],
    ) -> Result<(), WorkloadError> {
        let streams = BTreeSet::from_iter(self.streams());
        for (key, config) in others {
            let (key, name) = (format!("{key}.name"), &config.name);
            if name == MOVING_GROUP {
                return Err(WorkloadError::group_name(key, name));
            }
            if streams.contains(name) {
                let given = format!("`{name}` given, the name of random streams of `{KEY}`");
                return Err(WorkloadError::new(key, given, "another name"));
            }
        }
        Ok(())
    }

    fn check(&self, sources: usize, scale: &TimeBase) -> Result<(), WorkloadError> {
        let &Self { overlap, dwell_ns, period_ns, .. } = self;
        let refuse = |name: &str, given: String, legal: String| {
            Err(WorkloadError::new(format!("{KEY}.{name}"), given, legal))
        };
        for (name, given) in [("overlap", u64::from(overlap)), ("dwell_ns", dwell_ns)] {
            if given == 0 {
                return refuse(name, "0 given".to_owned(), "1 or more".to_owned());
            }
        }
        if overlap as usize > sources {
            let given = format!("{overlap} given for {sources} sources");
            return refuse("overlap", given, format!("1 to {sources}"));
        }
        // Sources must not have two hot spots at a time.
        let least_ns = dwell_ns.div_ceil(u64::from(overlap));
        if self.group.destinations.len() > overlap as usize && period_ns < least_ns {
            let given = format!(
                "{period_ns} ns given, so that sources would turn to the next destination after \
                 {overlap} x {period_ns} ns, and each is hot for {dwell_ns} ns"
            );
            let legal = format!("{least_ns} ns or more, or up to {overlap} destinations");
            return refuse("period_ns", given, legal);
        }
        let end = self.end_ns();
        if end.is_none_or(|end| scale.ns_to_ticks_ceil(end) == Span::MAX) {
            return Err(WorkloadError::time(format!("{KEY}.period_ns"), period_ns));
        }
        Ok(())
    }

    /// Checks it and adds the generators of its sources, destination by destination.
    pub(crate) fn generate(
        &self,
        group: &Group,
        common: &Common<'_>,
        summary: &mut GroupSummary,
        generators: &mut Vec<(u32, Generator)>,
    ) -> Result<(), WorkloadError> {
        group.check_destination_count(summary.sources.len())?;
        self.check(summary.sources.len(), common.scale)?;
        let overlap = self.overlap as usize;
        let mut speaks = BTreeSet::new();
        let destinations = self.streams().into_iter().zip(&self.group.destinations);
        for (i, (stream, &destination)) in destinations.enumerate() {
            let mut hot = Group { refuses_itself: !self.skips_itself, ..group.clone() };
            hot.config.name = stream;
            hot.config.destinations = vec![destination];
            // Checked above: that is less than the end.
            if let Some(start) = self.hot_from_ns(i) {
                (hot.config.start_ns, hot.config.end_ns) = (start, Some(start + self.dwell_ns));
            }
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
