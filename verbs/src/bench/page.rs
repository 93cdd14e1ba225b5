//! What was measured: `docs/performance/measured.json` and, made from it, part of `results.md`.

use crate::page::{self, failed};
use crate::pool::cores;
use serde::{Deserialize, Serialize};
use setaside::{Failure, build_info};
use std::fmt::Write as _;
use std::process::Command;

/// Rows of a table that is on the page; a longer one is in the file beside it.
const ROWS_MAX: usize = 16;
const FILE: &str = "docs/performance/results.md";
const JSON: &str = "docs/performance/measured.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) title: String,
    /// Where it was measured; empty where each row has it, or without git.
    pub(super) commit: String,
    pub(super) about: String,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// All that is measured, now or before: what is new replaces what has the same name.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    version: String,
    machine: String,
    sections: Vec<Section>,
}

impl Section {
    /// Where it was measured, and what it is about.
    fn about(&self) -> String {
        let at = match self.commit.as_str() {
            "" => String::new(),
            commit => format!("At {commit}."),
        };
        let words = [at.as_str(), self.about.as_str()];
        words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn alone(&self) -> String {
        let about = match self.about() {
            about if about.is_empty() => about,
            about => about + "\n\n",
        };
        if self.rows.len() > ROWS_MAX {
            return format!("{about}{} lines, in `measured.json`.\n", self.rows.len());
        }
        let rule = "---|".repeat(self.head.len());
        let rows = self.rows.iter().map(|row| line(row));
        format!("{about}{}|{rule}\n{}", line(&self.head), rows.collect::<String>())
    }
}

/// One table of sections with the same columns, the title of each in its first row.
fn together(group: &[Section]) -> String {
    let mut text = String::new();
    for section in group {
        let _ = writeln!(text, "- *{}*: {}", section.title, section.about());
    }
    let head = group.first().map_or(&[][..], |section| &section.head);
    let _ = write!(text, "\n| {}|{}\n", line(head), "---|".repeat(head.len() + 1));
    for section in group {
        for (at, row) in section.rows.iter().enumerate() {
            let title = if at == 0 { section.title.as_str() } else { "" };
            let cells: Vec<String> = [title.to_string()].iter().chain(row).cloned().collect();
            text += &line(&cells);
        }
    }
    text
}

impl Measured {
    pub(super) fn read() -> Result<Measured, Failure> {
        let text = page::read(JSON)?;
        serde_json::from_str(&text).map_err(|e| failed(format!("{JSON}: {e}")))
    }

    /// Takes a section in, behind the one that precedes it on the page.
    pub(super) fn put(&mut self, section: Section) {
        match self.section(&section.title) {
            Some(at) => self.sections[at] = section,
            None => self.sections.push(section),
        }
    }

    /// Takes rows into the section of a title: those that were not measured stay.
    pub(super) fn put_rows(&mut self, mut section: Section) {
        if let Some(at) = self.section(&section.title) {
            let new = std::mem::replace(&mut section.rows, self.sections[at].rows.clone());
            for row in new {
                match section.rows.iter().position(|old| old.first() == row.first()) {
                    Some(at) => section.rows[at] = row,
                    None => section.rows.push(row),
                }
            }
        }
        self.put(section);
    }

    fn section(&self, title: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.title == title)
    }

    pub(super) fn write(&mut self) -> Result<(), Failure> {
        (self.version, self.machine) = (build_info().version, machine());
        let json = serde_json::to_string_pretty(self).map_err(failed)?;
        page::write(JSON, &(json + "\n"))?;
        let text = page::with_part(&page::read(FILE)?, "measured", &self.text())?;
        page::write(FILE, &text)
    }

    fn text(&self) -> String {
        let mut text = format!(
            "Measured by `cargo xtask bench`, at last version {}, {}. A section stays until it is \
             measured again.\n",
            self.version, self.machine
        );
        if let Some(short) = self.in_short() {
            let _ = writeln!(text, "\n{short}");
        }
        for group in self.sections.chunk_by(|a, b| a.head == b.head) {
            let titles: Vec<&str> = group.iter().map(|section| section.title.as_str()).collect();
            let _ = write!(text, "\n### {}\n\n", titles.join("; "));
            if let [section] = group {
                text += &section.alone();
            } else {
                text += &together(group);
            }
        }
        text
    }

