//! Ranges: `{ from, to, factor }` and `{ from, to, step }`, exact.

use super::read::Reader;
use crate::error::short;
use crate::keys::Kind;
use crate::plain::{self, Plain};
use crate::source::Origin;
use crate::value::{Kind as Toml, Table, Value};
use units::Ratio;

/// The most values of one axis.
const VALUES_MAX: usize = 10_000;

impl Reader {
    /// `{ from, to, factor }` or `{ from, to, step }`, the end included where it is met; exact.
    pub(super) fn range(
        &mut self,
        path: &str,
        range: &Table,
        origin: &Origin,
    ) -> Option<Vec<Value>> {
        const HELP: &str =
            "legal: { from = 1, to = 16, factor = 2 } or { from = 1, to = 16, step = 1 }";
        for entry in &range.entries {
            if !["from", "to", "factor", "step"].contains(&entry.key.as_str()) {
                self.refuse(
                    path,
                    format!("unknown part `{}` of a range", short(&entry.key)),
                    HELP,
                    &entry.key_origin,
                );
                return None;
            }
        }
        let before = self.found.errors.len();
        let mut part = |name: &str| -> Option<Option<Ratio>> {
            let entry = range.get(name)?;
            match plain::read(path, Kind::Ns, &entry.value) {
                Ok(Plain::Ratio(ratio)) => Some(ratio),
                Ok(_) => None,
                Err(mut error) => {
                    error.help = HELP.to_owned();
                    self.found.push(|| error);
                    None
                }
            }
        };
        let (from, to, factor, step) = (part("from"), part("to"), part("factor"), part("step"));
        if self.found.errors.len() > before {
            return None;
        }
        let mut bad = |what: &str| {
            self.refuse(path, what, HELP, origin);
            None
        };
        let (Some(from), Some(to)) = (from, to) else {
            return bad("a range without `from` and `to`");
        };
        if from > to {
            return bad("`from` is above `to`");
        }
        let next: Box<dyn Fn(Option<Ratio>) -> Option<Option<Ratio>>> = match (factor, step) {
            (Some(Some(factor)), None) if factor > Ratio::ONE && from.is_some() => {
                Box::new(move |at| at?.mul(factor).ok().map(Some))
            }
            (Some(_), None) => return bad("`factor` must be above 1, and `from` above 0"),
            (None, Some(Some(step))) => Box::new(move |at| sum(at, step).map(Some)),
            (None, Some(None)) => return bad("`step` must be above 0"),
            _ => return bad("a range needs either `factor` or `step`"),
        };
        let mut values = Vec::new();
        let mut at = Some(from);
        while let Some(now) = at.filter(|now| *now <= to) {
            if values.len() == VALUES_MAX {
                return bad(&format!("more than {VALUES_MAX} values"));
            }
            let kind = match now {
                None => Toml::Integer(0),
                Some(ratio) if ratio.den() == 1 => Toml::Integer(ratio.num().into()),
                Some(ratio) => Toml::Text(ratio.to_string()),
            };
            values.push(Value {
                kind,
                origin: origin.clone(),
            });
            at = next(now);
        }
        Some(values)
    }
}

/// `a + b`; `None` where 64 bits do not hold it.
pub(super) fn sum(a: Option<Ratio>, b: Ratio) -> Option<Ratio> {
    let Some(a) = a else { return Some(b) };
    // a + b = b (a/b + 1).
    let quotient = a.div(b).ok()?;
    let num = quotient.num().checked_add(quotient.den())?;
    Ratio::new(num, quotient.den()).ok()?.mul(b).ok()
}
