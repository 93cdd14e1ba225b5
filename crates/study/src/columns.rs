//! The measured columns of a table. A further one is one line in [`COLUMNS`].

use observe::{
    FlowSetResult, LatencyFigure, LatencySummary, Steady, Summary, UntilResult, WindowResult,
};

/// A value of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// In the unit of the column.
    pub value: f64,
    /// It is a lower bound: it follows from ages of messages that had not arrived when the run
    /// ended.
    pub at_least: bool,
}

/// One measured column.
#[derive(Debug, Clone, Copy)]
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
    /// Of a column whose value may be a lower bound: the column with the share of what had not
    /// arrived. In CSV, [`Column::bound_name`] says which values are bounds.
    pub undelivered: Option<&'static str>,
    /// The value; `None` where the run does not define one.
    pub value: fn(&Summary) -> Option<Measured>,
}

impl Column {
    /// The column of a CSV table that says whether the value of this one is a lower bound, where it
    /// may be.
    pub fn bound_name(&self) -> Option<String> {
        self.undelivered.map(|_| bound_name(self.name))
    }
}

/// `latency_p99_ns` gives `latency_p99_is_lower_bound`.
pub(crate) fn bound_name(column: &str) -> String {
    let stem = column.strip_suffix("_ns").unwrap_or(column);
    format!("{stem}_is_lower_bound")
}

macro_rules! column {
    ($name:literal, $title:literal, $unit:literal, $decimals:literal, $brief:ident, $value:expr) => {
        Column {
            name: $name,
            title: $title,
            unit: $unit,
            decimals: $decimals,
            brief: $brief,
            undelivered: None,
            value: |s| {
                let value: fn(&Summary) -> Option<f64> = $value;
                value(s).map(|value| Measured { value, at_least: false })
            },
        }
    };
}

macro_rules! latency {
    ($name:literal, $title:literal, $figure:expr, $undelivered:literal, $brief:ident, $latency:expr) => {
        Column {
            name: $name,
            title: $title,
            unit: "ns",
            decimals: 0,
            brief: $brief,
            undelivered: Some($undelivered),
            value: |s| {
                let latency: fn(&Summary) -> Option<&LatencySummary> = $latency;
                latency(s).and_then($figure)
            },
        }
    };
}

/// In the short table.
const BRIEF: bool = true;
/// In files alone.
const FILES: bool = false;

