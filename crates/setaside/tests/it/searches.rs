//! `setaside saturate` and `setaside size`: what they find, and that a kill costs no answer.

use crate::common::{Folder, Ran, fits_a_screen, folder, folder_with, names};
use std::time::Instant;

/// One switch with what the formulas assume, see `scenarios/theory/single-switch.toml`.
const SWITCH: &str = r#"
[network]
topology = "single-switch"
[switch]
organisation = "iq"
scheme = "1q"
speedup = 1
ports = 4
port_memory_bytes = 65536
[link]
control_packet_bytes = 0
[endnode]
admittance_bytes = "unbounded"
admittance_arbiter = "oldest-first"
[workload]
load = 1.0
pattern = "uniform"
self = true
arrivals = "bernoulli"
[run]
duration_ns = 500_000
warmup_ns = 100_000
"#;

/// Four hot sources: how many SAQs keep the victims?
const SIZE: &str = r#"
[study]
name = "tiny-size"
replicas = 2
max_replicas = 4

[target]
reference = "possible"
at_least_percent = 90

[network]
topology = "bmin"
nodes = 16
[switch]
scheme = "recn"
port_memory_bytes = 8192
[workload]
load = 0.6
[workload.hot]
load = 1
sources = 8
destinations = 5
start_ns = 2_000
[run]
duration_ns = 30_000

[axes]
"workload.hot.placement" = ["spread", "block"]
[size]
"recn.saqs" = { from = 1, to = 8, step = 1 }
"#;

/// `saturate` of a file along its load.
const SATURATE: &str = "saturate switch.toml --axis workload.load --from 0.2";

/// The middle of the bracket of the one setting.
fn saturation(dir: &Folder, more: &str) -> f64 {
    let line = format!("{SATURATE} --tolerance 0.02 {more} --quiet --format json");
    let setting = dir.works(&line).json()["settings"][0].clone();
    let end = |name: &str| setting[name].as_f64().unwrap_or(1.0);
    assert!(setting["loads"].as_array().expect("a list").len() > 3);
    (end("below") + end("above")) / 2.0
}

// "A single switch with 1q and uniform traffic saturates near the theory (Karol 1987: 4 ports
// 0.655, 8 ports 0.618); voq-sw near 1."
#[test]
fn one_switch_saturates_where_theory_says() {
    let dir = folder_with(&[("switch.toml", SWITCH)]);
    for (sets, least, most) in [
        ("", 0.635, 0.675),
        ("switch.ports=8", 0.598, 0.638),
        ("switch.scheme=voq-sw switch.arbiter=islip", 0.95, 1.0),
    ] {
        let found = saturation(&dir, sets);
        assert!(found > least && found <= most, "{sets}: {found}");
    }
}

// "`--dry-run` prints the plan": of a search its first round, and nothing is run.
#[test]
fn dry_run_of_a_search_is_its_first_round() {
    let dir = folder_with(&[("size.toml", SIZE)]);
    let plan = dir.works("size size.toml --dry-run").stdout;
    assert!(!dir.has("runs"), "{plan}");
    let of_plan = plan.lines().nth(1).and_then(|line| line.split(' ').next());
    let said = dir.works("size size.toml --out s").stderr;
    let round = said.lines().find_map(|line| line.strip_prefix("round 1: "));
    assert_eq!(round.and_then(|line| line.split(' ').next()), of_plan, "{plan}");
    assert!(of_plan.is_some(), "{plan}");
}

// "`saturated` and `not converged` are results (exit 5 with `--strict`)"
#[test]
fn strict_search_ends_with_5_where_a_mean_is_not_known() {
    let dir = folder_with(&[("switch.toml", SWITCH)]);
    let until = r#"run.until={ metric = "delivered_bytes_per_ns", half_width = 0.0001 }"#;
    let line = format!("{SATURATE} --tolerance 0.2 run.series_bin_ns=1000 '{until}'");
    dir.works(&line);
    dir.ends(5, &format!("{line} --strict"), &[]);
}

