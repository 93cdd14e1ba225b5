//! The record as it must be: counts from tick 0, rates over the measured time, the series, flows,
//! links, and when a run ends.

use super::flow_sets::{Set, Sets};
use super::history::{History, Interval, Message, injection_stage, is_in};
use super::{ideal, memory, saqs, steady, windows};
use crate::prelude::*;
use fabric::DRAIN_LOOK_NS;
use observe::{DrainSummary, FlowRow, FlowSetResult, SeriesRow, Side, Summary};

/// From the raw events; what is not recomputed is as it was printed, and so is what lies within its
/// tolerance.
pub(super) fn expected(history: &History<'_>, printed: &Record) -> Record {
    Record {
        summary: summary(history, &printed.summary),
        groups: history.config.workload.groups.clone(),
        series: series(history),
        flows: flows(history),
        latencies: printed.latencies.clone(),
        pauses: Vec::new(),
        ticks: end(history).0,
    }
}

fn summary(history: &History<'_>, printed: &Summary) -> Summary {
    let (config, measured) = (history.config, history.measured());
    let (start, end) = measured;
    let sets = Sets::of(history, measured);
    let printed_all = FlowSetResult {
        ideal_bytes_per_ns: printed.ideal_bytes_per_ns,
        latency_ns: printed.latency_ns.clone(),
        network_latency_ns: printed.network_latency_ns.clone(),
        round_trip_ns: printed.round_trip_ns.clone(),
        ..FlowSetResult::default()
    };
    let all = sets.set(Set::All, &printed_all);
    let of_group = |number: usize| history.received(measured, |p| usize::from(p.group) == number);
    let groups = config.workload.groups.iter().enumerate();
    let maximum = config.maximum_bytes_per_ns;
    let relative = all.delivered_bytes_per_ns.zip(maximum);
    // What comes to admittance later than the run ends is on its way at its end.
    let stage = injection_stage(config);
    let packets = |refused| -> u64 {
        let messages = history.messages.iter().filter(|m| m.born < end);
        let those = messages.filter(|m| (m.refused && m.born + stage < end) == refused);
        those.map(|m| u64::from(m.bytes.div_ceil(config.packet_bytes))).sum()
    };
    let delivered = history.raw.ejected.iter().filter(|packet| packet.at < end).count() as u64;
    let (generated, refused) = (packets(false), packets(true));
    let drain = printed.drain.map(|_| DrainSummary {
        saqs_peak: saqs::peaks(history, Tick::MAX),
        recn: saqs::counts(history, (end, Tick::MAX)),
    });
    Summary {
        delivered_bytes_per_ns: all.delivered_bytes_per_ns,
        offered_bytes_per_ns: all.offered_bytes_per_ns,
        relative_throughput: relative.map(|(d, m)| d * m.den() as f64 / m.num() as f64),
        ideal_bytes_per_ns: all.ideal_bytes_per_ns,
        fairness_jain: jain(history),
        flows_starved: (end > start).then(|| windows::starved(history, measured).len() as u64),
        worst_flow_share: ideal::worst_share(&sets, printed.worst_flow_share),
        steady: steady::expected(history, printed.steady),
        packets_generated: generated,
        packets_delivered: delivered,
        packets_in_flight: generated - delivered,
        packets_refused: refused,
        latency_ns: all.latency_ns,
        network_latency_ns: all.network_latency_ns,
        round_trip_ns: all.round_trip_ns,
        saqs_peak: saqs::peaks(history, end),
        recn: saqs::counts(history, (Tick::ZERO, end)),
        drain,
        // A tail that leaves later is in no hop.
        packet_hops: hops(history).filter(|hop| hop.1 < end).count() as u64,
        groups: groups.map(|(number, name)| (name.clone(), of_group(number))).collect(),
        group_results: sets.groups(&printed.group_results),
        victims: sets.victims(printed.victims.as_ref()),
        windows: windows::expected(history, &printed.windows),
        links: links(history, measured),
        memory: memory::expected(history, &printed.memory),
        // Not recomputed. No case has what is left: faults, ECN, pause, reordering.
        longest_wait_ns: printed.longest_wait_ns,
        events_hash: printed.events_hash.clone(),
        timing: printed.timing,
        ..Summary::default()
    }
}

/// (sum x)^2 / (n sum x^2) over the measured bytes of the flows that had anything to send in the
/// measured time: those that delivered in it, and those that had something to deliver when it
/// ended.
fn jain(history: &History<'_>) -> Option<f64> {
    let measured = history.measured();
    let mut flows: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for m in &history.messages {
        let arrived = m.delivered.is_some_and(|at| at < measured.1);
        if !m.refused && m.born < measured.1 && !arrived {
            flows.entry((m.source, m.destination)).or_default();
        }
    }
    for packet in history.raw.ejected.iter().filter(|packet| is_in(packet.at, measured)) {
        *flows.entry(packet.flow()).or_default() += u64::from(packet.bytes);
    }
    let sum: f64 = flows.values().map(|&b| b as f64).sum();
    let squares: f64 = flows.values().map(|&b| (b as f64).powi(2)).sum();
    (sum > 0.0).then(|| sum.powi(2) / (flows.len() as f64 * squares))
}

