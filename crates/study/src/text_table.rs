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
        let place = |title: &&str| self.columns.iter().position(|column| column.title == *title);
        let numbers = self.all().into_iter().rev().filter(|&c| !self.columns[c].left);
        let mut shown = self.all();
        for out in least.iter().filter_map(place).chain(numbers) {
            if self.line_width(&shown) > width {
                shown.retain(|&c| c != out);
            }
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
        let titles = shown.iter().map(|&c| broken(&self.pieces(c), self.width(c)));
        let titles: Vec<Vec<String>> = titles.collect();
        let deepest = titles.iter().map(Vec::len).max().unwrap_or(0);
        let has_units = shown.iter().any(|&c| !self.columns[c].unit.is_empty());
        let column = |(&c, titles): (&usize, Vec<String>)| -> Vec<String> {
            let Column { unit, left, cells, .. } = &self.columns[c];
            let width = self.width(c);
            let mut lines = vec![String::new(); deepest - titles.len()]; // flush with what is below
            lines.extend(titles);
            lines.extend(has_units.then(|| unit.clone()));
            lines.push("-".repeat(width));
            lines.extend(cells.iter().cloned());
            let padded = |text: String| match left {
                true => format!("{text:<width$}"),
                false => format!("{text:>width$}"),
            };
            lines.into_iter().map(padded).collect()
        };
        let columns: Vec<Vec<String>> = shown.iter().zip(titles).map(column).collect();
        let line = |n: usize| {
            let cells: Vec<&str> = columns.iter().map(|lines| lines[n].as_str()).collect();
            cells.join("  ").trim_end().to_string() + "\n"
        };
        (0..deepest + usize::from(has_units) + 1 + self.rows.len()).map(line).collect()
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
        let mut table = TextTable::of(&columns, &[["recn", "5.17", "1"], ["1q", "15.17", ""]]);
        let expected = [
            "                  a",
            "        worst  long",
            "scheme    dip   one",
            "         B/ns",
            "------  -----  ----",
            "recn     5.17     1",
            "1q      15.17",
        ];
        let (text, _) = table.fitted(80, &[]);
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
