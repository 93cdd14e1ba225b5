//! Run length control, `run.until`: a short plain run yields where the warm-up ends (MSER-5) and
//! how well the mean is known (batch means); if not well enough, a longer one is simulated from the
//! start. What is reported is a plain run with what was found, so that anybody can repeat it.

use crate::drive::{STEPS, simulate_plain, times};
use crate::exit::Failure;
use fabric::Engine;
use observe::{Record, SeriesRow, UntilResult, UntilSummary};
use scenario::{Scenario, Until};
use std::cell::Cell;
use study::lines;
use study::statistics::{Batches, Interval, VALUES_MIN, batch_means, mser5};

/// The first run is this part of the longest one.
const FIRST: u64 = 8;
/// But not shorter, bins: with fewer the mean could not be estimated.
const FIRST_BINS_MIN: u64 = 100;
/// The measured time grows by this from one run to the next, at least and at most.
const GROWTH: [f64; 2] = [1.5, 4.0];
/// More than the width asks for, so that the next run is not just too short.
const MARGIN: f64 = 1.1;
/// Parts of the measured time in which what is not delivered must add up.
const PARTS: usize = 10;
/// Confidence that it does: it is tested after each run, and ends the search.
const SATURATED: f64 = 0.999;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Judgement {
    /// First bin after the warm-up, where the series has one.
    end: Option<u64>,
    /// First bin of the measured time: that one, else the middle.
    start: u64,
    result: UntilResult,
    mean: f64,
    /// `None` where bins correlate too much, or no end of the warm-up was found.
    batches: Option<Batches>,
    growth: f64,
}

/// Simulates until the mean is known as well as `run.until` asks for; `step` is called 200 times on
/// the way. Returns also the plain scenario whose run it is.
///
/// # Errors
/// As for a plain run.
pub(crate) fn simulate(
    scenario: &Scenario,
    until: &Until,
    engine: Engine,
    step: &dyn Fn(),
) -> Result<(Scenario, Record), Failure> {
    let reported = Cell::new(0);
    let report = |steps: u64| {
        for _ in reported.get()..steps {
            step();
        }
        reported.set(steps.max(reported.get()));
    };
    let (mut attempts, mut cpu_seconds) = (0, 0.0);
    let mut run = |warmup: u64, bins: u64| -> Result<(Scenario, Record), Failure> {
        let done = Cell::new(0);
        let step = || {
            done.set(done.get() + 1);
            report(done.get() * bins / until.bins_max);
        };
        let plain = scenario.with_bins(warmup, bins)?;
        let record = simulate_plain(&plain, engine, &step)?;
        attempts += 1;
        cpu_seconds += record.summary.timing.cpu_seconds;
        Ok((plain, record))
    };
    let mut warmup = until.warmup_bins;
    let shortest = (2 * warmup + VALUES_MIN as u64).max(FIRST_BINS_MIN);
    let mut bins = (until.bins_max / FIRST).max(shortest).min(until.bins_max);
    let (mut plain, mut record, found) = loop {
        let (plain, record) = run(warmup, bins)?;
        let found = judge(&record.series, until, warmup);
        if found.result != UntilResult::NotConverged || bins == until.bins_max {
            break (plain, record, found);
        }
        let measured = (bins - found.start) as f64 * found.growth;
        bins = (found.start + measured.ceil() as u64).min(until.bins_max);
        warmup = found.end.unwrap_or(warmup);
    };
    if found.start != warmup {
        // What happens is the same; what is measured of it is not.
        (plain, record) = run(found.start, bins)?;
    }
    report(STEPS);
    let times = times(&plain);
    let half = found.batches.and_then(|batches| batches.interval.half);
    record.summary.timing.cpu_seconds = cpu_seconds;
    record.summary.until = Some(UntilSummary {
        metric: until.metric.clone(),
        result: found.result,
        mean_bytes_per_ns: found.mean,
        half_width: half.and_then(|half| of_mean(half, found.mean)),
        confidence: until.confidence,
        warmup_ns: times.warmup_ns,
        duration_ns: times.duration_ns,
        batches: found.batches.map_or(0, |batches| batches.count as u64),
        attempts,
    });
    Ok((plain, record))
}

/// How the run came out and how to repeat it, for people.
pub(crate) fn text(until: &UntilSummary) -> String {
    let (mean, confidence) = (until.mean_bytes_per_ns, 100.0 * until.confidence);
    let width = match until.half_width {
        Some(half) => {
            format!("+- {:.2} % ({confidence} %), {} batches", 100.0 * half, until.batches)
        }
        None => "without an interval: bins of the series correlate".to_string(),
    };
    let (warmup, duration) = (until.warmup_ns, until.duration_ns);
    lines::sentence(&format!(
        "{}: {} {mean:.3} B/ns {width}; runs simulated: {}; repeat this one: --set \
         run.until.metric=none --set run.warmup_ns={warmup} --set run.duration_ns={duration}",
        until.result.word(),
        until.metric,
        until.attempts
    ))
}

/// Why the run is not what was asked for, if it is not.
pub(crate) fn missed(until: &UntilSummary) -> Option<String> {
    let is_met = until.result == UntilResult::Converged;
    let result = until.result.word();
    (!is_met).then(|| format!("error: --strict: {} is {result}", until.metric))
}

