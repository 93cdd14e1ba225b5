//! Counts of the RECN protocol.

use super::history::{History, Interval, is_in};
use flow_control::Control;
use observe::{Event, RecnCounts, Record};
use std::collections::BTreeMap;
use units::Tick;

/// A point set aside again no later than this after it was freed is an early free (spec:
/// recn.md, What to record).
const EARLY_NS: f64 = 2000.0;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let end = history.measured().1;
    let run = counts(history, (Tick::ZERO, end));
    history.exact("recn", &record.summary.recn, &run);
    if let Some(printed) = &record.summary.drain {
        history.exact("drain.recn", &printed.recn, &counts(history, (end, Tick::MAX)));
    }
}

/// Links and switches apart, each message once for each port that it goes to.
fn counts(history: &History<'_>, span: Interval) -> RecnCounts {
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
