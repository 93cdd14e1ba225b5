//! What a finished run says to people: the text of `setaside run`, and warnings.

use crate::about::{self, NAMES, Row};
use observe::{FlowRow, LatencyFigure, LatencySummary, Record, Summary};
use scenario::Scenario;
use std::fmt::Write as _;
use study::{TextTable, Times, UNSTEADY, WIDTH, WindowRow, lines, window_rows};

pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |v| format!("{v:.digits$}"))
}

/// What restores the order of packets.
pub(crate) const IN_ORDER: &str = "endnode.reorder_buffer = true delivers in order";

/// The summary, then a table of windows and sets of flows. Times spent are not in it: the same
/// scenario gives the same text.
pub(crate) fn text(record: &Record, times: Times, about: &About) -> String {
    let s = &record.summary;
    let mut text = String::new();
    let mut line = |name: &str, value: String| lines::add(&mut text, NAMES, name, &value);
    for (name, value) in &about.what {
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
        line(
            "steady",
            format!(
                "{}: halves {} and {} bytes/ns, noise {}",
                if steady.differs { "no" } else { "yes" },
                number(Some(steady.first_half_bytes_per_ns), 3),
                number(Some(steady.second_half_bytes_per_ns), 3),
                number(Some(steady.noise_bytes_per_ns), 3),
            ),
        );
    }
    for (name, part) in &s.links {
        line(&format!("utilisation, {name}"), number(*part, 4));
    }
    line(
        "packets generated / delivered",
        format!("{} / {}", s.packets_generated, s.packets_delivered),
    );
    line("packets in flight / refused", format!("{} / {}", s.packets_in_flight, s.packets_refused));
    if let Some(faults) = &s.faults {
        line(
            "packets lost / stranded",
            format!("{} / {}", s.packets_lost_to_faults, s.packets_stranded),
        );
        line(
            "faults and recoveries",
            format!(
                "{}; tables at rest after {:.1} ns, at most {:.1}; {} control packets",
                faults.events, faults.reconverge_ns_mean, faults.reconverge_ns_max, faults.messages
            ),
        );
    }
    line("out of order", out_of_order(s));
    if let Some(peak) = s.reorder_buffer_peak {
        line(
            "reorder buffer, peak at a node",
            format!("{} packets, {} bytes", peak.packets, peak.bytes),
        );
    }
    if let Some(ecn) = &s.ecn {
        let (answers, delivered) = match ecn.cnps_delivered {
            Some(cnps) => ("CNPs", cnps),
            None => ("ACKs", ecn.acks_delivered),
        };
        line(
            &format!("{answers} delivered / packets marked"),
            format!("{delivered} / {}", ecn.packets_marked),
        );
    }
    if let Some(pause) = &s.pause {
        line(
            "VCs of links paused, of all",
            format!(
                "{} of {}; the longest for {} of the time",
                pause.vcs_paused,
                pause.vcs,
                number(pause.worst_share, 4)
            ),
        );
        line(
            "pauses / that spread / links deep",
            format!("{} / {} words / {}", pause.pauses, pause.pauses_spread, pause.depth),
        );
        line(
            "PAUSE at / RESUME at / headroom",
            format!("{} / {} / {} bytes", pause.xoff_bytes, pause.xon_bytes, pause.headroom_bytes),
        );
    }
    line("latency, ns", latency(&s.latency_ns));
    line("network latency, ns", latency(&s.network_latency_ns));
    let waits = s.longest_wait_ns;
    let saq = waits.saq.map(|saq| format!(", SAQ {saq:.1}"));
    line(
        "longest wait for a crossbar, ns",
        format!("normal {:.1}{}", waits.normal, saq.unwrap_or_default()),
    );
    let peak = s.saqs_peak;
    line(
        "SAQs, peak at one port",
        format!("ingress {}, egress {}, injection {}", peak.ingress, peak.egress, peak.injection),
    );
    let r = s.recn;
    line(
        "SAQs allocated / refused / freed",
        format!("{} / {} / {} ({} early)", r.allocations, r.refusals, r.frees, r.early_frees),
    );
    line(
        "memory of a port, bits",
        format!(
            "data {}, queues {}, CAM {}, SAQ registers {}, credits {}, marker {}",
            s.memory.port_data_bits,
            s.memory.port_queue_bits,
            s.memory.port_cam_bits,
            s.memory.port_saq_bits,
            s.memory.port_credit_bits,
            s.memory.port_marker_bits
        ),
    );
    line("packet-hops", s.packet_hops.to_string());
    line("events hash", s.events_hash.clone());
    text + &windows(s, times, about.all_columns)
}

