//! Escaping and numbers for people.

/// Text for HTML, in content and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // control characters are not legal in HTML; a visible stand-in tells that one was there
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with `decimals` digits after the point, thousands apart.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut out = String::new();
    if value < 0.0 && plain.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('\u{2212}');
    }
    for (i, digit) in whole.chars().enumerate() {
        // four digits stay together, as is usual
        if i > 0 && whole.len() > 4 && (whole.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out + fraction
}

/// A number as short as it is exact.
pub(crate) fn shortest(value: f64) -> String {
    let plain = value.to_string();
    number(value, plain.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// A number with five significant digits, fewer where they are zeros.
pub(crate) fn significant(value: f64) -> String {
    shortest(rounded(value))
}

/// The same as a number.
pub(crate) fn rounded(value: f64) -> f64 {
    let whole = value.abs().max(1e-6).log10().floor() as i32;
    let factor = 10f64.powi((4 - whole).clamp(0, 9));
    (value * factor).round() / factor
}

/// ns for people.
pub(crate) fn time(ns: f64) -> String {
    match ns {
        ns if ns >= 1e6 => format!("{} ms", shortest(ns / 1e6)),
        ns if ns >= 1e3 => format!("{} \u{b5}s", shortest(ns / 1e3)),
        ns => format!("{} ns", shortest(ns)),
    }
}

/// A mean, and below it half of its 95 % interval, where there is one and it is not 0 as printed.
pub(crate) fn with_half(mean: &str, half: Option<f64>, decimals: usize) -> String {
    let [half, nothing] = [half.unwrap_or(0.0), 0.0].map(|half| number(half, decimals));
    match half == nothing {
        true => mean.into(),
        false => format!("{mean}<small>\u{b1}{half}</small>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_inert() {
        assert_eq!(
            escape("<a href='x' b=\"y\">&\u{7}"),
            "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;\u{fffd}"
        );
    }

    #[test]
    fn numbers_have_their_thousands_apart() {
        let shown = [
            number(1234.5, 1),
            number(12345.0, 0),
            number(-1_234_567.891, 2),
            number(-0.001, 2),
            shortest(0.25),
            significant(0.123_456_7),
            significant(123.000_01),
            significant(1_234_567.8),
        ];
        assert_eq!(
            shown,
            [
                "1234.5",
                "12\u{202f}345",
                "\u{2212}1\u{202f}234\u{202f}567.89",
                "0.00",
                "0.25",
                "0.12346",
                "123",
                "1\u{202f}234\u{202f}568"
            ]
        );
    }
}
