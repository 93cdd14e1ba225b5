//! What a run printed by default: at most 25 lines of 80 columns. The rest is `--table` and `-v`.

use crate::summary::{latency_of, number, starved};
use crate::{about, until};
use observe::{LatencyFigure, Record};
use scenario::Scenario;
use std::fmt::Write as _;
use study::{FlowSet, TextColumn, TextTable, Times, WIDTH, WindowRow, lines, window_rows};

/// More lines of windows than these are counted.
const WINDOWS_MAX: usize = 10;
/// More groups of sources than these are counted.
const LOADS_MAX: usize = 3;
/// Columns that a narrow table does without, the first of them first.
const LEAST: [&str; 3] = ["offered", "p50", "starved"];

/// What is simulated, windows, SAQs and memory; without times, so that the text is repeatable.
pub(crate) fn text(record: &Record, times: Times, scenario: &Scenario) -> String {
    let mut text = lines::sentence(&about::subject(scenario));
    let loads = about::loads(scenario);
    for (who, load) in loads.iter().take(LOADS_MAX) {
        text += &lines::sentence(&format!("{who}: {load}"));
    }
    let more = loads.len().saturating_sub(LOADS_MAX);
    if more > 0 {
        let _ = writeln!(text, "{more} more groups: -v");
    }
    text += &windows(record, times);
    text += &record.summary.until.as_ref().map_or(String::new(), until::text);
    let (s, peak) = (&record.summary, record.summary.saqs_peak);
    if peak.ingress + peak.egress > 0 || s.recn.refusals > 0 {
        text += &lines::sentence(&format!(
            "SAQs: at most {} at an input and {} at an output; {} refused",
            peak.ingress, peak.egress, s.recn.refusals
        ));
    }
    text += &lines::sentence(&format!(
        "a port: {} bits of data, {} of control",
        s.memory.port_data_bits,
        s.memory.port_control_bits()
    ));
    text += &lines::sentence(&format!(
        "packets: {} generated, {} delivered, {} in flight at the end, {} refused",
        s.packets_generated, s.packets_delivered, s.packets_in_flight, s.packets_refused
    ));
    if let Some(faults) = &s.faults {
        text += &lines::sentence(&format!(
            "faults and recoveries: {}; {} packets lost, {} stranded",
            faults.events, s.packets_lost_to_faults, s.packets_stranded
        ));
    }
    text + &format!("events hash {}; groups: --table; all else: -v\n", s.events_hash)
}

/// All flows and victims in the measured time and in each window, then why one is empty or cut.
fn windows(record: &Record, times: Times) -> String {
    let rows = window_rows(&record.summary, times);
    let is_shown = |row: &&WindowRow| match row.flows {
        FlowSet::All => true,
        // an empty window has one line: it has no flows to distinguish
        FlowSet::Victims => {
            row.end_ns > row.start_ns && row.result.delivered_bytes_per_ns > Some(0.0)
        }
        FlowSet::Group(_) => false,
    };
    let shown: Vec<&WindowRow> = rows.iter().filter(is_shown).collect();
    let mut table = TextTable::of(&COLUMNS, shown.iter().copied().take(WINDOWS_MAX));
    let mut text = table.fitted(WIDTH, &LEAST).0;
    let more = shown.len().saturating_sub(WINDOWS_MAX);
    if more > 0 {
        let _ = writeln!(text, "{more} more lines: --table");
    }
    let notes = rows.iter().filter(|row| row.is_of_all());
    for (window, note) in notes.filter_map(|row| Some((&row.window, row.note.as_ref()?))) {
        text += &lines::sentence(&format!("window `{window}`: {note}"));
    }
    text
}

/// What the first line of a window has alone.
fn once(row: &WindowRow, text: impl ToString) -> String {
    if row.flows == FlowSet::All { text.to_string() } else { String::new() }
}

const COLUMNS: [TextColumn<WindowRow>; 10] = [
    ("window", None, |row| once(row, &row.window)),
    ("from", Some("us"), |row| once(row, row.start_ns / 1000.0)),
    ("to", Some("us"), |row| once(row, row.end_ns / 1000.0)),
    ("flows", None, |row| row.flows.title()),
    ("offered", Some("B/ns"), |row| number(row.result.offered_bytes_per_ns, 2)),
    ("delivered", Some("B/ns"), |row| number(row.result.delivered_bytes_per_ns, 2)),
    ("of ideal", Some("%"), |row| {
        let part = row.result.of_ideal();
        part.map_or("-".into(), |part| lines::at_most(part * 100.0, 100.0, 1))
    }),
    ("starved", Some("flows"), starved),
    ("p50", Some("ns"), |row| latency_of(&row.result.latency_ns, LatencyFigure::P50, 0)),
    ("p99", Some("ns"), |row| latency_of(&row.result.latency_ns, LatencyFigure::P99, 0)),
];
