//! Each formula of `ecn.md` (Source response), one ACK at a time, and its limits.

use super::common::{ONE, acked, flow, of_acks, x};
use ecn::response::{Algorithm, Spacing};

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-7 * expected, "{found}, not {expected}");
}

// "Initial rate Rmax"
#[test]
fn flows_start_at_the_link_rate() {
    for algorithm in of_acks(512) {
        let mut flow = flow(algorithm);
        assert_eq!(flow.spacing(), Spacing::LINK_RATE);
        acked(&mut flow, false);
        assert_eq!(flow.spacing(), Spacing::LINK_RATE);
    }
    assert_eq!(flow(Algorithm::None).spacing(), Spacing::NONE);
}

// "marked: x := min(M, x + 1); unmarked: x := max(1, x (1 - 1/M))"
#[test]
fn lipd() {
    let mut flow = flow(Algorithm::Lipd { rate_ratio: 4 });
    let mut then = |marked| {
        acked(&mut flow, marked);
        flow.spacing().bits()
    };
    assert_eq!([true; 5].map(&mut then), [2, 3, 4, 4, 4].map(|x| x * ONE));
    // 4, 3, 9/4, 27/16, 81/64 are exact in 32 places; 243/256 is below 1.
    let expected = [3 * ONE, 9 * ONE / 4, 27 * ONE / 16, 81 * ONE / 64, ONE, ONE];
    assert_eq!([false; 6].map(&mut then), expected);
}

#[test]
fn lipd_rounds_what_it_takes_off_up() {
    let mut flow = flow(Algorithm::Lipd { rate_ratio: 3 });
    acked(&mut flow, true);
    acked(&mut flow, false);
    // 2^33 / 3 = 2863311530.67
    assert_eq!(flow.spacing().bits(), 2 * ONE - 2_863_311_531);
}

// Rounding never stops the fall above 1.
#[test]
fn lipd_comes_back_to_one() {
    let m = 1 << 20;
    let mut flow = flow(Algorithm::Lipd { rate_ratio: m });
    acked(&mut flow, true);
    // From 2 to 1: ln 2 / -ln(1 - 1/M) = M ln 2 - 1/2 steps, and the last one that reaches it.
    let steps = std::iter::from_fn(|| {
        acked(&mut flow, false);
        (flow.spacing() > Spacing::LINK_RATE).then_some(())
    });
    let steps = steps.count() + 1;
    let expected = f64::from(m) * std::f64::consts::LN_2;
    assert!((steps as f64 - expected).abs() < 100.0, "{steps}, not {expected}");
}

// "increase r := min(Rmax, r m^(Rmin/r)), decrease r := max(Rmin, r/m), m = 2"
#[test]
fn fimd() {
    let mut flow = flow(Algorithm::Fimd { rate_ratio: 8 });
    let mut then = |marked| {
        acked(&mut flow, marked);
        x(&flow)
    };
    assert_eq!([true; 4].map(&mut then), [2.0, 4.0, 8.0, 8.0]);
    // r = 1, 2, 2 sqrt 2, ...
    assert_eq!(then(false), 4.0);
    let root = 2f64.sqrt();
    near(then(false), 8.0 / (2.0 * root));
    near(then(false), 8.0 / (2.0 * root * 2f64.powf(0.5 / root)));
    for _ in 0..100 {
        then(false);
    }
    assert_eq!(then(false), 1.0);
}

// The same bits on every machine: a chain of powers, written down once.
#[test]
fn fimd_has_the_same_bits_everywhere() {
    let mut flow = flow(Algorithm::Fimd { rate_ratio: 512 });
    for step in 0..1000 {
        acked(&mut flow, step % 97 < 5);
    }
    assert_eq!(flow.spacing().bits(), 108_584_212_815);
}

// "unmarked: r := min(Rmax, r + Rmin); marked: r := max(Rmin, r/2)"
#[test]
fn aimd() {
    let mut flow = flow(Algorithm::Aimd { rate_ratio: 6 });
    let mut then = |marked| {
        acked(&mut flow, marked);
        x(&flow)
    };
    // r = 3, 3/2, 1, 1
    assert_eq!([true; 4].map(&mut then), [2.0, 4.0, 6.0, 6.0]);
    // r = 2, 3, 4, 5, 6, 6
    for r in [2.0, 3.0, 4.0, 5.0, 6.0, 6.0] {
        near(then(false), 6.0 / r);
    }
}
