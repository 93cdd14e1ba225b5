//! Studies that are searched: `[size]`, points asked for one by one, even steps; and studies that
//! hold their scenario themselves.

use crate::study::{SCENARIO, parsed};
use scenario::{Set, Steps, Study};

fn hashes(study: &Study) -> Vec<u64> {
    let points = study.points().iter();
    points.map(|point| point.scenario.hash()).collect()
}

// The same runs, wherever the sections are; `--set` overrides both.
#[test]
fn sections_in_the_study_are_the_scenario() {
    let axes = "[axes]\n\"workload.load\" = [0.25, 0.75]\n";
    let named = format!("[study]\nname = \"s\"\nscenario = \"base.toml\"\n{axes}");
    let inline = format!("[study]\nname = \"s\"\n{SCENARIO}{axes}");
    for sets in [vec![], vec![Set::new("workload.group.0.load", "0.125")]] {
        let (named, inline) = (parsed(&named, &sets), parsed(&inline, &sets));
        let (named, inline) = (named.expect("legal"), inline.expect("legal"));
        assert_eq!(hashes(&named), hashes(&inline));
        assert_eq!((named.scenario, inline.scenario), ("base.toml".into(), "study.toml".into()));
    }
}

#[test]
fn scenario_is_in_one_place() {
    let both = format!("[study]\nname = \"s\"\nscenario = \"base.toml\"\n{SCENARIO}");
    let error = parsed(&both, &[]).expect_err("two scenarios");
    assert!(error.starts_with("study.toml:5:2: error: network: "), "{error}");
    assert!(error.contains("study.scenario names a scenario too"), "{error}");
    let neither = parsed("[study]\nname = \"s\"\n[axes]\n\"recn.saqs\" = [1]\n", &[]);
    let error = neither.expect_err("no scenario");
    assert!(error.contains("study.scenario: missing"), "{error}");
    assert!(error.contains("its sections, such as [network]"), "{error}");
}

// Keys of `[size]` are the last axes: a sweep of the file runs them all.
#[test]
fn sized_keys_are_the_last_axes() {
    let text = format!(
        "[study]\nname = \"s\"\nmax_replicas = 6\n{SCENARIO}\
         [size]\n\"recn.saqs\" = {{ from = 1, to = 4, factor = 2 }}\n\
         [axes]\n\"switch.scheme\" = [\"1q\", \"recn\"]\n\
         [[only]]\nwhen = {{ \"switch.scheme\" = \"recn\" }}\naxes = \"recn.saqs\"\n"
    );
    let study = parsed(&text, &[]).expect("legal");
    assert_eq!(study.size(), ["recn.saqs"]);
    assert_eq!(study.axes(), ["switch.scheme", "recn.saqs"]);
    assert_eq!((study.points().len(), study.max_replicas), (4, Some(6)));
}

#[test]
fn sizes_that_are_none_are_refused() {
    let of = |tables: &str| parsed(&format!("[study]\nname = \"s\"\n{tables}{SCENARIO}"), &[]);
    for (tables, what) in [
        ("[size]\n", "0 keys to size"),
        ("[size]\n\"recn.saqs\" = [4]\n", "one value"),
        ("[size]\n\"recn.saqz\" = [4, 5]\n", "unknown key"),
        ("[axes]\n\"recn.saqs\" = [1, 2]\n[size]\n\"recn.saqs\" = [4, 5]\n", "it stands in [axes]"),
        (
            "replicas = 3\nmax_replicas = 2\n[size]\n\"recn.saqs\" = [4, 5]\n",
            "study.max_replicas: 2 is below 3",
        ),
        (
            "[target]\np99_ns = 5000\np99_times = 2\n[size]\n\"recn.saqs\" = [4, 5]\n",
            "target.p99_ns: target.p99_times is given too",
        ),
    ] {
        let error = of(tables).expect_err(what);
        assert!(error.contains(what), "{what}: {error}");
    }
}

// A point that is asked for is the one that an axis would have had.
#[test]
fn point_that_is_asked_for_is_that_of_an_axis() {
    let text =
        format!("[study]\nname = \"s\"\n{SCENARIO}[axes]\n\"workload.load\" = [0.5, 0.75]\n");
    let study = parsed(&text, &[]).expect("legal");
    let at = |value: &str| study.at(&[Set::new("workload.load", value)]);
    assert_eq!(at("0.75").expect("legal").hash(), study.points()[1].scenario.hash());
    assert_eq!(at("3/4").expect("legal").hash(), study.points()[1].scenario.hash());
    let error = at("1.5").expect_err("above 1").to_string();
    assert!(error.contains("workload.load"), "{error}");
}

// Exact, both ends among them; the steps are a power of ten up to the tolerance of the lower end.
#[test]
fn steps_are_even_and_exact() {
    let steps = Steps::new("workload.load", "0.05", "1", 0.02).expect("legal");
    assert_eq!(steps.len(), 951);
    let texts = [0, 1, 550, 949, 950, 2000].map(|at| steps.text(at));
    assert_eq!(texts, ["0.05", "0.051", "0.6", "0.999", "1", "1"]);
    assert_eq!(steps.value(550), 0.6);
    let uneven = Steps::new("workload.load", "0.3", "0.75", 0.5).expect("legal");
    let texts: Vec<String> = (0..uneven.len()).map(|at| uneven.text(at)).collect();
    assert_eq!(texts, ["0.3", "0.4", "0.5", "0.6", "0.7", "0.75"]);
    let whole = Steps::new("recn.saqs", "1", "4", 0.01).expect("legal");
    let texts: Vec<String> = (0..whole.len()).map(|at| whole.text(at)).collect();
    assert_eq!(texts, ["1", "2", "3", "4"]);
    let times = Steps::new("run.duration_ns", "1000", "100_000", 0.01).expect("legal");
    assert_eq!((times.text(1), times.len()), ("1010".into(), 9901));
}

#[test]
fn steps_that_are_none_are_refused() {
    for (key, from, to, tolerance, what) in [
        ("workload.laod", "0.1", "1", 0.01, "unknown key"),
        ("switch.scheme", "0.1", "1", 0.01, "it takes no number"),
        ("workload.load", "0", "1", 0.01, "--from: error: workload.load: 0"),
        ("workload.load", "0.1", "2", 0.01, "2 is above 1"),
        ("workload.load", "0.5", "0.5", 0.01, "not above --from"),
        ("recn.saqs", "1.5", "4", 0.01, "expected an integer"),
        ("workload.load", "0.001", "1", 0.0001, "--tolerance: error"),
    ] {
        let error = Steps::new(key, from, to, tolerance).expect_err(what).to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
}
