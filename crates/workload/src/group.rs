//! One group: checked, and its generators.

use std::sync::Arc;

use units::{Ratio, Span, Tick};

use crate::arrivals::{Arrivals, BERNOULLI_LOAD_PARTS_MAX};
use crate::error::WorkloadError;
use crate::generator::Generator;
use crate::options::{GeneratorOptions, Target};
use crate::pattern::{Pattern, Rule};
use crate::placed::GroupSummary;
use crate::scale::TimeScale;
use crate::size::MessageBytes;

/// What all groups of a workload have in common.
pub(crate) struct Common<'a> {
    pub(crate) self_traffic: bool,
    pub(crate) nodes: u32,
    pub(crate) scale: &'a dyn TimeScale,
    pub(crate) seed: u64,
}

/// A group with its defaults filled in.
#[derive(Clone)]
pub(crate) struct Group<'a> {
    pub(crate) key: String,
    /// Name that its random streams begin with.
    pub(crate) name: &'a str,
    pub(crate) number: u8,
    pub(crate) load: Option<Ratio>,
    pub(crate) pattern: Pattern,
    pub(crate) destinations: &'a [u32],
    /// Nodes of a block.
    pub(crate) block_nodes: Option<u32>,
    pub(crate) arrivals: Arrivals,
    pub(crate) message_bytes: &'a MessageBytes,
    /// Key that the lengths were set with: a group without its own has those of the workload.
    pub(crate) message_bytes_key: String,
    /// (start, end, step), in ns.
    pub(crate) active: (u64, Option<u64>, u64),
    /// A source beside a list of destinations that would send to itself is an error: the user set
    /// both. Else it sends nothing.
    pub(crate) refuses_itself: bool,
}

impl Group<'_> {
    /// Checks the group and adds the generators of its sources; also where it has no load, so
    /// that a sweep which starts at load 0 learns of its errors at once.
    pub(crate) fn generate(
        &self,
        common: &Common<'_>,
        summary: &mut GroupSummary,
        generators: &mut Vec<(u32, Generator)>,
    ) -> Result<(), WorkloadError> {
        let &Common { self_traffic, nodes, scale, seed } = common;
        self.message_bytes.check(&self.message_bytes_key)?;
        self.pattern.check(&format!("{}.pattern", self.key), nodes)?;
        let in_blocks = self.block_nodes.filter(|&block| block > 0);
        if self.pattern.needs_blocks() && in_blocks.is_none_or(|block| !nodes.is_multiple_of(block))
        {
            return Err(WorkloadError::NoBlocks {
                key: format!("{}.pattern", self.key),
                pattern: self.pattern,
            });
        }
        self.check_destination_count(summary.sources.len())?;
        let message_ticks = self
            .message_bytes
            .mean_ticks(&self.message_bytes_key, |bytes| scale.link_ticks(bytes))?;
        let load_key = format!("{}.load", self.key);
        if let Some(given) = self.load {
            if given > Ratio::ONE {
                return Err(WorkloadError::Load { key: load_key, given });
            }
            let small = u128::from(given.num()) * u128::from(BERNOULLI_LOAD_PARTS_MAX)
                < u128::from(given.den());
            if small && self.arrivals == Arrivals::Bernoulli {
                return Err(WorkloadError::BernoulliLoad { key: load_key, given });
            }
        }
        let shared: Arc<[u32]> = self.destinations.into();
        for (j, &node) in summary.sources.iter().enumerate() {
            let (start_tick, end_tick) = self.window_ticks(j as u64, scale)?;
            let Some(target) = self.target(j, node, nodes, self_traffic, &shared)? else {
                summary.silent.push(node);
                continue;
            };
            let Some(load) = self.load else { continue };
            let generator = Generator::new(GeneratorOptions {
                seed,
                node,
                group: self.number,
                group_name: self.name,
                arrivals: self.arrivals,
                message_ticks,
                load,
                message_bytes: self.message_bytes,
                target,
                start_tick,
                end_tick,
                closed: summary.replies.and_then(|replies| replies.closed),
            })
            .map_err(|fraction| WorkloadError::Interval { key: load_key.clone(), fraction })?;
            generators.push((node, generator));
        }
        Ok(())
    }

    pub(crate) fn check_destination_count(&self, sources: usize) -> Result<(), WorkloadError> {
        let given = self.destinations.len();
        let legal = match self.pattern {
            Pattern::Hot if given == 0 => "1 or more".to_owned(),
            Pattern::Fixed if given != sources => format!("{sources}, one for each source"),
            _ if given > 0
                && matches!(self.pattern.rule(), Rule::Permutation(..) | Rule::Block(_)) =>
            {
                "none".to_owned()
            }
            _ => return Ok(()),
        };
        let key = format!("{}.destinations", self.key);
        Err(WorkloadError::DestinationCount { key, pattern: self.pattern, given, legal })
    }

    /// Window of source j in ticks.
    fn window_ticks(
        &self,
        j: u64,
        scale: &dyn TimeScale,
    ) -> Result<(Tick, Option<Tick>), WorkloadError> {
        let (start_ns, end_ns, step_ns) = self.active;
        if let Some(given) = end_ns.filter(|&end| end <= start_ns) {
            return Err(WorkloadError::Window {
                key: format!("{}.end_ns", self.key),
                given,
                start_ns,
            });
        }
        let later = |ns: u64, what: &str| {
            let shifted = j.checked_mul(step_ns).and_then(|shift| ns.checked_add(shift));
            let ticks = shifted.map(|ns| scale.ns_to_ticks(ns)).filter(|&ticks| ticks < Span::MAX);
            ticks.map(|span| Tick::ZERO + span).ok_or_else(|| WorkloadError::Time {
                key: format!("{}.{what}", self.key),
                given: shifted.unwrap_or(ns),
            })
        };
        Ok((later(start_ns, "start_ns")?, end_ns.map(|end| later(end, "end_ns")).transpose()?))
    }

    /// Where source j, which is `node`, sends to; `None` where that is only itself and it may
    /// not: the rest of the group has its pattern.
    fn target(
        &self,
        j: usize,
        node: u32,
        nodes: u32,
        self_traffic: bool,
        list: &Arc<[u32]>,
    ) -> Result<Option<Target>, WorkloadError> {
        let single = |destination: u32| {
            (self_traffic || destination != node).then_some(Target::Node(destination))
        };
        match self.pattern.rule() {
            Rule::Permutation(_, map) => Ok(single(map(nodes, node))),
            Rule::Listed(index) => match single(list[index(j, list.len())]) {
                None if self.refuses_itself => Err(WorkloadError::SelfDestination {
                    key: format!("{}.destinations", self.key),
                    given: node,
                }),
                target => Ok(target),
            },
            Rule::Block(to) => {
                // Checked above: whole blocks.
                let block = self.block_nodes.unwrap_or(1);
                let first = to(nodes / block, node / block) * block;
                let others: Arc<[u32]> =
                    (first..first + block).filter(|&other| self_traffic || other != node).collect();
                Ok((!others.is_empty()).then_some(Target::OneOf(others)))
            }
            Rule::Random if list.is_empty() => Ok((self_traffic || nodes > 1)
                .then_some(Target::Uniform { nodes, except: (!self_traffic).then_some(node) })),
            Rule::Random if self_traffic || !list.contains(&node) => {
                Ok(Some(Target::OneOf(list.clone())))
            }
            Rule::Random => {
                let others: Arc<[u32]> =
                    list.iter().copied().filter(|&other| other != node).collect();
                Ok((!others.is_empty()).then_some(Target::OneOf(others)))
            }
        }
    }
}
