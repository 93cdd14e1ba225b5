//! What a run and a sweep print and write: the same bytes each time, and what a reader must know
//! said beside the figures.

use std::path::Path;
use std::process::{Command, Output};

const SMALL: &str = r#"
[network]
topology = "bmin"
nodes = 16
[switch]
scheme = "recn"
speedup = 1.5
[workload]
load = 0.8
[workload.hot]
load = 1
share = 0.25
destinations = 5
start_ns = 8_000
end_ns = 12_000
[run]
duration_ns = 20_000
warmup_ns = 1_000
series_bin_ns = 1_000
"#;

const STUDY: &str = r#"
[study]
name = "s"
scenario = "small.toml"
replicas = 3
[axes]
"recn.saqs" = [1, 2]
"#;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("small.toml"), SMALL).expect("written");
    std::fs::write(dir.path().join("study.toml"), STUDY).expect("written");
    dir
}

fn setaside(dir: &Path, args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_setaside"))
        .current_dir(dir)
        .args(args)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Words without the ends of lines, which are wrapped for a terminal.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Times are no part of what a scenario gives: they go to stderr.
#[test]
fn stdout_of_a_run_is_the_same_each_time() {
    let dir = folder();
    let run = |out: &str| setaside(dir.path(), &["run", "small.toml", "--out", out]);
    let (first, second) = (run("a"), run("b"));
    assert_eq!(stdout(&first), stdout(&second));
    assert!(!stdout(&first).contains("CPU time"));
    assert!(stderr(&first).contains("CPU time "), "{}", stderr(&first));
}

/// One replica of three is no whole point.
#[test]
fn point_that_max_runs_cuts_says_so() {
    let dir = folder();
    let args = ["sweep", "study.toml", "--max-runs", "4", "--out", "cut", "--table"];
    let text = stdout(&setaside(dir.path(), &args));
    let row = |saqs: &str| {
        let (_, table) = text.split_once("\n\n").expect("a table below the answer");
        let mut lines = table.lines().skip_while(|line| !line.starts_with("--"));
        let found = lines.find(|line| line.starts_with(saqs));
        found.unwrap_or_else(|| panic!("{text}")).to_string()
    };
    assert!(
        text.contains("! judged by 4 of 6 runs of the study: the others are not there"),
        "{text}"
    );
    assert!(row("2 ").contains("1 of 3"), "{text}");
    assert!(!row("1 ").contains(" of 3"), "{text}");
    let csv = std::fs::read_to_string(dir.path().join("cut/results.csv")).expect("results.csv");
    let head: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| head.iter().position(|c| *c == name).expect("a column");
    for line in csv.lines().skip(1) {
        assert_eq!(line.split(',').nth(at("replicas")), Some("3"), "{line}");
    }
    let page = std::fs::read_to_string(dir.path().join("cut/report.html")).expect("report.html");
    assert!(page.contains("1 of 3 replicas"));
    let args = ["sweep", "study.toml", "--out", "whole", "--table"];
    let whole = setaside(dir.path(), &args);
    assert!(!stdout(&whole).contains("1 of 3"), "{}", stdout(&whole));
}

/// The measured time is a window of `windows.csv`, of a run and of a sweep.
#[test]
fn measured_time_is_that_of_the_scenario() {
    let dir = folder();
    setaside(dir.path(), &["run", "small.toml", "--out", "run"]);
    let csv = std::fs::read_to_string(dir.path().join("run/windows.csv")).expect("windows.csv");
    let first = csv.lines().nth(1).expect("a line");
    assert!(first.starts_with("measured,1000,20000,all,,"), "{first}");
}

/// "windows of a run that ends before its tree": nothing stands in the place of a window that is
/// not there.
#[test]
fn run_that_ends_before_its_tree_has_no_windows_of_it() {
    let dir = folder();
    let args =
        ["sweep", "study.toml", "--out", "early", "--set", "run.duration_ns=4_000", "--table"];
    let text = stdout(&setaside(dir.path(), &args));
    let (answer, table) = text.split_once("\n\n").expect("a table below the answer");
    let (head, below) = table.split_once("---").expect("a rule");
    let below = words(below);
    for heading in ["before", "during", "dip", "after"] {
        assert!(!head.contains(heading), "{text}");
    }
    for window in ["before", "during", "after"] {
        let told = format!("window `{window}`: the run ends at 4000 ns");
        assert!(below.contains(&told), "{text}");
    }
    assert!(
        words(answer).contains("! window `during` of all 6 runs: the run ends at 4000 ns"),
        "{text}"
    );
    let csv = std::fs::read_to_string(dir.path().join("early/results.csv")).expect("results.csv");
    let head: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
    for line in csv.lines().skip(1) {
        let fields = head.iter().zip(line.split(','));
        for (column, field) in fields.filter(|(c, _)| c.contains("before") || c.contains("during"))
        {
            assert_eq!(field, "", "{column}");
        }
    }
}

/// Whether a part of what was printed, `text`, has all this.
fn has(part: &str, wanted: &[&str], text: &str) {
    for wanted in wanted {
        assert!(part.contains(wanted), "{wanted}\n{text}");
    }
}

/// The answer of the whole study: what is judged, and a line a setting, on a screen; `-v` has what
/// is swept and all columns. The page has the same answer.
#[test]
fn answer_of_a_sweep_is_about_the_victims() {
    let dir = folder();
    let sweep = |more: &[&str]| {
        let args = [&["sweep", "study.toml", "--out", "whole"], more].concat();
        stdout(&setaside(dir.path(), &args))
    };
    let text = sweep(&[]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.lines().count() <= 25, "{text}");
    let wanted = [
        "s: bmin, 16 end nodes, 32768 bytes a port, 2 points x 3 seeds enough: victims at least \
         98 % of the best of the study",
        "from 8 to 12 us",
    ];
    has(&words(&text), &wanted, &text);
    let all = sweep(&["-v"]);
    assert!(all.starts_with(&text), "{all}");
    let wanted = ["scenario small.toml", "scheme recn", "during 8000 to 12000"];
    has(&words(&all[text.len()..]), &wanted, &all);
    let asked = ["--set", "target.reference=offered", "--set", "target.at_least_percent=50"];
    let other = words(&sweep(&asked));
    assert!(other.contains("victims at least 50 % of what is offered"), "{other}");
    let page = std::fs::read_to_string(dir.path().join("whole/report.html")).expect("report.html");
    assert!(page.contains("victims at least 50 % of what is offered"), "the answer");
    assert!(page.contains("Shaded: before "), "windows are shaded");
}

/// A time too short for any packet to arrive: all that is sent starves.
#[test]
fn starved_flows_are_warned_of() {
    let dir = folder();
    let short = ["--set", "run.duration_ns=100", "--set", "run.warmup_ns=0"];
    let run = setaside(dir.path(), &[&["run", "small.toml", "--out", "run"], &short[..]].concat());
    assert!(stderr(&run).lines().all(|line| line.chars().count() <= 80));
    let warning = words(&stderr(&run));
    assert!(
        warning.contains(
            " flows starved: standing demand, nothing delivered in the measured time; the worst: "
        ),
        "{warning}"
    );
    let flows = std::fs::read_to_string(dir.path().join("run/flows.csv")).expect("flows.csv");
    let starved = flows.lines().filter(|line| line.ends_with(",true")).count();
    assert!(starved > 0, "{flows}");
    let told = format!("warning: {starved} of {} flows starved", flows.lines().count() - 1);
    assert!(warning.contains(&told), "{told}\n{warning}");
    let args = [&["sweep", "study.toml", "--out", "sweep"], &short[..]].concat();
    let sweep = setaside(dir.path(), &args);
    let told = "! flows starved in all 6 runs";
    assert!(stdout(&sweep).contains(told), "{}", stdout(&sweep));
    let whole = setaside(dir.path(), &["run", "small.toml", "--out", "whole"]);
    assert!(!stderr(&whole).contains("starved"), "{}", stderr(&whole));
}

/// Messages that have not arrived make bounds of latencies; a drain lets them arrive.
#[test]
fn latencies_are_bounds_until_the_run_drains() {
    let dir = folder();
    let run = |out: &str, drain: &str| {
        let drain = format!("run.drain_ns={drain}");
        let args = ["run", "small.toml", "--out", out, "-v", "--set", &drain];
        let text = stdout(&setaside(dir.path(), &args));
        let (brief, _) = text.split_once("\n\n").expect("all else below");
        assert!(brief.lines().all(|line| line.chars().count() <= 80), "{text}");
        // A long value goes on below itself.
        let from = text.find("latency, ns ").unwrap_or_else(|| panic!("{text}"));
        let to = text.find("network latency").unwrap_or_else(|| panic!("{text}"));
        let words: Vec<&str> = text[from..to].split_whitespace().collect();
        words.join(" ")
    };
    let stopped = run("stopped", "0");
    assert!(stopped.contains(", max >= ") && stopped.ends_with(" % undelivered"), "{stopped}");
    let drained = run("drained", "1_000_000");
    assert!(!drained.contains(">=") && !drained.contains("undelivered"), "{drained}");
}
