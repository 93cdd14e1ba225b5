//! Does the watchdog bark when it should, and only then?

use fabric::RunError;
use plan::ConfigError;
use setaside_tests::family::adversarial;
use setaside_tests::prelude::*;
use setaside_tests::random::case;
use setaside_tests::watch::Moment;
use topology::{GraphBuilder, LinkAttributes, Parts, Routes};

fn lone_packet(watchdog_after_birth: u64) -> Result<(), RunError> {
    let groups = vec![group("lone", ratio(1, 1000), [0], &[1])];
    let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
    let network = network(&TopologyConfig::SingleSwitch { ports: 2 });
    let switch = switch_config(SchemeKind::OneQueue);
    let mut config = fabric_config(network, switch, ratio(1, 1), &workload, 100_000, 1);
    let born = config.workload.generators[0].1.clone().next().expect("a message").tick;
    config.run.watchdog = born.since(Tick::ZERO) + Span(watchdog_after_birth);
    Fabric::new(&config, Engine::Fast, ()).expect("legal").run_until(config.run.duration)
}

/// A long silence before a packet is none of that packet's waiting: no false alarm at low load.
#[test]
fn silence_before_a_packet_does_not_count() {
    for after in 0..40 {
        assert_eq!(lone_packet(after), Ok(()));
    }
}

/// The least legal patience, as its refusal states it.
fn least(config: &FabricConfig) -> Span {
    let mut config = config.clone();
    config.run.watchdog = Span(1);
    match Fabric::new(&config, Engine::Fast, ()).err() {
        Some(ConfigError::ShortWatchdog { given: Span(1), least }) => least,
        other => panic!("{other:?}"),
    }
}

/// "A watchdog shorter than the pipeline reports a false deadlock (refuse, with the least value)":
/// a wire that is longer than the patience is refused, and with the least patience it is no
/// deadlock.
#[test]
fn a_long_wire_is_not_a_deadlock() {
    let network = network(&TopologyConfig::SingleSwitch { ports: 4 });
    let workload = WorkloadConfig { load: Some(ratio(1, 1)), ..WorkloadConfig::default() };
    let mut switch = switch_config(SchemeKind::OneQueue);
    switch.port_memory_bytes = 64;
    let mut config = fabric_config(network, switch, ratio(1, 1), &workload, 400_000, 1);
    config.link.wire = Span(10_000);
    let least = least(&config);
    assert!((20_000..20_200).contains(&least.0), "{least}");
    config.run.watchdog = least - Span(1);
    let refused = Fabric::new(&config, Engine::Fast, ()).err();
    let given = config.run.watchdog;
    assert_eq!(refused, Some(ConfigError::ShortWatchdog { given, least }));
    config.run.watchdog = least;
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
    assert_eq!(fabric.run_until(config.run.duration), Ok(()));
}

fn no_false_alarm(mut config: FabricConfig, what: &str) {
    config.run.watchdog = least(&config);
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("the least value is legal");
    let left = fabric.drain(Tick(3_000_000));
    assert_eq!(left, Ok(None), "{what}");
}

/// The least legal patience is never too short, in random fabrics of every scheme, with their
/// stages, wires, control packets, packet lengths, and under pressure.
#[test]
fn the_least_patience_is_no_false_alarm() {
    for seed in 0..300 {
        no_false_alarm(case(seed, None, 4_000), &format!("seed {seed}"));
    }
    for scheme in RECN {
        for seed in 0..60 {
            let what = format!("{scheme}, seed {seed}");
            no_false_alarm(adversarial(scheme, seed), &what);
        }
    }
}

/// "Starvation alone is no deadlock": everybody sends to one node for long, so that heads far away
/// stand for thousands of times the least patience.
#[test]
fn a_hot_spot_is_no_deadlock() {
    for scheme in [SchemeKind::OneQueue, SchemeKind::VoqSw, SchemeKind::Recn] {
        let groups = vec![group("hot", ratio(1, 1), (0..16).filter(|&n| n != 5), &[5])];
        let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
        let bmin = network(&TopologyConfig::Bmin { nodes: 16 });
        let switch = switch_config(scheme);
        let mut config = fabric_config(bmin, switch, ratio(1, 1), &workload, 100_000, 1);
        config.run.watchdog = least(&config);
        let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
        assert_eq!(fabric.run_until(config.run.duration), Ok(()), "{scheme}");
    }
}

