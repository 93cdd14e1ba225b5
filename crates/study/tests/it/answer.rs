//! What a study answers: how many SAQs are enough, by what, and beside what.
use crate::common::TIMES;
use observe::{FlowSetResult, LatencySummary, Summary, WindowResult};
use std::collections::BTreeMap;
use study::{Answer, Flows, Job, Outcome, Reference, RunRow, Table, Target};

/// A point: scheme, SAQs, delivered by all flows and by the victims during the tree.
type Point = (&'static str, &'static str, f64, Option<f64>);

/// All flows together rank 1 SAQ above 2, since more of the hot traffic gets through; the victims
/// do not.
const HIDING: [Point; 5] = [
    ("voq-net", "", 11.0, Some(10.0)),
    ("recn", "1", 11.2, Some(9.5)),
    ("recn", "2", 11.1, Some(9.7)),
    ("recn", "4", 11.1, Some(9.9)),
    ("recn", "8", 11.1, Some(9.95)),
];

fn during(all: f64, victims: Option<f64>) -> WindowResult {
    let rate = |rate: f64| FlowSetResult {
        delivered_bytes_per_ns: Some(rate),
        offered_bytes_per_ns: Some(10.2),
        ideal_bytes_per_ns: Some(10.1),
        latency_ns: LatencySummary {
            p99: Some(20_000.0 - 1_000.0 * rate),
            ..LatencySummary::default()
        },
        ..FlowSetResult::default()
    };
    WindowResult {
        start_ns: 800.0,
        end_ns: 1_400.0,
        all: rate(all),
        victims: victims.map(rate),
        ..WindowResult::default()
    }
}

fn summary(all: f64, victims: Option<f64>) -> Summary {
    let window = during(all, victims);
    Summary {
        delivered_bytes_per_ns: Some(all),
        victims: window.victims.clone(),
        windows: BTreeMap::from([("during".to_string(), window)]),
        ..Summary::default()
    }
}

fn table(points: &[Point], replicas: u32, change: impl Fn(&Point, &mut Summary)) -> Table {
    let mut rows = Vec::new();
    for point @ (scheme, saqs, all, victims) in points {
        for replica in 0..replicas {
            let mut labels = vec![("switch.scheme".to_string(), scheme.to_string())];
            if !saqs.is_empty() {
                labels.push(("recn.saqs".into(), saqs.to_string()));
            }
            let mut summary = summary(*all, *victims);
            change(point, &mut summary);
            rows.push(RunRow {
                job: Job {
                    index: rows.len(),
                    labels,
                    replica,
                    replicas,
                    ..Job::default()
                },
                outcome: Outcome::of(&summary, TIMES),
            });
        }
    }
    Table::new("s", "x.toml", rows)
}

fn answer(points: &[Point]) -> Answer {
    table(points, 1, |_, _| ()).answer()
}

/// Of the only setting.
fn fewest(answer: &Answer) -> Option<f64> {
    assert_eq!(answer.settings.len(), 1, "{answer:?}");
    answer.settings[0].saqs
}

fn is_near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 1e-9)
}

// Judged by all flows, 1 SAQ would be the best of all.
#[test]
fn victims_are_judged_and_not_all_flows() {
    let table = table(&HIDING, 1, |_, _| ());
    let saqs = |n: usize| table.points[n].value("during_bytes_per_ns").unwrap().mean;
    assert!(saqs(1) > saqs(2), "all flows rank 1 SAQ above 2");
    let victims = table.answer();
    assert_eq!(
        (victims.flows, fewest(&victims)),
        (Flows::Victims, Some(4.0))
    );
    let at = victims.settings[0].at.as_ref().expect("measured");
    assert_eq!((at.name.as_str(), at.bytes_per_ns), ("recn, saqs 4", 9.9));
    assert!(is_near(at.share, 0.99));
    let reference = victims.reference.as_ref().expect("one for all");
    assert_eq!(
        (reference.name.as_str(), reference.bytes_per_ns),
        ("voq-net", 10.0)
    );
    assert_eq!(victims.without, std::slice::from_ref(reference));
    let of_all = table.judged_by(Target {
        flows: Flows::All,
        ..Target::default()
    });
    assert_eq!(fewest(&of_all.answer()), Some(1.0));
}

