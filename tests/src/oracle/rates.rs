//! Counts from tick 0, rates over the measured time, the series, flows, links.

use super::history::{History, Interval, Message, injection_stage, is_in};
use observe::{Event, Record};
use std::collections::BTreeMap;
use units::{Span, Tick};

pub(super) fn compare(history: &History<'_>, record: &Record) {
    counts(history, record);
    rates(history, record);
    series(history, record);
    flows(history, record);
    let measured = history.measured();
    for (name, printed) in &record.summary.links {
        let expected = link_use(history, name, measured);
        history.close(&format!("links.{name}"), *printed, expected);
    }
    let names: Vec<&String> = record.summary.links.keys().collect();
    let mut expected: Vec<&String> = history.config.named_links.iter().map(|l| &l.0).collect();
    expected.sort();
    history.exact("names of links", &names, &expected);
}

/// Packets of a message.
fn packets(bytes: u32, largest: u32) -> u64 {
    u64::from(bytes.div_ceil(largest))
}

fn counts(history: &History<'_>, record: &Record) {
    let (summary, largest) = (&record.summary, history.config.packet_bytes);
    // What comes to admittance later than the run ends is on its way at its end.
    let (end, stage) = (history.measured().1, injection_stage(history.config));
    let sum = |refused| -> u64 {
        let messages = history.messages.iter().filter(|m| m.born < end);
        messages
            .filter(|m| (m.refused && m.born + stage < end) == refused)
            .map(|m| packets(m.bytes, largest))
            .sum()
    };
    let delivered = history.raw.ejected.iter().filter(|packet| packet.at < end);
    let (generated, delivered) = (sum(false), delivered.count() as u64);
    history.exact("packets_generated", &summary.packets_generated, &generated);
    history.exact("packets_refused", &summary.packets_refused, &sum(true));
    history.exact("packets_delivered", &summary.packets_delivered, &delivered);
    let in_flight = generated - delivered;
    history.exact("packets_in_flight", &summary.packets_in_flight, &in_flight);
    let never = [summary.packets_lost_to_faults, summary.packets_stranded, summary.out_of_order];
    history.exact("lost, stranded, out of order", &never, &[0; 3]);
    // A tail that leaves later is in no hop.
    let hops = hops(history).filter(|hop| hop.1 < end);
    history.exact("packet_hops", &summary.packet_hops, &(hops.count() as u64));
}

fn rates(history: &History<'_>, record: &Record) {
    let (summary, measured) = (&record.summary, history.measured());
    let delivered = history.received(measured, |_| true);
    history.close("delivered_bytes_per_ns", summary.delivered_bytes_per_ns, delivered);
    let offered = history.offered(measured, |_| true);
    history.close("offered_bytes_per_ns", summary.offered_bytes_per_ns, offered);
    let maximum = history.config.maximum_bytes_per_ns;
    let relative = delivered.zip(maximum).map(|(d, m)| d * m.den() as f64 / m.num() as f64);
    history.close("relative_throughput", summary.relative_throughput, relative);
    let groups = &history.config.workload.groups;
    for (number, group) in groups.iter().enumerate() {
        let expected = history.received(measured, |p| usize::from(p.group) == number);
        let printed = summary.groups.get(group).copied().flatten();
        history.close(&format!("groups.{group}"), printed, expected);
    }
    history.exact("number of groups", &summary.groups.len(), &groups.len());
    history.exact("names of groups", &record.groups, groups);
    jain(history, record);
}

/// (sum x)^2 / (n sum x^2) over the measured bytes of the flows that had anything to send in the
/// measured time: those that delivered in it, and those that had something to deliver when it
/// ended.
fn jain(history: &History<'_>, record: &Record) {
    let measured = history.measured();
    let mut flows: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for m in &history.messages {
        let arrived = m.delivered.is_some_and(|at| at < measured.1);
        if !m.refused && m.born < measured.1 && !arrived {
            flows.entry((m.source, m.destination)).or_default();
        }
    }
    for packet in &history.raw.ejected {
        if is_in(packet.at, measured) {
            *flows.entry(packet.flow()).or_default() += u64::from(packet.bytes);
        }
    }
    let sum: f64 = flows.values().map(|&b| b as f64).sum();
    let squares: f64 = flows.values().map(|&b| (b as f64).powi(2)).sum();
    let jain = (sum > 0.0).then(|| sum.powi(2) / (flows.len() as f64 * squares));
    history.close("fairness_jain", record.summary.fairness_jain, jain);
}

