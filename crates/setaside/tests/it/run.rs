//! `run` and `sweep`: what they write.

use crate::common::{RACK, STUDY, folder, folder_with, names, root, unwrapped, without_timing};
use scenario::Study;
use serde_json::json;

/// "`summary.json` (`run --format json` prints it) has at least: ..." (DESIGN)
#[test]
fn run_prints_the_summary_with_all_its_fields_and_writes_it() {
    let dir = folder();
    let summary = dir.works("run tiny.toml --format json --out out").json();
    let fields = "delivered_bytes_per_ns offered_bytes_per_ns relative_throughput fairness_jain \
        packets_generated packets_delivered packets_in_flight packets_refused \
        packets_lost_to_faults packets_stranded out_of_order latency_ns network_latency_ns \
        saqs_peak packet_hops events_hash groups links timing";
    for field in fields.split(' ') {
        assert!(summary.get(field).is_some(), "{field} is missing");
    }
    for part in ["mean", "p50", "p99", "p999", "max"] {
        assert!(summary["latency_ns"][part].is_number(), "latency_ns.{part}");
    }
    assert!(summary["groups"]["hot"].as_f64().is_some_and(|v| v > 0.0));
    assert_eq!(summary["out_of_order"], 0);
    assert_eq!(dir.json("out/summary.json"), summary);
    let series = dir.text("out/series.csv");
    let head = "t_ns,delivered_bytes_per_ns,offered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port";
    assert!(series.starts_with(head), "{series}");
    assert_eq!(series.lines().count(), 11);
    for file in ["scenario.toml", "manifest.json", "flows.csv"] {
        assert!(dir.has(&format!("out/{file}")), "{file}");
    }
    // The resolved scenario is a scenario, and gives the same result.
    let again = dir.works("run out/scenario.toml --format json --out again").json();
    assert_eq!(without_timing(again), without_timing(summary));
}

/// "nothing when off": observers of the inside of a run change none of its results.
#[test]
fn results_are_those_of_a_run_that_is_not_inspected() {
    let dir = folder();
    let plain = dir.works("run tiny.toml --out plain");
    let events = |stderr: &str| stderr.lines().filter(|line| line.contains(" ns  fabric.")).count();
    assert_eq!(events(&plain.stderr), 0);
    let files = dir.whole_run("plain").expect("a run");
    for (out, more, parts) in [
        ("told", "--watch 'unit=node 5'", ""),
        ("shown", "--waves w.vcd --threads 2", "--waves the engine has one thread"),
        ("recorded", "--record", ""),
    ] {
        let ran = dir.ends(0, &format!("run tiny.toml --out {out} {more}"), &[parts]);
        assert_eq!(ran.stdout, plain.stdout, "{more}");
        assert!(events(&ran.stderr) > 10 || out != "told", "{}", ran.stderr);
        let found = dir.whole_run(out).expect("a run");
        assert!(files.iter().all(|file| found.contains(file)), "{more}");
        // with `--record` alone there are files of it
        assert_eq!(found.len() - files.len(), if out == "recorded" { 5 } else { 0 }, "{more}");
    }
}

/// "Same scenario and seed give the same bytes: on any ... engine."
#[test]
fn engines_write_the_same_files_and_seeds_do_not() {
    let dir = folder();
    let run = |engine: &str, seed: u32| {
        let args = format!("--engine {engine} --seed {seed} --out r --force");
        dir.works(&format!("run tiny.toml {args}"));
        dir.whole_run("r").expect("a run")
    };
    let fast = run("fast", 3);
    assert!(fast == run("reference", 3) && fast == run("fast --threads 3", 3));
    assert!(fast != run("fast", 4));
}

/// "`--set` values are parsed as TOML, else taken as a string. `--out` defaults to
/// `runs/NAME-HASH8`", below `runs` whatever the name, and the same one whichever part of a study
/// is run.
#[test]
fn set_changes_keys_and_names_stay_below_runs() {
    let dir = folder();
    let sets = "--set switch.scheme=voq-sw --set run.duration_ns=4_000";
    let summary = dir.works(&format!("run tiny.toml {sets} --format json")).json();
    assert_eq!(summary["recn"]["allocations"], 0);
    let runs = names(&dir.join("runs"));
    assert!(runs.len() == 1 && runs[0].starts_with("tiny-"), "{runs:?}");
    assert_eq!(runs[0].len(), "tiny-".len() + 8);
    assert!(dir.text(&format!("runs/{}/scenario.toml", runs[0])).contains("voq-sw"));
    dir.write("study.toml", STUDY.replace("\"s\"", "\"x/../../y\""));
    for args in ["--max-runs 1", "--engine reference"] {
        dir.works(&format!("sweep study.toml {args}"));
    }
    let found = names(&dir.join("runs"));
    assert!(found.len() == 2 && found[1].starts_with("x-..-..-y-"), "{found:?}");
    assert_eq!(names(&dir), ["runs", "study.toml", "tiny.toml"]);
    let manifest = dir.text(&format!("runs/{}/manifest.json", found[1]));
    assert!(manifest.contains("\"engine\": \"reference\""), "{manifest}");
}

