//! What a run and a sweep print and write: what a reader must know is beside the figures.

use crate::common::{Folder, SMALL, fits_a_screen, folder_with, unwrapped};

const STUDY: &str = r#"
[study]
name = "s"
scenario = "small.toml"
replicas = 3
[axes]
"recn.saqs" = [1, 2]
"#;

fn folder() -> Folder {
    folder_with(&[("small.toml", SMALL), ("study.toml", STUDY)])
}

/// Columns of `results.csv`, and its lines.
fn results(dir: &Folder, out: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let csv = dir.text(&format!("{out}/results.csv"));
    let fields = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
    let mut lines = csv.lines().map(fields);
    (lines.next().expect("a header"), lines.collect())
}

/// "windows of a run that ends before its tree": nothing replaces a window that is not there.
#[test]
fn run_that_ends_before_its_tree_has_no_windows_of_it() {
    let dir = folder();
    let text = dir.works("sweep study.toml --out early run.duration_ns=4_000 --table").stdout;
    let (answer, table) = text.split_once("\n\n").expect("a table below the answer");
    let (head, below) = table.split_once("---").expect("a rule");
    let below = unwrapped(below);
    assert!(!["before", "during", "dip", "after"].iter().any(|name| head.contains(name)), "{text}");
    for window in ["before", "during", "after"] {
        let reason = format!("window `{window}`: the run ends at 4000 ns");
        assert!(below.contains(&reason), "{text}");
    }
    let of_all = "! window `during` of all 6 runs: the run ends at 4000 ns";
    assert!(unwrapped(answer).contains(of_all), "{text}");
    let (head, lines) = results(&dir, "early");
    for (column, field) in lines.iter().flat_map(|line| head.iter().zip(line)) {
        let is_of_window = column.contains("before") || column.contains("during");
        assert!(!is_of_window || field.is_empty(), "{column}: {field}");
    }
}

/// The answer of a study is on a screen; `-v` has what is swept and all columns; the page too.
#[test]
fn answer_of_a_sweep_is_about_the_victims() {
    let dir = folder();
    let sweep = |more: &str| dir.works(&format!("sweep study.toml --out whole {more}")).stdout;
    let has = |text: &str, wanted: &[&str]| {
        let words = unwrapped(text);
        wanted.iter().for_each(|wanted| assert!(words.contains(wanted), "{wanted}\n{text}"));
    };
    let text = sweep("");
    has(&text, &["enough: victims at least 98 % of the best of the study", "from 8 to 12 us"]);
    let all = sweep("-v");
    assert!(all.starts_with(&text), "{all}");
    let load =
        "load of the group hot 1 of link rate, from 25 % of the nodes, to 5, from 8 us to 12 us";
    let parts = ["scenario small.toml", "topology bmin, 16 end nodes", "scheme recn", load];
    has(&all[text.len()..], &parts);
    has(&all[text.len()..], &["load 0.8 of link rate, uniform", "during 8000 to 12000"]);
    let other = sweep("target.reference=offered target.at_least_percent=50");
    has(&other, &["victims at least 50 % of what is offered"]);
    let page = dir.text("whole/report.html");
    assert!(page.contains("victims at least 50 % of what is offered"), "the answer");
    assert!(page.contains("Shaded: before "), "windows are shaded");
}

/// A time too short for any packet to arrive: all that is sent starves.
#[test]
fn starved_flows_are_warned_of() {
    let dir = folder();
    let short = "run.duration_ns=100 run.warmup_ns=0";
    let stderr = dir.works(&format!("run small.toml --out run {short}")).stderr;
    assert!(stderr.lines().all(|line| line.chars().count() <= 80));
    let flows = dir.text("run/flows.csv");
    let starved = flows.lines().filter(|line| line.ends_with(",true")).count();
    assert!(starved > 0, "{flows}");
    let of = flows.lines().count() - 1;
    let warning = format!(
        "warning: {starved} of {of} flows starved: standing demand, nothing delivered in the \
         measured time; the worst: "
    );
    assert!(unwrapped(&stderr).contains(&warning), "{warning}\n{stderr}");
    let swept = dir.works(&format!("sweep study.toml --out sweep {short}")).stdout;
    assert!(swept.contains("! flows starved in all 6 runs"), "{swept}");
    let whole = dir.works("run small.toml --out whole").stderr;
    assert!(!whole.contains("starved"), "{whole}");
}

/// Messages that have not arrived make bounds of latencies; a drain lets them arrive.
#[test]
fn latencies_are_bounds_until_the_run_drains() {
    let dir = folder();
    let run = |drain: &str| {
        let line = format!("run small.toml --out r --force -v run.drain_ns={drain}");
        let text = dir.works(&line).stdout;
        fits_a_screen(text.split_once("\n\n").expect("all else below").0);
        // A long value continues on the next line.
        let (_, from) = text.split_once("latency, ns ").unwrap_or_else(|| panic!("{text}"));
        let (latency, _) = from.split_once("network latency").unwrap_or_else(|| panic!("{text}"));
        unwrapped(latency)
    };
    let stopped = run("0");
    assert!(stopped.contains(", max >= ") && stopped.ends_with(" % undelivered"), "{stopped}");
    let drained = run("1_000_000");
    assert!(!drained.contains(">=") && !drained.contains("undelivered"), "{drained}");
    let windows = dir.text("r/windows.csv");
    assert!(windows.contains("\nmeasured,1000,20000,all,,"), "{windows}");
}
