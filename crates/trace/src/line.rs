//! A line of a text format, with places for errors; numbers of text formats.

use crate::error::{Place, Problem, TraceError};
use std::str::FromStr;
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) file: &'a Arc<str>,
    pub(crate) number: u64,
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    /// An error at what is a part of this line.
    pub(crate) fn error(&self, part: &str, problem: Problem) -> TraceError {
        let at = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        let column = at.min(self.text.len()) + 1;
        let place = Place::Line { line: self.number, column };
        TraceError { file: Arc::clone(self.file), place, problem }
    }

    pub(crate) fn field_error(
        &self,
        name: &'static str,
        field: &str,
        expected: &str,
    ) -> TraceError {
        self.error(field, Problem::field(name, shown(field), expected))
    }

    /// What was read of a field, if it could be.
    pub(crate) fn value<T>(
        &self,
        name: &'static str,
        field: &str,
        expected: &str,
        value: Option<T>,
    ) -> Result<T, TraceError> {
        value.ok_or_else(|| self.field_error(name, field, expected))
    }

    pub(crate) fn number<T: FromStr>(
        &self,
        name: &'static str,
        field: &str,
        expected: &str,
    ) -> Result<T, TraceError> {
        self.value(name, field, expected, whole(field))
    }

    pub(crate) fn times(
        &self,
        unit: u64,
        name: &'static str,
        field: &str,
        expected: &str,
    ) -> Result<u64, TraceError> {
        let number = whole(field).and_then(|number: u64| number.checked_mul(unit));
        self.value(name, field, expected, number)
    }

    /// Fields apart by commas, without the spaces around them; further ones only with `more`.
    pub(crate) fn fields<const N: usize>(
        &self,
        more: bool,
        expected: &'static str,
    ) -> Result<[&'a str; N], TraceError> {
        let mut fields = [""; N];
        let mut found = 0;
        for field in self.text.split(',') {
            if let Some(place) = fields.get_mut(found) {
                *place = field.trim_matches([' ', '\t']);
            }
            found += 1;
        }
        match found == N || more && found > N {
            true => Ok(fields),
            false => {
                let problem = format!("{found} fields; expected: {expected}");
                Err(self.error(self.text, Problem::Line(problem)))
            }
        }
    }
}

const SHOWN_MAX: usize = 60;

/// What was found, as it can be shown: short, and without control characters.
pub(crate) fn shown(found: &str) -> String {
    let mut text: String =
        found.chars().take(SHOWN_MAX).map(|c| if c.is_control() { '?' } else { c }).collect();
    if found.chars().nth(SHOWN_MAX).is_some() {
        text += "...";
    }
    text
}

/// A whole number of digits alone.
pub(crate) fn whole<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Seconds as decimal text in ns, exactly; what is finer than a ns is cut off.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let ns = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let ns = ns.fold(0, |ns, digit| 10 * ns + u64::from(digit - b'0'));
    whole::<u64>(seconds)?.checked_mul(1_000_000_000)?.checked_add(ns)
}

#[cfg(test)]
mod tests {
    use super::{seconds, shown};

    #[test]
    fn seconds_are_exact() {
        assert_eq!(seconds("0.1"), Some(100_000_000));
        assert_eq!(seconds("12"), Some(12_000_000_000));
        assert_eq!(seconds("3.0000000019"), Some(3_000_000_001));
        assert_eq!(seconds("18446744073.709551615"), Some(u64::MAX));
        for wrong in ["", ".", "1.", ".5", "-1", "1e3", "18446744073.709551616"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_shown_is_short() {
        assert_eq!(shown("a\tb"), "a?b");
        assert_eq!(shown(&"x".repeat(99)).len(), 63);
    }
}
