//! How long a flow takes back to the rate that it had before a mark, in packet times at the link
//! rate, with an ACK an interval. The design notes on end-to-end congestion control for InfiniBand
//! ask that a flow at a lower rate needs no longer (fairness) and, so that no bandwidth is wasted,
//! no less: at every rate 1 / Rmin, which is M packet times.

use super::common::{acked, flow, x};
use ecn::response::Algorithm;

/// Marks a flow once: x before, time until x is there again, the last interval.
fn recovery(algorithm: Algorithm, marks: usize) -> (f64, f64, f64) {
    let mut flow = flow(algorithm);
    for _ in 0..marks {
        acked(&mut flow, true);
    }
    let before = x(&flow);
    acked(&mut flow, true);
    let (mut time, mut last) = (0.0, 0.0);
    // Fixed point and powers are not exact: some 2^-20 short is there.
    while x(&flow) > before * (1.0 + 1e-6) {
        last = x(&flow);
        time += last;
        acked(&mut flow, false);
    }
    (before, time, last)
}

// LIPD: x + 1 falls by x / M an interval of x packet times, so by 1 in M packet times. FIMD: r
// grows by 2^(1/r) an interval of M / r packet times, so by 2 in M packet times; the last mark that
// halves takes r from 2 to 1.
#[test]
fn lipd_and_fimd_recover_in_the_same_time_at_every_rate() {
    for m in [2_u32, 16, 512, 1000] {
        for (algorithm, most) in [
            (Algorithm::Lipd { rate_ratio: m }, m - 1),
            (Algorithm::Fimd { rate_ratio: m }, m.ilog2()),
        ] {
            for marks in 0..most as usize {
                let (before, time, last) = recovery(algorithm, marks);
                let (least, most) = (f64::from(m), f64::from(m) + last);
                let is_same = time > least * 0.999 && time < most;
                assert!(is_same, "{algorithm:?}, x {before}: {time}");
            }
        }
    }
}

// From r / 2 to r by 1 an interval of M / r: M (1/(r/2) + ... + 1/(r - 1)).
#[test]
fn aimd_recovers_by_the_harmonic_sum() {
    let m = 512;
    for marks in 0..9 {
        let (before, time, _) = recovery(Algorithm::Aimd { rate_ratio: m }, marks);
        let rate = 512 >> marks;
        let sum: f64 = (rate / 2..rate).map(|r| f64::from(m) / f64::from(r)).sum();
        assert_eq!(before, f64::from(m) / f64::from(rate));
        assert!((time / sum - 1.0).abs() < 1e-5, "r {rate}: {time}, not {sum}");
    }
}

// An increase after a decrease does not lead above the rate before, where the lowest rate leaves
// the decrease whole.
#[test]
fn one_ack_does_not_outweigh_a_mark() {
    let m = 512;
    let lipd = (Algorithm::Lipd { rate_ratio: m }, m as usize - 1);
    let fimd = (Algorithm::Fimd { rate_ratio: m }, 9);
    for (algorithm, marks_max) in [lipd, fimd] {
        for marks in 0..marks_max {
            let mut flow = flow(algorithm);
            for _ in 0..marks {
                acked(&mut flow, true);
            }
            let before = x(&flow);
            acked(&mut flow, true);
            acked(&mut flow, false);
            assert!(x(&flow) > before * (1.0 - 1e-9), "{algorithm:?} at {before}");
        }
    }
}
