//! Sections of the page, and lines of a table: what was measured now replaces what stood there, the
//! rest stays.

/// What stands under a title of the third level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: String,
    /// Without the empty lines around it.
    pub(super) body: String,
}

/// What begins a section.
const MARK: &str = "\n### ";

/// The sections of a text; what stands before the first is none.
pub(super) fn split(text: &str) -> Vec<Section> {
    text.split(MARK)
        .skip(1)
        .map(|section| {
            let (title, body) = section.split_once('\n').unwrap_or((section, ""));
            let [title, body] = [title, body].map(|part| part.trim().to_string());
            Section { title, body }
        })
        .collect()
}

/// The reverse of [`split`].
pub(super) fn join(sections: &[Section]) -> String {
    sections
        .iter()
        .map(|Section { title, body }| format!("{MARK}{title}\n\n{body}\n"))
        .collect()
}

/// Lines of the table in a section, without its head.
pub(super) fn table(body: &str) -> Vec<String> {
    let lines = body.lines().skip_while(|line| !line.starts_with("|---"));
    let lines = lines.skip(1).take_while(|line| line.starts_with('|'));
    lines.map(str::to_string).collect()
}

/// What names a line of a table.
pub(super) fn first_column(line: &str) -> &str {
    line.split('|').nth(1).unwrap_or(line).trim()
}

/// `before` with what was measured in the place of what has the same name; what is new comes behind
/// what was measured before it.
pub(super) fn merge<T>(
    mut before: Vec<T>,
    measured: impl IntoIterator<Item = T>,
    name: fn(&T) -> &str,
) -> Vec<T> {
    let mut next = 0;
    for new in measured {
        match before.iter().position(|old| name(old) == name(&new)) {
            Some(at) => {
                before[at] = new;
                next = at + 1;
            }
            None => {
                before.insert(next, new);
                next += 1;
            }
        }
    }
    before
}

#[cfg(test)]
mod tests {
    use super::{Section, first_column, join, merge, split, table};

    const PAGE: &str = "\nA preface.\n\n### Load\n\nold\n\n### Units\n\nkept\n\n- with ### in it\n";

    fn section(title: &str, body: &str) -> Section {
        let [title, body] = [title, body].map(str::to_string);
        Section { title, body }
    }

    #[test]
    fn a_text_is_its_sections() {
        let sections = split(PAGE);
        assert_eq!(
            sections,
            [
                section("Load", "old"),
                section("Units", "kept\n\n- with ### in it")
            ]
        );
        assert_eq!(format!("\nA preface.\n{}", join(&sections)), PAGE);
        assert_eq!(split("no section"), []);
    }

    // A run that measures less deletes nothing; a section that is new stands where the run has it.
    #[test]
    fn what_was_not_measured_stays() {
        let new = ["Goals", "Load", "Threads"].map(|title| section(title, "new"));
        let merged = merge(split(PAGE), new, |s| &s.title);
        let titles: Vec<_> = merged.iter().map(|s| (&*s.title, &*s.body)).collect();
        let kept = "kept\n\n- with ### in it";
        assert_eq!(
            titles,
            [
                ("Goals", "new"),
                ("Load", "new"),
                ("Threads", "new"),
                ("Units", kept)
            ]
        );
        assert_eq!(merge(split(PAGE), [], |s| &s.title), split(PAGE));
    }

    #[test]
    fn lines_of_a_table_are_merged_by_their_first_column() {
        let before =
            table("Text.\n\n| goal | |\n|---|---|\n| speed | 1 |\n| memory | 2 |\n\nMore.");
        assert_eq!(before, ["| speed | 1 |", "| memory | 2 |"]);
        let merged = merge(before, ["| memory | 3 |".to_string()], |l| first_column(l));
        assert_eq!(merged, ["| speed | 1 |", "| memory | 3 |"]);
    }
}
