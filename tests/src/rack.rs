//! Random hierarchical fabrics: two-level tables, LAR and the others, with and without faults.

use crate::prelude::*;
use hierarchy::recovery::Protocol;
use hierarchy::{Algorithm, LarCounter, LarDecision, LocalRoutes, Routing, Selection, VcScheme};
use plan::{AdaptiveConfig, RandomFaults};
use topology::{GlobalWiring, HierarchyOptions};

/// Mixed into the seed, so that the draws here are not those of `random`.
const SALT: u64 = 0x0d1f_f7c5_0000_0003;

/// A legal random case with traffic that ends at `ns`.
pub fn case(seed: u64, ns: u64) -> FabricConfig {
    let mut draw = Draw::new(seed ^ SALT);
    let network = network(&mut draw);
    case_of(network, &mut draw, seed, ns)
}

/// Traffic, switches and end nodes for a network.
fn case_of(network: Network, draw: &mut Draw, seed: u64, ns: u64) -> FabricConfig {
    let network = Arc::new(network);
    let nodes = network.nodes() as u32;
    let mut workload = WorkloadConfig::default();
    let hot = draw.range(0, u64::from(nodes) - 1) as u32;
    for (name, chance) in [("all", 100), ("hot", 50)] {
        if !draw.chance(chance) {
            continue;
        }
        let sources = (0..nodes).filter(|&node| name == "all" || node != hot);
        let load = draw.one(&[ratio(1, 10), ratio(1, 2), ratio(9, 10)]);
        let group = group(name, load, sources, &[hot][..usize::from(name == "hot")]);
        let pattern = Pattern::Uniform;
        workload.groups.push(GroupConfig { pattern, end_ns: Some(ns), ..group });
    }
    if draw.chance(25) {
        let group = &mut workload.groups[0];
        group.reply_bytes = Some(64);
        group.window = Some(2);
    }
    let mut switch = switch_config(draw.one(&[
        SchemeKind::OneQueue,
        SchemeKind::VoqPerVc,
        SchemeKind::VoqPerVc,
        SchemeKind::Dbbm,
    ]));
    switch.organisation = draw.one(&[Organisation::Iq, Organisation::Iq, Organisation::Cioq]);
    switch.vcs = network.vcs();
    switch.reply_vcs = 2 * switch.vcs <= 16 && draw.chance(20);
    let share = draw.one(&[1, 1, 2, 8]);
    let queues = if switch.scheme == SchemeKind::Dbbm { 4 } else { 1 };
    switch.port_memory_bytes = 64 * share * u32::from(switch.all_vcs()) * queues;
    switch.arbiter = draw.one(&[
        ArbiterKind::MaximumMatching,
        ArbiterKind::RoundRobin,
        ArbiterKind::Islip { iterations: 2 },
        ArbiterKind::OldestFirst,
        ArbiterKind::Random,
    ]);
    switch.wait_bound_packets =
        draw.one(&[Some(1), Some(2), Some(3), Some(4), Some(8), Some(64), None]);
    switch.adaptive = adaptive(draw, &network);
    let mut config = fabric_config(network, switch, ratio(1, 1), &workload, ns, seed);
    config.routing = RoutingKind::TwoLevel;
    config.endnode.reorder_buffer = draw.chance(30);
    config
}

/// How outputs are chosen, where a network is hierarchical.
pub(crate) fn adaptive(draw: &mut Draw, network: &Network) -> Option<AdaptiveConfig> {
    Some(AdaptiveConfig {
        routing: network.hierarchy()?.routing,
        decision: draw.one(LarDecision::ALL),
        counter: draw.one(LarCounter::ALL),
        selection: draw.one(Selection::ALL),
        threshold: draw.one(&[ratio(1, 10), ratio(6, 10), ratio(1, 1)]),
    })
}

/// A case in which links and nodes fail at random and recover before `ns`.
pub fn faulty_case(seed: u64, ns: u64) -> FabricConfig {
    let mut config = case(seed, ns);
    config.switch.organisation = Organisation::Iq;
    fail(&mut Draw::new(!seed ^ SALT), &mut config, ns);
    config
}

