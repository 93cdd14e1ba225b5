//! Do the times of an empty network follow from the stage table, and do busy links and crossbars
//! have no gaps?

use proptest::prelude::*;
use setaside_tests::places::{random_network, wires};
use setaside_tests::prelude::*;

/// Any legal combination, with room for every round trip and without traffic.
fn random_hardware(draw: &mut Draw, switching: Switching) -> FabricConfig {
    let self_traffic = draw.chance(20);
    // Queues for each port of more would be shorter than a packet.
    let network = loop {
        let network = random_network(draw, self_traffic);
        let graph = network.graph();
        if (0..graph.switches() as u32).all(|switch| graph.ports(switch) <= 12) {
            break network;
        }
    };
    use Organisation::{Cioq, Iq, Oq};
    use SchemeKind::{Damq, Dbbm, OneQueue, Recn, VoqSw};
    let speedups = [ratio(1, 1), ratio(3, 2), ratio(2, 1), ratio(4, 3)];
    let (organisation, speedup, schemes) = match draw.range(0, 5) {
        0 => (Oq, Ratio::ONE, &[OneQueue][..]),
        1 => (Iq, Ratio::ONE, &[OneQueue, VoqSw, Damq][..]),
        _ => (Cioq, draw.one(&speedups), &[OneQueue, VoqSw, Dbbm, Damq, Recn][..]),
    };
    let mut stage = |low| draw.range(low, 6) as u32;
    let stages = StageLatencies {
        route: stage(0),
        lookup: stage(0),
        enqueue: stage(1),
        arbitration: stage(1),
        crossbar: stage(1),
        credit_return: stage(0),
    };
    let switch = SwitchConfig {
        organisation,
        switching,
        stages,
        port_memory_bytes: 65_536,
        arbiter: draw.one(&ARBITERS),
        ..switch_config(draw.one(schemes))
    };
    let overrides = if draw.chance(70) { wires(draw, &network, 50, 0) } else { Vec::new() };
    let mut config = fabric_config(network, switch, speedup, &WorkloadConfig::default(), 1, 1);
    config.link.wire = Span(draw.range(1, 50));
    config.link.wire_overrides = overrides;
    config
}

/// With this traffic, and control packets of so many bytes.
fn send(config: &mut FabricConfig, workload: &WorkloadConfig, control_bytes: u32, seed: u64) {
    let nodes = config.network.nodes() as u32;
    config.workload = workload.build(nodes, &config.time_base, seed).expect("a legal workload");
    config.link.control_packet_bytes = control_bytes;
    config.link.named_control_bytes = control_bytes;
}

/// Latency of a message of one packet in an empty network: the sums of the stage table in clock.md,
/// of the injection and of each switch, wires, serialisation.
fn zero_load(config: &FabricConfig, source: u32, destination: u32, bytes: u32) -> Span {
    let (network, switch, time) = (&config.network, &config.switch, &config.time_base);
    let s = switch.stages;
    let injection = s.lookup + s.enqueue + s.arbitration;
    let of_switch = match switch.organisation {
        Organisation::Cioq => s.route + 2 * injection + s.crossbar,
        Organisation::Iq | Organisation::Oq => s.route + injection + s.crossbar,
    };
    let overrides = &config.link.wire_overrides;
    let wire = |end| overrides.iter().find(|w| w.0 == end).map_or(config.link.wire, |w| w.1);
    let hops = network.path(source, destination).expect("a route").hops;
    let switches = hops.len() as u64;
    let wires = hops.iter().map(|h| wire((h.switch, h.out_port))).sum::<Span>()
        + wire(network.graph().node_port(source));
    let link = time.link_ticks(bytes);
    // Store-and-forward: a transfer over every link starts with the whole packet stored, and so
    // does the one over the crossbar where there is a memory on both of its sides; each takes its
    // whole time on its own.
    let serialisation = match (switch.switching, switch.organisation) {
        (Switching::VirtualCutThrough, _) => link,
        (Switching::StoreAndForward, Organisation::Cioq) => {
            link * (switches + 1) + time.crossbar_ticks(bytes) * switches
        }
        (Switching::StoreAndForward, _) => link * (switches + 1),
    };
    let stages = u64::from(injection) + switches * u64::from(of_switch);
    time.link_phit_ticks() * stages + wires + serialisation
}