fn series(history: &History<'_>, record: &Record) {
    let run = &history.config.run;
    let bins = run.duration.0.div_ceil(run.series_bin.0);
    let rows = record.series.len() as u64;
    history.exact("bins of the series", &rows, &bins);
    let groups = history.config.workload.groups.len();
    for (row, bin) in record.series.iter().zip(0..bins) {
        let start = Tick::ZERO + run.series_bin * bin;
        let span = (start, run.duration.min(start + run.series_bin));
        let name = |figure: &str| format!("series, bin {bin}, {figure}");
        let hot = &history.config.hot_destinations;
        let is_victim = |m: &Message| !m.is_reply() && !hot.contains(&m.destination);
        let if_any = |figure: Option<f64>| figure.filter(|_| !hot.is_empty());
        let victims = history.received(span, |p| !hot.contains(&p.destination));
        for (figure, printed, expected) in [
            ("t_ns", Some(row.t_ns), Some(history.at_ns(start))),
            (
                "delivered_bytes_per_ns",
                Some(row.delivered_bytes_per_ns),
                history.received(span, |_| true),
            ),
            ("victims", row.victims_bytes_per_ns, if_any(victims)),
            (
                "offered_bytes_per_ns",
                Some(row.offered_bytes_per_ns),
                history.offered(span, |_| true),
            ),
            (
                "victims_offered_bytes_per_ns",
                row.victims_offered_bytes_per_ns,
                if_any(history.offered(span, is_victim)),
            ),
        ] {
            history.close(&name(figure), printed, expected);
        }
        history.exact(&name("groups"), &row.groups.len(), &groups);
        for (number, printed) in row.groups.iter().enumerate() {
            let expected = history.received(span, |p| usize::from(p.group) == number);
            let name = name(&history.config.workload.groups[number]);
            history.close(&name, Some(*printed), expected);
        }
    }
}

fn flows(history: &History<'_>, record: &Record) {
    let measured = history.measured();
    let mut expected: BTreeMap<(u32, u32), [u64; 3]> = BTreeMap::new();
    for packet in history.raw.ejected.iter().filter(|packet| packet.at < measured.1) {
        let row = expected.entry(packet.flow()).or_default();
        let bytes = u64::from(packet.bytes);
        row[0] += 1;
        row[1] += bytes;
        row[2] += if is_in(packet.at, measured) { bytes } else { 0 };
    }
    let starved = super::windows::starved(history, measured);
    starved.iter().for_each(|&flow| {
        expected.entry(flow).or_default();
    });
    let expected: Vec<_> = expected
        .into_iter()
        .map(|((s, d), [n, all, measured])| (s, d, n, all, measured, starved.contains(&(s, d))))
        .collect();
    let printed: Vec<_> = record
        .flows
        .iter()
        .map(|f| {
            let ends = (f.source, f.destination);
            (ends.0, ends.1, f.packets, f.bytes, f.bytes_measured, f.starved)
        })
        .collect();
    history.exact("number of flows", &printed.len(), &expected.len());
    for (printed, expected) in printed.iter().zip(&expected) {
        let name = "flow (source, destination, packets, bytes, measured, starved)";
        history.exact(name, printed, expected);
    }
}

/// Packets on links: switch and port, tick in which the tail leaves, how long they hold the link.
fn hops<'a>(history: &'a History<'_>) -> impl Iterator<Item = ((u32, u8), Tick, Span)> + 'a {
    history.raw.events.iter().filter_map(|seen| match seen.event {
        Event::Hop { at, span } => Some(((seen.port.0, seen.port.1), at, span)),
        _ => None,
    })
}

/// Mean over the links of a name of the part of a span in which they carried data.
pub(super) fn link_use(history: &History<'_>, name: &str, span: Interval) -> Option<f64> {
    let (_, ports) = history.config.named_links.iter().find(|l| l.0 == name)?;
    if ports.is_empty() || span.1 <= span.0 {
        return None;
    }
    let ticks: Span = ports
        .iter()
        .map(|&(switch, port)| {
            let hops = hops(history).filter(|hop| hop.0 == (switch, port));
            // A tail that leaves in tick `at` has held the link in the ticks up to and with that
            // one.
            hops.map(|(_, at, held)| common((at.next() - held, at.next()), span)).sum::<Span>()
        })
        .sum();
    Some(ticks.0 as f64 / (ports.len() as f64 * (span.1 - span.0).0 as f64))
}

/// The time in both.
fn common(a: Interval, b: Interval) -> Span {
    a.1.min(b.1).since(a.0.max(b.0))
}
