//! Windows of time, hot destinations, the time to drain.

use super::{refused, with};
use scenario::Scenario;
use units::{Span, Tick};

/// Name, start and end in ns of each window, and its note.
fn windows(texts: &[&str]) -> Vec<String> {
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
        let [start, end] = [window.start, window.end].map(|tick| config.time_base.tick_to_ns(tick));
        let note = window.note.iter().map(|note| format!("; {note}"));
        format!("{} {start} {end}{}", window.name, note.collect::<String>())
    };
    config.windows.iter().map(shown).collect()
}

/// Four hot sources of a run of 1600 us.
const HOT: &[&str] = &[
    "workload.hot.destinations=32",
    "workload.hot.sources=4",
    "workload.hot.start_ns=800000",
    "run.duration_ns=1600000",
];
const STOP: &str = "workload.hot.end_ns=1100000";
const MOVING: &[&str] = &[
    "workload.moving.destinations=[32, 7, 9]",
    "workload.moving.start_ns=20000",
    "workload.moving.dwell_ns=50000",
];

// "before = [first start / 2, first start) but not before warm-up; during = [first start, last
// stop) cut at the end of the run; after = the last 200 us of the run but not before the last stop;
// each that is not there is empty with the reason." Hot spots that move start and stop as one
// group: from the first that is hot to the last. "A window given that lies past the end of a
// shortened run is legal: cut or empty with a note in words."
#[test]
fn windows_follow_the_workload_or_are_given() {
    let cases: &[(&[&str], &[&str], &[&str])] = &[
        (&[], &[], &[]),
        (HOT, &[STOP], &["before 400000 800000", "during 800000 1100000", "after 1400000 1600000"]),
        // 100 us apart the last one stops at 1400 us; the run ends before.
        (
            HOT,
            &[STOP, "workload.hot.step_ns=100000", "run.duration_ns=1450000"],
            &[
                "before 400000 800000",
                "during 800000 1400000",
                "after 1400000 1450000; the run ends at 1450000 ns, the last source of `hot` stops at 1400000 ns",
            ],
        ),
        (
            HOT,
            &[STOP, "run.duration_ns=1000000"],
            &[
                "before 400000 800000",
                "during 800000 1000000; the run ends at 1000000 ns, the last source of `hot` stops at 1100000 ns",
                "after 1000000 1000000; the run ends at 1000000 ns, the last source of `hot` stops at 1100000 ns",
            ],
        ),
        (
            HOT,
            &[STOP, "run.duration_ns=400000"],
            &[
                "before 400000 400000; the run ends at 400000 ns, the first source of `hot` starts at 800000 ns",
                "during 400000 400000; the run ends at 400000 ns, the first source of `hot` starts at 800000 ns",
                "after 400000 400000; the run ends at 400000 ns, the last source of `hot` stops at 1100000 ns",
            ],
        ),
        (
            HOT,
            &["run.warmup_ns=500000"],
            &[
                "before 500000 800000; the warm-up ends at 500000 ns, the first source of `hot` starts at 800000 ns",
                "during 800000 1600000",
                "after 1600000 1600000; the run ends at 1600000 ns, `hot` does not stop",
            ],
        ),
        (
            HOT,
            &[STOP, "run.warmup_ns=900000"],
            &[
                "before 800000 800000; the warm-up ends at 900000 ns, the first source of `hot` starts at 800000 ns",
                "during 800000 1100000",
                "after 1400000 1600000",
            ],
        ),
        // One that is there all the time changes nothing.
        (HOT, &["workload.hot.start_ns=0"], &[]),
        (
            HOT,
            &["workload.hot.start_ns=0", STOP],
            &[
                "before 0 0; the first source of `hot` starts at 0 ns",
                "during 0 1100000",
                "after 1400000 1600000",
            ],
        ),
        (
            MOVING,
            &["run.duration_ns=400000"],
            &["before 10000 20000", "during 20000 170000", "after 200000 400000"],
        ),
        (
            MOVING,
            &["run.duration_ns=150000"],
            &[
                "before 10000 20000",
                "during 20000 150000; the run ends at 150000 ns, the last source of `moving` stops at 170000 ns",
                "after 150000 150000; the run ends at 150000 ns, the last source of `moving` stops at 170000 ns",
            ],
        ),
        (
            MOVING,
            &["run.duration_ns=15000"],
            &[
                "before 10000 15000; the run ends at 15000 ns, the first source of `moving` starts at 20000 ns",
                "during 15000 15000; the run ends at 15000 ns, the first source of `moving` starts at 20000 ns",
                "after 15000 15000; the run ends at 15000 ns, the last source of `moving` stops at 170000 ns",
            ],
        ),
        (
            &[
                "workload.hot.sources=4",
                "workload.hot.destinations=32",
                "workload.hot.start_ns=50000",
            ],
            &[
                "windows.z-1_ns=[0, 1000]",
                "windows.late_ns=[90_000, 200_000]",
                "windows.gone_ns=[200_000, 300_000]",
                "windows.a_ns=[1000, \"4000/2\"]",
            ],
            &[
                "z-1 0 1000",
                "a 1000 2000",
                "late 90000 100000; the run ends at 100000 ns",
                "gone 100000 100000; the run ends at 100000 ns",
            ],
        ),
    ];
    for (keys, more, expected) in cases {
        assert_eq!(windows(&[*keys, *more].concat()), *expected, "{more:?}");
    }
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
