//! `setaside saturate` and `setaside size`: what they find, and that a kill costs no answer.
use crate::common::{code, folder, names, program, setaside, stderr, works};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
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

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// A screen: at most 25 lines of 80 columns.
fn fits_a_screen(text: &str) {
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// `saturate` of a file along its load.
fn along_load<'a>(file: &'a str, from: &'a str) -> [&'a str; 6] {
    ["saturate", file, "--axis", "workload.load", "--from", from]
}

/// The middle of the bracket of the one setting.
fn saturation(dir: &Path, more: &[&str]) -> f64 {
    let head = along_load("switch.toml", "0.2");
    let args = [&head, more, &["--quiet", "--format", "json"]].concat();
    let answer: Value = serde_json::from_slice(&works(dir, &args).stdout).expect("json");
    let setting = &answer["settings"][0];
    let end = |name: &str| setting[name].as_f64().unwrap_or(1.0);
    assert!(setting["loads"].as_array().expect("a list").len() > 3);
    (end("below") + end("above")) / 2.0
}

// "A single switch with 1q and uniform traffic saturates near the theory (Karol 1987: 4 ports
// 0.655, 8 ports 0.618); voq-sw near 1."
#[test]
fn one_switch_saturates_where_theory_says() {
    let (_keep, dir) = folder();
    fs::write(dir.join("switch.toml"), SWITCH).expect("written");
    let four = saturation(&dir, &["--tolerance", "0.02"]);
    assert!((four - 0.655).abs() < 0.02, "4 ports: {four}");
    let eight = saturation(&dir, &["--tolerance", "0.02", "--set", "switch.ports=8"]);
    assert!((eight - 0.618).abs() < 0.02, "8 ports: {eight}");
    let islip = ["--set", "switch.scheme=voq-sw", "--set", "switch.arbiter=islip"];
    let voq = saturation(&dir, &[&islip[..], &["--tolerance", "0.02"]].concat());
    assert!(voq > 0.95, "voq-sw: {voq}");
}

// "`--dry-run` prints the plan": of a search its first round, and nothing is run.
#[test]
fn dry_run_of_a_search_is_its_first_round() {
    let (_keep, dir) = folder();
    fs::write(dir.join("size.toml"), SIZE).expect("written");
    let plan = text(&works(&dir, &["size", "size.toml", "--dry-run"]));
    assert!(!dir.join("runs").exists(), "{plan}");
    let of_plan = plan.lines().nth(1).and_then(|line| line.split(' ').next());
    let said = stderr(&works(&dir, &["size", "size.toml", "--out", "s"]));
    let round = said.lines().find_map(|line| line.strip_prefix("round 1: "));
    assert_eq!(round.and_then(|line| line.split(' ').next()), of_plan, "{plan}");
    assert!(of_plan.is_some(), "{plan}");
}

// "`saturated` and `not converged` are results (exit 5 with `--strict`)"
#[test]
fn strict_search_ends_with_5_where_a_mean_is_not_known() {
    let (_keep, dir) = folder();
    fs::write(dir.join("switch.toml"), SWITCH).expect("written");
    let until = r#"run.until={ metric = "delivered_bytes_per_ns", half_width = 0.0001 }"#;
    let sets = ["--tolerance", "0.2", "--set", "run.series_bin_ns=1000", "--set", until];
    let args = [&along_load("switch.toml", "0.2")[..], &sets].concat();
    works(&dir, &args);
    assert_eq!(code(&setaside(&dir, &[&args[..], &["--strict"]].concat())), 5);
}

// Other axes of a study are settings, each with a line of its own.
#[test]
fn each_setting_of_a_study_saturates_on_its_own() {
    let (_keep, dir) = folder();
    fs::write(dir.join("switch.toml"), SWITCH).expect("written");
    let study = "[study]\nname = \"ports\"\nscenario = \"switch.toml\"\n[axes]\n\
        \"workload.load\" = [0.5, 1]\n\"switch.ports\" = [2, 16]\n";
    fs::write(dir.join("ports.toml"), study).expect("written");
    let args = along_load("ports.toml", "0.3");
    let args = [&args[..], &["--tolerance", "0.05", "--out", "s"]].concat();
    let output = works(&dir, &args);
    let text = text(&output);
    fits_a_screen(&text);
    assert!(text.starts_with("ports: 2 settings, along workload.load\n"), "{text}");
    assert!(text.contains("\nports 2 ") && text.contains("\nports 16 "), "{text}");
    assert!(dir.join("s/report.html").is_file());
    let results = fs::read_to_string(dir.join("s/results.csv")).expect("results");
    assert!(text.contains(&format!("{} runs in s\n", results.lines().count() - 1)), "{text}");
}

