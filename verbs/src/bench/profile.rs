//! Where instructions go and lines are missed: for who changes the engine, not to compare.

use super::measure::Binary;
use super::work::Run;
use crate::page::{failed, io, root};
use setaside::Failure;
use std::process::Command;

/// Where callgrind writes, and what.
const OUT: &str = "target/bench";
const COUNTS: &str = "target/bench/callgrind.out";

/// Parts of the fast engine's work by sources of instructions; the first that matches counts.
const PARTS: [(&str, &[&str]); 9] = [
    ("SAQs", &["flat/recn/", "crates/recn/", "crates/saq/"]),
    ("links, egress stores, credit", &["flat/links/"]),
    ("crossbar, ingress stores", &["flat/crossbar/", "flat/waiting.rs"]),
    ("end nodes", &["flat/nodes/", "crates/workload/"]),
    ("when what is due: the wheel", &["flat/wheel.rs", "flat/mod.rs"]),
    (
        "queue, class, output, route of a packet",
        &["flat/mapping.rs", "flat/records.rs", "crates/turnpool/"],
    ),
    ("statistics and event hash", &["crates/observe/"]),
    ("other crates", &["crates/"]),
    ("indexing, bounds, the library", &[""]),
];

/// What cachegrind counts, in its words.
const MISSES: [&str; 4] = ["I refs:", "I1 misses:", "D1 misses:", "LL misses:"];

/// Instructions a packet-hop of each of [`PARTS`].
fn parts(binary: &Binary, work: &Run) -> Result<[f64; PARTS.len()], Failure> {
    std::fs::create_dir_all(root().join(OUT)).map_err(io(OUT))?;
    let tool = ["--tool=callgrind", &format!("--callgrind-out-file={COUNTS}")];
    binary.per_hop(&tool, work, |_| {
        let annotated = Command::new("callgrind_annotate")
            .current_dir(root())
            .args(["--auto=no", "--threshold=100", COUNTS])
            .output()
            .map_err(io("callgrind_annotate"))?;
        let counts = by_part(&String::from_utf8_lossy(&annotated.stdout));
        if !annotated.status.success() || counts[1] == 0.0 {
            return Err(failed("callgrind_annotate says no counts by source"));
        }
        Ok(counts)
    })
}

/// [`MISSES`] a packet-hop, in caches of the size that the page gives.
fn misses(binary: &Binary, work: &Run) -> Result<[f64; MISSES.len()], Failure> {
    let tool = [
        "--tool=cachegrind",
        "--cachegrind-out-file=/dev/null",
        "--cache-sim=yes",
        "--I1=32768,8,64",
        "--D1=32768,8,64",
        "--LL=1048576,16,64",
    ];
    binary.per_hop(&tool, work, |error| {
        let counts = MISSES.map(|name| count_of(error, name));
        if counts.contains(&None) {
            return Err(failed("cachegrind says no counts"));
        }
        Ok(counts.map(Option::unwrap_or_default))
    })
}

/// A row a part, a column a run, and their sums.
pub(super) fn parts_by_row(binary: &Binary, runs: &[Run]) -> Result<Vec<Vec<String>>, Failure> {
    let counts = runs.iter().map(|run| parts(binary, run));
    let counts: Vec<[f64; PARTS.len()]> = counts.collect::<Result<_, _>>()?;
    let row = |name: &str, of: &dyn Fn(&[f64; PARTS.len()]) -> f64| {
        let cells = counts.iter().map(|counts| format!("{:.0}", of(counts)));
        [name.to_string()].into_iter().chain(cells).collect()
    };
    let parts = PARTS.iter().enumerate();
    let mut rows: Vec<Vec<String>> = parts.map(|(at, part)| row(part.0, &|c| c[at])).collect();
    rows.push(row("all", &|counts| counts.iter().sum()));
    Ok(rows)
}

pub(super) fn misses_by_row(binary: &Binary, runs: &[Run]) -> Result<Vec<Vec<String>>, Failure> {
    let row = |run: &Run| {
        let [refs, code, data, last] = misses(binary, run)?;
        let (short, long) = run.between_ns;
        let [short, long] = [short, long].map(|ns| f64::from(ns) / 1000.0);
        let (name, between) = (run.name.clone(), format!("{short} to {long}"));
        let misses = [code, data, last].map(|count| format!("{count:.1}"));
        let cells = [name, between, format!("{refs:.0}")].into_iter().chain(misses);
        Ok(cells.collect())
    };
    runs.iter().map(row).collect()
}

/// Counts of [`PARTS`] from entries `count (share)  source:function`.
fn by_part(annotated: &str) -> [f64; PARTS.len()] {
    let mut counts = [0.0; PARTS.len()];
    for line in annotated.lines() {
        let entry = line.trim().split_once(" (");
        let entry =
            entry.and_then(|(count, rest)| Some((grouped(count)?, rest.split_once(")  ")?.1)));
        let Some((count, place)) = entry.filter(|(_, place)| place.contains(':')) else {
            continue;
        };
        let source = place.split(':').next().unwrap_or_default();
        let of = |(_, sources): &(&str, &[&str])| sources.iter().any(|part| source.contains(part));
        if let Some(at) = PARTS.iter().position(of) {
            counts[at] += count;
        }
    }
    counts
}

/// The number behind `name` in the output of a tool.
fn count_of(error: &str, name: &str) -> Option<f64> {
    error.lines().find_map(|line| {
        // ==1234== I   refs:      5,678
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let [first, second, count, ..] = words[..] else {
            return None;
        };
        let it_is = format!("{first} {second}") == name;
        it_is.then(|| grouped(count)).flatten()
    })
}

fn grouped(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{by_part, count_of};

    #[test]
    fn counts_go_to_the_part_of_their_source() {
        let text = "\
3,000 (100.0%)  PROGRAM TOTALS
  900 (45.00%)  crates/fabric/src/flat/links/start.rs:fabric::flat::Flat<_>::run_until [/a/b]
2,100 (55.00%)  crates/fabric/src/flat/links/start.rs:fabric::flat::settle_several
  300 ( 3.00%)  crates/cam/src/lib.rs:cam::lookup
  100 ( 3.00%)  /rustc/1/library/core/src/slice/index.rs:fabric::flat::Flat<_>::run_until
";
        assert_eq!(by_part(text), [0.0, 3000.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, 100.0]);
    }

    #[test]
    fn counts_of_cachegrind_are_read() {
        let text = "==7== I   refs:      1,234\n==7== LLi misses:      9\n==7== LL misses:   56  ( 50 rd + 6 wr)\n";
        assert_eq!(count_of(text, "I refs:"), Some(1234.0));
        assert_eq!(count_of(text, "LL misses:"), Some(56.0));
        assert_eq!(count_of(text, "D1 misses:"), None);
    }
}
