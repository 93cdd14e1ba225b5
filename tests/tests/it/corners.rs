//! Do random fabrics come to the corners of the RECN protocols, and do their rules hold there, in
//! whole fabrics and event by event? What one port decides is tested in `crates/recn/tests`, every
//! order of events by `model_checking.rs`.

use crate::agree::{Suite, in_none};
use setaside_tests::corners::{Corner, Counts};
use setaside_tests::family::adversarial;
use setaside_tests::invariants::put_away;
use setaside_tests::prelude::*;
use setaside_tests::random::case;

/// Adds the corners that a fabric comes to until it has drained.
fn add(total: &mut Counts, config: &FabricConfig) -> Result<(), String> {
    let times = (Tick(0), Tick(4_000_000));
    total.add(config, &put_away(config, Engine::Fast, times, Watch::with_events())?)
}

/// Those of the first cases of a version.
fn first_cases(scheme: SchemeKind, cases: u64, change: impl Fn(&mut FabricConfig)) -> Counts {
    let mut total = Counts::default();
    for seed in 0..cases {
        let mut config = adversarial(scheme, seed);
        change(&mut config);
        assert_eq!(add(&mut total, &config), Ok(()), "{scheme}, seed {seed}");
    }
    total
}

/// Not checked.
const ANY: u64 = u64::MAX;

/// The cases are worth something only if they come to the corners of the protocols: as many at
/// least by version, 0: none at all.
#[test]
fn cases_reach_the_corners_of_the_protocols() {
    let least = [
        (Corner::Allocated, [30_000, 50_000, 100_000, 60_000]),
        (Corner::Third, [1; 4]),
        (Corner::NoFreeSaq, [10_000, 20_000, 20_000, 10_000]),
        (Corner::AllocatedAfterRefusal, [800, 1_000, 2_000, 2_000]),
        (Corner::LessSpecific, [300, 700, 3_000, 3_000]),
        (Corner::Nested, [0, 1_000, 900, 1_000]),
        (Corner::NestedWithMarker, [ANY, 700, 900, 900]),
        (Corner::Swapped, [0, 10_000, 30_000, 0]),
        (Corner::FreedUnvisited, [ANY, 20_000, 40_000, 20_000]),
        (Corner::XoffRepeated, [0, 0, 8_000, 10_000]),
        (Corner::Moved, [0, 0, 0, 60_000]),
        (Corner::Token, [30_000, 40_000, 0, 0]),
        (Corner::Nack, [2, ANY, 0, 0]),
        (Corner::Ignored, [2_000, 10_000, 1_000, ANY]),
        (Corner::MoreSpecificRefused, [5_000, 0, ANY, ANY]),
        (Corner::Adopted, [ANY, 7_000, ANY, ANY]),
        (Corner::AllocatedByRepeat, [ANY, ANY, 1_000, ANY]),
        // "No SAQ of an injection port grows beyond Xoff by admittance" (decision 0003).
        (Corner::AdmittedToXoff, [3_300; 4]),
        (Corner::AdmittedBelowXoff, [1_000; 4]),
    ];
    for (version, scheme) in RECN.into_iter().enumerate() {
        let counts = first_cases(scheme, 400, |_| ());
        for (corner, least) in least {
            let (count, least) = (counts.of(corner), least[version]);
            let right = least == ANY || if least == 0 { count == 0 } else { count >= least };
            assert!(right, "{scheme}, {corner:?}: {count}, at least {least} expected (0: none)");
        }
    }
}

/// "else an allocation refused upstream would never be tried again" (recn.md): with an interval
/// that never ends no refused point is allocated by a repeated Xoff, with a short one many are.
#[test]
fn a_repeated_xoff_retries_a_refused_allocation() {
    let sum = |interval| {
        first_cases(SchemeKind::RecnDd, 100, |config| config.switch.recn.xoff_repeat = interval)
    };
    let (never, often) = (sum(Span(1 << 40)), sum(Span(10)));
    let by_repeat = Corner::AllocatedByRepeat;
    assert_eq!((never.of(Corner::XoffRepeated), never.of(by_repeat)), (0, 0));
    assert!(often.of(by_repeat) > 100, "{often:?}");
    let retried = |counts: &Counts| counts.of(Corner::AllocatedAfterRefusal);
    assert!(retried(&often) > retried(&never), "{often:?} against {never:?}");
}

/// "Never freed, in any version: a SAQ that is not empty"; "leaf, age >= `saq_timer_ns`"; "notify
/// the upstream egress [...] once, until it is answered"; Xoff and Xon "if a child exists"
/// (recn.md): in random fabrics. A line of an upstream egress belongs to one of the ingress port
/// behind the link until its token is there; both have as many, so nothing is ever refused over a
/// link.
#[test]
fn every_saq_lives_by_the_rules() {
    let cases: Suite = ("recn", (300, 2005), |seed| case(seed, Some(SchemeKind::Recn), 4_000));
    in_none(&[cases], |config, _| add(&mut Counts::default(), config).err());
}

/// "markers inside go along, and so do the tail of a packet still arriving and a transmission under
/// way" (recn.md): cut-through, three sources to one output, every swap; packets that were there
/// leave from the SAQ in their order (checked at every departure); afterwards every cell is home.
#[test]
fn a_swap_takes_an_arriving_tail_and_a_transmission_along() {
    let mut total = Counts::default();
    for (scheme, detection) in [SchemeKind::Recn, SchemeKind::RecnDd]
        .into_iter()
        .flat_map(|s| (1..=3).map(move |d| (s, d)))
    {
        let mut switch = switch_config(scheme);
        switch.recn.detection_ingress_packets = detection;
        switch.recn.detection_egress_packets = u32::MAX;
        switch.recn.saq_timer = Span(1);
        let all = group("all", ratio(1, 1), [0, 1, 3], &[2]);
        let workload = WorkloadConfig {
            groups: vec![GroupConfig { end_ns: Some(4_000), ..all }],
            // Short packets arrive while a long one leaves.
            message_bytes: MessageBytes::Weighted(vec![(64, 1), (8, 3)]),
            ..WorkloadConfig::default()
        };
        let network = network(&TopologyConfig::SingleSwitch { ports: 4 });
        let config = fabric_config(network, switch, ratio(1, 1), &workload, 4_000, 1);
        let before = total.of(Corner::Swapped);
        assert_eq!(add(&mut total, &config), Ok(()), "{scheme}, detection {detection}");
        assert!(total.of(Corner::Swapped) > before, "{scheme}, detection {detection}");
    }
    for (corner, more_than) in [
        (Corner::SwappedInArrival, 10),
        (Corner::SwappedInDeparture, 0),
        (Corner::PacketSwapped, 10),
    ] {
        assert!(total.of(corner) > more_than, "{corner:?}: {}", total.of(corner));
    }
}
