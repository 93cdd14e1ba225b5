//! Helpers of the integration tests.

use topology::{
    BuildOptions, Deadlock, Endpoint, Graph, Hop, Network, TopologyConfig, UpChoice, VCS_MAX,
};
use turnpool::PoolKind;

/// Extended pool, so that no size is refused.
pub(crate) fn wide(up_choice: UpChoice) -> BuildOptions {
    BuildOptions { pool: PoolKind::Extended, up_choice, ..BuildOptions::default() }
}

pub(crate) fn build(config: TopologyConfig, up_choice: UpChoice) -> Network {
    Network::build(&config, &wide(up_choice)).unwrap()
}

pub(crate) fn pairs(nodes: usize) -> impl Iterator<Item = (u32, u32)> {
    let nodes = nodes as u32;
    (0..nodes).flat_map(move |s| (0..nodes).filter(move |&d| d != s).map(move |d| (s, d)))
}

/// Follows the turns of the header, as switches do, and returns where the packet ends.
pub(crate) fn follow_turns(network: &Network, source: u32, destination: u32) -> Endpoint {
    let mut route = network.route(source, destination).unwrap();
    let (mut switch, mut port) = network.graph().node_port(source);
    loop {
        let width = network.turn_width(switch);
        let out = turnpool::forward(
            port.into(),
            route.next(width).unwrap(),
            network.graph().ports(switch),
        );
        route.consume(width).unwrap();
        match network.graph().peer(switch, out as u8) {
            Endpoint::Port { switch: next, port: next_port } if !route.is_arrived() => {
                (switch, port) = (next, next_port)
            }
            end => {
                return if route.is_arrived() { end } else { Endpoint::None };
            }
        }
    }
}

/// A route walked backwards: its hops in reverse, in and out port of each exchanged.
pub(crate) fn mirrored(hops: &[Hop]) -> Vec<Hop> {
    let hops = hops.iter().rev();
    hops.map(|hop| Hop { in_port: hop.out_port, out_port: hop.in_port, ..*hop }).collect()
}

/// Shortest distances, in switches, between the switches of a graph.
pub(crate) fn distances(graph: &Graph, from: u32) -> Vec<usize> {
    let mut distance = vec![usize::MAX; graph.switches()];
    distance[from as usize] = 0;
    let mut waiting = std::collections::VecDeque::from([from]);
    while let Some(switch) = waiting.pop_front() {
        for port in 0..graph.ports(switch) as u8 {
            if let Endpoint::Port { switch: next, .. } = graph.peer(switch, port)
                && distance[next as usize] == usize::MAX
            {
                distance[next as usize] = distance[switch as usize] + 1;
                waiting.push_back(next);
            }
        }
    }
    distance
}

/// Whether the channel dependency graph has a cycle: built from the paths, checked by petgraph.
pub(crate) fn cyclic(network: &Network) -> bool {
    let graph = network.graph();
    let mut edges = std::collections::BTreeSet::new();
    for (s, d) in pairs(graph.nodes()) {
        for two in network.path(s, d).unwrap().hops.windows(2) {
            let channel = |hop: &Hop| {
                let port = graph.port_index(hop.switch, hop.out_port) as u32;
                port * u32::from(VCS_MAX) + u32::from(hop.vc)
            };
            edges.insert((channel(&two[0]), channel(&two[1])));
        }
    }
    petgraph::algo::is_cyclic_directed(&petgraph::graph::DiGraph::<(), ()>::from_edges(&edges))
}

/// Every route is a shortest one, arrives, and closes no cycle with others.
pub(crate) fn assert_sound(network: &Network) {
    assert_eq!(network.deadlock(), &Deadlock::Free);
    assert!(!cyclic(network));
    let graph = network.graph();
    for (s, d) in pairs(network.nodes()) {
        let path = network.path(s, d).unwrap();
        let [(from, _), (to, _)] = [s, d].map(|node| graph.node_port(node));
        let shortest = distances(graph, from)[to as usize];
        assert_eq!(path.hops.len() - 1, shortest, "{path}");
        assert_eq!(follow_turns(network, s, d), Endpoint::Node(d));
    }
}
