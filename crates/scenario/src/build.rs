//! What takes time: routes and generators.

use crate::error::{Errors, Problem, ScenarioError};
use crate::resolve::Resolved;
use crate::settings::Settings;
use crate::traffic;
use fabric::FabricConfig;
use std::sync::Arc;
use topology::{Network, TopologyError};
use units::Ratio;
use workload::{Pattern, Workload};

/// The network, or why it was refused.
pub(crate) fn network(settings: &Settings, resolved: &Resolved) -> Result<Network, ScenarioError> {
    Network::build(&resolved.topology, &resolved.options).map_err(|error| {
        const TURNPOOL: &str = "network.turnpool";
        match &error {
            TopologyError::PoolOverflow {
                bits,
                limit,
                pool,
                fits_extended,
                longest,
            } => {
                let help = if *fits_extended {
                    format!("{TURNPOOL} = \"extended\" (128 bits) holds it; CAM lines grow with it")
                } else {
                    "legal: a network with shorter routes".to_owned()
                };
                let what = format!("the longest route needs {bits} bits of turns, \"{pool}\" has {limit}; the route: {longest}");
                // Where the pool is not given, the size of the network is what to look at.
                let size = ["network.nodes", "network.width", "network.k", "network.file", "network.edges"];
                let blamed = settings.first_given(&[&[TURNPOOL], &size[..]].concat());
                Problem::new(what)
                    .key(TURNPOOL)
                    .help(help)
                    .at(&settings.origin(blamed))
            }
            TopologyError::Route(topology::RouteError::TooLong(_)) => {
                settings.refuse(TURNPOOL, error.to_string(), "legal: a network with shorter routes")
            }
            TopologyError::Config(config) => settings.refuse(
                config.key,
                format!("{} is not legal", config.given),
                format!("legal: {}", config.legal),
            ),
            TopologyError::EdgeList(_) | TopologyError::Graph(_) => {
                settings.refuse("network.edges", error.to_string(), "mend the edge list")
            }
            TopologyError::Deadlock(_) => settings.refuse(
                "network.topology",
                error.to_string(),
                "legal: a topology whose routes cannot deadlock",
            ),
            TopologyError::Route(_) => settings.refuse(
                "network.topology",
                error.to_string(),
                "legal: a connected network",
            ),
            TopologyError::Wiring { .. } => settings.refuse(
                "network.topology",
                error.to_string(),
                "legal: a topology whose rule knows its wiring",
            ),
        }
    })
}

/// The generators, or why they were refused.
pub(crate) fn workload(
    settings: &Settings,
    resolved: &Resolved,
) -> Result<Workload, ScenarioError> {
    resolved
        .workload
        .build(resolved.nodes, &resolved.time_base, resolved.run.seed)
        .map_err(|error| traffic::located(settings, &error))
}

/// Everything that a fabric is built from.
pub(crate) fn build(settings: &Settings, resolved: &Resolved) -> Result<FabricConfig, Errors> {
    // Both are tried, so that both are reported.
    let (network, workload) = (network(settings, resolved), workload(settings, resolved));
    let (network, workload) = match (network, workload) {
        (Ok(network), Ok(workload)) => (network, workload),
        (network, workload) => {
            return Err(Errors::new(
                network.err().into_iter().chain(workload.err()).collect(),
            ));
        }
    };
    Ok(FabricConfig {
        time_base: resolved.time_base,
        switch: resolved.switch.clone(),
        link: resolved.link.clone(),
        endnode: resolved.endnode,
        packet_bytes: resolved.packet_bytes,
        workload,
        maximum_bytes_per_ns: network.maximum_bytes_per_ns(resolved.rate),
        named_links: named_links(resolved, &network),
        network: Arc::new(network),
        run: resolved.run,
        windows: Vec::new(),
        hot_destinations: Vec::new(),
    })
}

/// The link from the last switch to each hot destination: `root`, or `root-NODE` where there are several.
fn named_links(resolved: &Resolved, network: &Network) -> Vec<(String, Vec<(u32, u8)>)> {
    let groups = resolved
        .workload
        .hot
        .iter()
        .chain(&resolved.workload.groups);
    let mut roots: Vec<u32> = groups
        .filter(|group| group.pattern == Pattern::Hot)
        .flat_map(|group| group.destinations.iter().copied())
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let one = roots.len() == 1;
    roots
        .into_iter()
        .map(|node| {
            let name = if one {
                "root".to_owned()
            } else {
                format!("root-{node}")
            };
            (name, vec![network.graph().node_port(node)])
        })
        .collect()
}

/// See [`crate::Scenario::hot_window_ns`].
pub(crate) fn hot_window_ns(resolved: &Resolved, duration: Ratio) -> Option<(u64, u64)> {
    let run_end = duration.num() / duration.den();
    let groups = resolved
        .workload
        .hot
        .iter()
        .chain(&resolved.workload.groups);
    groups
        .map(|group| {
            let sources = match &group.sources {
                workload::Sources::List(list) => list.len() as u64,
                workload::Sources::Count(count) => u64::from(*count),
                workload::Sources::Share(share) => {
                    let nodes = u128::from(resolved.nodes) * u128::from(share.num());
                    u64::try_from(nodes / u128::from(share.den())).unwrap_or(0)
                }
            };
            let last = sources.saturating_sub(1).saturating_mul(group.step_ns);
            let end = group.end_ns.map_or(run_end, |end| end.saturating_add(last));
            (group.start_ns, end)
        })
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}
