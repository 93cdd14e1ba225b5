//! Counts of the RECN protocol.

use super::history::{History, Interval, is_in};
use super::raw::Protocol;
use flow_control::Control;
use observe::{RecnCounts, Record};
use std::collections::BTreeMap;
use units::Tick;

/// A point set aside again no later than this after it was freed is an early free (spec:
/// recn.md, What to record).
const EARLY_NS: f64 = 2000.0;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let end = history.measured().1;
    let [run, drain] = [(Tick::ZERO, end), (end, Tick::MAX)];
    history.exact("recn", &record.summary.recn, &counts(history, &history.raw.protocol[0], run));
    if let Some(printed) = &record.summary.drain {
        let expected = counts(history, &history.raw.protocol[1], drain);
        history.exact("drain.recn", &printed.recn, &expected);
    }
}

fn counts(history: &History<'_>, protocol: &Protocol, span: Interval) -> RecnCounts {
    // Links and switches apart, each message once for each port that it goes to.
    let count = |of: &[Control], is: fn(&Control) -> bool| of.iter().filter(|c| is(c)).count();
    let saqs = history.raw.saqs.iter().filter(|c| is_in(c.at, span));
    let allocations = saqs.clone().filter(|c| c.allocated).count() as u64;
    let notification = |c: &Control| matches!(c, Control::Notification(_));
    let xoff = |c: &Control| matches!(c, Control::Xoff(_));
    let xon = |c: &Control| matches!(c, Control::Xon(_));
    let token = |c: &Control| matches!(c, Control::Token(_));
    let nack = |c: &Control| matches!(c, Control::Nack(_));
    RecnCounts {
        allocations,
        refusals: protocol.refusals,
        frees: saqs.count() as u64 - allocations,
        early_frees: early_frees(history, span),
        notifications: count(&protocol.sent, notification) as u64,
        xoffs: count(&protocol.sent, xoff) as u64,
        xons: count(&protocol.sent, xon) as u64,
        tokens: count(&protocol.sent, token) as u64,
        nacks: count(&protocol.sent, nack) as u64,
        internal_notifications: count(&protocol.internal, notification) as u64,
        internal_xoffs: count(&protocol.internal, xoff) as u64,
        internal_xons: count(&protocol.internal, xon) as u64,
        internal_tokens: count(&protocol.internal, token) as u64,
        ignored: protocol.ignored,
    }
}

fn early_frees(history: &History<'_>, span: Interval) -> u64 {
    let mut freed = BTreeMap::new();
    let mut early = 0;
    for change in &history.raw.saqs {
        let what = (change.place, change.point);
        if !change.allocated {
            freed.insert(what, change.at);
        } else if let Some(at) = freed.remove(&what) {
            let is_early = history.ns(change.at - at) <= EARLY_NS;
            early += u64::from(is_early && is_in(change.at, span));
        }
    }
    early
}
