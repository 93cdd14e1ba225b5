//! Does the watchdog bark when it should, and only then?

use fabric::{Engine, Fabric, RunError};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use std::sync::Arc;
use switch::SchemeKind;
use topology::{
    BuildOptions, GraphBuilder, LinkAttributes, Network, Parts, Routes, TopologyConfig,
};
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

fn lone_packet(watchdog_after_birth: u64) -> Result<(), RunError> {
    let group = GroupConfig {
        load: Some(ratio(1, 1000)),
        pattern: Pattern::Hot,
        destinations: vec![1],
        sources: Sources::List(vec![0]),
        ..GroupConfig::default()
    };
    let workload = WorkloadConfig {
        hot: Some(group),
        ..WorkloadConfig::default()
    };
    let network = network(&TopologyConfig::SingleSwitch { ports: 2 }, false);
    let mut config = fabric_config(
        network,
        switch_config(SchemeKind::OneQueue),
        ratio(1, 1),
        &workload,
        100_000,
        1,
    );
    let born = config.workload.generators[0]
        .1
        .peek_tick()
        .expect("a message");
    config.run.watchdog = born + watchdog_after_birth;
    Fabric::new(&config, Engine::Fast, ())
        .expect("legal")
        .run_until(config.run.duration)
}

/// A long silence before a packet is none of that packet's waiting: no false alarm at low load.
#[test]
fn silence_before_a_packet_does_not_count() {
    for after in 0..40 {
        assert_eq!(lone_packet(after), Ok(()));
    }
}

/// A wire longer than the patience is no standstill.
#[test]
fn a_long_wire_is_not_a_deadlock() {
    let network = network(&TopologyConfig::SingleSwitch { ports: 4 }, false);
    let workload = WorkloadConfig {
        load: Some(ratio(1, 1)),
        ..WorkloadConfig::default()
    };
    let mut switch = switch_config(SchemeKind::OneQueue);
    switch.port_memory_bytes = 64;
    let mut config = fabric_config(network, switch, ratio(1, 1), &workload, 100_000, 1);
    (config.link.wire, config.run.watchdog) = (10_000, 100);
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
    assert_eq!(fabric.run_until(config.run.duration), Ok(()));
}

/// Always on to the next switch of a ring: the textbook deadlock.
#[derive(Debug)]
struct Clockwise;

impl Routes for Clockwise {
    fn next_port(&self, switch: u32, _in_port: u8, destination: u32, _source: u32) -> u8 {
        if switch == destination { 2 } else { 1 }
    }
}

/// "Watchdog for deadlock ... with a dump of who waits for whom". A real one: four switches in a ring, every node sends
/// two switches on, memories of two packets.
#[test]
fn a_real_deadlock_is_reported_with_who_waits_for_whom() {
    let mut graph = GraphBuilder::new(&[3, 3, 3, 3], 4).expect("legal");
    for s in 0..4 {
        graph
            .connect((s, 1), ((s + 1) % 4, 0), LinkAttributes::default())
            .expect("free ports");
        graph
            .attach(s, (s, 2), LinkAttributes::default())
            .expect("a free port");
    }
    let graph = graph.finish().expect("a whole graph");
    let parts = Parts {
        name: "ring",
        graph,
        routes: Arc::new(Clockwise),
        maximum_links: None,
    };
    let options = BuildOptions {
        allow_deadlock: true,
        ..BuildOptions::default()
    };
    let network = Arc::new(Network::from_parts(parts, &options).expect("allowed"));
    let groups = (0..4).map(|n| GroupConfig {
        name: format!("flow{n}"),
        pattern: Pattern::Hot,
        destinations: vec![(n + 3) % 4],
        sources: Sources::List(vec![n]),
        ..GroupConfig::default()
    });
    let workload = WorkloadConfig {
        groups: groups.collect(),
        ..WorkloadConfig::default()
    };
    let mut switch = switch_config(SchemeKind::OneQueue);
    switch.port_memory_bytes = 128;
    for engine in [Engine::Fast, Engine::Reference] {
        let mut config = fabric_config(
            network.clone(),
            switch.clone(),
            ratio(2, 1),
            &workload,
            200_000,
            1,
        );
        config.run.watchdog = 20_000;
        let mut fabric = Fabric::new(&config, engine, ()).expect("legal");
        let error = fabric.run_until(config.run.duration).expect_err("it locks");
        let RunError::Deadlock { dump, .. } = error else {
            panic!("not a deadlock: {error}")
        };
        for s in 0..4 {
            assert!(
                dump.contains(&format!("fabric.switch{s}.out1 queue 0")),
                "{dump}"
            );
            assert!(
                dump.contains("waits for credit (0 of 1 cells of class 0)"),
                "{dump}"
            );
            let input = format!("fabric.switch{s}.in0 queue 0");
            assert!(
                dump.lines()
                    .any(|l| l.contains(&input) && l.contains("waits for room behind")),
                "{dump}"
            );
        }
    }
}
