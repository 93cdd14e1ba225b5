//! What takes time: routes and generators.

use crate::error::{Errors, ScenarioError};
use crate::keys::{TOPOLOGY, VCS};
use crate::resolve::Resolved;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::{hierarchical, traced, traffic};
use plan::FabricConfig;
use std::sync::Arc;
use topology::{ConfigError, Network, TopologyConfig, TopologyError, VCS_MAX};
use turnpool::PoolKind;
use workload::{Pattern, Workload};

impl Scenario {
    /// Builds the network alone, for its counts and routes.
    pub fn build_network(&self) -> Result<Network, Errors> {
        Ok(self.network()?)
    }

    fn network(&self) -> Result<Network, ScenarioError> {
        const TURNPOOL: &str = "network.turnpool";
        let Scenario { settings, resolved, .. } = self;
        Network::build(&resolved.topology, &resolved.options).map_err(|error| {
            let refuse = |key: &str, help: &str| settings.error(&[key], error.to_string(), help);
            match &error {
                TopologyError::PoolOverflow { bits, pool, longest } => {
                    let help = if *bits <= PoolKind::Extended.bits() {
                        format!("{TURNPOOL} = \"extended\" (128 bits) holds it; CAM lines grow with it")
                    } else {
                        "legal: a network with shorter routes".to_owned()
                    };
                    let limit = pool.bits();
                    let what = format!("the longest route needs {bits} bits of turns, \"{pool}\" has {limit}; the route: {longest}");
                    // Where the pool is not given, the size of the network is at fault.
                    let size = ["nodes", "width", "dimensions", "k", "file", "edges"];
                    let size = size.map(|name| format!("network.{name}"));
                    let blamed = std::iter::once(TURNPOOL).chain(size.iter().map(String::as_str));
                    settings.error_of(TURNPOOL, &blamed.collect::<Vec<_>>(), what, help)
                }
                TopologyError::Config(config) => refuse_config(settings, config),
                TopologyError::Graph(_) => {
                    refuse("network.edges", "mend the edge list")
                }
                TopologyError::Deadlock { cycle, vcs, needed: Some(needed) } => settings.error_of(
                    VCS,
                    &[VCS, "network.dimensions"],
                    format!("with {vcs} a link the routes can deadlock: {cycle}"),
                    format!("legal for this network: {VCS} from {needed} to {VCS_MAX}"),
                ),
                TopologyError::Deadlock { cycle, .. } if resolved.switch.adaptive.is_some() => {
                    hierarchical::refuse_cycle(settings, cycle)
                }
                TopologyError::Deadlock { needed: None, .. } => {
                    refuse(TOPOLOGY, "legal: a topology whose routes cannot deadlock")
                }
                TopologyError::Route(_) => refuse(TOPOLOGY, "legal: a connected network"),
                TopologyError::GlobalLinks(_) | TopologyError::Rule(_) => {
                    refuse(TOPOLOGY, "legal: a topology whose rule knows its wiring")
                }
            }
        })
    }

    pub(crate) fn workload(&self) -> Result<Workload, ScenarioError> {
        let Scenario { settings, resolved, .. } = self;
        let mut workload = resolved
            .workload
            .build(resolved.nodes, &resolved.time_base, resolved.run.seed)
            .map_err(|error| traffic::located(settings, &error))?;
        if let Some(trace) = &resolved.trace {
            traced::add(settings, trace, &mut workload)?;
        }
        Ok(workload)
    }

    /// Builds network and generators, or refuses routes that do not fit the turn pool or can
    /// deadlock, and sources or destinations that cannot be.
    pub fn build(&self) -> Result<FabricConfig, Errors> {
        // Both are tried, so that both are reported.
        let (network, workload) = match (self.network(), self.workload()) {
            (Ok(network), Ok(workload)) => (network, workload),
            (network, workload) => {
                let errors = network.err().into_iter().chain(workload.err());
                return Err(Errors::of(errors.collect()).sorted());
            }
        };
        hierarchical::order(self, network.ways())?;
        let resolved = self.resolved.clone();
        Ok(FabricConfig {
            time_base: resolved.time_base,
            maximum_bytes_per_ns: network.maximum_bytes_per_ns(resolved.rate),
            named_links: named_links(&resolved, &network),
            hot_destinations: resolved.hot_destinations(),
            switch: resolved.switch,
            link: resolved.link,
            endnode: resolved.endnode,
            routing: resolved.routing,
            packet_bytes: resolved.packet_bytes,
            workload,
            faults: resolved.faults,
            network: Arc::new(network),
            run: resolved.run,
            windows: resolved.windows,
        })
    }
}

pub(crate) fn refuse_config(settings: &Settings, config: &ConfigError) -> ScenarioError {
    let what = format!("{} is not legal", config.given);
    settings.error(&[config.key], what, format!("legal: {}", config.legal))
}

impl Resolved {
    /// Destinations of the groups whose pattern is `hot`, sorted.
    pub(crate) fn hot_destinations(&self) -> Vec<u32> {
        let groups = self.workload.all_groups();
        let mut hot: Vec<u32> = groups
            .filter(|group| group.pattern == Pattern::Hot)
            .flat_map(|group| group.into_owned().destinations)
            .collect();
        hot.sort_unstable();
        hot.dedup();
        hot
    }
}

/// The link from the last switch to each hot destination: `root`, or `root-NODE` where there are
/// several; of a dumbbell also the link from A to B, `inter-switch`.
fn named_links(resolved: &Resolved, network: &Network) -> Vec<(String, Vec<(u32, u8)>)> {
    let roots = resolved.hot_destinations();
    let one = roots.len() == 1;
    let across = match resolved.topology {
        TopologyConfig::Dumbbell { inputs } => Some((0, inputs as u8 + 1)),
        _ => None,
    };
    let across = across.map(|port| ("inter-switch".to_owned(), vec![port]));
    roots
        .into_iter()
        .map(|node| {
            let name = if one { "root".to_owned() } else { format!("root-{node}") };
            (name, vec![network.graph().node_port(node)])
        })
        .chain(across)
        .collect()
}