/// A study writes a table, results, a directory a run and a page; twice the same bytes.
#[test]
fn sweep_writes_results_and_a_page() {
    let dir = folder();
    let dry = dir.works("sweep study.toml --dry-run -v");
    let plan = dry.stdout;
    assert_eq!(plan.lines().filter(|line| line.contains("  seed ")).count(), 3, "{plan}");
    assert!(dry.stderr.contains("an estimate"), "{}", dry.stderr);
    assert!(!dir.has("runs"));
    for (jobs, out) in [("1", "one"), ("2", "two")] {
        let answer = dir.works(&format!("sweep study.toml --jobs {jobs} --out {out}")).stdout;
        assert!(answer.contains("enough: "), "{answer}");
        let page = dir.text(&format!("{out}/report.html"));
        assert!(page.contains("<svg") && !page.contains("src=\"http"));
    }
    assert_eq!(dir.text("one/results.csv"), dir.text("two/results.csv"));
    let dry =
        |more: &str| dir.works(&format!("sweep study.toml --dry-run --out one {more}")).stdout;
    let finished = "3 are finished and stay";
    assert!(dry("").contains(finished) && !dry("--fresh").contains(finished));
    dir.works("sweep study.toml --max-runs 1 --out three");
    assert_eq!(names(&dir.join("three/runs")).len(), 1);
    dir.works("report one");
}

/// "a run that stops is reported as deadlocked at its time": the shipped scenario on the VCs of the
/// paper ends with exit code 3, the tick and the cycle; on as many VCs as there are hops it does
/// not.
#[test]
fn a_deadlock_on_the_vcs_of_the_paper_is_reported() {
    let dir = folder();
    let file = root().join("scenarios/lai-rsi/df-paper-literal-deadlock.toml");
    let run = format!("run {}", file.display());
    let parts = ["error: deadlock at tick 20000: ", " waits for room behind "];
    dir.ends(3, &run, &parts);
    let sets = "routing.vc_scheme=hop-count routing.allow_deadlock=false run.duration_ns=60000";
    dir.works(&format!("{run} {sets}"));
}

/// A rack whose packets may overtake is marked so by `check`, in the summary, sweeps and pages;
/// one whose packets may not does not.
#[test]
fn what_may_reorder_is_reported() {
    let study = "[study]\nname = \"s\"\nscenario = \"rack.toml\"\n\
        [axes]\n\"routing.selection\" = [\"least-queued\", \"first\"]\n";
    let dir = folder_with(&[("rack.toml", RACK), ("study.toml", study)]);
    let why =
        "routing.selection = \"least-queued\" sends packets of a flow by several minimal ports";
    let help = "endnode.reorder_buffer = true delivers in order";
    let has = |text: &str, wanted: &[String]| {
        let text = unwrapped(text);
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{wanted}\n{text}"));
    };

    let wanted = [
        format!("rack.toml: may deliver out of order: {why}; {help}"),
        format!("study.toml: may deliver out of order: {why} (1 of 2 runs); {help}"),
    ];
    has(&dir.works("check rack.toml study.toml").stdout, &wanted);
    let checked = dir.works("check rack.toml --format json").json();
    assert_eq!(checked[0]["may_reorder"], json!([why]));

    let ran = dir.works("run rack.toml --out out -v");
    let summary = dir.json("out/summary.json");
    let late = summary["out_of_order"].as_u64().expect("a count");
    assert!(late > 0 && summary["reordered_by"] == why, "{summary}");
    has(&ran.stdout, &[format!("out of order {late} packets; possible: {why}")]);
    has(&ran.stderr, &[format!("warning: {late} packets out of order: {why}; {help}")]);
    dir.works("report out");
    let expected = format!("{late} packets out of order: {}.", why.replace('"', "&quot;"));
    assert!(dir.text("out/report.html").contains(&expected));

    let swept = dir.works("sweep study.toml --out s --columns all");
    let wanted = [
        format!("out of order: {why} (1 of 2 runs)"),
        "! packets out of order in 1 of 2 runs: endnode.reorder_buffer = true".into(),
    ];
    has(&swept.stdout, &wanted);
    let csv = dir.text("s/results.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = rows[0].iter().position(|name| *name == "out_of_order").expect("a column");
    assert_eq!((rows[1][column], rows[2][column]), (&*late.to_string(), ""));
    assert!(dir.text("s/report.html").contains("<button type=\"button\">out of order"));

    let checked = dir.works("check rack.toml routing.selection=first");
    let ran = dir.works("run rack.toml routing.selection=first --out first -v");
    has(&ran.stdout, &[" out of order 0 ".into()]);
    assert!(!ran.stderr.contains("out of order") && !checked.stdout.contains("out of order"));
    assert!(dir.json("first/summary.json").get("reordered_by").is_none());
}

/// The embedded study is the one in `scenarios/`, and `--set` overrides it.
#[test]
fn embedded_study_is_the_shipped_one() {
    let file = root().join("scenarios/studies/overlapping-trees.toml");
    let set = "switch.port_memory_bytes=32768".parse().expect("a key");
    let shipped = Study::load(&file, &[]).expect("legal");
    let texts = |study: &Study| -> Vec<String> {
        study.points().iter().map(|point| point.scenario.resolved_toml()).collect()
    };
    for (sets, is_alike) in [(vec![], true), (vec![set], false)] {
        let embedded = setaside::embedded_study(&sets).expect("legal");
        assert_eq!(embedded.name, shipped.name);
        assert_eq!(texts(&embedded) == texts(&shipped), is_alike, "{sets:?}");
        let is_set = |text: &String| text.contains("port_memory_bytes = 32768\n");
        assert!(is_alike || texts(&embedded).iter().all(is_set), "{sets:?}");
    }
}
