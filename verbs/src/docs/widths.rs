//! Lines at most 100 wide: all of Markdown, and the comments of Rust, which rustfmt leaves alone.

use crate::wrap::WIDTH_MAX;

/// Generated pages whose tables have more figures a row than fit: their tables are not checked.
const WIDE_TABLES: [&str; 12] = [
    "docs/memory-table.md",
    "docs/notes/ecn-beside-recn.md",
    "docs/notes/garcia-mesh-2005.md",
    "docs/notes/garcia-trees-2005.md",
    "docs/notes/garcia-trees-2005-shapes.md",
    "docs/notes/lai-rsi.md",
    "docs/notes/pfc.md",
    "docs/notes/priya-recn-iq-2017.md",
    "docs/notes/rack-study.md",
    "docs/notes/santos-ecn-2002.md",
    "docs/performance/results.md",
    "docs/units/saq-life-cycle.md",
];

/// Lines of a page that are too wide, each as `FILE:LINE: ...`.
pub(super) fn of_page(name: &str, text: &str) -> Vec<String> {
    let wide_tables = WIDE_TABLES.contains(&name);
    too_wide(name, text, |line| !(is_one_address(line) || wide_tables && line.starts_with('|')))
}

/// Lines of a source file that are or end with a comment and are too wide.
pub(super) fn of_comments(name: &str, text: &str) -> Vec<String> {
    too_wide(name, text, |line| has_comment(line) && !is_one_address(line))
}

fn too_wide(name: &str, text: &str, counts: impl Fn(&str) -> bool) -> Vec<String> {
    let wide = text.lines().enumerate().filter_map(|(at, line)| {
        let width = line.chars().count();
        let found = width > WIDTH_MAX && counts(line);
        found.then(|| format!("{name}:{}: {width} columns, at most {WIDTH_MAX}", at + 1))
    });
    wide.collect()
}

/// A link target that no line break can shorten, with what introduces it.
fn is_one_address(line: &str) -> bool {
    let words = line.split_whitespace();
    line.contains("://") && words.filter(|word| word.len() > 3).count() == 1
}

/// Whether a line is a comment, or has a comment behind its code.
fn has_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
        || line
            .rsplit_once(" // ")
            .is_some_and(|(code, _)| code.trim_end().ends_with([';', ',', '{', '}']))
}

#[cfg(test)]
mod tests {
    use super::{of_comments, of_page};

    fn long(begin: &str) -> String {
        format!("{begin}{}", "word ".repeat(30).trim_end())
    }

    /// Only named pages' tables, and addresses, may be wider; comments are checked, code is not.
    #[test]
    fn wide_lines_are_reported_with_their_places() {
        let text = format!("short\n{}\n", long(""));
        assert_eq!(of_page("a.md", &text), ["a.md:2: 149 columns, at most 100"]);
        let (pfc, source) = ("docs/notes/pfc.md", "crates/cam/src/lib.rs");
        let address = format!("- https://host/{}", "x".repeat(100));
        type Check = fn(&str, &str) -> Vec<String>;
        let cases: [(Check, &str, String, usize); 10] = [
            (of_page, "a.md", "short\n".to_string(), 0),
            (of_page, "a.md", long("| "), 1),
            (of_page, pfc, long("| "), 0),
            (of_page, pfc, long(""), 1),
            (of_page, "a.md", address, 0),
            (of_comments, source, long("    /// "), 1),
            (of_comments, source, long("//! "), 1),
            (of_comments, source, long("    // "), 1),
            (of_comments, source, long("let a = 1; // "), 1),
            (of_comments, source, long("let s = \"a // "), 0),
        ];
        for (check, name, text, count) in cases {
            assert_eq!(check(name, &text).len(), count, "{name}: {text}");
        }
    }
}
