//! Runs whose inputs are related have results that are: what passed when it was tried by hand,
//! kept.

use setaside_tests::metamorphic::{Scale, not_scaled, scenario, uniform_deviation};
use setaside_tests::prelude::*;
use setaside_tests::random::case;

/// What is neither a time nor a length.
const UNSCALED: &str = r#"
network = { topology = "bmin", nodes = 16 }
recn = { saqs = 4, detection_packets = 3, propagation_packets = 3, xoff_packets = 6, xon_packets = 3 }
workload = { load = 0.5, hot = { load = 1, sources = 6, destinations = 5 } }
run = { drain_ns = 0 }
"#;

const LENGTHS: [(&str, u64); 6] = [
    ("switch.port_memory_bytes", 8192),
    ("switch.cell_bytes", 64),
    ("link.phit_bytes", 2),
    ("link.control_packet_bytes", 6),
    ("link.packet_bytes", 64),
    ("endnode.admittance_bytes", 2048),
];

const TIMES_NS: [(&str, u64); 12] = [
    ("recn.saq_timer_ns", 400),
    ("recn.retry_ns", 400),
    ("recn.xoff_repeat_ns", 400),
    ("recn.ppu_interval_ns", 2),
    ("link.wire_ns", 10),
    ("workload.hot.start_ns", 10_000),
    ("workload.hot.end_ns", 30_000),
    ("workload.hot.step_ns", 1_000),
    ("run.duration_ns", 60_000),
    ("run.warmup_ns", 5_000),
    ("run.series_bin_ns", 1_000),
    ("run.watchdog_ns", 60_000),
];

/// A scenario in which everything that is a time or a length is given; `time` and `bytes` scale
/// them.
fn scaled(scheme: &str, time: u64, bytes: u64) -> FabricConfig {
    let (organisation, speedup) = match scheme {
        "recn-dd-iq" => ("iq", "1"),
        _ => ("cioq", "3/2"),
    };
    let mut sets = vec![
        format!("switch.scheme={scheme}"),
        format!("switch.organisation={organisation}"),
        format!("switch.speedup={speedup}"),
        format!("link.rate_bytes_per_ns={bytes}/{time}"),
    ];
    sets.extend(LENGTHS.map(|(key, length)| format!("{key}={}", length * bytes)));
    sets.extend(TIMES_NS.map(|(key, ns)| format!("{key}={}", ns * time)));
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    scenario(UNSCALED, &sets).build().unwrap_or_else(|errors| panic!("{errors}"))
}

/// Twice the rate and half of every time, or twice the rate and twice of every length, are the same
/// ticks: all results scale, to the last digit. Lengths in bytes are part of the events. Runs do
/// not drain: whether one is over is checked every us, which does not scale.
#[test]
fn twice_the_rate_with_times_halved_or_lengths_doubled_is_the_same_run() {
    for scheme in ["1q", "voq-sw", "voq-net", "recn-basic", "recn", "recn-dd-iq"] {
        let fast = record(&scaled(scheme, 1, 2));
        for (time, bytes, scale, aside) in [
            (2, 2, Scale { bytes: 1.0, ns: 0.5 }, &[][..]),
            (1, 1, Scale { bytes: 2.0, ns: 1.0 }, &["events_hash"]),
        ] {
            let slow = record(&scaled(scheme, time, bytes));
            assert!(slow.summary.packets_delivered > 3_000, "{scheme}");
            let differ = not_scaled(&slow, &fast, scale, aside);
            assert!(differ.is_empty(), "{scheme}: {differ:#?}");
        }
    }
}

/// One number in several forms is one scenario.
#[test]
fn equal_forms_of_a_number_are_one_scenario() {
    let text = "[network]\ntopology = \"bmin\"\nnodes = 16\n[switch]\nscheme = \"voq-sw\"\n\
        [workload]\nload = 1\n[run]\nduration_ns = 20_000\n";
    let all = [
        ("switch.speedup", ["\"3/2\"", "1.5", "3/2", "\"6/4\""]),
        ("switch.speedup", ["2", "\"4/2\"", "2.0", "4/2"]),
        ("workload.load", ["0.5", "\"1/2\"", "0.50", "5e-1"]),
        ("run.duration_ns", ["9000", "9000.0", "9e3", "\"9000\""]),
    ];
    let mut hashes = BTreeSet::new();
    for (key, forms) in all {
        let of = |form: &str| {
            let scenario = scenario(text, &[&format!("{key}={form}")]);
            let config = scenario.build().unwrap_or_else(|errors| panic!("{errors}"));
            (scenario.resolved_toml(), scenario.hash(), record(&config))
        };
        let first = of(forms[0]);
        assert!(first.2.summary.packets_delivered > 0);
        for form in &forms[1..] {
            assert_eq!(first, of(form), "{key}: {} and {form}", forms[0]);
        }
        hashes.insert(first.1);
    }
    assert_eq!(hashes.len(), all.len(), "other numbers are other scenarios");
}

