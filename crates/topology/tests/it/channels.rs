//! The deadlock check of hierarchical networks, and the longest routes.

use std::collections::BTreeSet;

use hierarchy::{Algorithm, LocalRoutes, Router, Trip, VcScheme, Via};
use topology::{
    BuildOptions, Deadlock, Endpoint, GlobalWiring, HierarchyOptions, LocalGraph, Network,
    TopologyError, hierarchical,
};
use units::PortId;

use crate::common::{channel, is_cyclic, pairs};
use crate::hierarchical::{NAMES, config, packed, spread};

fn options(routing: (Algorithm, VcScheme, LocalRoutes), vcs: u8) -> BuildOptions {
    let (algorithm, vc_scheme, local_routes) = routing;
    BuildOptions {
        vcs,
        hierarchy: HierarchyOptions { algorithm, vc_scheme, local_routes },
        ..BuildOptions::default()
    }
}

/// Every network of 8 super nodes with a link a pair, and every kind of tables that it has.
fn networks() -> impl Iterator<Item = (&'static str, GlobalWiring, LocalRoutes)> {
    let wired = NAMES.into_iter().flat_map(|name| [spread(1), packed(1)].map(|w| (name, w)));
    wired.flat_map(|(name, wiring)| {
        let routes = LocalRoutes::ALL.iter().copied();
        let routes = routes
            .filter(move |routes| name != "rsi-slimfly" || *routes == LocalRoutes::AllMinimal);
        routes.map(move |routes| (name, wiring.clone(), routes))
    })
}

fn build_8(
    name: &str,
    wiring: GlobalWiring,
    routing: (Algorithm, VcScheme, LocalRoutes),
    vcs: u8,
) -> Result<Network, TopologyError> {
    Network::build(&config(name, 8, wiring), &options(routing, vcs))
}

fn place(name: &str) -> usize {
    NAMES.iter().position(|other| *other == name).unwrap()
}

// "Longest routes: minimal DF 3, HR 9, SR 5, BR 5"; "LAR 5, 12 (11 with dimension-order routes or
// packed wiring), 7, 7".
#[test]
fn longest_routes() {
    for (name, wiring, routes) in networks() {
        let longest = |algorithm| {
            let routing = (algorithm, VcScheme::HopCount, routes);
            let network = build_8(name, wiring.clone(), routing, 16).unwrap();
            network.hierarchy().unwrap().checked.hops_max
        };
        assert_eq!(longest(Algorithm::Minimal), [3, 9, 5, 5][place(name)], "{name}");
        let fewer = routes == LocalRoutes::DimensionOrder || wiring == packed(1);
        let of_lar = [5, if fewer { 11 } else { 12 }, 7, 7][place(name)];
        assert_eq!(longest(Algorithm::Lar), of_lar, "{name}");
    }
}

// "hop-count: any local graph, all minimal routes": no cycle, for every routing. "global-count
// needs dimension order. For BR, HR". The paper's: "Taken literally the channel dependency graph
// has cycles, even for minimal routing".
#[test]
fn virtual_channels_that_cannot_deadlock_and_that_can() {
    let is_cycle = |built| matches!(built, Err(TopologyError::Deadlock { .. }));
    for (name, wiring, routes) in networks() {
        for &algorithm in Algorithm::ALL {
            let build =
                |scheme, vcs| build_8(name, wiring.clone(), (algorithm, scheme, routes), vcs);
            let network = build(VcScheme::HopCount, 16).unwrap();
            let needed = network.hierarchy().unwrap().vcs_needed();
            assert!(network.vcs_used() <= needed, "{name} {algorithm}");
            assert!(is_cycle(build(VcScheme::PaperLiteral, 16)), "{name} {algorithm}");
            if routes == LocalRoutes::DimensionOrder {
                let network = build(VcScheme::GlobalCount, 4).unwrap();
                assert_eq!(network.deadlock(), &Deadlock::Free);
            }
        }
    }
    for name in ["rsi-hypercube", "rsi-slimfly", "rsi-butterfly"] {
        let routing = (Algorithm::Minimal, VcScheme::GlobalCount, LocalRoutes::AllMinimal);
        assert!(is_cycle(build_8(name, spread(1), routing, 4)), "{name}");
    }
}

// "refused with the cycle printed, unless `allow_deadlock`"
#[test]
fn a_cycle_is_kept_where_it_is_allowed() {
    let routing = (Algorithm::Lar, VcScheme::PaperLiteral, LocalRoutes::AllMinimal);
    let refused = build_8("rsi-butterfly", spread(1), routing, 2).unwrap_err().to_string();
    let options = BuildOptions { allow_deadlock: true, ..options(routing, 2) };
    let network = Network::build(&config("rsi-butterfly", 8, spread(1)), &options).unwrap();
    let Deadlock::Cycle(cycle) = network.deadlock() else { panic!("a cycle") };
    assert!(refused.contains(&cycle.to_string()), "{refused}");
    // Each channel leads to the switch that the next one leaves.
    for (at, channel) in cycle.0.iter().enumerate() {
        let next = cycle.0[(at + 1) % cycle.0.len()];
        let end = network.graph().peer(channel.switch, channel.port);
        assert!(matches!(end, Endpoint::Port { switch, .. } if switch == next.switch), "{cycle}");
    }
}

