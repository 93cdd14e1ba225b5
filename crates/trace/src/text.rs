//! Numbers and words of text formats.

/// The longest that is shown of what was found, in characters.
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

/// Seconds as decimal text in ns, exactly; what is finer than a ns is cut off.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let mut ns = 0;
    for place in 0..9 {
        let digit = fraction.as_bytes().get(place).map_or(0, |b| b - b'0');
        ns = ns * 10 + u64::from(digit);
    }
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(1_000_000_000)?.checked_add(ns)
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