// What it is held against: what is best, offered, possible, or a scheme has.
#[test]
fn target_names_what_is_enough() {
    let held = |reference: Reference, share: f64| {
        let target = Target {
            reference,
            share,
            ..Target::default()
        };
        fewest(&table(&HIDING, 1, |_, _| ()).judged_by(target).answer())
    };
    for (reference, share, saqs) in [
        (Reference::Best, 0.94, Some(1.0)),
        (Reference::Best, 0.96, Some(2.0)),
        (Reference::Best, 1.0, None),
        // 10.2 are offered, 10.1 possible
        (Reference::Offered, 0.95, Some(2.0)),
        (Reference::Offered, 0.96, Some(4.0)),
        (Reference::Possible, 0.96, Some(2.0)),
        (Reference::Possible, 0.985, Some(8.0)),
        (Reference::Scheme("voq-net".into()), 0.96, Some(2.0)),
        // the best of recn is 9.95
        (Reference::Scheme("recn".into()), 0.974, Some(2.0)),
        (Reference::Scheme("1q".into()), 0.5, None),
    ] {
        let text = format!("{reference:?} {share}");
        assert_eq!(held(reference, share), saqs, "{text}");
    }
}

// A setting is held against the best of the whole study, not against its own best.
#[test]
fn best_is_that_of_all_settings() {
    let mut rows = Vec::new();
    for (xoff, scale) in [("10", 1.0), ("40", 0.97)] {
        for mut row in table(&HIDING[1..], 1, |_, _| ()).runs {
            let victims = HIDING[1 + row.job.index].3.map(|v| v * scale);
            row.job.index = rows.len();
            row.job
                .labels
                .push(("recn.xoff_packets".into(), xoff.into()));
            row.outcome = Outcome::of(&summary(1.0, victims), TIMES);
            rows.push(row);
        }
    }
    let answer = Table::new("s", "x.toml", rows).answer();
    let saqs: Vec<Option<f64>> = answer.settings.iter().map(|s| s.saqs).collect();
    assert_eq!(saqs, [Some(4.0), None]);
    assert_eq!(answer.questions, 1);
}

// Another load is another question.
#[test]
fn points_of_another_load_have_their_own_best() {
    let mut rows = Vec::new();
    for (load, scale) in [("0.5", 1.0), ("1.0", 2.0)] {
        for mut row in table(&HIDING, 1, |_, _| ()).runs {
            let victims = HIDING[row.job.index].3.map(|v| v * scale);
            row.job.index = rows.len();
            row.job.labels.push(("workload.load".into(), load.into()));
            row.outcome = Outcome::of(&summary(1.0, victims), TIMES);
            rows.push(row);
        }
    }
    let answer = Table::new("s", "x.toml", rows).answer();
    let saqs: Vec<Option<f64>> = answer.settings.iter().map(|s| s.saqs).collect();
    assert_eq!(saqs, [Some(4.0); 2]);
    assert_eq!((answer.questions, &answer.reference), (2, &None));
    assert!(
        answer.enough().contains("at the same workload.load"),
        "{}",
        answer.enough()
    );
}

// Each replica is judged beside its own best.
#[test]
fn replicas_give_a_range() {
    let points = [
        ("voq-net", "", 0.0, Some(10.0)),
        ("recn", "2", 0.0, Some(9.7)),
        ("recn", "4", 0.0, Some(9.85)),
        ("recn", "8", 0.0, Some(9.9)),
    ];
    // from replica to replica by so much more; points of 8 SAQs and voq-net hardly
    let range = |scale: f64| {
        let mut table = table(&points, 3, |_, _| ());
        for row in &mut table.runs {
            let point = points[row.job.index / 3];
            let few = ["2", "4"].contains(&point.1);
            let by = (f64::from(row.job.replica) - 1.0) * if few { scale } else { 0.01 };
            row.outcome = Outcome::of(&summary(0.0, point.3.map(|v| v + by)), TIMES);
        }
        let answer = Table::new("s", "x.toml", table.runs).answer();
        (fewest(&answer), answer.settings[0].saqs_by_replica)
    };
    assert_eq!(range(0.1), (Some(4.0), Some([Some(4.0), Some(8.0)])));
    assert_eq!(range(0.02), (Some(4.0), None));
}

