//! Figures beside each other: what was printed and what the raw events give.

use super::History;
use std::fmt::Debug;

/// What printed sums of floating point may differ by, relative.
const ROUNDING: f64 = 1e-9;

/// Figures that differ, a line each.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<String>);

impl Findings {
    /// Notes something that is not as it must be.
    pub(super) fn add(&mut self, figure: &str, what: &str) {
        self.0.push(format!("{figure}: {what}"));
    }
}

impl History<'_> {
    /// Notes something that is not as it must be.
    pub(super) fn add(&self, figure: &str, what: &str) {
        self.findings.borrow_mut().add(figure, what);
    }

    /// Must be the same.
    pub(super) fn exact<T: PartialEq + Debug>(&self, figure: &str, printed: &T, expected: &T) {
        if printed != expected {
            self.add(figure, &format!("printed {printed:?}, the events say {expected:?}"));
        }
    }

    /// Must be the same up to rounding; what is not there must be there in neither.
    pub(super) fn close(&self, figure: &str, printed: Option<f64>, expected: Option<f64>) {
        let same = match (printed, expected) {
            (None, None) => true,
            (Some(a), Some(b)) => is_close(a, b),
            _ => false,
        };
        if !same {
            self.add(figure, &format!("printed {printed:?}, the events say {expected:?}"));
        }
    }
}

/// Equal up to rounding.
pub(super) fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}
