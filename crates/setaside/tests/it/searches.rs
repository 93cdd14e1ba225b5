//! `saturate` and `size`: a kill costs no answer. What they find is on the tested `sizing.md`.

use crate::common::{Ran, fits_a_screen, folder_with, root};
use std::time::Instant;

/// Four hot sources: how many SAQs keep the victims?
const SIZE: &str = include_str!("data/size.toml");

// "`--dry-run` prints the plan": of a search its first round, and nothing is run.
#[test]
fn dry_run_of_a_search_is_its_first_round() {
    let dir = folder_with(&[("size.toml", SIZE)]);
    let plan = dir.works("size size.toml --dry-run").stdout;
    assert!(!dir.has("runs"), "{plan}");
    let of_plan = plan.lines().nth(1).and_then(|line| line.split(' ').next());
    let stderr = dir.works("size size.toml --out s").stderr;
    let round = stderr.lines().find_map(|line| line.strip_prefix("round 1: "));
    assert_eq!(round.and_then(|line| line.split(' ').next()), of_plan, "{plan}");
    assert!(of_plan.is_some(), "{plan}");
}

// "`saturated` and `not converged` are results (exit 5 with `--strict`)"
#[test]
fn strict_search_ends_with_5_where_a_mean_is_not_known() {
    let dir = folder_with(&[]);
    let file = root().join("scenarios/theory/single-switch.toml");
    let until = r#"run.until={ metric = "delivered_bytes_per_ns", half_width = 0.0001 }"#;
    let sets = format!("switch.ports=4 run.duration_ns=500_000 run.series_bin_ns=1000 '{until}'");
    let along = "--axis workload.load --from 0.2 --tolerance 0.2";
    let line = format!("saturate {} {along} {sets}", file.display());
    dir.works(&line);
    dir.ends(5, &format!("{line} --strict"), &[]);
}

// "Kill and resume gives the same bytes": the answer, the tables and the names of the runs.
#[test]
fn killed_search_goes_on_to_the_same_answer() {
    let dir = folder_with(&[("size.toml", SIZE)]);
    let line = |out: &str| format!("size size.toml --jobs 2 --out {out}");
    let start = Instant::now();
    let whole = dir.works(&line("whole"));
    let time = start.elapsed();
    fits_a_screen(&whole.stdout);
    let cut = (1..8).filter(|part| dir.killed(&line("whole-"), time * *part / 12)).count();
    assert!(cut > 0, "never killed before its end");
    let again = dir.works(&line("whole-")).stdout;
    assert_eq!(again.replace("whole-", "whole"), whole.stdout);
    dir.alike("whole-", "whole");
    // "The answer first: page", and what is made anew from run directories.
    let head = whole.stdout.lines().next().expect("an answer");
    assert!(dir.text("whole/report.html").contains(head), "{head}");
    assert_eq!(dir.works("collect whole").stdout, whole.stdout);
    // Once more: nothing is run.
    let third = dir.works(&line("whole"));
    let makes_runs = |ran: &Ran| ran.stderr.contains(" runs/s");
    assert!(makes_runs(&whole) && !makes_runs(&third), "{}", third.stderr);
    // Anew: every run is, and the answer stays.
    let fresh = dir.works(&format!("{} --fresh", line("whole")));
    assert!(makes_runs(&fresh), "{}", fresh.stderr);
    assert_eq!([&third.stdout, &fresh.stdout], [&whole.stdout; 2]);
    dir.alike("whole-", "whole");
    // From the other's runs: none is made.
    let reused = dir.works(&format!("{} --reuse whole", line("taken")));
    assert!(!makes_runs(&reused), "{}", reused.stderr);
    dir.alike("taken", "whole");
}
