//! Hand-made jobs and records.

use observe::{
    FlowRow, FlowSetResult, LatencyBucket, LatencyFigure, LatencySet, LatencySummary, Record,
    SaqPeaks, SeriesRow, Steady, WindowResult,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use study::{Exit, Job, RunFailure, StoreError, SweepOptions, Times};

pub(crate) const TIMES: Times =
    Times { series_bin_ns: 10_000.0, warmup_ns: 5_000.0, duration_ns: 80_000.0 };

/// A set of flows that delivers `level`, of 10 offered.
pub(crate) fn flows(level: f64) -> FlowSetResult {
    FlowSetResult {
        offered_bytes_per_ns: Some(10.0),
        delivered_bytes_per_ns: Some(level),
        latency_ns: LatencySummary {
            mean: Some(100.0 * level),
            p99: Some(250.0 * level),
            undelivered: Some(0.0),
            ..LatencySummary::default()
        },
        ..FlowSetResult::default()
    }
}

/// A window in which all flows deliver `level` and dip to half of it, victims a third of that.
pub(crate) fn window(start_ns: f64, end_ns: f64, level: f64) -> WindowResult {
    WindowResult {
        start_ns,
        end_ns,
        all: FlowSetResult { ideal_bytes_per_ns: Some(level * 1.25), ..flows(level) },
        worst_dip_bytes_per_ns: Some(level / 2.0),
        victims_worst_dip_bytes_per_ns: Some(level / 6.0),
        flows_starved: Some(1),
        groups: BTreeMap::from([
            ("hot".to_string(), flows(level / 3.0)),
            ("random".to_string(), flows(level * 2.0 / 3.0)),
        ]),
        victims: Some(FlowSetResult {
            ideal_bytes_per_ns: Some(level * 2.0 / 3.0),
            ..flows(level / 3.0)
        }),
        ..WindowResult::default()
    }
}

/// Eight bins of 10 us: `level`, a dip in the fifth and sixth; `level` scales everything.
pub(crate) fn record(level: f64) -> Record {
    let mut record =
        Record { groups: vec!["random".into(), "hot".into()], ticks: 40_000, ..Record::default() };
    for bin in 0..8 {
        let delivered = if bin == 4 || bin == 5 { level / 2.0 } else { level };
        let has_tree = u32::from(bin > 3);
        record.series.push(SeriesRow {
            t_ns: f64::from(bin) * 10_000.0,
            delivered_bytes_per_ns: delivered,
            offered_bytes_per_ns: level,
            saqs_ingress: 12 * has_tree,
            saqs_egress: 7 * has_tree,
            saqs_ingress_max_port: 2 * has_tree,
            saqs_egress_max_port: has_tree,
            victims_bytes_per_ns: Some(delivered / 3.0),
            victims_offered_bytes_per_ns: Some(level / 3.0),
            pause_ns: None,
            groups: vec![delivered / 3.0, delivered * 2.0 / 3.0],
        });
    }
    let flow = |[source, destination]: [u32; 2], [packets, bytes, bytes_measured]: [u64; 3]| {
        let starved = bytes_measured == 0;
        FlowRow { source, destination, packets, bytes, bytes_measured, starved }
    };
    record.flows = vec![flow([0, 1], [10, 640, 320]), flow([1, 0], [3, 192, 0])];
    let of_victims = [(10.0 * level, 70, 0), (30.0 * level, 29, 1), (1e3, 1, 0)];
    for ([window, flows, of], buckets) in [
        (["measured", "all", "message"], &[(100.0 * level, 200, 0)][..]),
        (["measured", "all", "packet"], &[(50.0 * level, 200, 0)]),
        (["during", "all", "message"], &[(100.0 * level, 100, 0)]),
        (["during", "victims", "message"], &of_victims),
    ] {
        let bucket =
            |&(latency_ns, count, undelivered)| LatencyBucket { latency_ns, count, undelivered };
        let histogram = buckets.iter().map(bucket).collect();
        let [window, flows, of] = [window, flows, of].map(String::from);
        record.latencies.push(LatencySet { window, flows, group: String::new(), of, histogram });
    }
    let named = |value: &str| value.to_string();
    let s = &mut record.summary;
    s.delivered_bytes_per_ns = Some(level * 0.9);
    s.offered_bytes_per_ns = Some(level);
    s.relative_throughput = Some(level / 40.0);
    s.ideal_bytes_per_ns = Some(level);
    s.fairness_jain = Some(0.75);
    s.flows_starved = Some(1);
    s.worst_flow_share = Some(0.0);
    s.steady = Some(Steady {
        first_half_bytes_per_ns: level,
        second_half_bytes_per_ns: level * 0.8,
        noise_bytes_per_ns: 0.25,
        differs: true,
    });
    s.latency_ns = LatencySummary {
        mean: Some(0.1 + 0.2),
        p99: Some(1e4 / 3.0),
        undelivered: Some(0.065),
        lower_bounds: vec![LatencyFigure::Mean, LatencyFigure::P99],
        ..LatencySummary::default()
    };
    s.victims = Some(flows(level / 3.0));
    s.group_results = BTreeMap::from([
        (named("hot"), flows(level / 3.0)),
        (named("random"), FlowSetResult::default()),
    ]);
    let cut = WindowResult {
        note: Some("the run ends at 80000 ns: cut to 10000 ns".into()),
        ..window(70_000.0, 80_000.0, level)
    };
    s.windows = BTreeMap::from([
        (named("before"), window(10_000.0, 30_000.0, level)),
        (named("during"), window(30_000.0, 70_000.0, level * 0.75)),
        (named("after"), cut),
    ]);
    s.network_latency_ns.p99 = Some(250.5);
    s.saqs_peak = SaqPeaks { ingress: 2, egress: 1, injection: 3 };
    s.recn.refusals = 5;
    s.packet_hops = 1_000;
    s.events_hash = "00ff00ff00ff00ff".into();
    s.groups = BTreeMap::from([(named("hot"), Some(level / 3.0)), (named("random"), None)]);
    s.memory.port_cam_bits = 520;
    s.memory.port_queue_bits = 5_000;
    s.memory.switch_control_bits = 88_320;
    record
}

/// Points `1q`, `recn` with 1, 2, 4 SAQs; `replicas` runs each.
pub(crate) fn jobs(replicas: u32) -> Vec<Job> {
    let points = [("1q", ""), ("recn", "1"), ("recn", "2"), ("recn", "4")];
    let total = points.len() * replicas as usize;
    let mut jobs = Vec::new();
    for (scheme, saqs) in points {
        let mut labels = vec![("switch.scheme".to_string(), scheme.to_string())];
        if !saqs.is_empty() {
            labels.push(("recn.saqs".to_string(), saqs.to_string()));
        }
        for replica in 0..replicas {
            let index = jobs.len();
            let job = Job {
                index,
                labels: labels.clone(),
                replica,
                replicas,
                seed: 7 + u64::from(replica),
                scenario_text: format!("# point {index}\n"),
                hash: 0xabc0 + index as u64,
                times: TIMES,
                ..Job::default()
            };
            jobs.push(job.named(total));
        }
    }
    jobs
}

/// A sweep by one worker, named as the pinned one is.
pub(crate) fn options(out: &Path) -> SweepOptions<'static> {
    let mut options = SweepOptions { workers: 1, ..SweepOptions::new(out.to_path_buf()) };
    options.manifest.name = "saq-sizing".into();
    options.manifest.scenario = "garcia-trees-2005/case-2.toml".into();
    options.manifest.study_hash = study::hash_text(0);
    options
}

