//! Runs that are not simulated since they provably equal others (`study::Kin`): held against their
//! simulation over random cases of the RECN family.

use setaside_tests::family::adversarial;
use setaside_tests::prelude::*;
use study::{Job, Kin, is_equal_run};

/// Cases of each scheme.
const CASES: u64 = 100;
/// Thresholds that few queues of these small cases reach.
const HIGH_PACKETS: [u32; 3] = [5, 40, 400];
/// What SAQs do while a run drains counts too: ticks.
const DRAINS: [u64; 3] = [0, 3_000, 60_000];

fn job(config: &FabricConfig, index: usize) -> Job {
    let recn = &config.switch.recn;
    let detection_packets = [recn.detection_egress_packets, recn.detection_ingress_packets];
    // All but the number of SAQs, distinguished by what the tests below change.
    let but_saqs = [detection_packets, [recn.thresholds.xoff, recn.thresholds.xon]];
    let but_saqs = but_saqs.as_flattened().iter();
    let kin = Kin {
        but_saqs: but_saqs
            .fold(recn.propagation_packets.into(), |all, &n| all * 1_000 + u64::from(n)),
        but_recn: 0,
        saqs: recn.saqs.into(),
        detection_packets,
    };
    Job { index, hash: index as u64, kin: Some(kin), ..Job::default() }
}

/// Whether, by the rules, `to` is the run of `from`; then it is.
fn held(from: &FabricConfig, to: &FabricConfig, what: &str) -> bool {
    let mut derived = record(from);
    if !is_equal_run(&job(from, 0), &derived.summary, &job(to, 1)) {
        return false;
    }
    let simulated = record(to);
    derived.summary.memory = plan::memory_bits(to).expect("it was built");
    derived.summary.timing = simulated.summary.timing;
    assert_eq!(derived, simulated, "{what}");
    true
}

// "A run with N SAQs and no refusal is the run with any N' > N", and with any that is not below the
// most that a port held: all that it says, the bits of a port worked out anew.
#[test]
fn run_without_a_refusal_is_that_with_any_number_of_saqs_that_is_enough() {
    for scheme in RECN {
        let [mut with_more, mut with_fewer, mut open] = [0; 3];
        for seed in 0..CASES {
            let mut draw = Draw::new(seed);
            let mut few = adversarial(scheme, seed);
            few.switch.recn.saqs = draw.range(1, 5) as u8;
            few.run.drain = Span(draw.one(&DRAINS));
            let mut more = few.clone();
            more.switch.recn.saqs = draw.range(u64::from(few.switch.recn.saqs) + 1, 64) as u8;
            let what = format!("{scheme}, seed {seed}");
            let found = [held(&few, &more, &what), held(&more, &few, &what)];
            with_more += u32::from(found[0]);
            with_fewer += u32::from(found[1]);
            open += u32::from(found == [false; 2]);
        }
        assert!(
            with_more > 15 && with_fewer > 15 && open > 5,
            "{scheme}: {with_more} and {with_fewer} equal, {open} not"
        );
    }
}

// "A threshold that is never reached likewise": of a run in which no SAQ was asked for, any higher
// thresholds of detection, and whatever SAQs alone read.
#[test]
fn run_without_saqs_is_that_with_higher_thresholds() {
    for scheme in RECN {
        let (mut equal, mut open) = (0, 0);
        for seed in 0..CASES {
            let mut draw = Draw::new(seed);
            let mut low = adversarial(scheme, seed);
            low.run.drain = Span(draw.one(&DRAINS));
            let recn = &mut low.switch.recn;
            recn.detection_egress_packets = draw.one(&HIGH_PACKETS);
            recn.detection_ingress_packets = draw.one(&HIGH_PACKETS);
            let mut high = low.clone();
            let other = adversarial(scheme, seed + CASES).switch.recn;
            let recn = &mut high.switch.recn;
            let more = |packets: u32, draw: &mut Draw| packets + draw.range(0, 9) as u32;
            recn.detection_egress_packets = more(recn.detection_egress_packets, &mut draw);
            recn.detection_ingress_packets = more(recn.detection_ingress_packets, &mut draw);
            recn.saqs = draw.range(1, 64) as u8;
            recn.thresholds = other.thresholds;
            recn.propagation_packets = other.propagation_packets;
            recn.saq_timer = other.saq_timer;
            recn.retry = other.retry;
            recn.xoff_repeat = other.xoff_repeat;
            match held(&low, &high, &format!("{scheme}, seed {seed}")) {
                true => equal += 1,
                false => open += 1,
            }
        }
        assert!(equal > 15 && open > 5, "{scheme}: {equal} equal, {open} not");
    }
}
