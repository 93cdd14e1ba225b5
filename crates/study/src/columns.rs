//! The measured columns of a table. A further one is one line in [`COLUMNS`].

use observe::LatencyFigure::{self, Max, Mean, P50, P99, P999};
use observe::{FlowSetResult, LatencySummary, Summary, UntilResult, WindowResult};
use serde::Serialize;

/// A value of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// In the unit of the column.
    pub value: f64,
    /// It is a lower bound: some messages had not arrived and count with their age.
    pub at_least: bool,
}

/// One measured column.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Column {
    /// Name in files, unit last.
    pub name: &'static str,
    /// Heading for people.
    pub title: &'static str,
    /// Unit for people; empty for a ratio.
    pub unit: &'static str,
    /// Digits after the point when shown to people; files have all digits.
    pub decimals: usize,
    /// In the short table: on a terminal, and first on the page. Files have all columns.
    pub brief: bool,
    /// Where values may be lower bounds: the column with the share of what had not arrived.
    pub undelivered: Option<&'static str>,
    /// The source of its value.
    #[serde(skip)]
    pub value: Value,
}

impl Column {
    /// Name of the CSV column that marks lower bounds.
    pub fn bound_name(&self) -> Option<String> {
        self.undelivered.map(|_| bound_name(self.name))
    }

    /// The value; `None` where the run does not define one.
    pub(crate) fn measured(&self, summary: &Summary) -> Option<Measured> {
        let (value, at_least) = match self.value {
            Value::Plain(value) => (value(summary)?, false),
            Value::Latency(kind, latency) => {
                let latency = latency(summary)?;
                (figure(latency, kind)?, latency.lower_bounds.contains(&kind))
            }
        };
        value.is_finite().then_some(Measured { value, at_least })
    }
}

/// `latency_p99_ns` gives `latency_p99_is_lower_bound`.
pub(crate) fn bound_name(column: &str) -> String {
    let stem = column.strip_suffix("_ns").unwrap_or(column);
    format!("{stem}_is_lower_bound")
}

/// The source of the value of a column.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// A number.
    Plain(fn(&Summary) -> Option<f64>),
    /// A figure of a latency, which may be a lower bound.
    Latency(LatencyFigure, fn(&Summary) -> Option<&LatencySummary>),
}

const fn plain(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    decimals: usize,
    brief: bool,
    value: fn(&Summary) -> Option<f64>,
) -> Column {
    Column { name, title, unit, decimals, brief, undelivered: None, value: Value::Plain(value) }
}

const fn latency(
    name: &'static str,
    title: &'static str,
    figure: LatencyFigure,
    undelivered: &'static str,
    brief: bool,
    of: fn(&Summary) -> Option<&LatencySummary>,
) -> Column {
    let (undelivered, value) = (Some(undelivered), Value::Latency(figure, of));
    Column { name, title, unit: "ns", decimals: 0, brief, undelivered, value }
}

const BRIEF: bool = true;
const FILES: bool = false;

