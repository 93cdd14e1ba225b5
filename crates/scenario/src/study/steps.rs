//! Values of a key in even steps: the positions of a search.

use super::range::Number;
use crate::error::{Errors, Place, ScenarioError, short};
use crate::keys::{self, Kind};
use crate::plain::{self, Plain};
use crate::settings;
use crate::value::Value;
use num_traits::{CheckedAdd, CheckedMul};
use units::Ratio;

/// The most steps of one search.
const STEPS_MAX: u64 = 1_000_000;

/// Values of a key from one to another, exact, all steps alike but the last, which may be shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    from: Ratio,
    to: Ratio,
    step: Ratio,
    /// How many values there are, both ends counted.
    count: usize,
}

impl Steps {
    /// Of a number key that a point of a study may set. A whole number has steps of 1; else a
    /// step is a power of ten, as large as it can be without being above `tolerance` of `from`.
    /// Refused are other keys, ends that the key refuses, 0, and too many steps.
    pub fn new(key: &str, from: &str, to: &str, tolerance: f64) -> Result<Steps, Errors> {
        let kind = kind(key)?;
        let refuse = |option: &str, what: String, help: &str| {
            ScenarioError::new(&Place::unread(option), key, what, help)
        };
        let [from, to] = [("--from", from), ("--to", to)].map(|(option, text)| {
            match plain::read(key, kind, &Value::from_set(key, text)) {
                Ok(Plain::Integer(number)) => Ratio::new(number, 1)
                    .map_err(|_| refuse(option, "0".into(), "legal: a number above 0")),
                Ok(Plain::Ratio(Some(ratio))) => Ok(ratio),
                Ok(other) => Err(refuse(option, short(&other.label()), "legal: a number above 0")),
                Err(error) => Err(refuse(option, error.message, &error.help)),
            }
        });
        let (from, to) = (from?, to?);
        if from >= to {
            let what = format!("{} is not above --from, {}", to.to_f64(), from.to_f64());
            return Err(refuse("--to", what, "legal: a number above --from").into());
        }
        let step = match kind {
            Kind::Integer { .. } => Ratio::ONE,
            _ => power_of_ten(tolerance * from.to_f64()),
        };
        let wide = (to.to_f64() - from.to_f64()) / step.to_f64();
        if wide > STEPS_MAX as f64 {
            let what = format!("{wide:.0} steps of {}", step.to_f64());
            let help = "legal: up to 1000000 steps: a larger tolerance or --from";
            return Err(refuse("--tolerance", what, help).into());
        }
        let mut steps = Steps { from, to, step, count: wide.ceil() as usize + 1 };
        // The quotient was rounded: the last step but one has to be below the end.
        while steps.count > 2 && steps.ratio(steps.count - 2) >= to {
            steps.count -= 1;
        }
        Ok(steps)
    }

    /// How many values there are.
    #[expect(clippy::len_without_is_empty, reason = "both ends are always there")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The value of this number, from 0, as a file has it; from the last one on the end.
    pub fn text(&self, at: usize) -> String {
        Plain::Ratio(Some(self.ratio(at))).label()
    }

    /// The same, rounded.
    pub fn value(&self, at: usize) -> f64 {
        self.ratio(at).to_f64()
    }

    fn ratio(&self, at: usize) -> Ratio {
        let [from, step] =
            [self.from, self.step].map(|of| Number::new(of.num().into(), of.den().into()));
        let steps = step.checked_mul(&(at as i128).into());
        let value = steps.and_then(|steps| from.checked_add(&steps)).and_then(|value| {
            Ratio::of_wide(value.numer().unsigned_abs(), value.denom().unsigned_abs()).ok()
        });
        // What 64 bits do not hold lies behind the end.
        value.map_or(self.to, |value| value.min(self.to))
    }
}

/// What a key takes, where it takes a number.
fn kind(key: &str) -> Result<Kind, Errors> {
    let place = Place::unread("--axis");
    let Some(found) = keys::find(key) else {
        let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
        let error = settings::unknown(section, key, name, &place);
        return Err(ScenarioError { message: "unknown key".to_owned(), ..error }.into());
    };
    match found.kind {
        Kind::Integer { .. } | Kind::Ratio | Kind::Rate | Kind::Share | Kind::Part | Kind::Ns => {
            Ok(found.kind)
        }
        other => {
            let help = format!(
                "legal: a key that takes a number, such as workload.load; this one takes {}",
                other.legal()
            );
            Err(ScenarioError::new(&place, short(key), "it takes no number", help).into())
        }
    }
}

/// The largest power of ten up to `most`, down to 1e-9.
fn power_of_ten(most: f64) -> Ratio {
    let (mut num, mut den) = (1, 1);
    while num as f64 / den as f64 > most && den < 1_000_000_000 {
        den *= 10;
    }
    while den == 1 && num < 1_000_000_000 && (num * 10) as f64 <= most {
        num *= 10;
    }
    Ratio::new(num, den).unwrap_or(Ratio::ONE)
}
