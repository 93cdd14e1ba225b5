//! Are the protocols of RECN right in every order that links, arbiters and timers allow, in small
//! networks?
//!
//! Larger networks: `cargo xtask model`, docs/model-checking.md.

use plan::SchemeKind;
use setaside_tests::protocol_model::{Mutant, Rule, SMALL, State, caught, explore};
use std::collections::BTreeMap;

/// Explores the small networks of a version.
fn keep_every_rule(scheme: SchemeKind) {
    let mut explored = 0;
    for (case, states, depth) in SMALL.iter().filter(|c| c.0.scheme == scheme) {
        let found = explore(case.model(None), None);
        assert_eq!(found.broken, BTreeMap::new(), "{case}");
        assert_eq!((found.states, found.depth), (*states, *depth), "{case}");
        explored += 1;
    }
    assert!(explored >= 3, "{scheme}: {explored} networks");
}

/// "explored exhaustively ...: no order violation, no leaked SAQ, no token lost or doubled, no
/// deadlock. State counts" (issue): the exact counts, since a model that silently loses transitions
/// would keep every rule too.
#[test]
fn recn_basic_keeps_every_rule() {
    keep_every_rule(SchemeKind::RecnBasic);
}

/// "explored exhaustively" (issue), as above: enhanced.
#[test]
fn recn_keeps_every_rule() {
    keep_every_rule(SchemeKind::Recn);
}

/// "explored exhaustively" (issue), as above: with distributed deallocation.
#[test]
fn recn_dd_keeps_every_rule() {
    keep_every_rule(SchemeKind::RecnDd);
}

/// "explored exhaustively" (issue), as above: with memories at inputs only, outputs with and
/// without CAM lines.
#[test]
fn recn_dd_iq_keeps_every_rule() {
    let lines = |lines| SMALL.iter().any(|c| c.0.limits.iq_egress_lines == lines);
    assert!(lines(true) && lines(false));
    keep_every_rule(SchemeKind::RecnDdIq);
}

fn is_caught(rules: &[Rule]) {
    for (case, mutant, rule) in caught().filter(|c| rules.contains(&c.2)) {
        let found = explore(case.model(Some(mutant)), Some(rule));
        assert!(
            found.broken.contains_key(&rule),
            "{mutant:?} in {case}: {:?} broken, {} states",
            found.broken.keys(),
            found.states
        );
    }
}

/// "A deliberately broken rule (...) must be caught: keep those mutants as tests" (issue): those
/// that let packets overtake or stop them for ever.
#[test]
fn mutants_that_harm_packets_are_caught() {
    is_caught(&[Rule::Order, Rule::Delivered]);
}

/// "must be caught" (issue), as above: those that harm the books, before or at rest.
#[test]
fn mutants_that_harm_saqs_are_caught() {
    let packets = [Rule::Order, Rule::Delivered];
    let others = Rule::ALL.into_iter().filter(|r| !packets.contains(r));
    is_caught(&others.collect::<Vec<_>>());
}

/// No mutant is kept that nothing catches.
#[test]
fn every_mutant_has_its_network() {
    for mutant in Mutant::ALL {
        assert!(caught().any(|c| c.1 == mutant), "{mutant:?}");
    }
}

/// A port that is as it was at first counts as one that was never touched: else there are more
/// states than there need be.
#[test]
fn a_port_that_is_empty_again_is_as_new() {
    for (case, ..) in SMALL {
        let model = case.model(None);
        let new = State::new(&model.network, model.rules, model.limits);
        let mut again = new.clone();
        for unit in 0..new.ports.len() {
            again.port(unit).arriving.push(0);
            again.port(unit).arriving.clear();
        }
        again.seal(&new);
        assert_eq!(again, new, "{case}");
    }
}