/// Links and nodes fail at random and recover before `ns`.
pub(crate) fn fail(draw: &mut Draw, config: &mut FabricConfig, ns: u64) {
    config.switch.faults = true;
    if draw.chance(25) {
        // Out of band: messages between routers take the wire alone.
        config.link.control_packet_bytes = 0;
        config.link.named_control_bytes = 0;
    }
    if draw.chance(30) {
        config.faults.tables = FaultTables::Recomputed;
    } else if draw.chance(30) {
        config.faults.protocol = Protocol::Paper;
    }
    config.faults.notice = Span(draw.range(1, 2_000));
    let ticks = ns / 2;
    config.faults.random = Some(RandomFaults {
        link_mtbf: draw.chance(80).then_some(Span(ticks * 20)),
        link_mttr: Span(draw.range(50, 600)),
        node_mtbf: draw.chance(50).then_some(Span(ticks * 20)),
        node_mttr: Span(draw.range(50, 600)),
        start: Tick(100),
        end: Tick(ticks),
    });
    // At given times too, whatever else keeps the link down.
    let links: Vec<_> = config.network.graph().links().collect();
    if draw.chance(50)
        && let (Endpoint::Port { switch, port }, Endpoint::Port { .. }, _) = draw.one(&links)
    {
        let target = FaultTarget::Link { switch, port };
        config.faults.events = [(ticks / 4, false), (ticks / 2, true)]
            .map(|(at, recovers)| FaultEvent { at: Tick(at), target, recovers })
            .to_vec();
    }
}

/// Such a case in which something fails all the time and recovers soon: heads are decided again in
/// ticks in which others start.
pub fn storm(seed: u64, ns: u64) -> FabricConfig {
    let mut config = faulty_case(seed, ns);
    if let Some(random) = &mut config.faults.random {
        random.link_mtbf = Some(Span(ns));
        random.link_mttr = Span(5 + seed % 60);
        random.node_mtbf = seed.is_multiple_of(3).then_some(Span(2 * ns));
        random.node_mttr = Span(5 + seed % 90);
    }
    if let Some(adaptive) = &mut config.switch.adaptive
        && seed.is_multiple_of(2)
    {
        adaptive.counter = LarCounter::Credits;
        adaptive.selection = Selection::LeastQueued;
    }
    config.endnode.reorder_buffer = seed.is_multiple_of(4);
    config
}

/// A case on the VCs of the paper taken literally, which may lock.
pub fn locking_case(seed: u64, ns: u64) -> FabricConfig {
    let options = BuildOptions {
        hierarchy: HierarchyOptions {
            vc_scheme: VcScheme::PaperLiteral,
            ..HierarchyOptions::default()
        },
        vcs: 2,
        allow_deadlock: true,
        ..BuildOptions::default()
    };
    let wiring = GlobalWiring::PalmTreeSpread(1);
    let topology = TopologyConfig::of_super_nodes("dragonfly", 8, wiring).expect("a name of these");
    let network = Network::build(&topology, &options).expect("allowed to deadlock");
    let mut draw = Draw::new(seed ^ SALT);
    case_of(network, &mut draw, seed, ns)
}

/// A network that cannot lock.
pub(crate) fn network(draw: &mut Draw) -> Network {
    loop {
        let (super_nodes, links_per_pair) = (draw.range(2, 4) as u32, draw.range(1, 3) as u32);
        let wiring = if draw.chance(50) {
            GlobalWiring::PalmTreeSpread(links_per_pair)
        } else {
            GlobalWiring::PalmTreePacked(links_per_pair)
        };
        let (name, super_nodes) = match draw.range(0, 7) {
            0 => ("rsi-butterfly", super_nodes.min(3)),
            1 => ("rsi-slimfly", super_nodes.min(3)),
            2 => ("rsi-hypercube", 2),
            _ => ("dragonfly", super_nodes),
        };
        let topology =
            TopologyConfig::of_super_nodes(name, super_nodes, wiring).expect("a name of these");
        let hierarchy = HierarchyOptions {
            algorithm: draw.one(Algorithm::ALL),
            vc_scheme: draw.one(&[VcScheme::HopCount, VcScheme::GlobalCount]),
            local_routes: draw.one(LocalRoutes::ALL),
        };
        let options = BuildOptions { hierarchy, vcs: 16, ..BuildOptions::default() };
        let Ok(network) = Network::build(&topology, &options) else {
            continue;
        };
        let options = BuildOptions { vcs: network.vcs_used(), ..options };
        if let Ok(network) = Network::build(&topology, &options) {
            return network;
        }
    }
}

/// What a case routes by.
pub fn routing(config: &FabricConfig) -> Routing {
    let adaptive = config.switch.adaptive;
    adaptive.expect("a hierarchical case").routing
}