/// Always on to the next switch of a ring of four: the textbook deadlock. Switch 4, where there is
/// one, hangs on switch 0 and has nodes 4 and 5.
#[derive(Debug)]
struct Clockwise;

impl Routes for Clockwise {
    fn merges(&self) -> bool {
        true
    }

    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        match (switch, destination) {
            (4, 4) => 1,
            (4, 5) => 2,
            (4, _) => 0,
            (0, 4..) => 3,
            (here, there) if here == there => 2,
            _ => 1,
        }
    }
}

/// Four switches in a ring, node n at switch n, and beside them, if asked for, a switch with two
/// nodes that the ring never needs.
fn ring(with_rest: bool) -> Arc<Network> {
    let ports: &[u32] = if with_rest { &[4, 3, 3, 3, 3] } else { &[3; 4] };
    let mut graph = GraphBuilder::new(ports, if with_rest { 6 } else { 4 }).expect("legal");
    let wire = LinkAttributes::default;
    for s in 0..4 {
        graph.connect((s, 1), ((s + 1) % 4, 0), wire()).expect("free ports");
        graph.attach(s, (s, 2), wire()).expect("a free port");
    }
    if with_rest {
        graph.connect((0, 3), (4, 0), wire()).expect("free ports");
        graph.attach(4, (4, 1), wire()).expect("a free port");
        graph.attach(5, (4, 2), wire()).expect("a free port");
    }
    let parts = Parts {
        name: "ring",
        graph: graph.finish().expect("a whole graph"),
        routes: Arc::new(Clockwise),
        maximum_links: None,
    };
    let options = BuildOptions { allow_deadlock: true, ..BuildOptions::default() };
    Arc::new(Network::from_parts(parts, &options).expect("allowed"))
}

/// Every node of the ring sends three switches on at full rate; node 4, if there, to node 5.
fn ring_config(with_rest: bool, switch: SwitchConfig) -> FabricConfig {
    let flow = |from: u32, to: u32| group(&format!("flow{from}"), ratio(1, 1), [from], &[to]);
    let mut groups: Vec<GroupConfig> = (0..4).map(|n| flow(n, (n + 3) % 4)).collect();
    if with_rest {
        groups.push(flow(4, 5));
    }
    let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
    let speedup = if switch.organisation == Organisation::Cioq { ratio(2, 1) } else { ratio(1, 1) };
    let mut config = fabric_config(ring(with_rest), switch, speedup, &workload, 200_000, 1);
    config.run.watchdog = Span(20_000);
    config
}

fn one_queue(packets: u32) -> SwitchConfig {
    let mut switch = switch_config(SchemeKind::OneQueue);
    switch.port_memory_bytes = 64 * packets;
    switch
}

/// The error that a run ends with.
fn locks(config: &FabricConfig, engine: Engine) -> RunError {
    let mut fabric = Fabric::new(config, engine, ()).expect("legal");
    fabric.run_until(config.run.duration).expect_err("it locks")
}

/// The queues of the ring's own cycle: what the cycle and the dump report of them.
fn is_the_ring(error: &RunError) {
    let RunError::Deadlock { cycle, dump, queues, .. } = error else {
        panic!("not a deadlock: {error}")
    };
    assert_eq!(cycle.lines().count(), 8, "{cycle}");
    for s in 0..4 {
        let output = format!("fabric.switch{s}.out1 queue 0");
        let input = format!("fabric.switch{s}.in0 queue 0");
        for text in [cycle, dump] {
            let line = |of: &str| text.lines().find(|l| l.contains(of)).expect("a line");
            assert!(line(&output).contains("waits for credit (0 of 1 cells of class 0)"));
            assert!(line(&input).contains("waits for room behind"));
        }
    }
    // The injection queues wait for the ring, and are no part of it.
    assert!(*queues > 8 && !cycle.contains("injection"), "{error}");
}

/// "Watchdog for deadlock ... with a dump of who waits for whom". A real one: four switches in a
/// ring, every node sends three switches on, memories of two packets.
#[test]
fn a_real_deadlock_is_reported_with_its_cycle_and_who_waits_for_whom() {
    let config = ring_config(false, one_queue(2));
    for engine in [Engine::Fast, Engine::Reference] {
        is_the_ring(&locks(&config, engine));
    }
}

