//! What only looks at a fabric: audits, conservation, the record of a run.

use fabric::{Engine, Fabric, Run};
use flow_control::{Edge, Thresholds};
use observe::{Observer, Trace};
use plan::FabricConfig;
use plan::{Organisation, SchemeKind, SwitchConfig, VoqNetMemory};
use setaside_tests::base::{self, ratio};
use setaside_tests::random::{self, Draw, RECN};
use setaside_tests::{ecn, pfc, rack, wide};
use std::sync::Arc;
use topology::{BuildOptions, Network, TopologyConfig};
use turnpool::PoolKind;
use units::{Span, Tick};
use workload::{GroupConfig, Sources, WorkloadConfig};

/// Random traffic at half load, and from 1000 ns to 6000 ns four sources that send all they can to
/// node 3.
fn workload() -> WorkloadConfig {
    WorkloadConfig {
        load: Some(ratio(1, 2)),
        hot: Some(GroupConfig {
            destinations: vec![3],
            sources: Sources::Count(4),
            start_ns: 1_000,
            end_ns: Some(6_000),
            ..GroupConfig::default()
        }),
        ..WorkloadConfig::default()
    }
}

/// 8 KB a port, thresholds low enough that SAQs come in some microseconds.
fn switch_config(organisation: Organisation, scheme: SchemeKind) -> SwitchConfig {
    let mut switch = base::switch_config(scheme);
    switch.organisation = organisation;
    switch.port_memory_bytes = 8_192;
    switch.voq_net_memory = VoqNetMemory::Grow;
    switch.recn.detection_egress_packets = 6;
    switch.recn.detection_ingress_packets = 6;
    switch.recn.propagation_packets = 4;
    switch.recn.thresholds = Thresholds::new(6, 3, Edge::Reached).expect("legal");
    switch.recn.ppu_interval = Span(2);
    switch
}

/// A fabric of 16 nodes with 10 us of this traffic.
fn fabric_config(switch: SwitchConfig, workload: &WorkloadConfig) -> FabricConfig {
    let options =
        BuildOptions { pool: PoolKind::Extended, vcs: switch.vcs, ..BuildOptions::default() };
    let network = Network::build(&TopologyConfig::Bmin { nodes: 16 }, &options);
    let network = Arc::new(network.expect("a legal topology"));
    let speedup = match switch.organisation {
        Organisation::Cioq => ratio(3, 2),
        Organisation::Iq | Organisation::Oq => ratio(1, 1),
    };
    let mut config = base::fabric_config(network, switch, speedup, workload, 10_000, 7);
    config.hot_destinations = vec![3];
    config
}

/// Every scheme in an organisation that it may be in, those without a shared pool with two VCs too.
fn configs() -> impl Iterator<Item = (String, FabricConfig)> {
    use Organisation::{Cioq, Iq, Oq};
    let schemes = [
        (Cioq, SchemeKind::OneQueue),
        (Iq, SchemeKind::OneQueue),
        (Oq, SchemeKind::OneQueue),
        (Cioq, SchemeKind::VoqSw),
        (Iq, SchemeKind::VoqSw),
        (Cioq, SchemeKind::VoqNet),
        (Cioq, SchemeKind::Dbbm),
        (Cioq, SchemeKind::Damq),
        (Cioq, SchemeKind::RecnBasic),
        (Cioq, SchemeKind::Recn),
        (Cioq, SchemeKind::RecnDd),
        (Iq, SchemeKind::RecnDdIq),
    ];
    schemes.into_iter().flat_map(|(organisation, scheme)| {
        let vcs = if scheme.allows_vcs() && organisation != Oq { 1..=2 } else { 1..=1 };
        vcs.map(move |vcs| {
            let mut switch = switch_config(organisation, scheme);
            switch.vcs = vcs;
            let name = format!("{organisation:?} {scheme} with {vcs} VCs");
            (name, fabric_config(switch, &workload()))
        })
    })
}

// "Credits at the sender + cells of packets on the wire + cells in the memory there + credits on
// their way back = capacity", and every cell is where it must be, at any tick.
#[test]
fn audits_pass_while_packets_move() {
    for (name, config) in configs() {
        for engine in [Engine::Fast, Engine::Reference] {
            let mut fabric = Fabric::new(&config, engine, ()).expect("legal");
            let mut moved = false;
            while fabric.now() < config.run.duration {
                let until = fabric.now() + Span(97);
                fabric.run_until(until).expect("it does not lock");
                fabric.audit().unwrap_or_else(|e| panic!("{name}, {engine:?}: tick {until}: {e}"));
                moved |= fabric.packets_in_network() > 0;
            }
            assert!(moved, "{name}, {engine:?}");
        }
    }
}

