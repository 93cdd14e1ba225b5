//! Round trips, from requests and the replies that name them.

use super::flow_sets::Wanted;
use super::history::{History, Interval, is_in};
use super::latencies::{self, Samples};
use observe::{FlowSetResult, LatencySummary};
use std::collections::BTreeMap;
use units::Tick;

/// Of a set of flows, by the requests generated in a span; only where some of them ask.
pub(super) fn compare(
    history: &History<'_>,
    printed: &FlowSetResult,
    span: Interval,
    (wanted, asks): (Wanted<'_>, bool),
    figure: &dyn Fn(&str) -> String,
) {
    // Nothing to count.
    if span.0 == span.1 {
        return;
    }
    let samples = samples(history, span, wanted);
    let (name, latency) = (figure("round_trip_ns"), printed.round_trip_ns.as_ref());
    summary(history, latency, &samples, (asks, &name));
    let count = |of: usize| asks.then_some(of as u64);
    let (delivered, under_way) = (count(samples.delivered.len()), count(samples.ages.len()));
    let name = figure("replies_delivered");
    history.exact(&name, &printed.replies_delivered, &delivered);
    let name = figure("requests_under_way");
    history.exact(&name, &printed.requests_under_way, &under_way);
}

/// The figures of round trips, where there are some.
pub(super) fn summary(
    history: &History<'_>,
    printed: Option<&LatencySummary>,
    samples: &Samples,
    (asks, name): (bool, &str),
) {
    history.exact(&format!("{name} is there"), &printed.is_some(), &asks);
    if let Some(printed) = printed {
        latencies::summary(history, printed, samples, name);
    }
}

/// From the generation of a request to the last tail of its reply.
pub(super) fn samples(history: &History<'_>, span: Interval, wanted: Wanted<'_>) -> Samples {
    let requests = history.requests().into_iter();
    let those = requests.filter(|(r, _)| is_in(r.born, span) && wanted(r.destination, r.group));
    Samples::of(those.map(|(r, answer)| (answer.map(|at| at - r.born), history.end - r.born)))
}

/// Every request that was delivered is answered, after the delay of its group and once; nothing
/// else is a reply.
pub(super) fn check_replies(history: &History<'_>) {
    let mut expected: BTreeMap<(u32, u32, u8, u32, Tick, Tick), u32> = BTreeMap::new();
    for (request, _) in history.requests() {
        let summary = &history.config.workload.summaries[usize::from(request.group)];
        let (Some(replies), Some(at)) = (summary.replies, request.delivered) else {
            continue;
        };
        let born = at + replies.delay;
        if born < history.end {
            let ends = (request.destination, request.source, request.group);
            let reply = (ends.0, ends.1, ends.2, replies.bytes, born, request.born);
            *expected.entry(reply).or_default() += 1;
        }
    }
    let mut found = BTreeMap::new();
    for m in history.messages.iter().filter(|m| m.is_reply()) {
        let reply = (m.source, m.destination, m.group, m.bytes, m.born, m.asked);
        *found.entry(reply).or_default() += 1;
    }
    history.exact("replies", &found, &expected);
}
