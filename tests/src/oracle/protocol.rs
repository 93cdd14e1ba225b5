//! Counts of the RECN protocol.

use super::Findings;
use super::history::History;
use fabric::{RecnCounts, Record};
use flow_control::Control;
use std::collections::BTreeMap;

/// The same point set aside again no later than this after it was freed is an early free (spec:
/// recn.md, What to record).
const EARLY_NS: f64 = 2000.0;

pub(super) fn compare(history: &History<'_>, record: &Record, findings: &mut Findings) {
    let raw = history.raw;
    let count = |is: fn(&Control) -> bool| raw.sent.iter().filter(|c| is(c)).count() as u64;
    let inside = |is: fn(&Control) -> bool| raw.internal.iter().filter(|c| is(c)).count() as u64;
    let allocations = raw.saqs.iter().filter(|c| c.allocated).count() as u64;
    let expected = RecnCounts {
        allocations,
        refusals: raw.refusals,
        frees: raw.saqs.len() as u64 - allocations,
        early_frees: early_frees(history),
        notifications: count(|c| matches!(c, Control::Notification(_))),
        xoffs: count(|c| matches!(c, Control::Xoff(_))),
        xons: count(|c| matches!(c, Control::Xon(_))),
        tokens: count(|c| matches!(c, Control::Token(_))),
        nacks: count(|c| matches!(c, Control::Nack(_))),
        internal_notifications: inside(|c| matches!(c, Control::Notification(_))),
        internal_xoffs: inside(|c| matches!(c, Control::Xoff(_))),
        internal_xons: inside(|c| matches!(c, Control::Xon(_))),
        internal_tokens: inside(|c| matches!(c, Control::Token(_))),
        ignored: raw.ignored,
    };
    findings.exact("recn", &record.summary.recn, &expected);
}

fn early_frees(history: &History<'_>) -> u64 {
    let mut freed = BTreeMap::new();
    let mut early = 0;
    for change in &history.raw.saqs {
        let what = (change.place, change.point);
        if !change.allocated {
            freed.insert(what, change.at);
        } else if let Some(at) = freed.remove(&what) {
            early += u64::from(history.ns(change.at - at) <= EARLY_NS);
        }
    }
    early
}
