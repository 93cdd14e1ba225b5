//! The measured part of `docs/performance.md`.

use super::goals::goals;
use super::measure::Timed;
use super::work::{self, Table};
use super::{Measured, failed};
use crate::page;
use setaside::{Failure, build_info};
use std::fmt::Write as _;
use std::process::Command;

const FILE: &str = "docs/performance.md";
const BEGIN: &str = "<!-- measured: written by cargo xtask bench -->\n";
const END: &str = "<!-- end of measured -->\n";

pub(super) fn write(measured: &Measured) -> Result<(), Failure> {
    let before = page::read(FILE)?;
    let parts = before
        .split_once(BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(failed(format!(
            "{FILE} has no lines `{}` and `{}`",
            BEGIN.trim(),
            END.trim()
        )));
    };
    let text = format!("{head}{BEGIN}\n{}\n{END}{tail}", body(measured));
    page::write(FILE, &text)
}

fn body(measured: &Measured) -> String {
    let mut text = format!(
        "Measured by `cargo xtask bench`, version {}, {}.\n",
        build_info().version,
        machine()
    );
    text.push_str("\n### Goals\n\n| goal | at most or least | measured | |\n|---|---|---|---|\n");
    for goal in goals(measured) {
        let _ = writeln!(text, "{goal}");
    }
    instructions(&mut text, measured);
    if !measured.observers.is_empty() {
        text.push_str("\n### Statistics, invariants and recording, on and off\n\n`recn`, 8 SAQs, 64 nodes, load 0.5.\n\n| | instructions a packet-hop | of all |\n|---|---|---|\n");
        let all = measured.observers[0].1;
        for (row, count) in &measured.observers {
            let _ = writeln!(text, "| {} | {count:.0} | {:.3} |", row.name, count / all);
        }
    }
    for (table, timed) in &measured.times {
        times(&mut text, table, timed);
    }
    if let [one, ..] = &*measured.sweeps {
        let _ = write!(
            text,
            "\n### Runs side by side\n\n`setaside sweep {}`: in turn, the median of three; with each number of runs at a time `results.csv` is the same to the byte.\n\n| runs at a time | seconds | times as fast | peak memory, MiB |\n|---|---|---|---|\n",
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
    }
    if !measured.units.is_empty() {
        text.push_str("\n### Units\n\nMedians of the criterion groups.\n\n| unit and operation | time |\n|---|---|\n");
        for (name, time) in &measured.units {
            let _ = writeln!(text, "| {name} | {time} |");
        }
    }
    text
}

fn instructions(text: &mut String, measured: &Measured) {
    if measured.instructions.is_empty() {
        return;
    }
    text.push_str("\n### Instructions a packet-hop\n\n| work | measured |\n|---|---|\n");
    for row in work::INSTRUCTIONS {
        let Some(count) = measured.instructions.get(row.name) else {
            continue;
        };
        let _ = writeln!(text, "| {} | {count:.0} |", row.name);
    }
}

fn times(text: &mut String, table: &Table, timed: &[Timed]) {
    let Some(first) = timed.first() else {
        return;
    };
    let how = match table.rounds {
        1 => "Once.".to_string(),
        rounds => format!("In turn, medians of {rounds}."),
    };
    let _ = write!(
        text,
        "\n### {}\n\n{} {how}\n\n| work | ns a packet-hop | of the first line | seconds in all | of the first line | peak memory, MiB | event hash |\n|---|---|---|---|---|---|---|\n",
        table.title, table.what
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
