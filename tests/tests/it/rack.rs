//! Hierarchical networks with two-level tables: do the engines agree where links and nodes fail all
//! the time; is everything delivered, or accounted for; does nothing ever lock?

use fabric::Engine;
use hierarchy::{Algorithm, Selection};
use plan::{FabricConfig, FaultConfig, FaultEvent, FaultTables, FaultTarget};
use proptest::prelude::*;
use scenario::Scenario;
use setaside_tests::compare::{difference, outcome, outcome_with};
use setaside_tests::property::fixed;
use setaside_tests::rack::{case, faulty_case, locking_case, put_away, routing, storm};
use units::Tick;

/// It runs on while it drains.
fn drained(mut config: FabricConfig) -> FabricConfig {
    config.run.duration = Tick(3_000);
    config
}

fn assert_agree_in_storm(seed: u64) {
    let differ = difference(&drained(storm(seed, 1_500)), Engine::Fast, Engine::Reference);
    assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
}

// Three transfers start in the tick in which the next head of one of their inputs is decided again:
// it counts the credit of those that started before it. One storm in 2,000 shows their order.
#[test]
fn a_head_that_is_decided_again_sees_what_started_before() {
    assert_agree_in_storm(1_491);
}

proptest! {
    #![proptest_config(fixed(100, 2024))]

    /// "both engines byte-equal with adaptive choices (named streams) and faults", where something
    /// fails all the time.
    #[test]
    fn engines_agree_in_storms(seed in 0..1_000_000_u64) {
        assert_agree_in_storm(seed);
    }
}

/// Packets that came out of order, and the most that waited at a node for an earlier one.
fn disorder(config: &FabricConfig) -> (u64, u64) {
    let (_, record) = outcome_with(&drained(config.clone()), Engine::Fast, ());
    let peak = record.summary.reorder_buffer_peak;
    let peak = peak.map_or(0, |peak| peak.packets);
    (record.summary.out_of_order, peak)
}

/// The first `count` cases with this kind of routing.
fn cases(is_one: impl Fn(Algorithm) -> bool, count: usize) -> Vec<FabricConfig> {
    let cases = (0..).map(|seed| case(seed, 2_000));
    let those = cases.filter(|config| is_one(routing(config).algorithm));
    those.take(count).collect()
}

/// `minimal` and `first`: "packets of a flow stay in order", whatever the tables, the queues and
/// the times of decision are; a reorder buffer never holds one.
#[test]
fn minimal_by_first_ports_keeps_order() {
    for mut config in cases(|algorithm| algorithm == Algorithm::Minimal, 150) {
        let adaptive = config.switch.adaptive.as_mut().expect("hierarchical");
        adaptive.selection = Selection::First;
        config.endnode.reorder_buffer = false;
        assert_eq!(config.overtaking(), None, "seed {}", config.run.seed);
        assert_eq!(disorder(&config).0, 0, "seed {}", config.run.seed);
        config.endnode.reorder_buffer = true;
        assert_eq!(disorder(&config), (0, 0), "seed {}", config.run.seed);
    }
}

/// Entries of one port leave nothing to select: with faults packets go the same way, or strand.
#[test]
fn minimal_by_single_ports_keeps_order() {
    let mut tried = 0;
    for mut config in cases(|algorithm| algorithm == Algorithm::Minimal, 150) {
        let hierarchy = config.network.hierarchy().expect("hierarchical");
        let mut entries = hierarchy.tables().iter().flat_map(|table| table.iter());
        if entries.all(|(_, ports)| ports.count_ones() <= 1) {
            tried += 1;
            let mut faulty = faulty_case(config.run.seed, 2_000);
            faulty.endnode.reorder_buffer = false;
            faulty.faults.tables = FaultTables::Pruned;
            assert_eq!(faulty.overtaking(), None, "seed {}", config.run.seed);
            assert_eq!(disorder(&faulty).0, 0, "seed {}", config.run.seed);
            config.endnode.reorder_buffer = true;
            assert_eq!(disorder(&config), (0, 0), "seed {}", config.run.seed);
        }
    }
    assert!(tried > 20, "{tried} cases");
}

