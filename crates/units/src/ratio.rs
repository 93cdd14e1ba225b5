use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A positive rational number in lowest terms: speedups and rates, exact.
///
/// Invariant: numerator and denominator are at least 1 and have no common factor, so equal values
/// are equal bit for bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    num: u64,
    den: u64,
}

/// Why a [`Ratio`] was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatioError {
    /// Zero, negative or not finite.
    #[error("{given} is not a positive number")]
    NotPositive {
        /// The value as given.
        given: String,
    },
    /// Neither a fraction nor a decimal number.
    #[error("`{given}` is not a ratio; write a fraction such as 3/2 or a decimal such as 1.5")]
    Syntax {
        /// The text as given.
        given: String,
    },
    /// Numerator or denominator would need more than 64 bits.
    #[error("{given} needs a numerator or denominator of more than 64 bits")]
    TooLong {
        /// The value or operation as given.
        given: String,
    },
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ratio {
    /// One.
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };

    /// `num / den`, reduced. Zero on either side is refused.
    pub fn new(num: u64, den: u64) -> Result<Ratio, RatioError> {
        Ratio::of_wide(num.into(), den.into())
    }

    /// The same of longer numbers; refused where it needs more than 64 bits on either side.
    pub fn of_wide(num: u128, den: u128) -> Result<Ratio, RatioError> {
        Ratio::reduce(num, den, || format!("{num}/{den}"))
    }

    /// Numerator, in lowest terms.
    #[inline]
    pub fn num(self) -> u64 {
        self.num
    }

    /// Denominator, in lowest terms.
    #[inline]
    pub fn den(self) -> u64 {
        self.den
    }

    /// The nearest floating-point number; for output only.
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// The reciprocal.
    pub fn recip(self) -> Ratio {
        Ratio { num: self.den, den: self.num }
    }

    /// The exact product; refused where it needs more than 64 bits on either side.
    #[expect(clippy::should_implement_trait, reason = "the operators cannot refuse")]
    pub fn mul(self, other: Ratio) -> Result<Ratio, RatioError> {
        // The products of two u64 always fit a u128.
        Ratio::reduce(
            u128::from(self.num) * u128::from(other.num),
            u128::from(self.den) * u128::from(other.den),
            || format!("{self} x {other}"),
        )
    }

    /// The exact quotient; refused where it needs more than 64 bits on either side.
    #[expect(clippy::should_implement_trait, reason = "the operators cannot refuse")]
    pub fn div(self, other: Ratio) -> Result<Ratio, RatioError> {
        self.mul(other.recip())
    }

    fn reduce(num: u128, den: u128, given: impl Fn() -> String) -> Result<Ratio, RatioError> {
        if num == 0 || den == 0 {
            return Err(RatioError::NotPositive { given: given() });
        }
        let common = gcd(num, den);
        match (u64::try_from(num / common), u64::try_from(den / common)) {
            (Ok(num), Ok(den)) => Ok(Ratio { num, den }),
            _ => Err(RatioError::TooLong { given: given() }),
        }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (u128::from(self.num) * u128::from(other.den))
            .cmp(&(u128::from(other.num) * u128::from(self.den)))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `3/2`, or `2` where the denominator is 1; [`Ratio::from_str`] reads it back.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

/// Digits only: the parsers of the standard library would also take a sign.
fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Reads `3/2`, `1.5` or `2`. A decimal is taken as written: `0.1` is exactly 1/10.
impl FromStr for Ratio {
    type Err = RatioError;

    fn from_str(text: &str) -> Result<Ratio, RatioError> {
        let given = || text.to_owned();
        let long = || RatioError::TooLong { given: given() };
        let (num, den) = if let Some((num, den)) = text.split_once('/') {
            if !digits(num) || !digits(den) {
                return Err(RatioError::Syntax { given: given() });
            }
            (num.parse().map_err(|_| long())?, den.parse().map_err(|_| long())?)
        } else {
            let (whole, fraction) = match text.split_once('.') {
                Some((whole, fraction)) if digits(fraction) => (whole, fraction),
                Some(_) => return Err(RatioError::Syntax { given: given() }),
                None => (text, ""),
            };
            if !digits(whole) {
                // A minus before a number is a wrong value, not wrong writing.
                let positive = whole.strip_prefix('-').is_none_or(|rest| !digits(rest));
                return Err(if positive {
                    RatioError::Syntax { given: given() }
                } else {
                    RatioError::NotPositive { given: given() }
                });
            }
            let fraction = fraction.trim_end_matches('0');
            let places = u32::try_from(fraction.len()).map_err(|_| long())?;
            let den = 10u128.checked_pow(places).ok_or_else(long)?;
            let num = format!("{whole}{fraction}").parse().map_err(|_| long())?;
            (num, den)
        };
        Ratio::reduce(num, den, given)
    }
}

/// Takes the number as its shortest decimal text, which is what its writer meant: 0.1 is 1/10, not
/// the nearest binary fraction.
impl TryFrom<f64> for Ratio {
    type Error = RatioError;

    fn try_from(x: f64) -> Result<Ratio, RatioError> {
        if !x.is_finite() || x <= 0.0 {
            return Err(RatioError::NotPositive { given: format!("{x}") });
        }
        format!("{x}").parse()
    }
}
