//! How runs end and what is on its way then. That every figure follows from the events:
//! `oracle.rs`.

use fabric::recording;
use inspect::Inspection;
use observe::{FlowRow, PauseRow, SeriesRow, Timing};
use plan::WindowConfig;
use serde_json::Value;
use setaside_tests::drawn;
use setaside_tests::prelude::*;
use setaside_tests::random::case;

/// Span of a run.
const DURATION: Tick = Tick(60_000);
const WARMUP: Tick = Tick(14_001);

/// Twelve nodes send everywhere, four more send to node 0 all they can; messages of one to four
/// packets.
fn hot_spot(scheme: SchemeKind) -> FabricConfig {
    let hot = group("hot", ratio(1, 1), [3, 7, 11, 15], &[0]);
    let workload = WorkloadConfig {
        load: Some(ratio(2, 5)),
        message_bytes: MessageBytes::Uniform { min: 40, max: 256 },
        groups: vec![hot],
        ..WorkloadConfig::default()
    };
    let bmin = network(&TopologyConfig::Bmin { nodes: 16 });
    let port = bmin.graph().node_port(0);
    let mut config = fabric_config(bmin, switch_config(scheme), ratio(3, 2), &workload, 1, 1);
    config.run.duration = DURATION;
    config.run.warmup = WARMUP;
    config.named_links = vec![("root".to_string(), vec![port])];
    config.hot_destinations = vec![0];
    config
}

fn windows(bounds: &[Tick]) -> Vec<WindowConfig> {
    let spans = bounds.windows(2).enumerate();
    spans
        .map(|(at, span)| WindowConfig {
            name: format!("w{at}"),
            start: span[0],
            end: span[1],
            note: None,
        })
        .collect()
}

/// A record without latencies, and without the tick at which its run ended.
fn without_latencies(
    config: &FabricConfig,
) -> (Value, Vec<SeriesRow>, Vec<FlowRow>, Vec<PauseRow>) {
    const OF_DRAIN: [&str; 6] = [
        "latency_ns",
        "network_latency_ns",
        "round_trip_ns",
        "replies_delivered",
        "requests_under_way",
        "drain",
    ];
    fn forget(value: &mut Value) {
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|name, _| !OF_DRAIN.contains(&name.as_str()));
            fields.values_mut().for_each(forget);
        }
    }
    let record = record(config);
    let mut summary = serde_json::to_value(&record.summary).expect("a summary");
    forget(&mut summary);
    (summary, record.series, record.flows, record.pauses)
}

// "Of a drain latencies alone are taken": packets, hops, SAQs, waits, faults, pauses and the events
// hash are those of a run that ends at its duration, whatever there is in it, and where messages
// come to a full admittance after its end.
#[test]
fn a_drain_changes_nothing_but_latencies() {
    let mut configs: Vec<_> = (0..40).map(|seed| case(seed, None, 4_000)).collect();
    configs.extend((0..150).map(|seed| drawn::case(seed, 3_000).config));
    for scheme in [SchemeKind::OneQueue, SchemeKind::Recn, SchemeKind::VoqSw] {
        let mut config = hot_spot(scheme);
        config.switch.stages.enqueue = 500;
        configs.extend([hot_spot(scheme), config]);
    }
    let (mut faults, mut pauses, mut acks, mut replies) = (0, 0, 0, 0);
    for (number, mut config) in configs.into_iter().enumerate() {
        config.run.drain = Span::ZERO;
        let ended = without_latencies(&config);
        config.run.drain = Span(50_000);
        assert!(without_latencies(&config) == ended, "case {number}");
        let has = |key: &str| u32::from(!ended.0[key].is_null());
        faults += has("faults");
        acks += has("ecn");
        pauses += u32::from(!ended.3.is_empty());
        replies += u32::from(config.workload.summaries.iter().any(|g| g.replies.is_some()));
    }
    assert!(
        faults > 5 && acks > 5 && pauses > 5 && replies > 5,
        "{faults} {acks} {pauses} {replies}"
    );
}

// "Must end at the same tick for every engine, thread count and way of stepping", with the same
// record.
#[test]
fn a_run_that_drains_ends_at_the_same_tick_however_it_is_run() {
    let mut config = hot_spot(SchemeKind::Recn);
    config.run.duration = Tick(20_000);
    config.windows = windows(&[Tick(5_000), Tick(11_111), Tick(20_000)]);
    for drain in [700, 40_000, 3_000_000] {
        config.run.drain = Span(drain);
        let record = record(&config);
        assert!(record.ticks <= 20_000 + drain && record.ticks > 20_000);
        assert_eq!(record.ticks == 20_000 + drain, drain < 3_000_000, "{}", record.ticks);
        for count in [2, 3, 4] {
            let on_threads = outcome_with(&config, threads(count), ()).1;
            assert!(record == on_threads, "{count} threads, drain {drain}");
        }
        for piece in [17, 1_500, 4_999] {
            let mut run = Run::new(&config, Engine::Fast).expect("legal");
            while let (now, end) = run.progress()
                && now < end
            {
                run.step(now + Span(piece)).expect("no deadlock");
            }
            let (mut pieces, ()) = run.finish(0.0);
            pieces.summary.timing = Timing::default();
            assert!(record == pieces, "pieces of {piece} ticks, drain {drain}");
        }
    }
    config.run.drain = Span(3_000_000);
    let reference = outcome_with(&config, Engine::Reference, ()).1;
    assert!(record(&config) == reference, "the reference engine");
}

// A recorded run that drains has the record of one that is not recorded; what it recorded ends with
// the measured time.
#[test]
fn recording_changes_nothing_while_a_run_drains() {
    let mut config = hot_spot(SchemeKind::Recn);
    config.run.duration = Tick(30_000);
    config.run.drain = Span(3_000_000);
    config.windows = windows(&[Tick(5_000), Tick(11_111)]);
    let expected = record(&config);
    let recording = Some(recording(&config, Span(101)));
    let inspection = Inspection { recording, ..Inspection::default() };
    let mut run = Run::with(&config, Engine::Fast, inspection).expect("legal");
    while let (now, end) = run.progress()
        && now < end
    {
        run.step_recorded(now + Span(7_777)).expect("no deadlock");
    }
    run.end_recording();
    let (mut record, inspection) = run.finish(0.0);
    let recording = inspection.recording.expect("it was recorded");
    record.summary.timing = Timing::default();
    assert!(record == expected, "{} ticks, {} expected", record.ticks, expected.ticks);
    assert!(record.summary.recn.frees > 0 && record.ticks > 60_000);
    let last = recording.recorder.ports_csv().lines().last().map(|line| {
        let start = line.split(',').next().expect("a column");
        start.parse::<f64>().expect("ns")
    });
    let bins = config.time_base.span_to_ns(config.run.series_bin);
    let duration = config.time_base.tick_to_ns(config.run.duration);
    assert!(last.is_some_and(|last| last < duration && last + bins >= duration), "{last:?}");
}
