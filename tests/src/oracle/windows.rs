//! Windows of time, dips, starved flows.

use super::figures::is_close;
use super::flow_sets::{self, is_victim};
use super::history::{History, Interval, is_in};
use super::rates::link_use;
use crate::watch::Moment;
use observe::{Record, WindowResult};
use std::collections::{BTreeMap, BTreeSet};
use units::Tick;

/// A dip is the lowest mean over parts of about this length.
const DIP_NS: f64 = 20_000.0;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let measured = history.measured();
    let expected = (measured.1 > measured.0).then(|| starved(history, measured).len() as u64);
    history.exact("flows_starved", &record.summary.flows_starved, &expected);
    let windows = &history.config.windows;
    let names: Vec<&String> = record.summary.windows.keys().collect();
    let mut expected: Vec<&String> = windows.iter().map(|w| &w.name).collect();
    expected.sort();
    history.exact("names of windows", &names, &expected);
    for window in windows {
        let name = format!("windows.{}", window.name);
        if let Some(printed) = record.summary.windows.get(&window.name) {
            history.exact(&format!("{name}.note"), &printed.note, &window.note);
            let span = (window.start, window.end);
            one(history, printed, span, &name);
        }
    }
}

fn one(history: &History<'_>, printed: &WindowResult, span: Interval, name: &str) {
    let figure = |figure: &str| format!("{name}.{figure}");
    let (start, end) = (history.at_ns(span.0), history.at_ns(span.1));
    history.close(&figure("start_ns"), Some(printed.start_ns), Some(start));
    history.close(&figure("end_ns"), Some(printed.end_ns), Some(end));
    let wanted = (&|_, _| true) as flow_sets::Wanted<'_>;
    let all = (wanted, true, history.any_asks());
    flow_sets::set(history, &printed.all, span, all, name);
    flow_sets::groups(history, &printed.groups, span, &figure("groups"));
    let victims = printed.victims.as_ref();
    flow_sets::victims(history, victims, span, &figure("victims"));
    let expected = dip(history, span, &|_| true);
    let found = printed.worst_dip_bytes_per_ns;
    history.close(&figure("worst_dip_bytes_per_ns"), found, expected);
    if let (Some(dip), Some(mean)) = (found, printed.all.delivered_bytes_per_ns)
        && dip > mean
        && !is_close(dip, mean)
    {
        history.add(&figure("worst_dip_bytes_per_ns"), "is above the mean");
    }
    let any = !history.config.hot_destinations.is_empty();
    let expected = any.then(|| dip(history, span, &|d| is_victim(history, d))).flatten();
    let found = printed.victims_worst_dip_bytes_per_ns;
    history.close(&figure("victims_worst_dip_bytes_per_ns"), found, expected);
    let expected = (span.1 > span.0).then(|| starved(history, span).len() as u64);
    history.exact(&figure("flows_starved"), &printed.flows_starved, &expected);
    for (link, printed) in &printed.links {
        let expected = link_use(history, link, span);
        history.close(&figure(&format!("links.{link}")), *printed, expected);
    }
    let links = history.config.named_links.len();
    history.exact(&figure("links"), &printed.links.len(), &links);
}

/// The lowest mean over one of the equal parts of about 20 us, of the flows to the destinations
/// that are `wanted`.
fn dip(history: &History<'_>, span: Interval, wanted: &dyn Fn(u32) -> bool) -> Option<f64> {
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
