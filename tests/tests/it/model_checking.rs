//! Are the protocols of RECN right in every order that links, arbiters and timers allow, in small
//! networks?
//!
//! Larger networks: `cargo xtask model`, docs/model-checking.md.

use plan::SchemeKind;
use setaside_tests::protocol_model::{MUTANTS, Rule, SMALL, caught};
use std::collections::BTreeMap;

/// "explored exhaustively ...: no order violation, no leaked SAQ, no token lost or doubled, no
/// deadlock. State counts" (issue): the exact counts, since a model that silently loses transitions
/// would keep every rule too. Each version in three networks at least, `recn-dd-iq` with CAM lines
/// at outputs and without.
fn keep_every_rule(scheme: SchemeKind) {
    let small = || SMALL.iter().filter(|c| c.0.scheme == scheme);
    for (case, states, depth) in small() {
        let found = case.explore(None, None);
        assert_eq!(found.broken, BTreeMap::new(), "{case}");
        assert_eq!((found.states, found.depth), (*states, *depth), "{case}");
    }
    let with_lines = small().filter(|c| c.0.iq_egress_lines).count();
    assert!(small().count() - with_lines >= 3, "{scheme}");
    assert_eq!(with_lines > 0, scheme == SchemeKind::RecnDdIq);
}

#[test]
fn recn_basic_and_recn_keep_every_rule() {
    keep_every_rule(SchemeKind::RecnBasic);
    keep_every_rule(SchemeKind::Recn);
}

#[test]
fn dd_versions_keep_every_rule() {
    keep_every_rule(SchemeKind::RecnDd);
    keep_every_rule(SchemeKind::RecnDdIq);
}

fn is_caught(rules: &[Rule]) {
    for (case, mutant, rule) in caught().filter(|c| rules.contains(&c.2)) {
        let found = case.explore(Some(mutant), Some(rule));
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
    let others = Rule::ALL.iter().copied().filter(|r| !packets.contains(r));
    is_caught(&others.collect::<Vec<_>>());
}

/// No mutant is kept that nothing catches.
#[test]
fn every_mutant_has_its_network() {
    for &(mutant, _) in MUTANTS {
        assert!(caught().any(|c| c.1 == mutant), "{mutant:?}");
    }
}
