//! Long tables of a page as files beside it.

use std::fmt::Write as _;

const LINES_MAX: usize = 8;

/// What the heads of a table hold that stays, however long: verdicts, and the victims of `pfc`.
const STAYS: [&str; 2] = ["| verdict |", "| CNPs |"];

/// The text with links for long tables, and those: name below `docs/reproduction`, CSV.
pub(super) fn aside(page: &str, text: &str) -> (String, Vec<(String, String)>) {
    let (mut out, mut files) = (String::new(), Vec::new());
    let mut heading = String::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = slug(title);
        }
        let mut table = line.to_string();
        while line.starts_with('|')
            && let Some(next) = lines.next_if(|next| next.starts_with('|'))
        {
            table.push_str(next);
        }
        // below the heads and the rule
        let rows = table.lines().count() - 1;
        if !line.starts_with('|')
            || rows <= LINES_MAX + 1
            || STAYS.iter().any(|head| line.contains(head))
        {
            out.push_str(&table);
            continue;
        }
        let stem = format!("{page}-{heading}");
        let before = files.iter().filter(|(file, _): &&(String, _)| file.starts_with(&stem));
        let number = match before.count() {
            0 => String::new(),
            n => format!("-{}", n + 1),
        };
        let file = format!("{stem}{number}.csv");
        let before = out.trim_end().rsplit('\n').next().unwrap_or_default();
        if !before.starts_with(['#', '|']) {
            // of the paragraph that says what the table has
            out.truncate(out.trim_end().len() + 1);
        }
        let _ = writeln!(out, "[{} lines](../reproduction/{file}).", rows - 1);
        files.push((file, csv(&table)));
    }
    (out, files)
}

fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words.filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    words.join("-")
}

fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(str::trim).collect()
}

fn csv(table: &str) -> String {
    let quoted = |cell: &str| {
        let cell = cell.replace('`', "");
        if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    let lines = table.lines().enumerate().filter(|(at, _)| *at != 1);
    let lines = lines.map(|(_, line)| {
        let cells: Vec<String> = cells(line).into_iter().map(quoted).collect();
        cells.join(",") + "\n"
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{LINES_MAX, aside};

    #[test]
    fn a_long_table_is_a_file_and_a_short_one_stays() {
        let row = "| `a`, b | 1 |\n";
        let head = "| of `x` | n |\n|---|---|\n";
        let short = format!("## One: two\n\nText.\n\n{head}{}\n", row.repeat(LINES_MAX));
        assert_eq!(aside("page", &short), (short.clone(), Vec::new()));
        let long = format!("{head}{}", row.repeat(LINES_MAX + 1));
        let (text, files) = aside("page", &format!("{short}{long}\n{long}\nEnd.\n"));
        let link = |file| format!("[9 lines](../reproduction/{file}).\n");
        let [one, two] = ["page-one-two.csv", "page-one-two-2.csv"];
        assert_eq!(text, format!("{short}{}{}\nEnd.\n", link(one), link(two)));
        let csv = format!("of x,n\n{}", "\"a, b\",1\n".repeat(LINES_MAX + 1));
        assert_eq!(files, [(one.to_string(), csv.clone()), (two.to_string(), csv)]);
        let verdicts = long.replace("| n |", "| verdict |");
        assert_eq!(aside("page", &verdicts), (verdicts.clone(), Vec::new()));
    }
}
