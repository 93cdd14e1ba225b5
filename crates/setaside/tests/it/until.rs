//! `run.until`: a run is as long as it takes until its mean is known, and reports the outcome.

use crate::common::{Folder, folder_with, without_timing};
use fabric::Engine;
use serde_json::Value;

/// Random traffic; the longest run is 4000 bins.
const RANDOM: &str = include_str!("data/random.toml");

fn folder() -> Folder {
    folder_with(&[("random.toml", RANDOM)])
}

/// `setaside run random.toml` with more: its summary, and all that it prints.
#[track_caller]
fn run(dir: &Folder, exit: i32, more: &str) -> (Value, String) {
    let ran = dir.ends(exit, &format!("run random.toml --out out --force {more}"), &[]);
    (dir.json("out/summary.json"), ran.stdout + &ran.stderr)
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
// repeat it exactly": its line shows how. Also how long it drains: a saturated one to the last.
#[test]
fn reported_run_is_repeated_as_a_plain_one() {
    let dir = folder();
    for load in ["workload.load=0.5", "workload.load=1"] {
        let (mut found, text) = run(&dir, 0, load);
        let words: Vec<&str> = text.split_whitespace().collect();
        let sets = words.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1]);
        let sets: Vec<&str> = sets.collect();
        assert_eq!(sets.len(), 3, "{text}");
        let (again, _) = run(&dir, 0, &format!("{} {load}", sets.join(" ")));
        assert!(again.get("until").is_none());
        let until = found.as_object_mut().expect("an object").remove("until").expect("it is told");
        let rate = again["delivered_bytes_per_ns"].as_f64().expect("a rate");
        assert!((until["mean_bytes_per_ns"].as_f64().expect("a mean") - rate).abs() < 1e-9);
        assert!(until["attempts"].as_u64() > Some(1), "{until}");
        // Observers of the inside see the same run.
        let (recorded, _) = run(&dir, 0, &format!("{load} --record"));
        assert_eq!(recorded["events_hash"], again["events_hash"]);
        assert_eq!(recorded["until"], until);
        // All is equal but the object itself, and the time spent.
        assert_eq!(without_timing(found), without_timing(again));
    }
}

// "`saturated`, `not converged` are results (exit 5 with --strict)."
#[test]
fn what_is_not_known_is_reported_and_strict_ends_with_5() {
    let dir = folder();
    // HOL blocking holds back victims that share queues with flows to a hot destination.
    let victims = "'workload.hot={ sources = 4, destinations = 5 }' \
                   run.until.metric=victims.delivered_bytes_per_ns";
    for (result, sets) in [
        ("saturated", "workload.load=1"),
        ("not converged", "run.duration_ns=100_000 run.until.half_width=0.0005"),
        ("saturated", &format!("workload.load=0.7 {victims}")),
        (
            "converged",
            &format!("switch.scheme=recn workload.load=0.3 run.until.half_width=0.02 {victims}"),
        ),
    ] {
        let (summary, text) = run(&dir, 0, sets);
        assert_eq!(summary["until"]["result"], result, "{sets}: {text}");
        assert!(text.contains(result), "{text}");
        let exit = if result == "converged" { 0 } else { 5 };
        run(&dir, exit, &format!("{sets} --strict"));
        if sets == "workload.load=1" {
            // No other run can help: the longest one was not made.
            assert!(summary["until"]["duration_ns"].as_f64() < Some(2_000_000.0));
        }
    }
}

// "`sweep` marks such points."
#[test]
fn sweep_reports_how_many_are_saturated() {
    let dir = folder();
    let study = "[study]\nname = \"s\"\nscenario = \"random.toml\"\n[axes]\n\
                 \"workload.load\" = [0.3, 1]\n";
    dir.write("study.toml", study);
    let line = "sweep study.toml --out swept";
    let text = dir.works(line).stdout;
    assert!(text.contains("1 of 2 runs saturated"), "{text}");
    // Measured times are those found.
    let windows = dir.text("swept/windows.csv");
    assert!(!windows.contains("2000000"), "{windows}");
    dir.ends(5, &format!("{line} --strict"), &[]);
}
