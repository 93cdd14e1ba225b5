//! Do the times of an empty network follow from the stage table, and do busy links and crossbars have no gaps?

use crossbar::ArbiterKind;
use fabric::{Engine, Fabric, FabricConfig};
use proptest::prelude::*;
use setaside_tests::base::{fabric_config, network, ratio, switch_config, time_base};
use setaside_tests::random::Draw;
use setaside_tests::watch::Watch;
use std::sync::Arc;
use switch::{Event, Organisation, SchemeKind, StageLatencies, Switching};
use topology::{BuildOptions, Endpoint, Network, TopologyConfig, testkit};
use turnpool::PoolKind;
use units::{Ratio, Tick, Ticks};
use workload::{GroupConfig, MessageBytes, Pattern, Sources, WorkloadConfig};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..ProptestConfig::default()
    }
}

/// What is drawn apart from the traffic.
struct Hardware {
    network: Arc<Network>,
    organisation: Organisation,
    speedup: Ratio,
    switching: Switching,
    stages: StageLatencies,
    scheme: SchemeKind,
    wire: Ticks,
    wire_overrides: Vec<((u32, u8), Ticks)>,
}

fn random_network(draw: &mut Draw, self_traffic: bool) -> Arc<Network> {
    let options = BuildOptions {
        pool: PoolKind::Extended,
        self_traffic,
        ..BuildOptions::default()
    };
    match draw.range(0, 3) {
        0 => network(
            &TopologyConfig::Bmin {
                nodes: draw.one(&[8, 16, 64]),
            },
            self_traffic,
        ),
        1 => {
            let (width, height, nodes_per_switch) = (
                draw.range(2, 4) as u32,
                draw.range(2, 4) as u32,
                draw.range(1, 3) as u32,
            );
            network(
                &TopologyConfig::Mesh {
                    width,
                    height,
                    nodes_per_switch,
                },
                self_traffic,
            )
        }
        2 => network(
            &TopologyConfig::SingleSwitch {
                ports: draw.range(2, 12) as u32,
            },
            self_traffic,
        ),
        _ => loop {
            let (switches, nodes, ports) = (
                draw.range(2, 7) as u32,
                draw.range(2, 9) as u32,
                draw.range(3, 8) as u32,
            );
            let words = &mut testkit::words(draw.range(0, u64::MAX - 1));
            if let Ok(Ok(built)) = testkit::random_graph(words, switches, nodes, ports)
                .map(|g| Network::up_down(g, &options))
            {
                break Arc::new(built);
            }
        },
    }
}

/// A wire latency for every link, the same in both directions, in the order that a fabric wants.
fn random_wires(draw: &mut Draw, network: &Network) -> Vec<((u32, u8), Ticks)> {
    let mut wires = Vec::new();
    for (a, b, _) in network.graph().links() {
        let wire = draw.range(1, 50);
        for end in [a, b] {
            if let Endpoint::Port { switch, port } = end {
                wires.push(((switch, port), wire));
            }
        }
    }
    wires.sort_unstable();
    wires
}

fn random_hardware(draw: &mut Draw, switching: Switching) -> Hardware {
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
    let wire_overrides = if draw.chance(70) {
        random_wires(draw, &network)
    } else {
        Vec::new()
    };
    Hardware {
        network,
        organisation,
        speedup,
        switching,
        stages,
        scheme,
        wire: draw.range(1, 50),
        wire_overrides,
    }
}

impl Hardware {
    fn fabric(&self, draw: &mut Draw, workload: &WorkloadConfig, seed: u64) -> FabricConfig {
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
        let mut config = fabric_config(
            self.network.clone(),
            switch,
            self.speedup,
            workload,
            1,
            seed,
        );
        config.link.wire = self.wire;
        config.link.wire_overrides.clone_from(&self.wire_overrides);
        config
    }

    /// Wire latencies on the way from `source` to `destination`, the injection link included.
    fn wires(&self, source: u32, destination: u32) -> Vec<Ticks> {
        let at = |end: (u32, u8)| {
            self.wire_overrides
                .iter()
                .find(|w| w.0 == end)
                .map_or(self.wire, |w| w.1)
        };
        let path = self.network.path(source, destination).expect("a route");
        let injection = at(self.network.graph().node_port(source));
        std::iter::once(injection)
            .chain(path.hops.iter().map(|h| at((h.switch, h.out_port))))
            .collect()
    }

    /// The sums of the stage table in clock.md, link-phit times: of the injection, and of one switch.
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
        (
            u64::from(s.lookup + s.enqueue + s.arbitration),
            table.into_iter().map(u64::from).sum(),
        )
    }

    /// Latency of a message of one packet in an empty network.
    fn zero_load(&self, source: u32, destination: u32, bytes: u32) -> Ticks {
        let time = time_base(self.speedup);
        let (injection, switch) = self.stage_sums();
        let wires = self.wires(source, destination);
        let switches = wires.len() as u64 - 1;
        let stages = (injection + switches * switch) * time.link_phit_ticks();
        let link = time.link_ticks(bytes);
        // Store-and-forward: a transfer over every link starts with the whole packet stored, and so does the one over the
        // crossbar where there is a memory on both of its sides; each takes its whole time on its own.
        let serialisation = match (self.switching, self.organisation) {
            (Switching::VirtualCutThrough, _) => link,
            (Switching::StoreAndForward, Organisation::Cioq) => {
                (switches + 1) * link + switches * time.crossbar_ticks(bytes)
            }
            (Switching::StoreAndForward, _) => (switches + 1) * link,
        };
        stages + wires.iter().sum::<Ticks>() + serialisation
    }
}

