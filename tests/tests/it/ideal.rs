//! Bounds of workloads over their routes: the numbers of the specification, and that no run beats
//! them.

use fabric::{Ideal, Ideals, NoIdeal};
use plan::FabricConfig;
use setaside_tests::metamorphic::record;
use setaside_tests::shipped::load;
use units::Tick;

fn config(file: &str, sets: &[(&str, &str)]) -> FabricConfig {
    load(file, sets).build().unwrap_or_else(|errors| panic!("{errors}"))
}

fn over(config: &FabricConfig, start_ns: u64, end_ns: u64) -> Ideal {
    let tick = |ns| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
    Ideals::new(config).over(tick(start_ns), tick(end_ns)).unwrap()
}

/// "mesh, ideal max-min relative throughput at rate 4N/M per node: config 1: 99.7 / 88.7 / 76.3 %
/// in cases 1 / 2 / 3". The cut bound is above by what unfair rates gain: those of flows that cross
/// one full link and not two.
#[test]
fn mesh_configuration_1_is_that_of_the_specification() {
    for (case, percent) in [(1, 99.7), (2, 88.7), (3, 76.3)] {
        let sets = [("workload.load", "0.25"), ("workload.hot.load", "0.25")];
        let sets = if case == 1 { &sets[..1] } else { &sets[..] };
        let config = config(&format!("garcia-mesh-2005/config-1-case-{case}.toml"), sets);
        let ideal = over(&config, 2_000_000, 3_000_000);
        let relative = |bytes_per_ns: f64| bytes_per_ns / 64.0 * 100.0;
        let (fair, cut) = (relative(ideal.max_min_bytes_per_ns), relative(ideal.cut_bytes_per_ns));
        assert!((fair - percent).abs() < 0.05, "case {case}: {fair}");
        assert!((fair..fair + 0.1).contains(&cut), "case {case}: {fair} {cut}");
        assert_eq!(ideal.bytes_per_ns, ideal.cut_bytes_per_ns);
    }
}

/// "BMIN 64, 48 random + 16 hot sources, full rate: 48.25 B/ns": 48, and what the random ones leave
/// of the link of the hot node, 1 - 47/63. Over time as the workload changes: before and after the
/// tree 48.
#[test]
fn bmin_64_with_16_hot_sources_is_that_of_the_specification() {
    let (random, hot) = (48.0, 1.0 - 47.0 / 63.0);
    let config = config("garcia-trees-2005/case-4.toml", &[]);
    let near =
        |value: f64, expected: f64| assert!((value - expected).abs() < 1e-9, "{value} {expected}");
    let during = over(&config, 800_000, 1_100_000);
    near(during.max_min_bytes_per_ns, random + hot);
    near(during.cut_bytes_per_ns, random + hot);
    near(during.offered_bytes_per_ns, 64.0);
    near(over(&config, 0, 800_000).bytes_per_ns, random);
    near(over(&config, 1_100_000, 1_600_000).bytes_per_ns, random);
    // 300 of 1600 us.
    let whole = over(&config, 0, 1_600_000);
    near(whole.bytes_per_ns, random + hot * 3.0 / 16.0);
    near(whole.offered_bytes_per_ns, random + 3.0);
    // 48 sources to all but themselves, 16 to node 32; each hot flow has its share in its time.
    assert_eq!(whole.flows.len(), 48 * 63 + 16);
    near(whole.flows.iter().map(|flow| flow.2).sum(), whole.max_min_bytes_per_ns);
    let generators = |node| config.workload.generators.iter().filter(move |g| g.0 == node);
    for &(source, destination, rate) in &whole.flows {
        let hot_source = generators(source).all(|g| g.1.group() == 1);
        near(rate, if hot_source { hot / 16.0 * 3.0 / 16.0 } else { 1.0 / 63.0 });
        assert!(!hot_source || destination == 32);
    }
    assert!(whole.flows.is_sorted_by_key(|flow| (flow.0, flow.1)));
}

/// One more hot source every 20 us: the mean over the changes, and the sum of the parts.
#[test]
fn incremental_sources_count_from_their_start() {
    let config = config("garcia-trees-2005/case-2.toml", &[]);
    let hot = 1.0 - 47.0 / 63.0;
    let mut ideals = Ideals::new(&config);
    let tick = |ns| Tick::ZERO + config.time_base.ns_to_ticks_ceil(ns);
    let mut at = |from: u64, to: u64| ideals.over(tick(from), tick(to)).unwrap();
    // One source or sixteen: the link of node 32 is full, offered are as many bytes/ns as there are
    // sources.
    let first = at(800_000, 820_000);
    assert!(
        (first.bytes_per_ns - 48.0 - hot).abs() < 1e-9
            && (first.offered_bytes_per_ns - 49.0).abs() < 1e-9
    );
    let all = at(1_100_000, 1_120_000);
    assert!(
        (all.bytes_per_ns - 48.0 - hot).abs() < 1e-9
            && (all.offered_bytes_per_ns - 63.0).abs() < 1e-9
    );
    let (left, right, whole) = (at(0, 900_000), at(900_000, 1_600_000), at(0, 1_600_000));
    for of in [
        |i: &Ideal| i.bytes_per_ns,
        |i: &Ideal| i.max_min_bytes_per_ns,
        |i: &Ideal| i.offered_bytes_per_ns,
    ] {
        let sum = (of(&left) * 9.0 + of(&right) * 7.0) / 16.0;
        assert!((sum - of(&whole)).abs() < 1e-9, "{sum} {}", of(&whole));
    }
    // The hot link is full from the first start to the last stop, 300 + 15 x 20 us.
    assert!((whole.bytes_per_ns - 48.0 - hot * 6.0 / 16.0).abs() < 1e-9, "{}", whole.bytes_per_ns);
    assert_eq!(ideals.over(Tick(5), Tick(5)), Err(NoIdeal::Empty));
}

/// No run delivers more than its bound, but for the packets that messages begin with: permutations
/// offer what they demand exactly. Where all is one rhythm, as here, `of topology max` was above 1.
#[test]
fn no_run_delivers_more_than_its_bound() {
    let mut reached = Vec::new();
    for file in ["config-3-case-1", "config-4-case-1", "config-5-case-1"] {
        for pattern in ["tornado", "bit-complement", "shuffle", "bit-reverse"] {
            for scheme in ["1q", "voq-net"] {
                for load in ["1", "0.4"] {
                    let sets = [
                        ("run.duration_ns", "60_000"),
                        ("run.warmup_ns", "0"),
                        ("workload.pattern", pattern),
                        ("switch.scheme", scheme),
                        ("workload.load", load),
                    ];
                    let config = config(&format!("garcia-mesh-2005/{file}.toml"), &sets);
                    let ideal = over(&config, 0, 60_000);
                    let delivered = record(&config).summary.delivered_bytes_per_ns.unwrap();
                    // A message a source may be offered before its time.
                    let early = config.network.nodes() as f64 * 64.0 / 60_000.0;
                    assert!(
                        delivered <= ideal.bytes_per_ns + early,
                        "{file} {sets:?}: {delivered} {ideal:?}"
                    );
                    reached.push(delivered / ideal.bytes_per_ns);
                }
            }
        }
    }
    // And the bound is one that runs come near to.
    assert!(
        reached.iter().filter(|&&share| share > 0.9).count() > reached.len() / 4,
        "{reached:?}"
    );
}
