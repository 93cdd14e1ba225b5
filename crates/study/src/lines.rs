//! Lines of a name and a value for people, no wider than a terminal.

use crate::WIDTH;

/// Adds a line of a name, in a column of `at`, and a value. One that does not fit continues below
/// itself, where it can behind a comma or a semicolon.
pub fn add(text: &mut String, at: usize, name: &str, value: &str) {
    let at = at.max(name.chars().count());
    let mut head = format!("{name:<at$} ");
    let mut rest = value;
    let width = WIDTH.saturating_sub(at + 1);
    while rest.chars().count() > width {
        let Some(end) = end_of_line(rest, width) else { break };
        *text += &format!("{head}{}\n", &rest[..end]);
        head = " ".repeat(at + 1);
        rest = rest[end..].trim_start();
    }
    *text += &format!("{head}{rest}\n");
}

/// A number with so many decimals, or `> 1` where it is more than `most`, 1, as printed.
pub fn at_most(value: f64, most: f64, decimals: usize) -> String {
    match value - most > 0.5 * 10f64.powi(-(decimals as i32)) {
        true => format!("> {most}"),
        false => format!("{value:.decimals$}"),
    }
}

/// `28.48 ±0.12`; the mean alone where there is no interval or none as printed.
pub(crate) fn with_half(mean: String, half: Option<f64>, decimals: usize) -> String {
    let [half, nothing] = [half.unwrap_or(0.0), 0.0].map(|half| format!("{half:.decimals$}"));
    if half == nothing { mean } else { format!("{mean} ±{half}") }
}

/// What `±` means; of these replicas.
pub(crate) fn half_legend(replicas: usize) -> String {
    format!("±: half of the 95 % interval over {replicas} seeds, by Student's t")
}

/// `all 5 runs`, or `2 of 5 runs`.
pub(crate) fn listed_count(count: usize, of: usize, what: &str) -> String {
    match (count == of, of) {
        (_, 1) => format!("the {what}"),
        (true, _) => format!("all {of} {what}s"),
        (false, _) => format!("{count} of {of} {what}s"),
    }
}

/// A line with how many rows behind `most` are left out, if any.
pub(crate) fn more(rows: usize, most: usize, what: &str) -> String {
    match rows.saturating_sub(most) {
        0 => String::new(),
        more => format!("{more} more {what}: --format json\n"),
    }
}

/// A sentence as lines; what does not fit continues below, indented by two. Own lines stay.
pub fn sentence(text: &str) -> String {
    if text.contains('\n') {
        return format!("{text}\n");
    }
    filled(text.split(' '), (0, 2), WIDTH)
}

/// Words in lines of at most `width` characters, the first and the others indented by so many.
pub fn filled<'a>(
    words: impl Iterator<Item = &'a str>,
    (first, rest): (usize, usize),
    width: usize,
) -> String {
    let mut lines = " ".repeat(first);
    let mut at = first;
    for (n, word) in words.enumerate() {
        let length = word.chars().count();
        if n > 0 && at + 1 + length > width {
            lines.push('\n');
            lines.push_str(&" ".repeat(rest));
            at = rest;
        } else if n > 0 {
            lines.push(' ');
            at += 1;
        }
        lines.push_str(word);
        at += length;
    }
    lines.push('\n');
    lines
}

/// Where a value is broken that may have so many characters in a line.
fn end_of_line(value: &str, width: usize) -> Option<usize> {
    let spaces = value.char_indices().enumerate();
    let spaces = spaces.filter(|(_, (_, c))| *c == ' ');
    let fits = spaces.take_while(|(count, _)| *count <= width);
    let ends: Vec<usize> = fits.map(|(_, (at, _))| at).collect();
    let behind_comma = |at: &&usize| value[..**at].ends_with([',', ';']);
    ends.iter().rfind(behind_comma).or(ends.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, add, sentence};

    fn line(value: &str) -> String {
        let mut text = String::new();
        add(&mut text, 20, "name", value);
        text
    }

    #[test]
    fn values_go_on_below_themselves() {
        let head = format!("{:<20} ", "name");
        let fits = "x".repeat(59);
        assert_eq!(line(&fits), format!("{head}{fits}\n"));
        let parts = format!("{0}, {0}, {0} {0}", "x".repeat(20));
        let below = " ".repeat(21);
        let (two, last) = parts.split_at(43);
        assert_eq!(line(&parts), format!("{head}{two}\n{below}{}\n", &last[1..]));
        let words = format!("{0} {0} {0}", "x".repeat(28));
        let (two, last) = words.split_at(57);
        assert_eq!(line(&words), format!("{head}{two}\n{below}{}\n", &last[1..]));
        // A word that fits nowhere stays whole.
        let long = "x".repeat(99);
        assert_eq!(line(&long), format!("{head}{long}\n"));
    }

    #[test]
    fn sentences_go_on_below_and_lose_no_word() {
        let long = "word ".repeat(99);
        let long = long.trim_end();
        let lines = sentence(long);
        assert!(lines.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(lines.lines().skip(1).all(|line| line.starts_with("  word")));
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>().join(" "), long);
        // 16 words have 79 characters: one more does not fit
        assert_eq!(lines.lines().next().map(str::len), Some(79));
        assert_eq!(sentence("short"), "short\n");
        let dump = format!("error\n  {}", "x ".repeat(60));
        assert_eq!(sentence(&dump), format!("{dump}\n"));
    }
}
