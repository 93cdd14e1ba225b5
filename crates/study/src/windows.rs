//! `windows.csv`: what every set of flows did in every window, a tidy line each.

use crate::columns::{bound_name, figure};
use crate::disk::csv_of;
use crate::manifest::Times;
use crate::target::FlowSet;
use observe::{FlowSetResult, LatencyFigure, Summary, WindowResult};

/// The measured time, as a window of `windows.csv`.
pub const MEASURED: &str = "measured";
/// Windows of a congestion tree, in the order of time.
const TREE: [&str; 3] = ["before", "during", "after"];

/// One line of `windows.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowRow {
    /// Name of the window.
    pub window: String,
    /// Its start.
    pub start_ns: f64,
    /// Its end; that of an empty window is its start.
    pub end_ns: f64,
    /// Why the window is empty or was cut short.
    pub note: Option<String>,
    /// Which flows.
    pub flows: FlowSet,
    /// What they did.
    pub result: FlowSetResult,
    /// The lowest mean over a part of the window; `None` where it is not counted for these flows.
    pub worst_dip_bytes_per_ns: Option<f64>,
    /// Of all flows alone.
    pub flows_starved: Option<u64>,
}

impl WindowRow {
    /// The line of all flows, of which a window has one.
    pub fn is_of_all(&self) -> bool {
        self.flows == FlowSet::All
    }
}

/// The lines of a run: the measured time, then the windows in order of time.
pub fn window_rows(summary: &Summary, times: Times) -> Vec<WindowRow> {
    let times = times.of_run(summary);
    let measured = WindowResult {
        start_ns: times.warmup_ns,
        end_ns: times.duration_ns,
        all: FlowSetResult {
            offered_bytes_per_ns: summary.offered_bytes_per_ns,
            delivered_bytes_per_ns: summary.delivered_bytes_per_ns,
            ideal_bytes_per_ns: summary.ideal_bytes_per_ns,
            latency_ns: summary.latency_ns.clone(),
            network_latency_ns: summary.network_latency_ns.clone(),
            ..FlowSetResult::default()
        },
        victims: summary.victims.clone(),
        groups: summary.group_results.clone(),
        flows_starved: summary.flows_starved,
        ..WindowResult::default()
    };
    let mut windows: Vec<_> = summary.windows.iter().map(|(name, w)| (name.as_str(), w)).collect();
    // empty windows of a tree in the order that they would have; others by name
    let by_name = |name: &str| (TREE.iter().position(|tree| *tree == name), name.to_string());
    windows.sort_by(|(a, x), (b, y)| {
        let times = x.start_ns.total_cmp(&y.start_ns).then(x.end_ns.total_cmp(&y.end_ns));
        times.then_with(|| by_name(a).cmp(&by_name(b)))
    });
    windows.insert(0, (MEASURED, &measured));
    windows.into_iter().flat_map(|(name, window)| rows_of(name, window)).collect()
}

/// The lines of a window: all flows, victims, each group.
fn rows_of(name: &str, window: &WindowResult) -> Vec<WindowRow> {
    let row = |flows: FlowSet, result: &FlowSetResult| WindowRow {
        window: name.to_string(),
        start_ns: window.start_ns,
        end_ns: window.end_ns,
        note: window.note.clone(),
        worst_dip_bytes_per_ns: match flows {
            FlowSet::All => window.worst_dip_bytes_per_ns,
            FlowSet::Victims => window.victims_worst_dip_bytes_per_ns,
            FlowSet::Group(_) => None,
        },
        flows_starved: window.flows_starved.filter(|_| flows == FlowSet::All),
        flows,
        result: result.clone(),
    };
    let mut rows = vec![row(FlowSet::All, &window.all)];
    rows.extend(window.victims.iter().map(|result| row(FlowSet::Victims, result)));
    let groups = window.groups.iter();
    rows.extend(groups.map(|(name, result)| row(FlowSet::Group(name.clone()), result)));
    rows
}

/// Figures of a latency by their names, in the order of their columns.
pub const FIGURES: [(&str, LatencyFigure); 5] = [
    ("mean", LatencyFigure::Mean),
    ("p50", LatencyFigure::P50),
    ("p99", LatencyFigure::P99),
    ("p999", LatencyFigure::P999),
    ("max", LatencyFigure::Max),
];

type Field = fn(&WindowRow) -> String;

/// Columns before those of latencies.
const COLUMNS: [(&str, Field); 10] = [
    ("window", |row| row.window.clone()),
    ("start_ns", |row| row.start_ns.to_string()),
    ("end_ns", |row| row.end_ns.to_string()),
    ("flows", |row| row.flows.fields()[0].into()),
    ("group", |row| row.flows.fields()[1].into()),
    ("offered_bytes_per_ns", |row| number(row.result.offered_bytes_per_ns)),
    ("delivered_bytes_per_ns", |row| number(row.result.delivered_bytes_per_ns)),
    ("worst_dip_bytes_per_ns", |row| number(row.worst_dip_bytes_per_ns)),
    ("ideal_bytes_per_ns", |row| number(row.result.ideal_bytes_per_ns)),
    ("flows_starved", |row| row.flows_starved.map_or(String::new(), |n| n.to_string())),
];

pub(crate) fn header() -> Vec<String> {
    let mut header = COLUMNS.map(|(name, _)| name.to_string()).to_vec();
    for latency in ["latency", "network_latency"] {
        let names = FIGURES.map(|(figure, _)| format!("{latency}_{figure}_ns"));
        let bounds = names.each_ref().map(|name| bound_name(name));
        header.extend(names);
        header.extend(bounds);
        header.push(format!("{latency}_undelivered"));
    }
    header.push("note".into());
    header
}

/// The fields of a line; empty where there is no value.
pub(crate) fn fields(row: &WindowRow) -> Vec<String> {
    let mut fields = COLUMNS.map(|(_, field)| field(row)).to_vec();
    for latency in [&row.result.latency_ns, &row.result.network_latency_ns] {
        let values = FIGURES.map(|(_, kind)| (kind, figure(latency, kind)));
        fields.extend(values.map(|(_, value)| number(value)));
        let is_bound = |kind| latency.lower_bounds.contains(kind).to_string();
        fields.extend(values.iter().map(|(kind, v)| v.map_or(String::new(), |_| is_bound(kind))));
        fields.push(number(latency.undelivered));
    }
    fields.push(row.note.clone().unwrap_or_default());
    fields
}

fn number(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map_or(String::new(), |v| v.to_string())
}

pub(crate) fn windows_csv(summary: &Summary, times: Times) -> csv::Result<Vec<u8>> {
    csv_of(&header(), window_rows(summary, times).iter().map(fields))
}
