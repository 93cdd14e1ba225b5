//! Counts of the RECN protocol.

use super::Findings;
use super::history::History;
use flow_control::Control;
use observe::{RecnCounts, Record};
use std::collections::BTreeMap;

/// A point set aside again no later than this after it was freed is an early free (spec:
/// recn.md, What to record).
const EARLY_NS: f64 = 2000.0;

pub(super) fn compare(history: &History<'_>, record: &Record, findings: &mut Findings) {
    let raw = history.raw;
    // Links and switches apart, each message once for each port that it goes to.
    let count = |of: &[Control], is: fn(&Control) -> bool| of.iter().filter(|c| is(c)).count();
    let allocations = raw.saqs.iter().filter(|c| c.allocated).count() as u64;
    let notification = |c: &Control| matches!(c, Control::Notification(_));
    let xoff = |c: &Control| matches!(c, Control::Xoff(_));
    let xon = |c: &Control| matches!(c, Control::Xon(_));
    let token = |c: &Control| matches!(c, Control::Token(_));
    let nack = |c: &Control| matches!(c, Control::Nack(_));
    let expected = RecnCounts {
        allocations,
        refusals: raw.refusals,
        frees: raw.saqs.len() as u64 - allocations,
        early_frees: early_frees(history),
        notifications: count(&raw.sent, notification) as u64,
        xoffs: count(&raw.sent, xoff) as u64,
        xons: count(&raw.sent, xon) as u64,
        tokens: count(&raw.sent, token) as u64,
        nacks: count(&raw.sent, nack) as u64,
        internal_notifications: count(&raw.internal, notification) as u64,
        internal_xoffs: count(&raw.internal, xoff) as u64,
        internal_xons: count(&raw.internal, xon) as u64,
        internal_tokens: count(&raw.internal, token) as u64,
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
