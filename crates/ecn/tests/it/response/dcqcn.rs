//! DCQCN (spec: pfc.md, DCQCN) against its formulas; rates in 2^-32 of the link rate.

use super::common::{ONE, TIMER, dcqcn, flow, ratio};
use ecn::response::{Algorithm, Dcqcn, Response, Spacing};
use units::Tick;

fn of(config: Dcqcn) -> Response {
    flow(Algorithm::Dcqcn(config))
}

/// RC, from x, which is 2^64 / RC rounded up.
fn rate(flow: &Response) -> u64 {
    let x = u128::from(flow.spacing().bits());
    ((1u128 << 64) / x) as u64
}

/// Lets time go by.
fn wait(flow: &mut Response, until: u64) {
    flow.next_start(Tick(until));
}

// x is rounded, so that RC of it may be one unit or two off.
fn near(found: u64, expected: u64) {
    assert!(found.abs_diff(expected) <= 2, "{found}, not {expected}");
}

// "RT := RC; RC := RC (1 - alpha/2); alpha := (1 - g) alpha + g"; "alpha = 1 at the first CNP"
#[test]
fn a_cnp_cuts_by_half_alpha() {
    let mut flow = of(dcqcn());
    assert_eq!((flow.spacing(), flow.due()), (Spacing::LINK_RATE, None));
    wait(&mut flow, 1_000_000_000);
    flow.cnp(Tick(1_000_000_000));
    assert_eq!((rate(&flow), flow.alpha()), (ONE / 2, Some(ONE)));
    flow.cnp(Tick(1_000_000_001));
    assert_eq!((rate(&flow), flow.alpha()), (ONE / 4, Some(ONE)));
}

// "Without a CNP for 55 us: alpha := (1 - g) alpha"
#[test]
fn alpha_decays_by_the_timer() {
    let mut flow = of(dcqcn());
    flow.cnp(Tick(7));
    wait(&mut flow, 7 + TIMER - 1);
    assert_eq!(flow.alpha(), Some(ONE));
    let mut exact = ONE as f64;
    for step in 1..=1000 {
        wait(&mut flow, 7 + step * TIMER);
        exact *= 255.0 / 256.0;
        let off = exact - flow.alpha().unwrap() as f64;
        // Rounded down by less than 1 a step, of which 255/256 stay: less than 256 in all.
        assert!((0.0..256.0).contains(&off), "{step}: {off}");
    }
    // ln(2^32) x 256 = 5679 steps to some units, 256 of one unit each to none.
    wait(&mut flow, 7 + 7000 * TIMER);
    assert_eq!(flow.alpha(), Some(0));
    // A CNP then: RC (1 - 0), alpha = g.
    flow.cnp(Tick(8000 * TIMER));
    assert_eq!((flow.spacing(), flow.alpha()), (Spacing::LINK_RATE, Some(ONE / 256)));
    flow.cnp(Tick(8000 * TIMER));
    near(rate(&flow), ONE - ONE / 512);
    let expected = ONE / 256 + (ONE - ONE / 256) / 256;
    assert_eq!(flow.alpha(), Some(expected));
}

// Fast recovery halves the gap to the rate before the CNP: 1 - 2^-(k+1) after k events. At the link
// rate it goes on so in the other stages too, and is there after 32 events.
#[test]
fn recovery_to_the_link_rate_is_a_power_of_two() {
    let mut flow = of(dcqcn());
    flow.cnp(Tick(0));
    for events in 1..=31u64 {
        assert_eq!(flow.due(), Some(Tick(events * TIMER)));
        wait(&mut flow, events * TIMER);
        near(rate(&flow), ONE - (ONE >> (events + 1)));
    }
    wait(&mut flow, 32 * TIMER);
    assert_eq!((flow.spacing(), flow.due()), (Spacing::LINK_RATE, None));
}

/// RC by the formulas in floating point, after two CNPs at once from the link rate, for events of
/// the two kinds in this order.
fn expected(events: &[char], (additive, hyper): (f64, f64)) -> f64 {
    let (mut rt, mut rc) = (0.5, 0.25);
    let (mut timer, mut bytes) = (0, 0);
    for kind in events {
        *(if *kind == 't' { &mut timer } else { &mut bytes }) += 1;
        if timer.max(bytes) > 5 {
            let past = timer.min(bytes) - 5;
            rt += if past > 0 { f64::from(past) * hyper } else { additive };
        }
        rt = f64::min(rt, 1.0);
        rc = (rt + rc) / 2.0;
    }
    rc * ONE as f64
}

