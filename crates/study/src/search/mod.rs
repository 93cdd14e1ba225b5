//! Searches: which points to run next, from the runs so far. [`LoadSearch`]: up to which load all
//! that is offered arrives. [`SizeSearch`]: the least of a resource that meets a target on all
//! workloads.
//!
//! A search has no state: of the table of all runs so far it asks for points ([`Ask`]), or more
//! replicas, until it asks for nothing. So a killed one continues where it was, to the same answer.

mod edge;
mod pareto;
mod saturate;
mod size;
mod size_text;
#[cfg(test)]
mod tests;
mod view;

pub use saturate::{Load, LoadAnswer, LoadSearch, LoadSetting};
pub use size::{Frontier, Method, Need, SizeAnswer, SizeSearch, SizedDesign};

use crate::Interval;
use crate::answer::{Label, Met};
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;

/// A point that is to have so many replicas.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ask {
    /// Its axes.
    pub labels: Vec<Label>,
    /// From replica 0 on, those that it has included.
    pub replicas: u32,
}

/// How many replicas a point gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confidence {
    /// Of each point that is evaluated; at least 1.
    pub replicas: u32,
    /// Of one that is open; at least `replicas`. 1: no intervals, the one run decides.
    pub max_replicas: u32,
}

impl Confidence {
    /// The next number of replicas of a point that has so many and is open, if there is one.
    fn more(self, has: usize) -> Option<u32> {
        let has = u32::try_from(has).unwrap_or(u32::MAX);
        (has < self.max_replicas).then(|| has.saturating_mul(2).clamp(1, self.max_replicas))
    }

    /// How many replicas a point that has so many is to have first, where more may decide it.
    fn required(self, met: Met, has: usize, may_decide: bool) -> Option<u32> {
        match met {
            _ if has < self.replicas as usize => Some(self.replicas),
            Met::Unknown if may_decide => self.more(has),
            _ => None,
        }
    }

    /// Whether the whole interval of the mean is at least `bound`, or below it.
    fn at_least(self, values: &[f64], bound: f64) -> Met {
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        self.at_most(&negated, -bound)
    }

    /// Whether the whole interval of the mean is at most `bound`, or above it.
    fn at_most(self, values: &[f64], bound: f64) -> Met {
        let Some(Interval { mean, half }) = Interval::of(values) else { return Met::Unknown };
        let half = half.or((self.max_replicas == 1).then_some(0.0));
        match half {
            Some(half) if mean + half <= bound => Met::Yes,
            Some(half) if mean - half > bound => Met::No,
            _ => Met::Unknown,
        }
    }
}

/// What was found out about a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    pub(super) met: Met,
    /// What is judged: delivered as a part of the reference, or what is lost of the offered.
    pub(super) share: Option<Interval>,
    /// p99 latency of the same flows and window, ns.
    pub(super) p99_ns: Option<Interval>,
    /// It is at least that: some messages had not arrived.
    pub(super) p99_is_lower_bound: bool,
    pub(super) replicas: usize,
}

fn by_labels(table: &Table) -> BTreeMap<&[Label], usize> {
    table.points.iter().enumerate().map(|(n, point)| (point.labels.as_slice(), n)).collect()
}

/// The p99 of a point in another unit: a mean with half of its interval, or a lower bound alone.
fn p99(verdict: &Verdict, factor: f64, decimals: usize) -> String {
    match verdict.p99_ns {
        Some(Interval { mean, .. }) if verdict.p99_is_lower_bound => {
            format!(">= {:.decimals$}", mean * factor)
        }
        value => plus_minus(value, factor, decimals),
    }
}

/// The mean in another unit, and half of its interval.
fn plus_minus(value: Option<Interval>, factor: f64, decimals: usize) -> String {
    let Some(Interval { mean, half }) = value else { return "-".into() };
    // No zero has a sign.
    let least = 0.5 * 10f64.powi(-(decimals as i32));
    let mean = Some(mean * factor).filter(|mean| mean.abs() >= least).unwrap_or(0.0);
    let half = half.map(|half| format!(" \u{b1}{:.decimals$}", half * factor));
    format!("{mean:.decimals$}{}", half.unwrap_or_default())
}
