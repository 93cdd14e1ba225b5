//! The registry of arbiters: names, and what cannot be built.

use crossbar::{AnyArbiter, ArbiterError, ArbiterKind, ParseArbiterError};

// "names: round-robin, islip, islip(4), oldest-first, random, maximum-matching"
#[test]
fn name_and_kind_are_inverse() {
    for name in [
        "round-robin",
        "islip",
        "islip(4)",
        "islip(255)",
        "oldest-first",
        "random",
        "maximum-matching",
    ] {
        assert_eq!(name.parse::<ArbiterKind>().unwrap().to_string(), name);
    }
    assert_eq!("islip(4)".parse(), Ok(ArbiterKind::Islip { iterations: 4 }));
    assert_eq!("islip(1)".parse(), "islip".parse::<ArbiterKind>());
}

#[test]
fn unknown_name_lists_the_legal_ones() {
    let message = "pim".parse::<ArbiterKind>().unwrap_err().to_string();
    assert_eq!(
        message,
        "unknown arbiter `pim`: legal are round-robin, islip, islip(K) with K from 1 to 255, \
         oldest-first, random, maximum-matching"
    );
}

#[test]
fn malformed_parameters_are_refused() {
    for text in [
        "islip(0)",
        "islip(256)",
        "islip()",
        "islip(+4)",
        "islip(4",
        "islip 4",
        "islip(4)x",
        "random(2)",
        "",
        "(",
    ] {
        assert_eq!(text.parse::<ArbiterKind>(), Err(ParseArbiterError { given: text.to_owned() }));
    }
}

#[test]
fn unbuildable_arbiters_are_refused() {
    let ports = |ports| AnyArbiter::new(ArbiterKind::RoundRobin, ports, 0).err();
    assert_eq!(ports(0), Some(ArbiterError::Ports { given: 0 }));
    assert_eq!(ports(65), Some(ArbiterError::Ports { given: 65 }));
    assert_eq!(ports(64), None);
    let islip = AnyArbiter::new(ArbiterKind::Islip { iterations: 0 }, 4, 0);
    assert_eq!(islip, Err(ArbiterError::NoIterations));
}

// "Whether it reads `Requests::ages`; else they may be empty."
#[test]
fn oldest_first_alone_reads_ages() {
    let reads = |kind: &ArbiterKind| kind.reads_ages();
    let all = ArbiterKind::ALL.iter().copied();
    assert!(all.filter(reads).eq([ArbiterKind::OldestFirst]));
}