/// All that is shown of all ports.
fn shown<O: Observer>(fabric: &mut Fabric<O>) -> Vec<String> {
    let mut probes = Vec::new();
    fabric.probe(|port| probes.push(port));
    let views = probes.iter().map(|port| format!("{port:?}\n{:?}", fabric.look(port.unit)));
    views.collect()
}

// Both implementations show every side of every port alike, at any tick, whether what happens is
// told in its tick or ahead of it; and drain in the same tick.
#[test]
fn engines_show_the_same_ports() {
    let drawers: [fn(u64) -> FabricConfig; 6] = [
        |seed| random::case(seed, None, 2_000),
        |seed| random::case(seed, Some(RECN[seed as usize % RECN.len()]), 2_000),
        |seed| wide::case(seed, 1_000).config,
        |seed| ecn::case(seed, 1_000),
        |seed| pfc::pfc_case(seed, 1_000),
        |seed| rack::faulty_case(seed, 1_000),
    ];
    for (which, drawer) in drawers.iter().enumerate() {
        for seed in 0..25 {
            let config = drawer(seed);
            let legal = "a legal configuration";
            let mut units = Fabric::new(&config, Engine::Reference, ()).expect(legal);
            let mut timed = Fabric::new(&config, Engine::Fast, Trace::default()).expect(legal);
            let mut eager = Fabric::new(&config, Engine::Fast, ()).expect(legal);
            let mut draw = Draw::new(seed);
            for _ in 0..25 {
                let most = draw.one(&[2, 200]);
                let until = units.now() + Span(draw.range(1, most));
                units.run_until(until).expect("no deadlock");
                timed.run_until(until).expect("no deadlock");
                eager.run_until(until).expect("no deadlock");
                let ports = shown(&mut units);
                let what = format!("drawer {which}, seed {seed}, tick {until}");
                for (shown, how) in [(shown(&mut timed), "timed"), (shown(&mut eager), "eager")] {
                    let mut both = shown.iter().zip(&ports);
                    let differ = both.find(|(shown, port)| shown != port);
                    assert_eq!(differ, None, "{what}, {how}");
                    assert_eq!(shown.len(), ports.len(), "{what}, {how}");
                }
                let audits = [units.audit(), timed.audit(), eager.audit()];
                assert_eq!(audits, [Ok(()), Ok(()), Ok(())], "{what}");
                let packets = [timed.packets_in_network(), eager.packets_in_network()];
                assert_eq!(packets, [units.packets_in_network(); 2], "{what}");
            }
        }
    }
}

// "packets generated = delivered + in flight": `Run::finish` counts all that it finds.
#[test]
fn a_run_accounts_for_every_packet() {
    for (name, config) in configs() {
        let mut run = Run::new(&config, Engine::Fast).expect("legal");
        run.step(Tick::MAX).expect("it does not lock");
        let (record, ()) = run.finish(0.0);
        let s = record.summary;
        assert!(s.packets_delivered > 500, "{name}: {s:?}");
        let accounted = s.packets_delivered + s.packets_in_flight;
        assert_eq!(s.packets_generated, accounted, "{name}");
        assert_eq!((s.packets_lost_to_faults, s.packets_stranded), (0, 0), "{name}");
    }
}

// "When the last tail of a request is ejected, the reply becomes a message of its destination after
// the delay": also those on their way into admittance when the run ends are accounted for.
#[test]
fn a_run_accounts_for_requests_and_replies() {
    let mut workload = workload();
    if let Some(hot) = &mut workload.hot {
        hot.end_ns = None;
        hot.reply_bytes = Some(200);
        hot.reply_delay_ns = 3_000;
        hot.window = Some(20);
    }
    let switch = switch_config(Organisation::Cioq, SchemeKind::VoqSw);
    let config = fabric_config(switch, &workload);
    let mut run = Run::new(&config, Engine::Fast).expect("legal");
    run.step(Tick::MAX).expect("it does not lock");
    let (record, ()) = run.finish(0.0);
    let s = record.summary;
    let accounted = s.packets_delivered + s.packets_in_flight;
    assert_eq!(s.packets_generated, accounted);
    let hot = &s.group_results["hot"];
    assert!(hot.replies_delivered > Some(0), "{hot:?}");
    assert!(hot.requests_under_way > Some(0), "{hot:?}");
    let round_trip = s.round_trip_ns.and_then(|r| r.mean).expect("some came back");
    assert!(round_trip > 3_000.0, "{round_trip}");
}
