//! The two halves of the measured time, beside what chance makes them differ by.

use super::figures::is_close;
use super::history::History;
use observe::Record;
use statrs::distribution::{ContinuousCDF, StudentsT};
use units::Tick;

/// Equal parts of the measured time; the first half has half of them.
const PARTS: u64 = 16;
/// What the printed noise may differ by, relative: tables of Student's t have four digits.
const NOISE_ERROR: f64 = 1e-3;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let (start, end) = history.measured();
    // Not where a source starts or stops in the measured time, nor where a part of it has no tick.
    let inside = |tick: Tick| start < tick && tick < end;
    let changes = history.config.workload.generators.iter();
    let mut changes = changes.map(|(_, g)| inside(g.start_tick()) || inside(g.end_tick()));
    let expected = !changes.any(|changes| changes) && (end - start).0 >= PARTS;
    let printed = record.summary.steady;
    history.exact("steady is there", &printed.is_some(), &expected);
    let Some(printed) = printed else { return };
    let border = |part: u64| start + (end - start) * part / PARTS;
    let rates: Vec<f64> = (0..PARTS)
        .filter_map(|part| {
            let span = (border(part), border(part + 1));
            history.received(span, |_| true)
        })
        .collect();
    let middle = border(PARTS / 2);
    for (name, printed, span) in [
        ("first_half", printed.first_half_bytes_per_ns, (start, middle)),
        ("second_half", printed.second_half_bytes_per_ns, (middle, end)),
    ] {
        let expected = history.received(span, |_| true);
        let name = format!("steady.{name}_bytes_per_ns");
        history.close(&name, Some(printed), expected);
    }
    let (first, second) = rates.split_at(rates.len() / 2);
    // Degrees of freedom may be rounded down, as tables are read.
    let (exact, rounded) = welch(first, second);
    let found = printed.noise_bytes_per_ns;
    let legal = exact * (1.0 - NOISE_ERROR)..=rounded * (1.0 + NOISE_ERROR);
    if !legal.contains(&found) && !is_close(found, exact) {
        history.exact("steady.noise_bytes_per_ns", &found, &exact);
    }
    let difference = (printed.first_half_bytes_per_ns - printed.second_half_bytes_per_ns).abs();
    let differs = difference > printed.noise_bytes_per_ns;
    history.exact("steady.differs", &printed.differs, &differs);
}

/// Half of the 95 % interval of the difference of two means (Welch): t x standard error, with the
/// degrees of freedom as they are and rounded down. Of a spread between n neighbours they are
/// 2 (n - 1)^2 / (3 n - 4).
fn welch(a: &[f64], b: &[f64]) -> (f64, f64) {
    // The spread is that between neighbours: their differences have twice the variance of a value.
    let squared_error = |x: &[f64]| {
        let n = x.len() as f64;
        let pairs = x.iter().zip(&x[1..]);
        pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / (n - 1.0) / 2.0 / n
    };
    let (ea, eb) = (squared_error(a), squared_error(b));
    if ea + eb == 0.0 {
        return (0.0, 0.0);
    }
    let part = |e: f64, n: usize| {
        let n = n as f64;
        e * e / (2.0 * (n - 1.0) * (n - 1.0) / (3.0 * n - 4.0))
    };
    let freedom = (ea + eb).powi(2) / (part(ea, a.len()) + part(eb, b.len()));
    let error = (ea + eb).sqrt();
    // What is a whole number is one after rounding too.
    let whole = (freedom + 1e-9).floor();
    (student_t(freedom) * error, student_t(whole) * error)
}

/// The value that |t| is below in 95 % of all cases.
fn student_t(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).expect("some freedom").inverse_cdf(0.975)
}
