//! Do the engines agree where random cases do not come, and do those come to the corners?

use crate::agree::{any_case, large};
use fabric::{Engine, Fabric, Run};
use observe::{Timing, Trace};
use plan::FabricConfig;
use proptest::prelude::*;
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::compare::{difference, first_difference, outcome};
use setaside_tests::oracle::threads;
use setaside_tests::property::fixed;
use setaside_tests::random::case;
use topology::TopologyConfig;
use units::{Span, Tick};
use workload::{GroupConfig, Pattern, Sources, WorkloadConfig};

proptest! {
    #![proptest_config(fixed(150, 2005))]

    /// A look from outside changes nothing, in one part or in several.
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
    let mut switch = switch_config(plan::SchemeKind::Recn);
    switch.recn.detection_egress_packets = 1;
    // Egress ports detect first: their SAQs upstream get markers, those that are swapped in at
    // ingress ports do not.
    switch.recn.detection_ingress_packets = 10;
    switch.recn.propagation_packets = 1;
    switch.recn.thresholds =
        flow_control::Thresholds::new(2, 1, flow_control::Edge::Reached).expect("legal");
    switch.recn.saqs = 4;
    let hot = |name: &str, node: u32, sources: Vec<u32>| GroupConfig {
        name: name.to_string(),
        pattern: Pattern::Hot,
        destinations: vec![node],
        sources: Sources::List(sources),
        end_ns: Some(2_000),
        ..GroupConfig::default()
    };
    // The first and the last queue are congested, and all queues are used.
    let workload = WorkloadConfig {
        load: None,
        groups: vec![
            GroupConfig {
                name: "background".to_string(),
                load: Some(ratio(1, 2)),
                pattern: Pattern::Uniform,
                sources: Sources::List((0..64).collect()),
                end_ns: Some(2_000),
                ..GroupConfig::default()
            },
            hot("first", 0, (32..36).collect()),
            hot("last", 63, (28..32).collect()),
        ],
        ..WorkloadConfig::default()
    };
    let network = network(&TopologyConfig::SingleSwitch { ports: 64 }, false);
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

/// Looking ahead changes nothing and finds its way, whatever the ports have. It is done in large
/// parts only, and the random cases are small.
#[test]
fn engines_agree_on_a_fabric_that_is_looked_ahead_in() {
    use plan::Organisation::{Cioq, Iq, Oq};
    use plan::SchemeKind::{Dbbm, OneQueue, Recn, RecnDdIq, VoqNet, VoqSw};
    let kinds = [
        (VoqSw, Cioq, ratio(3, 2)),
        (VoqNet, Cioq, ratio(3, 2)),
        (Recn, Cioq, ratio(3, 2)),
        (Dbbm, Cioq, ratio(1, 1)),
        (RecnDdIq, Iq, ratio(1, 1)),
        (OneQueue, Oq, ratio(1, 1)),
    ];
    // 256 switches of 8 ports in one part: more than `LARGE` in the engine.
    let bmin = network(&TopologyConfig::Bmin { nodes: 256 }, false);
    let workload = WorkloadConfig { load: Some(ratio(9, 10)), ..WorkloadConfig::default() };
    for (scheme, organisation, speedup) in kinds {
        let mut switch = switch_config(scheme);
        switch.organisation = organisation;
        switch.recn.detection_egress_packets = 2;
        switch.recn.detection_ingress_packets = 2;
        let config = fabric_config(bmin.clone(), switch, speedup, &workload, 600, 1);
        let differ = difference(&config, Engine::Fast, Engine::Reference);
        assert!(differ.is_none(), "{scheme}, {organisation:?}: {}", differ.unwrap_or_default());
    }
}

/// The random cases are worth something only if they reach the corners of the protocol: refusals
/// inside switches and over links, tokens, Xon and Xoff, points of several turns.
#[test]
fn random_cases_reach_the_corners_of_the_protocol() {
    let mut total = observe::RecnCounts::default();
    let mut peak = 0;
    for seed in 0..400 {
        let config = case(seed, Some(plan::SchemeKind::Recn), 4_000);
        let mut run = Run::new(&config, Engine::Fast).expect("a legal configuration");
        run.step(Tick::MAX).expect("no deadlock");
        let s = run.finish(0.0).0.summary;
        total.allocations += s.recn.allocations;
        total.refusals += s.recn.refusals;
        total.frees += s.recn.frees;
        total.early_frees += s.recn.early_frees;
        total.notifications += s.recn.notifications + s.recn.internal_notifications;
        total.xoffs += s.recn.xoffs + s.recn.internal_xoffs;
        total.xons += s.recn.xons + s.recn.internal_xons;
        total.tokens += s.recn.tokens + s.recn.internal_tokens;
        total.nacks += s.recn.nacks;
        total.ignored += s.recn.ignored;
        peak = peak.max(s.saqs_peak.ingress).max(s.saqs_peak.egress);
    }
    let least = [
        (total.allocations, 20_000),
        (total.refusals, 5_000),
        (total.frees, 20_000),
        (total.early_frees, 1_000),
        (total.notifications, 20_000),
        (total.xoffs, 5_000),
        (total.xons, 5_000),
        (total.tokens, 5_000),
        (total.ignored, 50),
        (u64::from(peak), 4),
    ];
    // An egress port holds SAQs only for those of the ingress port downstream, which has as many
    // lines: it never has to refuse. (NACKs are tested at the port itself.)
    assert_eq!(total.nacks, 0);
    for (at, (measured, least)) in least.into_iter().enumerate() {
        assert!(measured >= least, "count {at}: {measured}, at least {least} expected; {total:?}");
    }
}

/// "Byte-identical to one thread for any thread count", also where fewer threads are to be had than
/// parts.
#[test]
fn engines_agree_on_a_fabric_in_several_parts_a_thread() {
    let bmin = network(&TopologyConfig::Bmin { nodes: 512 }, false);
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
    let mut switch = switch_config(plan::SchemeKind::Recn);
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
