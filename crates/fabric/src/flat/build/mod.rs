//! From a configuration to a fabric before its first tick.

mod ports;
mod recn;

use super::bypass::Bypass;
use super::crossbar::{Crossing, LANES, Scratch, Switch};
use super::ecn::{Ends, Marks};
use super::faults::Faults;
use super::many::Many;
use super::mapping::{Beyond, Map};
use super::mode::{Features, Rare};
use super::nodes::Node;
use super::pause::Pauses;
use super::records::Packets;
use super::reorder::Reorder;
use super::threads::{Here, Post};
use super::two_level::TwoLevel;
use super::waiting::Waiting;
use super::wheel::Wheel;
use super::{Flat, Fly, Mode, NONE, Port, Size, T, TICKS_MAX, Times};
use crate::routing::{self, Routing};
use crossbar::{AnyArbiter, Matching};
use plan::{ConfigError, FabricConfig, Order, Params, RoutingKind, checked};
use ports::Built;
use std::collections::VecDeque;
use std::sync::Arc;
use units::Span;
use workload::rng::{below, stream};

/// Credit packets on a wire, beyond those in place, for which there is room from the start.
const FURTHER: usize = 4;

pub(crate) fn ticks(span: Span) -> T {
    T::try_from(span.0).unwrap_or(NONE)
}

/// Whether this engine cannot run it: more ticks than it counts, or a wire that is so long.
pub(crate) fn refused(config: &FabricConfig) -> bool {
    let (run, link) = (&config.run, &config.link);
    let wires = link.wire_overrides.iter().map(|o| o.1);
    let longest = wires.fold(link.wire, Span::max);
    let end = run.duration.saturating_add(run.drain);
    end.saturating_add(longest).0 > TICKS_MAX
}

/// Whether nothing is told ahead in a fabric, whoever looks.
pub(crate) fn needs_order(config: &FabricConfig, params: &Params) -> bool {
    let switch = &config.switch;
    // Statistics of pauses need order, and every run with pauses has them.
    params.pause.is_some()
        || params.recn.is_some() && (switch.ecn.is_some() || switch.max_bypass.is_some())
}

impl<M: Mode> Flat<M> {
    /// The parts of a fabric before its first tick.
    ///
    /// # Errors
    /// What cannot be built.
    pub(crate) fn all(config: &FabricConfig, here: &Here) -> Result<Vec<Flat<M>>, ConfigError> {
        let mut parts: Vec<Flat<M>> = Vec::with_capacity(here.parts);
        for here in here.each() {
            let part = Flat::new(config, &here, parts.first())?;
            parts.push(part);
        }
        Ok(parts)
    }

