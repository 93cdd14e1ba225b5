//! The two halves of the measured time, beside what chance makes them differ by.

use super::history::History;
use observe::Steady;
use statrs::distribution::{ContinuousCDF, StudentsT};
use units::Tick;

/// Equal parts of the measured time; the first half has half of them.
const PARTS: u64 = 16;
/// What the printed noise may differ by, relative: tables of Student's t have four digits.
const NOISE_ERROR: f64 = 1e-3;

/// A printed noise stands where it may.
pub(super) fn expected(history: &History<'_>, printed: Option<Steady>) -> Option<Steady> {
    let (start, end) = history.measured();
    // Not where a source starts or stops in the measured time, nor where a part of it has no tick.
    let inside = |tick: Tick| start < tick && tick < end;
    let mut sources = history.config.workload.generators.iter();
    if sources.any(|(_, g)| inside(g.start_tick()) || inside(g.end_tick()))
        || (end - start).0 < PARTS
    {
        return None;
    }
    let border = |part: u64| start + (end - start) * part / PARTS;
    let rate = |from, to| history.received((border(from), border(to)), |_| true);
    let rates: Vec<f64> = (0..PARTS).filter_map(|part| rate(part, part + 1)).collect();
    let (first, second) = (rate(0, PARTS / 2)?, rate(PARTS / 2, PARTS)?);
    // Degrees of freedom may be rounded down, as tables are read.
    let (exact, rounded) = welch(&rates[..rates.len() / 2], &rates[rates.len() / 2..]);
    let legal = exact * (1.0 - NOISE_ERROR)..=rounded * (1.0 + NOISE_ERROR);
    let found = printed.map(|steady| steady.noise_bytes_per_ns);
    let noise = found.filter(|noise| legal.contains(noise)).unwrap_or(exact);
    // As printed, where the two are next to equal.
    let differs = printed.map_or((first, second, noise), |p| {
        (p.first_half_bytes_per_ns, p.second_half_bytes_per_ns, p.noise_bytes_per_ns)
    });
    Some(Steady {
        first_half_bytes_per_ns: first,
        second_half_bytes_per_ns: second,
        noise_bytes_per_ns: noise,
        differs: (differs.0 - differs.1).abs() > differs.2,
    })
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
