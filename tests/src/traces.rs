//! Random traces: messages that are given, some of which wait for others.

use crate::random::Draw;
use plan::FabricConfig;
use std::collections::BTreeMap;
use std::sync::Arc;
use units::Tick;
use workload::Given;

/// Adds a random trace of messages before tick `end`, some of them after others.
pub fn add(draw: &mut Draw, config: &mut FabricConfig, end: u64) {
    let nodes = config.network.nodes() as u64;
    let waits = draw.chance(60);
    if waits || draw.chance(50) {
        config.endnode.admittance_bytes = None;
    }
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut ticks: Vec<u64> = (0..draw.range(1, 120)).map(|_| draw.range(0, end)).collect();
    ticks.sort_unstable();
    let mut given: Vec<Given> = Vec::new();
    for tick in ticks {
        let mut source = draw.range(0, nodes - 1) as u32;
        let mut after = None;
        if waits && !given.is_empty() && draw.chance(50) {
            let at = draw.range(0, given.len() as u64 - 1) as usize;
            let (from, to) = (given[at].source, given[at].destination);
            source = to;
            after = Some((from, draw.range(1, counts[&(from, to)])));
        }
        let other = draw.range(1, nodes.max(2) - 1) as u32;
        let destination = (source + other) % nodes as u32;
        *counts.entry((source, destination)).or_default() += 1;
        given.push(Given {
            tick: Tick(tick),
            source,
            destination,
            bytes: draw.range(1, 4 * u64::from(config.packet_bytes)) as u32,
            after,
        });
    }
    let open = move || Box::new(given.clone().into_iter().map(Ok)) as workload::Messages;
    let added = config.workload.add_trace(nodes as u32, waits, Arc::new(open));
    added.expect("there are few groups");
}
