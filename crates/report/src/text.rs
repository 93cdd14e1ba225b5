//! Escaping, numbers for people, and lists of what differs from point to point.

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
            // control characters are not legal in HTML; a visible mark is put in its place
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

pub(crate) fn shortest(value: f64) -> String {
    let plain = value.to_string();
    number(value, plain.split_once('.').map_or(0, |(_, fraction)| fraction.len()))
}

/// A number with five significant digits, fewer where they are zeros.
pub(crate) fn significant(value: f64) -> String {
    shortest(rounded(value))
}

pub(crate) fn rounded(value: f64) -> f64 {
    let whole = value.abs().max(1e-6).log10().floor() as i32;
    let factor = 10f64.powi((4 - whole).clamp(0, 9));
    (value * factor).round() / factor
}

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

/// Values in the order of the points, none twice. Where they differ in one number alone, what they
/// share is written once: `0.2, 0.5 or 0.8 of link rate, uniform`, of more than `max` the range:
/// `0.2 to 0.95 of link rate (8 values), uniform`. Others have `between` between them, or more than
/// `max` are counted.
pub fn listed(values: &[impl AsRef<str>], max: usize, between: &str) -> String {
    let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
    if let Some(text) = by_number(&values, max) {
        return text;
    }
    match values[..] {
        [first, .., last] if values.len() > max => {
            format!("{} values, {first} to {last}", values.len())
        }
        _ => values.join(between),
    }
}

pub(crate) fn joined<T: ToString>(all: impl IntoIterator<Item = T>, between: &str) -> String {
    let texts: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    texts.join(between)
}

/// What differs, in order.
pub fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// The values, where one number is all that they differ in.
fn by_number(values: &[&str], max: usize) -> Option<String> {
    let words: Vec<Vec<&str>> = values.iter().map(|value| value.split(' ').collect()).collect();
    let (first, others) = words.split_first()?;
    if others.is_empty() || others.iter().any(|other| other.len() != first.len()) {
        return None;
    }
    let differs = |at: &usize| others.iter().any(|other| other[*at] != first[*at]);
    let mut places = (0..first.len()).filter(differs);
    let (Some(place), None) = (places.next(), places.next()) else {
        return None;
    };
    let texts = words.iter().map(|words| words[place].trim_end_matches(','));
    let numbers: Option<Vec<(f64, &str)>> = texts.map(|text| Some((parsed(text)?, text))).collect();
    let mut numbers = numbers?;
    // one of a list of numbers would read as a longer list
    let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
    let is_number = |word: &&str| parsed(word.trim_end_matches(',')).is_some();
    if beside.filter_map(|at| first.get(at)).any(is_number) {
        return None;
    }
    let is_range = values.len() > max;
    let comma = if first[place].ends_with(',') { "," } else { "" };
    let mut words: Vec<String> = first.iter().map(|word| (*word).to_string()).collect();
    if is_range {
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        words[place] = format!("{} to {}{comma}", numbers[0].1, numbers[numbers.len() - 1].1);
        // behind what the number is of
        let count = format!(" ({} values)", values.len());
        let end = words[place..].iter().position(|word| word.ends_with(','));
        let word = &mut words[end.map_or(first.len() - 1, |end| place + end)];
        word.insert_str(word.trim_end_matches(',').len(), &count);
    } else {
        let (last, rest) = numbers.split_last()?;
        words[place] = format!("{} or {}{comma}", joined(rest.iter().map(|n| n.1), ", "), last.1);
    }
    Some(words.join(" "))
}

/// A number as scenarios write it: `0.5` or `3/2`.
fn parsed(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((over, under)) => Some(parsed(over)? / parsed(under)?),
        None => text.parse().ok(),
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
        for (shown, text) in [
            (number(1234.5, 1), "1234.5"),
            (number(12345.0, 0), "12\u{202f}345"),
            (number(-1_234_567.891, 2), "\u{2212}1\u{202f}234\u{202f}567.89"),
            (number(-0.001, 2), "0.00"),
            (shortest(0.25), "0.25"),
            (significant(0.123_456_7), "0.12346"),
            (significant(123.000_01), "123"),
            (significant(1_234_567.8), "1\u{202f}234\u{202f}568"),
        ] {
            assert_eq!(shown, text);
        }
    }

    // "the printed workload says `load 0.2 of link rate, uniform; 0.4 of ...` for every value of an
    // axis": what the values share is written once.
    #[test]
    fn values_that_differ_in_a_number_share_their_words() {
        let rates = |numbers: &[&str]| -> Vec<String> {
            let text = |number: &&str| format!("{number} of link rate, uniform");
            numbers.iter().map(text).collect()
        };
        let text = |values: &[String]| listed(values, 6, "; ");
        assert_eq!(text(&rates(&["0.2"])), "0.2 of link rate, uniform");
        assert_eq!(text(&rates(&["0.2", "1/4"])), "0.2 or 1/4 of link rate, uniform");
        assert_eq!(text(&rates(&["0.2", "0.4", "0.6"])), "0.2, 0.4 or 0.6 of link rate, uniform");
        let many = ["0.9", "0.2", "0.4", "10", "0.7", "1/8", "0.8"];
        assert_eq!(text(&rates(&many)), "1/8 to 10 of link rate (7 values), uniform");
        for (values, text) in [
            (&["1q"][..], "1q"),
            (&["1q", "recn"], "1q; recn"),
            (&["bmin, 16 end nodes", "bmin, 64 end nodes"], "bmin, 16 or 64 end nodes"),
            (&["bmin, 16 end nodes", "mesh, 9 end nodes"], "bmin, 16 end nodes; mesh, 9 end nodes"),
            (&["to 5, 9, on", "to 5, 8, on"], "to 5, 9, on; to 5, 8, on"),
            (&["1", "2", "3", "4", "5", "6", "7"], "1 to 7 (7 values)"),
            (&["a", "b", "c", "d", "e", "f", "g"], "7 values, a to g"),
        ] {
            assert_eq!(listed(values, 6, "; "), text);
        }
    }
}
