//! up*/down* on random graphs, and the deadlock check on routes that do deadlock.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::common::{
    Rule, channel, cyclic, dependencies, distances, follow_turns, is_cyclic, pairs, wide,
};
use proptest::prelude::*;
use topology::testkit::{random_graph, words};
use topology::{
    Channel, Cycle, Deadlock, Endpoint, Graph, GraphBuilder, LinkAttributes, Network, Parts,
    TopologyError, UpChoice, VcStep,
};

/// The order of topology.md's up*/down*, written out again, to be independent.
fn place(graph: &Graph, switch: u32) -> (usize, u32) {
    (distances(graph, 0)[switch as usize], switch)
}

/// Hops of the shortest legal route; `down`: the packet has come down already.
fn shortest_legal(graph: &Graph, from: u32, down: bool) -> Vec<usize> {
    let places: Vec<_> = (0..graph.switches() as u32).map(|switch| place(graph, switch)).collect();
    let mut distance = vec![[usize::MAX; 2]; graph.switches()];
    distance[from as usize][usize::from(down)] = 0;
    let mut waiting = VecDeque::from([(from, usize::from(down))]);
    while let Some((switch, down)) = waiting.pop_front() {
        for port in 0..graph.ports(switch) as u8 {
            let Endpoint::Port { switch: next, .. } = graph.peer(switch, port) else {
                continue;
            };
            let goes_down = usize::from(places[next as usize] > places[switch as usize]);
            if down <= goes_down && distance[next as usize][goes_down] == usize::MAX {
                distance[next as usize][goes_down] = distance[switch as usize][down] + 1;
                waiting.push_back((next, goes_down));
            }
        }
    }
    distance.iter().map(|both| both[0].min(both[1])).collect()
}

proptest! {
    #![proptest_config(crate::fixed::fixed(400, 2005))]

    // "up*/down*, root s0, shortest legal route, ties to the lowest port ... for any graph, checked
    // for deadlock"
    #[test]
    fn routes_on_random_graphs_are_legal_shortest_and_free_of_deadlock(
        seed: u64, switches in 1u32..24, nodes in 1u32..16, ports in 3u32..9,
    ) {
        let Ok(graph) = random_graph(&mut words(seed), switches, nodes, ports) else { return Ok(()) };
        let network = Network::up_down(graph, &wide(UpChoice::Destination)).unwrap();
        let graph = network.graph();
        prop_assert!(!cyclic(&network));
        for (s, d) in pairs(network.nodes()) {
            let path = network.path(s, d).unwrap();
            let rises: Vec<bool> = path.hops.windows(2)
                .map(|two| place(graph, two[1].switch) < place(graph, two[0].switch)).collect();
            prop_assert!(!rises.windows(2).any(|two| two == [false, true]), "{path}");
            let target = graph.node_port(d).0;
            prop_assert_eq!(rises.len(), shortest_legal(graph, path.hops[0].switch, false)[target as usize], "{}", path);
            prop_assert_eq!(follow_turns(&network, s, d), Endpoint::Node(d));
            // Ties: no lower port is the start of an equally short legal route.
            for (at, hop) in path.hops[..rises.len()].iter().enumerate() {
                let came_down = at > 0 && !rises[at - 1];
                for port in 0..hop.out_port {
                    let Endpoint::Port { switch: other, .. } = graph.peer(hop.switch, port) else { continue };
                    let up = place(graph, other) < place(graph, hop.switch);
                    if up && came_down { continue }
                    let rest = shortest_legal(graph, other, !up);
                    prop_assert!(rest[target as usize] == usize::MAX || rest[target as usize] > rises.len() - at - 1, "{}", path);
                }
            }
        }
    }
}

/// A ring of switches with one node each: port 0 the node, 1 clockwise, 2 back.
fn ring(switches: u32) -> Graph {
    let mut builder = GraphBuilder::new(&vec![3; switches as usize], switches).unwrap();
    for switch in 0..switches {
        builder.attach(switch, (switch, 0), LinkAttributes::default()).unwrap();
        builder
            .connect((switch, 1), ((switch + 1) % switches, 2), LinkAttributes::default())
            .unwrap();
    }
    builder.finish().unwrap()
}

fn clockwise(switches: u32) -> Parts {
    let routes = Arc::new(Rule::new(|switch, to| u8::from(switch != to)));
    Parts { name: "ring", graph: ring(switches), routes, maximum_links: None }
}