// "the first F = 5 of each: RC := (RT + RC)/2; then RT += R_AI ...; when both have passed F: RT +=
// i x R_HAI"
#[test]
fn increase_goes_through_its_stages() {
    let config = dcqcn().with_byte_counter(1000).unwrap();
    let orders = [
        "tttttttttttttttttttt",
        "bbbbbbbbbbbbbbbbbbbb",
        "tbtbtbtbtbtbtbtbtbtbtbtbtbtbtbtbtb",
        "tttttttbbbbbbbbbtbtbttt",
        "bbbbbbbbbtttttttttttttttttttttttttttttt",
    ];
    for order in orders {
        let mut flow = of(config);
        flow.cnp(Tick(0));
        flow.cnp(Tick(0));
        let events: Vec<char> = order.chars().collect();
        let mut now = 0;
        for (at, kind) in events.iter().enumerate() {
            match kind {
                't' => now += TIMER,
                _ => flow.sent(1000, Tick(now)).unwrap(),
            }
            wait(&mut flow, now);
            let exact = expected(&events[..=at], (0.001, 0.01));
            let off = rate(&flow) as f64 - exact;
            // Half a unit an event, and what the constants are off, as often as they are added.
            assert!(off.abs() < 200.0, "{order}, event {at}: {off}");
        }
    }
}

// "timers and counters to zero"
#[test]
fn a_cnp_starts_all_anew() {
    let config = dcqcn().with_byte_counter(1000).unwrap();
    let mut flow = of(config);
    flow.cnp(Tick(0));
    flow.sent(999, Tick(1)).unwrap();
    wait(&mut flow, TIMER - 1);
    flow.cnp(Tick(TIMER - 1));
    assert_eq!(flow.due(), Some(Tick(2 * TIMER - 1)));
    flow.sent(999, Tick(TIMER)).unwrap();
    assert_eq!(rate(&flow), ONE / 4);
    flow.sent(2, Tick(TIMER)).unwrap();
    near(rate(&flow), 3 * (ONE / 8));
    // One byte is left over; a packet of many counters is many events.
    flow.sent(1999, Tick(TIMER)).unwrap();
    near(rate(&flow), 15 * (ONE / 32));
}

// Past fast recovery by either kind of event, a CNP leads back to it.
#[test]
fn a_cnp_leads_back_to_fast_recovery() {
    let config = dcqcn().with_byte_counter(1000).unwrap();
    for by_bytes in [true, false] {
        let mut flow = of(config);
        let mut now = 0;
        let mut event = |flow: &mut Response| {
            if by_bytes {
                flow.sent(1000, Tick(now)).unwrap();
            } else {
                now += TIMER;
                wait(flow, now);
            }
            now
        };
        flow.cnp(Tick(0));
        for _ in 0..7 {
            event(&mut flow);
        }
        let now = event(&mut flow);
        let target = rate(&flow);
        flow.cnp(Tick(now));
        let cut = rate(&flow);
        event(&mut flow);
        near(rate(&flow), (target + cut) / 2);
    }
}

// CNPs do not lower a rate beyond the lowest.
#[test]
fn the_lowest_rate_is_kept() {
    let config = dcqcn().with_lowest_rate(ratio(1, 100)).unwrap();
    let mut flow = of(config);
    for _ in 0..20 {
        flow.cnp(Tick(0));
    }
    near(rate(&flow), ONE / 100);
    assert!(flow.spacing().bits().abs_diff(100 * ONE) < 10_000);
}

// A flow that waits for its next start gets an earlier one as the timer raises its rate.
#[test]
fn a_timer_brings_the_next_start_forward() {
    let mut flow = of(dcqcn());
    flow.cnp(Tick(0));
    flow.cnp(Tick(0));
    let bytes = 100_000;
    flow.sent(bytes, Tick(0)).unwrap();
    assert_eq!(flow.next_start(Tick(0)), Tick(400_000));
    let due = flow.due().unwrap();
    // 3/8 of the link rate, rounded up to a tick.
    assert_eq!(flow.next_start(due), Tick(266_667));
}
