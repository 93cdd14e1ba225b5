//! Random hardware, and how late a packet is in it when it is alone.

use crate::base::{fabric_config, ratio, switch_config, time_base};
use crate::places::{self, random_network};
use crate::random::{ARBITERS, Draw};
use plan::FabricConfig;
use plan::{Organisation, SchemeKind, StageLatencies, Switching};
use std::sync::Arc;
use topology::Network;
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

/// Any legal combination.
pub fn random_hardware(draw: &mut Draw, switching: Switching) -> Hardware {
    let self_traffic = draw.chance(20);
    // Queues for each port of more would be shorter than a packet.
    let network = loop {
        let network = random_network(draw, self_traffic);
        let graph = network.graph();
        if (0..graph.switches() as u32).all(|switch| graph.ports(switch) <= 12) {
            break network;
        }
    };
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
    let some = draw.chance(70);
    let wire_overrides = if some { places::wires(draw, &network, 50, 0) } else { Vec::new() };
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
        switch.arbiter = draw.one(&ARBITERS);
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
