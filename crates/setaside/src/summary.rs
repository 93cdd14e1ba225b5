//! What is printed of a finished run: the text of `setaside run`, and warnings.

use crate::about::{NAMES, Row};
use observe::{LatencyFigure, LatencySummary, Record, Steady, Summary};
use std::fmt::Write as _;
use study::{
    FIGURES, TextColumn, TextTable, Times, UNSTEADY, WIDTH, WindowRow, lines, window_rows,
};

pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |v| format!("{v:.digits$}"))
}

/// What restores the order of packets.
pub(crate) const IN_ORDER: &str = "endnode.reorder_buffer = true delivers in order";

/// The summary, then a table of windows and flows; no times, so that the text is repeatable.
pub(crate) fn text(record: &Record, times: Times, what: &[Row], all_columns: bool) -> String {
    let s = &record.summary;
    let mut text = String::new();
    let mut line = |name: &str, value: String| lines::add(&mut text, NAMES, name, &value);
    for (name, value) in what {
        line(name, value.clone());
    }
    let rate = |value| format!("{} bytes/ns", number(value, 3));
    line("delivered", rate(s.delivered_bytes_per_ns));
    line("offered", rate(s.offered_bytes_per_ns));
    if s.ideal_bytes_per_ns.is_some() {
        let of = rate(s.ideal_bytes_per_ns);
        let part = s.of_ideal().map(|part| lines::at_most(part, 1.0, 4));
        line("of ideal", format!("{} of {of}", part.unwrap_or("-".into())));
    }
    if s.relative_throughput.is_some() {
        line("relative throughput", number(s.relative_throughput, 4));
    }
    line("fairness (Jain)", number(s.fairness_jain, 4));
    if let Some(starved) = s.flows_starved {
        line("flows starved", format!("{starved} of {}", record.flows.len()));
    }
    if s.worst_flow_share.is_some() {
        line("worst flow, of its fair share", number(s.worst_flow_share, 4));
    }
    if let Some(steady) = s.steady {
        let is_steady = if steady.differs { "no" } else { "yes" };
        line("steady", format!("{is_steady}: halves {}", halves(&steady, "and")));
    }
    for (name, part) in &s.links {
        line(&format!("utilisation, {name}"), number(*part, 4));
    }
    let both = |a, b| format!("{a} / {b}");
    line("packets generated / delivered", both(s.packets_generated, s.packets_delivered));
    line("packets in flight / refused", both(s.packets_in_flight, s.packets_refused));
    if let Some(faults) = &s.faults {
        line("packets lost / stranded", both(s.packets_lost_to_faults, s.packets_stranded));
        let (mean, max) = (faults.reconverge_ns_mean, faults.reconverge_ns_max);
        let rest = format!("tables at rest after {mean:.1} ns, at most {max:.1}");
        let value = format!("{}; {rest}; {} control packets", faults.events, faults.messages);
        line("faults and recoveries", value);
    }
    let out_of_order = match &s.reordered_by {
        None => s.out_of_order.to_string(),
        Some(why) => format!("{} packets; possible: {why}", s.out_of_order),
    };
    line("out of order", out_of_order);
    if let Some(peak) = s.reorder_buffer_peak {
        let value = format!("{} packets, {} bytes", peak.packets, peak.bytes);
        line("reorder buffer, peak at a node", value);
    }
    if let Some(ecn) = &s.ecn {
        let (answers, delivered) = match ecn.cnps_delivered {
            Some(cnps) => ("CNPs", cnps),
            None => ("ACKs", ecn.acks_delivered),
        };
        let name = format!("{answers} delivered / packets marked");
        line(&name, both(delivered, ecn.packets_marked));
    }
    if let Some(pause) = &s.pause {
        let (paused, longest) = (pause.vcs_paused, number(pause.worst_share, 4));
        let value = format!("{paused} of {}; the longest for {longest} of the time", pause.vcs);
        line("VCs of links paused, of all", value);
        let spread = format!("{} / {} words", pause.pauses, pause.pauses_spread);
        line("pauses / that spread / links deep", format!("{spread} / {}", pause.depth));
        let at = format!("{} / {}", pause.xoff_bytes, pause.xon_bytes);
        line("PAUSE at / RESUME at / headroom", format!("{at} / {} bytes", pause.headroom_bytes));
    }
    line("latency, ns", latency(&s.latency_ns));
    line("network latency, ns", latency(&s.network_latency_ns));
    let waits = s.longest_wait_ns;
    let saq = waits.saq.map(|saq| format!(", SAQ {saq:.1}"));
    let value = format!("normal {:.1}{}", waits.normal, saq.unwrap_or_default());
    line("longest wait for a crossbar, ns", value);
    let (peak, r, m) = (s.saqs_peak, s.recn, &s.memory);
    let sides = format!("ingress {}, egress {}", peak.ingress, peak.egress);
    line("SAQs, peak at one port", format!("{sides}, injection {}", peak.injection));
    let freed = format!("{} ({} early)", r.frees, r.early_frees);
    let value = format!("{} / {} / {freed}", r.allocations, r.refusals);
    line("SAQs allocated / refused / freed", value);
    let parts = [
        ("data", m.port_data_bits),
        ("queues", m.port_queue_bits),
        ("CAM", m.port_cam_bits),
        ("SAQ registers", m.port_saq_bits),
        ("credits", m.port_credit_bits),
        ("marker", m.port_marker_bits),
    ];
    line("memory of a port, bits", parts.map(|(name, bits)| format!("{name} {bits}")).join(", "));
    line("packet-hops", s.packet_hops.to_string());
    line("events hash", s.events_hash.clone());
    text + &windows(s, times, all_columns)
}

