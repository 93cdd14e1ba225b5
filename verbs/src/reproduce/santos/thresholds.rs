//! Why the share of local flows rises with the output threshold, and what `naive` needs to leave
//! them 90 %: marks, counted.

use super::{FLOWS, WORK, group, link};
use crate::reproduce::runs::{Done, Wanted, cell, run_all, scenario};
use setaside::Failure;
use std::fmt::Write as _;

type Sets = &'static [(&'static str, &'static str)];

/// 500 ms, of which the last 400 ms are measured; the victim stays off.
const LONG: Sets = &[
    ("run.duration_ns", "500000000"),
    ("run.warmup_ns", "100000000"),
    ("workload.group.2.start_ns", "600000000"),
    ("workload.group.2.end_ns", "700000000"),
];

/// What is set over memories of 12 packets and each output threshold.
const VARIANTS: [(&str, Sets); 9] = [
    ("as shipped", &[]),
    ("M = 64", &[("ecn.rate_ratio", "64")]),
    ("M = 2048", &[("ecn.rate_ratio", "2048")]),
    ("`fimd`", &[("ecn.response", "fimd")]),
    ("`aimd`", &[("ecn.response", "aimd")]),
    ("window 4", &[("ecn.window", "4")]),
    (
        "round robin, no multicast read",
        &[("switch.arbiter", "round-robin"), ("switch.input_multicast_read", "false")],
    ),
    ("cnt1 falls at the end", &[("ecn.waits_until", "end")]),
    ("packets that cut through occupy a slot", &[("ecn.cut_through_occupies_slot", "true")]),
];

fn wanted(file: &str, labels: [&str; 2], sets: &[(&str, &str)]) -> Result<Wanted, Failure> {
    let sets: Vec<_> = LONG.iter().chain(sets).copied().collect();
    Ok(Wanted {
        labels: ["variant", "of"]
            .map(String::from)
            .into_iter()
            .zip(labels.map(String::from))
            .collect(),
        scenario: scenario(WORK, file, &sets)?,
        sources: 2 * FLOWS + 1,
    })
}

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    let mut runs = Vec::new();
    for (name, sets) in VARIANTS {
        for threshold in ["4", "6", "8"] {
            let own = [("ecn.buffer_packets", "12"), ("ecn.output_threshold_packets", threshold)];
            let sets: Vec<_> = own.iter().chain(sets).copied().collect();
            runs.push(wanted("input-output-triggered.toml", [name, threshold], &sets)?);
        }
    }
    let with_output = runs.len();
    for m in ["32", "64", "128", "256", "512", "1024", "4096"] {
        runs.push(wanted("naive.toml", ["naive", m], &[("ecn.rate_ratio", m)])?);
    }
    let done = run_all((WORK, "thresholds"), &runs, resume)?;
    text.push_str(
        "## Marks, counted\n\n500 ms, the mean of the last 400 ms, no victim. *Marks*: packets of a flow that are marked in M packet times, mean of a kind over \
         the whole run. *Marked*: those marks as a share of what the measured rate makes of the whole run.\n\n\
         Memories of 12 packets, which never are full, by the output threshold, one key at a time:\n\n",
    );
    table(text, "variant | output threshold", &runs[..with_output], &done[..with_output]);
    text.push_str("`naive`, memories of 4 packets, by M = Rmax/Rmin:\n\n");
    table(text, "marking | M", &runs[with_output..], &done[with_output..]);
    Ok(())
}

fn table(text: &mut String, head: &str, runs: &[Wanted], done: &[Done]) {
    let _ = writeln!(
        text,
        "| {head} | root | local | remote | local, of the root link's | marks: local | remote | marked, %: local | remote |\n|{}",
        "---|".repeat(10)
    );
    for (wanted, run) in runs.iter().zip(done) {
        let local = group(run, None, "local");
        let values = [
            cell(link(run, None, "root"), 3),
            cell(local, 3),
            cell(group(run, None, "remote"), 3),
            cell(local.zip(link(run, None, "root")).map(|(l, r)| l / r), 3),
        ];
        let marks = ["local", "remote"].map(|kind| marks(wanted, run, kind));
        let cells: Vec<String> = run.labels.iter().map(|l| l.1.clone()).chain(values).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            cells.join(" | "),
            cell(marks[0].map(|m| m[0]), 2),
            cell(marks[1].map(|m| m[0]), 2),
            cell(marks[0].map(|m| m[1]), 1),
            cell(marks[1].map(|m| m[1]), 1),
        );
    }
    text.push('\n');
}

/// Marks of a flow of a kind in M packet times, and marked packets in percent.
fn marks(wanted: &Wanted, run: &Done, kind: &str) -> Option<[f64; 2]> {
    let get = |key| wanted.scenario.get(key)?.parse::<f64>().ok();
    let marks = *run.summary.ecn.as_ref()?.groups_marked.get(kind)? as f64;
    let packet_times = wanted.scenario.duration_ns().to_f64() / get("link.packet_bytes")?;
    let sent = group(run, None, kind)? * packet_times;
    let of_flow = marks / f64::from(FLOWS) / packet_times;
    Some([of_flow * get("ecn.rate_ratio")?, 100.0 * marks / sent])
}
