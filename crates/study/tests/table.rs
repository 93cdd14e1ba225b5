//! What the table of a sweep says, on records made by hand.
mod common;

use common::{jobs, record, record_of};
use std::fs;
use std::path::Path;
use study::{
    COLUMNS, Exit, Job, Outcome, Quiet, RunFailure, RunRow, SweepOptions, Table, run_sweep,
};

fn table(jobs: Vec<Job>, outcome: impl Fn(&Job) -> Outcome) -> Table {
    let rows = jobs.into_iter().map(|job| RunRow {
        outcome: outcome(&job),
        job,
    });
    Table::new("saq-sizing", "case-2.toml", rows.collect())
}

fn value(values: &[Option<f64>], name: &str) -> Option<f64> {
    values[COLUMNS.iter().position(|c| c.name == name).unwrap()]
}

#[test]
fn row_has_the_throughput_of_each_window_and_the_cost() {
    let Outcome::Finished(row) = Outcome::of(&record(10.0), &common::WINDOWS, common::BINS) else {
        panic!()
    };
    let expected = [
        ("delivered_bytes_per_ns", Some(9.0)),
        ("relative_throughput", None), // the topology defines no maximum
        ("before_bytes_per_ns", Some(10.0)),
        ("during_bytes_per_ns", Some(7.5)), // 10, 5, 5, 10
        ("worst_dip_bytes_per_ns", Some(5.0)),
        ("after_bytes_per_ns", Some(10.0)),
        ("saqs_peak_ingress", Some(2.0)),
        ("saqs_peak_egress", Some(1.0)),
        ("saqs_peak_injection", Some(3.0)),
        ("saq_refusals", Some(5.0)),
        ("latency_p99_ns", Some(1e4 / 3.0)),
        ("network_latency_p99_ns", Some(250.5)),
        ("port_control_bits", Some(5_520.0)),
        ("switch_control_bits", Some(88_320.0)),
    ];
    assert_eq!(COLUMNS.len(), expected.len());
    for (name, expected) in expected {
        assert_eq!(value(&row, name), expected, "{name}");
    }
}

// Two columns of one heading cannot be told apart.
#[test]
fn headings_are_unique() {
    let mut titles: Vec<&str> = COLUMNS.iter().map(|c| c.title).collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), COLUMNS.len());
}

// "With replicas: mean and min..max per point over replicas."
#[test]
fn point_is_the_mean_and_range_of_the_replicas_that_finished() {
    let table = table(jobs(3), |job| match (job.index, job.replica) {
        (_, 2) => Outcome::Failed(RunFailure {
            exit: Exit::Deadlock,
            message: "deadlock".into(),
        }),
        (_, replica) => Outcome::of(&record(10.0 + f64::from(replica)), &job.windows, job.bins),
    });
    assert_eq!(table.points.len(), 4);
    let point = &table.points[1];
    assert_eq!(
        (point.name.as_str(), point.runs.as_slice(), point.finished),
        ("recn, saqs 1", [3, 4, 5].as_slice(), 2)
    );
    let delivered = point.values[0].unwrap();
    assert_eq!(
        (delivered.mean, delivered.min, delivered.max),
        (9.45, 9.0, 9.9)
    );
    assert!(
        table.to_text().contains("9.45 [9.00..9.90]"),
        "{}",
        table.to_text()
    );
}

#[test]
fn axis_that_only_some_points_have_keeps_its_place() {
    let mut jobs = jobs(1);
    for job in &mut jobs {
        job.labels.push(("workload.load".into(), "0.5".into()));
    }
    let table = table(jobs, |_| Outcome::NotRun);
    assert_eq!(table.axes, ["switch.scheme", "recn.saqs", "workload.load"]);
    let csv = String::from_utf8(table.to_csv().unwrap()).unwrap();
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .starts_with("0,00-1q,1q,,0.5,0,7,not run,,,"),
        "{csv}"
    );
}

#[test]
fn text_is_aligned_and_has_its_units_in_the_header() {
    let text = table(jobs(1), |job| match job.index {
        0 => Outcome::NotRun,
        _ => Outcome::of(&record_of(job), &job.windows, job.bins),
    })
    .to_text();
    let expected = "\
switch.scheme  recn.saqs  delivered  before  during  worst dip  after    SAQs in   SAQs out  SAQs inject  refused         message p99  network p99  control / port  control / switch
                               B/ns    B/ns    B/ns       B/ns   B/ns  peak/port  peak/port    peak/node     SAQs  ns from generation           ns             bit               bit
-------------  ---------  ---------  ------  ------  ---------  -----  ---------  ---------  -----------  -------  ------------------  -----------  --------------  ----------------
1q             -               none    none    none       none   none       none       none         none     none                none         none            none              none
recn           1               9.30   10.33    7.75       5.17  10.33          2          1            3        5                3333          250            5520             88320
recn           2               9.60   10.67    8.00       5.33  10.67          2          1            3        5                3333          250            5520             88320
recn           4               9.90   11.00    8.25       5.50  11.00          2          1            3        5                3333          250            5520             88320
not run: 00-1q
";
    assert_eq!(text, expected, "\n{text}");
}

/// The store's layout is a contract with the report and with users' scripts: a change shows in the diff of `tests/pinned`, which
/// the report reads in its tests. `STUDY_PIN=write cargo test -p study` writes it anew.
#[test]
fn layout_of_a_sweep_is_as_pinned() {
    let tmp = tempfile::tempdir().unwrap();
    let options = SweepOptions {
        name: "saq-sizing".into(),
        scenario: "garcia-trees-2005/case-2.toml".into(),
        workers: 1,
        ..SweepOptions::new(tmp.path().to_path_buf())
    };
    let run = |job: &Job| match job.index {
        3 => Err(RunFailure {
            exit: Exit::Deadlock,
            message: "deadlock at 12 us".into(),
        }),
        _ => Ok(record_of(job)),
    };
    run_sweep(&jobs(2)[..5], &options, run, &Quiet).unwrap();
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pinned");
    if std::env::var("STUDY_PIN").as_deref() == Ok("write") {
        for (name, bytes) in common::all_files(tmp.path()) {
            fs::create_dir_all(pinned.join(&name).parent().unwrap()).unwrap();
            fs::write(pinned.join(&name), bytes).unwrap();
        }
    }
    let (is, was) = (common::all_files(tmp.path()), common::all_files(&pinned));
    let names = |files: &[(String, Vec<u8>)]| {
        files
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&is), names(&was));
    for ((name, is), (_, was)) in is.iter().zip(&was) {
        assert_eq!(
            String::from_utf8_lossy(is),
            String::from_utf8_lossy(was),
            "{name}"
        );
    }
}