/// Columns of windows that a narrow table does without, the first of them first.
const LEAST: [&str; 5] = ["network p99", "message p50", "undelivered", "worst dip", "starved"];

/// All figures of a latency, and the share that they only bound.
fn latency(l: &LatencySummary) -> String {
    let parts = FIGURES.map(|(name, figure)| format!("{name} {}", latency_of(l, figure, 1)));
    let undelivered = l.undelivered.filter(|share| *share > 0.0);
    let undelivered =
        undelivered.map_or(String::new(), |share| format!("; {:.1} % undelivered", share * 100.0));
    parts.join(", ") + &undelivered
}

/// A figure of a latency, `>= x` where it is a lower bound.
pub(crate) fn latency_of(l: &LatencySummary, figure: LatencyFigure, digits: usize) -> String {
    match study::figure(l, figure) {
        Some(v) if l.lower_bounds.contains(&figure) => format!(">= {v:.digits$}"),
        value => number(value, digits),
    }
}

pub(crate) fn starved(row: &WindowRow) -> String {
    row.flows_starved.map_or("-".into(), |n| n.to_string())
}

const COLUMNS: [TextColumn<WindowRow>; 12] = [
    ("window", None, |row| row.window.clone()),
    ("from", Some("ns"), |row| row.start_ns.to_string()),
    ("to", Some("ns"), |row| row.end_ns.to_string()),
    ("flows", None, |row| row.flows.title()),
    ("offered", Some("B/ns"), |row| number(row.result.offered_bytes_per_ns, 3)),
    ("delivered", Some("B/ns"), |row| number(row.result.delivered_bytes_per_ns, 3)),
    ("worst dip", Some("B/ns"), |row| number(row.worst_dip_bytes_per_ns, 3)),
    ("starved", Some("flows"), starved),
    ("message p50", Some("ns"), |row| latency_of(&row.result.latency_ns, LatencyFigure::P50, 1)),
    ("message p99", Some("ns"), |row| latency_of(&row.result.latency_ns, LatencyFigure::P99, 1)),
    ("undelivered", Some("%"), |row| {
        number(row.result.latency_ns.undelivered.map(|share| share * 100.0), 1)
    }),
    ("network p99", Some("ns"), |row| {
        latency_of(&row.result.network_latency_ns, LatencyFigure::P99, 1)
    }),
];

/// A line for each set of flows in each window, then why windows are empty or cut.
pub(crate) fn windows(summary: &Summary, times: Times, all_columns: bool) -> String {
    let rows = window_rows(summary, times);
    // an empty window has one line: it has no flows to distinguish
    let is_shown = |row: &&WindowRow| row.is_of_all() || row.end_ns > row.start_ns;
    let width = if all_columns { usize::MAX } else { WIDTH };
    let mut table = TextTable::of(&COLUMNS, rows.iter().filter(is_shown));
    let (table, left_out) = table.fitted(width, &LEAST);
    let mut text = format!("\n{table}");
    if !left_out.is_empty() {
        lines::add(&mut text, 0, "not shown:", &left_out.join(", "));
        let _ = writeln!(text, "all of them: --columns all, or windows.csv");
    }
    for row in rows.iter().filter(|row| row.is_of_all()) {
        if let Some(note) = &row.note {
            lines::add(&mut text, 0, &format!("window `{}`:", row.window), note);
        }
    }
    if summary.steady.is_some_and(|steady| steady.differs) {
        lines::add(&mut text, 0, "not steady:", UNSTEADY);
    }
    text
}

