//! Hierarchical networks against rsi.md: local graphs, wiring, tables, counts, bounds.

use crate::common::pairs;
use hierarchy::{LocalRoutes, PortKind, Region};
use topology::{
    BuildOptions, Endpoint, GlobalWiring, Hierarchy, HierarchyAnalysis, HierarchyOptions, Network,
    TopologyConfig, TopologyError,
};
use units::{PortId, Ratio};

pub(crate) const NAMES: [&str; 4] = ["dragonfly", "rsi-hypercube", "rsi-slimfly", "rsi-butterfly"];

pub(crate) fn config(name: &str, super_nodes: u32, wiring: GlobalWiring) -> TopologyConfig {
    let config =
        TopologyConfig::of_super_nodes(name, super_nodes, wiring).expect("a name of these");
    assert_eq!(config.name(), name);
    config
}

pub(crate) fn spread(links_per_pair: u32) -> GlobalWiring {
    GlobalWiring::PalmTreeSpread(links_per_pair)
}

pub(crate) fn packed(links_per_pair: u32) -> GlobalWiring {
    GlobalWiring::PalmTreePacked(links_per_pair)
}

fn options(local_routes: LocalRoutes) -> BuildOptions {
    BuildOptions {
        vcs: 16,
        hierarchy: HierarchyOptions { local_routes, ..HierarchyOptions::default() },
        ..BuildOptions::default()
    }
}

pub(crate) fn build(name: &str, super_nodes: u32, wiring: GlobalWiring) -> Network {
    let options = options(LocalRoutes::AllMinimal);
    Network::build(&config(name, super_nodes, wiring), &options).unwrap()
}

fn hierarchy(network: &Network) -> &Hierarchy {
    network.hierarchy().unwrap()
}

fn numbers(network: &Network) -> HierarchyAnalysis {
    network.analysis().hierarchy.unwrap()
}

fn ratio(num: u64, den: u64) -> Option<Ratio> {
    Ratio::new(num, den).ok()
}

/// Neighbours of node 0 to the last in a super node, by local port.
fn neighbours(name: &str) -> Vec<Vec<u32>> {
    let network = build(name, 1, spread(1));
    let local = &hierarchy(&network).plan().local;
    (0..local.nodes).map(|node| local.neighbours(node).to_vec()).collect()
}

// "Topologies": n, l + g, virtual radix, local diameter; 40, 128, 144, 128 nodes with G = 8. "105 /
// 1040 / 990 / 528": the largest networks, whose global ports are all in use. "RSI average hops,
// hierarchical l-g-l, self included: 2.375 / 4.625 / 3.896 / 3.6875"; the same from the routes.
#[test]
fn networks_are_those_of_the_table() {
    let rows = [
        ((5, (4, 4), 20, 1, 40), 105, ratio(19, 8)),
        ((16, (4, 4), 64, 4, 128), 1040, ratio(37, 8)),
        ((18, (5, 3), 54, 2, 144), 990, ratio(187, 48)),
        ((16, (6, 2), 32, 2, 128), 528, ratio(59, 16)),
    ];
    for (name, (row, largest, mean)) in NAMES.into_iter().zip(rows) {
        for wiring in [spread(1), packed(1)] {
            let network = build(name, 8, wiring.clone());
            let n = numbers(&network);
            let found = (n.nodes, n.ports, n.virtual_radix, n.local_diameter, network.nodes());
            assert_eq!((found, n.nodes_max, n.hops_mean), (row, largest, mean), "{name}");
            let links = |(a, b)| network.path(a, b).unwrap().hops.len() as u64 - 1;
            let links: u64 = pairs(network.nodes()).map(links).sum();
            assert_eq!(mean, ratio(links, (network.nodes() as u64).pow(2)), "{name}");
            let network = build(name, n.virtual_radix + 1, wiring);
            assert_eq!(network.nodes(), largest as usize, "{name}");
            let unconnected = hierarchy(&network).shapes().iter().any(|shape| {
                (0..shape.ports()).any(|port| shape.kind(PortId::at(port)) == PortKind::Unconnected)
            });
            assert!(!unconnected, "{name}");
        }
    }
}

