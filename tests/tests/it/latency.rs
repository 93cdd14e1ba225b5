//! Do the times of an empty network follow from the stage table, and do busy links and crossbars
//! have no gaps?

use observe::Event;
use plan::Switching;
use proptest::prelude::*;
use setaside_tests::base::{group, network, ratio, time_base};
use setaside_tests::hardware::random_hardware;
use setaside_tests::property::fixed;
use setaside_tests::random::Draw;
use setaside_tests::watch::Watch;
use std::collections::BTreeMap;
use topology::TopologyConfig;
use units::{Ratio, Span, Tick};
use workload::{GroupConfig, MessageBytes, WorkloadConfig};

/// One message in the network at a time, from one node to the others: is each as late as the
/// formula says?
fn check_zero_load(seed: u64, switching: Switching) -> Result<(), TestCaseError> {
    let mut draw = Draw::new(seed);
    let hardware = random_hardware(&mut draw, switching);
    let packet_bytes = draw.one(&[64, 64, 200, 2068]);
    let (min, max) = {
        let (a, b) = (draw.range(1, packet_bytes) as u32, draw.range(1, packet_bytes) as u32);
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
    let slowest =
        destinations.map(|d| hardware.zero_load(source, d, max)).max().expect("someone to send to");
    // The shortest message is one phit at least: intervals longer than the slowest message and its
    // credits.
    let parts = slowest * 2 / time_base(hardware.speedup).link_ticks(min) + 2;
    let group = group("probe", ratio(1, parts), [source], &[]);
    let message_bytes = MessageBytes::Uniform { min, max };
    let workload = WorkloadConfig {
        self_traffic,
        message_bytes,
        groups: vec![group],
        ..WorkloadConfig::default()
    };
    let mut config = hardware.fabric(&mut draw, &workload, seed);
    config.packet_bytes = packet_bytes as u32;
    // A message to oneself leaves the switch on the link that carries the credit for its own cells:
    // out of band only.
    let control = if self_traffic { 0 } else { draw.one(&[0, 2, 6, 14]) };
    (config.link.control_packet_bytes, config.link.named_control_bytes) = (control, control);
    // The long silences between messages are wanted.
    config.run.watchdog = Span::MAX;
    let until = Tick::ZERO + time_base(hardware.speedup).link_ticks(max) * 16 * parts;
    let ejected = Watch::default().of(&config, until).ejected;
    prop_assert!(ejected.len() >= 14, "seed {seed}: {} messages", ejected.len());
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
            message_bytes,
            groups: saturating(source, destination as u32).to_vec(),
            ..WorkloadConfig::default()
        };
        let mut config = hardware.fabric(&mut draw, &workload, seed);
        (config.link.control_packet_bytes, config.link.named_control_bytes) = (0, 0);
        let settled: Tick = Tick(6_000);
        let watch = Watch::with_events().of(&config, Tick(3 * settled.0));
        let time = time_base(hardware.speedup);
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
        let mut hardware = random_hardware(&mut draw, Switching::VirtualCutThrough);
        hardware.network = network(&TopologyConfig::SingleSwitch { ports: draw.range(2, 8) as u32 }, false);
        hardware.wire_overrides.clear();
        hardware.stages.arbitration = draw.range(1, 12) as u32;
        let groups = [saturating(0, 1), saturating(1, 0)].concat();
        let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
        let mut config = hardware.fabric(&mut draw, &workload, seed);
        let control = draw.one(&[2, 6, 6, 14]);
        (config.link.control_packet_bytes, config.link.named_control_bytes) = (control, control);
        let settled: Tick = Tick(20_000);
        let watch = Watch::default().of(&config, Tick(2 * settled.0));
        let time = time_base(hardware.speedup);
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
