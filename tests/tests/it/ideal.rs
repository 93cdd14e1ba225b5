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

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} {expected}");
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
        let [fair, cut] = [ideal.max_min_bytes_per_ns, ideal.cut_bytes_per_ns].map(|b| b / 0.64);
        assert!((fair - percent).abs() < 0.05, "case {case}: {fair}");
        assert!((fair..fair + 0.1).contains(&cut), "case {case}: {fair} {cut}");
        assert_eq!(ideal.bytes_per_ns, ideal.cut_bytes_per_ns);
    }
}

/// 48 random sources, and what they leave of the link of the hot node.
const RANDOM: f64 = 48.0;
const HOT: f64 = 1.0 - 47.0 / 63.0;

/// "BMIN 64, 48 random + 16 hot sources, full rate: 48.25 B/ns". Over time as the workload changes:
/// before and after the tree 48; with one more hot source every 20 us (case 2) from the first on.
#[test]
fn bmin_64_with_16_hot_sources_is_that_of_the_specification() {
    let sudden = config("garcia-trees-2005/case-4.toml", &[]);
    let growing = config("garcia-trees-2005/case-2.toml", &[]);
    // Of 1600 us the hot link is full for 300, or from the first start to the last stop, 300 + 15 x
    // 20.
    for (config, from_us, to_us, hot, offered) in [
        (&sudden, 800, 1_100, HOT, 64.0),
        (&sudden, 0, 800, 0.0, 48.0),
        (&sudden, 1_100, 1_600, 0.0, 48.0),
        (&sudden, 0, 1_600, HOT * 3.0 / 16.0, 51.0),
        (&growing, 800, 820, HOT, 49.0),
        (&growing, 1_100, 1_120, HOT, 63.0),
        (&growing, 0, 1_600, HOT * 6.0 / 16.0, 51.0),
    ] {
        let ideal = over(config, from_us * 1_000, to_us * 1_000);
        near(ideal.bytes_per_ns, RANDOM + hot);
        near(ideal.max_min_bytes_per_ns, RANDOM + hot);
        near(ideal.cut_bytes_per_ns, RANDOM + hot);
        near(ideal.offered_bytes_per_ns, offered);
    }
    // 48 sources to all but themselves, 16 to node 32; each hot flow has its share in its time.
    let whole = over(&sudden, 0, 1_600_000);
    assert_eq!(whole.flows.len(), 48 * 63 + 16);
    near(whole.flows.iter().map(|flow| flow.2).sum(), whole.max_min_bytes_per_ns);
    let generators = |node| sudden.workload.generators.iter().filter(move |g| g.0 == node);
    for &(source, destination, rate) in &whole.flows {
        let hot_source = generators(source).all(|g| g.1.group() == 1);
        near(rate, if hot_source { HOT / 16.0 * 3.0 / 16.0 } else { 1.0 / 63.0 });
        assert!(!hot_source || destination == 32);
    }
    assert!(whole.flows.is_sorted_by_key(|flow| (flow.0, flow.1)));
    assert_eq!(Ideals::new(&growing).over(Tick(5), Tick(5)), Err(NoIdeal::Empty));
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
    let near = reached.iter().filter(|&&share| share > 0.9).count();
    assert!(near > reached.len() / 4, "{reached:?}");
}