/// "A part of the fabric that is stuck while the rest moves is not found": found, though node 4
/// sends to node 5 all the while; in the same tick and with the same words on every engine and
/// thread count, and however the run is cut into pieces.
#[test]
fn a_deadlock_in_a_part_of_the_fabric_is_found_while_the_rest_moves() {
    let config = ring_config(true, one_queue(2));
    let mut fabric = Fabric::new(&config, Engine::Fast, Watch::default()).expect("legal");
    let error = fabric.run_until(config.run.duration).expect_err("the ring locks");
    is_the_ring(&error);
    let RunError::Deadlock { tick, .. } = error else { panic!("{error}") };
    let ejected = &fabric.observer.ejected;
    let last = |ring: bool| {
        let of = |e: &&Moment| (e.destination < 4) == ring;
        ejected.iter().filter(of).map(|e| e.at).max()
    };
    assert!(last(false) > Some(tick - Span(200)), "the rest moves");
    assert!(last(true) < Some(tick - config.run.watchdog), "the ring does not");
    for engine in [Engine::Fast, Engine::Reference, Engine::Shuffled(7), threads(2), threads(3)] {
        assert_eq!(locks(&config, engine), error, "{engine:?}");
    }
    let mut pieces = Fabric::new(&config, Engine::Fast, ()).expect("legal");
    let stopped = (0..).find_map(|n| pieces.run_until(Tick(n * 777)).err());
    assert_eq!(stopped, Some(error));
}

/// Whoever waits for whom, by credits, room, Xon or markers: every scheme that locks in the ring is
/// reported with its cycle, with the rest still moving.
#[test]
fn every_scheme_that_locks_names_its_cycle() {
    let (mut free, mut reported) = (Vec::new(), BTreeMap::new());
    let mut kinds = vec![
        (SchemeKind::OneQueue, Organisation::Cioq),
        (SchemeKind::OneQueue, Organisation::Iq),
        (SchemeKind::VoqSw, Organisation::Cioq),
        (SchemeKind::VoqSw, Organisation::Iq),
        (SchemeKind::Damq, Organisation::Cioq),
        (SchemeKind::Dbbm, Organisation::Cioq),
    ];
    kinds.extend(RECN.map(|scheme| match scheme {
        SchemeKind::RecnDdIq => (scheme, Organisation::Iq),
        _ => (scheme, Organisation::Cioq),
    }));
    // SAQs send Xoff early, so that heads wait for Xon and markers too, or late.
    let thresholds = [(10, 10, 5), (1, 2, 1), (0, 1, 0)];
    for (scheme, organisation) in kinds {
        let mut locked = 0;
        for (detection, xoff, xon) in thresholds {
            let mut switch = switch_config(scheme);
            switch.organisation = organisation;
            switch.dbbm_queues = 1;
            switch.port_memory_bytes = 64 * 12;
            switch.recn.saqs = 2;
            switch.recn.detection_egress_packets = detection;
            switch.recn.detection_ingress_packets = detection.max(1);
            switch.recn.propagation_packets = detection;
            switch.recn.thresholds = Thresholds::new(xoff, xon, Edge::Reached).expect("legal");
            let config = ring_config(true, switch);
            let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
            let Err(error) = fabric.run_until(config.run.duration) else {
                continue;
            };
            locked += 1;
            let RunError::Deadlock { cycle, .. } = &error else {
                panic!("{scheme}, {organisation:?}: {error}")
            };
            assert!(cycle.lines().count() >= 4, "{scheme}: {error}");
            assert!(!cycle.contains("switch4"), "{scheme}: {error}");
            for what in ["Xon", "room behind", "credit", "its marker"] {
                let waits = cycle.lines().any(|l| l.contains(&format!("waits for {what}")));
                *reported.entry(what).or_insert(0) += u32::from(waits);
            }
        }
        if locked == 0 {
            free.push((scheme, organisation));
        }
    }
    assert_eq!(free, [], "schemes that do not lock here: {reported:?}");
    assert!(reported["Xon"] > 0, "{reported:?}");
}
