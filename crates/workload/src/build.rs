//! From a configuration to generators.

use std::sync::Arc;

use units::{Ratio, Tick};

use crate::arrivals::{Arrivals, BERNOULLI_LOAD_PARTS_MAX};
use crate::config::{GroupConfig, TimeScale, WorkloadConfig};
use crate::error::WorkloadError;
use crate::generator::{Generator, GeneratorOptions, Target};
use crate::pattern::{Pattern, Rule};
use crate::size::MessageBytes;
use crate::sources::{check_nodes, place};

/// Name of the group of all nodes that are in no other; its number is 0.
pub const RANDOM_GROUP: &str = "random";

/// Who sends what to whom, when.
#[derive(Clone, Debug)]
pub struct Workload {
    /// (source node, its messages in one group), ordered by node, then group.
    pub generators: Vec<(u32, Generator)>,
    /// Names of the groups; a message's `group` is the index. `random` is always the first,
    /// [`WorkloadConfig::hot`], if any, the next.
    pub groups: Vec<String>,
    /// What was made of each group, as in `groups`.
    pub summaries: Vec<GroupSummary>,
}

/// What was made of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSummary {
    /// Its sources, source j at j.
    pub sources: Vec<u32>,
    /// Sources that would send to themselves alone, such as fixed points of a permutation; without
    /// `workload.self` they send nothing.
    pub silent: Vec<u32>,
    /// The share asked for, where it is no whole number of nodes and was rounded down.
    pub share_rounded: Option<Ratio>,
}

/// A group with its defaults filled in.
struct Group<'a> {
    key: String,
    name: &'a str,
    number: u8,
    load: Option<Ratio>,
    pattern: Pattern,
    destinations: &'a [u32],
    arrivals: Arrivals,
    message_bytes: &'a MessageBytes,
    /// Key that the lengths were set with: a group without its own has those of the workload.
    message_bytes_key: String,
    /// (start, end, step), in ns.
    window: (u64, Option<u64>, u64),
}

impl WorkloadConfig {
    /// The workload of a network of `nodes` end nodes.
    ///
    /// Hot destinations of any group are no sources, unless a list of sources names them; lists
    /// come first, then the placed groups in order, each on nodes that are still free.
    ///
    /// # Errors
    /// [`WorkloadError`], with the key, what was given and what is legal.
    pub fn build(
        &self,
        nodes: u32,
        scale: &dyn TimeScale,
        seed: u64,
    ) -> Result<Workload, WorkloadError> {
        if nodes == 0 {
            return Err(WorkloadError::NoNodes {
                key: "network.nodes".to_owned(),
                given: nodes,
            });
        }
        let set: Vec<(String, &GroupConfig)> = self.keyed_groups();
        let mut groups = vec![RANDOM_GROUP.to_owned()];
        let mut summaries = vec![GroupSummary::default()];
        if set.len() > usize::from(u8::MAX) {
            return Err(WorkloadError::GroupCount {
                key: "workload.group".to_owned(),
                given: set.len(),
            });
        }
        for (key, config) in &set {
            if config.name.is_empty() || groups.contains(&config.name) {
                return Err(WorkloadError::GroupName {
                    key: format!("{key}.name"),
                    given: config.name.clone(),
                });
            }
            groups.push(config.name.clone());
            check_nodes(&format!("{key}.destinations"), &config.destinations, nodes)?;
        }
        check_nodes("workload.destinations", &self.destinations, nodes)?;
        summaries.extend(place(&set, nodes, seed)?);
        let others = summaries.iter().flat_map(|s| &s.sources);
        let mut random = vec![true; nodes as usize];
        others.for_each(|&node| random[node as usize] = false);
        summaries[0].sources = (0..nodes).filter(|&node| random[node as usize]).collect();

        let mut generators = Vec::new();
        for (group, summary) in self.resolve(&set).iter().zip(&mut summaries) {
            group.generate(
                self.self_traffic,
                nodes,
                scale,
                seed,
                summary,
                &mut generators,
            )?;
        }
        // Stable: a node's groups stay in order.
        generators.sort_by_key(|&(node, _)| node);
        Ok(Workload {
            generators,
            groups,
            summaries,
        })
    }

    /// The groups beside `random`, with their keys.
    fn keyed_groups(&self) -> Vec<(String, &GroupConfig)> {
        let hot = self
            .hot
            .iter()
            .map(|group| ("workload.hot".to_owned(), group));
        let further = self
            .groups
            .iter()
            .enumerate()
            .map(|(i, group)| (format!("workload.group[{i}]"), group));
        hot.chain(further).collect()
    }

