//! `windows.csv` of a run and of a sweep.
use crate::common::{TIMES, jobs, record, record_of, store, window};
use std::collections::BTreeMap;
use study::{
    Exit, FlowSet, Job, MEASURED, Manifest, Quiet, RunFailure, SweepOptions, run_sweep, window_rows,
};

/// Fields by the names of their columns.
fn lines(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let head = reader.headers().unwrap().clone();
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            let fields = head.iter().zip(record.iter());
            fields.map(|(k, v)| (k.into(), v.into())).collect()
        })
        .collect()
}

#[test]
fn every_window_has_a_line_for_all_flows_victims_and_each_group() {
    let tmp = tempfile::tempdir().unwrap();
    let manifest = Manifest { times: TIMES, ..Manifest::default() };
    let dir = tmp.path().join("run");
    store(&dir, &manifest, &record(12.0));
    let lines = lines(&std::fs::read_to_string(dir.join("windows.csv")).unwrap());
    let keys: Vec<String> = lines
        .iter()
        .map(|l| {
            let part = |k: &str| l[k].clone();
            let time = format!("{}-{}", part("start_ns"), part("end_ns"));
            format!("{} {time} {}{}", part("window"), part("flows"), part("group"))
        })
        .collect();
    let windows = [
        ("measured", "5000-80000"),
        ("before", "10000-30000"),
        ("during", "30000-70000"),
        ("after", "70000-80000"),
    ];
    let flows = ["all", "victims", "grouphot", "grouprandom"];
    let expected: Vec<String> = windows
        .iter()
        .flat_map(|(name, time)| flows.map(|flows| format!("{name} {time} {flows}")))
        .collect();
    assert_eq!(keys, expected);

    let during = &lines[8];
    for (column, value) in [
        ("offered_bytes_per_ns", "10"),
        ("delivered_bytes_per_ns", "9"),
        ("worst_dip_bytes_per_ns", "4.5"),
        ("ideal_bytes_per_ns", "11.25"),
        ("flows_starved", "1"),
        ("latency_mean_ns", "900"),
        ("latency_p50_ns", ""),
        ("latency_p50_is_lower_bound", ""),
        ("latency_p99_ns", "2250"),
        ("latency_p99_is_lower_bound", "false"),
        ("latency_undelivered", "0"),
        ("network_latency_mean_ns", ""),
        ("note", ""),
    ] {
        assert_eq!(during[column], value, "{column}");
    }
    assert_eq!(lines[9]["worst_dip_bytes_per_ns"], "1.5");
    assert_eq!(lines[10]["worst_dip_bytes_per_ns"], "");
    assert_eq!(lines[12]["note"], "the run ends at 80000 ns: cut to 10000 ns");
    // the measured time, with figures that are bounds
    let measured = &lines[0];
    for (column, value) in [
        ("delivered_bytes_per_ns", "10.8"),
        ("latency_mean_is_lower_bound", "true"),
        ("latency_p99_is_lower_bound", "true"),
        ("latency_undelivered", "0.065"),
        ("network_latency_p99_ns", "250.5"),
        ("network_latency_p99_is_lower_bound", "false"),
        ("worst_dip_bytes_per_ns", ""),
    ] {
        assert_eq!(measured[column], value, "{column}");
    }
}

#[test]
fn windows_come_in_order_of_time_and_empty_ones_of_a_tree_in_theirs() {
    let mut summary = record(1.0).summary;
    let mut put = |name: &str, start: f64, end: f64| {
        summary.windows.insert(name.into(), window(start, end, 1.0));
    };
    put("a-late-one", 60_000.0, 70_000.0);
    put("before", 80_000.0, 80_000.0);
    put("during", 80_000.0, 80_000.0);
    put("after", 80_000.0, 80_000.0);
    put("z-early-one", 0.0, 10_000.0);
    let names: Vec<String> = window_rows(&summary, TIMES)
        .into_iter()
        .filter(|row| row.flows == FlowSet::All)
        .map(|row| row.window)
        .collect();
    let expected = [MEASURED, "z-early-one", "a-late-one", "before", "during", "after"];
    assert_eq!(names, expected);
}

#[test]
fn sweep_has_the_windows_of_its_runs_with_their_places() {
    let tmp = tempfile::tempdir().unwrap();
    let options = SweepOptions { workers: 1, ..SweepOptions::new(tmp.path().to_path_buf()) };
    let run = |job: &Job| match job.index {
        2 => Err(RunFailure { exit: Exit::Deadlock, message: "stuck".into() }),
        _ => Ok(record_of(job)),
    };
    run_sweep(&jobs(1), &options, run, &Quiet).unwrap();
    let lines = lines(&std::fs::read_to_string(tmp.path().join("windows.csv")).unwrap());
    assert_eq!(lines.len(), 3 * 4 * 4);
    let last = &lines[47];
    for (column, value) in [
        ("index", "3"),
        ("directory", "03-recn-4"),
        ("switch.scheme", "recn"),
        ("recn.saqs", "4"),
        ("replica", "0"),
        ("seed", "7"),
        ("window", "after"),
        ("flows", "group"),
        ("group", "random"),
    ] {
        assert_eq!(last[column], value, "{column}");
    }
    // what stands in the run's own file
    let own = std::fs::read_to_string(tmp.path().join("runs/03-recn-4/windows.csv")).unwrap();
    let all = std::fs::read_to_string(tmp.path().join("windows.csv")).unwrap();
    let own: Vec<&str> = own.lines().skip(1).collect();
    let of_run: Vec<&str> =
        all.lines().filter_map(|line| line.strip_prefix("3,03-recn-4,recn,4,0,7,")).collect();
    assert_eq!(of_run, own);
}