/// A longer run begins like a shorter one: every event of it, and every bin of the series.
#[test]
fn a_longer_run_begins_like_a_shorter_one() {
    let mut longer = 0;
    for seed in 0..60 {
        let mut short = case(seed, None, 2_000);
        short.run.series_bin = Span(150);
        short.run.duration = Tick(600);
        let mut long = short.clone();
        long.run.duration = Tick(1_400);
        let (brief, whole) = (record(&short), record(&long));
        assert_eq!(brief.series[..], whole.series[..brief.series.len()], "seed {seed}");
        let trace = |config: &FabricConfig| {
            let mut fabric =
                Fabric::new(config, Engine::Fast, Trace::default()).expect("a legal configuration");
            fabric.run_until(config.run.duration).expect("no deadlock");
            fabric.observer.text()
        };
        let (brief, whole) = (trace(&short), trace(&long));
        longer += u32::from(brief.len() < whole.len());
        assert!(whole.starts_with(&brief), "seed {seed}: other events");
    }
    assert!(longer > 40, "only {longer} go on after the end of the shorter one");
}

/// Everything of a record that does not speak of a group that was added last.
fn without_last_group(mut record: Record) -> Record {
    let name = record.groups.pop().expect("a group");
    record.summary.groups.remove(&name);
    record.summary.group_results.remove(&name);
    for window in record.summary.windows.values_mut() {
        window.groups.remove(&name);
    }
    record.latencies.retain(|set| set.group != name);
    for row in &mut record.series {
        assert_eq!(row.groups.pop(), Some(0.0));
    }
    record
}

/// A group that starts after the end changes nothing.
#[test]
fn a_late_group_changes_nothing() {
    for (at, scheme) in SCHEMES.into_iter().enumerate() {
        let config = |late: bool| {
            let mut workload =
                WorkloadConfig { arrivals: Arrivals::Bernoulli, ..WorkloadConfig::default() };
            let hot = |name: &str, start_ns| {
                let others = (0..16).filter(|&n| n != 3);
                GroupConfig { start_ns, ..group(name, ratio(7, 10), others, &[3]) }
            };
            workload.groups.push(group("all", ratio(7, 10), 0..16, &[]));
            workload.groups.push(hot("hot", 2_000));
            if late {
                workload.groups.push(hot("late", 20_000));
            }
            let switch = switch_config(scheme);
            let speedup = speedup(switch.organisation);
            let bmin = network(&TopologyConfig::Bmin { nodes: 16 });
            fabric_config(bmin, switch, speedup, &workload, 20_000, at as u64)
        };
        let (without, with) = (record(&config(false)), record(&config(true)));
        assert!(with.summary.packets_delivered > 1_000);
        assert_eq!(without, without_last_group(with), "{scheme}");
    }
}

/// A node more on the switch, to which no node sends and which is silent, changes nothing but what
/// the switch costs. With schemes whose queues share one memory, or do not depend on the ports:
/// else each queue has less with more of them. And with arbiters that do not go round over all
/// ports: the start of `round-robin` does (decision 0009), which `1q` alone does not see.
#[test]
fn an_idle_node_changes_nothing() {
    use ArbiterKind::{Islip, OldestFirst, RoundRobin};
    use SchemeKind::{Damq, Dbbm, OneQueue, Recn, RecnBasic, RecnDd};
    let islip = Islip { iterations: 2 };
    for (scheme, arbiter) in [
        (OneQueue, RoundRobin),
        (OneQueue, OldestFirst),
        (Damq, OldestFirst),
        (Dbbm, islip),
        (Recn, islip),
        (Recn, OldestFirst),
        (RecnBasic, islip),
        (RecnDd, OldestFirst),
    ] {
        let mut switch = switch_config(scheme);
        switch.arbiter = arbiter;
        let run = |ports: u32| {
            let active = group("active", ratio(9, 10), 0..7, &[0, 1, 2, 3, 4, 5, 6]);
            let hot = group("hot", ratio(1, 2), [0, 4, 5], &[2]);
            let workload = WorkloadConfig {
                groups: vec![
                    GroupConfig { pattern: Pattern::Uniform, ..active },
                    GroupConfig { start_ns: 3_000, ..hot },
                ],
                ..WorkloadConfig::default()
            };
            let single = network(&TopologyConfig::SingleSwitch { ports });
            let config = fabric_config(single, switch.clone(), ratio(3, 2), &workload, 30_000, 5);
            let mut record = record(&config);
            let summary = &mut record.summary;
            // Names of points are as wide as the switch, and what a port costs and could do follows
            // from the ports.
            summary.events_hash.clear();
            (summary.memory, summary.relative_throughput) = Default::default();
            record
        };
        let seven = run(7);
        assert!(seven.summary.packets_delivered > 1_000);
        assert_eq!(seven, run(8), "{scheme}");
        assert_eq!(seven, run(13), "{scheme}");
    }
}

