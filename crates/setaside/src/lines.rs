//! Lines of a name and a value for people, no wider than a terminal.

use study::WIDTH;

/// Adds a line of a name, in a column of `at`, and a value. One that does not fit goes on below
/// itself, where it can behind a comma or a semicolon.
pub(crate) fn add(text: &mut String, at: usize, name: &str, value: &str) {
    let at = at.max(name.chars().count());
    let mut head = format!("{name:<at$} ");
    let mut rest = value;
    while rest.chars().count() > WIDTH.saturating_sub(at + 1) {
        let Some(end) = end_of_line(rest, WIDTH.saturating_sub(at + 1)) else {
            break;
        };
        *text += &format!("{head}{}\n", &rest[..end]);
        head = " ".repeat(at + 1);
        rest = rest[end..].trim_start();
    }
    *text += &format!("{head}{rest}\n");
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
    use super::add;

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
        assert_eq!(
            line(&parts),
            format!("{head}{two}\n{below}{}\n", &last[1..])
        );
        let words = format!("{0} {0} {0}", "x".repeat(28));
        let (two, last) = words.split_at(57);
        assert_eq!(
            line(&words),
            format!("{head}{two}\n{below}{}\n", &last[1..])
        );
        // A word that fits nowhere stays whole.
        let long = "x".repeat(99);
        assert_eq!(line(&long), format!("{head}{long}\n"));
    }
}