/// How many packets were, and why any may be.
fn out_of_order(s: &Summary) -> String {
    match &s.reordered_by {
        None => s.out_of_order.to_string(),
        Some(why) => format!("{} packets; possible: {why}", s.out_of_order),
    }
}

/// What a run was, and how much is shown of it.
#[derive(Debug, Default)]
pub(crate) struct About {
    /// Scenario, topology, scheme, speedup, load.
    pub(crate) what: Vec<Row>,
    /// All columns, however wide the table is.
    pub(crate) all_columns: bool,
}

impl About {
    pub(crate) fn of(scenario: &Scenario, all_columns: bool) -> About {
        About { what: about::run(scenario), all_columns }
    }
}

/// Columns of windows that a narrow table does without, the first of them first.
const LEAST: [&str; 5] = ["network p99", "message p50", "undelivered", "worst dip", "starved"];

/// All figures of a latency, and the share that they only bound.
fn latency(l: &LatencySummary) -> String {
    let parts = [
        ("mean", l.mean, LatencyFigure::Mean),
        ("p50", l.p50, LatencyFigure::P50),
        ("p99", l.p99, LatencyFigure::P99),
        ("p999", l.p999, LatencyFigure::P999),
        ("max", l.max, LatencyFigure::Max),
    ];
    let parts =
        parts.map(|(name, value, figure)| format!("{name} {}", at_least(l, value, figure, 1)));
    let undelivered = l.undelivered.filter(|share| *share > 0.0);
    let undelivered =
        undelivered.map_or(String::new(), |share| format!("; {:.1} % undelivered", share * 100.0));
    parts.join(", ") + &undelivered
}

/// `>= x` where the figure is a lower bound.
pub(crate) fn at_least(
    l: &LatencySummary,
    value: Option<f64>,
    figure: LatencyFigure,
    digits: usize,
) -> String {
    match value {
        Some(v) if l.lower_bounds.contains(&figure) => format!(">= {v:.digits$}"),
        value => number(value, digits),
    }
}

