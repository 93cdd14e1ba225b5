//! Windows of time, hot destinations, the time to drain.

use super::{read_back, refused, with};
use std::fmt::Write as _;
use units::{Span, Tick};

/// Name, start and end in ns of each window, and its note.
fn windows(texts: &str) -> Vec<String> {
    let scenario = with(texts);
    let config = scenario.build().unwrap();
    assert_eq!(read_back(&scenario).build().unwrap().windows, config.windows);
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
const HOT: &str = "workload.hot.destinations=32 workload.hot.sources=4 \
    workload.hot.start_ns=800000 run.duration_ns=1600000";
const STOP: &str = "workload.hot.end_ns=1100000";
const MOVING: &str = "workload.moving.destinations=[32,7,9] workload.moving.start_ns=20000 \
    workload.moving.dwell_ns=50000";
const GIVEN: &str = "windows.z-1_ns=[0,1000] windows.late_ns=[90_000,200_000] \
    windows.gone_ns=[200_000,300_000] windows.a_ns=[1000,\"4000/2\"]";

// "before = [first start / 2, first start) but not before warm-up; during = [first start, last
// stop) cut at the end of the run; after = the last 200 us of the run but not before the last stop;
// each that is not there is empty with the reason." Hot spots that move start and stop as one
// group: from the first that is hot to the last. "A window given that lies past the end of a
// shortened run is legal: cut or empty with a note in words."
#[test]
fn windows_follow_the_workload_or_are_given() {
    let mut found = String::new();
    for keys in [
        &[][..],
        &[HOT, STOP],
        // 100 us apart the last one stops at 1400 us; the run ends before.
        &[HOT, STOP, "workload.hot.step_ns=100000 run.duration_ns=1450000"],
        &[HOT, STOP, "run.duration_ns=1000000"],
        &[HOT, STOP, "run.duration_ns=400000"],
        &[HOT, "run.warmup_ns=500000"],
        &[HOT, STOP, "run.warmup_ns=900000"],
        // One that is there all the time changes nothing.
        &[HOT, "workload.hot.start_ns=0"],
        &[HOT, STOP, "workload.hot.start_ns=0"],
        &[MOVING, "run.duration_ns=400000"],
        &[MOVING, "run.duration_ns=150000"],
        &[MOVING, "run.duration_ns=15000"],
        &[HOT, "workload.hot.start_ns=50000 run.duration_ns=100000", GIVEN],
    ] {
        let keys = keys.join(" ");
        let _ = writeln!(found, "{keys}: {:#?}", windows(&keys));
    }
    insta::assert_snapshot!(found);
}

// "Destinations of groups with pattern hot": what is no victim.
#[test]
fn hot_destinations_are_those_of_groups_whose_pattern_is_hot() {
    let none = with("").build().unwrap().hot_destinations;
    assert!(none.is_empty());
    let given = with("workload.hot.destinations=[32,7] workload.hot.sources=4");
    assert_eq!(given.build().unwrap().hot_destinations, [7, 32]);
}

// A run with what follows to drain is bounded like any other; by default that is a tenth of it.
#[test]
fn the_time_to_drain_is_read_and_bounded() {
    let config = with("run.drain_ns=20000").build().unwrap();
    assert_eq!(config.run.drain, config.time_base.ns_to_ticks_ceil(20_000));
    let tenth = |duration: &str| with(duration).build().unwrap().run.drain;
    assert_eq!(tenth("run.duration_ns=200000"), config.run.drain);
    assert_eq!(tenth("run.duration_ns=199980"), config.run.drain - Span(1));
    assert_eq!(with("run.drain_ns=0").build().unwrap().run.drain, Span::ZERO);
    let text = refused("run.drain_ns=3600000000000");
    assert!(text.contains("run.drain_ns: 100000 + 3600000000000 ns are"), "{text}");
}
