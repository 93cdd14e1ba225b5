//! Does the watchdog bark when it should, and only then?

use fabric::{Engine, Fabric, RunError};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use switch::SchemeKind;
use topology::TopologyConfig;
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

fn run(watchdog_after_birth: Option<u64>, watchdog: u64) -> Result<(), RunError> {
    let group = GroupConfig {
        load: Some(ratio(1, 1000)),
        pattern: Pattern::Hot,
        destinations: vec![1],
        sources: Sources::List(vec![0]),
        ..GroupConfig::default()
    };
    let workload = WorkloadConfig { hot: Some(group), ..WorkloadConfig::default() };
    let network = network(&TopologyConfig::SingleSwitch { ports: 2 }, false);
    let mut config = fabric_config(network, switch_config(SchemeKind::OneQueue), ratio(1, 1), &workload, 100_000, 1);
    let born = config.workload.generators[0].1.peek_tick().expect("a message");
    config.run.watchdog = watchdog_after_birth.map_or(watchdog, |after| born + after);
    Fabric::new(&config, Engine::Fast, ()).expect("legal").run_until(config.run.duration)
}

/// A long silence before a packet is none of that packet's waiting: no false alarm at low load.
#[test]
fn silence_before_a_packet_does_not_count() {
    assert_eq!(run(Some(3), 0), Ok(()));
}

/// A packet that stays where it is for the whole patience is reported, with what it waits for.
#[test]
fn a_packet_that_does_not_move_is_a_deadlock() {
    // Patience of 2 ticks: any packet on a link "stands still".
    let error = run(None, 2).expect_err("reported");
    assert!(matches!(error, RunError::Deadlock { in_network: 1, .. }), "{error}");
}
