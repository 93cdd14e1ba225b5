//! Ranges: `{ from, to }` with `factor`, `step` or `count`.

use super::reader::Reader;
use crate::error::{Place, short};
use crate::keys::Kind;
use crate::plain::{self, Plain};
use crate::value::{Kind as Toml, Table, Value};
use units::Ratio;

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
        let ratio = |plain: Option<Plain>| match plain {
            Some(Plain::Ratio(ratio)) => Some(ratio),
            _ => None,
        };
        let [from, to, factor, step] =
            ["from", "to", "factor", "step"].map(|name| ratio(part(name, Kind::Ns)));
        let (min, max) = (2, VALUES_MAX);
        let count = part("count", Kind::Integer { min, max, why: "", word: "" });
        let scale = part("scale", Kind::Word(&["linear", "log"]));
        if self.errors.kept.len() > before {
            return None;
        }
        let values = match (from, to) {
            (Some(from), Some(to)) => {
                values((from, to), factor, step, count, scale, kind.is_whole())
            }
            _ => Err("a range without `from` and `to`".into()),
        };
        let values = match values {
            Ok(values) => values,
            Err(what) => {
                self.refuse(path, what, HELP, origin);
                return None;
            }
        };
        let value = |at: Option<Ratio>| Value {
            kind: match at {
                None => Toml::Integer(0),
                Some(ratio) if ratio.den() == 1 => Toml::Integer(ratio.num().into()),
                Some(ratio) => Toml::Text(ratio.to_string()),
            },
            origin: origin.clone(),
        };
        Some(values.into_iter().map(value).collect())
    }
}

/// What the parts ask for, or what is wrong with them; 0 is `None`.
fn values(
    (from, to): (Option<Ratio>, Option<Ratio>),
    factor: Option<Option<Ratio>>,
    step: Option<Option<Ratio>>,
    count: Option<Plain>,
    scale: Option<Plain>,
    is_whole: bool,
) -> Result<Vec<Option<Ratio>>, String> {
    let is_log = scale == Some(Plain::Word("log".into()));
    let (is_backwards, backwards) = (from > to, "`from` is above `to`");
    match (factor, step, count, scale) {
        (Some(Some(factor)), None, None, None) if factor > Ratio::ONE && from.is_some() => {
            grow(from, to, |at| at?.mul(factor).ok())
        }
        (Some(_), None, None, None) => Err("`factor` must be above 1, and `from` above 0".into()),
        (None, Some(Some(step)), None, None) => grow(from, to, |at| sum(at, Some(step)).flatten()),
        (None, Some(None), None, None) => Err("`step` must be above 0".into()),
        (None, None, Some(Plain::Integer(count)), _) if is_log => match (from, to) {
            (None, _) => Err("`from` must be above 0 on a logarithmic scale".into()),
            (Some(from), Some(to)) if !is_backwards => Ok(log(from, to, count, is_whole)),
            _ => Err(backwards.into()),
        },
        (None, None, Some(Plain::Integer(_)), _) if is_backwards => Err(backwards.into()),
        (None, None, Some(Plain::Integer(count)), _) => {
            (0..count).map(|n| linear(from, to, n, count, is_whole)).collect()
        }
        (_, _, None, Some(_)) => Err("`scale` goes with `count`".into()),
        _ => Err("a range needs one of `factor`, `step` and `count`".into()),
    }
}

/// The values up to `to`, each from the one before.
fn grow(
    from: Option<Ratio>,
    to: Option<Ratio>,
    next: impl Fn(Option<Ratio>) -> Option<Ratio>,
) -> Result<Vec<Option<Ratio>>, String> {
    if from > to {
        return Err("`from` is above `to`".into());
    }
    let mut values = vec![from];
    while let Some(at) = next(values[values.len() - 1]).filter(|at| Some(*at) <= to) {
        if values.len() as u64 == VALUES_MAX {
            return Err(format!("more than {VALUES_MAX} values"));
        }
        values.push(Some(at));
    }
    Ok(values)
}

/// Value `n` of `count` evenly apart.
fn linear(
    from: Option<Ratio>,
    to: Option<Ratio>,
    n: u64,
    count: u64,
    is_whole: bool,
) -> Result<Option<Ratio>, String> {
    // from (last - n) / last + to n / last
    let last = count - 1;
    let part = |of: Option<Ratio>, n: u64| match (of, Ratio::new(n, last)) {
        (Some(of), Ok(part)) => of.mul(part).ok().map(Some),
        _ => Some(None),
    };
    let value = part(from, last - n).and_then(|low| sum(low, part(to, n)?));
    match value {
        Some(Some(value)) if is_whole && value.den() > 1 => {
            Err(format!("`count` = {count} comes to {value}, where whole numbers are wanted"))
        }
        Some(value) => Ok(value),
        None => Err(format!("`count` = {count} comes to fractions of more than 64 bits")),
    }
}

/// `count` values, each the one before times a factor, as far as they are distinct.
fn log(from: Ratio, to: Ratio, count: u64, is_whole: bool) -> Vec<Option<Ratio>> {
    // `libm`: the same bits on every machine
    let span = libm::log(to.to_f64() / from.to_f64());
    let last = (count - 1) as f64;
    let factor = libm::round(libm::exp(span / last)) as u64;
    let power = |at: &Ratio| at.mul(Ratio::new(factor, 1).ok()?).ok();
    let powers: Vec<Ratio> =
        std::iter::successors(Some(from), power).take(count as usize).collect();
    if powers.len() as u64 == count && powers.last() == Some(&to) {
        return powers.into_iter().map(Some).collect();
    }
    let rounded = |n: u64| {
        if n == 0 {
            return Some(from);
        }
        let value = from.to_f64() * libm::exp(span * n as f64 / last);
        match is_whole {
            true => Ratio::new(libm::round(value) as u64, 1).ok(),
            false => {
                let short = format!("{value:.DIGITS_BEHIND$e}").parse::<f64>();
                short.ok().and_then(|value| Ratio::try_from(value).ok())
            }
        }
        .map(|value| value.clamp(from, to))
    };
    let mut values: Vec<Option<Ratio>> = (0..count - 1).map(rounded).collect();
    values.push(Some(to));
    values.dedup();
    values
}

/// `a + b`, where `None` is 0; `None` where 64 bits do not hold it.
pub(super) fn sum(a: Option<Ratio>, b: Option<Ratio>) -> Option<Option<Ratio>> {
    let (Some(a), Some(b)) = (a, b) else {
        return Some(a.or(b));
    };
    // a + b = b (a/b + 1)
    let quotient = a.div(b).ok()?;
    let num = quotient.num().checked_add(quotient.den())?;
    Ratio::new(num, quotient.den()).ok()?.mul(b).ok().map(Some)
}