fn series(history: &History<'_>) -> Vec<SeriesRow> {
    let (run, hot) = (&history.config.run, &history.config.hot_destinations);
    let [ingress, egress] = [Side::Ingress, Side::Egress].map(|side| saqs::bins(history, side));
    let row = |bin: u64| {
        let start = Tick::ZERO + run.series_bin * bin;
        let span = (start, run.duration.min(start + run.series_bin));
        let is_victim = |m: &Message| !m.is_reply() && !hot.contains(&m.destination);
        let if_any = |figure: Option<f64>| figure.filter(|_| !hot.is_empty());
        let of_group = |number| history.received(span, |p| usize::from(p.group) == number);
        let groups = (0..history.config.workload.groups.len()).map(of_group);
        let (ingress, egress) = (ingress[bin as usize], egress[bin as usize]);
        SeriesRow {
            t_ns: history.at_ns(start),
            delivered_bytes_per_ns: history.received(span, |_| true).unwrap_or(f64::NAN),
            offered_bytes_per_ns: history.offered(span, |_| true).unwrap_or(f64::NAN),
            saqs_ingress: ingress.0,
            saqs_egress: egress.0,
            saqs_ingress_max_port: ingress.1,
            saqs_egress_max_port: egress.1,
            victims_bytes_per_ns: if_any(history.received(span, |p| !hot.contains(&p.destination))),
            victims_offered_bytes_per_ns: if_any(history.offered(span, is_victim)),
            pause_ns: None,
            groups: groups.map(|rate| rate.unwrap_or(f64::NAN)).collect(),
        }
    };
    (0..run.duration.0.div_ceil(run.series_bin.0)).map(row).collect()
}

fn flows(history: &History<'_>) -> Vec<FlowRow> {
    let measured = history.measured();
    let mut flows: BTreeMap<(u32, u32), FlowRow> = BTreeMap::new();
    for packet in history.raw.ejected.iter().filter(|packet| packet.at < measured.1) {
        let row = flows.entry(packet.flow()).or_default();
        let bytes = u64::from(packet.bytes);
        row.packets += 1;
        row.bytes += bytes;
        row.bytes_measured += if is_in(packet.at, measured) { bytes } else { 0 };
    }
    for flow in windows::starved(history, measured) {
        flows.entry(flow).or_default().starved = true;
    }
    let ends = |((source, destination), row)| FlowRow { source, destination, ..row };
    flows.into_iter().map(ends).collect()
}

/// When a run ends: at its duration, or with `run.drain` at the first check that finds all
/// measured messages arrived.
fn end(history: &History<'_>) -> Tick {
    let (config, run) = (history.config, &history.config.run);
    // The last message is in its queue so much later: not before is it known that all have arrived.
    let stage = injection_stage(config);
    let is_measured = |born| is_in(born, history.measured());
    let requests = history.requests().into_iter().filter(|(r, _)| is_measured(r.born));
    let messages = history.messages.iter();
    let last = messages
        .filter(|m| !m.refused && !m.is_reply() && is_measured(m.born))
        .map(|m| m.delivered)
        .chain(requests.map(|(_, answer)| answer))
        .map(|arrived| arrived.unwrap_or(Tick::MAX))
        .max();
    let limit = run.duration + run.drain;
    let interval = config.time_base.ns_to_ticks_ceil(DRAIN_LOOK_NS);
    let checks = (1..).map(|n| run.duration + interval * n).take_while(|&at| at < limit);
    let is_over = |at: &Tick| *at >= run.duration + stage && last.is_none_or(|last| last < *at);
    checks.into_iter().find(is_over).unwrap_or(limit)
}

/// Packets on links: switch and port, tick in which the tail leaves, how long they hold the link.
fn hops<'a>(history: &'a History<'_>) -> impl Iterator<Item = ((u32, u8), Tick, Span)> + 'a {
    history.raw.events.iter().filter_map(|seen| match seen.event {
        Event::Hop { at, span } => Some(((seen.port.0, seen.port.1), at, span)),
        _ => None,
    })
}

/// By name the mean over the links of the part of a span in which they carried data.
pub(super) fn links(history: &History<'_>, span: Interval) -> BTreeMap<String, Option<f64>> {
    let common = |a: Interval| a.1.min(span.1).since(a.0.max(span.0));
    let held = |&port: &(u32, u8)| -> Span {
        let hops = hops(history).filter(|hop| hop.0 == port);
        // A tail that leaves in tick `at` has held the link in the ticks up to and with that one.
        hops.map(|(_, at, held)| common((at.next() - held, at.next()))).sum()
    };
    let part = |ports: &[(u32, u8)]| {
        let ticks: Span = ports.iter().map(held).sum();
        ticks.0 as f64 / (ports.len() as f64 * (span.1 - span.0).0 as f64)
    };
    let links = history.config.named_links.iter();
    links.map(|(name, ports)| (name.clone(), (span.1 > span.0).then(|| part(ports)))).collect()
}
