//! Bounds of workloads over routes, against plain oracles and numbers reckoned by hand.

use proptest::prelude::*;
use topology::testkit::{random_graph, words};
use topology::{CUT_LOOKS, EdgeList, Endpoint, Flows, Network, TopologyConfig, UpChoice};
use units::Ratio;

use crate::common::{build, pairs, wide};

/// A flow with its links, from the paths of the network.
struct Plain {
    demand: f64,
    links: Vec<usize>,
}

/// Flows with their links, and the capacity of each link.
fn plain(network: &Network, demand: impl Fn(u32, u32) -> f64, rate: f64) -> (Vec<Plain>, Vec<f64>) {
    let graph = network.graph();
    let own = |switch, port| {
        let attributes = graph.link_attributes(switch, port);
        attributes.rate_bytes_per_ns.map_or(rate, Ratio::to_f64)
    };
    let mut capacity = vec![0.0; graph.ports_total() + graph.nodes()];
    for (a, b, _) in graph.links() {
        for end in [a, b] {
            if let Endpoint::Port { switch, port } = end {
                capacity[graph.port_index(switch, port)] = own(switch, port);
            }
        }
    }
    for node in 0..graph.nodes() as u32 {
        let (switch, port) = graph.node_port(node);
        capacity[graph.ports_total() + node as usize] = own(switch, port);
    }
    let flows = pairs(graph.nodes()).filter(|&(s, d)| demand(s, d) > 0.0);
    let flow = |(s, d)| {
        let hops = network.path(s, d).unwrap().hops;
        let out = hops.iter().map(|hop| graph.port_index(hop.switch, hop.out_port));
        let links = std::iter::once(graph.ports_total() + s as usize).chain(out);
        Plain { demand: demand(s, d), links: links.collect() }
    };
    (flows.map(flow).collect(), capacity)
}

/// Progressive filling: all rates rise by the least room that some link or demand leaves.
fn fill(flows: &[Plain], capacity: &[f64]) -> Vec<f64> {
    let mut rates = vec![0.0; flows.len()];
    let mut rising = vec![true; flows.len()];
    while rising.contains(&true) {
        let room = |l: usize| {
            let on = || (0..flows.len()).filter(move |&f| flows[f].links.contains(&l));
            let used: f64 = on().map(|f| rates[f]).sum();
            (capacity[l] - used, on().filter(|&f| rising[f]).count())
        };
        let rooms: Vec<_> = (0..capacity.len()).map(room).collect();
        let links = rooms.iter().filter(|r| r.1 > 0).map(|r| r.0 / r.1 as f64);
        let demands = (0..flows.len()).filter(|&f| rising[f]).map(|f| flows[f].demand - rates[f]);
        let rise = links.chain(demands).fold(f64::INFINITY, f64::min);
        let full: Vec<usize> = (0..capacity.len())
            .filter(|&l| rooms[l].1 > 0 && rooms[l].0 - rise * rooms[l].1 as f64 <= 1e-12)
            .collect();
        for f in 0..flows.len() {
            if rising[f] {
                rates[f] += rise;
                let stops = full.iter().any(|l| flows[f].links.contains(l));
                rising[f] = !stops && flows[f].demand - rates[f] > 1e-12;
            }
        }
    }
    rates
}

/// The greatest total of feasible rates: the simplex method with Bland's rule.
fn greatest_total(flows: &[Plain], capacity: &[f64]) -> f64 {
    let columns = flows.len();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (l, &most) in capacity.iter().enumerate() {
        let on = flows.iter().map(|flow| f64::from(u8::from(flow.links.contains(&l))));
        rows.push(on.chain([most]).collect());
    }
    for (f, flow) in flows.iter().enumerate() {
        let own = (0..columns).map(|other| f64::from(u8::from(other == f)));
        rows.push(own.chain([flow.demand]).collect());
    }
    // Columns: flows, slacks, right side; the last row is the objective, negated.
    let slacks = rows.len();
    let width = columns + slacks + 1;
    let mut table: Vec<Vec<f64>> = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        let mut line = vec![0.0; width];
        line[..columns].copy_from_slice(&row[..columns]);
        line[columns + r] = 1.0;
        line[width - 1] = row[columns];
        table.push(line);
    }
    let mut objective = vec![0.0; width];
    objective[..columns].fill(-1.0);
    table.push(objective);
    let mut basis: Vec<usize> = (columns..columns + slacks).collect();
    while let Some(enters) = (0..width - 1).find(|&c| table[slacks][c] < -1e-9) {
        let ratio = |r: usize| table[r][width - 1] / table[r][enters];
        let candidates = (0..slacks).filter(|&r| table[r][enters] > 1e-9);
        let leaves = candidates
            .reduce(|a, b| {
                let nearer = ratio(b) < ratio(a) - 1e-12;
                let tie = (ratio(b) - ratio(a)).abs() <= 1e-12 && basis[b] < basis[a];
                if nearer || tie { b } else { a }
            })
            .expect("demands bound every flow");
        let pivot = table[leaves][enters];
        table[leaves].iter_mut().for_each(|value| *value /= pivot);
        let row = table[leaves].clone();
        for (r, line) in table.iter_mut().enumerate() {
            let factor = line[enters];
            if r != leaves && factor != 0.0 {
                line.iter_mut().zip(&row).for_each(|(value, own)| *value -= factor * own);
            }
        }
        basis[leaves] = enters;
    }
    table[slacks][width - 1]
}

