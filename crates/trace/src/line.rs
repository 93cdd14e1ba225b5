//! A line of a text format, with places for errors.

use crate::error::{Place, Problem, TraceError};
use std::sync::Arc;

/// A line of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    file: &'a Arc<str>,
    number: u64,
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    pub(crate) fn new(file: &'a Arc<str>, number: u64, text: &'a str) -> Line<'a> {
        Line { file, number, text }
    }

    /// An error at what is a part of this line.
    pub(crate) fn error(&self, part: &str, problem: Problem) -> TraceError {
        let at = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        let column = at.min(self.text.len()) + 1;
        let place = Place::Line { line: self.number, column };
        TraceError { file: Arc::clone(self.file), place, problem }
    }

    /// A field of this line that cannot be read.
    pub(crate) fn field_error(
        &self,
        name: &'static str,
        field: &str,
        expected: &str,
    ) -> TraceError {
        let problem = Problem::Field {
            name,
            found: crate::text::shown(field),
            expected: expected.to_string(),
        };
        self.error(field, problem)
    }

    /// A whole number.
    pub(crate) fn number<T: TryFrom<u64>>(
        &self,
        name: &'static str,
        field: &str,
        expected: &str,
    ) -> Result<T, TraceError> {
        let is_number = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
        let number: Option<u64> = is_number.then(|| field.parse().ok()).flatten();
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| self.field_error(name, field, expected))
    }

    /// Whether no line is before it.
    pub(crate) fn is_first(&self) -> bool {
        self.number == 1
    }

    /// Fields apart by commas, without the spaces around them; else how many there are.
    pub(crate) fn fields<const N: usize>(&self) -> Result<[&'a str; N], usize> {
        match self.split() {
            (fields, count) if count == N => Ok(fields),
            (_, count) => Err(count),
        }
    }

    /// As [`Line::fields`], where more may follow.
    pub(crate) fn first_fields<const N: usize>(&self) -> Result<[&'a str; N], usize> {
        match self.split() {
            (fields, count) if count >= N => Ok(fields),
            (_, count) => Err(count),
        }
    }

    fn split<const N: usize>(&self) -> ([&'a str; N], usize) {
        let mut fields = [""; N];
        let mut count = 0;
        for field in self.text.split(',') {
            if let Some(place) = fields.get_mut(count) {
                *place = field.trim_matches([' ', '\t']);
            }
            count += 1;
        }
        (fields, count)
    }
}