/// Judges the series of a run that is measured from bin `least` on.
fn judge(series: &[SeriesRow], until: &Until, least: u64) -> Judgement {
    let is_of_victims = until.is_of_victims();
    let delivered = |row: &SeriesRow| match is_of_victims {
        true => row.victims_bytes_per_ns.unwrap_or_default(),
        false => row.delivered_bytes_per_ns,
    };
    let offered = |row: &SeriesRow| match is_of_victims {
        true => row.victims_offered_bytes_per_ns.unwrap_or_default(),
        false => row.offered_bytes_per_ns,
    };
    let values: Vec<f64> = series.iter().map(delivered).collect();
    let least = least as usize;
    let end = mser5(&values).map(|end| end.max(least));
    let start = end.unwrap_or((values.len() / 2).max(least));
    let measured = &values[start..];
    let mean = Interval::of(measured).map_or(0.0, |interval| interval.mean);
    let rows = &series[start..];
    let waiting: Vec<f64> = rows.iter().map(|row| offered(row) - delivered(row)).collect();
    let is_saturated = is_growing(&waiting);
    let batches = batch_means(measured, until.confidence).filter(|_| is_saturated || end.is_some());
    let half = batches.and_then(|batches| of_mean(batches.interval.half?, mean));
    let excess = half.map(|half| half / until.half_width);
    let result = match excess {
        _ if is_saturated => UntilResult::Saturated,
        Some(excess) if excess <= 1.0 => UntilResult::Converged,
        _ => UntilResult::NotConverged,
    };
    Judgement {
        end: end.map(|end| end as u64),
        start: start as u64,
        result,
        mean,
        batches,
        // Where the width is unknown, twice the time.
        growth: excess.map_or(2.0, |excess| (MARGIN * excess * excess).clamp(GROWTH[0], GROWTH[1])),
    }
}

/// A part of the mean; `None` where that is 0.
fn of_mean(half: f64, mean: f64) -> Option<f64> {
    (mean > 0.0).then(|| half / mean)
}

/// Whether what waits or is refused adds up: above 0 beyond chance, and not dying away.
fn is_growing(waiting: &[f64]) -> bool {
    let size = (waiting.len() / PARTS).max(1);
    let parts = waiting[waiting.len() % size..].chunks_exact(size);
    let parts: Vec<f64> =
        parts.filter_map(|part| Interval::of(part).map(|interval| interval.mean)).collect();
    let (first, second) = parts.split_at(parts.len() / 2);
    let sum = |half: &[f64]| half.iter().sum::<f64>() / half.len().max(1) as f64;
    let is_above_0 = Interval::at(&parts, SATURATED)
        .is_some_and(|all| all.half.is_some_and(|half| all.mean - half > all.mean * 1e-6));
    is_above_0 && sum(second) >= sum(first) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    // What waits while queues fill up is no saturation, nor is what comes and goes.
    #[test]
    fn saturated_is_what_grows_through_the_whole_time() {
        let steady = |bin: usize| if bin.is_multiple_of(2) { 0.3 } else { -0.3 };
        let of = |waiting: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..200).map(waiting).collect() };
        assert!(!is_growing(&of(&steady)));
        assert!(!is_growing(&of(&|_| 0.0)));
        assert!(!is_growing(&of(&|bin| 2.0 * (-(bin as f64) / 60.0).exp())));
        assert!(is_growing(&of(&|bin| 0.05 + steady(bin))));
        assert!(is_growing(&of(&|_| 0.5)));
    }

    fn series(delivered: impl Fn(usize) -> f64) -> Vec<SeriesRow> {
        let row = |bin: usize| SeriesRow {
            delivered_bytes_per_ns: delivered(bin),
            offered_bytes_per_ns: delivered(bin),
            ..SeriesRow::default()
        };
        (0..200).map(row).collect()
    }

    // Half of the interval of 200 values 1 and 1.4 in turn is about 2 % or less of 1.2.
    #[test]
    fn run_grows_by_the_square_of_what_is_missing() {
        let mut until = Until {
            metric: "delivered_bytes_per_ns".into(),
            half_width: 0.05,
            confidence: 0.95,
            warmup_bins: 0,
            bins_max: 200,
        };
        // Neither neighbours nor pairs of them are alike.
        let noise = |bin: usize| [1.0, 1.4, 1.4, 1.0, 1.4, 1.0, 1.0, 1.4][bin % 8];
        let found = judge(&series(noise), &until, 0);
        assert_eq!(found.result, UntilResult::Converged, "{found:?}");
        let half = found.batches.and_then(|b| b.interval.half).expect("an interval");
        until.half_width = half / found.mean / 1.5;
        let found = judge(&series(noise), &until, 0);
        assert_eq!(found.result, UntilResult::NotConverged);
        assert!((found.growth - MARGIN * 2.25).abs() < 1e-9, "{found:?}");
        // The least warm-up is kept; a drift has no end of one.
        assert_eq!(judge(&series(noise), &until, 40).start, 40);
        let found = judge(&series(|bin| bin as f64), &until, 0);
        assert_eq!((found.end, found.start, found.growth), (None, 100, 2.0));
        assert_eq!(found.result, UntilResult::NotConverged);
    }
}
