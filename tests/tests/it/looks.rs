//! Do both engines show the same ports?

use setaside_tests::prelude::*;
use setaside_tests::random;
use setaside_tests::{ecn, pfc, rack, wide};

/// All that is shown of all ports.
fn shown<O: Observer>(fabric: &mut Fabric<O>) -> Vec<String> {
    let mut probes = Vec::new();
    fabric.probe(|port| probes.push(port));
    let views = probes.iter().map(|port| format!("{port:?}\n{:?}", fabric.look(port.unit)));
    views.collect()
}

// Both implementations show every side of every port alike, at any tick, whether events are
// reported in their tick or ahead of it; and drain in the same tick.
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
