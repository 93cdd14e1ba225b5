//! Do the engines agree where random cases do not come, and do those come to the corners?

use crate::agree::{any_case, large};
use observe::Timing;
use proptest::prelude::*;
use setaside_tests::compare::first_difference;
use setaside_tests::family::adversarial;
use setaside_tests::prelude::*;

proptest! {
    #![proptest_config(fixed(150, 2005))]

    /// A sample from outside changes nothing, in one part or in several.
    #[test]
    fn nothing_shows_where_a_run_was_looked_at(seed: u64, step in 1_u64..60) {
        let config = any_case(seed);
        let trace = |engine, step: u64| {
            let mut fabric = Fabric::new(&config, engine, Trace::default()).expect("a legal configuration");
            while fabric.now() < config.run.duration {
                let until = config.run.duration.min(fabric.now() + Span(step));
                fabric.run_until(until).expect("no deadlock");
            }
            fabric.merge_observers();
            fabric.observer.text()
        };
        let whole = trace(Engine::Reference, u64::MAX / 2);
        for engine in [Engine::Fast, threads(3)] {
            let pieces = trace(engine, step);
            prop_assert!(pieces == whole, "seed {seed}, {step} ticks, {engine:?}: {}", first_difference(&pieces, &whole));
        }
    }
}

/// The largest switch: 64 detection queues at a port, so that sets of queues fill a word to its
/// last bit, with thresholds so low that SAQs and their markers come at once.
#[test]
fn engines_agree_on_a_switch_of_64_ports() {
    let mut switch = switch_config(SchemeKind::Recn);
    switch.recn.detection_egress_packets = 1;
    // Egress ports detect first: their SAQs upstream get markers, those that are swapped in at
    // ingress ports do not.
    switch.recn.detection_ingress_packets = 10;
    switch.recn.propagation_packets = 1;
    switch.recn.thresholds =
        flow_control::Thresholds::new(2, 1, flow_control::Edge::Reached).expect("legal");
    switch.recn.saqs = 4;
    // The first and the last queue are congested, and all queues are used.
    let mut groups = vec![
        group("background", ratio(1, 2), 0..64, &[]),
        group("first", ratio(1, 1), 32..36, &[0]),
        group("last", ratio(1, 1), 28..32, &[63]),
    ];
    groups.iter_mut().for_each(|group| group.end_ns = Some(2_000));
    let workload = WorkloadConfig { groups, ..WorkloadConfig::default() };
    let network = network(&TopologyConfig::SingleSwitch { ports: 64 });
    let mut config = fabric_config(network, switch, ratio(3, 2), &workload, 2_000, 1);
    config.run.duration = Tick(20_000);
    for other in [Engine::Reference, Engine::Shuffled(5)] {
        let differ = difference(&config, Engine::Fast, other);
        assert!(differ.is_none(), "{other:?}: {}", differ.unwrap_or_default());
    }
    let recn = outcome(&config, Engine::Fast).1.summary.recn;
    // Long enough for markers to reach the heads of their queues and for SAQs to come home.
    assert!(recn.allocations > 50 && recn.frees == recn.allocations, "{recn:?}");
}

/// "Byte-identical to one thread for any thread count", also where fewer threads are to be had than
/// parts.
#[test]
fn engines_agree_on_a_fabric_in_several_parts_a_thread() {
    let bmin = network(&TopologyConfig::Bmin { nodes: 512 });
    let workload = WorkloadConfig {
        load: Some(ratio(1, 2)),
        hot: Some(GroupConfig {
            pattern: Pattern::Hot,
            destinations: vec![77],
            sources: Sources::Count(64),
            ..GroupConfig::default()
        }),
        ..WorkloadConfig::default()
    };
    let mut switch = switch_config(SchemeKind::Recn);
    switch.recn.detection_egress_packets = 1;
    switch.recn.propagation_packets = 1;
    let mut config = fabric_config(bmin, switch, ratio(3, 2), &workload, 500, 1);
    config.run.series_bin = Span(100);
    let (trace, record) = outcome(&config, Engine::Reference);
    assert!(record.summary.recn.allocations > 100);
    for (parts, threads_max) in [(1, 1), (4, 2), (3, 1), (2, 2)] {
        let mut run =
            Run::with(&config, threads(parts), Trace::default()).expect("a legal configuration");
        run.limit_threads(threads_max);
        assert_eq!(run.threads(), threads_max.min(parts));
        run.step(Tick::MAX).expect("no deadlock");
        let (mut other_record, other_trace) = run.finish(0.0);
        other_record.summary.timing = Timing::default();
        let other_trace = other_trace.text();
        assert!(trace == other_trace, "{}", first_difference(&trace, &other_trace));
        assert_eq!(format!("{record:?}"), format!("{other_record:?}"));
    }
}

/// The cases above are worth something only if most of them run on as many threads as they ask for.
#[test]
fn most_random_cases_are_cut_into_parts() {
    let several = |case: fn(u64) -> FabricConfig, count: usize| {
        let run_on = |seed| {
            let run = Run::new(&case(seed), threads(count)).expect("a legal configuration");
            run.threads()
        };
        (0..100).filter(|&seed| run_on(seed) == count).count()
    };
    let counts = [2, 3, 8].map(|count| several(any_case, count));
    assert!(counts[0] >= 70 && counts[1] >= 50 && counts[2] >= 5, "{counts:?}");
    let large = several(large, 8);
    assert!(large >= 90, "{large} on eight threads");
}

/// A case of the RECN family under pressure on both engines; `seed` shuffles the visits.
fn agree_under_pressure(mut config: FabricConfig, seed: u64) {
    config.run.duration = Tick(9_000);
    let differ = difference(&config, Engine::Fast, Engine::Shuffled(seed));
    assert_eq!(differ, None, "{}, seed {seed}", config.switch.scheme);
}

#[test]
fn engines_agree_where_few_cases_find_an_error() {
    for (scheme, seed) in [
        // A normal queue takes the room for which a SAQ has reserved its ports: the reservation
        // ends.
        (SchemeKind::RecnDd, 13_850_407_191_399_499_546),
        // In each a head was stored late at an egress port in whose tick a token of its root came
        // back.
        (SchemeKind::Recn, 9_000_925),
        (SchemeKind::RecnBasic, 9_001_343),
        (SchemeKind::Recn, 9_001_420),
        (SchemeKind::RecnBasic, 9_001_478),
    ] {
        agree_under_pressure(adversarial(scheme, seed), seed);
    }
}

// Xoff of a root that comes before congestion is detected, and ends with fewer packets than keep a
// port from being quiet.
#[test]
fn engines_agree_where_roots_say_xoff_early() {
    for scheme in [SchemeKind::Recn, SchemeKind::RecnBasic] {
        for seed in 0..60 {
            let mut config = adversarial(scheme, seed);
            let recn = &mut config.switch.recn;
            (recn.root_xoff_packets, recn.detection_egress_packets) = match seed % 3 {
                0 => (Some(3), 2),
                1 => (Some(5), 5),
                _ => (Some(8), 5),
            };
            agree_under_pressure(config, seed);
        }
    }
}
