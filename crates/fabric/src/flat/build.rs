//! From a configuration to records.

use super::bypass::Bypass;
use super::crossbar::{Crossing, Scratch, Switch};
use super::ecn::{Ends, Marks};
use super::faults::Faults;
use super::nodes::Node;
use super::pause::Pauses;
use super::recn::{Commits, Recn, SaqRequests, Side};
use super::records::{Fly, Packets, Port, Queue, Size, Words};
use super::reorder::Reorder;
use super::threads::{Here, Post};
use super::two_level::TwoLevel;
use super::waiting::Waiting;
use super::wheel::{IDS_MAX, NONE, T, Wheel};
use super::{Flat, TICKS_MAX, Times, mapping};
use crate::config::{FabricConfig, RoutingKind};
use crate::layouts::Layouts;
use crate::plan::checked;
use ::recn::{IngressDetection, RecnPort};
use crossbar::{AnyArbiter, Matching};
use endnode::Order;
use hierarchy::LarDecision;
use observe::Owner;
use std::collections::VecDeque;
use std::sync::Arc;
use switch::{ConfigError, MemoryLayout, Organisation, Params, SaqPriority};
use topology::{Endpoint, Network};
use turnpool::Route;
use units::{ElementId, PortId, QueueId, Span, VcStep};
use workload::rng::{below, stream};

/// Up to this many nodes all routes are kept.
const ROUTES_NODES_MAX: usize = 1024;

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

/// Whether a fabric is one in which nothing can be told ahead, whoever looks.
pub(crate) fn needs_order(config: &FabricConfig, params: &Params) -> bool {
    let switch = &config.switch;
    params.recn.is_some() && (switch.ecn.is_some() || switch.max_bypass.is_some())
}

