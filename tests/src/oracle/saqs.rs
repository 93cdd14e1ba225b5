//! SAQs in use: peaks, and the most in each bin of the series.

use super::history::{History, SaqChange, is_injection};
use crate::watch::Port;
use observe::{Record, SaqPeaks, Side};
use std::collections::BTreeMap;
use units::Tick;

/// Where SAQs are counted: a side, and whether it is that of an end node.
type Where = (Side, bool);

const INGRESS: Where = (Side::Ingress, false);
const EGRESS: Where = (Side::Egress, false);
const INJECTION: Where = (Side::Egress, true);

fn changes<'a>(history: &'a History<'_>, at: Where) -> impl Iterator<Item = &'a SaqChange> {
    let of = |port: Port| (port.2, is_injection(history.config, port));
    history.saqs.iter().filter(move |change| of(change.port) == at)
}

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let end = history.measured().1;
    compare_peaks(history, &record.summary.saqs_peak, end);
    if let Some(drain) = &record.summary.drain {
        compare_peaks(history, &drain.saqs_peak, Tick::MAX);
    }
    let ingress = bins(history, INGRESS);
    let egress = bins(history, EGRESS);
    for (bin, row) in record.series.iter().enumerate() {
        let printed = [
            row.saqs_ingress,
            row.saqs_ingress_max_port,
            row.saqs_egress,
            row.saqs_egress_max_port,
        ];
        let expected = [ingress[bin].0, ingress[bin].1, egress[bin].0, egress[bin].1];
        let name = format!("series, bin {bin}, SAQs (ingress, at one port, egress, at one port)");
        history.exact(&name, &printed, &expected);
    }
}

/// The most at any one port before tick `end`.
fn compare_peaks(history: &History<'_>, peaks: &SaqPeaks, end: Tick) {
    for (at, name, printed) in [
        (INGRESS, "ingress", peaks.ingress),
        (EGRESS, "egress", peaks.egress),
        (INJECTION, "injection", peaks.injection),
    ] {
        let mut in_use: BTreeMap<Port, u32> = BTreeMap::new();
        let mut peak = 0;
        for change in changes(history, at).filter(|change| change.at < end) {
            let now = in_use.entry(change.port).or_default();
            match (change.allocated, *now) {
                (true, _) => *now += 1,
                (false, 0) => history.add("events", "a SAQ is freed where there is none"),
                (false, _) => *now -= 1,
            }
            history.exact("SAQs in use, as an event says", &change.in_use, now);
            peak = peak.max(*now);
        }
        history.exact(&format!("saqs_peak.{name}"), &printed, &peak);
    }
}

/// The most in each bin, in all and at one port: as it is when the bin starts, and after each tick
/// in it.
fn bins(history: &History<'_>, at: Where) -> Vec<(u32, u32)> {
    let run = &history.config.run;
    let mut by_tick: BTreeMap<Tick, Vec<&SaqChange>> = BTreeMap::new();
    for change in changes(history, at) {
        by_tick.entry(change.at).or_default().push(change);
    }
    let mut in_use: BTreeMap<Port, i64> = BTreeMap::new();
    let mut changes = by_tick.into_iter().peekable();
    let mut bins = Vec::new();
    for bin in 0..run.duration.0.div_ceil(run.series_bin.0) {
        let end = run.duration.min(Tick::ZERO + run.series_bin * (bin + 1));
        let most = |in_use: &BTreeMap<Port, i64>| {
            let total: i64 = in_use.values().sum();
            let port = in_use.values().copied().max().unwrap_or(0);
            (total as u32, port as u32)
        };
        let mut highest = most(&in_use);
        while let Some((_, changes)) = changes.next_if(|(tick, _)| *tick < end) {
            for change in changes {
                *in_use.entry(change.port).or_default() += if change.allocated { 1 } else { -1 };
            }
            let now = most(&in_use);
            highest = (highest.0.max(now.0), highest.1.max(now.1));
        }
        bins.push(highest);
    }
    bins
}
