//! What a set of flows did in a span of time: by group, and victims.

use super::history::{History, Interval, Message};
use super::latencies::{self, Samples};
use super::round_trips;
use observe::{FlowSetResult, Record};
use std::collections::BTreeMap;

/// Which flows: by destination and group.
pub(super) type Wanted<'a> = &'a dyn Fn(u32, u8) -> bool;

pub(super) fn compare(history: &History<'_>, record: &Record) {
    let (summary, measured) = (&record.summary, history.measured());
    groups(history, &summary.group_results, measured, "group_results");
    victims(history, summary.victims.as_ref(), measured, "victims");
}

/// Every group by its name.
pub(super) fn groups(
    history: &History<'_>,
    printed: &BTreeMap<String, FlowSetResult>,
    span: Interval,
    name: &str,
) {
    let groups = &history.config.workload.groups;
    history.exact(&format!("{name}, number"), &printed.len(), &groups.len());
    for (number, group) in groups.iter().enumerate() {
        let name = format!("{name}.{group}");
        match printed.get(group) {
            Some(printed) => {
                let wanted = |_, g| usize::from(g) == number;
                let asks = history.asks(number);
                set(history, printed, span, (&wanted, false, asks), &name);
            }
            None => history.add(&name, "is not there"),
        }
    }
}

/// Whether a flow goes to no hot destination.
pub(super) fn is_victim(history: &History<'_>, destination: u32) -> bool {
    !history.config.hot_destinations.contains(&destination)
}

/// All flows to no hot destination, where any is hot.
pub(super) fn victims(
    history: &History<'_>,
    printed: Option<&FlowSetResult>,
    span: Interval,
    name: &str,
) {
    let there = !history.config.hot_destinations.is_empty();
    history.exact(&format!("{name} are there"), &printed.is_some(), &there);
    if let Some(printed) = printed {
        let wanted = |destination, _| is_victim(history, destination);
        set(history, printed, span, (&wanted, false, history.any_asks()), name);
    }
}

/// All figures of a set of flows. What is offered as replies is in no set but that of all flows.
pub(super) fn set(
    history: &History<'_>,
    printed: &FlowSetResult,
    span: Interval,
    (wanted, is_all, asks): (Wanted<'_>, bool, bool),
    name: &str,
) {
    let figure = |figure: &str| format!("{name}.{figure}");
    let is_of = |m: &Message| wanted(m.destination, m.group) && (is_all || !m.is_reply());
    let offered = history.offered(span, is_of);
    history.close(&figure("offered_bytes_per_ns"), printed.offered_bytes_per_ns, offered);
    let delivered = history.received(span, |p| wanted(p.destination, p.group));
    history.close(&figure("delivered_bytes_per_ns"), printed.delivered_bytes_per_ns, delivered);
    let messages = Samples::of_messages(history, span, |m| wanted(m.destination, m.group));
    latencies::summary(history, &printed.latency_ns, &messages, &figure("latency_ns"));
    let packets = Samples::of_packets(history, span, |p| wanted(p.destination, p.group));
    let latency = &printed.network_latency_ns;
    let name = figure("network_latency_ns");
    latencies::summary(history, latency, &packets, &name);
    round_trips::compare(history, printed, span, (wanted, asks), &figure);
}
