//! Aligned text for people: [`TextTable`].

/// A table of text, a row a value; headings are broken at spaces, units are below them.
#[derive(Debug, Clone)]
pub struct TextTable<'a, T> {
    rows: Vec<&'a T>,
    columns: Vec<Column>,
    /// Headings of names are broken behind `.` and `_` too.
    keys_broken: bool,
}

/// A column: its title, the unit of its numbers (`None`: it has names), and its cell of a value.
pub type TextColumn<T> = (&'static str, Option<&'static str>, fn(&T) -> String);

#[derive(Debug, Clone)]
struct Column {
    title: String,
    unit: String,
    left: bool,
    cells: Vec<String>,
}

impl<'a, T> TextTable<'a, T> {
    /// A table of these values, still without columns.
    pub fn new(rows: impl IntoIterator<Item = &'a T>) -> Self {
        TextTable { rows: rows.into_iter().collect(), columns: Vec::new(), keys_broken: false }
    }

    /// A table of these columns with a row for each of these values.
    pub fn of(columns: &[TextColumn<T>], rows: impl IntoIterator<Item = &'a T>) -> Self {
        let mut table = TextTable::new(rows);
        for (title, unit, cell) in columns {
            table.column(title, unit.unwrap_or_default(), unit.is_none(), cell);
        }
        table
    }

    /// A further column of names, flush left; with a unit where each is a quantity.
    pub fn names(&mut self, title: &str, unit: &str, cell: impl Fn(&T) -> String) {
        self.column(title, unit, true, cell);
    }

    /// A further column of numbers, flush right.
    pub fn numbers(&mut self, title: &str, unit: &str, cell: impl Fn(&T) -> String) {
        self.column(title, unit, false, cell);
    }

    fn column(&mut self, title: &str, unit: &str, left: bool, cell: impl Fn(&T) -> String) {
        let cells = self.rows.iter().map(|row| cell(row)).collect();
        self.columns.push(Column { title: title.to_string(), unit: unit.to_string(), left, cells });
    }

    /// Whether some cell has this text in it.
    pub fn has(&self, mark: &str) -> bool {
        self.columns.iter().flat_map(|column| &column.cells).any(|cell| cell.contains(mark))
    }

    /// The text, a line end behind each line.
    pub fn text(&self) -> String {
        self.text_of(&self.all())
    }

    /// Characters of a line.
    pub fn whole_width(&self) -> usize {
        self.line_width(&self.all())
    }

    fn all(&self) -> Vec<usize> {
        (0..self.columns.len()).collect()
    }

    /// The text in at most `width` characters a line, and the columns left out for that: those of
    /// `least` in turn, then numbers from the right. Columns of names stay; before any column goes,
    /// headings are broken behind `.` and `_`.
    pub fn fitted(&mut self, width: usize, least: &[&str]) -> (String, Vec<&str>) {
        self.keys_broken = self.whole_width() > width;
        let mut shown = self.all();
        let is = |c: usize, title: &str| self.columns[c].title == title;
        let mut least = least.iter();
        while self.line_width(&shown) > width {
            let out = match least.next() {
                Some(title) => shown.iter().position(|&c| is(c, title)),
                None => match shown.iter().rposition(|&c| !self.columns[c].left) {
                    Some(at) => Some(at),
                    None => break,
                },
            };
            out.map(|at| shown.remove(at));
        }
        let left_out = (0..self.columns.len()).filter(|c| !shown.contains(c));
        let left_out = left_out.map(|c| &*self.columns[c].title).collect();
        (self.text_of(&shown), left_out)
    }

    fn line_width(&self, shown: &[usize]) -> usize {
        let widths: usize = shown.iter().map(|&c| self.width(c)).sum();
        widths + 2 * shown.len().saturating_sub(1)
    }