/// Measured columns, in order; their definitions are those of the fields of [`Summary`]. Windows
/// `before`, `during` and `after` are those of the scenario (spec: scenarios.md,
/// `garcia-trees-2005`), a scenario with windows of other names has them in `windows.csv`; bits:
/// what a port, ingress and egress together, and a switch pay beside data memory.
#[rustfmt::skip]
pub const COLUMNS: &[Column] = &[
    column!("delivered_bytes_per_ns", "delivered", "B/ns", 2, BRIEF, |s| s.delivered_bytes_per_ns),
    column!("offered_bytes_per_ns", "offered", "B/ns", 2, FILES, |s| s.offered_bytes_per_ns),
    column!("of_ideal", "of ideal", "", 3, BRIEF, of_ideal),
    column!("relative_throughput", "of topology max", "", 3, FILES, |s| s.relative_throughput),
    column!("before_bytes_per_ns", "before", "B/ns", 2, BRIEF, |s| all(s, "before")),
    column!("during_bytes_per_ns", "during", "B/ns", 2, BRIEF, |s| all(s, "during")),
    column!("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, BRIEF, |s| during(s)?.worst_dip_bytes_per_ns),
    column!("after_bytes_per_ns", "after", "B/ns", 2, BRIEF, |s| all(s, "after")),
    column!("victims_delivered_bytes_per_ns", "victims", "B/ns", 2, FILES, |s| s.victims.as_ref()?.delivered_bytes_per_ns),
    column!("victims_before_bytes_per_ns", "victims before", "B/ns", 2, FILES, |s| victims(s, "before")),
    column!("victims_during_bytes_per_ns", "victims during", "B/ns", 2, BRIEF, |s| victims(s, "during")),
    column!("victims_during_of_ideal", "victims of ideal", "", 3, BRIEF, victims_of_ideal),
    column!("victims_worst_dip_bytes_per_ns", "victims worst dip", "B/ns", 2, BRIEF, |s| during(s)?.victims_worst_dip_bytes_per_ns),
    column!("victims_after_bytes_per_ns", "victims after", "B/ns", 2, FILES, |s| victims(s, "after")),
    column!("hot_during_bytes_per_ns", "hot during", "B/ns", 2, BRIEF, hot_during),
    column!("flows_starved", "starved", "flows", 0, BRIEF, |s| s.flows_starved.map(|n| n as f64)),
    column!("out_of_order", "out of order", "packets", 0, BRIEF, out_of_order),
    column!("worst_flow_share", "worst share", "of its fair one", 3, FILES, |s| s.worst_flow_share),
    column!("fairness_jain", "Jain", "", 3, FILES, |s| s.fairness_jain),
    column!("first_half_bytes_per_ns", "first half", "B/ns", 3, FILES, |s| Some(s.steady?.first_half_bytes_per_ns)),
    column!("second_half_bytes_per_ns", "second half", "B/ns", 3, FILES, |s| Some(s.steady?.second_half_bytes_per_ns)),
    column!("halves_noise_bytes_per_ns", "noise of halves", "B/ns", 3, FILES, |s| Some(s.steady?.noise_bytes_per_ns)),
    column!("halves_differ", "halves differ", "1: yes", 2, FILES, |s| s.steady.map(halves_differ)),
    column!("saturated", "saturated", "1: yes", 2, FILES, |s| until(s, UntilResult::Saturated)),
    column!("not_converged", "not converged", "1: yes", 2, FILES, |s| until(s, UntilResult::NotConverged)),
    column!("half_width", "half width", "of the mean", 4, FILES, |s| s.until.as_ref()?.half_width),
    column!("saqs_peak_ingress", "SAQs in", "peak", 0, BRIEF, |s| Some(s.saqs_peak.ingress.into())),
    column!("saqs_peak_egress", "SAQs out", "peak", 0, BRIEF, |s| Some(s.saqs_peak.egress.into())),
    column!("saqs_peak_injection", "SAQs inject", "peak", 0, FILES, |s| Some(s.saqs_peak.injection.into())),
    column!("saq_refusals", "refused", "SAQs", 0, BRIEF, |s| Some(s.recn.refusals as f64)),
    latency!("latency_p99_ns", "message p99", p99, "latency_undelivered", BRIEF, |s| Some(&s.latency_ns)),
    latency!("latency_mean_ns", "message mean", mean, "latency_undelivered", FILES, |s| Some(&s.latency_ns)),
    latency!("latency_p999_ns", "message p99.9", p999, "latency_undelivered", FILES, |s| Some(&s.latency_ns)),
    column!("latency_undelivered", "undelivered", "share", 3, FILES, |s| s.latency_ns.undelivered),
    latency!("victims_latency_p99_ns", "victims p99", p99, "victims_latency_undelivered", BRIEF, |s| Some(&s.victims.as_ref()?.latency_ns)),
    column!("victims_latency_undelivered", "victims undelivered", "share", 3, FILES, |s| s.victims.as_ref()?.latency_ns.undelivered),
    latency!("network_latency_p99_ns", "network p99", p99, "network_latency_undelivered", FILES, |s| Some(&s.network_latency_ns)),
    column!("network_latency_undelivered", "network undelivered", "share", 3, FILES, |s| s.network_latency_ns.undelivered),
    column!("port_control_bits", "control / port", "bit", 0, BRIEF, |s| Some(s.memory.port_control_bits() as f64)),
    column!("port_cam_bits", "CAM / port", "bit", 0, FILES, |s| Some(s.memory.port_cam_bits as f64)),
    column!("port_saq_bits", "SAQ state / port", "bit", 0, FILES, |s| Some(s.memory.port_saq_bits as f64)),
    column!("port_data_bits", "memory / port", "bit", 0, FILES, |s| Some(s.memory.port_data_bits as f64)),
    column!("switch_control_bits", "control / switch", "bit", 0, FILES, |s| Some(s.memory.switch_control_bits as f64)),
];

/// Place of a column in [`COLUMNS`].
pub(crate) fn place(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.name == name)
}

