//! How runs end and what is on its way then. That every figure is what the events say: `oracle.rs`.

use fabric::{Engine, Run, recording};
use inspect::Inspection;
use observe::{FlowRow, Observer, Offered, PacketView, PauseRow, Place};
use observe::{Record, SeriesRow, Timing, View};
use plan::SchemeKind;
use plan::{FabricConfig, WindowConfig};
use serde_json::Value;
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::drawn;
use setaside_tests::erased::Erased;
use setaside_tests::random::case;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use topology::TopologyConfig;
use units::{Span, Tick};
use workload::{GroupConfig, MessageBytes, Pattern, Sources, WorkloadConfig};

/// Span of a run.
const DURATION: Tick = Tick(60_000);
const WARMUP: Tick = Tick(14_001);

/// What was told of messages and packets.
#[derive(Default)]
struct Told {
    offered: Vec<Offered>,
    ejected: Vec<(Tick, PacketView)>,
}

impl Observer for Told {
    fn offered(&mut self, _: View<'_>, offered: Offered) {
        self.offered.push(offered);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, packet: PacketView) {
        self.ejected.push((view.now, packet));
    }
}

/// Twelve nodes send everywhere, four more send to node 0 all they can; messages of one to four
/// packets.
fn hot_spot(scheme: SchemeKind) -> FabricConfig {
    let hot = GroupConfig {
        name: "hot".to_string(),
        load: Some(ratio(1, 1)),
        pattern: Pattern::Hot,
        destinations: vec![0],
        sources: Sources::List(vec![3, 7, 11, 15]),
        ..GroupConfig::default()
    };
    let workload = WorkloadConfig {
        load: Some(ratio(2, 5)),
        message_bytes: MessageBytes::Uniform { min: 40, max: 256 },
        groups: vec![hot],
        ..WorkloadConfig::default()
    };
    let bmin = network(&TopologyConfig::Bmin { nodes: 16 }, false);
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

fn outcome<X: Observer>(config: &FabricConfig, engine: Engine, extra: X) -> (Record, X) {
    let mut run = Run::with(config, engine, extra).expect("a legal configuration");
    run.step(Tick::MAX).expect("no deadlock");
    let (mut record, extra) = run.finish(0.0);
    record.summary.timing = Timing::default();
    (record, extra)
}

fn told(config: &FabricConfig) -> (Record, Told) {
    let (record, told) = outcome(config, Engine::Fast, Erased::new(Told::default()));
    (record, told.into())
}

fn alone(config: &FabricConfig) -> Record {
    outcome(config, Engine::Fast, ()).0
}

/// Bytes that a rate stands for in a span.
fn bytes(config: &FabricConfig, rate: Option<f64>, (start, end): (Tick, Tick)) -> u64 {
    let bytes = rate.expect("a rate") * config.time_base.span_to_ns(end - start);
    assert!((bytes - bytes.round()).abs() < 1e-3, "{bytes} bytes");
    bytes.round() as u64
}

impl Told {
    /// Messages that were not refused: flow, generation, arrival. Those of a flow arrive in order.
    fn messages(&self) -> Vec<((u32, u32), Tick, Option<Tick>)> {
        let mut arrivals: BTreeMap<(u32, u32), Vec<Tick>> = BTreeMap::new();
        for (now, p) in self.ejected.iter().filter(|(_, p)| p.last).rev() {
            arrivals.entry((p.source, p.destination)).or_default().push(*now);
        }
        let mut offered: Vec<_> = self.offered.iter().filter(|o| !o.refused).collect();
        offered.sort_by_key(|o| o.born);
        let arrived = |o: &&Offered| {
            let flow = (o.source, o.destination);
            (flow, o.born, arrivals.get_mut(&flow).and_then(Vec::pop))
        };
        offered.iter().map(arrived).collect()
    }
}

// "Messages born in the last injection stage are offered", here with a long one: every message that
// the generators have before the end is counted, and none later.
#[test]
fn messages_on_their_way_into_admittance_are_offered() {
    let mut config = hot_spot(SchemeKind::VoqSw);
    config.run.warmup = Tick(0);
    config.switch.stages.lookup = 300;
    let (mut packets, mut bytes_offered) = (0, 0);
    for (_, generator) in &config.workload.generators {
        for message in generator.clone().take_while(|m| m.tick < DURATION) {
            packets += u64::from(message.bytes.div_ceil(config.packet_bytes));
            bytes_offered += u64::from(message.bytes);
        }
    }
    let (record, told) = told(&config);
    let s = &record.summary;
    let offered = bytes(&config, s.offered_bytes_per_ns, (Tick(0), DURATION));
    assert_eq!(offered, bytes_offered);
    assert_eq!(s.packets_generated + s.packets_refused, packets);
    let late = told.offered.iter().filter(|o| o.born + Span(450) >= DURATION).count();
    assert!(late > 10, "{late} messages in the last injection stage");
    // They have not arrived: they wait.
    let messages = told.messages();
    let waiting = messages.iter().filter(|m| m.2.is_none()).count();
    let share = waiting as f64 / messages.len() as f64;
    assert_eq!(s.latency_ns.undelivered, Some(share));
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
    let record = alone(config);
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
        let record = alone(&config);
        assert!(record.ticks <= 20_000 + drain && record.ticks > 20_000);
        assert_eq!(record.ticks == 20_000 + drain, drain < 3_000_000, "{}", record.ticks);
        for threads in [2, 3, 4] {
            let threads = NonZeroUsize::new(threads).expect("above 0");
            let (on_threads, ()) = outcome(&config, Engine::Parallel(threads), ());
            assert!(record == on_threads, "{threads} threads, drain {drain}");
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
    let reference = outcome(&config, Engine::Reference, ()).0;
    assert!(alone(&config) == reference, "the reference engine");
}

// A recorded run that drains has the record of one that is not recorded; what it recorded ends with
// the measured time.
#[test]
fn recording_changes_nothing_while_a_run_drains() {
    let mut config = hot_spot(SchemeKind::Recn);
    config.run.duration = Tick(30_000);
    config.run.drain = Span(3_000_000);
    config.windows = windows(&[Tick(5_000), Tick(11_111)]);
    let expected = alone(&config);
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
