//! Runs that are taken from elsewhere, made once for several points, run afresh, or collected.

use crate::common::{Folder, STUDY, folder, folder_with, names, untimed};
use std::fs;
use std::time::Instant;

/// A study of more numbers of SAQs than it needs.
const SAQS: &str = "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\nreplicas = 2\n\
    [axes]\n\"recn.saqs\" = [64, 1, 2, 3, 4, 6, 8, 16]\n";

/// Names of the runs that were not simulated, each with the one that it equals.
fn derived(dir: &Folder, out: &str) -> Vec<(String, String)> {
    let runs = names(&dir.join(out).join("runs")).into_iter();
    let of = |name: String| {
        let manifest = dir.json(&format!("{out}/runs/{name}/manifest.json"));
        Some((name, manifest["derived_from"].as_str()?.to_string()))
    };
    runs.filter_map(of).collect()
}

// "Runs that are provably equal are made once ... Result bytes must be the same as when simulated";
// "which runs are derived must not depend on the number of workers".
#[test]
fn derived_runs_are_those_that_a_simulation_gives() {
    let dir = folder();
    dir.write("study.toml", SAQS);
    let sweep = |out: &str, more: &str| dir.works(&format!("sweep study.toml --out {out} {more}"));
    let all = sweep("all", "--no-derive");
    assert_eq!(derived(&dir, "all"), []);
    let one = sweep("one", "--jobs 1");
    assert_eq!(one.stdout, all.stdout);
    sweep("four", "--jobs 4");
    let made_once = derived(&dir, "one");
    assert!((4..16).contains(&made_once.len()), "{made_once:?}");
    assert!(made_once.iter().all(|(name, from)| name != from));
    assert_eq!(made_once, derived(&dir, "four"));
    let line = format!("{} of 16 runs equal others and were not simulated\n", made_once.len());
    assert!(one.stderr.contains(&line), "{}", one.stderr);
    dir.alike("one", "all");
    dir.alike("four", "all");
}

// "a run in any run or sweep directory below DIR whose key equals that of a job is copied into the
// sweep as that job's run, not simulated; whole or not at all; said in one line"
#[test]
fn runs_of_other_directories_are_taken() {
    let dir = folder();
    dir.works("sweep study.toml --out old/s");
    dir.works("run tiny.toml recn.saqs=16 --out old/r");
    let half = "old/s/runs/00-1/series.csv";
    let bytes = dir.bytes(half);
    dir.write(half, &bytes[..bytes.len() / 2]);

    dir.write("study.toml", STUDY.replace("[1, 2, 4]", "[4, 16, 1, 3]"));
    dir.works("sweep study.toml --out alone");
    let line = "sweep study.toml --out new --no-derive --reuse old";
    dir.ends(0, line, &["2 runs taken from old\n"]);
    let wall = |run: &str| dir.json(&format!("{run}/manifest.json"))["wall_seconds"].clone();
    assert_eq!(wall("new/runs/00-4"), wall("old/s/runs/02-4"));
    assert_eq!(wall("new/runs/01-16"), wall("old/r"));
    assert_ne!(wall("new/runs/02-1"), wall("old/s/runs/00-1"));
    dir.alike("new", "alone");
}

// "`--fresh`: begin anew"
#[test]
fn fresh_sweep_runs_all_runs_again() {
    let dir = folder();
    let line = "sweep study.toml --out s";
    dir.works(line);
    let (before, results) = (dir.finished("s"), dir.tables("s"));
    dir.works(line);
    assert!(dir.finished("s") == before);
    dir.ends(0, &format!("{line} --fresh --no-derive"), &["3 runs are there"]);
    let after = dir.finished("s");
    for (name, (_, summary)) in &before {
        assert_ne!(&after[name].1, summary, "{name}: the time that it took is that of before");
    }
    assert_eq!(untimed(&after), untimed(&before));
    assert!(dir.tables("s") == results);
}

// "`setaside collect DIR`: rebuilds results.csv, results.json, windows.csv and the page from run
// directories alone ... The rebuilt bytes equal those of the sweep."
#[test]
fn collected_results_are_those_of_the_sweep() {
    let dir = folder();
    dir.write("study.toml", SAQS);
    for more in ["--max-runs 5", ""] {
        let swept = dir.works(&format!("sweep study.toml --out s {more}")).stdout;
        let (before, page) = (dir.tables("s"), dir.text("s/report.html"));
        for name in ["results.csv", "results.json", "windows.csv", "report.html"] {
            fs::remove_file(dir.join("s").join(name)).expect("it is there");
        }
        assert_eq!(dir.works("collect s").stdout, swept);
        assert!(dir.tables("s") == before && dir.text("s/report.html") == page);
    }
}

// "a study of at least 500 runs killed with -9 at twenty random moments and resumed equals byte for
// byte an uninterrupted one"; what can be collected at any of these moments is whole.
#[test]
fn large_study_killed_twenty_times_equals_one_in_one_go() {
    let scenario = "[network]\ntopology = \"single-switch\"\nnodes = 4\n\
        [workload]\nload = 0.8\n[run]\nduration_ns = 1_000\n";
    let study = "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\nreplicas = 50\n\
        [axes]\n\"workload.load\" = { from = 0.1, to = 1, step = 0.1 }\n";
    let dir = folder_with(&[("tiny.toml", scenario), ("study.toml", study)]);
    let line = "sweep study.toml --jobs 2 --out s";
    let start = Instant::now();
    dir.works("sweep study.toml --jobs 2 --out alone");
    let whole = start.elapsed();
    let (mut cut, mut there) = (0, 0);
    for turn in 0..20 {
        // Up to a fourteenth of the whole, in no order.
        let after = whole * (turn * 7 % 20) / 256;
        cut += usize::from(dir.killed(line, after));
        if turn % 5 == 4 && dir.has("s/manifest.json") {
            dir.works("collect s");
        }
        let now = dir.finished("s").len();
        assert!(now >= there, "turn {turn}: finished runs are lost");
        if dir.has("s/manifest.json") {
            let manifest = dir.json("s/manifest.json");
            let claims_all = manifest["finished"] == manifest["runs"];
            assert!(!claims_all || now == 500, "turn {turn}: it says that all are finished");
        }
        there = now;
    }
    assert!(cut >= 15, "{cut} of 20 were killed before their end");
    dir.works(line);
    assert_eq!(dir.finished("s").len(), 500);
    dir.alike("s", "alone");
    assert_eq!(names(&dir.join("s")), names(&dir.join("alone")), "nothing partial is left");
}