pub(crate) fn failed(exit: Exit, message: &str) -> Result<Record, RunFailure> {
    Err(RunFailure { exit, message: message.into() })
}

/// A record that follows from the job alone.
pub(crate) fn record_of(job: &Job) -> Record {
    record(10.0 + job.index as f64 / 3.0)
}

/// `(path, bytes)` of every file below `dir` that byte equality covers, sorted.
pub(crate) fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    all_files(dir).into_iter().filter(|(name, _)| !name.ends_with("manifest.json")).collect()
}

/// `(path, bytes)` of every file below `dir`, sorted.
pub(crate) fn all_files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.strip_prefix(dir).unwrap().to_string_lossy().into_owned();
        found.push((name, fs::read(path).unwrap()));
    }
    found.sort();
    found
}

pub(crate) fn is_in_the_way(error: &StoreError, name: &str) -> bool {
    matches!(error, StoreError::InTheWay(path) if path.ends_with(name))
}

/// At most 25 lines of 80 columns.
pub(crate) fn is_screen(text: &str) -> bool {
    text.lines().count() <= 25 && text.lines().all(|line| line.chars().count() <= 80)
}

/// What is in `dir`, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string();
    let mut names: Vec<String> = fs::read_dir(dir).unwrap().map(|e| name(e).unwrap()).collect();
    names.sort();
    names
}

/// What distinguishes a file from another of that name and content: its inode and its time.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> (u64, std::time::SystemTime) {
    use std::os::unix::fs::MetadataExt as _;
    let meta = fs::metadata(path).unwrap();
    (meta.ino(), meta.modified().unwrap())
}

/// What distinguishes a file from another of that name and content: its time.
#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> std::time::SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}
