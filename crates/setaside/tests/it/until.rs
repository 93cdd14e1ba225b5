//! `run.until`: a run is as long as it takes until its mean is known, and says how it came out.

use crate::common::{code, json, program, stderr, works};
use fabric::Engine;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Random traffic; the longest run is 4000 bins.
const RANDOM: &str = r#"
[network]
topology = "bmin"
nodes = 16
[workload]
load = 0.5
arrivals = "bernoulli"
[run]
duration_ns = 2_000_000
series_bin_ns = 500
until = { metric = "delivered_bytes_per_ns", half_width = 0.005 }
"#;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("random.toml"), RANDOM).expect("written");
    dir
}

/// `setaside run random.toml` with keys set: exit code, `until`, summary, stdout.
fn run(dir: &Path, sets: &[&str], args: &[&str]) -> (i32, Value, String) {
    let mut command = program(dir);
    command.args(["run", "random.toml", "--out", "out", "--force"]);
    command.args(args);
    for set in sets {
        command.args(["--set", set]);
    }
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let summary = json(&dir.join("out/summary.json"));
    (code(&output), summary, text + &stderr(&output))
}

// "Random traffic below saturation converges, and the interval of the reported run covers the mean
// of a much longer run": of 20 seeds 19 are expected to, and 16 or fewer come once in 60 times.
#[test]
fn interval_covers_the_mean_of_a_longer_run() {
    let mean = |sets: &[&str]| {
        let sets: Vec<scenario::Set> = sets.iter().map(|set| set.parse().expect("a set")).collect();
        let scenario = scenario::Scenario::parse(RANDOM, "random.toml", None, &sets);
        let scenario = scenario.unwrap_or_else(|e| panic!("{e}"));
        let record = setaside::simulate(&scenario, Engine::Fast, &|| ()).expect("it runs");
        record.summary
    };
    let long = ["run.until.metric=none", "run.duration_ns=10_000_000", "run.warmup_ns=100_000"];
    let truth = mean(&long).delivered_bytes_per_ns.expect("a mean");
    let seeds = 20;
    let covered = (1..=seeds).filter(|seed| {
        let summary = mean(&[&format!("run.seed={}", 100 + seed)]);
        let until = summary.until.expect("it was asked for");
        assert_eq!(until.result.word(), "converged", "{until:?}");
        let half = until.half_width.expect("an interval");
        assert!(half <= 0.005 && until.batches >= 10, "{until:?}");
        (until.mean_bytes_per_ns - truth).abs() <= half * until.mean_bytes_per_ns
    });
    let covered = covered.count();
    assert!(covered >= 17, "{covered} of {seeds}");
}

// "The run that is reported is a plain scenario with the found warm-up and duration, so anybody can
// repeat it exactly": its line says how. Also how long it drains: a saturated one to the last.
#[test]
fn reported_run_is_repeated_as_a_plain_one() {
    let dir = folder();
    for load in ["workload.load=0.5", "workload.load=1"] {
        let (exit, mut found, text) = run(dir.path(), &[load], &[]);
        assert_eq!(exit, 0, "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        let after = |pair: &&[&str]| (pair[0] == "--set").then(|| pair[1].to_string());
        let sets: Vec<String> = words.windows(2).filter_map(|pair| after(&pair)).collect();
        assert_eq!(sets.len(), 3, "{text}");
        let sets: Vec<&str> = sets.iter().map(String::as_str).chain([load]).collect();
        let (_, mut again, _) = run(dir.path(), &sets, &[]);
        assert!(again.get("until").is_none());
        let until = found["until"].clone();
        let rate = again["delivered_bytes_per_ns"].as_f64().expect("a rate");
        assert!((until["mean_bytes_per_ns"].as_f64().expect("a mean") - rate).abs() < 1e-9);
        assert!(until["attempts"].as_u64() > Some(1), "{until}");
        // All is equal but the object itself, and the time spent.
        for summary in [&mut found, &mut again] {
            let summary = summary.as_object_mut().expect("an object");
            summary.remove("until");
            summary.remove("timing");
        }
        assert_eq!(found, again);
        // What looks inside sees the same run.
        let (_, recorded, _) = run(dir.path(), &[load], &["--record"]);
        assert_eq!(recorded["events_hash"], again["events_hash"]);
        assert_eq!(recorded["until"], until);
    }
}

// "`saturated`, `not converged` are results (exit 5 with --strict)."
#[test]
fn what_is_not_known_is_said_and_strict_ends_with_5() {
    let dir = folder();
    let cases: [(&str, &[&str]); 4] = [
        ("saturated", &["workload.load=1"]),
        ("not converged", &["run.duration_ns=100_000", "run.until.half_width=0.0005"]),
        // HOL blocking holds back victims that share queues with flows to a hot destination.
        (
            "saturated",
            &[
                "workload.load=0.7",
                "workload.hot={ sources = 4, destinations = 5 }",
                "run.until.metric=victims.delivered_bytes_per_ns",
            ],
        ),
        (
            "converged",
            &[
                "switch.scheme=recn",
                "workload.load=0.3",
                "workload.hot={ sources = 4, destinations = 5 }",
                "run.until.metric=victims.delivered_bytes_per_ns",
                "run.until.half_width=0.02",
            ],
        ),
    ];
    for (result, sets) in cases {
        let (exit, summary, text) = run(dir.path(), sets, &[]);
        assert_eq!(exit, 0, "{text}");
        let until = &summary["until"];
        assert_eq!(until["result"], result, "{sets:?}: {until}");
        assert!(text.contains(result), "{text}");
        let (exit, ..) = run(dir.path(), sets, &["--strict"]);
        assert_eq!(exit, if result == "converged" { 0 } else { 5 }, "{sets:?}");
    }
    // It is no use to go on: the longest run was not made.
    let (_, summary, _) = run(dir.path(), &["workload.load=1"], &[]);
    assert!(summary["until"]["duration_ns"].as_f64() < Some(2_000_000.0));
}

// "`sweep` marks such points."
#[test]
fn sweep_says_how_many_are_saturated() {
    let dir = folder();
    let study = "[study]\nname = \"s\"\nscenario = \"random.toml\"\n[axes]\n\
                 \"workload.load\" = [0.3, 1]\n";
    fs::write(dir.path().join("study.toml"), study).expect("written");
    let args = ["sweep", "study.toml", "--out", "swept"];
    let output = works(dir.path(), &args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1 of 2 runs saturated"), "{text}");
    // Measured times are those found.
    let windows = fs::read_to_string(dir.path().join("swept/windows.csv")).expect("a table");
    assert!(!windows.contains("2000000"), "{windows}");
    let strict = program(dir.path()).args(args).arg("--strict").output().expect("it starts");
    assert_eq!(code(&strict), 5, "{}", stderr(&strict));
}
