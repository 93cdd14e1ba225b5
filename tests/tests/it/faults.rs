//! Links that go down and come up in the middle of a run, and tables that lose an entry: is every
//! packet delivered, lost or stranded, is every credit where it must be, do the engines agree?

use fabric::stats_config;
use observe::Stats;
use plan::{LinkState, RouteTable};
use setaside_tests::compare::first_difference;
use setaside_tests::invariants::{drain_audited, run_audited};
use setaside_tests::prelude::*;
use setaside_tests::random::case;

/// Of one run: the trace, and packets generated, delivered, lost, stranded.
type Outcome = (String, [u64; 4]);

const LIMIT: Tick = Tick(400_000);

fn fabric(config: &FabricConfig, engine: Engine) -> Fabric<(Stats, Trace)> {
    let observers = (Stats::new(stats_config(config)), Trace::default());
    Fabric::new(config, engine, observers).expect("a legal configuration")
}

/// Drains: every packet generated was delivered, lost or stranded.
fn finish(mut fabric: Fabric<(Stats, Trace)>) -> Outcome {
    drain_audited(&mut fabric, Tick(0), LIMIT).expect("drained, all at home");
    fabric.merge_observers();
    let (stats, trace) = &fabric.observer;
    let counts = stats.counts_with_drain();
    let counts = [counts.generated, counts.delivered, counts.lost, counts.stranded];
    assert_eq!(counts[0], counts[1] + counts[2] + counts[3], "{counts:?}");
    (trace.text(), counts)
}

fn assert_equal(a: &Outcome, b: &Outcome, what: &str) {
    assert!(a.0 == b.0, "{what}: {}", first_difference(&a.0, &b.0));
    assert_eq!(a.1, b.1, "{what}");
}

/// A link of a random fabric goes down under load and comes up again; `seed` decides which and
/// when.
fn down_and_up(config: &FabricConfig, seed: u64, engine: Engine) -> Outcome {
    let mut draw = Draw::new(!seed);
    let links: Vec<_> = config.network.graph().links().collect();
    let mut fabric = fabric(config, engine);
    let mut at = draw.range(200, 900);
    for _ in 0..3 {
        let (from, to, _) = draw.one(&links);
        let (switch, port) = match (from, to) {
            (Endpoint::Port { switch, port }, _) | (_, Endpoint::Port { switch, port }) => {
                (switch, PortId(port))
            }
            _ => continue,
        };
        run_audited(&mut fabric, Tick(at)).expect("before");
        fabric.set_link(switch, port, LinkState::Down);
        fabric.audit().expect("as the link goes down");
        at += draw.range(1, 700);
        run_audited(&mut fabric, Tick(at)).expect("while it is down");
        fabric.set_link(switch, port, LinkState::Up);
        at += draw.range(1, 300);
    }
    finish(fabric)
}

#[test]
fn what_a_link_loses_is_all_that_is_missing() {
    let mut lost = 0;
    for seed in 0..60 {
        let config = case(seed, None, 2_000);
        let units = down_and_up(&config, seed, Engine::Reference);
        let other = down_and_up(&config, seed, Engine::Shuffled(seed));
        assert_equal(&units, &other, &format!("case {seed}"));
        lost += units.1[2];
    }
    assert!(lost > 50, "hardly any packet was on a wire: {lost}");
}

/// A BMIN with tables, all to all at half load.
fn with_tables(organisation: Organisation, scheme: SchemeKind) -> FabricConfig {
    let workload = WorkloadConfig {
        groups: vec![GroupConfig { end_ns: Some(2_000), ..group("all", ratio(1, 2), 0..16, &[]) }],
        ..WorkloadConfig::default()
    };
    let options = BuildOptions { tables: true, ..BuildOptions::default() };
    let network = Network::build(&TopologyConfig::Bmin { nodes: 16 }, &options);
    let network = Arc::new(network.expect("a legal topology"));
    let mut switch = switch_config(scheme);
    switch.organisation = organisation;
    let mut config = fabric_config(network, switch, speedup(organisation), &workload, 2_000, 1);
    config.routing = RoutingKind::Table;
    config
}