fn of_ideal(s: &Summary) -> Option<f64> {
    s.of_ideal()
}

/// Of the victims, while the tree is there.
fn victims_of_ideal(s: &Summary) -> Option<f64> {
    during(s)?.victims.as_ref()?.of_ideal()
}

/// Where it can be other than 0.
fn out_of_order(s: &Summary) -> Option<f64> {
    s.reordered_by.as_ref().map(|_| s.out_of_order as f64)
}

fn halves_differ(steady: Steady) -> f64 {
    f64::from(u8::from(steady.differs))
}

/// Whether a run with `run.until` came out so.
fn until(s: &Summary, result: UntilResult) -> Option<f64> {
    let until = s.until.as_ref()?;
    Some(f64::from(u8::from(until.result == result)))
}

fn during(s: &Summary) -> Option<&WindowResult> {
    s.windows.get("during")
}

fn all(s: &Summary, window: &str) -> Option<f64> {
    s.windows.get(window)?.all.delivered_bytes_per_ns
}

fn victims(s: &Summary, window: &str) -> Option<f64> {
    let victims: &FlowSetResult = s.windows.get(window)?.victims.as_ref()?;
    victims.delivered_bytes_per_ns
}

/// Flows to hot destinations: all but the victims, to the byte.
fn hot_during(s: &Summary) -> Option<f64> {
    let during = during(s)?;
    let time_ns = during.end_ns - during.start_ns;
    let bytes = |flows: &FlowSetResult| Some((flows.delivered_bytes_per_ns? * time_ns).round());
    let hot = bytes(&during.all)? - bytes(during.victims.as_ref()?)?;
    Some(hot / time_ns)
}

fn figure(latency: &LatencySummary, figure: LatencyFigure, value: Option<f64>) -> Option<Measured> {
    Some(Measured { value: value?, at_least: latency.lower_bounds.contains(&figure) })
}

fn mean(latency: &LatencySummary) -> Option<Measured> {
    figure(latency, LatencyFigure::Mean, latency.mean)
}

fn p99(latency: &LatencySummary) -> Option<Measured> {
    figure(latency, LatencyFigure::P99, latency.p99)
}

fn p999(latency: &LatencySummary) -> Option<Measured> {
    figure(latency, LatencyFigure::P999, latency.p999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn bound_is_named_after_its_figure() {
        assert_eq!(bound_name("latency_p99_ns"), "latency_p99_is_lower_bound");
    }

    // Two columns of one heading or one name cannot be told apart.
    #[test]
    fn headings_and_names_are_unique() {
        let titles: BTreeSet<&str> = COLUMNS.iter().map(|c| c.title).collect();
        let mut names: BTreeSet<String> = COLUMNS.iter().map(|c| c.name.into()).collect();
        names.extend(COLUMNS.iter().filter_map(Column::bound_name));
        assert_eq!(titles.len(), COLUMNS.len());
        assert_eq!(names.len(), COLUMNS.len() + 5);
    }

    #[test]
    fn share_that_stands_beside_a_bound_is_a_column() {
        for name in COLUMNS.iter().filter_map(|c| c.undelivered) {
            assert!(place(name).is_some(), "{name}");
        }
    }

    #[test]
    fn share_of_an_ideal_that_is_nothing_is_none() {
        let summary = |ideal| Summary {
            delivered_bytes_per_ns: Some(9.0),
            ideal_bytes_per_ns: ideal,
            ..Summary::default()
        };
        assert_eq!(of_ideal(&summary(Some(12.0))), Some(0.75));
        assert_eq!(of_ideal(&summary(Some(0.0))), None);
        assert_eq!(of_ideal(&summary(None)), None);
    }
}
