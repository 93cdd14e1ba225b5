//! Numbers about a network: counts, route lengths, link loads under uniform traffic.

use units::Ratio;

use crate::deadlock::Deadlock;
use crate::graph::{Endpoint, LinkAttributes};
use crate::hierarchical::HierarchyAnalysis;
use crate::network::Network;
use crate::path::Path;
use crate::survey::Survey;

/// Load of one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLoad {
    /// The end that sends.
    pub from: Endpoint,
    /// The end that receives.
    pub to: Endpoint,
    /// Number of (source, destination) pairs whose route uses it.
    pub pairs: u64,
}

/// What `setaside topo` reports. Uniform traffic: every node sends the same to every other one (and
/// itself, where that is allowed).
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Name of the topology.
    pub name: &'static str,
    /// Number of switches.
    pub switches: usize,
    /// Number of end nodes.
    pub nodes: usize,
    /// Number of full-duplex links, those of the nodes included.
    pub links: usize,
    /// Number of (source, destination) pairs.
    pub pairs: u64,
    /// `hops_histogram[h]`: pairs whose route crosses h switches.
    pub hops_histogram: Vec<u64>,
    /// Mean number of switches on a route.
    pub hops_mean: f64,
    /// Most switches on a route.
    pub hops_max: usize,
    /// Bits of the longest route.
    pub route_bits_max: u32,
    /// The first route with that many bits; `None` without pairs.
    pub longest_route: Option<Path>,
    /// Every directed link: from each node, then from each connected switch port, in order.
    pub link_loads: Vec<LinkLoad>,
    /// The first link with the highest load; `None` without pairs.
    pub link_load_max: Option<LinkLoad>,
    /// The share of link rate that a node may inject under uniform traffic before the most loaded
    /// link is full: destinations of a node over the highest load. `None` without pairs, or where
    /// links have different rates.
    pub uniform_bound: Option<Ratio>,
    /// Virtual channels of a link.
    pub vcs: u8,
    /// Virtual channels that some route is on, counted from 0 to the highest.
    pub vcs_used: u8,
    /// Entries of the routing tables of all connected ports; `None` without tables.
    pub table_entries: Option<u64>,
    /// Outcome of the deadlock check.
    pub deadlock: Deadlock,
    /// Of a hierarchical network, the numbers that others do not have.
    pub hierarchy: Option<HierarchyAnalysis>,
}

impl Analysis {
    pub(crate) fn new(network: &Network, survey: &Survey) -> Self {
        let graph = network.graph();
        let nodes = graph.nodes() as u64;
        let destinations = if survey.self_traffic { nodes } else { nodes - 1 };
        let pairs = nodes * destinations;
        let mut link_loads = Vec::with_capacity(2 * graph.ports_total());
        for node in 0..graph.nodes() as u32 {
            let (switch, port) = graph.node_port(node);
            let to = Endpoint::Port { switch, port };
            link_loads.push(LinkLoad { from: Endpoint::Node(node), to, pairs: destinations });
        }
        for (switch, port) in graph.all_ports() {
            let to = graph.peer(switch, port);
            if to != Endpoint::None {
                let pairs = survey.loads[graph.port_index(switch, port)];
                link_loads.push(LinkLoad { from: Endpoint::Port { switch, port }, to, pairs });
            }
        }
        let link_load_max = link_loads
            .iter()
            .copied()
            .filter(|load| load.pairs > 0)
            .reduce(|best, load| if load.pairs > best.pairs { load } else { best });
        let mut rates =
            graph.links().map(|(_, _, LinkAttributes { rate_bytes_per_ns, .. })| rate_bytes_per_ns);
        let first_rate = rates.next();
        let one_rate = rates.all(|rate| Some(rate) == first_rate);
        let steps: u64 = survey.hops.iter().zip(0u64..).map(|(&count, hops)| count * hops).sum();
        Self {
            name: network.name(),
            switches: graph.switches(),
            nodes: graph.nodes(),
            links: graph.links().count(),
            pairs,
            hops_histogram: survey.hops.clone(),
            hops_mean: if pairs == 0 { 0.0 } else { steps as f64 / pairs as f64 },
            hops_max: survey.hops.len().saturating_sub(1),
            route_bits_max: survey.bits_max,
            // The pair was walked when the network was built, so its path exists.
            longest_route: survey
                .longest
                .and_then(|(source, destination)| network.path(source, destination).ok()),
            uniform_bound: link_load_max
                .filter(|_| one_rate)
                .and_then(|load| Ratio::new(destinations, load.pairs).ok()),
            link_loads,
            link_load_max,
            vcs: network.vcs(),
            vcs_used: network.vcs_used(),
            table_entries: table_entries(network),
            deadlock: network.deadlock().clone(),
            hierarchy: network
                .hierarchy()
                .map(|hierarchy| HierarchyAnalysis::new(hierarchy, graph)),
        }
    }
}

/// Entries of the tables of all connected ports: by end node, or of two levels.
fn table_entries(network: &Network) -> Option<u64> {
    if let Some(tables) = network.tables() {
        return Some(tables.entries());
    }
    let hierarchy = network.hierarchy()?;
    let connected = network.graph().links().count() * 2 - network.nodes();
    let entries = hierarchy.tables().first()?.entries();
    Some(connected as u64 * entries as u64)
}