/// Switch 0 forgets the way to one destination.
fn withdraw(fabric: &mut Fabric<(Stats, Trace)>, config: &FabricConfig, destination: u32) {
    let tables = config.network.tables().expect("a network with tables");
    for port in 0..config.network.graph().ports(0) as u8 {
        let sets = (0..config.network.nodes() as u32).map(|d| match d {
            d if d == destination => 0,
            d => tables.candidates(0, port, d),
        });
        let table = Arc::new(RouteTable::Several(sets.collect()));
        fabric.set_table(0, PortId(port), &table);
    }
}

/// Packets for one destination strand in switch 0.
fn entry_withdrawn(config: &FabricConfig, destination: u32, engine: Engine) -> Outcome {
    let mut fabric = fabric(config, engine);
    run_audited(&mut fabric, Tick(700)).expect("before");
    withdraw(&mut fabric, config, destination);
    run_audited(&mut fabric, Tick(1_500)).expect("after");
    finish(fabric)
}

#[test]
fn a_withdrawn_entry_strands_packets_and_nothing_else() {
    use Organisation::{Cioq, Iq, Oq};
    for (organisation, scheme) in [
        (Cioq, SchemeKind::OneQueue),
        (Cioq, SchemeKind::VoqSw),
        (Cioq, SchemeKind::VoqNet),
        (Iq, SchemeKind::VoqSw),
        (Oq, SchemeKind::OneQueue),
    ] {
        let config = with_tables(organisation, scheme);
        let what = format!("{organisation} {scheme}");
        let units = entry_withdrawn(&config, 9, Engine::Reference);
        assert!(units.1[3] > 0, "{what}: nothing stranded");
        assert_eq!(units.1[2], 0, "nothing was on a wire that was cut");
        let other = entry_withdrawn(&config, 9, Engine::Shuffled(7));
        assert_equal(&units, &other, &what);
    }
}

/// Closed loops all to all, from 0 on, of which some requests strand; in pieces of `piece`.
fn loops_in_pieces(piece: Span) -> Outcome {
    let mut config = with_tables(Organisation::Cioq, SchemeKind::VoqSw);
    let group = GroupConfig {
        end_ns: Some(40_000),
        reply_bytes: Some(64),
        window: Some(2),
        ..group("loop", Ratio::ONE, 0..16, &[])
    };
    let workload = WorkloadConfig { groups: vec![group], ..WorkloadConfig::default() };
    config.workload = workload.build(16, &config.time_base, 1).expect("legal");
    config.run.watchdog = Span(1_000);
    let mut fabric = fabric(&config, Engine::Reference);
    let run_until = |fabric: &mut Fabric<_>, until: Tick| {
        while fabric.now() < until {
            let next = until.min(fabric.now() + piece);
            fabric.run_until(next).expect("it does not lock");
        }
    };
    run_until(&mut fabric, Tick(700));
    withdraw(&mut fabric, &config, 9);
    run_until(&mut fabric, Tick(59_000));
    finish(fabric)
}

/// Results do not depend on how a run is cut into pieces: a source hears of what stranded at the
/// checks of the watchdog, and goes on.
#[test]
fn pieces_of_a_run_do_not_show_where_closed_loops_lose_requests() {
    let whole = loops_in_pieces(Span(100_000));
    let [generated, .., stranded] = whole.1;
    // With windows of 2 the 16 sources would stand after 32.
    assert!(stranded > 32, "{:?}", whole.1);
    assert!(generated > 4 * stranded, "{:?}", whole.1);
    for piece in [Span(1), Span(307), Span(777), Span(2_000)] {
        let pieces = loops_in_pieces(piece);
        assert_equal(&whole, &pieces, &format!("pieces of {piece}"));
    }
}
