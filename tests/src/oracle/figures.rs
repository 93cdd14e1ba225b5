//! Figures beside each other: what was printed and what the raw events give.

use super::History;
use crate::metamorphic::figures;
use observe::Record;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// What printed sums of floating point may differ by, relative.
pub(super) const ROUNDING: f64 = 1e-9;

impl History<'_> {
    /// Notes something that is not as it must be.
    pub(super) fn add(&self, figure: &str, what: &str) {
        self.findings.borrow_mut().push(format!("{figure}: {what}"));
    }

    /// Must be the same.
    pub(super) fn exact<T: PartialEq + Debug>(&self, figure: &str, printed: &T, expected: &T) {
        if printed != expected {
            self.add(figure, &format!("printed {printed:?}, the events say {expected:?}"));
        }
    }

    /// All figures must be the same, floating point up to rounding; what is not there must be there
    /// in neither.
    pub(super) fn compare(&self, printed: &Record, expected: &Record) {
        let by_path = |record| -> BTreeMap<String, Value> {
            figures(record).into_iter().map(|(path, figure)| (path.join("."), figure)).collect()
        };
        let (printed, expected) = (by_path(printed), by_path(expected));
        for path in printed.keys().chain(expected.keys()).collect::<BTreeSet<_>>() {
            let (a, b) = (printed.get(path), expected.get(path));
            let same = match (a, b) {
                (Some(Value::Number(a)), Some(Value::Number(b))) if a.is_f64() && b.is_f64() => {
                    a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| is_close(a, b))
                }
                _ => a == b,
            };
            if !same {
                self.exact(path, &a, &b);
            }
        }
    }
}

pub(super) fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}
