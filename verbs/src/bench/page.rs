//! The measured part of `docs/performance/results.md`.

use super::goals::goals;
use super::measure::Timed;
use super::sections::{self, Section};
use super::work::{self, Table};
use super::{Measured, failed, profile};
use crate::page;
use setaside::{Failure, build_info};
use std::fmt::Write as _;
use std::process::Command;

const FILE: &str = "docs/performance/results.md";
const BEGIN: &str = "<!-- measured: written by cargo xtask bench -->\n";
const END: &str = "<!-- end of measured -->\n";

/// Writes what was measured; sections that were not stay.
pub(super) fn write(measured: &Measured) -> Result<(), Failure> {
    let before = page::read(FILE)?;
    let parts = before.split_once(BEGIN).and_then(|(head, rest)| {
        let (old, tail) = rest.split_once(END)?;
        Some((head, sections::split(old), tail))
    });
    let Some((head, old, tail)) = parts else {
        return Err(failed(format!(
            "{FILE} has no lines `{}` and `{}`",
            BEGIN.trim(),
            END.trim()
        )));
    };
    let new = body(measured, &old);
    let all = sections::merge(old, new, |section| &section.title);
    let short = in_short(&all).map_or(String::new(), |short| format!("\n{short}\n"));
    let all = sections::join(&all);
    let text = format!(
        "{head}{BEGIN}\nMeasured by `cargo xtask bench`, at last version {}, {}. A section stays until it is measured again.\n{short}{all}\n{END}{tail}",
        build_info().version,
        machine()
    );
    page::write(FILE, &text)
}

/// The figures in short, from the tables; `None` where one has not been measured.
fn in_short(sections: &[Section]) -> Option<String> {
    let rows = |title: &str| {
        let section = sections.iter().find(|section| section.title == title)?;
        Some(sections::table(&section.body))
    };
    let figure = |line: &str| line.split('|').nth(2).map(|cell| cell.trim().to_string());
    let of = |title: &str, name: &str| {
        let rows = rows(title)?;
        let row = rows
            .iter()
            .find(|row| sections::first_column(row) == name)?;
        figure(row)
    };
    let (small, large) = (of("Nodes", "64 nodes")?, of("Nodes", "2048 nodes")?);
    let instructions = of("Instructions a packet-hop", "voq-sw, 64 nodes, load 0.5")?;
    let loads = rows("Load")?;
    let (first, last) = (loads.first()?, loads.last()?);
    let [first, last] = [first, last].map(|row| sections::first_column(row));
    let ns: Vec<u64> = loads
        .iter()
        .filter_map(|row| figure(row)?.parse().ok())
        .collect();
    let (least, most) = (ns.iter().min()?, ns.iter().max()?);
    Some(format!(
        "**In short.** `voq-sw`, load 0.5: {small} ns and {instructions} instructions a packet-hop at 64 nodes, {large} ns at 2048 nodes. From {first} to {last} at 64 nodes: {least} to {most} ns."
    ))
}

/// The sections that were measured.
fn body(measured: &Measured, old: &[Section]) -> Vec<Section> {
    let mut all = vec![goal_lines(measured, old)];
    let mut add = |title: &str, text: Option<String>| {
        all.extend(text.map(|text| Section {
            title: title.to_string(),
            body: format!("{}{}", at(&measured.commit), text.trim()),
        }));
    };
    add("Instructions a packet-hop", instructions(measured));
    add(
        "Statistics, invariants and recording, on and off",
        observers(measured),
    );
    for (table, timed) in &measured.times {
        add(table.title, times(table, timed));
    }
    add("Runs side by side", sweeps(measured));
    add("Where they go", parts(measured));
    add("Simulated misses", misses(measured));
    add("Units", units(measured));
    all
}

/// The line that says the commit, if it is known.
fn at(commit: &str) -> String {
    if commit.is_empty() {
        String::new()
    } else {
        format!("Measured at {commit}.\n\n")
    }
}

/// The goals. Each line says its own commit, since one that was not measured now stays.
fn goal_lines(measured: &Measured, old: &[Section]) -> Section {
    let title = "Goals".to_string();
    let before = old.iter().find(|section| section.title == title);
    let before = before.map_or(Vec::new(), |section| sections::table(&section.body));
    let new = goals(measured)
        .into_iter()
        .map(|goal| format!("{goal} {} |", measured.commit));
    let lines = sections::merge(before, new, |line| sections::first_column(line));
    let body = format!(
        "| goal | at most or least | measured | | at |\n|---|---|---|---|---|\n{}",
        lines.join("\n")
    );
    Section { title, body }
}

fn observers(measured: &Measured) -> Option<String> {
    let all = measured.observers.first()?.1;
    let mut text = "`recn`, 8 SAQs, 64 nodes, load 0.5.\n\n| | instructions a packet-hop | of all |\n|---|---|---|\n".to_string();
    for (row, count) in &measured.observers {
        let _ = writeln!(text, "| {} | {count:.0} | {:.3} |", row.name, count / all);
    }
    Some(text)
}

