//! Pages as Markdown with places for what is measured: `verbs/pages/NAME.page`.
//!
//! - `{{NAME}}` is a text that the code of the work gives.
//! - `@NAME ROW` is a line for each of these runs, or groups of runs that differ by their seeds.
//!   In a row `{VALUE:DIGITS}` is the mean over the runs of a group, with half of its 95 % interval
//!   where there are several, and `-` where there is none; `{VALUE}` is a text of the first run.
//!
//! A value names what [`Done::set`] has set, a label of the run, or, if there is none such, a field
//! of its summary, such as `windows.during.victims.delivered_bytes_per_ns`. It may go on with
//! `/VALUE` and `*NUMBER`, and end with `|DEFAULT` for what is missing. `>=` before it marks lower
//! bounds.
//!
//! A name that no run of the group has is a place that nothing fills. Not checked are names of
//! texts with a default, and names in parts that a summary may leave out or have as null, such as
//! `ecn.`: a misspelt one there is as a missing one, `-` or the default.

use super::runs::{Done, interval};
use crate::page::{failed, read};
use setaside::Failure;

pub(crate) struct Page {
    file: String,
    text: String,
    /// What was given for a place that it has not.
    without: Vec<String>,
}

impl Page {
    pub(crate) fn read(name: &str) -> Result<Page, Failure> {
        let file = format!("verbs/pages/{name}.page");
        Ok(Page { text: read(&file)?, file, without: Vec::new() })
    }

    /// Names of the places for texts, in their order.
    pub(crate) fn places(&self) -> Vec<String> {
        let places = self.text.split("{{").skip(1).filter_map(|part| part.split_once("}}"));
        places.map(|(name, _)| name.to_string()).collect()
    }

    pub(crate) fn put(&mut self, name: &str, text: &str) {
        let place = format!("{{{{{name}}}}}");
        if !self.text.contains(&place) {
            self.without.push(place.clone());
        }
        self.text = self.text.replace(&place, text.trim_end());
    }

    pub(super) fn groups(&mut self, name: &str, groups: &[Vec<&Done>]) {
        let begin = format!("@{name} ");
        if !self.text.lines().any(|line| line.starts_with(&begin)) {
            self.without.push(begin.clone());
        }
        let lines = self.text.lines().map(|line| match line.strip_prefix(&begin) {
            Some(row) => groups.iter().map(|runs| filled(row, runs) + "\n").collect(),
            None => format!("{line}\n"),
        });
        self.text = lines.collect();
    }

    pub(super) fn rows<'a>(&mut self, name: &str, runs: impl IntoIterator<Item = &'a Done>) {
        let groups: Vec<Vec<&Done>> = runs.into_iter().map(|run| vec![run]).collect();
        self.groups(name, &groups);
    }

    /// The whole text.
    ///
    /// # Errors
    /// If a place is not filled, or something was given for one that is not there.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        if let Some(place) = self.without.first() {
            return Err(failed(format!("{}: has no `{place}`", self.file)));
        }
        let is_open = |line: &&str| line.starts_with('@') || line.contains("{{");
        match self.text.lines().find(is_open) {
            Some(line) => Err(failed(format!("{}: nothing fills `{line}`", self.file))),
            None => Ok(self.text),
        }
    }
}

/// A row with the values of the runs in its place holders.
pub(super) fn filled(row: &str, runs: &[&Done]) -> String {
    let mut parts = row.split('{');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (value, after) = part.split_once('}').unwrap_or((part, ""));
        text = text + &cell(value, runs) + after;
    }
    text
}

fn cell(place: &str, runs: &[&Done]) -> String {
    let number = place.rsplit_once(':');
    let number = number.and_then(|(value, digits)| Some((value, digits.parse().ok()?)));
    let names = match number {
        Some((value, _)) => value.trim_start_matches(">=").split('|').next(),
        // A text with a default may be a label that only some runs have.
        None => Some(place).filter(|place| !place.contains('|')),
    };
    let is_known = |name: &str| name.parse::<f64>().is_ok() || runs.iter().any(|run| run.has(name));
    if !names.is_none_or(|names| names.split(['/', '*']).all(is_known)) {
        return format!("{{{{{place}}}}}");
    }
    let Some((value, digits)) = number else {
        return runs.first().map_or("-".to_string(), |run| run.text(place));
    };
    let value_only = value.trim_start_matches(">=");
    let is_marked = value_only != value && runs.iter().any(|run| run.is_lower_bound(value_only));
    let values: Vec<f64> = runs.iter().filter_map(|run| run.number(value_only)).collect();
    format!("{}{}", if is_marked { ">= " } else { "" }, interval(&values, digits))
}

