//! Are the statistics of a run what its events say, tick by tick?

use fabric::{Engine, Run, recording};
use observe::{
    FlowSetResult, LatencyFigure, LatencySummary, Observer, Offered, PacketView, Place, Record,
    Timing, View,
};
use plan::SchemeKind;
use plan::{FabricConfig, WindowConfig};
use setaside_tests::base::{fabric_config, network, ratio, switch_config};
use setaside_tests::erased::Erased;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use topology::TopologyConfig;
use units::{Span, Tick, WireId};
use workload::{GroupConfig, MessageBytes, Pattern, Sources, WorkloadConfig};

/// Span of a run.
const DURATION: Tick = Tick(60_000);
const WARMUP: Tick = Tick(14_001);

/// What was told of messages and packets.
#[derive(Default)]
struct Told {
    offered: Vec<Offered>,
    ejected: Vec<(Tick, PacketView)>,
    hops: Vec<(WireId, Tick, Span)>,
}

impl Observer for Told {
    fn offered(&mut self, _: View<'_>, offered: Offered) {
        self.offered.push(offered);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, packet: PacketView) {
        self.ejected.push((view.now, packet));
    }

    fn hop(&mut self, _: View<'_>, place: Place, at: Tick, ticks: Span) {
        self.hops.push((place.port, at + Span(1) - ticks, ticks));
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

/// Offered and delivered bytes.
fn counted(config: &FabricConfig, set: &FlowSetResult, span: (Tick, Tick)) -> (u64, u64) {
    (
        bytes(config, set.offered_bytes_per_ns, span),
        bytes(config, set.delivered_bytes_per_ns, span),
    )
}

impl Told {
    /// Offered and delivered bytes of some flows in a span: group and destination.
    fn counted(&self, span: (Tick, Tick), wanted: impl Fn(u8, u32) -> bool) -> (u64, u64) {
        let is_in = |tick: Tick| span.0 <= tick && tick < span.1;
        let offered = self.offered.iter();
        let delivered = self.ejected.iter();
        (
            offered
                .filter(|o| is_in(o.born) && wanted(o.group, o.destination))
                .map(|o| u64::from(o.bytes))
                .sum(),
            delivered
                .filter(|(now, p)| is_in(*now) && wanted(p.group, p.destination))
                .map(|(_, p)| u64::from(p.bytes))
                .sum(),
        )
    }

    /// Messages that were not refused: flow, generation, arrival. Those of a flow arrive in order.
    fn messages(&self) -> Vec<((u32, u32), Tick, Option<Tick>)> {
        let mut arrivals: BTreeMap<(u32, u32), Vec<Tick>> = BTreeMap::new();
        for (now, p) in self.ejected.iter().filter(|(_, p)| p.last).rev() {
            arrivals
                .entry((p.source, p.destination))
                .or_default()
                .push(*now);
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

// "A byte is delivered in the tick in which its packet's tail is ejected; a message is offered in
// the tick it is born; a window is [start, end) ticks", for all flows, each group and the victims.
#[test]
fn windows_are_counted_by_tick() {
    let mut config = hot_spot(SchemeKind::Recn);
    config.windows = windows(&[
        Tick(7_000),
        Tick(20_001),
        Tick(20_002),
        Tick(33_333),
        DURATION,
    ]);
    let (record, told) = told(&config);
    let s = &record.summary;
    let spans = config.windows.iter().map(|w| (w.start, w.end));
    for (span, window) in spans.zip(s.windows.values()) {
        assert_eq!(
            counted(&config, &window.all, span),
            told.counted(span, |_, _| true)
        );
        for (group, name) in (0..).zip(&record.groups) {
            let expected = told.counted(span, |g, _| g == group);
            assert_eq!(
                counted(&config, &window.groups[name], span),
                expected,
                "{name}"
            );
        }
        let victims = window.victims.as_ref().expect("a hot destination");
        let expected = told.counted(span, |_, destination| destination != 0);
        assert_eq!(counted(&config, victims, span), expected, "victims");
    }
    let measured = (WARMUP, DURATION);
    let expected = told.counted(measured, |_, _| true);
    assert!(expected.1 > 20_000, "{expected:?}");
    let summary = (
        bytes(&config, s.offered_bytes_per_ns, measured),
        bytes(&config, s.delivered_bytes_per_ns, measured),
    );
    assert_eq!(summary, expected);
    let hot = bytes(&config, s.groups["hot"], measured);
    assert_eq!(hot, told.counted(measured, |group, _| group == 1).1);
    let victims = s.victims.as_ref().expect("a hot destination");
    let expected = told.counted(measured, |_, destination| destination != 0);
    assert_eq!(counted(&config, victims, measured), expected, "victims");
    // Everything but a window or two is as it is without windows.
    config.windows.clear();
    let mut without = record.clone();
    without.summary.windows.clear();
    assert_eq!(without, alone(&config));
}

// "Two adjacent windows sum to the whole for everything, offered messages and link use included",
// wherever they meet.
#[test]
fn adjacent_windows_sum_to_the_whole() {
    let mut config = hot_spot(SchemeKind::VoqSw);
    config.run.warmup = Tick(0);
    let used = |config: &FabricConfig, record: &Record, span: (Tick, Tick), at: usize| {
        let window = &record.summary.windows[&format!("w{at}")];
        let ticks = window.links["root"].expect("in use") * (span.1 - span.0).0 as f64;
        assert!((ticks - ticks.round()).abs() < 1e-6);
        let (offered, delivered) = counted(config, &window.all, span);
        (offered, delivered, ticks.round() as u64)
    };
    config.windows = windows(&[Tick(0), DURATION]);
    let whole = used(&config, &alone(&config), (Tick(0), DURATION), 0);
    for middle in [1, 29_990, 29_995, 30_000, 30_007, DURATION.0 - 1] {
        config.windows = windows(&[Tick(0), Tick(middle), DURATION]);
        let record = alone(&config);
        let a = used(&config, &record, (Tick(0), Tick(middle)), 0);
        let b = used(&config, &record, (Tick(middle), DURATION), 1);
        assert_eq!((a.0 + b.0, a.1 + b.1, a.2 + b.2), whole, "at {middle}");
    }
    // And link use is what the events say: the ticks in which a tail or what is before it leaves.
    let (record, told) = told(&config);
    let (switch, port) = config.named_links[0].1[0];
    let graph = config.network.graph();
    let number = (0..switch).map(|s| graph.ports(s)).sum::<u32>() + u32::from(port);
    let hops = told.hops.iter().filter(|hop| hop.0 == WireId(number));
    let ticks = hops.map(|&(_, start, ticks)| (start + ticks).min(DURATION) - start);
    let expected = ticks.sum::<Span>().0 as f64 / DURATION.0 as f64;
    assert_eq!(record.summary.links["root"], Some(expected));
}

// "Means of windows depend on run.series_bin_ns, and a dip can exceed the mean it dips from."
#[test]
fn windows_and_dips_do_not_depend_on_the_bins_of_the_series() {
    let mut config = hot_spot(SchemeKind::Recn);
    config.run.duration = Tick(200_000);
    config.windows = windows(&[Tick(30_011), Tick(150_050), Tick(200_000)]);
    let (record, told) = told(&config);
    for (w, result) in config.windows.iter().zip(record.summary.windows.values()) {
        let dip = result.worst_dip_bytes_per_ns.expect("a window");
        assert!(dip <= result.all.delivered_bytes_per_ns.expect("a window"));
        // 1.5 ticks a ns: parts of 30,000 ticks, 4 in the first window and 2 in the second one.
        let count = if w.start == Tick(30_011) { 4 } else { 2 };
        let edge = |k: u64| w.start + (w.end - w.start) * k / count;
        let rates = (0..count).map(|k| {
            let part = (edge(k), edge(k + 1));
            let delivered = told.counted(part, |_, _| true).1;
            delivered as f64 / config.time_base.span_to_ns(part.1 - part.0)
        });
        assert_eq!(Some(dip), rates.reduce(f64::min));
        let victims = result
            .victims_worst_dip_bytes_per_ns
            .expect("a hot destination");
        assert!(victims < dip);
    }
    for bin in [999, 123_456] {
        config.run.series_bin = Span(bin);
        assert_eq!(
            record.summary,
            alone(&config).summary,
            "bins of {bin} ticks"
        );
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
    let late = told
        .offered
        .iter()
        .filter(|o| o.born + Span(450) >= DURATION)
        .count();
    assert!(late > 10, "{late} messages in the last injection stage");
    // They have not arrived: they wait.
    let messages = told.messages();
    let waiting = messages.iter().filter(|m| m.2.is_none()).count();
    let share = waiting as f64 / messages.len() as f64;
    assert_eq!(s.latency_ns.undelivered, Some(share));
}

fn is_bound(latency: &LatencySummary, figure: LatencyFigure) -> bool {
    latency.lower_bounds.contains(&figure)
}

/// Each figure by its name.
fn figures(latency: &LatencySummary) -> [(LatencyFigure, f64); 5] {
    let values = [
        latency.mean,
        latency.p50,
        latency.p99,
        latency.p999,
        latency.max,
    ];
    let names = [
        LatencyFigure::Mean,
        LatencyFigure::P50,
        LatencyFigure::P99,
        LatencyFigure::P999,
        LatencyFigure::Max,
    ];
    let mut at = 0;
    names.map(|name| {
        at += 1;
        (name, values[at - 1].expect("measured"))
    })
}

// "Undelivered messages count with their age": what is called a lower bound is one of what comes
// out where they may arrive, and what is not is what comes out.
#[test]
fn figures_of_a_run_that_stops_early_bound_those_of_one_that_drains() {
    for scheme in [SchemeKind::OneQueue, SchemeKind::Recn] {
        let mut config = hot_spot(scheme);
        config.windows = windows(&[Tick(20_000), Tick(40_000)]);
        let stopped = alone(&config).summary;
        config.run.drain = Span(3_000_000);
        let (record, told) = told(&config);
        let drained = record.summary;
        assert!(record.ticks > DURATION.0 && record.ticks < (DURATION + Span(3_000_000)).0);
        assert_eq!(
            record.ticks % 1_500,
            DURATION.0 % 1_500,
            "looks are 1 us apart"
        );
        let measured = |m: &&((u32, u32), Tick, Option<Tick>)| (WARMUP..DURATION).contains(&m.1);
        let messages = told.messages();
        let ages: Vec<Span> = messages
            .iter()
            .filter(measured)
            .map(|m| m.2.expect("arrived") - m.1)
            .collect();
        let mean = ages.iter().map(|age| age.0).sum::<u64>() as f64 / ages.len() as f64 / 1.5;
        let found = drained.latency_ns.mean.expect("messages");
        assert!(
            (found - mean).abs() < 1e-6 * mean,
            "{found}, {mean} expected"
        );
        let pairs = [
            (&stopped.latency_ns, &drained.latency_ns),
            (&stopped.network_latency_ns, &drained.network_latency_ns),
            (
                &stopped.windows["w0"].all.latency_ns,
                &drained.windows["w0"].all.latency_ns,
            ),
            (
                &stopped.group_results["hot"].latency_ns,
                &drained.group_results["hot"].latency_ns,
            ),
        ];
        for (at, (early, late)) in pairs.into_iter().enumerate() {
            assert_eq!(
                (late.undelivered, &late.lower_bounds[..]),
                (Some(0.0), &[][..])
            );
            for ((name, a), (_, b)) in figures(early).into_iter().zip(figures(late)) {
                let what = format!("{scheme} {at} {name:?}: {a}, then {b}");
                // Packets of messages that were in admittance come in addition.
                let exact = at != 1 && !is_bound(early, name);
                assert!(
                    if exact {
                        a == b
                    } else {
                        a <= b * 1.001 || at == 1
                    },
                    "{what}"
                );
            }
        }
        let early = &stopped.latency_ns;
        let expected = messages.iter().filter(measured);
        let left = expected
            .clone()
            .filter(|m| m.2.is_none_or(|at| at >= DURATION));
        let share = left.count() as f64 / expected.count() as f64;
        assert_eq!(early.undelivered, Some(share));
        assert!(
            share > 0.05 && is_bound(early, LatencyFigure::Max),
            "{early:?}"
        );
        // Rates are those of the measured time alone.
        assert_eq!(
            stopped.delivered_bytes_per_ns,
            drained.delivered_bytes_per_ns
        );
        assert_eq!(stopped.offered_bytes_per_ns, drained.offered_bytes_per_ns);
        assert_eq!(stopped.fairness_jain, drained.fairness_jain);
        assert_eq!(stopped.links, drained.links);
    }
}

// "A flow is starved in a window if nothing of it was delivered in the window and its oldest
// undelivered message has waited for at least half of the window at the window's end": from the
// events, in windows so short that most hot flows starve.
#[test]
fn starved_flows_are_those_with_standing_demand_and_no_delivery() {
    let mut config = hot_spot(SchemeKind::OneQueue);
    let edges: Vec<Tick> = (20_000..=20_800).step_by(100).map(Tick).collect();
    config.windows = windows(&edges);
    config.run.warmup = DURATION - Span(200);
    let (record, told) = told(&config);
    let messages = told.messages();
    let starved = |(start, end): (Tick, Tick)| {
        let stands = |m: &&((u32, u32), Tick, Option<Tick>)| {
            let waits = m.1 < end && m.2.is_none_or(|at| at >= end);
            waits && (end - m.1.max(start)) * 2 >= end - start
        };
        let mut flows: Vec<(u32, u32)> = messages.iter().filter(stands).map(|m| m.0).collect();
        flows.sort_unstable();
        flows.dedup();
        flows.retain(|&flow| {
            let mut of_flow = told.ejected.iter();
            !of_flow
                .any(|(now, p)| (p.source, p.destination) == flow && start <= *now && *now < end)
        });
        flows
    };
    let mut found = 0;
    for window in &config.windows {
        let expected = starved((window.start, window.end)).len() as u64;
        let result = &record.summary.windows[&window.name];
        assert_eq!(result.flows_starved, Some(expected), "{}", window.name);
        found += expected;
    }
    assert!(found > 50, "{found} starved flows");
    let expected = starved((config.run.warmup, DURATION));
    let rows = record.flows.iter().filter(|row| row.starved);
    let flows: Vec<_> = rows.map(|row| (row.source, row.destination)).collect();
    assert_eq!(flows, expected);
    assert_eq!(record.summary.flows_starved, Some(expected.len() as u64));
    // Jain: over the measured bytes of what was delivered of and of what waits.
    let mut measured: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for message in messages.iter().filter(|m| m.2.is_none()) {
        measured.insert(message.0, 0);
    }
    let delivered = told
        .ejected
        .iter()
        .filter(|(now, _)| *now >= config.run.warmup);
    for (_, p) in delivered {
        *measured.entry((p.source, p.destination)).or_default() += u64::from(p.bytes);
    }
    let sum: u64 = measured.values().sum();
    let squares: u64 = measured.values().map(|b| b * b).sum();
    let jain = (sum * sum) as f64 / (measured.len() as u64 * squares) as f64;
    assert_eq!(record.summary.fairness_jain, Some(jain));
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
        assert_eq!(
            record.ticks == 20_000 + drain,
            drain < 3_000_000,
            "{}",
            record.ticks
        );
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

// "The two halves of the measured time", each in eight parts; only where no source starts or stops
// inside of it.
#[test]
fn halves_of_the_measured_time_are_counted_by_tick() {
    let config = hot_spot(SchemeKind::Recn);
    let (record, told) = told(&config);
    let steady = record.summary.steady.expect("no source starts or stops");
    let edge = |k: u64| WARMUP + (DURATION - WARMUP) * k / 16;
    let rate = |span: (Tick, Tick)| {
        let delivered = told.counted(span, |_, _| true).1 as f64;
        delivered / config.time_base.span_to_ns(span.1 - span.0)
    };
    assert_eq!(steady.first_half_bytes_per_ns, rate((WARMUP, edge(8))));
    assert_eq!(steady.second_half_bytes_per_ns, rate((edge(8), DURATION)));
    let error = |half: std::ops::Range<u64>| {
        let rates: Vec<f64> = half.map(|k| rate((edge(k), edge(k + 1)))).collect();
        rates.windows(2).map(|r| (r[1] - r[0]).powi(2)).sum::<f64>() / 14.0 / 8.0
    };
    // Student's t at 95 % is between these for 4 to 9 degrees of freedom.
    let deviation = (error(0..8) + error(8..16)).sqrt();
    let t = steady.noise_bytes_per_ns / deviation;
    assert!((2.261..2.777).contains(&t), "{t}");

    let mut changing = hot_spot(SchemeKind::Recn);
    let late = GroupConfig {
        name: "late".to_string(),
        load: Some(ratio(1, 2)),
        pattern: Pattern::Hot,
        destinations: vec![0],
        sources: Sources::List(vec![3]),
        start_ns: 20_000,
        ..GroupConfig::default()
    };
    let workload = WorkloadConfig {
        load: Some(ratio(2, 5)),
        groups: vec![late],
        ..WorkloadConfig::default()
    };
    changing.workload = workload
        .build(16, &changing.time_base, 1)
        .expect("a legal workload");
    assert_eq!(alone(&changing).summary.steady, None);
    changing.run.warmup = Tick::ZERO + changing.time_base.ns_to_ticks_ceil(20_000);
    assert!(alone(&changing).summary.steady.is_some());
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
    let recording = recording(&config, Span(101));
    let mut run = Run::with(&config, Engine::Fast, recording).expect("legal");
    while let (now, end) = run.progress()
        && now < end
    {
        run.step_recorded(now + Span(7_777)).expect("no deadlock");
    }
    run.end_recording();
    let (mut record, recording) = run.finish(0.0);
    record.summary.timing = Timing::default();
    assert!(
        record == expected,
        "{} ticks, {} expected",
        record.ticks,
        expected.ticks
    );
    assert!(record.summary.recn.frees > 0 && record.ticks > 60_000);
    let last = recording.recorder.ports_csv().lines().last().map(|line| {
        let start = line.split(',').next().expect("a column");
        start.parse::<f64>().expect("ns")
    });
    let bins = config.time_base.span_to_ns(config.run.series_bin);
    let duration = config.time_base.tick_to_ns(config.run.duration);
    assert!(
        last.is_some_and(|last| last < duration && last + bins >= duration),
        "{last:?}"
    );
}