/// A line for each set of flows in the measured time and in each window, then why windows are empty
/// or cut.
pub(crate) fn windows(summary: &Summary, times: Times, all_columns: bool) -> String {
    let rows = window_rows(summary, times);
    let mut table = TextTable::new();
    table.names("window");
    table.numbers("from", "ns");
    table.numbers("to", "ns");
    table.names("flows");
    for name in ["offered", "delivered", "worst dip"] {
        table.numbers(name, "B/ns");
    }
    table.numbers("starved", "flows");
    for name in ["message p50", "message p99"] {
        table.numbers(name, "ns");
    }
    table.numbers("undelivered", "%");
    table.numbers("network p99", "ns");
    // an empty window has one line: there are no flows to tell apart
    let is_shown = |row: &&WindowRow| row.is_of_all() || row.end_ns > row.start_ns;
    for row in rows.iter().filter(is_shown) {
        table.row(cells(row));
    }
    let width = if all_columns { usize::MAX } else { WIDTH };
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

fn cells(row: &WindowRow) -> Vec<String> {
    let result = &row.result;
    let (latency, network) = (&result.latency_ns, &result.network_latency_ns);
    vec![
        row.window.clone(),
        row.start_ns.to_string(),
        row.end_ns.to_string(),
        row.flows.title(),
        number(result.offered_bytes_per_ns, 3),
        number(result.delivered_bytes_per_ns, 3),
        number(row.worst_dip_bytes_per_ns, 3),
        row.flows_starved.map_or("-".into(), |n| n.to_string()),
        at_least(latency, latency.p50, LatencyFigure::P50, 1),
        at_least(latency, latency.p99, LatencyFigure::P99, 1),
        number(latency.undelivered.map(|share| share * 100.0), 1),
        at_least(network, network.p99, LatencyFigure::P99, 1),
    ]
}

/// What a person should know before trusting the figures of a run.
pub(crate) fn warnings(record: &Record) -> Vec<String> {
    let mut warnings = Vec::new();
    let starved = record.summary.flows_starved.unwrap_or(0);
    if starved > 0 {
        let worst = worst_starved(&record.flows).map_or(String::new(), |flow| {
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
        warnings.push(format!(
            "not steady: {UNSTEADY} ({:.3} then {:.3} bytes/ns, noise {:.3})",
            steady.first_half_bytes_per_ns,
            steady.second_half_bytes_per_ns,
            steady.noise_bytes_per_ns
        ));
    }
    warnings
}

/// Of the starved flows the one with the fewest packets since the start of the run; the first such.
fn worst_starved(flows: &[FlowRow]) -> Option<&FlowRow> {
    let starved = flows.iter().filter(|flow| flow.starved);
    starved.min_by_key(|flow| (flow.packets, flow.source, flow.destination))
}

#[cfg(test)]
mod tests {
    use super::*;
    use observe::{FlowSetResult, Steady, WindowResult};
    use std::collections::BTreeMap;

    fn flow(source: u32, destination: u32, packets: u64, starved: bool) -> FlowRow {
        FlowRow { source, destination, packets, starved, ..FlowRow::default() }
    }

    fn unsteady() -> Option<Steady> {
        Some(Steady {
            first_half_bytes_per_ns: 0.78,
            second_half_bytes_per_ns: 0.725,
            noise_bytes_per_ns: 0.02,
            differs: true,
        })
    }

    #[test]
    fn starved_flows_and_an_unsteady_state_are_warned_of() {
        let mut record = Record {
            flows: vec![flow(0, 1, 9, false), flow(0, 2, 21, true), flow(1, 2, 0, true)],
            ..Record::default()
        };
        assert_eq!(warnings(&record), [""; 0]);
        record.summary.flows_starved = Some(2);
        record.summary.steady = unsteady();
        let expected = [
            "2 of 3 flows starved: standing demand, nothing delivered in the measured time; the worst: 1 -> 2; see flows.csv".to_string(),
            format!("not steady: {UNSTEADY} (0.780 then 0.725 bytes/ns, noise 0.020)"),
        ];
        assert_eq!(warnings(&record), expected);
    }

    #[test]
    fn text_shows_bounds_windows_groups_and_victims() {
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
        let record = Record {
            summary: Summary {
                delivered_bytes_per_ns: Some(9.0),
                ideal_bytes_per_ns: Some(12.0),
                flows_starved: Some(0),
                steady: unsteady(),
                latency_ns: bound.clone(),
                victims: Some(rate(5.0)),
                group_results: BTreeMap::from([("hot".to_string(), rate(4.0))]),
                windows: BTreeMap::from([("during".to_string(), empty)]),
                ..Summary::default()
            },
            ..Record::default()
        };
        let about = About { what: vec![("scheme".into(), "recn".into())], all_columns: true };
        let narrow = windows(&record.summary, times, false);
        assert!(narrow.lines().take_while(|l| !l.starts_with("window `")).all(|l| l.len() <= 80));
        assert!(narrow.contains("not shown: ") && narrow.contains("--columns all"), "{narrow}");
        let text = text(&record, times, &about);
        // Long values go on below themselves.
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
            "flows starved 0 of 0",
            "steady no: halves 0.780 and 0.725 bytes/ns, noise 0.020",
            "latency, ns mean -, p50 40.0, p99 >= 464000.0, p999 -, max -; 24.9 % undelivered",
            "measured 100 400 all - 9.000 - 0 40.0 >= 464000.0 24.9 -",
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