/// One message in the network at a time, from one node to the others: is each as late as the formula says?
fn check_zero_load(seed: u64, switching: Switching) -> Result<(), TestCaseError> {
    let mut draw = Draw::new(seed);
    let hardware = random_hardware(&mut draw, switching);
    let packet_bytes = draw.one(&[64, 64, 200, 2068]);
    let (min, max) = {
        let (a, b) = (
            draw.range(1, packet_bytes) as u32,
            draw.range(1, packet_bytes) as u32,
        );
        if draw.chance(30) {
            (packet_bytes as u32, packet_bytes as u32)
        } else {
            (a.min(b), a.max(b))
        }
    };
    let nodes = hardware.network.nodes() as u32;
    let source = draw.range(0, u64::from(nodes) - 1) as u32;
    let self_traffic = hardware.network.options().self_traffic;
    let destinations = (0..nodes).filter(|&d| d != source || self_traffic);
    let slowest = destinations
        .map(|d| hardware.zero_load(source, d, max))
        .max()
        .expect("someone to send to");
    // The shortest message is one phit at least: intervals longer than the slowest message and its credits.
    let parts = 2 * slowest / time_base(hardware.speedup).link_ticks(min) + 2;
    let group = GroupConfig {
        name: "probe".to_string(),
        load: Some(ratio(1, parts)),
        pattern: Pattern::Uniform,
        sources: Sources::List(vec![source]),
        ..GroupConfig::default()
    };
    let message_bytes = MessageBytes::Uniform { min, max };
    let workload = WorkloadConfig {
        load: None,
        self_traffic,
        message_bytes,
        groups: vec![group],
        ..WorkloadConfig::default()
    };
    let mut config = hardware.fabric(&mut draw, &workload, seed);
    config.packet_bytes = packet_bytes as u32;
    // A message to oneself leaves the switch on the link that carries the credit for its own cells: out of band only.
    let control = if self_traffic {
        0
    } else {
        draw.one(&[0, 2, 6, 14])
    };
    (
        config.link.control_packet_bytes,
        config.link.named_control_bytes,
    ) = (control, control);
    // The long silences between messages are wanted.
    config.run.watchdog = Ticks::MAX;
    let mut fabric =
        Fabric::new(&config, Engine::Fast, Watch::default()).expect("a legal configuration");
    fabric
        .run_until(16 * parts * time_base(hardware.speedup).link_ticks(max))
        .expect("no deadlock");
    let ejected = &fabric.observer.ejected;
    prop_assert!(
        ejected.len() >= 14,
        "seed {seed}: {} messages",
        ejected.len()
    );
    for e in ejected {
        let expected = hardware.zero_load(e.source, e.destination, e.bytes);
        let (organisation, speedup) = (hardware.organisation, hardware.speedup);
        prop_assert!(
            e.at - e.born == expected,
            "seed {seed}, {organisation} at {speedup:?}: {e:?}, {expected} ticks expected"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(400))]

    /// "Zero-load latency = wires + serialisation of one packet + the sum of these stages, exactly: injection: lookup,
    /// enqueue, arbitration; per switch, `cioq`: route, lookup, enqueue, arbitration, crossbar, lookup, enqueue, arbitration;
    /// `iq`: the first five; `oq`: route, crossbar, lookup, enqueue, arbitration." (clock.md)
    #[test]
    fn zero_load_latency_is_wires_serialisation_and_stages(seed: u64) {
        check_zero_load(seed, Switching::VirtualCutThrough)?;
    }

    /// Store-and-forward (clock.md, Switching; StageLatencies: "once the whole packet is stored"): the same stages, with the
    /// serialisation of every link, and in `cioq` of every crossbar, one after the other.
    #[test]
    fn store_and_forward_pays_every_serialisation(seed: u64) {
        check_zero_load(seed, Switching::StoreAndForward)?;
    }
}

/// A flow that always has packets waiting: two groups at full load from one source.
fn saturating(source: u32, destination: u32) -> [GroupConfig; 2] {
    ["a", "b"].map(|half| GroupConfig {
        name: format!("{half}{source}"),
        pattern: Pattern::Fixed,
        destinations: vec![destination],
        sources: Sources::List(vec![source]),
        ..GroupConfig::default()
    })
}