#[test]
fn more_super_nodes_or_links_than_there_are_ports_for_are_refused() {
    let refused = |config: TopologyConfig, key: &str, most: u32| {
        let error = Network::build(&config, &options(LocalRoutes::AllMinimal)).unwrap_err();
        let TopologyError::Config(error) = error else { panic!("{error}") };
        assert_eq!(error.key, key, "{}", config.name());
        assert!(error.legal.starts_with(&format!("1 to {most}")), "{}: {error}", config.name());
    };
    for ((name, most), most_links) in NAMES.into_iter().zip([21, 65, 55, 33]).zip([10, 32, 27, 16])
    {
        assert_eq!(numbers(&build(name, 3, spread(most_links))).links.1, 3 * most_links as usize);
        for given in [0, most + 1] {
            refused(config(name, given, packed(1)), "network.super_nodes", most);
        }
        for given in [0, most_links + 1] {
            refused(config(name, 3, spread(given)), "network.links_per_pair", most_links);
        }
    }
}

// "offset o = (d - s - 1) mod G, global link i = o L + j": at both ends, and at nothing else.
#[test]
fn global_links_follow_the_formula_at_both_ends() {
    for (name, g) in NAMES.into_iter().zip([4, 4, 3, 2]) {
        for (super_nodes, links) in [(2, 1), (8, 1), (3, 5), (5, 4), (4, 2)] {
            for wiring in [spread(links), packed(links)] {
                let is_spread = wiring == spread(links);
                let network = build(name, super_nodes, wiring);
                let plan = hierarchy(&network).plan();
                let n = plan.local.nodes;
                // Super node at the other end and j, of (super node, node, global port).
                let by_formula = |s: u32, node: u32, port: u32| {
                    let i = if is_spread { port * n + node } else { node * g + port };
                    let (o, j) = (i / links, i % links);
                    (o < super_nodes - 1).then(|| ((s + 1 + o) % super_nodes, j))
                };
                for switch in 0..plan.switches() {
                    let (s, node) = plan.place(switch);
                    for port in 0..g {
                        let far = plan.far_end(switch, port as u8);
                        let there = by_formula(s, node, port);
                        assert_eq!(far.map(|(far, _)| plan.place(far).0), there.map(|(d, _)| d));
                        if let Some((far, far_port)) = far {
                            let (d, far_node) = plan.place(far);
                            let back = by_formula(d, far_node, far_port.into());
                            assert_eq!(back, there.map(|(_, j)| (s, j)), "{name}");
                            assert_eq!(plan.far_end(far, far_port), Some((switch, port as u8)));
                        }
                    }
                }
            }
        }
    }
}

// "ports 0..l local, l..l+g global, the last port its one end node".
#[test]
fn ports_are_local_then_global_then_that_of_the_node() {
    for name in NAMES {
        let network = build(name, 3, spread(2));
        for (switch, shape) in (0..).zip(hierarchy(&network).shapes()) {
            let plan = hierarchy(&network).plan();
            let (s, node) = plan.place(switch);
            assert_eq!((shape.address.super_node, shape.address.node), (s as u16, node as u16));
            let (l, g) = (plan.local.local_ports, plan.local.global_ports);
            for port in 0..=l + g {
                let kind = shape.kind(PortId(port));
                match network.graph().peer(switch, port) {
                    Endpoint::Node(end) => {
                        assert_eq!((kind, port, end), (PortKind::Node, l + g, switch));
                    }
                    Endpoint::Port { switch: far, .. } if port < l => {
                        assert_eq!((kind, plan.place(far).0), (PortKind::Local, s));
                    }
                    Endpoint::Port { switch: far, .. } => {
                        assert_eq!(kind, PortKind::Global(plan.place(far).0 as u16));
                    }
                    Endpoint::None => assert_eq!(kind, PortKind::Unconnected),
                }
            }
        }
    }
}

