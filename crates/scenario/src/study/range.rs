//! Ranges: `{ from, to }` with `factor`, `step` or `count`.

use super::reader::Reader;
use crate::error::{Place, short};
use crate::keys::{self, Kind};
use crate::plain::{self, Plain};
use crate::value::{Kind as Toml, Table, Value};
use num_traits::{CheckedAdd, CheckedMul, One, Zero};
use units::Ratio;

/// With 0; held in more bits than its values may have.
pub(super) type Number = num_rational::Ratio<i128>;

const BACKWARDS: &str = "`from` is above `to`";

/// The most values of one axis.
const VALUES_MAX: u64 = 10_000;

/// Digits behind the first one that a value of a logarithmic range keeps.
const DIGITS_BEHIND: usize = 3;

const PARTS: [&str; 6] = ["from", "to", "factor", "step", "count", "scale"];

const HELP: &str = "legal: { from = 1, to = 16, factor = 2 }, { from = 1, to = 16, step = 1 } or \
     { from = 0.1, to = 10, count = 7, scale = \"log\" }";

impl Reader {
    /// The values of a range. Those by `factor` and `step` are exact; of `count` the first and the
    /// last are `from` and `to`, linear ones exact, logarithmic ones rounded to 4 digits or whole
    /// numbers, and exact where they are powers of a whole factor.
    pub(super) fn range(
        &mut self,
        path: &str,
        kind: Kind,
        range: &Table,
        origin: &Place,
    ) -> Option<Vec<Value>> {
        for entry in &range.entries {
            if !PARTS.contains(&entry.key.as_str()) {
                let what = format!("unknown part `{}` of a range", short(&entry.key));
                self.refuse(path, what, HELP, &entry.key_origin);
                return None;
            }
        }
        let before = self.errors.kept.len();
        let mut part = |name: &str, kind: Kind| -> Option<Plain> {
            let read = plain::read(path, kind, &range.get(name)?.value);
            read.map_err(|mut error| {
                error.message = format!("`{name}`: {}", error.message);
                error.help = HELP.to_owned();
                self.errors.push(|| error);
            })
            .ok()
        };
        let [from, to, factor, step] =
            ["from", "to", "factor", "step"].map(|name| part(name, Kind::Ns)?.number());
        let count = part("count", keys::integer(2, VALUES_MAX));
        let scale = part("scale", Kind::Word(&["linear", "log"]));
        if self.errors.kept.len() > before {
            return None;
        }
        let values = match (from, to) {
            (Some(from), Some(to)) => values(from, to, factor, step, count, scale, kind.is_whole()),
            _ => Err("a range without `from` and `to`".into()),
        };
        let values = values.map_err(|what| self.refuse(path, what, HELP, origin)).ok()?;
        let value = |at: Number| Value {
            kind: match at.is_integer() {
                true => Toml::Integer(at.to_integer()),
                false => Toml::Text(at.to_string()),
            },
            origin: origin.clone(),
        };
        Some(values.into_iter().map(value).collect())
    }
}

/// What the parts of a range ask for, or what is wrong with them.
type Values = Result<Vec<Number>, String>;

fn values(
    from: Number,
    to: Number,
    factor: Option<Number>,
    step: Option<Number>,
    count: Option<Plain>,
    scale: Option<Plain>,
    is_whole: bool,
) -> Values {
    let is_log = scale == Some(Plain::Word("log".into()));
    let is_nought = from.is_zero();
    match (factor, step, count, scale) {
        (Some(factor), None, None, None) if factor > Number::one() && !is_nought => {
            grow(from, to, |at| at.checked_mul(&factor))
        }
        (Some(_), None, None, None) => Err("`factor` must be above 1, and `from` above 0".into()),
        (None, Some(step), None, None) if !step.is_zero() => {
            grow(from, to, |at| at.checked_add(&step))
        }
        (None, Some(_), None, None) => Err("`step` must be above 0".into()),
        (None, None, Some(_), _) if is_log && is_nought => {
            Err("`from` must be above 0 on a logarithmic scale".into())
        }
        (None, None, Some(_), _) if from > to => Err(BACKWARDS.into()),
        (None, None, Some(Plain::Integer(count)), _) if is_log => {
            Ok(log(from, to, count, is_whole))
        }
        (None, None, Some(Plain::Integer(count)), _) => {
            (0..count).map(|n| linear(from, to, n, count, is_whole)).collect()
        }
        (_, _, None, Some(_)) => Err("`scale` goes with `count`".into()),
        _ => Err("a range needs one of `factor`, `step` and `count`".into()),
    }
}

fn is_held(at: &Number) -> bool {
    [at.numer(), at.denom()].into_iter().all(|part| u64::try_from(*part).is_ok())
}

fn grow(from: Number, to: Number, next: impl Fn(&Number) -> Option<Number>) -> Values {
    if from > to {
        return Err(BACKWARDS.into());
    }
    let mut values = vec![from];
    while let Some(at) = next(&values[values.len() - 1]).filter(|at| is_held(at) && *at <= to) {
        if values.len() as u64 == VALUES_MAX {
            return Err(format!("more than {VALUES_MAX} values"));
        }
        values.push(at);
    }
    Ok(values)
}

/// Value `n` of `count` evenly apart.
fn linear(from: Number, to: Number, n: u64, count: u64, is_whole: bool) -> Result<Number, String> {
    let (n, last) = (i128::from(n), i128::from(count - 1));
    let part = |of: Number, n: i128| of.checked_mul(&Number::new(n, last));
    let value = part(from, last - n).and_then(|low| low.checked_add(&part(to, n)?));
    match value.filter(is_held) {
        Some(value) if is_whole && !value.is_integer() => {
            Err(format!("`count` = {count} comes to {value}, where whole numbers are wanted"))
        }
        Some(value) => Ok(value),
        None => Err(format!("`count` = {count} comes to fractions of more than 64 bits")),
    }
}

/// `count` values, each the one before times a factor, as far as they are distinct.
fn log(from: Number, to: Number, count: u64, is_whole: bool) -> Vec<Number> {
    let float = |at: Number| *at.numer() as f64 / *at.denom() as f64;
    // `libm`: the same bits on every machine
    let span = libm::log(float(to) / float(from));
    let last = (count - 1) as f64;
    let factor = libm::round(libm::exp(span / last)) as u64;
    let power = |at: &Number| at.checked_mul(&i128::from(factor).into()).filter(is_held);
    let powers: Vec<Number> =
        std::iter::successors(Some(from), power).take(count as usize).collect();
    if powers.len() as u64 == count && powers.last() == Some(&to) {
        return powers;
    }
    let rounded = |n: u64| {
        let value = float(from) * libm::exp(span * n as f64 / last);
        let value = if is_whole {
            i128::from(libm::round(value) as u64).into()
        } else {
            let short: f64 = format!("{value:.DIGITS_BEHIND$e}").parse().ok()?;
            Plain::Ratio(Ratio::try_from(short).ok()).number()?
        };
        Some(value.clamp(from, to))
    };
    let inner = (1..count - 1).filter_map(rounded);
    let mut values: Vec<Number> = std::iter::once(from).chain(inner).chain([to]).collect();
    values.dedup();
    values
}
