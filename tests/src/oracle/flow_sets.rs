//! What sets of flows did in a span of time: rates, latencies, and round trips, from requests and
//! the replies that name them.

use super::history::{History, Interval, Message, is_in};
use super::ideal::{self, Rates};
use super::latencies::Samples;
use observe::{FlowSetResult, PacketKind};
use std::collections::BTreeMap;
use units::Tick;

/// Which flows.
#[derive(Clone, Copy)]
pub(super) enum Set {
    All,
    /// Those to no hot destination.
    Victims,
    Group(usize),
}

/// All sets in a span.
pub(super) struct Sets<'a> {
    pub(super) history: &'a History<'a>,
    pub(super) span: Interval,
    /// The max-min fair rates. The bound of a workload counts no replies: none where groups ask.
    pub(super) fair: Option<Rates>,
}

impl<'a> Sets<'a> {
    pub(super) fn of(history: &'a History<'a>, span: Interval) -> Sets<'a> {
        let is_bound = span.0 < span.1 && !history.any_asks();
        Sets { history, span, fair: is_bound.then(|| ideal::max_min(history, span)) }
    }

    /// What is printed stands where it is within its tolerance. What is offered as replies is in no
    /// set but that of all flows.
    pub(super) fn set(&self, which: Set, printed: &FlowSetResult) -> FlowSetResult {
        let (history, span) = (self.history, self.span);
        let wanted = |destination: u32, group: u8| match which {
            Set::All => true,
            Set::Victims => history.is_victim(destination),
            Set::Group(number) => usize::from(group) == number,
        };
        let (asks, is_all) = match which {
            Set::Group(number) => (history.asks(number), false),
            Set::Victims => (history.any_asks(), false),
            Set::All => (history.any_asks(), true),
        };
        let is_offered = |m: &Message| wanted(m.destination, m.group) && (is_all || !m.is_reply());
        let is_of = |born: Tick, destination: u32, group: u8| {
            is_in(born, span) && wanted(destination, group)
        };
        let messages = history.messages.iter().filter(|m| !m.refused && !m.is_reply());
        let those = messages.filter(|m| is_of(m.born, m.destination, m.group));
        let age = |m: &Message| (m.delivered.map(|at| at - m.born), history.end - m.born);
        let messages = Samples::of(those.map(age));
        let packets = history.packets.iter().filter(|p| p.packet.kind != PacketKind::Reply);
        let those = packets.filter(|p| is_of(p.packet.born, p.packet.destination, p.packet.group));
        // From injection on.
        let packets = Samples::of(those.filter_map(|p| {
            let injected = p.injected?;
            Some((p.ejected.map(|at| at - injected), history.end - injected))
        }));
        // From the generation of a request to the last tail of its reply.
        let requests = history.requests().into_iter();
        let those = requests.filter(|(r, _)| is_of(r.born, r.destination, r.group));
        let trip = |(r, answer): (Message, Option<Tick>)| {
            (answer.map(|at| at - r.born), history.end - r.born)
        };
        let trips = Samples::of(those.map(trip));
        let printed_trip = printed.round_trip_ns.clone().unwrap_or_default();
        FlowSetResult {
            offered_bytes_per_ns: history.offered(span, is_offered),
            delivered_bytes_per_ns: history.received(span, |p| wanted(p.destination, p.group)),
            ideal_bytes_per_ns: ideal::of(self, which, printed.ideal_bytes_per_ns),
            latency_ns: messages.summary(history, &printed.latency_ns),
            network_latency_ns: packets.summary(history, &printed.network_latency_ns),
            round_trip_ns: asks.then(|| trips.summary(history, &printed_trip)),
            replies_delivered: asks.then_some(trips.delivered.len() as u64),
            requests_under_way: asks.then_some(trips.ages.len() as u64),
        }
    }

    pub(super) fn groups(
        &self,
        printed: &BTreeMap<String, FlowSetResult>,
    ) -> BTreeMap<String, FlowSetResult> {
        let none = FlowSetResult::default();
        let groups = self.history.config.workload.groups.iter().enumerate();
        let of = |(number, name): (usize, &String)| {
            let printed = printed.get(name).unwrap_or(&none);
            (name.clone(), self.set(Set::Group(number), printed))
        };
        groups.map(of).collect()
    }

    /// Where any destination is hot.
    pub(super) fn victims(&self, printed: Option<&FlowSetResult>) -> Option<FlowSetResult> {
        let printed = printed.cloned().unwrap_or_default();
        self.history.any_hot().then(|| self.set(Set::Victims, &printed))
    }
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
