//! Studies: which points there are, in which order, with which seeds.

use scenario::{Set, Study};

pub(crate) const SCENARIO: &str = "
[network]
topology = \"bmin\"
nodes = 64
[workload]
load = 0.5
[[workload.group]]
name = \"more\"
pattern = \"uniform\"
sources = [1, 2]
load = 0.25
[run]
duration_ns = 100_000
seed = 7
";

pub(crate) fn parsed(text: &str, sets: &[Set]) -> Result<Study, String> {
    let resolve = |path: &str| (path == "base.toml").then(|| SCENARIO.to_owned());
    Study::parse(text, "study.toml", &resolve, sets).map_err(|errors| errors.to_string())
}

pub(crate) fn study_with(tables: &str, sets: &[Set]) -> Result<Study, String> {
    parsed(&format!("[study]\nname = \"s\"\nscenario = \"base.toml\"\n{tables}"), sets)
}

pub(crate) fn study(tables: &str) -> Study {
    study_with(tables, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The points as `value value ...`.
pub(crate) fn points(tables: &str) -> Vec<String> {
    let values = |settings: &[(String, String)]| {
        settings.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>().join(" ")
    };
    study(tables).points().iter().map(|point| values(&point.settings)).collect()
}

// Which points a study has, in their order: values apart by blanks, points by bars.
#[test]
fn points_are_those_of_the_tables() {
    let only = "[axes]\nswitch.scheme = ['1q', 'recn']\nrecn.saqs = [1, 2, 4]\n\
        [[only]]\nwhen = { switch.scheme = 'recn' }\naxes = 'recn.saqs'\n";
    let nested = "[axes]\nswitch.scheme = ['1q', 'recn']\nrecn.saqs = [1, 2]\n\
        recn.xoff_packets = [10, 20]\n\
        [[only]]\nwhen = { recn.saqs = [2] }\naxes = ['recn.xoff_packets']\n\
        [[only]]\nwhen = { \"switch.scheme\" = \"recn\" }\naxes = [\"recn.saqs\"]\n";
    let zip = "[axes]\nrun.seed = [1, 2]\n[[zip]]\n\
        switch.port_memory_bytes = [32768, 131072]\n\"recn.xoff_packets\" = [10, 20]\n";
    let skip = "[axes]\nswitch.scheme = ['1q', 'recn']\nswitch.speedup = [1, \"3/2\"]\n\
        [[skip]]\n\"switch.scheme\" = [\"1q\"]\nswitch.speedup = [1.5]\n";
    let filtered = "[axes]\nswitch.speedup = [1, \"3/2\", 2]\nrecn.saqs = [1, 2, 4]\n";
    let hot = "[set]\nworkload.hot.sources = 4\n\
        [axes]\n\"workload.hot.destinations\" = [[32], [32, 33]]\n";
    let torus = "[set]\nnetwork.topology = 'torus'\n\"switch.vcs\" = 2\n\
        [axes]\nnetwork.dimensions = [[8, 8], [16, 4], [4, 4, 4]]\n";
    let moving = "[set]\n\"workload.moving.dwell_ns\" = 6000\n[axes]\n\
        \"workload.moving.destinations\" = [[32, 7], \"0-5/5\"]\n\
        \"workload.moving.overlap\" = [1, 2]\n";
    let periods = moving.replace("[axes]", "[axes]\n\"workload.moving.period_ns\" = [6000, 9000]");
    let axis = |axis: &str| format!("[axes]\n{axis}\n");
    let range = |key: &str, range: &str| format!("[axes]\n{key} = {{ {range} }}\n");
    let filter = |text: &str, axes: &str| format!("where = \"{text}\"\n{axes}");
    let cases = [
        // "[axes]: product, in this order"
        (axis("'workload.load' = [0.5, 1]\nrun.seed = [3, 1, 2]"), "0.5 3|0.5 1|0.5 2|1 3|1 1|1 2"),
        // Keys may also be in tables, as in a scenario.
        (axis("run.seed = [1, 2]\n[axes.switch]\nscheme = [\"1q\"]"), "1 1q|2 1q"),
        // "{ from = 1, to = 16, factor = 2 }  # or step = 1"
        (range("recn.saqs", "from = 1, to = 16, factor = 2"), "1|2|4|8|16"),
        (range("recn.saqs", "from = 0, to = 5, step = 2"), "0|2|4"),
        (
            range("workload.load", "from = 0.1, to = 1.0, step = 0.1"),
            "0.1|0.2|0.3|0.4|0.5|0.6|0.7|0.8|0.9|1",
        ),
        // "{ from = 0.1, to = 10, count = 7, scale = \"log\" }": exact where linear or by a whole
        // factor, else 4 digits; whole numbers where the key takes those.
        (range("workload.load", "from = 0.1, to = 1, count = 4"), "0.1|0.4|0.7|1"),
        (range("workload.load", "from = 0, to = 1, count = 4, scale = 'linear'"), "0|1/3|2/3|1"),
        (range("recn.saqs", "from = 1, to = 64, count = 7, scale = 'log'"), "1|2|4|8|16|32|64"),
        (range("run.seed", "from = 1, to = 65536, count = 3, scale = 'log'"), "1|256|65536"),
        (range("recn.saqs", "from = 1, to = 10, count = 6, scale = 'log'"), "1|2|3|4|6|10"),
        (
            range("workload.load", "from = 0.01, to = 1, count = 5, scale = 'log'"),
            "0.01|0.03162|0.1|0.3162|1",
        ),
        (
            range("workload.load", "from = '1/3', to = '2/3', count = 3, scale = 'log'"),
            "1/3|0.4714|2/3",
        ),
        // "[[zip]]: keys that move together: one axis of the product"
        (zip.into(), "1 32768 10|1 131072 20|2 32768 10|2 131072 20"),
        // "[[only]]: these axes vary only where `when` holds" - elsewhere the point has no value
        // for it; one rule may hang on another.
        (only.into(), "1q|recn 1|recn 2|recn 4"),
        (nested.into(), "1q|recn 1|recn 2 10|recn 2 20"),
        // "[[skip]]: points left out"
        (skip.into(), "1q 1|recn 1|recn 1.5"),
        // "study.where": the points that fulfil it are left, exactly; a key that does not vary at a
        // point does not leave it out.
        (filter("recn.saqs >= 2 && switch.speedup <= 3/2", filtered), "1 2|1 4|1.5 2|1.5 4"),
        (
            filter("switch.speedup * 2 == 3 || recn.saqs == 2", filtered),
            "1 2|1.5 1|1.5 2|1.5 4|2 2",
        ),
        (filter("!(recn.saqs == 1 || switch.speedup > 1)", filtered), "1 2|1 4"),
        (filter("recn.saqs - 2 * switch.speedup == -1", filtered), "1 1|1.5 2"),
        (filter("-recn.saqs + 1 + 1 >= 0 && switch.speedup != 1.50", filtered), "1 1|1 2|2 1|2 2"),
        (filter("switch.speedup / 3 == 1/2 && true", filtered), "1.5 1|1.5 2|1.5 4"),
        (filter("(recn.saqs > 1) == (switch.speedup > 1)", filtered), "1 1|1.5 2|1.5 4|2 2|2 4"),
        (filter("recn.saqs != 1 && 4 / (recn.saqs - 1) < 2", filtered), "1 4|1.5 4|2 4"),
        (filter("recn.saqs > 1", only), "1q|recn 2|recn 4"),
        (filter("!(recn.saqs > 1)", only), "1q|recn 1"),
        (filter("recn.saqs > 1 && switch.scheme == 'recn'", only), "recn 2|recn 4"),
        (filter("switch.scheme != 'recn' || recn.saqs + 1 == 2", only), "1q|recn 1"),
        // Lists are values of an axis too.
        (hot.into(), "[32]|[32, 33]"),
        (torus.into(), "[8, 8]|[16, 4]|[4, 4, 4]"),
        // Hot spots that move vary like any other key, and so does what follows from one.
        (moving.into(), "[32, 7] 1|[32, 7] 2|0-5/5 1|0-5/5 2"),
        (
            periods,
            "6000 [32, 7] 1|6000 [32, 7] 2|6000 0-5/5 1|6000 0-5/5 2|\
             9000 [32, 7] 1|9000 [32, 7] 2|9000 0-5/5 1|9000 0-5/5 2",
        ),
    ];
    for (tables, expected) in cases {
        assert_eq!(points(&tables).join("|"), expected, "{tables}");
    }
    // Where an axis does not vary, the value of the scenario holds.
    let study = study(only);
    assert_eq!(study.axes(), ["switch.scheme", "recn.saqs"]);
    assert_eq!(study.points()[0].scenario.get("recn.saqs").unwrap(), "8");
}

// What is written is read, `--set` over it; what is not written is left to the judge.
#[test]
fn target_is_read() {
    let axes = "[axes]\n\"recn.saqs\" = [1, 2]\n";
    let target =
        study(&format!("[target]\nwithin_percent = 2.5\nreference = \"1q\"\n{axes}")).target;
    assert_eq!(target.at_least_percent.map(|p| p.to_f64()), Some(97.5));
    assert_eq!(target.reference.as_deref(), Some("1q"));
    assert_eq!((target.metric, target.p99_times), (None, None));
    assert_eq!(study(axes).target, scenario::Target::default());
    for (key, error) in [
        ("reference = \"voq-net\"", "no point of the study has the scheme voq-net"),
        ("window = \"mid\"", "no point of the study has the window mid"),
    ] {
        let found = study_with(&format!("[target]\n{key}\n{axes}"), &[]);
        let found = found.expect_err("no point has it");
        assert!(found.contains(error), "{found}");
    }
    study(&format!("[target]\nwindow = \"measured\"\n{axes}"));
}

// "replicas = 3  # seeds run.seed, +1, +2"; "replicas without axes": one point, with as many seeds;
// a single run is no study.
#[test]
fn replicas_have_their_seeds() {
    let alone = study("replicas = 5\n");
    let seeds: Vec<u64> = alone.points().iter().map(|point| point.seed).collect();
    assert_eq!((seeds, alone.axes().len()), (vec![7, 8, 9, 10, 11], 0));
    let error = study_with("", &[]).unwrap_err();
    assert!(error.contains("nothing varies"), "{error}");
    let study = study("replicas = 3\n[axes]\n\"workload.load\" = [0.5, 1]\n");
    let seen: Vec<(usize, u32, u64)> =
        study.points().iter().map(|p| (p.index, p.replica, p.seed)).collect();
    assert_eq!(seen, [(0, 0, 7), (1, 1, 8), (2, 2, 9), (3, 0, 7), (4, 1, 8), (5, 2, 9)]);
    assert!(study.points().iter().all(|point| point.scenario.seed() == point.seed));
}

// "[set]: for all runs"; --set overrides it, `study.*` the study itself.
#[test]
fn layers() {
    let tables = "[set]\n\"run.duration_ns\" = 200_000\n[axes]\n\"recn.saqs\" = [1]\n";
    let duration = |sets: &str| {
        let study = study_with(tables, &crate::sets(sets)).unwrap();
        (study.points().len(), study.points()[0].scenario.get("run.duration_ns").unwrap())
    };
    assert_eq!(duration(""), (1, "200000".to_owned()));
    assert_eq!(duration("run.duration_ns=300000"), (1, "300000".to_owned()));
    assert_eq!(duration("study.replicas=2"), (2, "200000".to_owned()));
    let error = study_with(tables, &["recn.saqs=4".parse().unwrap()]).unwrap_err();
    assert!(error.contains("an axis of the study, and given by --set too"), "{error}");
}

#[test]
fn a_scenario_that_is_not_there() {
    let text = "[study]\nname = \"s\"\nscenario = \"x\"\n[axes]\n\"run.seed\" = [1]\n";
    let error = Study::parse(text, "s", &|_| None, &[]).unwrap_err();
    assert!(error.to_string().contains("there is no such scenario"), "{error}");
}

#[test]
fn studies_and_scenarios_are_distinguished() {
    let folder = tempfile::tempdir().unwrap();
    let is_study = |text: &str| {
        let path = folder.path().join("x.toml");
        std::fs::write(&path, text).unwrap();
        scenario::Input::read(&path).unwrap().is_study()
    };
    assert!(is_study("[study]\nname = \"s\"\n"));
    assert!(is_study("[study]\nname = \"s\n"));
    assert!(!is_study(SCENARIO));
    assert!(!is_study("name = \"[study]"));
}