fn flows<'a>(network: &'a Network, demand: impl Fn(u32, u32) -> f64, rate: Ratio) -> Flows<'a> {
    let mut flows = Flows::new(network, rate);
    set(&mut flows, network.nodes() as u32, demand);
    flows
}

fn set(flows: &mut Flows<'_>, nodes: u32, demand: impl Fn(u32, u32) -> f64) {
    for source in (0..nodes).rev() {
        let row: Vec<f64> = (0..nodes).map(|destination| demand(source, destination)).collect();
        flows.set(source, &row).unwrap();
    }
}

/// A demand for some pairs: one of a few sizes, such as random and hot flows have.
fn some_demand(seed: u64) -> impl Fn(u32, u32) -> f64 {
    let sizes: Vec<f64> = {
        let mut next = words(seed);
        (0..3).map(|_| (1 + next() % 40) as f64 / 32.0).collect()
    };
    move |source, destination| {
        let mut next = words(seed ^ u64::from(source) << 32 ^ u64::from(destination) << 8);
        let dense = seed % 3 + 1;
        if source != destination && next() % 4 < dense { sizes[(next() % 3) as usize] } else { 0.0 }
    }
}

proptest! {
    #![proptest_config(crate::fixed::fixed(400, 2026))]

    // Rates are those of the filling, and the greatest total is at most the cut bound, and near it.
    #[test]
    fn bounds_agree_with_plain_oracles(seed: u64, switches in 1u32..6, nodes in 2u32..7) {
        let Ok(graph) = random_graph(&mut words(seed), switches, nodes, 6) else { return Ok(()) };
        let network = Network::up_down(graph, &wide(UpChoice::Destination)).unwrap();
        let demand = some_demand(seed);
        let all = flows(&network, &demand, Ratio::ONE);
        let (plain, capacity) = plain(&network, &demand, 1.0);
        let fair = all.max_min();
        let rates = fill(&plain, &capacity);
        let found: Vec<f64> = (0..nodes)
            .flat_map(|source| {
                let rates = all.rates(&fair, source);
                let sends = (0..nodes).filter(|&d| demand(source, d) > 0.0).collect::<Vec<_>>();
                sends.into_iter().map(move |d| rates[d as usize])
            })
            .collect();
        prop_assert_eq!(found.len(), rates.len());
        for (found, rate) in found.iter().zip(&rates) {
            prop_assert!((found - rate).abs() < 1e-9, "{found} {rate}");
        }
        let total: f64 = rates.iter().sum();
        prop_assert!((fair.bytes_per_ns() - total).abs() < 1e-9);
        let greatest = greatest_total(&plain, &capacity);
        let cut = all.cut_bound(&fair, CUT_LOOKS);
        prop_assert!(total <= greatest + 1e-9, "{total} {greatest}");
        prop_assert!(greatest <= cut + 1e-9, "{greatest} {cut}");
        prop_assert!(cut <= greatest * 1.001 + 1e-9, "{greatest} {cut}");
        // However short the search.
        for evaluations in [0, 50, 200] {
            let cut = all.cut_bound(&fair, evaluations);
            prop_assert!(greatest <= cut + 1e-9 && cut <= all.offered_bytes_per_ns() + 1e-9, "{greatest} {cut}");
        }
    }
}

// One link of rate 1 between two switches: two flows share it, and a third has what they leave of
// its node. The greatest total gives the link to the flow that crosses nothing else.
#[test]
fn a_case_by_hand() {
    let text = "a,a_port,b,b_port,rate_bytes_per_ns\n\
        n0,,s0,0,1\nn1,,s0,1,1\nn2,,s1,0,2\nn3,,s1,1,1/4\ns0,2,s1,2,1\n";
    let edges = EdgeList::parse(text).unwrap();
    let config = TopologyConfig::File { edges };
    let network = build(config, UpChoice::Destination);
    // n0 -> n2, n1 -> n2 and n0 -> n3 demand 1 each.
    let demand = |s, d| f64::from(u8::from(matches!((s, d), (0 | 1, 2) | (0, 3))));
    let all = flows(&network, demand, Ratio::ONE);
    assert_eq!(all.offered_bytes_per_ns(), 3.0);
    let fair = all.max_min();
    // n0 -> n3 stops at 1/4, where its last link is full; the others share what is left.
    assert_eq!(all.rates(&fair, 0), [0.0, 0.0, 0.375, 0.25]);
    assert_eq!(all.rates(&fair, 1), [0.0, 0.0, 0.375, 0.0]);
    assert_eq!(fair.bytes_per_ns(), 1.0);
    assert_eq!(all.cut_bound(&fair, CUT_LOOKS), 1.0);
}

