//! A BMIN looks the same from everywhere: XOR of all node numbers with one number renames what
//! happens in it.

use setaside_tests::metamorphic::{Relabelled, flows};
use setaside_tests::prelude::*;

/// XOR of all node numbers with one number maps the routes of a BMIN to themselves: renamed pairs
/// share a link exactly where the pairs do.
#[test]
fn renaming_by_xor_maps_the_routes_of_a_bmin() {
    for nodes in [8, 16, 32, 64] {
        let bmin = network(&TopologyConfig::Bmin { nodes });
        let links = |s: u32, d: u32| -> Vec<(u32, u8)> {
            let path = bmin.path(s, d).expect("a route");
            path.hops.iter().map(|h| (h.switch, h.out_port)).collect()
        };
        for mask in 1..nodes {
            let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
            for (s, d) in pairs(nodes) {
                let (a, b) = (links(s, d), links(s ^ mask, d ^ mask));
                assert_eq!(a.len(), b.len(), "{nodes} nodes, XOR {mask}: {s} -> {d}");
                for (a, b) in a.into_iter().zip(b) {
                    assert_eq!(*there.entry(a).or_insert(b), b, "{nodes} nodes, XOR {mask}");
                    assert_eq!(*back.entry(b).or_insert(a), a, "{nodes} nodes, XOR {mask}");
                }
            }
        }
    }
}

fn pairs(nodes: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..nodes).flat_map(move |s| (0..nodes).filter(move |&d| d != s).map(move |d| (s, d)))
}

/// Where flows share no link, renaming renames and changes nothing else: no figure, for any scheme.
#[test]
fn renaming_flows_that_share_nothing_only_renames_them() {
    for scheme in SCHEMES {
        // Node n sends to n XOR 37: no two routes of a BMIN share a link.
        let traffic = Relabelled {
            nodes: 64,
            scheme,
            flows: (0..64).map(|n| (n, n ^ 37, ratio(n as u64 % 10 + 1, 10))).collect(),
            arrivals: Arrivals::Bernoulli,
            end: Tick::MAX,
        };
        let plain = record(&traffic.fabric(0, Tick(20_000)));
        assert_eq!(plain.flows.len(), 64);
        for mask in [1, 6, 32, 63] {
            let mut renamed = record(&traffic.fabric(mask, Tick(20_000)));
            assert_eq!(flows(&plain, 0), flows(&renamed, mask), "{scheme}, XOR {mask}");
            renamed.flows.clone_from(&plain.flows);
            let hash = plain.summary.events_hash.clone();
            assert_ne!(renamed.summary.events_hash, hash, "nothing was renamed");
            renamed.summary.events_hash = hash;
            assert_eq!(plain, renamed, "{scheme}, XOR {mask}");
        }
    }
}

/// Where flows meet, a round robin goes by the numbers of ports, and each packet may be sooner or
/// later. What is delivered in the end is the same, flow by flow, over as many hops; and so is the
/// mean latency, within some per cent.
#[test]
fn renaming_flows_that_meet_delivers_the_same() {
    for scheme in SCHEMES {
        let mut draw = Draw::new(8);
        let mut flows_of = Vec::new();
        for (s, d) in pairs(16) {
            if draw.chance(50) {
                flows_of.push((s, d, ratio(draw.range(2, 8), 100)));
            }
        }
        // Span of a packet at the speedup of the scheme: traffic ends after some hundred of them.
        let traffic = Relabelled {
            nodes: 16,
            scheme,
            flows: flows_of,
            arrivals: Arrivals::FixedInterval,
            end: Tick(60_000),
        };
        let plain = record(&traffic.fabric(0, Tick(90_000)));
        assert_eq!(plain.summary.packets_in_flight, 0, "{scheme}");
        let mean = |record: &Record| record.summary.latency_ns.mean.expect("deliveries");
        for mask in [1, 6, 9, 15] {
            let renamed = record(&traffic.fabric(mask, Tick(90_000)));
            assert_eq!(flows(&plain, 0), flows(&renamed, mask), "{scheme}, XOR {mask}");
            assert_eq!(plain.summary.packet_hops, renamed.summary.packet_hops);
            let (a, b) = (mean(&plain), mean(&renamed));
            assert!((a / b - 1.0).abs() < 0.05, "{scheme}, XOR {mask}: {a} ns, {b} ns");
        }
    }
}
