//! Routing tables hold the routes of their network, and little else.

use std::sync::Arc;

use crate::common::{Rule, pairs, wide};
use topology::testkit::{random_graph, some_topologies, words};
use topology::{BuildOptions, Endpoint, Network, TopologyConfig, UpChoice, VcStep};

fn options(up_choice: UpChoice) -> BuildOptions {
    BuildOptions { tables: true, vcs: 2, ..wide(up_choice) }
}

/// The egress ports from switch to switch, by the tables alone.
fn walk(network: &Network, source: u32, destination: u32) -> Vec<(u32, u8, u8)> {
    let tables = network.tables().unwrap();
    let (mut switch, mut in_port) = network.graph().node_port(source);
    let mut hops = Vec::new();
    loop {
        let candidates = tables.candidates(switch, in_port, destination);
        assert_eq!(candidates.count_ones(), 1, "s{switch}.{in_port} to n{destination}");
        let out_port = candidates.trailing_zeros() as u8;
        hops.push((switch, in_port, out_port));
        assert!(hops.len() <= network.graph().ports_total(), "{hops:?}");
        match network.graph().peer(switch, out_port) {
            Endpoint::Port { switch: next, port } => (switch, in_port) = (next, port),
            end => {
                assert_eq!(end, Endpoint::Node(destination));
                return hops;
            }
        }
    }
}

fn assert_tables_are_the_routes(network: &Network) {
    let own = (0..network.nodes() as u32).map(|node| (node, node));
    let own = own.filter(|_| network.options().self_traffic);
    for (s, d) in pairs(network.nodes()).chain(own) {
        let path = network.path(s, d).unwrap();
        let hops: Vec<_> = path.hops.iter().map(|h| (h.switch, h.in_port, h.out_port)).collect();
        assert_eq!(walk(network, s, d), hops, "{path}");
    }
}

// "Filled from the topology's own rule it holds exactly the source routes": every pair, every kind.
#[test]
fn tables_lead_where_routes_do() {
    for config in &some_topologies() {
        for up_choice in [UpChoice::Destination, UpChoice::Source] {
            for self_traffic in [false, true] {
                let mut options = options(up_choice);
                options.self_traffic = self_traffic;
                assert_tables_are_the_routes(&Network::build(config, &options).unwrap());
            }
        }
    }
}

// Edge lists: up*/down* depends on the ingress port, since a packet that came down may not go up.
#[test]
fn tables_of_random_graphs_lead_where_routes_do() {
    for seed in 0..200 {
        let switches = 1 + (seed % 17) as u32;
        let Ok(graph) = random_graph(&mut words(seed), switches, 12, 6) else {
            continue;
        };
        let network = Network::up_down(graph, &options(UpChoice::Destination)).unwrap();
        assert_tables_are_the_routes(&network);
    }
}

// One row a switch in a BMIN by destination; in hardware every port has its own copy.
#[test]
fn a_switch_holds_one_row_where_the_ingress_port_does_not_matter() {
    let config = TopologyConfig::Bmin { nodes: 256 };
    let network = Network::build(&config, &options(UpChoice::Destination)).unwrap();
    let tables = network.tables().unwrap();
    assert_eq!(tables.entries_held(), 256 * 256);
    // 256 switches of 8 ports, less the up ports of the last stage.
    assert_eq!(tables.entries(), (256 * 8 - 64 * 4) * 256);
    assert_eq!(network.analysis().table_entries, Some(tables.entries()));
}

// "network.turnpool is then not needed and not checked": 15 switches of 8 ports are 45 bits.
#[test]
fn tables_need_no_turn_pool() {
    let config = TopologyConfig::Mesh { width: 8, height: 8, nodes_per_switch: 4 };
    let mut options = BuildOptions::default();
    assert!(Network::build(&config, &options).is_err());
    options.tables = true;
    assert!(Network::build(&config, &options).unwrap().tables().is_some());
}

// A rule keeps to what it announces: routes that merge, its virtual channels, the wiring.
#[test]
fn rules_that_break_their_word_are_refused() {
    let plain = || Rule::new(|_, destination| destination as u8);
    let step = |vc| Box::new(move |_, _, _| VcStep::Set(units::VcId(vc)));
    let with_vcs = |named| Rule { vcs: 2, step: step(named), ..plain() };
    let build = |rule| {
        let config = TopologyConfig::SingleSwitch { ports: 3 };
        let mut parts = config.parts(UpChoice::Destination).unwrap();
        parts.routes = Arc::new(rule);
        Network::from_parts(parts, &BuildOptions { vcs: 3, ..BuildOptions::default() })
    };
    assert_eq!(build(with_vcs(1)).unwrap().vcs_used(), 2);
    for (rule, expected) in [
        (
            Rule { merges: false, ..plain() },
            "routes of single-switch that come in by one port part by their sources; they are \
             checked as one tree: see Routes::merges",
        ),
        (
            with_vcs(2),
            "the routing rule names virtual channel 2 from port 0 to port 0 of s0; it says that \
             it uses 2",
        ),
        (
            Rule { peer: |_, _, node| Endpoint::Node(node.min(1).into()), ..plain() },
            "the routing rule reckons that port 2 of s0 leads to Node(1); the graph has Node(2)",
        ),
    ] {
        assert_eq!(build(rule).unwrap_err().to_string(), expected);
    }
}
