//! What statistics must know of a fabric beforehand.

use observe::StatsConfig;
use plan::FabricConfig;
use units::WireId;

/// Statistics of runs of this fabric.
pub fn stats_config(config: &FabricConfig) -> StatsConfig {
    let (graph, run) = (config.network.graph(), &config.run);
    let groups = config.workload.summaries.iter();
    let windows = config.windows.iter().map(|w| (w.start, w.end));
    let links = named_links(config).into_iter();
    StatsConfig {
        nodes: graph.nodes(),
        first_node_port: WireId::at(graph.ports_total()),
        groups: config.workload.groups.clone(),
        replies: groups.map(|group| group.replies.is_some()).collect(),
        warmup: run.warmup,
        duration: run.duration,
        windows: windows.collect(),
        hot_destinations: config.hot_destinations.clone(),
        series_bin: run.series_bin,
        time_base: config.time_base,
        measured_links: links.flat_map(|(_, ports)| ports).collect(),
    }
}

/// A link that results name, with the ports that send.
pub(super) type Link = (String, Vec<WireId>);

/// The links that the results name, with the ports that send.
pub(super) fn named_links(config: &FabricConfig) -> Vec<Link> {
    let graph = config.network.graph();
    let wire = |&(switch, port): &(u32, u8)| WireId::at(graph.port_index(switch, port));
    let links = config.named_links.iter();
    links.map(|(name, ports)| (name.clone(), ports.iter().map(wire).collect())).collect()
}