// What was set before does not show: demands go up, down and away again.
#[test]
fn demands_may_be_set_anew() {
    let config = TopologyConfig::Mesh { width: 3, height: 3, nodes_per_switch: 2 };
    let network = build(config, UpChoice::Destination);
    let (first, second) = (some_demand(5), some_demand(6));
    let mut all = flows(&network, &first, Ratio::ONE);
    let nodes = network.nodes() as u32;
    let fair = all.max_min();
    set(&mut all, nodes, &second);
    assert_ne!(all.max_min().bytes_per_ns(), fair.bytes_per_ns());
    let alone = flows(&network, &second, Ratio::ONE);
    for source in 0..nodes {
        let rates = all.rates(&all.max_min(), source);
        for (rate, other) in rates.iter().zip(alone.rates(&alone.max_min(), source)) {
            assert!((rate - other).abs() < 1e-12, "{rate} {other}");
        }
    }
    set(&mut all, nodes, &first);
    assert_eq!(all.max_min(), fair);
    set(&mut all, nodes, |_, _| 0.0);
    let nothing = all.max_min();
    assert_eq!((nothing.bytes_per_ns(), all.cut_bound(&nothing, CUT_LOOKS)), (0.0, 0.0));
}

// `uniform_bound` of the analysis is the load up to which uniform traffic has all that it demands.
#[test]
fn uniform_bound_is_where_the_bounds_leave_what_is_offered() {
    let mesh = TopologyConfig::Mesh { width: 6, height: 4, nodes_per_switch: 2 };
    let tree = TopologyConfig::KAryNTree { k: 3, n: 3 };
    for (config, up) in [
        (mesh, UpChoice::Destination),
        (TopologyConfig::Bmin { nodes: 32 }, UpChoice::Destination),
        (TopologyConfig::Bmin { nodes: 32 }, UpChoice::Source),
        (tree, UpChoice::Source),
    ] {
        let network = build(config, up);
        let bound = network.analysis().uniform_bound.unwrap().to_f64();
        let nodes = network.nodes() as f64;
        let at = |load: f64| {
            let demand = |s, d| if s == d { 0.0 } else { load / (nodes - 1.0) };
            let all = flows(&network, demand, Ratio::ONE);
            let fair = all.max_min();
            (all.cut_bound(&fair, CUT_LOOKS) / nodes, fair.bytes_per_ns() / nodes)
        };
        let (cut, fair) = at(bound);
        assert!((fair - bound).abs() < 1e-9 && (cut - bound).abs() < 1e-9, "{fair} {bound}");
        let (cut, fair) = at(bound * 1.1);
        assert!(
            fair < bound * 1.1 - 1e-3 && fair <= cut && cut < bound * 1.1 - 1e-3,
            "{fair} {cut} {bound}"
        );
    }
}

// No panic and no silence: what is no demand, and what would cost too much, is refused.
#[test]
fn what_cannot_be_reckoned_is_refused() {
    let network = build(TopologyConfig::Bmin { nodes: 4 }, UpChoice::Destination);
    let refused =
        |row: [f64; 4]| Flows::new(&network, Ratio::ONE).set(1, &row).unwrap_err().to_string();
    assert_eq!(
        refused([0.0, 0.0, -1.0, 0.0]),
        "a demand of -1 bytes/ns from n1 to n2; legal: 0 or more, finite, and 0 to itself without `workload.self`"
    );
    assert!(
        refused([0.0, 0.0, 0.0, f64::NAN]).starts_with("a demand of NaN bytes/ns from n1 to n3")
    );
    assert!(refused([0.0, 1.0, 0.0, 0.0]).starts_with("a demand of 1 bytes/ns from n1 to n1"));
    let mut options = wide(UpChoice::Destination);
    options.self_traffic = true;
    let network = Network::build(&TopologyConfig::SingleSwitch { ports: 2 }, &options).unwrap();
    let mut flows = Flows::new(&network, Ratio::ONE);
    flows.set(0, &[2.0, 2.0]).unwrap();
    assert_eq!(flows.max_min().bytes_per_ns(), 1.0);

    let network = build(TopologyConfig::Bmin { nodes: 1024 }, UpChoice::Destination);
    let mut flows = Flows::new(&network, Ratio::ONE);
    let mut different = (0..1024).map(|source| {
        let row: Vec<f64> = (0..1024)
            .map(|d| if d == source { 0.0 } else { 1.0 + f64::from(source * 1024 + d) })
            .collect();
        flows.set(source, &row)
    });
    let error = different.find_map(Result::err).unwrap();
    assert!(error.to_string().contains(" different demands on "), "{error}");
}