// The p99 of the best is 10 us: twice that is met by all, 1.03 times by some.
#[test]
fn latency_asks_for_its_own_number() {
    let asks = |p99_times: f64| {
        let target = Target {
            p99_times,
            ..Target::default()
        };
        let answer = table(&HIDING, 1, |_, _| ()).judged_by(target).answer();
        answer.settings[0].p99_saqs
    };
    assert_eq!(asks(2.0), Some(1.0));
    assert_eq!(asks(1.02), Some(4.0));
    assert_eq!(asks(1.0), None);
}

// What the number costs: of the fewest, or of the best where none is enough.
#[test]
fn fewest_has_its_price() {
    let bits = |points: &[Point]| {
        let table = table(points, 1, |point, summary| {
            summary.memory.port_cam_bits = 100 * point.1.parse().unwrap_or(0);
        });
        let setting = table.answer().settings.remove(0);
        setting.at.and_then(|at| at.control_bits)
    };
    assert_eq!(bits(&HIDING), Some(400.0));
    let mut points = HIDING;
    points[0].3 = Some(12.0);
    assert_eq!(bits(&points), Some(800.0));
}

// One lucky number of SAQs with a worse one above it is not enough.
#[test]
fn enough_holds_for_all_that_follow() {
    let points = [
        ("recn", "1", 0.0, Some(9.9)),
        ("recn", "2", 0.0, Some(9.0)),
        ("recn", "4", 0.0, Some(10.0)),
    ];
    assert_eq!(fewest(&answer(&points)), Some(4.0));
}

// Without an axis of SAQs each point is held against the target.
#[test]
fn points_are_settings_where_no_number_of_saqs_is_compared() {
    let points = [
        ("1q", "", 0.0, Some(5.0)),
        ("voq-sw", "", 0.0, Some(9.9)),
        ("voq-net", "", 0.0, Some(10.0)),
    ];
    let answer = answer(&points);
    let enough: Vec<bool> = answer.settings.iter().map(|s| s.is_enough).collect();
    assert_eq!((answer.has_sizes, enough), (false, vec![false, true, true]));
}

// Whatever the study, its answer fits a screen, and what is left out is counted.
#[test]
fn answer_fits_a_screen() {
    let mut rows = Vec::new();
    for setting in 0..60 {
        for mut row in table(&HIDING, 1, |_, s| s.flows_starved = Some(2)).runs {
            row.job.index = rows.len();
            for axis in [
                "recn.xoff_packets",
                "recn.detection_packets",
                "switch.arbiter",
            ] {
                row.job.labels.push((axis.into(), format!("{setting}000")));
            }
            rows.push(row);
        }
    }
    let answer = Table::new("s", "x.toml", rows).answer();
    let text = answer.to_text("a study of many settings");
    assert!(text.lines().count() <= 25, "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    for part in [
        "more settings: --table",
        "54 more",
        "flows starved in all 300 runs",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

// The text for the usual case, and where nothing can be said.
#[test]
fn text_says_what_was_judged_and_why_not() {
    let text = answer(&HIDING).to_text("s: 5 points");
    let expected = "\
s: 5 points
enough: victims at least 98 % of the best of the study (voq-net, 10.00 B/ns)
  from 0.8 to 1.4 us, with more SAQs too
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("\nwithout SAQs: voq-net 100.0 %\n"), "{text}");
    let empty = table(&HIDING, 1, |_, summary| {
        let empty = WindowResult {
            note: Some("the run ends at 400 ns".into()),
            ..WindowResult::default()
        };
        summary.windows.insert("during".into(), empty);
    });
    let text = empty.answer().to_text("s");
    assert!(
        text.contains("! window `during` of all 5 runs: the run ends at 400 ns"),
        "{text}"
    );
}

// Judged by victims where there are none: all flows are, and it is said.
#[test]
fn without_a_hot_destination_all_flows_are_judged() {
    let points = [
        ("recn", "1", 9.0, None),
        ("recn", "2", 9.95, None),
        ("recn", "4", 10.0, None),
    ];
    let answer = answer(&points);
    assert_eq!((answer.flows, fewest(&answer)), (Flows::All, Some(2.0)));
    assert!(
        answer.enough().starts_with("all flows at least 98 %"),
        "{}",
        answer.enough()
    );
    let no_tree = table(&points, 1, |_, summary| summary.windows.clear()).answer();
    assert_eq!((no_tree.is_in_tree, fewest(&no_tree)), (false, Some(2.0)));
}
