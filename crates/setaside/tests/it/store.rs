//! Runs that are taken from elsewhere, made once for several points, run afresh, or collected.
use crate::common::{STUDY, folder, json, names, stderr, works};
use crate::killed::{Moments, finished, killed, tables, untimed};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// A study of more numbers of SAQs than it needs.
const SAQS: &str = "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\nreplicas = 2\n\
    [axes]\n\"recn.saqs\" = [64, 1, 2, 3, 4, 6, 8, 16]\n";

fn put_study(dir: &Path, text: &str) {
    fs::write(dir.join("study.toml"), text).expect("written");
}

/// Names of the runs that were not simulated, each with the one that it equals.
fn derived(out: &Path) -> Vec<(String, String)> {
    let runs = names(&out.join("runs")).into_iter();
    let of = |name: String| {
        let manifest = json(&out.join("runs").join(&name).join("manifest.json"));
        Some((name, manifest["derived_from"].as_str()?.to_string()))
    };
    runs.filter_map(of).collect()
}

// "Runs that are provably equal are made once ... Result bytes must be the same as when simulated";
// "which runs are derived must not depend on the number of workers".
#[test]
fn derived_runs_are_those_that_a_simulation_gives() {
    let (_keep, dir) = folder();
    put_study(&dir, SAQS);
    let sweep = |out: &str, more: &[&str]| {
        let args = ["sweep", "study.toml", "--out", out];
        let output = works(&dir, &[&args[..], more].concat());
        (output.stdout.clone(), stderr(&output))
    };
    let (answer, _) = sweep("all", &["--no-derive"]);
    assert_eq!(derived(&dir.join("all")), []);
    let (same_answer, said) = sweep("one", &["--jobs", "1"]);
    assert!(same_answer == answer);
    sweep("four", &["--jobs", "4"]);
    let made_once = derived(&dir.join("one"));
    assert!((4..16).contains(&made_once.len()), "{made_once:?}");
    assert!(made_once.iter().all(|(name, from)| name != from));
    assert_eq!(made_once, derived(&dir.join("four")));
    let line = format!("{} of 16 runs equal others and were not simulated\n", made_once.len());
    assert!(said.contains(&line), "{said}");
    for out in ["one", "four"] {
        let out = dir.join(out);
        assert!(tables(&out) == tables(&dir.join("all")));
        assert_eq!(untimed(&finished(&out)), untimed(&finished(&dir.join("all"))));
    }
}

// "a run in any run or sweep directory below DIR whose key equals that of a job is copied into the
// sweep as that job's run, not simulated; whole or not at all; said in one line"
#[test]
fn runs_of_other_directories_are_taken() {
    let (_keep, dir) = folder();
    works(&dir, &["sweep", "study.toml", "--out", "old/s"]);
    let single = ["run", "tiny.toml", "--set", "recn.saqs=16", "--out", "old/r"];
    works(&dir, &single);
    let half = dir.join("old/s/runs/00-1/series.csv");
    let bytes = fs::read(&half).expect("a run");
    fs::write(&half, &bytes[..bytes.len() / 2]).expect("written");

    put_study(&dir, &STUDY.replace("[1, 2, 4]", "[4, 16, 1, 3]"));
    works(&dir, &["sweep", "study.toml", "--out", "alone"]);
    let args = ["sweep", "study.toml", "--out", "new", "--no-derive", "--reuse", "old"];
    let output = works(&dir, &args);
    let said = stderr(&output);
    assert!(said.contains("2 runs taken from old\n"), "{said}");
    let wall = |run: &str| json(&dir.join(run).join("manifest.json"))["wall_seconds"].clone();
    assert_eq!(wall("new/runs/00-4"), wall("old/s/runs/02-4"));
    assert_eq!(wall("new/runs/01-16"), wall("old/r"));
    assert_ne!(wall("new/runs/02-1"), wall("old/s/runs/00-1"));
    let (new, alone) = (dir.join("new"), dir.join("alone"));
    assert!(tables(&new) == tables(&alone));
    assert_eq!(untimed(&finished(&new)), untimed(&finished(&alone)));
}

