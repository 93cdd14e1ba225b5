//! Intervals of what a study answers, by hand.
use crate::answer::{HIDING, fewest, is_near, plain, sized, summary, table};
use crate::common::TIMES;
use study::{Answer, Job, Met, Outcome, RunRow, Table};

/// Two points with what their victims get, a run each, of these seeds.
fn two(own: [(u64, f64); 2], best: [(u64, f64); 2]) -> Answer {
    let point = |scheme: &str, runs: [(u64, f64); 2]| {
        let labels = vec![("switch.scheme".to_string(), scheme.to_string())];
        let row = move |(replica, (seed, victims)): (usize, (u64, f64))| RunRow {
            job: Job {
                labels: labels.clone(),
                replica: replica as u32,
                replicas: 2,
                seed,
                ..Job::default()
            },
            outcome: Outcome::of(&summary(11.0, Some(victims)), TIMES),
        };
        runs.into_iter().enumerate().map(row).collect::<Vec<_>>()
    };
    let mut rows = [point("1q", own), point("voq-net", best)].concat();
    for (index, row) in rows.iter_mut().enumerate() {
        row.job.index = index;
    }
    Table::new("s", "x.toml", rows).answer()
}

// "Paired differences where schemes are compared on the same seeds", by hand: t of two values is
// 12.7062; the share is 19.4 / 19.9, and 9.8 and 9.6 differ from that of 10 and 9.9 by 0.051256.
#[test]
fn intervals_are_those_of_pairs_of_the_same_seed() {
    // in another order, and the seed tells
    let answer = two([(7, 9.8), (8, 9.6)], [(8, 9.9), (7, 10.0)]);
    let at = answer.settings[0].at.as_ref().expect("measured");
    assert!(is_near(at.share, 19.4 / 19.9));
    let half = |value: Option<f64>, expected: f64| {
        let is_near = value.is_some_and(|value| (value - expected).abs() < 1e-5);
        assert!(is_near, "{value:?} {expected}");
    };
    half(at.half_95_bytes_per_ns, 12.706_205 * 0.1);
    half(at.share_half_95, 12.706_205 * 0.051_256_28 / 9.95);
    let difference = at.difference.expect("paired");
    assert!(is_near(Some(difference.mean), -0.25));
    half(difference.half, 12.706_205 * 0.05);
    // 97.5 ±6.5 % crosses 98 %
    assert_eq!(answer.settings[0].is_enough, Met::No);
    assert_eq!(answer.settings[0].is_certain, Some(false));
    let best = answer.reference.as_ref().expect("one for all");
    assert_eq!(best.share_half_95, Some(0.0), "of itself");
    let text = answer.to_text("s", false);
    for told in [
        "9.70 ±1.27",
        "97.5 ±6.5",
        "-0.5 ±6.5",
        "no~",
        "~: the interval crosses",
        "±: half of the 95 % interval over 2 seeds",
    ] {
        assert!(text.replace("\n  ", " ").contains(told), "{told}\n{text}");
    }
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // far below, and by the same of each seed
    let answer = two([(7, 5.0), (8, 4.95)], [(7, 10.0), (8, 9.9)]);
    assert_eq!(answer.settings[0].is_certain, Some(true));
    assert!(!answer.to_text("s", false).contains('~'));
}

// Runs of other seeds are no pairs, and one run has no interval.
#[test]
fn without_pairs_there_is_no_interval() {
    let answer = two([(7, 9.8), (9, 9.6)], [(7, 10.0), (8, 9.9)]);
    let at = answer.settings[0].at.as_ref().expect("measured");
    assert!(at.share.is_some() && at.half_95_bytes_per_ns.is_some());
    assert_eq!((at.share_half_95, at.difference), (None, None));
    assert_eq!(answer.settings[0].is_certain, None);
    let told = "no interval for 1 of 2 points";
    assert!(answer.cautions.iter().any(|c| c.starts_with(told)));
    let one = plain(&HIDING).answer();
    let at = one.settings[0].at.as_ref().expect("measured");
    assert_eq!((at.half_95_bytes_per_ns, at.p99_half_95_ns), (None, None));
    let told = one.cautions.iter().filter(|c| c.contains("no interval"));
    assert_eq!(told.count(), 1, "{:?}", one.cautions);
}

// The fewest is certain where all numbers that decide it are.
#[test]
fn a_fewest_is_as_certain_as_what_decides_it() {
    // 4 SAQs are enough; what each number gets differs by so much between the two seeds
    let certain = |by: [f64; 4]| {
        let points = [
            ("voq-net", "", 0.0, Some(10.0)),
            ("recn", "2", 0.0, Some(9.5)),
            ("recn", "4", 0.0, Some(9.9)),
            ("recn", "8", 0.0, Some(9.95)),
        ];
        let table = table(&points, 2, |point, replica, changed| {
            let at = points.iter().position(|other| other == point).expect("one of them");
            let by = by[at] * if replica == 0 { -0.5 } else { 0.5 };
            *changed = summary(0.0, point.3.map(|victims| victims + by));
        });
        let answer = table.answer();
        (fewest(&answer), sized(&answer)[0].is_certain)
    };
    let all = 0.001;
    assert_eq!(certain([all; 4]), (Some(4.0), Some(true)));
    for n in 1..4 {
        let mut by = [all; 4];
        by[n] = 0.2;
        assert_eq!(certain(by), (Some(4.0), Some(false)), "{n}");
    }
}