/// Nothing else keeps order: packets come out of order, which is counted; a reorder buffer restores
/// it, and how many waited is known.
#[test]
fn other_routings_come_out_of_order() {
    for &algorithm in Algorithm::ALL {
        let (mut late, mut held) = (0, 0);
        for mut config in cases(|one| one == algorithm, 30) {
            let adaptive = config.switch.adaptive.as_mut().expect("hierarchical");
            adaptive.selection = Selection::Random;
            config.endnode.reorder_buffer = false;
            let one = disorder(&config).0;
            let may = config.overtaking().is_some();
            assert!(may || one == 0, "{algorithm}, seed {}", config.run.seed);
            late += one;
            config.endnode.reorder_buffer = true;
            let (left, peak) = disorder(&config);
            assert_eq!(left, 0, "{algorithm}, seed {}", config.run.seed);
            held += peak;
        }
        assert!(late > 0 && held > 0, "{algorithm}: {late} late, {held} held");
    }
}

/// "counted as *lost to the fault*: ... packets in the memories of a dead node": none of them
/// strands because the entries of that node empty in the same moment.
#[test]
fn what_a_failing_node_holds_is_lost() {
    let mut lost = 0;
    for seed in 0..40 {
        let mut config = drained(faulty_case(seed, 1_500));
        let event =
            FaultEvent { at: Tick(600), target: FaultTarget::Node { switch: 1 }, recovers: false };
        config.faults = FaultConfig { events: vec![event], ..FaultConfig::default() };
        let (trace, _) = outcome(&config, Engine::Fast);
        let at_node = |line: &&str| line.starts_with("599 e1.");
        let told: Vec<_> = trace.lines().filter(at_node).collect();
        let stranded = told.iter().find(|line| line.contains(" stranded "));
        assert_eq!(stranded, None, "seed {seed}");
        lost += told.iter().filter(|line| line.contains(" lost ")).count();
    }
    assert!(lost > 100, "{lost} lost");
}

/// "Taken literally the channel dependency graph has cycles ... and runs really deadlock": with
/// memories of few packets the same kind of case that never locks elsewhere does here.
#[test]
fn cases_on_cyclic_channels_lock() {
    let locked = (0..20).filter(|&seed| match put_away(&locking_case(seed, 4_000)) {
        Ok(_) => false,
        Err(what) => {
            assert!(what.contains("deadlock"), "seed {seed}: {what}");
            true
        }
    });
    let locked = locked.count();
    assert!(locked > 2, "{locked} of 20 lock");
}

/// Drained, every packet is delivered or counted: how many were lost or stranded.
fn missing(config: &FabricConfig) -> Result<u64, TestCaseError> {
    let seed = config.run.seed;
    let counts = put_away(config);
    let counts = counts.map_err(|what| TestCaseError::fail(format!("seed {seed}: {what}")))?;
    let [generated, delivered, lost, stranded] = counts;
    prop_assert_eq!(generated, delivered + lost + stranded, "seed {}", seed);
    Ok(lost + stranded)
}

proptest! {
    #![proptest_config(fixed(600, 2024))]

    /// "random traffic with memories of one packet never deadlocks on them"; without faults nothing
    /// is lost. "generated = delivered + in flight + lost to the fault + stranded", audited to the
    /// cell and credit, and nothing in flight in the end.
    #[test]
    fn everything_arrives_but_what_faults_lose(seed: u64) {
        prop_assert_eq!(missing(&case(seed, 2_000))?, 0, "seed {}", seed);
        missing(&faulty_case(seed, 3_000))?;
    }
}

proptest! {
    #![proptest_config(fixed(200, 2024))]

    /// "shortest paths on what is left": tables that change under packets on their way, too.
    #[test]
    fn recomputed_tables_lose_nothing_else(seed: u64) {
        let mut config = faulty_case(seed, 3_000);
        config.faults.tables = FaultTables::Recomputed;
        missing(&config)?;
    }
}

/// "Same scenario and seed => byte-identical event trace and results" (clock.md): a head that is
/// overdue has reserved a port and is decided to go by another one; who waits for the first goes in
/// the next tick.
#[test]
fn engines_agree_where_an_overdue_head_is_decided_again() {
    let text = r#"
        network = { topology = "rsi-butterfly", super_nodes = 2, links_per_pair = 3, wiring = "palm-tree-packed" }
        routing = { algorithm = "minimal", selection = "least-queued", lar_counter = "requests", lar_decision = "head", vc_scheme = "hop-count", local_routes = "all-minimal" }
        switch = { scheme = "voq-per-vc", organisation = "iq", arbiter = "round-robin", wait_bound_packets = 1 }
        workload = { load = 0.5 }
        run = { duration_ns = 3200, warmup_ns = 0, seed = 221390 }
    "#;
    let scenario = Scenario::parse(text, "decided-again.toml", None, &[]).expect("legal");
    let config = scenario.build().expect("legal");
    assert_eq!(difference(&config, Engine::Fast, Engine::Reference), None);
}