/// The head of a table and the line below it.
pub(crate) fn head<'a>(heads: impl IntoIterator<Item = &'a str>) -> String {
    let heads: Vec<&str> = heads.into_iter().collect();
    format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()))
}

/// A column of a table: its head, and runs in the order of the lines.
pub(super) type Column<'a> = (String, Vec<&'a Done>);

/// A table with a column a curve, all with the same points; `first` and `cell` are parts of rows.
pub(super) fn cross(heading: &str, first: &str, columns: &[Column<'_>], cell: &str) -> String {
    let names = columns.iter().map(|(name, _)| name.as_str());
    let mut text = head([heading].into_iter().chain(names));
    for at in 0..columns.first().map_or(0, |(_, runs)| runs.len()) {
        let cells = columns.iter().map(|(_, runs)| filled(cell, &runs[at..=at]));
        let cells: Vec<String> = cells.collect();
        let first = filled(first, &columns[0].1[at..=at]);
        text += &format!("| {first} | {} |\n", cells.join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::runs::Done;
    use super::{Page, cross, filled};
    use observe::{LatencyFigure, LatencySummary, Record, Summary};

    fn done(load: &str, rate: Option<f64>) -> Done {
        let latency_ns = LatencySummary {
            p99: Some(2500.0),
            lower_bounds: vec![LatencyFigure::P99],
            ..LatencySummary::default()
        };
        let summary = Summary { delivered_bytes_per_ns: rate, latency_ns, ..Summary::default() };
        let labels = vec![("workload.load".to_string(), load.to_string())];
        Done::new(labels, 4, 0.0, Record { summary, ..Record::default() })
    }

    #[test]
    fn rows_are_filled_with_values_of_runs() {
        let (one, two) = (done("0.5", Some(2.0)), done("0.5", Some(4.0)));
        let row =
            "| {workload.load} | {delivered_bytes_per_ns/senders:2} | {>=latency_ns.p99/1000:1} |";
        assert_eq!(filled(row, &[&one]), "| 0.5 | 0.50 | >= 2.5 |");
        assert!(filled("{delivered_bytes_per_ns*100:1}", &[&one, &two]).starts_with("300.0 ± "));
        let none = done("1", None);
        assert_eq!(filled("{delivered_bytes_per_ns:2} {ecn.events|0:0} {x|}", &[&none]), "- 0 ");
        let misspelt = "{lod} {latency_ns.p98/1000:1} {windows.during.x|0:1} {ecn.events}";
        let left = "{{lod}} {{latency_ns.p98/1000:1}} {{windows.during.x|0:1}} -";
        assert_eq!(filled(misspelt, &[&none]), left);
        let columns = [("a".to_string(), vec![&one, &none]), ("b".to_string(), vec![&two, &none])];
        let table = "| load | a | b |\n|---|---|---|\n| 0.5 | 2 | 4 |\n| 1 | - | - |\n";
        assert_eq!(cross("load", "{load}", &columns, "{delivered_bytes_per_ns:0}"), table);
    }

    #[test]
    fn every_place_of_a_page_is_filled() {
        let text = "{{a}}\n@b | {load} |\nc\n";
        let page = || Page { file: "f".to_string(), text: text.to_string(), without: Vec::new() };
        let mut whole = page();
        whole.put("a", "text\n");
        let runs = [done("0.5", None), done("1", None)];
        whole.rows("b", &runs);
        assert_eq!(whole.finish().expect("filled"), "text\n| 0.5 |\n| 1 |\nc\n");
        assert!(page().finish().is_err());
        let mut more = Page { text: "c\n".to_string(), ..page() };
        more.put("a", "text");
        assert!(more.finish().is_err(), "nothing takes the text");
    }
}
