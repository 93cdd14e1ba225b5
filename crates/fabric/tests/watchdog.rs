//! Deadlocks are found and told.

mod common;
mod ring;

use fabric::{Engine, Fabric, FabricConfig, RunError};
use ring::{ring, small_switch};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use switch::{Organisation, SchemeKind};
use units::{Span, Tick};

const CIOQ_1Q: (SchemeKind, Organisation) = (SchemeKind::OneQueue, Organisation::Cioq);

/// The error that a run ends with.
fn locks(config: &FabricConfig, engine: Engine) -> RunError {
    let mut fabric = Fabric::new(config, engine, ()).expect("legal");
    fabric.run_until(config.run.duration).expect_err("it locks")
}

// "Watchdog for deadlock ... with a dump of who waits for whom": the cycle is that of the ring, an
// output and an input of each switch.
#[test]
fn a_deadlock_is_told_with_its_cycle_and_who_waits_for_whom() {
    let error = locks(&ring(small_switch(CIOQ_1Q, (10, 10, 5))), Engine::Fast);
    let RunError::Deadlock {
        cycle,
        dump,
        queues,
        ..
    } = &error
    else {
        panic!("not a deadlock: {error}")
    };
    assert_eq!(cycle.lines().count(), 8, "{cycle}");
    for s in 0..4 {
        let output = format!("fabric.switch{s}.out1 queue 0");
        let input = format!("fabric.switch{s}.in0 queue 0");
        for text in [cycle, dump] {
            let line = |of: &str| text.lines().find(|l| l.contains(of)).expect("a line");
            assert!(line(&output).contains("waits for credit (0 of 1 cells of class 0)"));
            assert!(line(&input).contains("waits for room behind"));
        }
    }
    // The injection queues wait for the ring, and are no part of it.
    assert!(*queues > 8 && !cycle.contains("injection"), "{error}");
}

// "Always in the same ticks": a deadlock is told in one tick and with one text by every engine,
// however the run is cut into pieces.
#[test]
fn every_engine_tells_of_a_deadlock_alike() {
    let config = ring(small_switch(CIOQ_1Q, (10, 10, 5)));
    let error = locks(&config, Engine::Fast);
    let threads = |n| Engine::Parallel(NonZeroUsize::new(n).expect("positive"));
    for engine in [
        Engine::Reference,
        Engine::Shuffled(7),
        threads(2),
        threads(3),
    ] {
        assert_eq!(locks(&config, engine), error, "{engine:?}");
    }
    let mut pieces = Fabric::new(&config, Engine::Fast, ()).expect("legal");
    let until = |n| Tick::ZERO + Span(777) * n;
    let stopped = (1..).find_map(|n| pieces.run_until(until(n)).err());
    assert_eq!(stopped, Some(error));
}

// Whoever waits for whom, by credits, room, Xon or markers: every scheme that locks in the ring is
// told by its cycle, though node 4 sends to node 5 all the while.
#[test]
fn every_scheme_that_locks_names_its_cycle() {
    use Organisation::{Cioq, Iq};
    let kinds = [
        CIOQ_1Q,
        (SchemeKind::OneQueue, Iq),
        (SchemeKind::VoqSw, Cioq),
        (SchemeKind::VoqSw, Iq),
        (SchemeKind::Damq, Cioq),
        (SchemeKind::Dbbm, Cioq),
        (SchemeKind::RecnBasic, Cioq),
        (SchemeKind::Recn, Cioq),
        (SchemeKind::RecnDd, Cioq),
        (SchemeKind::RecnDdIq, Iq),
    ];
    // SAQs say Xoff early, so that heads wait for Xon and markers too, or late.
    let thresholds = [(10, 10, 5), (1, 2, 1), (0, 1, 0)];
    let (mut free, mut said) = (Vec::new(), BTreeMap::new());
    for kind in kinds {
        let mut locked = 0;
        for thresholds in thresholds {
            let config = ring(small_switch(kind, thresholds));
            let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("legal");
            let Err(error) = fabric.run_until(config.run.duration) else {
                continue;
            };
            locked += 1;
            let RunError::Deadlock { cycle, .. } = &error else {
                panic!("{kind:?}: {error}")
            };
            assert!(cycle.lines().count() >= 4, "{kind:?}: {error}");
            assert!(!cycle.contains("switch4"), "{kind:?}: {error}");
            for what in ["Xon", "room behind", "credit", "its marker"] {
                let waits = format!("waits for {what}");
                let told = cycle.lines().any(|line| line.contains(&waits));
                *said.entry(what).or_insert(0) += u32::from(told);
            }
        }
        if locked == 0 {
            free.push(kind);
        }
    }
    assert_eq!(free, [], "schemes that do not lock here: {said:?}");
    assert!(said["Xon"] > 0, "{said:?}");
}