/// Start ticks of all transfers out of one side of every port, by port, from `from` on.
fn departures(watch: &Watch, from: Tick) -> Vec<Vec<(Tick, u32)>> {
    let mut ports: std::collections::BTreeMap<_, Vec<(Tick, u32)>> =
        std::collections::BTreeMap::new();
    for seen in watch.events.iter().filter(|s| s.at >= from) {
        if let Event::Departed { packet, .. } = seen.event {
            ports
                .entry((seen.element, seen.port, seen.side))
                .or_default()
                .push((seen.at, packet));
        }
    }
    ports.into_values().collect()
}

proptest! {
    #![proptest_config(cases(300))]

    /// "Stages are pipelined: they delay a packet and never lower a rate. Arbitration may run ahead of the known end of a
    /// transfer, with input, output and room reserved at the grant, so back-to-back packets leave no gap on link or
    /// crossbar." (clock.md) With control packets out of band one flow has the whole link, packet by packet, and at
    /// speedup 1 and in `iq` the whole crossbar too.
    #[test]
    fn back_to_back_packets_leave_no_gap(seed: u64) {
        let mut draw = Draw::new(seed);
        let mut hardware = random_hardware(&mut draw, Switching::VirtualCutThrough);
        if draw.chance(60) {
            hardware.speedup = ratio(1, 1);
        }
        hardware.stages.arbitration = draw.range(1, 12) as u32;
        let nodes = hardware.network.nodes() as u64;
        let source = draw.range(0, nodes - 1) as u32;
        let destination = (u64::from(source) + draw.range(1, nodes - 1)) % nodes;
        let message_bytes = draw.one(&[MessageBytes::Fixed(64), MessageBytes::Fixed(64), MessageBytes::Fixed(300), MessageBytes::Uniform { min: 40, max: 64 }]);
        let workload = WorkloadConfig {
            load: None,
            message_bytes,
            groups: saturating(source, destination as u32).to_vec(),
            ..WorkloadConfig::default()
        };
        let mut config = hardware.fabric(&mut draw, &workload, seed);
        (config.link.control_packet_bytes, config.link.named_control_bytes) = (0, 0);
        let settled: Tick = 6_000;
        let mut fabric = Fabric::new(&config, Engine::Fast, Watch::with_events()).expect("a legal configuration");
        fabric.run_until(3 * settled).expect("no deadlock");
        let watch = &fabric.observer;
        let time = time_base(hardware.speedup);
        let steady: Vec<_> = watch.ejected.iter().filter(|e| e.at >= settled).collect();
        prop_assert!(steady.len() > 10, "seed {seed}");
        for pair in steady.windows(2) {
            prop_assert!(pair[1].at - pair[0].at == time.link_ticks(pair[1].bytes), "seed {seed}: {pair:?}");
        }
        // Where packets are all alike, so are the starts at every link and every crossbar.
        if matches!(workload.message_bytes, MessageBytes::Fixed(64)) {
            for starts in departures(watch, settled) {
                for pair in starts.windows(2) {
                    prop_assert!(pair[1].0 - pair[0].0 == time.link_ticks(64), "seed {seed}: {pair:?}");
                }
            }
        }
    }

    /// "Control packets (...) share the link with data [...] rounded up to whole phits, not preemptive", "at full rate one
    /// 6-byte credit packet goes back for each 64-byte packet unless several merge" (clock.md): two opposite flows leave
    /// each other exactly 64 / (64 + 6) of the link.
    #[test]
    fn opposite_flows_lose_exactly_their_credit_packets(seed: u64) {
        let mut draw = Draw::new(seed);
        let mut hardware = random_hardware(&mut draw, Switching::VirtualCutThrough);
        hardware.network = network(&TopologyConfig::SingleSwitch { ports: draw.range(2, 8) as u32 }, false);
        hardware.wire_overrides.clear();
        hardware.stages.arbitration = draw.range(1, 12) as u32;
        let groups = [saturating(0, 1), saturating(1, 0)].concat();
        let workload = WorkloadConfig { load: None, groups, ..WorkloadConfig::default() };
        let mut config = hardware.fabric(&mut draw, &workload, seed);
        let control = draw.one(&[2, 6, 6, 14]);
        (config.link.control_packet_bytes, config.link.named_control_bytes) = (control, control);
        let settled: Tick = 20_000;
        let mut fabric = Fabric::new(&config, Engine::Fast, Watch::default()).expect("a legal configuration");
        fabric.run_until(2 * settled).expect("no deadlock");
        let time = time_base(hardware.speedup);
        let period = time.link_ticks(64) + time.link_ticks(control);
        for destination in [0, 1] {
            let at: Vec<Tick> = fabric.observer.ejected.iter().filter(|e| e.destination == destination && e.at >= settled).map(|e| e.at).collect();
            prop_assert!(at.len() > 10, "seed {seed}");
            // A credit packet may fall behind one packet or the next, so packets come early or late by one credit packet,
            // but this never adds up: between any two packets there is one period for each.
            let drift = at.iter().zip(0i64..).map(|(&at, k)| at as i64 - k * period as i64);
            let (early, late) = (drift.clone().min().expect("packets"), drift.max().expect("packets"));
            prop_assert!(late - early <= time.link_ticks(control) as i64, "seed {seed}: {early} to {late}, period {period}");
        }
    }
}
