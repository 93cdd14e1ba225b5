//! `run` and `sweep`: what they write.

use super::{STUDY, code, files_in, folder, json, setaside, stderr, stdout, without_timing};
use serde_json::Value;

/// "`summary.json` (`run --format json` prints it) has at least: ..." (DESIGN)
#[test]
fn run_prints_the_summary_with_all_its_fields_and_writes_it() {
    let (_keep, dir) = folder();
    let summary = json(&setaside(&dir, &["run", "small.toml", "--format", "json", "--out", "out"]));
    for field in [
        "delivered_bytes_per_ns",
        "offered_bytes_per_ns",
        "relative_throughput",
        "fairness_jain",
        "packets_generated",
        "packets_delivered",
        "packets_in_flight",
        "packets_refused",
        "packets_lost_to_faults",
        "packets_stranded",
        "out_of_order",
        "latency_ns",
        "network_latency_ns",
        "saqs_peak",
        "packet_hops",
        "events_hash",
        "groups",
        "links",
        "timing",
    ] {
        assert!(summary.get(field).is_some(), "{field} is missing");
    }
    for part in ["mean", "p50", "p99", "p999", "max"] {
        assert!(summary["latency_ns"][part].is_number(), "latency_ns.{part}");
    }
    assert!(summary["groups"]["hot"].as_f64().is_some_and(|v| v > 0.0));
    assert_eq!(summary["out_of_order"], 0);
    let written: Value =
        serde_json::from_slice(&std::fs::read(dir.join("out/summary.json")).expect("summary.json"))
            .expect("JSON");
    assert_eq!(written, summary);
    let series = std::fs::read_to_string(dir.join("out/series.csv")).expect("series.csv");
    let head = "t_ns,delivered_bytes_per_ns,offered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port";
    assert!(series.starts_with(head), "{series}");
    assert_eq!(series.lines().count(), 21);
    for file in ["scenario.toml", "manifest.json", "flows.csv"] {
        assert!(dir.join("out").join(file).exists(), "{file}");
    }
    // The resolved scenario is a scenario, and gives the same result.
    let again =
        json(&setaside(&dir, &["run", "out/scenario.toml", "--format", "json", "--out", "again"]));
    assert_eq!(without_timing(again), without_timing(summary));
}

/// "Same scenario and seed give the same bytes: on any ... engine."
#[test]
fn engines_write_the_same_files_and_seeds_do_not() {
    let (_keep, dir) = folder();
    let run = |engine: &str, seed: &str, out: &str| {
        let output = setaside(
            &dir,
            &["run", "small.toml", "--seed", seed, "--out", out, "--format", "json", "--engine"]
                .into_iter()
                .chain(engine.split(' '))
                .collect::<Vec<_>>(),
        );
        let summary = without_timing(json(&output));
        let read = |file| std::fs::read(dir.join(out).join(file)).expect("a result file");
        (summary, read("series.csv"), read("flows.csv"))
    };
    let fast = run("fast", "3", "a");
    assert_eq!(fast, run("reference", "3", "b"));
    assert_eq!(fast, run("fast --threads 3", "3", "d"));
    assert_ne!(fast.0["events_hash"], run("fast", "4", "c").0["events_hash"]);
}