    /// The figures in short; `None` where one has not been measured.
    fn in_short(&self) -> Option<String> {
        let rows = |title: &str| Some(&self.sections[self.section(title)?].rows);
        let of = |title: &str, name: &str| {
            let row = rows(title)?.iter().find(|row| row[0] == name)?;
            Some(row[1].clone())
        };
        let (small, large) = (of("Nodes", "64 nodes")?, of("Nodes", "2048 nodes")?);
        let instructions = of("Instructions a packet-hop", "voq-sw, 64 nodes, load 0.5")?;
        let loads = rows("Load")?;
        let (first, last) = (&loads.first()?[0], &loads.last()?[0]);
        let ns = loads.iter().filter_map(|row| row[1].parse().ok());
        let ns: Vec<u64> = ns.collect();
        let (least, most) = (ns.iter().min()?, ns.iter().max()?);
        Some(format!(
            "**In short.** `voq-sw`, load 0.5: {small} ns and {instructions} instructions a packet-hop \
             at 64 nodes, {large} ns at 2048 nodes. From {first} to {last} at 64 nodes: {least} to \
             {most} ns."
        ))
    }
}

fn line(cells: &[String]) -> String {
    let cells = cells.iter().map(|cell| match cell.as_str() {
        "" => " |".to_string(),
        cell => format!(" {cell} |"),
    });
    format!("|{}\n", cells.collect::<String>())
}

/// The commit of the tree, and whether the tree differs, pages apart; empty without git.
pub(super) fn commit() -> String {
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        let output = git.current_dir(page::root()).args(args).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success().then_some(text)
    };
    let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else {
        return String::new();
    };
    match git(&["status", "--porcelain", "--untracked-files=no", ":!docs"]) {
        Some(changes) if changes.is_empty() => commit,
        _ => format!("{commit} and changes"),
    }
}

/// Processor, cores, tools.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok();
    let cpu = cpu.and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("model name"))?;
        Some(line.split_once(':')?.1.trim().to_string())
    });
    let version = |program: &str| {
        let output = Command::new(program).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let tools = [version("rustc"), version("valgrind")];
    let tools: Vec<String> = tools.into_iter().flatten().collect();
    let cpu = cpu.unwrap_or_else(|| "an unknown processor".to_string());
    format!("{} cores of {cpu}, {}", cores(), tools.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{FILE, Measured, Section};
    use crate::{page, wrap::wrapped};

    // The page matches the file beside it.
    #[test]
    fn the_page_is_what_was_measured() {
        let text = page::read(FILE).expect("the page");
        let measured = Measured::read().expect("the file beside it");
        assert!(measured.in_short().is_some());
        let page = page::with_part(&text, "measured", &measured.text());
        assert_eq!(wrapped(&page.expect("its lines")), text);
    }

    // A run that measures less deletes nothing.
    #[test]
    fn what_was_not_measured_stays() {
        let section = |title: &str, rows: &[[&str; 2]]| Section {
            title: title.to_string(),
            commit: String::new(),
            about: String::new(),
            head: Vec::new(),
            rows: rows.iter().map(|row| row.map(str::to_string).to_vec()).collect(),
        };
        let mut measured = Measured {
            version: String::new(),
            machine: String::new(),
            sections: vec![
                section("Goals", &[["speed", "1"], ["memory", "2"]]),
                section("Load", &[["old", "1"]]),
            ],
        };
        measured.put(section("Load", &[["new", "2"]]));
        measured.put_rows(section("Goals", &[["memory", "3"], ["time", "4"]]));
        measured.put(section("Units", &[]));
        let goals = [["speed", "1"], ["memory", "3"], ["time", "4"]];
        let expected =
            [section("Goals", &goals), section("Load", &[["new", "2"]]), section("Units", &[])];
        assert_eq!(measured.sections, expected);
        assert_eq!(measured.in_short(), None);
    }
}
