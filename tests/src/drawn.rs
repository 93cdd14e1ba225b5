//! Random fabrics in which everything that is legal together is drawn together. What is legal the
//! library says: what it refuses is drawn again.

use crate::prelude::*;
use crate::random::attempt;
use crate::{ecn, pfc, places, rack, wide};
use workload::Given;

/// Mixed into the seed, so that the draws here have nothing to do with those of other cases.
const SALT: u64 = 0x0d1f_f7c5_0000_0005;

/// A random case.
#[derive(Debug, Clone)]
pub struct Case {
    /// The fabric.
    pub config: FabricConfig,
    /// Bytes of its messages.
    pub bytes: MessageBytes,
}

/// How often switches and traffic are drawn again before the network is.
const TRIES: usize = 30;

/// A legal random case with traffic that ends at `ns`, and some time to drain.
pub fn case(seed: u64, ns: u64) -> Case {
    let mut draw = Draw::new(seed ^ SALT);
    loop {
        let network = places::any_network(&mut draw);
        let mut cases = (0..TRIES).filter_map(|_| any(&mut draw, network.clone(), seed, ns));
        let is_legal = |case: &Case| Run::new(&case.config, Engine::Reference).is_ok();
        if let Some(case) = cases.find(is_legal) {
            return case;
        }
    }
}

/// A case that may be illegal; none where that is known at once.
fn any(draw: &mut Draw, network: Arc<Network>, seed: u64, ns: u64) -> Option<Case> {
    let scheme = match draw.range(0, 13) {
        9 => SchemeKind::VoqPerVc,
        10 | 11 => SchemeKind::Pfc,
        12 | 13 => SchemeKind::OneQueue,
        n => SCHEMES[n as usize],
    };
    let mut bytes = MessageBytes::default();
    let answers = draw.chance(30);
    let what = (seed, Some(scheme), ns);
    let mut config = attempt(draw, network, what, |draw, workload| {
        bytes = workload.message_bytes.clone();
        if answers {
            wide::ask_for_replies(draw, workload);
        }
    });
    switches(draw, &mut config);
    if !draw.chance(70) {
        config.link.wire_overrides = places::wires(draw, &config.network, 60, 50);
    }
    if scheme == SchemeKind::Pfc {
        config.switch.scheme = SchemeKind::OneQueue;
        plan::params(&config).ok()?;
        config = pfc::paused(config, draw.range(0, u64::MAX - 1));
    } else {
        marks(draw, &mut config);
    }
    if config.network.tables().is_some() && draw.chance(80) {
        config.routing = RoutingKind::Table;
    }
    levels(draw, &mut config, ns);
    config.endnode.reorder_buffer |= draw.chance(15);
    let ticks = config.time_base.ns_to_ticks_ceil(ns).0;
    config.run.duration = Tick(ticks + draw.range(0, 2 * ticks));
    config.run.warmup = Tick(draw.one(&[0, 0, ticks / 3]));
    config.run.drain = Span(draw.one(&[0, 0, ticks]));
    if draw.chance(15) {
        add_trace(draw, &mut config, ticks);
    }
    Some(Case { config, bytes })
}

/// What [`attempt`] leaves as it is.
fn switches(draw: &mut Draw, config: &mut FabricConfig) {
    let (network, switch) = (&config.network, &mut config.switch);
    switch.vcs = network.vcs();
    switch.reply_vcs = draw.chance(10);
    if switch.scheme == SchemeKind::OneQueue && draw.chance(50) {
        switch.organisation = Organisation::Oq;
    } else if switch.scheme.version().is_none() && draw.chance(25) {
        switch.organisation = Organisation::Iq;
    }
    if switch.organisation == Organisation::Iq {
        config.time_base = time_base(ratio(1, 1));
    }
    let bounds = [None, Some(1), Some(2), Some(3), Some(4), Some(6), Some(8), Some(64)];
    switch.wait_bound_packets = draw.one(&bounds);
    if switch.organisation == Organisation::Iq && draw.chance(15) {
        switch.arbiter = ArbiterKind::OldestFirst;
        switch.wait_bound_packets = None;
        switch.input_multicast_read = draw.chance(70);
    }
    switch.max_bypass = draw.chance(20).then(|| draw.range(0, 4) as u32);
    if draw.chance(50) {
        let graph = network.graph();
        let radix = (0..graph.switches() as u32).map(|s| graph.ports(s)).max();
        let packet = config.packet_bytes.next_multiple_of(switch.cell_bytes);
        let queues = draw.one(&[1, 1, switch.dbbm_queues, radix.unwrap_or(1)]);
        let packets = draw.one(&[1, 2, 2, 3, 8]);
        switch.port_memory_bytes = packet * packets * queues * u32::from(switch.all_vcs());
    }
}

/// Marks and what ends answer, or one of them alone.
fn marks(draw: &mut Draw, config: &mut FabricConfig) {
    match draw.range(0, 15) {
        0..=2 => {
            config.switch.ecn = Some(ecn::marks(draw, config.switch.organisation));
            config.endnode.ecn = Some(ecn::responds(draw, config));
        }
        3 => config.switch.ecn = Some(ecn::marks(draw, config.switch.organisation)),
        4 => config.endnode.ecn = Some(ecn::responds(draw, config)),
        5 => pfc::notified(config, draw),
        _ => {}
    }
}

/// Two-level routing where the network is hierarchical, with faults or without.
fn levels(draw: &mut Draw, config: &mut FabricConfig, ns: u64) {
    config.switch.adaptive = rack::adaptive(draw, &config.network);
    if config.switch.adaptive.is_none() {
        return;
    }
    config.routing = RoutingKind::TwoLevel;
    if draw.chance(60) {
        rack::fail(draw, config, ns);
        config.faults.notice = config.faults.notice.min(config.run.watchdog);
    }
}

/// Adds a random trace of messages before tick `end`, some of them after others.
fn add_trace(draw: &mut Draw, config: &mut FabricConfig, end: u64) {
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