    fn resolve<'a>(&'a self, set: &[(String, &'a GroupConfig)]) -> Vec<Group<'a>> {
        let random = Group {
            key: "workload".to_owned(),
            name: RANDOM_GROUP,
            number: 0,
            load: self.load,
            pattern: self.pattern,
            destinations: &self.destinations,
            arrivals: self.arrivals,
            message_bytes: &self.message_bytes,
            message_bytes_key: "workload.message_bytes".to_owned(),
            window: (0, None, 0),
        };
        let others = set.iter().zip(1..).map(|((key, config), number)| Group {
            key: key.clone(),
            name: &config.name,
            number,
            load: config.load,
            pattern: config.pattern,
            destinations: &config.destinations,
            arrivals: config.arrivals.unwrap_or(self.arrivals),
            message_bytes: config.message_bytes.as_ref().unwrap_or(&self.message_bytes),
            message_bytes_key: match config.message_bytes {
                Some(_) => format!("{key}.message_bytes"),
                None => "workload.message_bytes".to_owned(),
            },
            window: (config.start_ns, config.end_ns, config.step_ns),
        });
        std::iter::once(random).chain(others).collect()
    }
}

impl Group<'_> {
    /// Checks the group and adds the generators of its sources; also where it has no load, so that
    /// a sweep which starts at load 0 learns of its errors at once.
    fn generate(
        &self,
        self_traffic: bool,
        nodes: u32,
        scale: &dyn TimeScale,
        seed: u64,
        summary: &mut GroupSummary,
        generators: &mut Vec<(u32, Generator)>,
    ) -> Result<(), WorkloadError> {
        self.message_bytes.check(&self.message_bytes_key)?;
        self.pattern
            .check(&format!("{}.pattern", self.key), nodes)?;
        self.check_destination_count(summary.sources.len())?;
        let message_ticks = self
            .message_bytes
            .mean_ticks(&self.message_bytes_key, |bytes| scale.link_ticks(bytes))?;
        let load_key = format!("{}.load", self.key);
        if let Some(given) = self.load {
            if given > Ratio::ONE {
                return Err(WorkloadError::Load {
                    key: load_key,
                    given,
                });
            }
            let small = u128::from(given.num()) * u128::from(BERNOULLI_LOAD_PARTS_MAX)
                < u128::from(given.den());
            if small && self.arrivals == Arrivals::Bernoulli {
                return Err(WorkloadError::BernoulliLoad {
                    key: load_key,
                    given,
                });
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
            })
            .map_err(|fraction| WorkloadError::Interval {
                key: load_key.clone(),
                fraction,
            })?;
            generators.push((node, generator));
        }
        Ok(())
    }

    fn check_destination_count(&self, sources: usize) -> Result<(), WorkloadError> {
        let given = self.destinations.len();
        let legal = match self.pattern {
            Pattern::Hot if given == 0 => "1 or more".to_owned(),
            Pattern::Fixed if given != sources => format!("{sources}, one for each source"),
            _ if given > 0 && matches!(self.pattern.rule(), Rule::Permutation(..)) => {
                "none".to_owned()
            }
            _ => return Ok(()),
        };
        let key = format!("{}.destinations", self.key);
        Err(WorkloadError::DestinationCount {
            key,
            pattern: self.pattern,
            given,
            legal,
        })
    }

    /// Window of source j in ticks.
    fn window_ticks(
        &self,
        j: u64,
        scale: &dyn TimeScale,
    ) -> Result<(Tick, Option<Tick>), WorkloadError> {
        let (start_ns, end_ns, step_ns) = self.window;
        if let Some(given) = end_ns.filter(|&end| end <= start_ns) {
            return Err(WorkloadError::Window {
                key: format!("{}.end_ns", self.key),
                given,
                start_ns,
            });
        }
        let later = |ns: u64, what: &str| {
            let shifted = j
                .checked_mul(step_ns)
                .and_then(|shift| ns.checked_add(shift));
            let ticks = shifted
                .map(|ns| scale.ns_to_ticks(ns))
                .filter(|&ticks| ticks < Tick::MAX);
            ticks.ok_or_else(|| WorkloadError::Time {
                key: format!("{}.{what}", self.key),
                given: shifted.unwrap_or(ns),
            })
        };
        Ok((
            later(start_ns, "start_ns")?,
            end_ns.map(|end| later(end, "end_ns")).transpose()?,
        ))
    }

    /// Where source j, which is `node`, sends to; `None` where that is only itself and it may not.
    /// Only a source that the user set beside a list of destinations is an error then: everywhere
    /// else the rest of the group has its pattern.
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
                None if self.number > 0 => Err(WorkloadError::SelfDestination {
                    key: format!("{}.destinations", self.key),
                    given: node,
                }),
                target => Ok(target),
            },
            Rule::Random if list.is_empty() => {
                Ok((self_traffic || nodes > 1).then_some(Target::Uniform {
                    nodes,
                    except: (!self_traffic).then_some(node),
                }))
            }
            Rule::Random if self_traffic || !list.contains(&node) => {
                Ok(Some(Target::OneOf(list.clone())))
            }
            Rule::Random => {
                let others: Arc<[u32]> = list
                    .iter()
                    .copied()
                    .filter(|&other| other != node)
                    .collect();
                Ok((!others.is_empty()).then_some(Target::OneOf(others)))
            }
        }
    }
}
