//! Random hardware, and how late a packet is in it when it is alone.

use crate::base::{fabric_config, network, ratio, switch_config, time_base};
use crate::random::Draw;
use crossbar::ArbiterKind;
use plan::FabricConfig;
use plan::{Organisation, SchemeKind, StageLatencies, Switching};
use std::sync::Arc;
use topology::{BuildOptions, Endpoint, Network, TopologyConfig, testkit};
use turnpool::PoolKind;
use units::{Ratio, Span};
use workload::WorkloadConfig;

/// What is drawn apart from the traffic.
pub struct Hardware {
    /// Graph and routes.
    pub network: Arc<Network>,
    /// Where the memories are.
    pub organisation: Organisation,
    /// Of the crossbar.
    pub speedup: Ratio,
    /// When a transfer may start.
    pub switching: Switching,
    /// The table.
    pub stages: StageLatencies,
    /// Of every port.
    pub scheme: SchemeKind,
    /// Of links without one of their own.
    pub wire: Span,
    /// Of single links.
    pub wire_overrides: Vec<((u32, u8), Span)>,
}

fn random_network(draw: &mut Draw, self_traffic: bool) -> Arc<Network> {
    let options =
        BuildOptions { pool: PoolKind::Extended, self_traffic, ..BuildOptions::default() };
    match draw.range(0, 3) {
        0 => network(&TopologyConfig::Bmin { nodes: draw.one(&[8, 16, 64]) }, self_traffic),
        1 => {
            let (width, height, nodes_per_switch) =
                (draw.range(2, 4) as u32, draw.range(2, 4) as u32, draw.range(1, 3) as u32);
            network(&TopologyConfig::Mesh { width, height, nodes_per_switch }, self_traffic)
        }
        2 => {
            network(&TopologyConfig::SingleSwitch { ports: draw.range(2, 12) as u32 }, self_traffic)
        }
        _ => loop {
            let (switches, nodes, ports) =
                (draw.range(2, 7) as u32, draw.range(2, 9) as u32, draw.range(3, 8) as u32);
            let words = &mut testkit::words(draw.range(0, u64::MAX - 1));
            if let Ok(graph) = testkit::random_graph(words, switches, nodes, ports)
                && let Ok(built) = Network::up_down(graph, &options)
            {
                break Arc::new(built);
            }
        },
    }
}

/// A wire latency for every link, the same in both directions, in the order that a fabric wants.
fn random_wires(draw: &mut Draw, network: &Network) -> Vec<((u32, u8), Span)> {
    let mut wires = Vec::new();
    for (a, b, _) in network.graph().links() {
        let wire = Span(draw.range(1, 50));
        for end in [a, b] {
            if let Endpoint::Port { switch, port } = end {
                wires.push(((switch, port), wire));
            }
        }
    }
    wires.sort_unstable();
    wires
}

/// Any legal combination.
pub fn random_hardware(draw: &mut Draw, switching: Switching) -> Hardware {
    let self_traffic = draw.chance(20);
    let network = random_network(draw, self_traffic);
    let (organisation, speedup) = draw.one(&[
        (Organisation::Cioq, ratio(1, 1)),
        (Organisation::Cioq, ratio(3, 2)),
        (Organisation::Cioq, ratio(2, 1)),
        (Organisation::Cioq, ratio(4, 3)),
        (Organisation::Iq, ratio(1, 1)),
        (Organisation::Oq, ratio(1, 1)),
    ]);
    let mut stage = |low| draw.range(low, 6) as u32;
    let stages = StageLatencies {
        route: stage(0),
        lookup: stage(0),
        enqueue: stage(1),
        arbitration: stage(1),
        crossbar: stage(1),
        credit_return: stage(0),
    };
    let scheme = match organisation {
        Organisation::Oq => SchemeKind::OneQueue,
        Organisation::Iq => draw.one(&[SchemeKind::OneQueue, SchemeKind::VoqSw, SchemeKind::Damq]),
        Organisation::Cioq => draw.one(&[
            SchemeKind::OneQueue,
            SchemeKind::VoqSw,
            SchemeKind::Dbbm,
            SchemeKind::Damq,
            SchemeKind::Recn,
        ]),
    };
    let wire_overrides = if draw.chance(70) { random_wires(draw, &network) } else { Vec::new() };
    Hardware {
        network,
        organisation,
        speedup,
        switching,
        stages,
        scheme,
        wire: Span(draw.range(1, 50)),
        wire_overrides,
    }
}

impl Hardware {
    /// A fabric of it with room for every round trip.
    pub fn fabric(&self, draw: &mut Draw, workload: &WorkloadConfig, seed: u64) -> FabricConfig {
        let mut switch = switch_config(self.scheme);
        switch.organisation = self.organisation;
        switch.switching = self.switching;
        switch.stages = self.stages;
        switch.port_memory_bytes = 65_536;
        switch.arbiter = draw.one(&[
            ArbiterKind::RoundRobin,
            ArbiterKind::Islip { iterations: 1 },
            ArbiterKind::OldestFirst,
            ArbiterKind::Random,
            ArbiterKind::MaximumMatching,
        ]);
        let mut config =
            fabric_config(self.network.clone(), switch, self.speedup, workload, 1, seed);
        config.link.wire = self.wire;
        config.link.wire_overrides.clone_from(&self.wire_overrides);
        config
    }

    /// Wire latencies on the way from `source` to `destination`, the injection link included.
    fn wires(&self, source: u32, destination: u32) -> Vec<Span> {
        let at = |end: (u32, u8)| {
            self.wire_overrides.iter().find(|w| w.0 == end).map_or(self.wire, |w| w.1)
        };
        let path = self.network.path(source, destination).expect("a route");
        let injection = at(self.network.graph().node_port(source));
        std::iter::once(injection)
            .chain(path.hops.iter().map(|h| at((h.switch, h.out_port))))
            .collect()
    }

    /// The sums of the stage table in clock.md, link-phit times: of the injection, and of one
    /// switch.
    fn stage_sums(&self) -> (u64, u64) {
        let s = self.stages;
        let table = match self.organisation {
            Organisation::Cioq => vec![
                s.route,
                s.lookup,
                s.enqueue,
                s.arbitration,
                s.crossbar,
                s.lookup,
                s.enqueue,
                s.arbitration,
            ],
            Organisation::Iq => vec![s.route, s.lookup, s.enqueue, s.arbitration, s.crossbar],
            Organisation::Oq => vec![s.route, s.crossbar, s.lookup, s.enqueue, s.arbitration],
        };
        (u64::from(s.lookup + s.enqueue + s.arbitration), table.into_iter().map(u64::from).sum())
    }

    /// Latency of a message of one packet in an empty network.
    pub fn zero_load(&self, source: u32, destination: u32, bytes: u32) -> Span {
        let time = time_base(self.speedup);
        let (injection, switch) = self.stage_sums();
        let wires = self.wires(source, destination);
        let switches = wires.len() as u64 - 1;
        let stages = time.link_phit_ticks() * (injection + switches * switch);
        let link = time.link_ticks(bytes);
        // Store-and-forward: a transfer over every link starts with the whole packet stored, and so
        // does the one over the crossbar where there is a memory on both of its sides; each takes
        // its whole time on its own.
        let serialisation = match (self.switching, self.organisation) {
            (Switching::VirtualCutThrough, _) => link,
            (Switching::StoreAndForward, Organisation::Cioq) => {
                link * (switches + 1) + time.crossbar_ticks(bytes) * switches
            }
            (Switching::StoreAndForward, _) => link * (switches + 1),
        };
        stages + wires.into_iter().sum::<Span>() + serialisation
    }
}