/// "`--set` values are parsed as TOML, else taken as a string. `--out` defaults to
/// `runs/NAME-HASH8`."
#[test]
fn set_changes_keys_and_the_default_folder() {
    let (_keep, dir) = folder();
    let args = [
        "run",
        "small.toml",
        "--set",
        "switch.scheme=voq-sw",
        "--set",
        "run.duration_ns=4_000",
        "--format",
        "json",
    ];
    let summary = json(&setaside(&dir, &args));
    assert_eq!(summary["recn"]["allocations"], 0);
    let runs: Vec<String> = std::fs::read_dir(dir.join("runs"))
        .expect("runs")
        .map(|e| e.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    assert_eq!(runs.len(), 1);
    assert!(runs[0].starts_with("small-") && runs[0].len() == "small-".len() + 8, "{runs:?}");
    let text = std::fs::read_to_string(dir.join("runs").join(&runs[0]).join("scenario.toml"))
        .expect("scenario.toml");
    assert!(text.contains("voq-sw"));
}

/// A study writes a table, tidy results, a directory a run and one page; what is asked for twice
/// gives the same bytes.
#[test]
fn sweep_writes_results_and_a_page() {
    let (_keep, dir) = folder();
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    let dry = setaside(&dir, &["sweep", "study.toml", "--dry-run", "-v"]);
    let plan = String::from_utf8_lossy(&dry.stdout).into_owned();
    assert_eq!(plan.lines().filter(|line| line.contains("  seed ")).count(), 3, "{plan}");
    assert!(stderr(&dry).contains("an estimate"), "{}", stderr(&dry));
    assert!(!dir.join("runs").exists());
    for (jobs, out) in [("1", "one"), ("2", "two")] {
        let output = setaside(&dir, &["sweep", "study.toml", "--jobs", jobs, "--out", out]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let answer = String::from_utf8_lossy(&output.stdout);
        assert!(answer.contains("enough: "), "{answer}");
        let page = std::fs::read_to_string(dir.join(out).join("report.html")).expect("report.html");
        assert!(page.contains("<svg") && !page.contains("src=\"http"));
    }
    let read = |out: &str| std::fs::read(dir.join(out).join("results.csv")).expect("results.csv");
    assert_eq!(read("one"), read("two"));
    let dry = |more: &[&str]| {
        let args = ["sweep", "study.toml", "--dry-run", "--out", "one"];
        let output = setaside(&dir, &[&args, more].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let finished = "3 are finished and stay";
    assert!(dry(&[]).contains(finished) && !dry(&["--fresh"]).contains(finished));
    assert_eq!(
        code(&setaside(&dir, &["sweep", "study.toml", "--max-runs", "1", "--out", "three"])),
        0
    );
    assert_eq!(std::fs::read_dir(dir.join("three/runs")).expect("runs").count(), 1);
    assert_eq!(code(&setaside(&dir, &["report", "one"])), 0);
    assert_eq!(code(&setaside(&dir, &["report", "nowhere"])), 1);
}

/// "`--out` defaults to `runs/NAME-HASH8`": below `runs`, whatever the name, and the same one
/// whichever part of the study is run.
#[test]
fn names_stay_below_runs() {
    let (_keep, dir) = folder();
    let study = STUDY.replace("\"s\"", "\"x/../../y\"");
    std::fs::write(dir.join("study.toml"), study).expect("written");
    for args in [&["--max-runs", "1"][..], &["--engine", "reference"]] {
        let output = setaside(&dir, &[&["sweep", "study.toml"], args].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
    let found = files_in(&dir.join("runs"));
    assert!(found.len() == 1 && found[0].starts_with("x-..-..-y-"), "{found:?}");
    assert_eq!(files_in(&dir), ["runs", "small.toml", "study.toml"]);
    let manifest = std::fs::read_to_string(dir.join("runs").join(&found[0]).join("manifest.json"));
    assert!(manifest.expect("manifest.json").contains("\"engine\": \"reference\""));
}

/// "a run that stops is reported as deadlocked at its time": the shipped scenario on the VCs of the
/// paper ends with exit code 3, the tick and the cycle; on as many VCs as there are hops it does
/// not.
#[test]
fn a_deadlock_on_the_vcs_of_the_paper_is_reported() {
    let (_keep, dir) = folder();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenarios/lai-rsi/df-paper-literal-deadlock.toml"
    );
    let output = setaside(&dir, &["run", file, "--out", "cycle"]);
    let told = stderr(&output);
    assert_eq!(code(&output), 3, "{told}");
    assert!(told.contains("deadlock at tick 20000: "), "{told}");
    assert!(told.contains(" waits for room behind "), "{told}");
    let sets = "routing.vc_scheme=hop-count routing.allow_deadlock=false run.duration_ns=60000";
    let sets = sets.split(' ').flat_map(|set| ["--set", set]);
    let args: Vec<&str> = ["run", file, "--out", "free"].into_iter().chain(sets).collect();
    let output = setaside(&dir, &args);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// A rack whose packets may overtake says so at `check`, in the summary, in a sweep and on pages;
/// one whose packets may not does not.
#[test]
fn what_may_reorder_is_said() {
    let (_keep, dir) = folder();
    let rack = "[network]\ntopology = \"rsi-hypercube\"\nsuper_nodes = 8\nlinks_per_pair = 1\n\
        wiring = \"palm-tree-packed\"\n[workload]\nload = 0.45\n[run]\nduration_ns = 20_000\n";
    std::fs::write(dir.join("rack.toml"), rack).expect("written");
    let study = "[study]\nname = \"s\"\nscenario = \"rack.toml\"\n\
        [axes]\n\"routing.selection\" = [\"least-queued\", \"first\"]\n";
    std::fs::write(dir.join("study.toml"), study).expect("written");
    let why =
        "routing.selection = \"least-queued\" sends packets of a flow by several minimal ports";
    let help = "endnode.reorder_buffer = true delivers in order";
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = |path: &str| std::fs::read_to_string(dir.join(path)).expect("a page");
    let in_html = why.replace('"', "&quot;");

    let checked = words(stdout(&setaside(&dir, &["check", "rack.toml", "study.toml"])));
    for line in [
        format!("rack.toml: may deliver out of order: {why}; {help}"),
        format!("study.toml: may deliver out of order: {why} (1 of 2 runs); {help}"),
    ] {
        assert!(checked.contains(&line), "{line}\n{checked}");
    }
    let checked = json(&setaside(&dir, &["check", "rack.toml", "--format", "json"]));
    assert_eq!(checked[0]["may_reorder"], serde_json::json!([why]));

    let ran = setaside(&dir, &["run", "rack.toml", "--out", "out", "-v"]);
    let summary: Value = serde_json::from_str(&page("out/summary.json")).expect("JSON");
    let late = summary["out_of_order"].as_u64().expect("a count");
    assert!(late > 0 && summary["reordered_by"] == why, "{summary}");
    let (text, told) = (words(stdout(&ran)), words(stderr(&ran)));
    assert!(text.contains(&format!("out of order {late} packets; possible: {why}")), "{text}");
    let warning = format!("warning: {late} packets out of order: {why}; {help}");
    assert!(told.contains(&warning), "{told}");
    assert_eq!(code(&setaside(&dir, &["report", "out"])), 0);
    let said = format!("{late} packets out of order: {in_html}.");
    assert!(page("out/report.html").contains(&said));

    let swept = setaside(&dir, &["sweep", "study.toml", "--out", "s", "--columns", "all"]);
    let text = words(stdout(&swept));
    let foot = format!("out of order: {why} (1 of 2 runs)");
    assert!(text.contains("out of order") && text.contains(&foot), "{text}");
    let caution = "! packets out of order in 1 of 2 runs: endnode.reorder_buffer = true";
    assert!(text.contains(caution), "{text}");
    let csv = page("s/results.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = rows[0].iter().position(|name| *name == "out_of_order").expect("a column");
    assert_eq!((rows[1][column], rows[2][column]), (&*late.to_string(), ""));
    assert!(page("s/report.html").contains("<button type=\"button\">out of order"));

    let first = ["--set", "routing.selection=first"];
    let with = |verb: &[&str]| setaside(&dir, &[verb, &first[..]].concat());
    let checked = with(&["check", "rack.toml"]);
    let ran = with(&["run", "rack.toml", "--out", "first", "-v"]);
    assert!(words(stdout(&ran)).contains(" out of order 0 "), "{}", stdout(&ran));
    assert!(!stderr(&ran).contains("out of order") && !stdout(&checked).contains("out of order"));
    let summary: Value = serde_json::from_str(&page("first/summary.json")).expect("JSON");
    assert!(summary.get("reordered_by").is_none());
}
