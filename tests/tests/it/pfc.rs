//! Pause per VC in the place of credits: the least memory is needed and enough, and pauses spread.

use crate::agree;
use flow_control::PauseWord;
use observe::PauseRow;
use plan::{ConfigError, PfcConfig, PfcQueues};
use setaside_tests::pfc::{dcqcn, least_memory};
use setaside_tests::prelude::*;
use setaside_tests::watch::Seen;
use std::panic::{AssertUnwindSafe, catch_unwind};
use units::Broken;

/// 16 nodes at a BMIN; 12 of them send to node 0 alone, the others to all.
fn hot_spot(switch: SwitchConfig, speedup: Ratio, ns: u64) -> FabricConfig {
    let bmin = network(&TopologyConfig::Bmin { nodes: 16 });
    let workload = WorkloadConfig {
        load: Some(ratio(1, 2)),
        hot: Some(GroupConfig {
            destinations: vec![0],
            sources: Sources::Count(12),
            ..GroupConfig::default()
        }),
        ..WorkloadConfig::default()
    };
    fabric_config(bmin, switch, speedup, &workload, ns, 7)
}

fn pfc_switch(xoff_bytes: u64) -> SwitchConfig {
    SwitchConfig {
        pfc: Some(PfcConfig {
            queues: PfcQueues::OneQueue,
            xoff_bytes,
            xon_bytes: xoff_bytes / 2,
            pause_bytes: 64,
            quanta: Span::ZERO,
            cell_bytes_per_byte: Ratio::ONE,
        }),
        ..switch_config(SchemeKind::Pfc)
    }
}

/// "refused if too small to be lossless": at the least memory a hot spot loses nothing, and comes
/// nearer to the end of it than a packet and a cell; a cell less is refused with that least.
#[test]
fn the_least_memory_is_needed_and_enough() {
    let mut config = hot_spot(pfc_switch(1024), Ratio::ONE, 40_000);
    config.link.wire = Span(300);
    least_memory(&mut config);
    let least = config.switch.port_memory_bytes;
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("the least is legal");
    let mut most = 0;
    while fabric.now() < config.run.duration {
        fabric.run_until(fabric.now() + Span(5)).expect("no deadlock");
        fabric.probe(|port| {
            if matches!(port.unit, Unit::Ingress { .. }) {
                let cells = port.cells;
                most = most.max(cells.normal + cells.leaving);
            }
        });
    }
    let spare = least - most * config.switch.cell_bytes;
    assert!(spare <= 64 + 2 * 64, "{spare} bytes of {least} are never taken");
    config.switch.port_memory_bytes -= config.switch.cell_bytes;
    let refusal = Fabric::new(&config, Engine::Fast, ()).err().expect("too small");
    let ConfigError::Headroom(error) = refusal else {
        panic!("{refusal}");
    };
    assert_eq!(error.least, u64::from(least));
}

/// A configuration that understates the cells of packets is stopped by the memory itself.
#[test]
fn an_overflow_is_a_broken_invariant_with_its_place() {
    let mut config = hot_spot(pfc_switch(1024), Ratio::ONE, 40_000);
    config.link.wire = Span(300);
    let workload = WorkloadConfig {
        load: Some(ratio(1, 1)),
        pattern: Pattern::Hot,
        destinations: vec![0],
        message_bytes: MessageBytes::Fixed(4),
        ..WorkloadConfig::default()
    };
    // Packets of 4 bytes in cells of 64, which the check does not know of.
    config.workload = workload.build(16, &config.time_base, 1).expect("legal");
    least_memory(&mut config);
    let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("it looks legal");
    let end = config.run.duration;
    let run = catch_unwind(AssertUnwindSafe(|| fabric.run_until(end)));
    let payload = run.expect_err("it overflows");
    let broken = payload.downcast_ref::<Broken>().expect("a broken invariant");
    let text = broken.to_string();
    assert!(text.contains("overflow: ") && text.contains("fabric.switch"), "{text}");
}

/// The classic picture: the link in front of the hot node's switch is paused first, then those that
/// lead to it, at last nodes that do not send there at all.
#[test]
fn pauses_spread_from_the_root_to_victims() {
    let mut config = hot_spot(pfc_switch(1024), Ratio::ONE, 60_000);
    least_memory(&mut config);
    let events = Watch::with_events().of(&config, config.run.duration).events;
    let is_pause =
        |seen: &&Seen| matches!(seen.event, Event::Paused { word: PauseWord::Pause, .. });
    let switches = config.network.switches() as u32;
    let of = |wanted: &dyn Fn(u32) -> bool| {
        let first = events.iter().filter(is_pause).find(|seen| wanted(seen.port.0));
        first.map(|seen| seen.at)
    };
    // Stage 1 sends to stage 0 of the root, and stage 0 to stage 1.
    let stage = switches / 2;
    let down = of(&|element| (stage..switches).contains(&element)).expect("the root pauses");
    let up = of(&|element| element < stage).expect("then those that lead to it");
    assert!(down < up, "{down} {up}");
    let hot = &config.workload.summaries[1].sources;
    let victim = |element: u32| element >= switches && !hot.contains(&(element - switches));
    let victims = of(&victim).expect("nodes that send elsewhere are paused too");
    assert!(up < victims, "{up} {victims}");
    let (_, record) = outcome(&config, Engine::Fast);
    let pause = record.summary.pause.expect("counted");
    assert!(pause.pauses_spread > 0 && pause.vcs_paused > 8, "{pause:?}");
    tree_of(&record.pauses);
    let sums = |of: fn(&PauseRow) -> f64| record.pauses.iter().map(of).sum::<f64>();
    assert!((sums(|row| row.paused_ns) - pause.pause_ns).abs() < 1e-6);
    let series: f64 = record.series.iter().filter_map(|row| row.pause_ns).sum();
    assert!((series - pause.pause_ns).abs() < 1e-3, "{series}");
}