// "`--fresh`: begin anew"
#[test]
fn fresh_sweep_runs_all_runs_again() {
    let (_keep, dir) = folder();
    let args = ["sweep", "study.toml", "--out", "s"];
    works(&dir, &args);
    let (before, results) = (finished(&dir.join("s")), tables(&dir.join("s")));
    works(&dir, &args);
    assert!(finished(&dir.join("s")) == before);
    let output = works(&dir, &[&args[..], &["--fresh", "--no-derive"]].concat());
    let said = stderr(&output);
    assert!(said.contains("3 runs are there"), "{said}");
    let after = finished(&dir.join("s"));
    for (name, (_, summary)) in &before {
        assert_ne!(&after[name].1, summary, "{name}: the time that it took is that of before");
    }
    assert_eq!(untimed(&after), untimed(&before));
    assert!(tables(&dir.join("s")) == results);
}

// "`setaside collect DIR`: rebuilds results.csv, results.json, windows.csv and the page from run
// directories alone ... The rebuilt bytes equal those of the sweep."
#[test]
fn collected_results_are_those_of_the_sweep() {
    let (_keep, dir) = folder();
    put_study(&dir, SAQS);
    for more in [&["--max-runs", "5"][..], &[]] {
        let args = ["sweep", "study.toml", "--out", "s"];
        let swept = works(&dir, &[&args[..], more].concat());
        let out = dir.join("s");
        let (before, page) = (tables(&out), fs::read(out.join("report.html")).expect("a page"));
        for name in ["results.csv", "results.json", "windows.csv", "report.html"] {
            fs::remove_file(out.join(name)).expect("it is there");
        }
        let collected = works(&dir, &["collect", "s"]);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&collected.stdout), text(&swept.stdout));
        assert!(tables(&out) == before);
        assert!(fs::read(out.join("report.html")).expect("a page") == page);
    }
}

// "a study of at least 500 runs killed with -9 at twenty random moments and resumed equals byte for
// byte an uninterrupted one"; what can be collected at any of these moments is whole.
#[test]
fn large_study_killed_twenty_times_equals_one_in_one_go() {
    const RUNS: usize = 500;
    let (_keep, dir) = folder();
    let scenario = "[network]\ntopology = \"single-switch\"\nnodes = 4\n\
        [workload]\nload = 0.8\n[run]\nduration_ns = 1_000\n";
    fs::write(dir.join("tiny.toml"), scenario).expect("written");
    put_study(
        &dir,
        "[study]\nname = \"s\"\nscenario = \"tiny.toml\"\nreplicas = 50\n\
         [axes]\n\"workload.load\" = { from = 0.1, to = 1, step = 0.1 }\n",
    );
    let args = |out| ["sweep", "study.toml", "--out", out, "--jobs", "2"];
    let start = Instant::now();
    works(&dir, &args("alone"));
    let whole = start.elapsed();
    let (mut moments, mut cut, mut there) = (Moments(31), 0, 0);
    for turn in 0..20 {
        let after = moments.next(whole) / 16;
        cut += usize::from(killed(&dir, &args("s"), after));
        if turn % 5 == 4 && dir.join("s/manifest.json").exists() {
            works(&dir, &["collect", "s"]);
        }
        if dir.join("s/runs").exists() {
            let now = finished(&dir.join("s")).len();
            assert!(now >= there, "turn {turn}: finished runs are lost");
            there = now;
        }
    }
    assert!(cut >= 15, "{cut} of 20 were killed before their end");
    works(&dir, &args("s"));
    let (out, alone) = (dir.join("s"), dir.join("alone"));
    assert_eq!(finished(&out).len(), RUNS);
    assert!(untimed(&finished(&out)) == untimed(&finished(&alone)));
    assert!(tables(&out) == tables(&alone));
    assert_eq!(names(&out), names(&alone), "nothing partial is left");
}
