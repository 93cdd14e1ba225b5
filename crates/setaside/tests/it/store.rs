//! Runs that are taken from elsewhere, made once for several points, run afresh, or collected.

use crate::common::{Folder, STUDY, folder, folder_with, names};
use crate::killed::{finished, tables, untimed};
use std::fs;
use std::path::Path;
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

/// Two sweep directories hold the same results.
fn alike(a: &Path, b: &Path) {
    assert!(tables(a) == tables(b), "{} and {}", a.display(), b.display());
    assert_eq!(untimed(&finished(a)), untimed(&finished(b)));
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
    alike(&dir.join("one"), &dir.join("all"));
    alike(&dir.join("four"), &dir.join("all"));
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
    alike(&dir.join("new"), &dir.join("alone"));
}

// "`--fresh`: begin anew"
#[test]
fn fresh_sweep_runs_all_runs_again() {
    let dir = folder();
    let (line, out) = ("sweep study.toml --out s", dir.join("s"));
    dir.works(line);
    let (before, results) = (finished(&out), tables(&out));
    dir.works(line);
    assert!(finished(&out) == before);
    dir.ends(0, &format!("{line} --fresh --no-derive"), &["3 runs are there"]);
    let after = finished(&out);
    for (name, (_, summary)) in &before {
        assert_ne!(&after[name].1, summary, "{name}: the time that it took is that of before");
    }
    assert_eq!(untimed(&after), untimed(&before));
    assert!(tables(&out) == results);
}

// "`setaside collect DIR`: rebuilds results.csv, results.json, windows.csv and the page from run
// directories alone ... The rebuilt bytes equal those of the sweep."
#[test]
fn collected_results_are_those_of_the_sweep() {
    let dir = folder();
    dir.write("study.toml", SAQS);
    let out = dir.join("s");
    for more in ["--max-runs 5", ""] {
        let swept = dir.works(&format!("sweep study.toml --out s {more}")).stdout;
        let (before, page) = (tables(&out), dir.text("s/report.html"));
        for name in ["results.csv", "results.json", "windows.csv", "report.html"] {
            fs::remove_file(out.join(name)).expect("it is there");
        }
        assert_eq!(dir.works("collect s").stdout, swept);
        assert!(tables(&out) == before && dir.text("s/report.html") == page);
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
    let out = dir.join("s");
    let (mut cut, mut there) = (0, 0);
    for turn in 0..20 {
        // Up to a fourteenth of the whole, in no order.
        let after = whole * (turn * 7 % 20) / 256;
        cut += usize::from(dir.killed(line, after));
        if turn % 5 == 4 && dir.has("s/manifest.json") {
            dir.works("collect s");
        }
        let now = finished(&out).len();
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
    assert_eq!(finished(&out).len(), 500);
    alike(&out, &dir.join("alone"));
    assert_eq!(names(&out), names(&dir.join("alone")), "nothing partial is left");
}