/// Measured columns, in order, as the fields of [`Summary`] define them; bits are beside data
/// memory. Other windows than `before`, `during` and `after` (scenarios.md) are in `windows.csv`.
#[rustfmt::skip]
pub const COLUMNS: &[Column] = &[
    plain("delivered_bytes_per_ns", "delivered", "B/ns", 2, BRIEF, |s| s.delivered_bytes_per_ns),
    plain("offered_bytes_per_ns", "offered", "B/ns", 2, FILES, |s| s.offered_bytes_per_ns),
    plain("of_ideal", "of ideal", "", 3, BRIEF, Summary::of_ideal),
    plain("relative_throughput", "of topology max", "", 3, FILES, |s| s.relative_throughput),
    plain("before_bytes_per_ns", "before", "B/ns", 2, BRIEF, |s| all(s, "before")),
    plain("during_bytes_per_ns", "during", "B/ns", 2, BRIEF, |s| all(s, "during")),
    plain("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, BRIEF, |s| during(s)?.worst_dip_bytes_per_ns),
    plain("after_bytes_per_ns", "after", "B/ns", 2, BRIEF, |s| all(s, "after")),
    plain("victims_delivered_bytes_per_ns", "victims", "B/ns", 2, FILES, |s| s.victims.as_ref()?.delivered_bytes_per_ns),
    plain("victims_before_bytes_per_ns", "victims before", "B/ns", 2, FILES, |s| victims(s, "before")),
    plain("victims_during_bytes_per_ns", "victims during", "B/ns", 2, BRIEF, |s| victims(s, "during")),
    plain("victims_during_of_ideal", "victims of ideal", "", 3, BRIEF, |s| during(s)?.victims.as_ref()?.of_ideal()),
    plain("victims_worst_dip_bytes_per_ns", "victims worst dip", "B/ns", 2, BRIEF, |s| during(s)?.victims_worst_dip_bytes_per_ns),
    plain("victims_after_bytes_per_ns", "victims after", "B/ns", 2, FILES, |s| victims(s, "after")),
    plain("hot_during_bytes_per_ns", "hot during", "B/ns", 2, BRIEF, hot_during),
    plain("flows_starved", "starved", "flows", 0, BRIEF, |s| s.flows_starved.map(|n| n as f64)),
    plain("out_of_order", "out of order", "packets", 0, BRIEF, out_of_order),
    plain("worst_flow_share", "worst share", "of its fair one", 3, FILES, |s| s.worst_flow_share),
    plain("fairness_jain", "Jain", "", 3, FILES, |s| s.fairness_jain),
    plain("first_half_bytes_per_ns", "first half", "B/ns", 3, FILES, |s| Some(s.steady?.first_half_bytes_per_ns)),
    plain("second_half_bytes_per_ns", "second half", "B/ns", 3, FILES, |s| Some(s.steady?.second_half_bytes_per_ns)),
    plain("halves_noise_bytes_per_ns", "noise of halves", "B/ns", 3, FILES, |s| Some(s.steady?.noise_bytes_per_ns)),
    plain("halves_differ", "halves differ", "1: yes", 2, FILES, |s| Some(flag(s.steady?.differs))),
    plain("saturated", "saturated", "1: yes", 2, FILES, |s| until(s, UntilResult::Saturated)),
    plain("not_converged", "not converged", "1: yes", 2, FILES, |s| until(s, UntilResult::NotConverged)),
    plain("half_width", "half width", "of the mean", 4, FILES, |s| s.until.as_ref()?.half_width),
    plain("saqs_peak_ingress", "SAQs in", "peak", 0, BRIEF, |s| Some(s.saqs_peak.ingress.into())),
    plain("saqs_peak_egress", "SAQs out", "peak", 0, BRIEF, |s| Some(s.saqs_peak.egress.into())),
    plain("saqs_peak_injection", "SAQs inject", "peak", 0, FILES, |s| Some(s.saqs_peak.injection.into())),
    plain("saq_refusals", "refused", "SAQs", 0, BRIEF, |s| Some(s.recn.refusals as f64)),
    latency("latency_p99_ns", "message p99", P99, "latency_undelivered", BRIEF, |s| Some(&s.latency_ns)),
    latency("latency_mean_ns", "message mean", Mean, "latency_undelivered", FILES, |s| Some(&s.latency_ns)),
    latency("latency_p999_ns", "message p99.9", P999, "latency_undelivered", FILES, |s| Some(&s.latency_ns)),
    plain("latency_undelivered", "undelivered", "share", 3, FILES, |s| s.latency_ns.undelivered),
    latency("victims_latency_p99_ns", "victims p99", P99, "victims_latency_undelivered", BRIEF, |s| Some(&s.victims.as_ref()?.latency_ns)),
    plain("victims_latency_undelivered", "victims undelivered", "share", 3, FILES, |s| s.victims.as_ref()?.latency_ns.undelivered),
    latency("network_latency_p99_ns", "network p99", P99, "network_latency_undelivered", FILES, |s| Some(&s.network_latency_ns)),
    plain("network_latency_undelivered", "network undelivered", "share", 3, FILES, |s| s.network_latency_ns.undelivered),
    plain("port_control_bits", "control / port", "bit", 0, BRIEF, |s| Some(s.memory.port_control_bits() as f64)),
    plain("port_cam_bits", "CAM / port", "bit", 0, FILES, |s| Some(s.memory.port_cam_bits as f64)),
    plain("port_saq_bits", "SAQ state / port", "bit", 0, FILES, |s| Some(s.memory.port_saq_bits as f64)),
    plain("port_data_bits", "memory / port", "bit", 0, FILES, |s| Some(s.memory.port_data_bits as f64)),
    plain("switch_control_bits", "control / switch", "bit", 0, FILES, |s| Some(s.memory.switch_control_bits as f64)),
];

pub(crate) fn place(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.name == name)
}

/// Where it can be other than 0.
fn out_of_order(s: &Summary) -> Option<f64> {
    s.reordered_by.as_ref().map(|_| s.out_of_order as f64)
}

fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

fn until(s: &Summary, result: UntilResult) -> Option<f64> {
    Some(flag(s.until.as_ref()?.result == result))
}

fn during(s: &Summary) -> Option<&WindowResult> {
    s.windows.get("during")
}

fn all(s: &Summary, window: &str) -> Option<f64> {
    s.windows.get(window)?.all.delivered_bytes_per_ns
}

fn victims(s: &Summary, window: &str) -> Option<f64> {
    s.windows.get(window)?.victims.as_ref()?.delivered_bytes_per_ns
}

/// Flows to hot destinations: all but the victims, to the byte.
fn hot_during(s: &Summary) -> Option<f64> {
    let during = during(s)?;
    let time_ns = during.end_ns - during.start_ns;
    let bytes = |flows: &FlowSetResult| Some((flows.delivered_bytes_per_ns? * time_ns).round());
    let hot = bytes(&during.all)? - bytes(during.victims.as_ref()?)?;
    Some(hot / time_ns)
}

/// A figure of a latency, ns.
pub fn figure(latency: &LatencySummary, figure: LatencyFigure) -> Option<f64> {
    match figure {
        Mean => latency.mean,
        P50 => latency.p50,
        P99 => latency.p99,
        P999 => latency.p999,
        Max => latency.max,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    // Two columns of one heading or one name cannot be distinguished.
    #[test]
    fn headings_and_names_are_unique() {
        let titles: BTreeSet<&str> = COLUMNS.iter().map(|c| c.title).collect();
        let mut names: BTreeSet<String> = COLUMNS.iter().map(|c| c.name.into()).collect();
        names.extend(COLUMNS.iter().filter_map(Column::bound_name));
        assert_eq!(titles.len(), COLUMNS.len());
        assert_eq!(names.len(), COLUMNS.len() + 5);
    }

    #[test]
    fn share_beside_a_bound_is_a_column() {
        for name in COLUMNS.iter().filter_map(|c| c.undelivered) {
            assert!(place(name).is_some(), "{name}");
        }
    }

    #[test]
    fn share_of_an_ideal_that_is_nothing_is_none() {
        for (ideal, of_ideal) in [(Some(12.0), Some(0.75)), (Some(0.0), None), (None, None)] {
            let mut summary = Summary { ideal_bytes_per_ns: ideal, ..Summary::default() };
            summary.delivered_bytes_per_ns = Some(9.0);
            assert_eq!(summary.of_ideal(), of_ideal);
        }
    }
}