fn sweeps(measured: &Measured) -> Option<String> {
    let one = measured.sweeps.first()?;
    let mut text = format!(
        "`setaside sweep {}`: in turn, the median of three; with each number of runs at a time `results.csv` is the same to the byte.\n\n| runs at a time | seconds | times as fast | peak memory, MiB |\n|---|---|---|---|\n",
        work::STUDY
    );
    for swept in &measured.sweeps {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.2} | {} |",
            swept.jobs,
            swept.seconds,
            one.seconds / swept.seconds,
            swept.peak_bytes >> 20
        );
    }
    Some(text)
}

fn parts(measured: &Measured) -> Option<String> {
    measured.parts.first()?;
    let mut text =
        "64 nodes, load 0.5: instructions a packet-hop, by the sources that they are from.\n\n| part |"
            .to_string();
    for (work, _) in &measured.parts {
        let _ = write!(text, " {} |", work.name);
    }
    let _ = write!(text, "\n|---|{}", "---|".repeat(measured.parts.len()));
    for (at, (name, _)) in profile::PARTS.iter().enumerate() {
        let _ = write!(text, "\n| {name} |");
        for (_, counts) in &measured.parts {
            let _ = write!(text, " {:.0} |", counts[at]);
        }
    }
    text.push_str("\n| all |");
    for (_, counts) in &measured.parts {
        let _ = write!(text, " {:.0} |", counts.iter().sum::<f64>());
    }
    Some(text)
}

fn misses(measured: &Measured) -> Option<String> {
    measured.misses.first()?;
    let mut text = "By cachegrind, a packet-hop: first level 32 KiB 8-way for code and for data, last level 1 MiB 16-way.\n\n| work | between, us | instructions | code, first level | data, first level | last level |\n|---|---|---|---|---|---|\n".to_string();
    for (work, [refs, code, data, last]) in &measured.misses {
        let (short, long) = work.between_ns;
        let [short, long] = [short, long].map(|ns| f64::from(ns) / 1000.0);
        let _ = writeln!(
            text,
            "| {} | {short} to {long} | {refs:.0} | {code:.1} | {data:.1} | {last:.1} |",
            work.name
        );
    }
    Some(text)
}

fn units(measured: &Measured) -> Option<String> {
    measured.units.first()?;
    let mut text = "Medians of the criterion groups.\n\n| unit and operation | time |\n|---|---|\n"
        .to_string();
    for (name, time) in &measured.units {
        let _ = writeln!(text, "| {name} | {time} |");
    }
    Some(text)
}

fn instructions(measured: &Measured) -> Option<String> {
    measured.instructions.first_key_value()?;
    let mut text = "| work | measured |\n|---|---|\n".to_string();
    for row in work::INSTRUCTIONS {
        if let Some(count) = measured.instructions.get(row.name) {
            let _ = writeln!(text, "| {} | {count:.0} |", row.name);
        }
    }
    Some(text)
}

fn times(table: &Table, timed: &[Timed]) -> Option<String> {
    let first = timed.first()?;
    let how = match table.rounds {
        1 => "Once.".to_string(),
        rounds => format!("In turn, medians of {rounds}."),
    };
    let mut text = format!(
        "{} {how}\n\n| work | ns a packet-hop | of the first | seconds in all | of the first | MiB | event hash |\n|---|---|---|---|---|---|---|\n",
        table.what
    );
    for (row, timed) in table.rows.iter().zip(timed) {
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.2} | {:.2} | {:.2} | {} | {} |",
            row.name,
            timed.ns_per_hop,
            timed.ns_per_hop / first.ns_per_hop,
            timed.seconds,
            timed.seconds / first.seconds,
            timed.peak_bytes >> 20,
            timed.events_hash.trim_matches('"'),
        );
    }
    Some(text)
}

/// The commit that the tree is at, and whether the tree is another than that; empty without git.
/// Pages do not count: writing one changes nothing that is measured.
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
    let cpu = std::fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text
                .lines()
                .find_map(|l| l.strip_prefix("model name"))?
                .to_string();
            Some(line.split_once(':')?.1.trim().to_string())
        });
    let version = |program: &str| {
        let output = Command::new(program).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let tools = [version("rustc"), version("valgrind")];
    let tools: Vec<String> = tools.into_iter().flatten().collect();
    format!(
        "{cores} cores of {}, {}",
        cpu.unwrap_or_else(|| "an unknown processor".to_string()),
        tools.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, FILE, in_short, sections};
    use crate::page;

    // The page says in short what its tables say.
    #[test]
    fn the_figures_in_short_are_those_of_the_tables() {
        let text = page::read(FILE).expect("the page");
        let (_, measured) = text.split_once(BEGIN).expect("a measured part");
        let short = in_short(&sections::split(measured)).expect("all is measured");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(measured).contains(&words(&short)), "{short}");
    }

    #[test]
    fn what_has_no_table_is_not_in_short() {
        assert_eq!(
            in_short(&sections::split("\n### Load\n\nnothing yet\n")),
            None
        );
    }
}