impl<const EAGER: bool> Flat<EAGER> {
    /// The parts of a fabric before its first tick.
    ///
    /// # Errors
    /// What cannot be built.
    pub(crate) fn all(config: &FabricConfig, here: &Here) -> Result<Vec<Flat<EAGER>>, ConfigError> {
        let mut parts: Vec<Flat<EAGER>> = Vec::with_capacity(here.parts);
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
        first: Option<&Flat<EAGER>>,
    ) -> Result<Flat<EAGER>, ConfigError> {
        let params = checked(config)?;
        let network: &Network = &config.network;
        let graph = network.graph();
        let layouts = Layouts {
            params: &params,
            graph,
        };
        let (switches, nodes) = (network.switches(), network.nodes());
        let first_node = graph.ports_total();
        let mut built = Built::default();
        for s in 0..switches as u32 {
            for number in 0..graph.ports(s) as u8 {
                built.port(config, &layouts, here, s, number)?;
            }
        }
        for n in 0..nodes as u32 {
            built.node_port(config, &layouts, here, n)?;
        }
        let ports = built.port.len();
        if built.queues.len() >= IDS_MAX {
            let what = format!("{} queues; legal: fewer than {IDS_MAX}", built.queues.len());
            return Err(ConfigError::Impossible { what });
        }
        let radix_max = (0..switches as u32)
            .map(|s| graph.ports(s))
            .max()
            .unwrap_or(1) as usize;
        let normal_max = built
            .port
            .iter()
            .map(|p| usize::from(p.ingress_queues))
            .max()
            .unwrap_or(1);
        let decides_again = config.switch.adaptive.map(|a| a.decision) == Some(LarDecision::Head);
        let shared = params.shared_outputs || decides_again;
        let pair_words = normal_max.div_ceil(64).max(1);
        let [ingress_map, egress_map] = mapping::Map::of(&config.switch);
        let (mut pairs, mut pair_count) = (vec![0; ports], 0);
        for (p, port) in built.port.iter().enumerate() {
            if shared && port.ingress_queues > 0 {
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
        let end_nodes = generators.into_iter().enumerate().map(|(n, generators)| {
            // One of another part knows no destinations.
            let nodes = if has_node(n as u32) { nodes } else { 0 };
            let saqs = params.saqs() as usize;
            let queues = usize::from(built.port[first_node + n].egress_queues) + saqs;
            let stream = stream(config.run.seed, &format!("node{n}.admittance"));
            Node::new(generators, nodes, queues, params.config.reply_vcs, stream)
        });
        let end_nodes: Vec<Node> = end_nodes.collect();
        let by_turns = config.routing == RoutingKind::Turns;
        let routes = match first {
            Some(first) => Arc::clone(&first.routes),
            None if nodes <= ROUTES_NODES_MAX && by_turns => all_routes(network).into(),
            None => Arc::default(),
        };
        let tables = match first {
            Some(first) => Arc::clone(&first.tables),
            None => all_tables(config).into(),
        };
        let largest = params.lengths(config.packet_bytes);
        let oldest_first = config.switch.arbiter.reads_ages();
        let faults = Faults::new(config, ports)?;
        let mut recn = recn(config, &params, &built, !EAGER);
        if faults.is_on {
            recn.have_named(ports, ticks(params.named_span));
        }
        let two_level = TwoLevel::new(config, &params, built.queues.len());
        let marks = Marks::new(config, &params, built.queues.len())?;
        let is_oq = config.switch.organisation == Organisation::Oq;
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
            network: config.network.clone(),
            owners: match first {
                Some(first) => Arc::clone(&first.owners),
                None => built.owners.into(),
            },
            first_node,
            post: Post::new(here, graph),
            is_iq: config.switch.organisation == Organisation::Iq,
            is_oq,
            multicast: config.switch.input_multicast_read,
            oldest_first,
            shared,
            one_queue: ingress_map == mapping::Map::One,
            store_and_forward: params.store_and_forward,
            out_of_band: params.credit_span.is_zero() && params.pause.is_none(),
            per_queue_credits: params.per_queue_credits,
            by_turns,
            is_order_kept: crate::plan::order(config) == Order::Kept,
            vcs: params.vcs,
            first_reply_vc: params.first_reply_vc(),
            ingress_map,
            egress_map,
            routes,
            tables,
            steps: built.steps,
            packet_bytes: config.packet_bytes,
            admittance: config.endnode.admittance_arbiter,
            admittance_bytes: config.endnode.admittance_bytes,
            generator: config.endnode.generator,
            replies: config
                .workload
                .summaries
                .iter()
                .map(|s| s.replies)
                .collect(),
            wheel: Wheel::with_room(2 * ports),
            packets: Packets::default(),
            sizes: vec![Size {
                link: ticks(largest.link),
                crossbar: ticks(largest.crossbar),
                cells: largest.cells as u16,
            }],
            size_of_bytes: vec![u16::MAX; config.packet_bytes as usize + 1],
            queues: built.queues,
            credits: built.credits,
            room: built.room,
            back: built.back,
            wide: vec![0; built.words],
            further: (0..ports)
                .map(|_| VecDeque::with_capacity(FURTHER))
                .collect(),
            later: built.port.iter().map(|port| later(port, is_oq)).collect(),
            wires: vec![(NONE, NONE); ports],
            arrivals: vec![(NONE, NONE); ports],
            switches: machines,
            crossing: vec![Crossing::NONE; ports],
            pairs,
            pair: vec![0; pair_count as usize * pair_words],
            pair_words,
            pointers: vec![0; pair_count as usize],
            scratch: Scratch {
                inputs_of: [0; 64],
                queue_of: vec![0; radix_max * radix_max],
                ages: vec![
                    0;
                    if oldest_first {
                        radix_max * radix_max
                    } else {
                        0
                    }
                ],
                matching: (0..=radix_max)
                    .map(|ports| Matching::new(ports.max(1)))
                    .collect(),
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
            extras: marks.is_on || params.pause.is_some() || config.switch.max_bypass.is_some(),
            answers: config.endnode.ecn.is_some(),
            bypass: Bypass::new(config.switch.max_bypass, ports),
            are_stores_timed: !EAGER || marks.is_on || params.pause.is_some() || is_oq,
            pauses: Pauses::new(config, &params, ports)?,
            ends: Ends::new(config.endnode.ecn, nodes),
            marks,
            nodes: end_nodes,
            alive: 0,
            sent: 0,
            ejected: 0,
            crossbars: Vec::with_capacity(switches),
            admits: Vec::with_capacity(nodes),
            due: std::array::from_fn(|_| Vec::with_capacity(nodes)),
            port: built.port.into(),
            params,
        };
        for n in 0..nodes {
            flat.arm_generation(n, 0, true);
        }
        Ok(flat)
    }
}

/// Sides of ports and registers of switches, where the scheme has SAQs. `timed`: all
/// sides are, always.
fn recn(config: &FabricConfig, params: &Params, built: &Built, timed: bool) -> Recn {
    let (Some(thresholds), Some(rules)) = (params.recn, params.rules) else {
        return words(params, built.port.len());
    };
    let saqs = params.saqs() as usize;
    let ingress = built.port.iter().map(|port| {
        let normal = usize::from(port.ingress_queues);
        let lines = (normal > 0 && saqs > 0)
            .then(|| RecnPort::new(saqs, QueueId::at(normal), rules, rules.moves()));
        let outputs = if rules.moves() { port.ports.into() } else { 0 };
        Side::new(lines, (normal, saqs), outputs)
    });
    let without_queues = config.switch.recn.iq_egress_lines;
    let egress = built.port.iter().map(|port| {
        let normal = usize::from(port.egress_queues);
        let lines = ((normal > 0 || without_queues) && saqs > 0)
            .then(|| RecnPort::new(saqs, QueueId::at(normal), rules, false));
        Side::new(lines, (normal, saqs), 0)
    });
    let sides: Vec<Side> = ingress.chain(egress).collect();
    let graph = config.network.graph();
    let switches = (0..graph.switches() as u32).map(|s| {
        let radix = graph.ports(s) as usize;
        Commits {
            messages: Vec::with_capacity(2 * radix),
            tokens: Vec::with_capacity(radix),
            next_timer: NONE,
            wanted: 0,
            arbiter: arbiter(config, s, 0x5a90_0000_0000_0001),
        }
    });
    let (mut pairs, mut count) = (vec![0; built.port.len()], 0);
    for (pair, port) in pairs.iter_mut().zip(&built.port) {
        if port.at_switch {
            *pair = count;
            count += u32::from(port.ports);
        }
    }
    let below_root = thresholds.root_xoff_packets.filter(|_| rules.tokens);
    let ports = built.port.len();
    Recn {
        is_on: true,
        config: Some((thresholds, rules)),
        moves: rules.moves(),
        named_span: ticks(params.named_span),
        strict: config.switch.saq_priority == SaqPriority::Strict,
        timed: vec![timed || rules.moves(); sides.len()],
        ingress_below: match rules.ingress_detection {
            IngressDetection::None => u32::MAX,
            _ => thresholds.detection_ingress_packets,
        },
        egress_below: below_root
            .unwrap_or(u32::MAX)
            .min(thresholds.detection_egress_packets.saturating_add(1)),
        calm: Vec::with_capacity(sides.len()),
        ahead: Vec::new(),
        requests: vec![SaqRequests::default(); ports],
        switches: switches.collect(),
        pairs,
        saqs_of: vec![0; count as usize],
        pointers: vec![0; count as usize],
        saq_of: vec![0; count as usize],
        inputs_of: vec![0; 64],
        waiting: (0..ports).map(|_| VecDeque::new()).collect(),
        wires: (0..ports).map(|_| VecDeque::new()).collect(),
        asked: vec![NONE; graph.switches() + config.network.nodes()],
        due: Vec::new(),
        sides,
    }
}

/// Of a fabric without SAQs: words of pause on links.
fn words(params: &Params, ports: usize) -> Recn {
    let Some(pause) = &params.pause else {
        return Recn::default();
    };
    Recn {
        named_span: ticks(pause.span),
        waiting: vec![VecDeque::new(); ports],
        wires: vec![VecDeque::new(); ports],
        ..Recn::default()
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

/// What grows port by port.
#[derive(Default)]
struct Built {
    port: Vec<Port>,
    owners: Vec<Owner>,
    queues: Vec<Queue>,
    credits: Vec<u16>,
    room: Vec<u16>,
    back: Vec<u16>,
    words: usize,
    steps: Vec<Box<[VcStep]>>,
}

impl Built {
    fn port(
        &mut self,
        config: &FabricConfig,
        layouts: &Layouts<'_>,
        here: &Here,
        s: u32,
        number: u8,
    ) -> Result<(), ConfigError> {
        let network = &config.network;
        let graph = network.graph();
        let end = graph.peer(s, number);
        let steps = network.vc_steps(s, number);
        let keep = steps.iter().all(|step| *step == VcStep::Keep);
        self.steps
            .push(if keep { Box::default() } else { steps.into() });
        let place = Place {
            element: s,
            number,
            ports: graph.ports(s) as u8,
            width: network.turn_width(s) as u8,
            first: graph.port_index(s, 0) as u32,
            at_switch: true,
            latency: config.link.latency(s, number),
            end,
            is_here: here.has(s),
            is_cut: matches!(end, Endpoint::Port { switch, .. } if here.of(switch) != here.of(s)),
        };
        if layouts.is_connected(s, number) {
            layouts.params.check_headroom(place.latency)?;
        }
        let ingress = layouts.ingress(s, number)?.unwrap_or_default();
        let egress = layouts.egress(s, number)?.unwrap_or_default();
        let own = layouts.credited(Endpoint::Port {
            switch: s,
            port: number,
        })?;
        self.add(graph, layouts, place, egress, ingress, own)
    }

    fn node_port(
        &mut self,
        config: &FabricConfig,
        layouts: &Layouts<'_>,
        here: &Here,
        n: u32,
    ) -> Result<(), ConfigError> {
        let graph = config.network.graph();
        let (switch, port) = graph.node_port(n);
        self.steps.push(Box::default());
        let place = Place {
            element: n,
            number: 0,
            ports: 1,
            width: 0,
            first: (graph.ports_total() + n as usize) as u32,
            at_switch: false,
            latency: config.link.latency(switch, port),
            end: Endpoint::Port { switch, port },
            is_here: here.has(switch),
            is_cut: false,
        };
        let egress = layouts.injection(n)?;
        let own = MemoryLayout::single(1);
        self.add(graph, layouts, place, egress, MemoryLayout::default(), own)
    }

    fn add(
        &mut self,
        graph: &topology::Graph,
        layouts: &Layouts<'_>,
        place: Place,
        mut egress: MemoryLayout,
        mut ingress: MemoryLayout,
        mut own: MemoryLayout,
    ) -> Result<(), ConfigError> {
        let mut next = layouts.credited(place.end)?;
        let vcs = u32::from(layouts.params.vcs);
        let [egress_of_vc, ingress_of_vc] =
            [&egress, &ingress].map(|layout| (layout.queues / vcs) as u16);
        if !place.is_here {
            for layout in [&mut egress, &mut ingress, &mut own, &mut next] {
                *layout = MemoryLayout::default();
            }
        }
        let p = self.port.len();
        let peer: u32 = match place.end {
            Endpoint::Port { switch, port } => graph.port_index(switch, port) as u32,
            Endpoint::Node(node) => (graph.ports_total() + node as usize) as u32,
            Endpoint::None => NONE,
        };
        let element = if place.at_switch {
            place.element
        } else {
            graph.switches() as u32 + place.element
        };
        self.owners.push(Owner {
            element: ElementId(element),
            port: PortId(place.number),
        });
        let mut words = |count: u32| {
            if count <= 64 {
                return Words::default();
            }
            let first = self.words as u32;
            let len = count.div_ceil(64);
            self.words += len as usize;
            Words {
                first,
                len: len as u16,
            }
        };
        let saqs = |layout: &MemoryLayout| match layout.queues {
            0 => 0,
            _ => layouts.params.saqs(),
        };
        let (at_ingress, at_egress) = (saqs(&ingress), saqs(&egress));
        let (egress_words, back_words) = (words(egress.queues + at_egress), words(own.classes));
        let first_ingress = self.queues.len();
        self.queues
            .extend((0..ingress.queues + at_ingress).map(|_| Queue::new(p)));
        let first_egress = self.queues.len();
        self.queues
            .extend((0..egress.queues + at_egress).map(|_| Queue::new(p)));
        let counters = |all: &mut Vec<u16>, layout: &MemoryLayout| {
            let first = all.len() as u32;
            all.extend((0..layout.classes).map(|_| layout.class_cells as u16));
            first
        };
        let back = self.back.len() as u32;
        self.back.extend((0..own.classes).map(|_| 0));
        self.port.push(Port {
            peer,
            latency: ticks(place.latency),
            element: place.element,
            first: place.first,
            number: place.number,
            ports: place.ports,
            width: place.width,
            at_switch: place.at_switch,
            to_switch: matches!(place.end, Endpoint::Port { .. }),
            egress: first_egress as u32,
            egress_queues: egress.queues as u16,
            egress_of_vc,
            is_cut: place.is_cut,
            ingress: first_ingress as u32,
            ingress_queues: ingress.queues as u16,
            ingress_of_vc,
            credits: counters(&mut self.credits, &next),
            credit_cells: next.class_cells as u16,
            room: counters(&mut self.room, &egress),
            room_cells: egress.class_cells as u16,
            back,
            egress_words,
            back_words,
            busy: 0,
            asked: NONE,
            tail_end: NONE,
            leaving_class: 0,
            leaving_cells: 0,
            eligible: 0,
            waiting: 0,
            ready: NONE,
            later: NONE,
            later_class: 0,
            later_cells: 0,
            pointer: 0,
            back_pointer: 0,
            flying: 0,
            awaits_credit: false,
            // Over a cut link credit is told in its tick.
            owes_urgently: place.is_cut,
            awaits_room: false,
            named: false,
            fly: [Fly::NONE; 2],
        });
        Ok(())
    }
}

struct Place {
    element: u32,
    number: u8,
    ports: u8,
    width: u8,
    first: u32,
    at_switch: bool,
    latency: Span,
    end: Endpoint,
    /// It is of this part of the fabric, and its link leads to another.
    is_here: bool,
    is_cut: bool,
}

/// Routes by source, then destination.
fn all_routes(network: &Network) -> Vec<Route> {
    let nodes = 0..network.nodes() as u32;
    let pairs = nodes
        .clone()
        .flat_map(|s| nodes.clone().map(move |d| (s, d)));
    pairs
        .map(|(s, d)| network.route(s, d).unwrap_or(Route::EMPTY))
        .collect()
}

/// By port; none of end nodes.
fn all_tables(config: &FabricConfig) -> Vec<Option<Arc<switch::RouteTable>>> {
    let graph = config.network.graph();
    let ports = (0..graph.switches() as u32)
        .flat_map(|s| (0..graph.ports(s) as u8).map(move |port| (s, port)));
    let tables = ports.map(|(s, port)| table(config, s, port));
    tables.chain((0..graph.nodes()).map(|_| None)).collect()
}

/// The table of an ingress port, where switches route by tables.
fn table(config: &FabricConfig, s: u32, port: u8) -> Option<Arc<switch::RouteTable>> {
    if config.routing != RoutingKind::Table {
        return None;
    }
    let tables = config.network.tables()?;
    let sets = (0..config.network.nodes() as u32).map(|d| tables.candidates(s, port, d));
    Some(Arc::new(switch::RouteTable::Several(sets.collect())))
}