// Other axes of a study are settings, each with a line of its own.
#[test]
fn each_setting_of_a_study_saturates_on_its_own() {
    let study = "[study]\nname = \"ports\"\nscenario = \"switch.toml\"\n[axes]\n\
        \"workload.load\" = [0.5, 1]\n\"switch.ports\" = [2, 16]\n";
    let dir = folder_with(&[("switch.toml", SWITCH), ("ports.toml", study)]);
    let more = "--axis workload.load --from 0.3 --tolerance 0.05 --out s";
    let text = dir.works(&format!("saturate ports.toml {more}")).stdout;
    fits_a_screen(&text);
    assert!(text.starts_with("ports: 2 settings, along workload.load\n"), "{text}");
    assert!(text.contains("\nports 2 ") && text.contains("\nports 16 "), "{text}");
    assert!(dir.has("s/report.html"));
    let runs = dir.text("s/results.csv").lines().count() - 1;
    assert!(text.contains(&format!("{runs} runs in s\n")), "{text}");
}

#[test]
fn wrong_axes_and_ends_are_refused_by_name() {
    let dir = folder();
    dir.write("switch.toml", SWITCH);
    for (axis, more, what) in [
        ("workload.lode", "", "did you mean `workload.load`"),
        ("switch.scheme", "", "it takes no number"),
        ("workload.load", "--to 1.5", "1.5 is above 1"),
        ("workload.load", "--from 1", "not above --from"),
        ("recn.saqs", "", "an integer from"),
        ("workload.load", "--tolerance 0", "above 0 and below 1"),
    ] {
        dir.ends(2, &format!("saturate switch.toml --axis {axis} {more}"), &[what]);
    }
    dir.ends(2, "size study.toml", &["write [size]"]);
    assert_eq!(names(&dir), ["study.toml", "switch.toml", "tiny.toml"], "nothing is written");
}

/// What the search leaves that does not tell times.
fn files(dir: &Folder, out: &str) -> Vec<String> {
    let read = |name: &str| dir.text(&format!("{out}/{name}"));
    let mut files = ["results.csv", "windows.csv", "results.json"].map(read).to_vec();
    files.extend(names(&dir.join(out).join("runs")));
    files
}

// "Kill and resume gives the same bytes": the answer, the tables and the names of the runs.
#[test]
fn killed_search_goes_on_to_the_same_answer() {
    let dir = folder_with(&[("size.toml", SIZE)]);
    let line = |out: &str| format!("size size.toml --jobs 2 --out {out}");
    let start = Instant::now();
    let whole = dir.works(&line("whole"));
    let time = start.elapsed();
    fits_a_screen(&whole.stdout);
    let cut = (1..8).filter(|part| dir.killed(&line("whole-"), time * *part / 12)).count();
    assert!(cut > 0, "never killed before its end");
    let again = dir.works(&line("whole-")).stdout;
    assert_eq!(again.replace("whole-", "whole"), whole.stdout);
    assert_eq!(files(&dir, "whole-"), files(&dir, "whole"));
    // "The answer first: page", and what is made anew from run directories.
    let head = whole.stdout.lines().next().expect("an answer");
    assert!(dir.text("whole/report.html").contains(head), "{head}");
    assert_eq!(dir.works("collect whole").stdout, whole.stdout);
    // Once more: nothing is run.
    let third = dir.works(&line("whole"));
    let makes_runs = |ran: &Ran| ran.stderr.contains(" runs/s");
    assert!(makes_runs(&whole) && !makes_runs(&third), "{}", third.stderr);
    // Anew: every run is, and the answer stays.
    let fresh = dir.works(&format!("{} --fresh", line("whole")));
    assert!(makes_runs(&fresh), "{}", fresh.stderr);
    assert_eq!([&third.stdout, &fresh.stdout], [&whole.stdout; 2]);
    assert_eq!(files(&dir, "whole-"), files(&dir, "whole"));
    // From the other's runs: none is made.
    let reused = dir.works(&format!("{} --reuse whole", line("taken")));
    assert!(!makes_runs(&reused), "{}", reused.stderr);
    assert_eq!(files(&dir, "taken"), files(&dir, "whole"));
}
