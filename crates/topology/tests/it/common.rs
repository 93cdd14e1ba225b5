//! Helpers of the integration tests.

use std::collections::BTreeSet;
use std::fmt;

use topology::{
    BuildOptions, Deadlock, Endpoint, Graph, Hop, Network, Routes, TopologyConfig, UpChoice,
    VCS_MAX, VcStep,
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

/// The number of a channel: a virtual channel of a directed link.
pub(crate) fn channel(graph: &Graph, switch: u32, port: u8, vc: u8) -> u32 {
    graph.port_index(switch, port) as u32 * u32::from(VCS_MAX) + u32::from(vc)
}

/// The channel dependency graph, from the paths.
pub(crate) fn dependencies(network: &Network) -> BTreeSet<(u32, u32)> {
    let out = |hop: &Hop| channel(network.graph(), hop.switch, hop.out_port, hop.vc);
    let paths = pairs(network.nodes()).map(|(s, d)| network.path(s, d).unwrap());
    let edges = paths.flat_map(|path| {
        let edges = path.hops.windows(2).map(|two| (out(&two[0]), out(&two[1])));
        edges.collect::<Vec<_>>()
    });
    edges.collect()
}

/// Whether a graph has a cycle, by petgraph.
pub(crate) fn is_cyclic(edges: &BTreeSet<(u32, u32)>) -> bool {
    petgraph::algo::is_cyclic_directed(&petgraph::graph::DiGraph::<(), ()>::from_edges(edges))
}

pub(crate) fn cyclic(network: &Network) -> bool {
    is_cyclic(&dependencies(network))
}

/// A routing rule of a test: the port by (switch, destination), and what it announces.
pub(crate) struct Rule {
    pub(crate) next: Box<dyn Fn(u32, u32) -> u8 + Send + Sync>,
    pub(crate) merges: bool,
    pub(crate) peer: fn(&Graph, u32, u8) -> Endpoint,
    pub(crate) longest: Option<(u32, u32)>,
    pub(crate) vcs: u8,
    /// By (switch, port in, port out).
    pub(crate) step: Box<dyn Fn(u32, u8, u8) -> VcStep + Send + Sync>,
}

impl Rule {
    pub(crate) fn new(next: impl Fn(u32, u32) -> u8 + Send + Sync + 'static) -> Self {
        Self {
            next: Box::new(next),
            merges: true,
            peer: Graph::peer,
            longest: None,
            vcs: 1,
            step: Box::new(|_, _, _| VcStep::Keep),
        }
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rule")
    }
}

impl Routes for Rule {
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        (self.next)(switch, destination)
    }

    fn merges(&self) -> bool {
        self.merges
    }

    fn peer(&self, graph: &Graph, switch: u32, port: u8) -> Endpoint {
        (self.peer)(graph, switch, port)
    }

    fn longest(&self, _: &Graph) -> Option<(u32, u32)> {
        self.longest
    }

    fn vcs(&self) -> u8 {
        self.vcs
    }

    fn vc_step(&self, switch: u32, in_port: u8, out_port: u8) -> VcStep {
        (self.step)(switch, in_port, out_port)
    }
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
