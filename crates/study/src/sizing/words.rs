//! Parts of the sentence.

use super::{Family, Measured, SAQS, SCHEME};
use crate::table::{PointRow, Spread};

/// What the members of a family have in common.
pub(super) fn family(labels: &[&(String, String)]) -> String {
    let part = |(key, value): &&(String, String)| {
        if key == SCHEME {
            value.clone()
        } else {
            format!("{key} {value}")
        }
    };
    let name: Vec<String> = labels.iter().map(part).collect();
    if name.is_empty() {
        SAQS.into()
    } else {
        name.join(", ")
    }
}

pub(super) fn saqs(n: f64) -> String {
    format!("{n} SAQ{}", if n == 1.0 { "" } else { "s" })
}

/// A rate, and the smallest and largest of the replicas where they differ as printed.
pub(super) fn value(spread: Spread) -> String {
    let [mean, min, max] = [spread.mean, spread.min, spread.max].map(|v| format!("{v:.2}"));
    if min == max {
        mean
    } else {
        format!("{mean} [{min}..{max}]")
    }
}

/// The smallest and largest of what is the fewest in the replicas, where there are several; `None`
/// is none at all.
pub(super) fn by_replica(fewest: &[Option<f64>]) -> String {
    if fewest.len() < 2 {
        return String::new();
    }
    let of = |n: f64| {
        if n.is_finite() {
            n.to_string()
        } else {
            "none".into()
        }
    };
    let numbers = || fewest.iter().map(|n| n.unwrap_or(f64::INFINITY));
    let ends = (
        numbers().min_by(f64::total_cmp),
        numbers().max_by(f64::total_cmp),
    );
    match ends {
        (Some(least), Some(most)) if least == most => {
            format!(" (replica by replica: {})", of(least))
        }
        (Some(least), Some(most)) => {
            format!(" (replica by replica: {} to {})", of(least), of(most))
        }
        _ => String::new(),
    }
}

/// What a port pays for that many; empty where it is not known.
pub(super) fn cost(fewest: Option<f64>, measured: &[Measured<'_>]) -> String {
    let member = fewest.and_then(|n| measured.iter().find(|m| m.0 == n));
    let bits = member.and_then(|m| m.1.value("port_control_bits"));
    match (fewest, bits) {
        (Some(n), Some(bits)) if bits.mean > 0.0 => format!(
            " With {}, and as many CAM lines, a port has {} bits of control.",
            saqs(n),
            bits.mean
        ),
        _ => String::new(),
    }
}

/// Over how many replicas values are means; empty where each is one run.
pub(super) fn replicas<'a>(points: impl Iterator<Item = &'a PointRow>) -> String {
    let points: Vec<&PointRow> = points.collect();
    let least = points.iter().map(|p| p.finished).min().unwrap_or(1);
    let most = points.iter().map(|p| p.finished).max().unwrap_or(1);
    match most {
        1 => String::new(),
        _ if least == most => format!(", mean of {most} replicas"),
        _ => format!(", mean of {least} to {most} replicas"),
    }
}

/// Which numbers have no value.
pub(super) fn missing(family: &Family<'_>, measured: &[Measured<'_>]) -> String {
    let has = |saqs: f64| measured.iter().any(|m| m.0 == saqs);
    let without: Vec<String> = family
        .members
        .iter()
        .filter(|(saqs, _)| !has(*saqs))
        .map(|(saqs, _)| saqs.to_string())
        .collect();
    if without.is_empty() {
        String::new()
    } else {
        format!("; without a value: {} SAQs", without.join(", "))
    }
}
