//! Windows of time, hot destinations, the time to drain.

use super::{refused, with};
use scenario::Scenario;
use units::{Span, Tick};

/// Name, start and end in ns, note of each window.
fn windows(texts: &[&str]) -> Vec<(String, [f64; 2], String)> {
    let scenario = with(texts);
    let again = Scenario::parse(&scenario.resolved_toml(), "again.toml", None, &[])
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(again.hash(), scenario.hash());
    let config = scenario.build().unwrap();
    assert_eq!(again.build().unwrap().windows, config.windows);
    let mut at = Tick::ZERO;
    let shown = |window: &plan::WindowConfig| {
        assert!(at <= window.start && window.start <= window.end, "apart and in order");
        assert!(window.end <= config.run.duration, "in the run");
        at = window.end;
        let ns = [window.start, window.end].map(|tick| config.time_base.tick_to_ns(tick));
        (window.name.clone(), ns, window.note.clone().unwrap_or_default())
    };
    config.windows.iter().map(shown).collect()
}

fn window(name: &str, ns: [f64; 2], note: &str) -> (String, [f64; 2], String) {
    (name.to_owned(), ns, note.to_owned())
}

const HOT: [&str; 4] = [
    "workload.hot.destinations=32",
    "workload.hot.sources=4",
    "workload.hot.start_ns=800000",
    "run.duration_ns=1600000",
];

fn hot(texts: &[&str]) -> Vec<(String, [f64; 2], String)> {
    windows(&[&HOT, texts].concat())
}

// "before = [first start / 2, first start) but not before warm-up; during = [first start, last
// stop) cut at the end of the run; after = the last 200 us of the run but not before the last stop;
// each that is not there is empty with the reason."
#[test]
fn windows_follow_the_workload() {
    assert_eq!(windows(&[]), []);
    let before = || window("before", [400_000.0, 800_000.0], "");
    let stop = "workload.hot.end_ns=1100000";
    assert_eq!(
        hot(&[stop]),
        [
            before(),
            window("during", [800_000.0, 1_100_000.0], ""),
            window("after", [1_400_000.0, 1_600_000.0], ""),
        ]
    );
    // Four sources, 100 us apart: the last one stops at 1400 us; the run ends before.
    assert_eq!(
        hot(&[stop, "workload.hot.step_ns=100000", "run.duration_ns=1450000"])[1..],
        [
            window("during", [800_000.0, 1_400_000.0], ""),
            window(
                "after",
                [1_400_000.0, 1_450_000.0],
                "the run ends at 1450000 ns, the last source of `hot` stops at 1400000 ns"
            ),
        ]
    );
    let late = "the run ends at 1000000 ns, the last source of `hot` stops at 1100000 ns";
    assert_eq!(
        hot(&[stop, "run.duration_ns=1000000"])[1..],
        [
            window("during", [800_000.0, 1_000_000.0], late),
            window("after", [1_000_000.0, 1_000_000.0], late),
        ]
    );
    let early = "the run ends at 400000 ns, the first source of `hot` starts at 800000 ns";
    let none = hot(&[stop, "run.duration_ns=400000"]);
    assert_eq!(none[0], window("before", [400_000.0, 400_000.0], early));
    assert_eq!(none[1], window("during", [400_000.0, 400_000.0], early));
    assert_eq!(none[2].1, [400_000.0, 400_000.0]);
    assert_eq!(
        hot(&[])[1..],
        [
            window("during", [800_000.0, 1_600_000.0], ""),
            window(
                "after",
                [1_600_000.0, 1_600_000.0],
                "the run ends at 1600000 ns, `hot` does not stop"
            ),
        ]
    );
    let warm = "the warm-up ends at 500000 ns, the first source of `hot` starts at 800000 ns";
    assert_eq!(hot(&["run.warmup_ns=500000"])[0], window("before", [500_000.0, 800_000.0], warm));
    assert_eq!(hot(&["run.warmup_ns=900000"])[0].1, [800_000.0, 800_000.0]);
    // One that is there all the time changes nothing.
    assert_eq!(hot(&["workload.hot.start_ns=0"]), []);
    let first = hot(&["workload.hot.start_ns=0", stop]);
    let reason = "the first source of `hot` starts at 0 ns";
    assert_eq!(first[0], window("before", [0.0, 0.0], reason));
    assert_eq!(first[1], window("during", [0.0, 1_100_000.0], ""));
}

// "A window given that lies past the end of a shortened run is legal: cut or empty with a note in
// words."
#[test]
fn given_windows_are_in_order_and_cut_at_the_end_of_the_run() {
    let given = windows(&[
        "windows.z-1_ns=[0, 1000]",
        "windows.late_ns=[90_000, 200_000]",
        "windows.gone_ns=[200_000, 300_000]",
        "windows.a_ns=[1000, \"4000/2\"]",
        "workload.hot.sources=4",
        "workload.hot.destinations=32",
        "workload.hot.start_ns=50000",
    ]);
    let end = "the run ends at 100000 ns";
    assert_eq!(
        given,
        [
            window("z-1", [0.0, 1000.0], ""),
            window("a", [1000.0, 2000.0], ""),
            window("late", [90_000.0, 100_000.0], end),
            window("gone", [100_000.0, 100_000.0], end),
        ]
    );
}

// "Destinations of groups with pattern hot": what is no victim.
#[test]
fn hot_destinations_are_those_of_groups_whose_pattern_is_hot() {
    let none = with(&[]).build().unwrap().hot_destinations;
    assert!(none.is_empty());
    let given = with(&["workload.hot.destinations=[32, 7]", "workload.hot.sources=4"]);
    assert_eq!(given.build().unwrap().hot_destinations, [7, 32]);
}

// A run with what follows to drain is bounded like any other; by default that is a tenth of it.
#[test]
fn the_time_to_drain_is_read_and_bounded() {
    let config = with(&["run.drain_ns=20000"]).build().unwrap();
    assert_eq!(config.run.drain, config.time_base.ns_to_ticks_ceil(20_000));
    let tenth = |duration: &str| with(&[duration]).build().unwrap().run.drain;
    assert_eq!(tenth("run.duration_ns=200000"), config.run.drain);
    assert_eq!(tenth("run.duration_ns=199980"), config.run.drain - Span(1));
    assert_eq!(with(&["run.drain_ns=0"]).build().unwrap().run.drain, Span::ZERO);
    let text = refused(&["run.drain_ns=3600000000000"]);
    assert!(text.contains("run.drain_ns: 100000 + 3600000000000 ns are"), "{text}");
}

// Hot spots that move start and stop as one group: from the first that is hot to the last.
#[test]
fn moving_hot_spots_have_the_windows_of_one_group() {
    let moving = |run_ns: u32| {
        windows(&[
            "workload.moving.destinations=[32, 7, 9]",
            "workload.moving.start_ns=20000",
            "workload.moving.dwell_ns=50000",
            &format!("run.duration_ns={run_ns}"),
        ])
    };
    let before = || window("before", [10_000.0, 20_000.0], "");
    assert_eq!(
        moving(400_000),
        [
            before(),
            window("during", [20_000.0, 170_000.0], ""),
            window("after", [200_000.0, 400_000.0], ""),
        ]
    );
    let stops = "the run ends at 150000 ns, the last source of `moving` stops at 170000 ns";
    assert_eq!(
        moving(150_000),
        [
            before(),
            window("during", [20_000.0, 150_000.0], stops),
            window("after", [150_000.0, 150_000.0], stops),
        ]
    );
    let starts = "the run ends at 15000 ns, the first source of `moving` starts at 20000 ns";
    assert_eq!(moving(15_000)[1].2, starts);
}