// "MMS q = 3: vertices (s, x, y)", written down edge by edge.
#[test]
fn the_slim_fly_is_the_graph_of_its_definition() {
    let mut expected = vec![std::collections::BTreeSet::new(); 18];
    let node = |s: u32, x: u32, y: u32| 9 * s + 3 * x + y;
    let mut join = |a: u32, b: u32| {
        expected[a as usize].insert(b);
        expected[b as usize].insert(a);
    };
    for x in 0..3 {
        for (y, difference) in (0..3).flat_map(|y| [(y, 1), (y, 2)]) {
            join(node(0, x, y), node(0, x, (y + difference) % 3));
            join(node(1, x, y), node(1, x, (y + difference) % 3));
        }
        for (m, c) in (0..3).flat_map(|m| (0..3).map(move |c| (m, c))) {
            join(node(0, x, (m * x + c) % 3), node(1, m, c));
        }
    }
    let expected: Vec<Vec<u32>> =
        expected.into_iter().map(|others| others.into_iter().collect()).collect();
    assert_eq!(neighbours("rsi-slimfly"), expected);
}

// Dimension order by coordinates: hypercube by bit, ascending; butterfly x, then y.
#[test]
fn dimension_order_follows_the_coordinates() {
    let hypercube = |from: u32, to: u32| from ^ (from ^ to) & (from ^ to).wrapping_neg();
    let butterfly = |from: u32, to: u32| {
        if from % 4 == to % 4 { to } else { from / 4 * 4 + to % 4 }
    };
    let direct = |_: u32, to: u32| to;
    type Next<'a> = &'a dyn Fn(u32, u32) -> u32;
    let rules: [(&str, Next<'_>); 3] =
        [("dragonfly", &direct), ("rsi-hypercube", &hypercube), ("rsi-butterfly", &butterfly)];
    for (name, next) in rules {
        let options = options(LocalRoutes::DimensionOrder);
        let network = Network::build(&config(name, 2, spread(1)), &options).unwrap();
        let local = &hierarchy(&network).plan().local;
        for (from, to) in (0..local.nodes).flat_map(|a| (0..local.nodes).map(move |b| (a, b))) {
            let ports = hierarchy(&network).tables()[from as usize].entry(Region::Node(to as u16));
            if from == to {
                assert_eq!(ports, 0);
            } else {
                assert_eq!(ports.count_ones(), 1, "{name} {from} {to}");
                let port = ports.trailing_zeros() as usize;
                assert_eq!(local.neighbours(from)[port], next(from, to), "{name} {from} {to}");
            }
        }
    }
}

#[test]
fn dimension_order_without_dimensions_is_refused() {
    let options = options(LocalRoutes::DimensionOrder);
    let error = Network::build(&config("rsi-slimfly", 8, spread(1)), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "routing.local_routes = dimension-order is not legal; legal: all-minimal: these super \
         nodes have no dimensions"
    );
}

// "set of local egress ports, all minimal ones"; "own global ports to it if any, else ...".
#[test]
fn all_minimal_tables_hold_every_port_of_a_shortest_way() {
    for name in NAMES {
        for wiring in [spread(1), packed(1), spread(3), packed(3)] {
            let network = build(name, 4, wiring);
            let hierarchy = hierarchy(&network);
            let (plan, local) = (hierarchy.plan(), &hierarchy.plan().local);
            // Local links from a switch to a node, and to the nearest gateway.
            let to_gateway = |switch: u32, d: u32| {
                let (s, node) = plan.place(switch);
                let all = plan.gateways(s, d).map(|at| local.distance(node, plan.place(at).1));
                all.min().unwrap()
            };
            for (switch, table) in (0..plan.switches()).zip(hierarchy.tables()) {
                let (s, node) = plan.place(switch);
                let next = |port| switch - node + local.neighbours(node)[port];
                for (region, ports) in table.iter() {
                    let shortens = |port: usize| match region {
                        Region::Node(to) => {
                            let distance = |at: u32| local.distance(plan.place(at).1, to.into());
                            distance(next(port)) < distance(switch)
                        }
                        Region::SuperNode(d) if u32::from(d) == s => false,
                        Region::SuperNode(d) => {
                            to_gateway(next(port), d.into()) < to_gateway(switch, d.into())
                        }
                    };
                    let local_ports = 0..usize::from(local.local_ports);
                    let mut expected =
                        local_ports.filter(|&port| shortens(port)).fold(0, |set, p| set | 1 << p);
                    if let Region::SuperNode(d) = region {
                        let own = hierarchy.shapes()[switch as usize].global_to(d);
                        expected = if own == 0 { expected } else { own };
                    }
                    assert_eq!(ports, expected, "{name} {switch} {region:?}");
                }
            }
        }
    }
}

// "Routes gives the lowest minimal port", with either kind of tables.
#[test]
fn routes_take_the_lowest_port_of_the_tables() {
    for name in ["dragonfly", "rsi-hypercube", "rsi-butterfly"] {
        for (local_routes, links) in
            LocalRoutes::ALL.iter().flat_map(|&routes| [(routes, 1), (routes, 3)])
        {
            let options = options(local_routes);
            let network = Network::build(&config(name, 4, spread(links)), &options).unwrap();
            let plan = hierarchy(&network).plan();
            for (switch, to) in
                (0..plan.switches()).flat_map(|a| (0..plan.switches()).map(move |b| (a, b)))
            {
                let ((s, _), (d, node)) = (plan.place(switch), plan.place(to));
                let region =
                    if s == d { Region::Node(node as u16) } else { Region::SuperNode(d as u16) };
                let ports = hierarchy(&network).tables()[switch as usize].entry(region);
                if switch != to {
                    let port = network.next_port(switch, 0, to, 0);
                    assert_eq!(u32::from(port), ports.trailing_zeros(), "{name} {switch} {to}");
                }
            }
        }
    }
}

// "BR 0.5, SR 0.444 of link rate a node"; "BR, super node to super node, minimal: 1/16".
#[test]
fn bounds_are_those_of_the_targets() {
    for (name, uniform, pair) in
        [("rsi-butterfly", ratio(1, 2), ratio(1, 16)), ("rsi-slimfly", ratio(4, 9), ratio(1, 18))]
    {
        let spread = numbers(&build(name, 8, spread(1)));
        assert_eq!((spread.uniform_bound, spread.pair_bound), (uniform, pair));
        assert_eq!(numbers(&build(name, 8, packed(1))).pair_bound, pair);
    }
}

// "15 + 2 for BR with G = 3 instead of 47".
#[test]
fn table_entries_are_one_a_node_and_one_a_super_node() {
    let network = build("rsi-butterfly", 3, spread(1));
    assert_eq!(numbers(&network).table_entries, (15, 2));
    assert_eq!(network.nodes() - 1, 47);
    // 48 nodes of 6 local ports and one to the end node, and 3 global links.
    assert_eq!(network.analysis().table_entries, Some(17 * (48 * 7 + 2 * 3)));
}

// Paths of minimal routes show the virtual channels of the scheme.
#[test]
fn paths_show_the_virtual_channels_of_hops() {
    let network = build("rsi-hypercube", 8, packed(1));
    let path = network.analysis().longest_route.unwrap();
    let vcs: Vec<u8> = path.hops.iter().map(|hop| hop.vc).collect();
    assert_eq!(vcs, [0, 1, 2, 3, 0, 4, 5, 6, 7, 0], "{path}");
}