    fn text_of(&self, shown: &[usize]) -> String {
        let widths: Vec<usize> = shown.iter().map(|&c| self.width(c)).collect();
        let titles: Vec<Vec<String>> =
            shown.iter().zip(&widths).map(|(&c, &width)| broken(&self.pieces(c), width)).collect();
        let deepest = titles.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        let mut line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> = (0..widths.len())
                .map(|c| {
                    let (text, width) = (cell(c), widths[c]);
                    if self.columns[shown[c]].left {
                        format!("{text:<width$}")
                    } else {
                        format!("{text:>width$}")
                    }
                })
                .collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        };
        for n in 0..deepest {
            // flush with the units below
            line(&|c| {
                let above = deepest - titles[c].len();
                n.checked_sub(above).map_or(String::new(), |at| titles[c][at].clone())
            });
        }
        if shown.iter().any(|&c| !self.columns[c].unit.is_empty()) {
            line(&|c| self.columns[shown[c]].unit.clone());
        }
        line(&|c| "-".repeat(widths[c]));
        for row in 0..self.rows.len() {
            line(&|c| self.columns[shown[c]].cells[row].clone());
        }
        out
    }

    fn width(&self, column: usize) -> usize {
        let Column { unit, cells, .. } = &self.columns[column];
        let pieces = self.pieces(column).into_iter().map(str::trim_end);
        let texts = pieces.chain([unit.as_str()]).chain(cells.iter().map(String::as_str));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    }

    /// A heading in the pieces between which it may be broken.
    fn pieces(&self, column: usize) -> Vec<&str> {
        let heading = &self.columns[column];
        let ends: &[char] =
            if heading.left && self.keys_broken { &[' ', '.', '_'] } else { &[' '] };
        heading.title.split_inclusive(ends).collect()
    }
}

/// `pieces` in lines of at most `width` characters, a longer piece on a line of its own.
fn broken(pieces: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + piece.trim_end().chars().count() <= width => {
                line.push_str(piece);
            }
            _ => lines.push((*piece).to_string()),
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_break_above_their_units() {
        let columns: [TextColumn<[&str; 3]>; 3] = [
            ("scheme", None, |row| row[0].into()),
            ("worst dip", Some("B/ns"), |row| row[1].into()),
            ("a long one", Some(""), |row| row[2].into()),
        ];
        let table = TextTable::of(&columns, &[["recn", "5.17", "1"], ["1q", "15.17", ""]]);
        let expected = [
            "                  a",
            "        worst  long",
            "scheme    dip   one",
            "         B/ns",
            "------  -----  ----",
            "recn     5.17     1",
            "1q      15.17",
        ];
        let text = table.text();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected, "\n{text}");
    }

    #[test]
    fn narrow_table_leaves_out_what_matters_least() {
        let mut table = TextTable::new(&["recn"]);
        table.names("scheme", "", |row| row.to_string());
        for (title, cell) in [("first", "1"), ("second", "2"), ("third", "3"), ("fourth", "4")] {
            table.numbers(title, "", |_| cell.into());
        }
        let mut heads = |width, least: &[&str]| {
            let (text, left_out) = table.fitted(width, least);
            assert!(text.lines().all(|line| line.chars().count() <= width.max(6)));
            let head = text.lines().next().unwrap_or_default();
            let words = head.split_whitespace().map(String::from);
            (words.collect::<Vec<_>>().join(" "), left_out.join(" "))
        };
        let whole = ("scheme first second third fourth".to_string(), String::new());
        assert_eq!(heads(80, &["first"]), whole);
        let some = ("scheme second third".into(), "first fourth".into());
        assert_eq!(heads(21, &["first", "none such"]), some);
        assert_eq!(heads(3, &[]), ("scheme".into(), "first second third fourth".into()));
    }

    // Keys are long beside their values: their headings give way before a column does.
    #[test]
    fn headings_of_names_break_before_a_column_goes() {
        let mut table = TextTable::new(&[[10, 1, 2]]);
        table.names("recn.xoff_packets", "", |row| row[0].to_string());
        table.numbers("a_number", "", |row| row[1].to_string());
        table.numbers("other", "", |row| row[2].to_string());
        let (text, left_out) = table.fitted(32, &[]);
        let expected = [
            "recn.",
            "xoff_",
            "packets  a_number  other",
            "-------  --------  -----",
            "10              1      2",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected, "\n{text}");
        assert!(left_out.is_empty());
        let (text, left_out) = table.fitted(17, &[]);
        assert!(text.contains("packets  a_number\n"), "\n{text}");
        assert_eq!(left_out, ["other"]);
        let (text, _) = table.fitted(34, &[]);
        assert!(text.starts_with("recn.xoff_packets  a_number  other\n"), "\n{text}");
    }
}
