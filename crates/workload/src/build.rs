//! From a configuration to generators.

use std::sync::Arc;

use units::TimeBase;

use crate::config::{GroupConfig, WorkloadConfig};
use crate::error::WorkloadError;
use crate::generator::Generator;
use crate::group::{Common, Group};
use crate::moving;
use crate::placement::{check_nodes, place};
use crate::replay::{Messages, Trace};
use crate::replies::{GroupSummary, replies};

/// Name of the group of all nodes that are in no other; its number is 0.
pub const RANDOM_GROUP: &str = "random";

/// Names of other columns of a series.
const NOT_GROUPS: [&str; 4] = ["delivered", "offered", "victims", "victims_offered"];

/// Who sends what to whom, when.
#[derive(Clone, Debug)]
pub struct Workload {
    /// (source node, its messages in one group, or to one of its moving hot spots), ordered by
    /// node, then group, then destinations as they become hot.
    pub generators: Vec<(u32, Generator)>,
    /// Names of the groups; a message's `group` is the index: `random`, [`WorkloadConfig::hot`],
    /// the others, [`WorkloadConfig::moving`].
    pub groups: Vec<String>,
    /// What was made of each group, as in `groups`.
    pub summaries: Vec<GroupSummary>,
    /// Messages that are given, beside the others.
    pub trace: Option<Trace>,
}

/// Name of the group of the messages of a trace.
pub const TRACE_GROUP: &str = "trace";

impl Workload {
    /// Adds a trace: a group of its own, [`TRACE_GROUP`], the last one, at each of `nodes` nodes;
    /// `has_after`: some of its messages wait for others.
    ///
    /// # Errors
    /// [`WorkloadError`]: there is no place for it.
    pub fn add_trace(
        &mut self,
        nodes: u32,
        has_after: bool,
        open: Arc<dyn Fn() -> Messages + Send + Sync>,
    ) -> Result<(), WorkloadError> {
        let Ok(group) = u8::try_from(self.groups.len()) else {
            return Err(WorkloadError::group_count("workload.trace", self.groups.len()));
        };
        if self.groups.iter().any(|name| name == TRACE_GROUP) {
            return Err(WorkloadError::group_name("workload.group".to_owned(), TRACE_GROUP));
        }
        self.groups.push(TRACE_GROUP.to_owned());
        self.summaries
            .push(GroupSummary { sources: (0..nodes).collect(), ..GroupSummary::default() });
        let of_trace = (0..nodes).map(|node| (node, Generator::of_trace(group)));
        self.generators.extend(of_trace);
        self.generators.sort_by_key(|&(node, _)| node);
        self.trace = Some(Trace { group, has_after, open });
        Ok(())
    }
}

impl WorkloadConfig {
    /// The workload of a network of `nodes` end nodes. Hot destinations of any group are no
    /// sources, unless a list names them; lists come first, then placed groups, each on nodes still
    /// free.
    ///
    /// # Errors
    /// [`WorkloadError`], with the key, what was given and what is legal.
    pub fn build(
        &self,
        nodes: u32,
        scale: &TimeBase,
        seed: u64,
    ) -> Result<Workload, WorkloadError> {
        if nodes == 0 {
            return Err(WorkloadError::new("network.nodes", "0 given", "1 or more"));
        }
        let mut set: Vec<(String, &GroupConfig)> = self.keyed_groups();
        let moving = self.moving.as_ref().map(|moving| (moving, moving.group()));
        if let Some((moving, group)) = &moving {
            moving.check_names(&set)?;
            set.push((moving::KEY.to_owned(), group));
        }
        let mut groups = vec![RANDOM_GROUP.to_owned()];
        let mut summaries = vec![GroupSummary::default()];
        if set.len() > usize::from(u8::MAX) {
            return Err(WorkloadError::group_count("workload.group", set.len()));
        }
        for (key, config) in &set {
            let is_taken = groups.contains(&config.name) || NOT_GROUPS.contains(&&*config.name);
            if config.name.is_empty() || is_taken {
                return Err(WorkloadError::group_name(format!("{key}.name"), &config.name));
            }
            groups.push(config.name.clone());
            check_nodes(&format!("{key}.destinations"), &config.destinations, nodes)?;
        }
        check_nodes("workload.destinations", &self.destinations, nodes)?;
        summaries.extend(place(&set, nodes, seed)?);
        for ((key, config), summary) in set.iter().zip(&mut summaries[1..]) {
            summary.replies = replies(key, config, scale)?;
        }
        let others = summaries.iter().flat_map(|s| &s.sources);
        let mut random = vec![true; nodes as usize];
        others.for_each(|&node| random[node as usize] = false);
        summaries[0].sources = (0..nodes).filter(|&node| random[node as usize]).collect();

        let block_nodes =
            self.block_nodes.filter(|&block| block > 0 && nodes.is_multiple_of(block));
        let common = Common { self_traffic: self.self_traffic, nodes, block_nodes, scale, seed };
        let mut generators = Vec::new();
        for (group, summary) in self.resolve(&set).iter().zip(&mut summaries) {
            match &moving {
                Some((moving, _)) if group.key == moving::KEY => {
                    moving.generate(group, &common, summary, &mut generators)?;
                }
                _ => group.generate(&common, summary, &mut generators)?,
            }
        }
        // Stable: a node's groups stay in order.
        generators.sort_by_key(|&(node, _)| node);
        Ok(Workload { generators, groups, summaries, trace: None })
    }

    /// The groups beside `random` and the hot spots that move, with their keys.
    fn keyed_groups(&self) -> Vec<(String, &GroupConfig)> {
        let hot = self.hot.iter().map(|group| ("workload.hot".to_owned(), group));
        let further = self.groups.iter().zip(0..);
        hot.chain(further.map(|(group, i)| (format!("workload.group[{i}]"), group))).collect()
    }

    /// All groups, that of the random sources first, with their defaults filled in.
    fn resolve(&self, set: &[(String, &GroupConfig)]) -> Vec<Group> {
        let random = GroupConfig {
            name: RANDOM_GROUP.to_owned(),
            load: self.load,
            pattern: self.pattern,
            destinations: self.destinations.clone(),
            ..GroupConfig::default()
        };
        let others = set.iter().map(|(key, config)| (&**key, (*config).clone()));
        let all = std::iter::once(("workload", random)).chain(others);
        let resolved = all.zip(0..).map(|((key, config), number)| Group {
            key: key.to_owned(),
            number,
            arrivals: config.arrivals.unwrap_or(self.arrivals),
            message_bytes_key: match config.message_bytes {
                Some(_) => format!("{key}.message_bytes"),
                None => "workload.message_bytes".to_owned(),
            },
            message_bytes: config.message_bytes.as_ref().unwrap_or(&self.message_bytes).clone(),
            refuses_itself: number > 0,
            config,
        });
        resolved.collect()
    }
}