/// More SAQs: no more refusals, in any version of the family; and none where there are plenty.
#[test]
fn refusals_never_rise_with_the_number_of_saqs() {
    for scheme in RECN {
        let refusals = [1, 2, 4, 8, 16, 32].map(|saqs| {
            let workload = WorkloadConfig {
                load: Some(ratio(1, 2)),
                hot: Some(GroupConfig {
                    pattern: Pattern::Hot,
                    destinations: vec![1, 9, 22, 35, 47, 58],
                    sources: Sources::Count(24),
                    start_ns: 2_000,
                    ..GroupConfig::default()
                }),
                ..WorkloadConfig::default()
            };
            let mut switch = switch_config(scheme);
            switch.recn.saqs = saqs;
            switch.recn.detection_egress_packets = 2;
            switch.recn.detection_ingress_packets = 2;
            switch.recn.propagation_packets = 1;
            switch.recn.thresholds = Thresholds::new(3, 1, Edge::Reached).expect("legal");
            let speedup = speedup(switch.organisation);
            let bmin = network(&TopologyConfig::Bmin { nodes: 64 });
            let config = fabric_config(bmin, switch, speedup, &workload, 40_000, 1);
            record(&config).summary.recn.refusals
        });
        assert!(refusals[0] > 0, "{scheme}: one SAQ is enough");
        // Basic RECN refuses more specific points too, of which more SAQs do not make fewer.
        if scheme != SchemeKind::RecnBasic {
            assert_eq!(refusals[5], 0, "{scheme}: 32 SAQs are too few");
        }
        assert!(refusals.is_sorted_by(|a, b| a >= b), "{scheme}: {refusals:?}");
    }
}

/// A deviation that one draw in 1,000 exceeds, one in 500 on both sides: |z| of a standard normal
/// number.
const SIGNIFICANT: f64 = 3.09;

/// Destinations are uniform by chi-square, at a significance of .002 for each of the tests, seeds
/// fixed: neither unequal nor more equal than chance makes them.
#[test]
fn destinations_are_uniform_by_chi_square() {
    let (mut tests, mut deviations) = (0, Vec::new());
    for (nodes, self_traffic, candidates) in [
        (16, false, Vec::new()),
        (64, false, Vec::new()),
        (64, true, Vec::new()),
        (100, false, vec![3, 14, 15, 92, 65, 35]),
    ] {
        for seed in 1..=3 {
            let workload = WorkloadConfig {
                load: Some(Ratio::ONE),
                self_traffic,
                destinations: candidates.clone(),
                ..WorkloadConfig::default()
            };
            let built =
                workload.build(nodes, &time_base(Ratio::ONE), seed).expect("a legal workload");
            for (node, generator) in built.generators {
                let legal: Vec<u32> =
                    if candidates.is_empty() { (0..nodes).collect() } else { candidates.clone() };
                let legal: Vec<u32> =
                    legal.into_iter().filter(|&d| self_traffic || d != node).collect();
                let mut counts = vec![0_u64; nodes as usize];
                let draws = 50 * legal.len();
                generator.take(draws).for_each(|m| counts[m.destination as usize] += 1);
                let drawn: Vec<u64> = legal.iter().map(|&d| counts[d as usize]).collect();
                assert_eq!(drawn.iter().sum::<u64>(), draws as u64, "a destination is illegal");
                tests += 1;
                deviations.push(uniform_deviation(&drawn));
            }
        }
    }
    let outside = deviations.iter().filter(|d| d.abs() > SIGNIFICANT).count();
    // Of so many tests this many fail by chance, with three standard deviations of that number.
    let expected = f64::from(tests) * 0.002;
    let most = expected + 3.0 * expected.sqrt();
    assert!((outside as f64) <= most, "{outside} of {tests} tests fail");
    // And together they are a standard normal sample: its mean and variance, with four standard
    // deviations of each.
    let n = f64::from(tests);
    let mean = deviations.iter().sum::<f64>() / n;
    let variance = deviations.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    assert!(mean.abs() < 4.0 / n.sqrt(), "mean {mean}");
    assert!((variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "variance {variance}");
}

/// The test above would notice: of destinations of which one is drawn twice as often, and of such
/// that go round.
#[test]
fn chi_square_tells_unequal_and_too_equal_from_uniform() {
    let mut draw = Draw::new(1);
    let mut unequal = vec![0_u64; 63];
    (0..50 * 63).for_each(|_| unequal[draw.range(0, 62) as usize] += 1);
    assert!(uniform_deviation(&unequal).abs() < SIGNIFICANT);
    unequal[5] *= 2;
    assert!(uniform_deviation(&unequal) > SIGNIFICANT);
    assert!(uniform_deviation(&[50; 63]) < -SIGNIFICANT);
}