/// The tree of pauses: the root is the slow output to node 0, every other link is one deeper than
/// the one it waits for, and as deep as its way there is long.
fn tree_of(rows: &[PauseRow]) {
    let depth = |from: &str| rows.iter().find(|row| row.from == from)?.depth;
    let mut depths = BTreeMap::<u32, u32>::new();
    for row in rows {
        let first = row.pauses_said - row.pauses_repeated;
        assert_eq!(row.cause.is_some(), first > 0, "{row:?}");
        assert!(row.pauses_spread <= first, "{row:?}");
        let Some(at) = row.depth else {
            assert_eq!(first, 0, "{row:?}");
            continue;
        };
        *depths.entry(at).or_default() += 1;
        let cause = row.cause.as_deref().expect("a depth follows from it");
        match depth(cause) {
            None => assert_eq!(at, 1, "{row:?}"),
            Some(behind) => assert!(at == 1 || at == behind + 1, "{row:?}"),
        }
    }
    // Links to stage 0 of node 0, to stage 1, and those of end nodes.
    assert!((1..=3).all(|depth| depths.contains_key(&depth)), "{depths:?}");
    let root = || rows.iter().filter(|row| row.depth == Some(1));
    let most = root().max_by_key(|row| row.pauses).expect("a root");
    assert_eq!(most.cause.as_deref(), Some("s0.p0"), "{most:?}");
    // Links to the root's switch, from the nodes there and from the switches behind it.
    let of_root = || root().filter(|row| row.cause.as_deref() == Some("s0.p0"));
    assert!(of_root().all(|row| row.to.starts_with("s0.")), "{rows:?}");
    for from in ['n', 's'] {
        assert!(of_root().any(|row| row.from.starts_with(from)), "{rows:?}");
    }
}

/// Repeats of a pause are counted apart: they are no pauses.
#[test]
fn repeats_are_no_pauses() {
    let mut switch = pfc_switch(1024);
    if let Some(pfc) = &mut switch.pfc {
        pfc.quanta = Span(400);
    }
    let mut config = hot_spot(switch, Ratio::ONE, 60_000);
    least_memory(&mut config);
    let (_, record) = outcome(&config, Engine::Fast);
    let sum = |of: fn(&PauseRow) -> u64| record.pauses.iter().map(of).sum::<u64>();
    let (sent, repeated) = (sum(|row| row.pauses_said), sum(|row| row.pauses_repeated));
    let pauses = sum(|row| row.pauses);
    assert!(repeated > pauses, "{repeated} {pauses}");
    // What has started is heard, but at the ends of the measured time.
    let first = sent - repeated;
    assert!(first.abs_diff(pauses) <= record.pauses.len() as u64, "{first} {pauses}");
    assert!(sum(|row| row.pauses_spread) <= first);
}

/// DCQCN takes the sources back: fewer pauses, victims get what they offer, and every CNP is found.
#[test]
fn dcqcn_relieves_the_links() {
    let mut config = hot_spot(pfc_switch(4096), ratio(3, 2), 400_000);
    least_memory(&mut config);
    config.run.warmup = Tick::ZERO + config.time_base.ns_to_ticks_ceil(100_000);
    let plain = outcome(&config, Engine::Fast).1.summary;
    dcqcn(&mut config);
    let summary = outcome(&config, Engine::Fast).1.summary;
    let ecn = summary.ecn.expect("counted");
    let cnps = ecn.cnps_delivered.expect("counted");
    assert!(cnps > 100 && ecn.acks_delivered == 0, "{ecn:?}");
    assert!(cnps <= ecn.packets_marked);
    let [before, with] = [plain.pause, summary.pause].map(|pause| pause.expect("counted").pause_ns);
    assert!(with < before / 2.0, "{with} {before}");
    let rate = |groups: &BTreeMap<String, Option<f64>>, name: &str| groups[name].expect("a window");
    assert!(rate(&plain.groups, "random") < 1.0);
    assert!(rate(&summary.groups, "random") > 1.8);
    assert!(rate(&summary.groups, "hot") > 0.3);
}

/// Random cases would prove little if nothing was ever paused, or no CNP sent.
#[test]
fn random_cases_pause_and_notify() {
    let seen = (0..60).map(|seed| {
        let summary = outcome(&agree::pfc(seed), Engine::Fast).1.summary;
        let pauses = summary.pause.is_some_and(|pause| pause.pauses > 0);
        let cnps = summary.ecn.and_then(|ecn| ecn.cnps_delivered) > Some(0);
        (usize::from(pauses), usize::from(cnps))
    });
    let (pauses, cnps) = seen.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    assert!(pauses > 25 && cnps > 4, "{pauses} {cnps}");
}