    /// A part of a fabric; what does not change is shared with the `first` one.
    fn new(
        config: &FabricConfig,
        here: &Here,
        first: Option<&Flat<M>>,
    ) -> Result<Flat<M>, ConfigError> {
        let params = checked(config)?;
        assert!(!M::EAGER || !needs_order(config, &params), "it is to be built as `Timed`");
        let has = Features::of(config, &params);
        let graph = config.network.graph();
        let (switches, nodes) = (graph.switches(), graph.nodes());
        let first_node = graph.ports_total();
        let built = Built::all(config, &params, here)?;
        assert!(has.wide || built.wide.is_empty(), "a set that fits no word");
        let ports = built.port.len();
        let radix_max = (0..switches as u32).map(|s| graph.ports(s)).max().unwrap_or(1) as usize;
        let normal_max =
            built.port.iter().map(|p| usize::from(p.ingress_queues)).max().unwrap_or(1);
        let pair_words = normal_max.div_ceil(64).max(1);
        let [ingress_map, egress_map] = params.scheme.queues().map(Map::of);
        let (mut pairs, mut pair_count) = (vec![0; ports], 0);
        for (p, port) in built.port.iter().enumerate() {
            if has.shared && port.ingress_queues > 0 {
                pairs[p] = pair_count;
                pair_count += u32::from(port.ports);
            }
        }
        let bound = ticks(params.wait_bound);
        let mut machines = Vec::new();
        for s in 0..switches as u32 {
            let radix = graph.ports(s) as usize;
            let first = graph.port_index(s, 0);
            let waiting = Waiting::new(bound, radix);
            machines.push(Switch::new(first, radix, arbiter(config, s, 0), waiting));
        }
        let has_node = |n: u32| here.has(graph.node_port(n).0);
        let mut generators = vec![Vec::new(); nodes];
        for (node, generator) in &config.workload.generators {
            if has_node(*node) {
                generators[*node as usize].push(generator.clone());
            }
        }
        // What the CAM says, or the way behind the first switch where no fault changes it.
        let by_way = params.per_queue_credits && egress_map == Map::OUTPUT;
        let by_way = by_way && config.routing == RoutingKind::Turns;
        let asks_by_header = params.vcs > 1 || config.endnode.ecn.is_some();
        let remembers = !asks_by_header && (params.recn.is_some() || by_way);
        let end_nodes = generators.into_iter().enumerate().map(|(n, generators)| {
            // One of another part knows no destinations.
            let nodes = if has_node(n as u32) { nodes } else { 0 };
            let saqs = params.saqs() as usize;
            let queues = usize::from(built.port[first_node + n].egress_queues) + saqs;
            let stream = stream(config.run.seed, &format!("node{n}.admittance"));
            let remembered = if remembers { nodes } else { 0 };
            let replies_apart = params.config.reply_vcs;
            Node::new(generators, nodes, queues, replies_apart, remembered, stream)
        });
        let end_nodes: Vec<Node> = end_nodes.collect();
        let network = &config.network;
        let (routing, tables) = match first {
            Some(first) => (first.routing.clone(), Arc::clone(&first.tables)),
            None => (
                Routing::new(network.clone(), config.routing),
                routing::tables(network, config.routing).into(),
            ),
        };
        let largest = params.lengths(config.packet_bytes);
        let faults = Faults::new(config, ports)?;
        let mut recn = recn::recn(config, &params, &built, !M::EAGER);
        if has.faults {
            recn.have_named(ports, ticks(params.named_span));
        }
        let two_level = TwoLevel::new(config, &params, built.queues.len());
        let marks = Marks::new(config, &params, built.queues.len())?;
        let is_whole = |port: &Port| u32::from(port.room_cells).is_multiple_of(largest.cells);
        let many = match has.many {
            true => Many::new(ports, pair_words, built.port.iter().all(is_whole)),
            false => Many::default(),
        };
        let mut flat = Flat {
            now: 0,
            served: 0,
            times: Times {
                ingress: ticks(params.stages.ingress),
                egress: ticks(params.stages.egress),
                arbitration: ticks(params.stages.arbitration),
                credit_return: ticks(params.stages.credit_return),
                injection: ticks(params.stages.injection),
                link_phit: ticks(params.link_phit),
                crossbar_phit: ticks(params.crossbar_phit),
                credit: ticks(params.credit_span),
            },
            owners: match first {
                Some(first) => Arc::clone(&first.owners),
                None => built.owners.into(),
            },
            rare: Rare::new(has),
            first_node,
            post: Post::new(here, graph),
            per_queue_credits: params.per_queue_credits,
            is_order_kept: plan::order(config) == Order::Kept,
            first_reply_vc: params.first_reply_vc(),
            many,
            ingress_map,
            egress_map,
            ingress_class: if params.per_queue_credits { ingress_map } else { Map::ONE },
            egress_class: if params.per_queue_credits { egress_map } else { Map::ONE },
            routing,
            beyond: Beyond::all(&built.port, &tables, has.two_level),
            tables,
            steps: built.steps,
            packet_bytes: config.packet_bytes,
            admittance: config.endnode.admittance_arbiter,
            admittance_bytes: config.endnode.admittance_bytes,
            generator: config.endnode.generator,
            trace_group: config.workload.trace.as_ref().map(|trace| trace.group),
            replies: config.workload.summaries.iter().map(|s| s.replies).collect(),
            wheel: Wheel::with_room(2 * ports),
            packets: Packets::default(),
            sizes: vec![Size {
                link: ticks(largest.link),
                crossbar: ticks(largest.crossbar),
                cells: largest.cells as u16,
            }],
            size_of_bytes: vec![u16::MAX; config.packet_bytes as usize + 1],
            queues: built.queues,
            counters: built.counters,
            wide: built.wide,
            further: (0..ports).map(|_| VecDeque::with_capacity(FURTHER)).collect(),
            later: built.port.iter().map(|port| later(port, has.is_oq)).collect(),
            wires: vec![(NONE, NONE); 2 * ports],
            switches: machines,
            crossing: vec![Crossing::default(); ports],
            sends_until: vec![0; ports + LANES],
            pairs,
            pair: vec![0; pair_count as usize * pair_words],
            pair_words,
            pointers: vec![0; pair_count as usize],
            scratch: Scratch {
                inputs_of: [0; 64],
                queue_of: vec![0; radix_max * radix_max],
                ages: vec![0; if has.oldest_first { radix_max * radix_max } else { 0 }],
                matching: (0..=radix_max).map(|ports| Matching::new(ports.max(1))).collect(),
            },
            scratch_words: vec![0; pair_words],
            recn,
            two_level,
            faults,
            reorder: if config.endnode.reorder_buffer {
                vec![Reorder::default(); nodes]
            } else {
                Vec::new()
            },
            bypass: Bypass::new(config.switch.max_bypass, ports),
            pauses: Pauses::new(config, &params, ports)?,
            ends: Ends::new(config.endnode.ecn, nodes),
            marks,
            nodes: end_nodes,
            alive: 0,
            sent: 0,
            ejected: 0,
            reach: super::reach::Reach::new(ports),
            crossbars: Vec::with_capacity(switches),
            admits: Vec::with_capacity(nodes),
            due: std::array::from_fn(|_| Vec::with_capacity(nodes)),
            port: built.port.into(),
            params,
        };
        for n in 0..nodes {
            flat.ask_to_generate(n, 0, true);
        }
        Ok(flat)
    }
}

/// Room for credit that waits: in `oq` every output may hold packets of an input, whose tails leave
/// when they may.
fn later(port: &Port, is_oq: bool) -> Vec<Fly> {
    Vec::with_capacity(if is_oq { port.ports.into() } else { 0 })
}

/// The arbiter of a switch for a class of queues.
fn arbiter(config: &FabricConfig, s: u32, salt: u64) -> AnyArbiter {
    let name = format!("switch{s}.arbiter");
    let seed = below(&mut stream(config.run.seed, &name), u64::MAX) ^ salt;
    let radix = config.network.graph().ports(s) as usize;
    AnyArbiter::new(config.switch.arbiter, radix, seed)
        .expect("port count and iterations were checked")
}