// "2 local VCs minimal, 3 LAR"; "DF 2 minimal / 3 LAR; SR, BR 4 / 6; HR 8 / 12".
#[test]
fn too_few_virtual_channels_are_refused_with_how_many_are_needed() {
    let hop_count = [(2, 3), (8, 12), (4, 6), (4, 6)];
    for (name, (minimal, lar)) in NAMES.into_iter().zip(hop_count) {
        for (algorithm, needed) in [(Algorithm::Minimal, minimal), (Algorithm::Lar, lar)] {
            let routing = (algorithm, VcScheme::HopCount, LocalRoutes::AllMinimal);
            let build = |vcs| build_8(name, spread(1), routing, vcs);
            assert_eq!(build(needed).unwrap().vcs_used(), needed, "{name} {algorithm}");
            let Err(TopologyError::Config(error)) = build(needed - 1) else { panic!("{name}") };
            assert_eq!(error.key, "switch.vcs");
            assert!(error.legal.starts_with(&format!("{needed} to 16")), "{error}");
        }
    }
}

/// Every way of every pair, one by one: the edges of the dependency graph and the most links.
fn one_by_one(network: &Network) -> (BTreeSet<(u32, u32)>, u8) {
    let (graph, hierarchy) = (network.graph(), network.hierarchy().unwrap());
    let (mut edges, mut hops_max) = (BTreeSet::new(), 0);
    for (source, to) in pairs(network.nodes()) {
        let (router, destination) =
            (hierarchy.router(source), hierarchy.shapes()[to as usize].address);
        let mut vias: Vec<Via> = router.vias(destination).collect();
        if vias.is_empty() {
            vias.push(Via::Nowhere);
        }
        for via in vias {
            let trip = Trip { via, ..Trip::default() };
            let mut waiting = vec![(source, router.shape.node_port(), trip, None, 0)];
            let mut seen = BTreeSet::new();
            while let Some(state) = waiting.pop() {
                if !seen.insert(state) {
                    continue;
                }
                let (switch, in_port, trip, from, hops) = state;
                let router: Router<'_> = hierarchy.router(switch);
                router.every_hop(trip, destination, in_port, &mut |hop| {
                    let Endpoint::Port { switch: next, port } = graph.peer(switch, hop.port.0)
                    else {
                        hops_max = hops_max.max(hops);
                        return;
                    };
                    let out = channel(graph, switch, hop.port.0, hop.vc.0);
                    edges.extend(from.map(|from| (from, out)));
                    waiting.push((next, PortId(port), hop.trip, Some(out), hops + 1));
                });
            }
        }
    }
    (edges, hops_max)
}

fn small(neighbours: &[&[u32]], global_ports: u8) -> LocalGraph {
    let neighbours: Vec<Vec<u32>> = neighbours.iter().map(|own| own.to_vec()).collect();
    LocalGraph::new(&neighbours, global_ports, true).unwrap()
}

// The walk in parts finds what all ways one by one do: cycle or none, and the longest way.
#[test]
fn parts_find_what_whole_ways_do() {
    let k2 = small(&[&[1], &[0]], 2);
    let k3 = small(&[&[1, 2], &[0, 2], &[0, 1]], 2);
    let c4 = small(&[&[1, 3], &[0, 2], &[3, 1], &[2, 0]], 1);
    let (mut free, mut cyclic) = (0, 0);
    for (local, super_nodes, wiring) in [
        (&k2, 3, spread(1)),
        (&k2, 3, packed(2)),
        (&k3, 2, spread(1)),
        (&k3, 4, packed(1)),
        (&k3, 3, spread(3)),
        (&c4, 3, packed(1)),
        (&c4, 4, spread(1)),
        (&c4, 3, spread(2)),
    ] {
        for (&algorithm, &scheme) in
            Algorithm::ALL.iter().flat_map(|a| VcScheme::ALL.iter().map(move |s| (a, s)))
        {
            let parts = hierarchical("small", local.clone(), super_nodes, &wiring).unwrap();
            let mut options = options((algorithm, scheme, LocalRoutes::AllMinimal), 16);
            options.allow_deadlock = true;
            let network = Network::from_parts(parts, &options).unwrap();
            let (edges, hops) = one_by_one(&network);
            let is_cyclic = is_cyclic(&edges);
            let found = matches!(network.deadlock(), Deadlock::Cycle(_));
            let what = format!("{} {super_nodes} {wiring:?} {algorithm} {scheme}", local.nodes);
            assert_eq!(found, is_cyclic, "{what}");
            let found = network.hierarchy().unwrap().checked.hops_max;
            // By way of another place, the walk in parts also returns to the source.
            match algorithm {
                Algorithm::Minimal | Algorithm::Lar => assert_eq!(found, hops, "{what}"),
                _ => assert!(found >= hops, "{what}"),
            }
            if is_cyclic { cyclic += 1 } else { free += 1 }
        }
    }
    assert!(free > 30 && cyclic > 10, "{free} {cyclic}");
}