/// One message in the network at a time, from one node to the others: is each as late as the
/// formula says?
fn check_zero_load(seed: u64, switching: Switching) -> Result<(), TestCaseError> {
    let mut draw = Draw::new(seed);
    let mut config = random_hardware(&mut draw, switching);
    config.packet_bytes = draw.one(&[64, 64, 200, 2068]);
    let mut length = || draw.range(1, config.packet_bytes.into()) as u32;
    let lengths = [length(), length()];
    let [min, max] = match draw.chance(30) {
        true => [config.packet_bytes; 2],
        false => [lengths[0].min(lengths[1]), lengths[0].max(lengths[1])],
    };
    let nodes = config.network.nodes() as u32;
    let source = draw.range(0, u64::from(nodes) - 1) as u32;
    let self_traffic = config.network.options().self_traffic;
    let destinations = (0..nodes).filter(|&d| d != source || self_traffic);
    let slowest = destinations.map(|d| zero_load(&config, source, d, max)).max();
    // The shortest message is one phit at least: intervals longer than the slowest message and its
    // credits.
    let shortest = config.time_base.link_ticks(min);
    let parts = slowest.expect("someone to send to") * 2 / shortest + 2;
    let workload = WorkloadConfig {
        self_traffic,
        message_bytes: MessageBytes::Uniform { min, max },
        groups: vec![group("probe", ratio(1, parts), [source], &[])],
        ..WorkloadConfig::default()
    };
    // A message to oneself leaves the switch on the link that carries the credit for its own cells:
    // out of band only.
    let control = if self_traffic { 0 } else { draw.one(&[0, 2, 6, 14]) };
    send(&mut config, &workload, control, seed);
    // The long silences between messages are wanted.
    config.run.watchdog = Span::MAX;
    let until = Tick::ZERO + config.time_base.link_ticks(max) * 16 * parts;
    let ejected = Watch::default().of(&config, until).ejected;
    prop_assert!(ejected.len() >= 14, "seed {seed}: {} messages", ejected.len());
    for e in ejected {
        let expected = zero_load(&config, e.source, e.destination, e.bytes);
        let (organisation, time) = (config.switch.organisation, &config.time_base);
        prop_assert!(
            e.at - e.born == expected,
            "seed {seed}, {organisation}, {time:?}: {e:?}, {expected} ticks expected"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(fixed(400, 2005))]

    /// "Zero-load latency = wires + serialisation of one packet + the sum of these stages, exactly:
    /// injection: lookup, enqueue, arbitration; per switch, `cioq`: route, lookup, enqueue,
    /// arbitration, crossbar, lookup, enqueue, arbitration; `iq`: the first five; `oq`: route,
    /// crossbar, lookup, enqueue, arbitration." (clock.md)
    #[test]
    fn zero_load_latency_is_wires_serialisation_and_stages(seed: u64) {
        check_zero_load(seed, Switching::VirtualCutThrough)?;
    }

    /// Store-and-forward (clock.md, Switching; StageLatencies: "once the whole packet is stored"):
    /// the same stages, with the serialisation of every link, and in `cioq` of every crossbar, one
    /// after the other.
    #[test]
    fn store_and_forward_pays_every_serialisation(seed: u64) {
        check_zero_load(seed, Switching::StoreAndForward)?;
    }
}

/// A flow that always has packets waiting: two groups at full load from one source.
fn saturating(source: u32, destination: u32) -> [GroupConfig; 2] {
    ["a", "b"].map(|half| group(&format!("{half}{source}"), Ratio::ONE, [source], &[destination]))
}

/// Start ticks of all transfers out of one side of every port, by port, from `from` on.
fn departures(watch: &Watch, from: Tick) -> Vec<Vec<Tick>> {
    let mut ports: BTreeMap<_, Vec<Tick>> = BTreeMap::new();
    for seen in watch.events.iter().filter(|s| s.at >= from) {
        if let Event::Departed { .. } = seen.event {
            ports.entry(seen.port).or_default().push(seen.at);
        }
    }
    ports.into_values().collect()
}

proptest! {
    #![proptest_config(fixed(300, 2005))]

    /// "Stages are pipelined: they delay a packet and never lower a rate. Arbitration may run ahead
    /// of the known end of a transfer, with input, output and room reserved at the grant, so
    /// back-to-back packets leave no gap on link or crossbar." (clock.md) With control packets out
    /// of band one flow has the whole link, packet by packet, and at speedup 1 and in `iq` the
    /// whole crossbar too.
    #[test]
    fn back_to_back_packets_leave_no_gap(seed: u64) {
        let mut draw = Draw::new(seed);
        let mut config = random_hardware(&mut draw, Switching::VirtualCutThrough);
        if draw.chance(60) {
            config.time_base = time_base(ratio(1, 1));
        }
        config.switch.stages.arbitration = draw.range(1, 12) as u32;
        let nodes = config.network.nodes() as u64;
        let source = draw.range(0, nodes - 1) as u32;
        let destination = (u64::from(source) + draw.range(1, nodes - 1)) % nodes;
        let message_bytes = draw.one(&[MessageBytes::Fixed(64), MessageBytes::Fixed(64), MessageBytes::Fixed(300), MessageBytes::Uniform { min: 40, max: 64 }]);
        let workload = WorkloadConfig {
            message_bytes,
            groups: saturating(source, destination as u32).to_vec(),
            ..WorkloadConfig::default()
        };
        send(&mut config, &workload, 0, seed);
        let settled: Tick = Tick(6_000);
        let watch = Watch::with_events().of(&config, Tick(3 * settled.0));
        let time = &config.time_base;
        let steady: Vec<_> = watch.ejected.iter().filter(|e| e.at >= settled).collect();
        prop_assert!(steady.len() > 10, "seed {seed}");
        for pair in steady.windows(2) {
            prop_assert!(pair[1].at - pair[0].at == time.link_ticks(pair[1].bytes), "seed {seed}: {pair:?}");
        }
        // Where packets are all alike, so are the starts at every link and every crossbar.
        if matches!(workload.message_bytes, MessageBytes::Fixed(64)) {
            for starts in departures(&watch, settled) {
                for pair in starts.windows(2) {
                    prop_assert!(pair[1] - pair[0] == time.link_ticks(64), "seed {seed}: {pair:?}");
                }
            }
        }
    }

    /// "Control packets (...) share the link with data [...] rounded up to whole phits, not
    /// preemptive", "at full rate one 6-byte credit packet goes back for each 64-byte packet unless
    /// several merge" (clock.md): two opposite flows leave each other exactly 64 / (64 + 6) of the
    /// link.
    #[test]
    fn opposite_flows_lose_exactly_their_credit_packets(seed: u64) {
        let mut draw = Draw::new(seed);
        let mut config = random_hardware(&mut draw, Switching::VirtualCutThrough);
        config.network = network(&TopologyConfig::SingleSwitch { ports: draw.range(2, 8) as u32 });
        config.link.wire_overrides.clear();
        config.switch.stages.arbitration = draw.range(1, 12) as u32;
        let groups = [saturating(0, 1), saturating(1, 0)].concat();
        let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
        let control = draw.one(&[2, 6, 6, 14]);
        send(&mut config, &workload, control, seed);
        let settled: Tick = Tick(20_000);
        let watch = Watch::default().of(&config, Tick(2 * settled.0));
        let time = &config.time_base;
        let period = time.link_ticks(64) + time.link_ticks(control);
        for destination in [0, 1] {
            let at: Vec<Tick> = watch.ejected.iter().filter(|e| e.destination == destination && e.at >= settled).map(|e| e.at).collect();
            prop_assert!(at.len() > 10, "seed {seed}");
            // A credit packet may fall behind one packet or the next, so packets come early or late
            // by one credit packet, but this never adds up: between any two packets there is one
            // period for each.
            let drift = at.iter().zip(0i64..).map(|(&at, k)| at.0 as i64 - k * period.0 as i64);
            let (early, late) = (drift.clone().min().expect("packets"), drift.max().expect("packets"));
            prop_assert!(late - early <= time.link_ticks(control).0 as i64, "seed {seed}: {early} to {late}, period {period}");
        }
    }
}