#[test]
fn wrong_axes_and_ends_are_refused_by_name() {
    let (_keep, dir) = folder();
    fs::write(dir.join("switch.toml"), SWITCH).expect("written");
    for (axis, more, what) in [
        ("workload.lode", &[][..], "did you mean `workload.load`"),
        ("switch.scheme", &[], "it takes no number"),
        ("workload.load", &["--to", "1.5"], "1.5 is above 1"),
        ("workload.load", &["--from", "1"], "not above --from"),
        ("recn.saqs", &[], "an integer from"),
        ("workload.load", &["--tolerance", "0"], "above 0 and below 1"),
    ] {
        let args = [&["saturate", "switch.toml", "--axis", axis], more].concat();
        let output = setaside(&dir, &args);
        assert_eq!(code(&output), 2, "{axis}");
        assert!(stderr(&output).contains(what), "{axis}: {}", stderr(&output));
    }
    let output = setaside(&dir, &["size", "study.toml"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("write [size]"), "{}", stderr(&output));
    assert_eq!(names(&dir), ["study.toml", "switch.toml", "tiny.toml"], "nothing is written");
}

/// What the search leaves that does not tell times.
fn files(dir: &Path) -> Vec<Vec<u8>> {
    let read = |name: &str| fs::read(dir.join(name)).expect(name);
    let mut files: Vec<Vec<u8>> = ["results.csv", "windows.csv", "results.json"].map(read).to_vec();
    files.push(names(&dir.join("runs")).join(" ").into_bytes());
    files
}

// "Kill and resume gives the same bytes": the answer, the tables and the names of the runs.
#[test]
fn killed_search_goes_on_to_the_same_answer() {
    let (_keep, dir) = folder();
    fs::write(dir.join("size.toml"), SIZE).expect("written");
    let args = |out: &'static str| ["size", "size.toml", "--jobs", "2", "--out", out];
    let start = Instant::now();
    let whole = works(&dir, &args("whole"));
    let time = start.elapsed();
    fits_a_screen(&text(&whole));
    let mut cut = 0;
    for part in 1..8 {
        let mut child = program(&dir)
            .args(args("whole-"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(time * part / 12);
        child.kill().expect("killed or over");
        cut += u32::from(child.wait().expect("a state").code().is_none());
    }
    assert!(cut > 0, "never killed before its end");
    let again = works(&dir, &args("whole-"));
    let text = text(&again).replace("whole-", "whole");
    assert_eq!(text, self::text(&whole));
    assert_eq!(files(&dir.join("whole-")), files(&dir.join("whole")));
    // "The answer first: page", and what is made anew from run directories.
    let page = fs::read_to_string(dir.join("whole/report.html")).expect("a page");
    let head = text.lines().next().expect("an answer");
    assert!(page.contains(head), "{head}");
    assert_eq!(works(&dir, &["collect", "whole"]).stdout, whole.stdout);
    // Once more: nothing is run.
    let third = works(&dir, &args("whole"));
    assert_eq!(third.stdout, whole.stdout);
    let makes_runs = |output: &Output| stderr(output).contains(" runs/s");
    assert!(makes_runs(&whole) && !makes_runs(&third), "{}", stderr(&third));
    // Anew: every run is, and the answer stays.
    let fresh = works(&dir, &[&args("whole")[..], &["--fresh"]].concat());
    assert_eq!(fresh.stdout, whole.stdout);
    assert!(makes_runs(&fresh), "{}", stderr(&fresh));
    assert_eq!(files(&dir.join("whole-")), files(&dir.join("whole")));
    // From the other's runs: none is made.
    let reused = works(&dir, &[&args("taken")[..], &["--reuse", "whole"]].concat());
    assert!(!makes_runs(&reused), "{}", stderr(&reused));
    assert_eq!(files(&dir.join("taken")), files(&dir.join("whole")));
}
