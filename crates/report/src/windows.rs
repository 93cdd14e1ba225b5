//! `windows.csv` of a run or a sweep.

use crate::ReportError;
use crate::files::malformed;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The measured time, as a window.
pub(crate) const MEASURED: &str = "measured";

/// A line: what a set of flows did in a window of a run.
#[derive(Debug)]
pub(crate) struct WindowRow {
    /// Index of the run; 0 for a single one.
    pub(crate) run: usize,
    pub(crate) window: String,
    pub(crate) start_ns: f64,
    pub(crate) end_ns: f64,
    /// `all`, `victims` or `group`.
    pub(crate) flows: String,
    pub(crate) group: String,
    /// Why the window is empty or was cut short.
    pub(crate) note: String,
    figures: BTreeMap<String, f64>,
    bounds: BTreeSet<String>,
}

impl WindowRow {
    pub(crate) fn value(&self, column: &str) -> Option<f64> {
        self.figures.get(column).copied()
    }

    pub(crate) fn at_least(&self, column: &str) -> bool {
        self.bounds.contains(column)
    }

    /// The line of all flows, of which a window has one.
    pub(crate) fn is_of_all(&self) -> bool {
        self.flows == "all"
    }

    /// The flows for people. A group may be called `hot`, as flows to hot destinations are.
    pub(crate) fn flows_title(&self) -> String {
        match self.flows.as_str() {
            "group" => format!("group {}", self.group),
            flows => flows.into(),
        }
    }
}

pub(crate) fn windows(path: &Path) -> Result<Vec<WindowRow>, ReportError> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(|e| malformed(path, e))?;
    parse(&text).map_err(|message| malformed(path, message))
}

fn parse(text: &str) -> Result<Vec<WindowRow>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |name: &str| -> Result<String, String> {
            let at = head.iter().position(|c| c == name);
            let at = at.ok_or_else(|| format!("no column `{name}`"))?;
            Ok(record.get(at).ok_or_else(|| format!("line {line}: no {name}"))?.into())
        };
        let number =
            |text: &str| text.parse::<f64>().map_err(|e| format!("line {line}: `{text}`: {e}"));
        let run = match head.iter().any(|c| c == "index") {
            true => field("index")?.parse().map_err(|e| format!("line {line}: index: {e}"))?,
            false => 0,
        };
        let mut row = WindowRow {
            run,
            window: field("window")?,
            start_ns: number(&field("start_ns")?)?,
            end_ns: number(&field("end_ns")?)?,
            flows: field("flows")?,
            group: field("group")?,
            note: field("note")?,
            figures: BTreeMap::new(),
            bounds: BTreeSet::new(),
        };
        // figures follow the columns that name their flows
        let figures = head.iter().zip(&record).skip_while(|(c, _)| *c != "group");
        for (column, text) in figures.skip(1) {
            if let Some(stem) = column.strip_suffix("_is_lower_bound") {
                row.bounds.extend((text == "true").then(|| format!("{stem}_ns")));
            } else if !text.is_empty() && column != "note" {
                row.figures.insert(column.into(), number(text)?);
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "index,recn.saqs,window,start_ns,end_ns,flows,group,latency_p99_ns,\
                        latency_p99_is_lower_bound,note\n";

    #[test]
    fn lines_have_their_figures_bounds_and_notes() {
        let text = format!("{HEAD}3,4,during,800,1400,group,hot,12.5,true,\"cut, at 1400\"\n");
        let rows = parse(&text).unwrap();
        assert_eq!((rows.len(), rows[0].run), (1, 3));
        assert_eq!((rows[0].start_ns, rows[0].end_ns), (800.0, 1400.0));
        assert_eq!(rows[0].value("latency_p99_ns"), Some(12.5));
        assert!(rows[0].at_least("latency_p99_ns") && !rows[0].is_of_all());
        assert_eq!(
            (rows[0].flows_title().as_str(), rows[0].note.as_str()),
            ("group hot", "cut, at 1400")
        );
    }

    #[test]
    fn errors_of_damaged_files_name_the_place() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error("window,start_ns\nx,1\n"), "no column `end_ns`");
        let line = format!("{HEAD}0,4,during,many,1400,all,,1,false,\n");
        assert!(error(&line).starts_with("line 2: `many`: "), "{}", error(&line));
    }
}