// "a cyclic one is refused with the cycle printed, unless `allow_deadlock = true`"
#[test]
fn clockwise_ring_is_refused_with_its_cycle() {
    let error = Network::from_parts(clockwise(4), &wide(UpChoice::Destination)).unwrap_err();
    assert!(
        error.to_string().ends_with(": s0.1 vc0 -> s1.1 vc0 -> s2.1 vc0 -> s3.1 vc0 -> s0.1 vc0"),
        "{error}"
    );
    let TopologyError::Deadlock { cycle, needed, .. } = error else { panic!("{error}") };
    assert_eq!((cycle.0.len(), needed), (4, None));
    let mut options = wide(UpChoice::Destination);
    options.allow_deadlock = true;
    let network = Network::from_parts(clockwise(4), &options).unwrap();
    assert!(matches!(network.deadlock(), Deadlock::Cycle(_)));
    assert!(cyclic(&network));
    assert!(Network::up_down(ring(4), &wide(UpChoice::Destination)).is_ok(), "the same is safe");
}

#[test]
fn broken_rules_are_named() {
    let refuse = |port| {
        let parts = Parts { routes: Arc::new(Rule::new(move |_, _| port)), ..clockwise(3) };
        Network::from_parts(parts, &wide(UpChoice::Destination)).unwrap_err().to_string()
    };
    assert_eq!(
        refuse(0),
        "the route from n0 to n1 turns back into the port that it came from at s0"
    );
    assert_eq!(refuse(1), "the route from n0 to n1 goes in circles at s1");
    assert_eq!(refuse(7), "the route from n0 to n1 leaves by an unconnected port at s0");
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // Arbitrary routes with arbitrary steps of their virtual channels; a cycle printed is one.
    #[test]
    fn deadlock_check_agrees_with_petgraph(seed: u64, switches in 2u32..9, vcs in 1u8..4) {
        let Ok(graph) = random_graph(&mut words(seed), switches, switches, 5) else { return Ok(()) };
        let mut next = words(seed ^ 1);
        // Shortest routes, random among ties for each pair: often cyclic.
        let mut table = vec![0; graph.switches() * graph.nodes()];
        for d in 0..graph.nodes() as u32 {
            let (target, ejection) = graph.node_port(d);
            let distance = distances(&graph, target);
            for switch in 0..graph.switches() as u32 {
                let closer: Vec<u8> = (0..5).filter(|&port| matches!(graph.peer(switch, port),
                    Endpoint::Port { switch: other, .. } if distance[other as usize] < distance[switch as usize])).collect();
                table[d as usize * graph.switches() + switch as usize] =
                    if switch == target { ejection } else { closer[(next() % closer.len() as u64) as usize] };
            }
        }
        let switches = graph.switches();
        let next = move |switch: u32, d: u32| table[d as usize * switches + switch as usize];
        // Most steps keep the channel, so that cycles still come about.
        let step = move |switch: u32, in_port: u8, out_port: u8| {
            let place = u64::from(switch) << 16 | u64::from(in_port) << 8 | u64::from(out_port);
            match words(seed ^ place)() % 16 {
                word if word < u64::from(vcs) => VcStep::Set(units::VcId(word as u8)),
                _ => VcStep::Keep,
            }
        };
        let routes = Arc::new(Rule { vcs, step: Box::new(step), ..Rule::new(next) });
        let mut options = wide(UpChoice::Destination);
        options.allow_deadlock = true;
        options.vcs = vcs;
        let network = Network::from_parts(Parts { name: "table", graph, routes, maximum_links: None }, &options).unwrap();
        match network.deadlock() {
            Deadlock::Free => prop_assert!(!cyclic(&network)),
            Deadlock::Cycle(Cycle(channels)) => {
                let edges = dependencies(&network);
                prop_assert!(is_cyclic(&edges));
                let number = |c: &Channel| channel(network.graph(), c.switch, c.port, c.vc);
                for (at, channel) in channels.iter().enumerate() {
                    let after = &channels[(at + 1) % channels.len()];
                    prop_assert!(edges.contains(&(number(channel), number(after))));
                }
            }
        }
    }
}

// s1 to s5 in three hops, over s0 and s2, or down over s3 and s4. At s3 the way up over s2 is as
// short and its port lower; but the packet has come down, so it continues down.
#[test]
fn packet_that_came_down_goes_on_down() {
    let text = "a,a_port,b,b_port\n\
        n0,,s1,0\nn1,,s5,0\nn2,,s3,3\n\
        s1,1,s3,1\ns1,2,s0,0\ns2,0,s0,1\ns3,0,s2,1\ns3,2,s4,0\ns4,1,s2,2\ns5,1,s2,3\ns4,2,s5,2\n";
    let edges = topology::EdgeList::parse(text).unwrap();
    let config = topology::TopologyConfig::File { edges };
    let network = Network::build(&config, &wide(UpChoice::Destination)).unwrap();
    assert_eq!(
        network.path(0, 1).unwrap().to_string(),
        "n0 -> s1[0>1] -> s3[1>2] -> s4[0>2] -> s5[2>0] -> n1"
    );
    // A packet that starts at s3 has not come down: lowest port.
    assert_eq!(
        network.path(2, 1).unwrap().to_string(),
        "n2 -> s3[3>0] -> s2[1>3] -> s5[1>0] -> n1"
    );
}