/// What a person should know before trusting the figures of a run.
pub(crate) fn warnings(record: &Record) -> Vec<String> {
    let mut warnings = Vec::new();
    let starved = record.summary.flows_starved.unwrap_or(0);
    if starved > 0 {
        // of these the one with the fewest packets since the start of the run; the first such
        let worst = record.flows.iter().filter(|flow| flow.starved);
        let worst = worst.min_by_key(|flow| (flow.packets, flow.source, flow.destination));
        let worst = worst.map_or(String::new(), |flow| {
            format!("; the worst: {} -> {}", flow.source, flow.destination)
        });
        warnings.push(format!(
            "{starved} of {} flows starved: standing demand, nothing delivered in the measured time{worst}; see flows.csv",
            record.flows.len()
        ));
    }
    if let (late @ 1.., Some(why)) = (record.summary.out_of_order, &record.summary.reordered_by) {
        warnings.push(format!("{late} packets out of order: {why}; {IN_ORDER}"));
    }
    if let Some(steady) = record.summary.steady.filter(|steady| steady.differs) {
        warnings.push(format!("not steady: {UNSTEADY} ({})", halves(&steady, "then")));
    }
    warnings
}

/// What was delivered in both halves of the measured time.
fn halves(steady: &Steady, word: &str) -> String {
    let (first, second) = (steady.first_half_bytes_per_ns, steady.second_half_bytes_per_ns);
    format!("{first:.3} {word} {second:.3} bytes/ns, noise {:.3}", steady.noise_bytes_per_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::{FlowRow, FlowSetResult, WindowResult};
    use std::collections::BTreeMap;

    fn flow(source: u32, destination: u32, packets: u64, starved: bool) -> FlowRow {
        FlowRow { source, destination, packets, starved, ..FlowRow::default() }
    }

    #[test]
    fn text_shows_bounds_windows_groups_and_victims_and_what_is_wrong_is_warned_of() {
        let times = Times { warmup_ns: 100.0, duration_ns: 400.0, ..Times::default() };
        let bound = LatencySummary {
            p50: Some(40.0),
            p99: Some(464_000.0),
            undelivered: Some(0.249),
            lower_bounds: vec![LatencyFigure::P99],
            ..LatencySummary::default()
        };
        let rate = |delivered| FlowSetResult {
            delivered_bytes_per_ns: Some(delivered),
            latency_ns: bound.clone(),
            ..FlowSetResult::default()
        };
        let empty = WindowResult {
            start_ns: 400.0,
            end_ns: 400.0,
            note: Some("the run ends at 400 ns".into()),
            ..WindowResult::default()
        };
        assert_eq!(warnings(&Record::default()), [""; 0]);
        let record = Record {
            flows: vec![flow(0, 1, 9, false), flow(0, 2, 21, true), flow(1, 2, 0, true)],
            summary: Summary {
                delivered_bytes_per_ns: Some(9.0),
                ideal_bytes_per_ns: Some(12.0),
                flows_starved: Some(2),
                steady: Some(Steady {
                    first_half_bytes_per_ns: 0.78,
                    second_half_bytes_per_ns: 0.725,
                    noise_bytes_per_ns: 0.02,
                    differs: true,
                }),
                latency_ns: bound.clone(),
                victims: Some(rate(5.0)),
                group_results: BTreeMap::from([("hot".to_string(), rate(4.0))]),
                windows: BTreeMap::from([("during".to_string(), empty)]),
                ..Summary::default()
            },
            ..Record::default()
        };
        let expected = [
            "2 of 3 flows starved: standing demand, nothing delivered in the measured time; the worst: 1 -> 2; see flows.csv".to_string(),
            format!("not steady: {UNSTEADY} (0.780 then 0.725 bytes/ns, noise 0.020)"),
        ];
        assert_eq!(warnings(&record), expected);
        let what = [("scheme".into(), "recn".into())];
        let narrow = windows(&record.summary, times, false);
        assert!(narrow.lines().take_while(|l| !l.starts_with("window `")).all(|l| l.len() <= 80));
        assert!(narrow.contains("not shown: ") && narrow.contains("--columns all"), "{narrow}");
        let text = text(&record, times, &what, true);
        // Long values continue on the next line.
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
            match lines.last_mut().filter(|_| line.starts_with(' ')) {
                Some(before) => *before += &format!(" {words}"),
                None => lines.push(words),
            }
        }
        for expected in [
            "scheme recn",
            "of ideal 0.7500 of 12.000 bytes/ns",
            "flows starved 2 of 3",
            "steady no: halves 0.780 and 0.725 bytes/ns, noise 0.020",
            "latency, ns mean -, p50 40.0, p99 >= 464000.0, p999 -, max -; 24.9 % undelivered",
            "measured 100 400 all - 9.000 - 2 40.0 >= 464000.0 24.9 -",
            "measured 100 400 victims - 5.000 - - 40.0 >= 464000.0 24.9 -",
            "measured 100 400 group hot - 4.000 - - 40.0 >= 464000.0 24.9 -",
            "during 400 400 all - - - - - - - -",
            "window `during`: the run ends at 400 ns",
            &format!("not steady: {UNSTEADY}"),
        ] {
            assert!(lines.iter().any(|line| line == expected), "{expected}\n{text}");
        }
        assert!(!text.contains("CPU"), "times spent go to stderr");
    }
}
