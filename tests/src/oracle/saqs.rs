//! SAQs in use: peaks, and the most in each bin of the series; counts of the RECN protocol.

use super::history::{History, Interval, SaqChange, is_in, is_injection};
use crate::watch::Port;
use flow_control::Control;
use observe::{Event, RecnCounts, SaqPeaks, Side};
use std::collections::BTreeMap;
use units::Tick;

/// Changes on a side, of end nodes or of switches.
fn changes<'a>(
    history: &'a History<'_>,
    side: Side,
    of_nodes: bool,
) -> impl Iterator<Item = &'a SaqChange> {
    let is_of = move |p: Port| p.2 == side && is_injection(history.config, p) == of_nodes;
    history.saqs.iter().filter(move |change| is_of(change.port))
}

/// The most at any one port before tick `end`.
pub(super) fn peaks(history: &History<'_>, end: Tick) -> SaqPeaks {
    let peak = |side, of_nodes| {
        let mut in_use: BTreeMap<Port, u32> = BTreeMap::new();
        let mut peak = 0;
        for change in changes(history, side, of_nodes).filter(|change| change.at < end) {
            let now = in_use.entry(change.port).or_default();
            match (change.allocated, *now) {
                (true, _) => *now += 1,
                (false, 0) => history.add("events", "a SAQ is freed where there is none"),
                (false, _) => *now -= 1,
            }
            history.exact("SAQs in use, as an event says", &change.in_use, now);
            peak = peak.max(*now);
        }
        peak
    };
    SaqPeaks {
        ingress: peak(Side::Ingress, false),
        egress: peak(Side::Egress, false),
        injection: peak(Side::Egress, true),
    }
}

/// The most in each bin, in all and at one port: as it is when the bin starts, and after each tick
/// in it.
pub(super) fn bins(history: &History<'_>, side: Side) -> Vec<(u32, u32)> {
    let run = &history.config.run;
    let mut by_tick: BTreeMap<Tick, Vec<&SaqChange>> = BTreeMap::new();
    for change in changes(history, side, false) {
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

/// A point set aside again no later than this after it was freed is an early free (spec:
/// recn.md, What to record).
const EARLY_NS: f64 = 2000.0;

/// Links and switches apart, each message once for each port that it goes to.
pub(super) fn counts(history: &History<'_>, span: Interval) -> RecnCounts {
    let mut counts = RecnCounts { early_frees: early_frees(history, span), ..Default::default() };
    for seen in history.raw.events.iter().filter(|seen| is_in(seen.at, span)) {
        let count = match seen.event {
            Event::SaqAllocated { .. } => &mut counts.allocations,
            Event::SaqFreed { .. } => &mut counts.frees,
            Event::SaqRefused(_) => &mut counts.refusals,
            Event::Ignored(_) => &mut counts.ignored,
            Event::ControlSent(Control::Notification(_)) => &mut counts.notifications,
            Event::ControlSent(Control::Xoff(_)) => &mut counts.xoffs,
            Event::ControlSent(Control::Xon(_)) => &mut counts.xons,
            Event::ControlSent(Control::Token(_)) => &mut counts.tokens,
            Event::ControlSent(Control::Nack(_)) => &mut counts.nacks,
            Event::Internal(Control::Notification(_)) => &mut counts.internal_notifications,
            Event::Internal(Control::Xoff(_)) => &mut counts.internal_xoffs,
            Event::Internal(Control::Xon(_)) => &mut counts.internal_xons,
            Event::Internal(Control::Token(_)) => &mut counts.internal_tokens,
            _ => continue,
        };
        *count += 1;
    }
    counts
}

fn early_frees(history: &History<'_>, span: Interval) -> u64 {
    let mut freed = BTreeMap::new();
    let mut early = 0;
    for change in &history.saqs {
        let what = (change.port, change.point);
        if !change.allocated {
            freed.insert(what, change.at);
        } else if let Some(at) = freed.remove(&what) {
            let is_early = history.ns(change.at - at) <= EARLY_NS;
            early += u64::from(is_early && is_in(change.at, span));
        }
    }
    early
}
