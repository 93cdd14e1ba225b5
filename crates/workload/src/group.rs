//! One group: checked, and its generators.

use std::sync::Arc;

use units::{Ratio, Span, Tick, TimeBase};

use crate::arrivals::{Arrivals, BERNOULLI_LOAD_PARTS_MAX};
use crate::config::GroupConfig;
use crate::error::WorkloadError;
use crate::generator::{Generator, GeneratorOptions, Target};
use crate::pattern::{Pattern, Rule};
use crate::replies::GroupSummary;
use crate::size::MessageBytes;

pub(crate) struct Common<'a> {
    pub(crate) self_traffic: bool,
    pub(crate) nodes: u32,
    /// Nodes of a block, where whole blocks make up the network.
    pub(crate) block_nodes: Option<u32>,
    pub(crate) scale: &'a TimeBase,
    pub(crate) seed: u64,
}

/// A group with its defaults filled in.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) key: String,
    pub(crate) number: u8,
    /// Its random streams begin with its name.
    pub(crate) config: GroupConfig,
    pub(crate) arrivals: Arrivals,
    pub(crate) message_bytes: MessageBytes,
    /// Key that the lengths were set with: a group without its own has those of the workload.
    pub(crate) message_bytes_key: String,
    /// A source that would send to itself alone by a list is an error: the user set both.
    pub(crate) refuses_itself: bool,
}

impl Group {
    /// Checks the group, also without a load, and adds the generators of its sources.
    pub(crate) fn generate(
        &self,
        common: &Common<'_>,
        summary: &mut GroupSummary,
        generators: &mut Vec<(u32, Generator)>,
    ) -> Result<(), WorkloadError> {
        let &Common { nodes, scale, seed, block_nodes, .. } = common;
        self.message_bytes.check(&self.message_bytes_key)?;
        self.config.pattern.check(&format!("{}.pattern", self.key), nodes)?;
        if matches!(self.config.pattern.rule(), Rule::Block(_)) && block_nodes.is_none() {
            return Err(self.refuse(
                "pattern",
                format!("`{}` given", self.config.pattern),
                "in a network of super nodes".to_owned(),
            ));
        }
        self.check_destination_count(summary.sources.len())?;
        let message_ticks = self
            .message_bytes
            .mean_ticks(&self.message_bytes_key, |bytes| scale.link_ticks(bytes))?;
        if let Some(given) = self.config.load {
            if given > Ratio::ONE {
                let legal = "0 to 1 (of the link rate)".to_owned();
                return Err(self.refuse("load", format!("{given} given"), legal));
            }
            let small = u128::from(given.num()) * u128::from(BERNOULLI_LOAD_PARTS_MAX)
                < u128::from(given.den());
            if small && self.arrivals == Arrivals::Bernoulli {
                return Err(self.refuse(
                    "load",
                    format!("{given} given with bernoulli arrivals"),
                    format!("0, or 1/{BERNOULLI_LOAD_PARTS_MAX} to 1"),
                ));
            }
        }
        let shared: Arc<[u32]> = self.config.destinations.as_slice().into();
        for (j, &node) in summary.sources.iter().enumerate() {
            let (start_tick, end_tick) = self.window_ticks(j as u64, scale)?;
            let Some(target) = self.target(j, node, common, &shared)? else {
                summary.silent.push(node);
                continue;
            };
            let Some(load) = self.config.load else { continue };
            let generator = Generator::new(GeneratorOptions {
                seed,
                node,
                group: self.number,
                group_name: &self.config.name,
                arrivals: self.arrivals,
                message_ticks,
                load,
                message_bytes: &self.message_bytes,
                target,
                start_tick,
                end_tick,
                closed: summary.replies.and_then(|replies| replies.closed),
            })
            .map_err(|fraction| WorkloadError::interval(&format!("{}.load", self.key), fraction))?;
            generators.push((node, generator));
        }
        Ok(())
    }

    pub(crate) fn check_destination_count(&self, sources: usize) -> Result<(), WorkloadError> {
        let given = self.config.destinations.len();
        let legal = match self.config.pattern {
            Pattern::Hot if given == 0 => "1 or more".to_owned(),
            Pattern::Fixed if given != sources => format!("{sources}, one for each source"),
            _ if given > 0
                && matches!(self.config.pattern.rule(), Rule::Permutation(..) | Rule::Block(_)) =>
            {
                "none".to_owned()
            }
            _ => return Ok(()),
        };
        let given = format!("{given} destinations given for `{}`", self.config.pattern);
        Err(self.refuse("destinations", given, legal))
    }

    fn refuse(&self, name: &str, given: String, legal: String) -> WorkloadError {
        WorkloadError::new(format!("{}.{name}", self.key), given, legal)
    }

    fn window_ticks(
        &self,
        j: u64,
        scale: &TimeBase,
    ) -> Result<(Tick, Option<Tick>), WorkloadError> {
        let GroupConfig { start_ns, end_ns, step_ns, .. } = self.config;
        if let Some(given) = end_ns.filter(|&end| end <= start_ns) {
            let legal = format!("more than the start, {start_ns}");
            return Err(self.refuse("end_ns", format!("{given} given"), legal));
        }
        let later = |ns: u64, what: &str| {
            let shifted = j.checked_mul(step_ns).and_then(|shift| ns.checked_add(shift));
            let ticks = shifted.map(|ns| scale.ns_to_ticks_ceil(ns));
            let span = ticks.filter(|&ticks| ticks < Span::MAX);
            span.map(|span| Tick::ZERO + span).ok_or_else(|| {
                WorkloadError::time(format!("{}.{what}", self.key), shifted.unwrap_or(ns))
            })
        };
        Ok((later(start_ns, "start_ns")?, end_ns.map(|end| later(end, "end_ns")).transpose()?))
    }

    /// Where source j, which is `node`, sends to; `None`: only to itself, which it may not.
    fn target(
        &self,
        j: usize,
        node: u32,
        &Common { nodes, self_traffic, block_nodes, .. }: &Common<'_>,
        list: &Arc<[u32]>,
    ) -> Result<Option<Target>, WorkloadError> {
        let single = |destination: u32| {
            (self_traffic || destination != node).then_some(Target::Node(destination))
        };
        let one_of = |all: &mut dyn Iterator<Item = u32>| {
            let others: Arc<[u32]> = all.filter(|&other| self_traffic || other != node).collect();
            (!others.is_empty()).then_some(Target::OneOf(others))
        };
        match self.config.pattern.rule() {
            Rule::Permutation(_, map) => Ok(single(map(nodes, node))),
            Rule::Listed(index) => match single(list[index(j, list.len())]) {
                None if self.refuses_itself => Err(self.refuse(
                    "destinations",
                    format!("node {node} would send to itself"),
                    "another destination, or `workload.self = true`".to_owned(),
                )),
                target => Ok(target),
            },
            Rule::Block(to) => {
                let block = block_nodes.unwrap_or(1);
                let first = to(nodes / block, node / block) * block;
                Ok(one_of(&mut (first..first + block)))
            }
            Rule::Random if list.is_empty() => {
                let without = if self_traffic { u32::MAX } else { node };
                let count = nodes - u32::from(!self_traffic);
                Ok((count > 0).then_some(Target::Uniform { count, without }))
            }
            Rule::Random if self_traffic || !list.contains(&node) => {
                Ok(Some(Target::OneOf(list.clone())))
            }
            Rule::Random => Ok(one_of(&mut list.iter().copied())),
        }
    }
}
