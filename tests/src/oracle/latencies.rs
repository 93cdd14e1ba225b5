//! Latencies from exact sorted lists.

use super::history::{History, Interval, Message, is_in};
use super::round_trips;
use observe::{LatencyFigure, LatencySummary, PacketKind, PacketView, Record};
use units::Span;

/// What a quantile may be too high by, relative: the histogram keeps three digits and gives the
/// highest value of its class.
const QUANTILE_ERROR: f64 = 1e-3;

/// What was measured: latencies of what was delivered, ages of what was not.
pub(super) struct Samples {
    pub(super) delivered: Vec<Span>,
    pub(super) ages: Vec<Span>,
}

impl Samples {
    /// Of these: a latency of what was delivered, and an age.
    pub(super) fn of(all: impl Iterator<Item = (Option<Span>, Span)>) -> Samples {
        let mut samples = Samples { delivered: Vec::new(), ages: Vec::new() };
        for (latency, age) in all {
            match latency {
                Some(latency) => samples.delivered.push(latency),
                None => samples.ages.push(age),
            }
        }
        samples
    }

    /// Of messages born in a span.
    pub(super) fn of_messages(
        history: &History<'_>,
        span: Interval,
        wanted: impl Fn(&Message) -> bool,
    ) -> Samples {
        let counts = |m: &&Message| !m.refused && !m.is_reply() && is_in(m.born, span) && wanted(m);
        let those = history.messages.iter().filter(counts);
        Samples::of(those.map(|m| (m.delivered.map(|at| at - m.born), history.end - m.born)))
    }

    /// From injection on, of packets whose message was born in a span.
    pub(super) fn of_packets(
        history: &History<'_>,
        span: Interval,
        wanted: impl Fn(&PacketView) -> bool,
    ) -> Samples {
        let counts =
            |p: &PacketView| p.kind != PacketKind::Reply && is_in(p.born, span) && wanted(p);
        let those = history.packets.iter().filter(|p| counts(&p.packet));
        Samples::of(those.filter_map(|p| {
            let injected = p.injected?;
            Some((p.ejected.map(|at| at - injected), history.end - injected))
        }))
    }
}

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let measured = history.measured();
    let messages = Samples::of_messages(history, measured, |_| true);
    summary(history, &record.summary.latency_ns, &messages, "latency_ns");
    let packets = Samples::of_packets(history, measured, |_| true);
    summary(history, &record.summary.network_latency_ns, &packets, "network_latency_ns");
    let samples = round_trips::samples(history, measured, &|_, _| true);
    let (printed, asks) = (record.summary.round_trip_ns.as_ref(), history.any_asks());
    round_trips::summary(history, printed, &samples, (asks, "round_trip_ns"));
}

/// All figures of a summary.
pub(super) fn summary(
    history: &History<'_>,
    printed: &LatencySummary,
    samples: &Samples,
    name: &str,
) {
    let mut all: Vec<Span> = samples.delivered.clone();
    all.extend(&samples.ages);
    all.sort_unstable();
    let n = all.len();
    let figure = |figure: &str| format!("{name}.{figure}");
    if n == 0 {
        history.exact(name, printed, &LatencySummary::default());
        return;
    }
    let sum: u128 = all.iter().map(|&t| u128::from(t.0)).sum();
    let mean = history.ns(Span::TICK) * (sum as f64 / n as f64);
    history.close(&figure("mean"), printed.mean, Some(mean));
    let max = history.ns(all[n - 1]);
    history.close(&figure("max"), printed.max, Some(max));
    let mut bounds = vec![(LatencyFigure::Mean, !samples.ages.is_empty(), true)];
    for (which, printed, per_mille) in [
        (LatencyFigure::P50, printed.p50, 500),
        (LatencyFigure::P99, printed.p99, 990),
        (LatencyFigure::P999, printed.p999, 999),
    ] {
        let name = figure(&format!("{which:?}"));
        // The smallest value that so many of a thousand are not above.
        let exact = all[(n * per_mille).div_ceil(1000) - 1];
        let (low, high) =
            (history.ns(exact) * (1.0 - 1e-9), history.ns(exact) * (1.0 + QUANTILE_ERROR + 1e-9));
        let value = printed.unwrap_or(f64::NAN);
        if !(low <= value && value <= high.min(max * (1.0 + 1e-9))) {
            let what = format!("printed {printed:?}, the list of {n} says {}", history.ns(exact));
            history.add(&name, &what);
        }
        // An age between the exact value and the printed one may count or not.
        let surely = samples.ages.iter().any(|&age| age <= exact);
        let maybe = samples.ages.iter().any(|&age| history.ns(age) <= value);
        bounds.push((which, surely, surely == maybe));
    }
    bounds.push((LatencyFigure::Max, !samples.ages.is_empty(), true));
    for (which, expected, sure) in bounds {
        let printed = printed.lower_bounds.contains(&which);
        if sure && printed != expected {
            let name = figure(&format!("lower_bounds, {which:?}"));
            history.exact(&name, &printed, &expected);
        }
    }
    let mut ordered = printed.lower_bounds.clone();
    ordered.sort();
    history.exact(&figure("lower_bounds, order"), &printed.lower_bounds, &ordered);
    let share = samples.ages.len() as f64 / n as f64;
    history.close(&figure("undelivered"), printed.undelivered, Some(share));
}
