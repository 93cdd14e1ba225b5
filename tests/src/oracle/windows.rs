//! Windows of time, dips, starved flows.

use super::figures::is_close;
use super::flow_sets::{Set, Sets};
use super::history::{History, Interval, is_in};
use super::record::links;
use crate::watch::Moment;
use observe::{FlowSetResult, WindowResult};
use plan::WindowConfig;
use std::collections::{BTreeMap, BTreeSet};
use units::Tick;

/// A dip is the lowest mean over parts of about this length.
const DIP_NS: f64 = 20_000.0;

pub(super) fn expected(
    history: &History<'_>,
    printed: &BTreeMap<String, WindowResult>,
) -> BTreeMap<String, WindowResult> {
    let none = WindowResult::default();
    let windows = history.config.windows.iter();
    let of =
        |w: &WindowConfig| (w.name.clone(), one(history, w, printed.get(&w.name).unwrap_or(&none)));
    windows.map(of).collect()
}

fn one(history: &History<'_>, window: &WindowConfig, printed: &WindowResult) -> WindowResult {
    let span = (window.start, window.end);
    let bounds = WindowResult {
        start_ns: history.at_ns(window.start),
        end_ns: history.at_ns(window.end),
        note: window.note.clone(),
        links: links(history, span),
        ..WindowResult::default()
    };
    let any_hot = history.any_hot();
    if span.0 == span.1 {
        let groups = history.config.workload.groups.iter();
        let groups = groups.map(|name| (name.clone(), FlowSetResult::default())).collect();
        return WindowResult { groups, victims: any_hot.then(FlowSetResult::default), ..bounds };
    }
    let found = (printed.worst_dip_bytes_per_ns, printed.all.delivered_bytes_per_ns);
    if let (Some(dip), Some(mean)) = found
        && dip > mean
        && !is_close(dip, mean)
    {
        history
            .add(&format!("windows.{}.worst_dip_bytes_per_ns", window.name), "is above the mean");
    }
    let sets = Sets::of(history, span);
    let victims_dip = || dip(history, span, |d| history.is_victim(d));
    WindowResult {
        all: sets.set(Set::All, &printed.all),
        worst_dip_bytes_per_ns: dip(history, span, |_| true),
        victims_worst_dip_bytes_per_ns: any_hot.then(victims_dip).flatten(),
        flows_starved: Some(starved(history, span).len() as u64),
        groups: sets.groups(&printed.groups),
        victims: sets.victims(printed.victims.as_ref()),
        ..bounds
    }
}

/// The lowest mean over one of the equal parts of about 20 us, of the flows to the destinations
/// that are `wanted`.
fn dip(history: &History<'_>, span: Interval, wanted: impl Fn(u32) -> bool) -> Option<f64> {
    let length = span.1 - span.0;
    let parts = ((history.ns(length) / DIP_NS).round() as u64).max(1);
    let border = |part: u64| span.0 + length * part / parts;
    let rates = (0..parts).map(|part| {
        let part = (border(part), border(part + 1));
        history.received(part, |p| wanted(p.destination))
    });
    rates.flatten().reduce(f64::min)
}

/// Flows with standing demand at the end of a span and nothing delivered in it: the oldest message
/// that had not arrived had waited for half of the span or longer.
pub(super) fn starved(history: &History<'_>, span: Interval) -> BTreeSet<(u32, u32)> {
    if span.0 == span.1 {
        return BTreeSet::new();
    }
    let mut oldest: BTreeMap<(u32, u32), Tick> = BTreeMap::new();
    for m in &history.messages {
        let arrived = m.delivered.is_some_and(|at| at < span.1);
        if !m.refused && m.born < span.1 && !arrived {
            let born = oldest.entry((m.source, m.destination)).or_insert(m.born);
            *born = m.born.min(*born);
        }
    }
    let served: BTreeSet<(u32, u32)> =
        history.raw.ejected.iter().filter(|p| is_in(p.at, span)).map(Moment::flow).collect();
    oldest
        .into_iter()
        .filter(|(flow, born)| {
            let waited = span.1 - span.0.max(*born);
            waited * 2 >= span.1 - span.0 && !served.contains(flow)
        })
        .map(|(flow, _)| flow)
        .collect()
}
