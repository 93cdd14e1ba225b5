//! The table of a sweep, on records made by hand.
use crate::common::{TIMES, all_files, failed, jobs, options, record, record_of};
use observe::{LatencyFigure, Summary, UntilResult, UntilSummary, WindowResult};
use std::fs;
use std::path::Path;
use study::lines::sentence;
use study::{
    COLUMNS, Exit, FlowSet, Job, MEASURED, Measured, Outcome, Quiet, RunRow, Shown, Table,
    UNSTEADY, run_sweep, window_rows,
};

fn table(jobs: Vec<Job>, outcome: impl Fn(&Job) -> Outcome) -> Table {
    let rows = jobs.into_iter().map(|job| RunRow { outcome: outcome(&job), job });
    Table::new("saq-sizing", "case-2.toml", rows.collect())
}

/// The table of records of level 10, with what is changed of their summaries.
fn changed(jobs: Vec<Job>, change: impl Fn(&Job, &mut Summary)) -> Table {
    table(jobs, |job| {
        let mut summary = record(10.0).summary;
        change(job, &mut summary);
        Outcome::of(&summary, job.times)
    })
}

fn csv(table: &Table) -> String {
    String::from_utf8(table.to_csv().unwrap()).unwrap()
}

// All other columns are pinned below.
#[test]
fn row_has_the_results_of_a_run() {
    let mut summary = record(12.0).summary;
    summary.out_of_order = 17;
    summary.reordered_by = Some("several ways".into());
    summary.until = Some(UntilSummary {
        metric: "delivered_bytes_per_ns".into(),
        result: UntilResult::Saturated,
        mean_bytes_per_ns: 10.8,
        half_width: Some(0.02),
        confidence: 0.95,
        warmup_ns: 10_000.0,
        duration_ns: 60_000.0,
        batches: 12,
        attempts: 2,
    });
    let Outcome::Finished(row) = Outcome::of(&summary, TIMES) else { panic!() };
    // The measured time is the one that was found.
    let measured = (row.windows[0].start_ns, row.windows[0].end_ns);
    assert_eq!(measured, (10_000.0, 60_000.0));
    for (name, value, at_least) in [
        ("delivered_bytes_per_ns", 10.8, false),
        ("of_ideal", 0.9, false),
        ("during_bytes_per_ns", 9.0, false),
        ("victims_during_of_ideal", 0.5, false),
        ("hot_during_bytes_per_ns", 6.0, false),
        ("out_of_order", 17.0, false),
        ("saturated", 1.0, false),
        ("not_converged", 0.0, false),
        ("half_width", 0.02, false),
        ("latency_p99_ns", 1e4 / 3.0, true),
        ("latency_mean_ns", 0.1 + 0.2, true),
    ] {
        assert_eq!(row.value(name), Some(Measured { value, at_least }), "{name}");
    }
    assert_eq!(row.value("latency_p999_ns"), None);
}

// A run without windows, victims or a bound has no figures of them.
#[test]
fn what_a_run_does_not_define_has_no_value() {
    let Outcome::Finished(row) = Outcome::of(&observe::Summary::default(), TIMES) else { panic!() };
    for column in COLUMNS {
        let is_count = ["saqs_peak_", "saq_refusals"].iter().any(|c| column.name.starts_with(c));
        let is_defined = is_count || column.name.ends_with("_bits");
        assert_eq!(row.value(column.name).is_some(), is_defined, "{}", column.name);
    }
}

// "Student-t 95 % intervals wherever a mean is printed": of two values 12.706 times half of their
// distance.
#[test]
fn point_is_the_mean_interval_and_range_of_the_replicas_that_finished() {
    let table = table(jobs(3), |job| match (job.index, job.replica) {
        (_, 2) => Outcome::Failed(failed(Exit::Deadlock, "deadlock").unwrap_err()),
        (_, replica) => Outcome::of(&record(10.0 + f64::from(replica)).summary, job.times),
    });
    assert_eq!(table.points.len(), 4);
    let point = &table.points[1];
    assert_eq!((point.name.as_str(), point.finished), ("recn, saqs 1", 2));
    assert_eq!(point.runs, [3, 4, 5]);
    let delivered = point.values[0].unwrap();
    assert_eq!((delivered.mean, delivered.min, delivered.max), (9.45, 9.0, 9.9));
    let half = delivered.half_95.expect("two replicas");
    assert!((half - 12.706_205 * 0.45).abs() < 1e-5, "{half}");
    let text = table.to_text();
    assert!(text.contains("9.45 ±5.72"), "{text}");
    let of_json = &table.to_json()["points"][1]["half_95"]["delivered_bytes_per_ns"];
    assert_eq!(of_json.as_f64(), Some(half));
    assert!(text.contains(" 2 of 3 "), "{text}");
}

// Where a table is too wide victims and hot flows stay.
#[test]
fn narrow_table_keeps_victims_and_hot_flows_apart() {
    let table = table(jobs(2), |job| {
        let level = 12.0 + 2.0 * f64::from(job.replica);
        Outcome::of(&record(level).summary, job.times)
    });
    let text = table.to_text_of(&Shown::default());
    let rows = || text.lines().take_while(|line| !line.contains("not shown"));
    assert!(rows().all(|line| line.chars().count() <= 80), "{text}");
    // during: victims 3 and 3.5, the others 6 and 7
    let point = rows().last().unwrap();
    assert!(point.contains(" 3.25 ±3.18 ") && point.contains(" 6.50 ±6.35 "), "{text}");
    assert!(text.contains("\n±: half of the 95 % interval over 2 seeds, by Student's t\n"));
    assert!(text.contains("not shown: ") && text.contains("before, "), "{text}");
    let one = self::table(jobs(1), |job| Outcome::of(&record_of(job).summary, job.times));
    assert!(!one.to_text().contains('±'), "one seed has no interval");
}

// One replica of several is no whole point: `--max-runs` must not make it look like one.
#[test]
fn point_whose_replicas_are_not_all_there_is_marked() {
    let cut: Vec<Job> = jobs(3).into_iter().take(4).collect();
    let table = table(cut, |job| Outcome::of(&record_of(job).summary, job.times));
    let parts = table.points.iter().map(|p| (p.finished, p.replicas, p.lacks_replicas()));
    assert_eq!(parts.collect::<Vec<_>>(), [(3, 3, false), (1, 3, true)]);
    let text = table.to_text();
    let row = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(row("recn").contains("1 of 3"), "{text}");
    assert!(!row("1q").contains(" of "), "{text}");
    assert!(csv(&table).lines().last().unwrap().starts_with("3,03-recn-1,recn,1,0,3,7,ok,"));
    let point = &table.to_json()["points"][1];
    assert_eq!((&point["replicas"], &point["finished"]), (&3.into(), &1.into()));
}

// A bound among the replicas makes bounds of mean and range.
#[test]
fn mean_over_a_bound_is_a_bound() {
    let table = changed(jobs(2)[..2].to_vec(), |job, summary| {
        if job.replica == 0 {
            summary.latency_ns.lower_bounds.clear();
            summary.latency_ns.undelivered = Some(0.0);
        }
    });
    let p99 = table.points[0].value("latency_p99_ns").unwrap();
    assert!(p99.at_least && p99.half_95.is_none());
    assert!(!table.points[0].value("victims_latency_p99_ns").unwrap().at_least);
    let text = table.to_text();
    assert!(text.contains(">= 3333 (3.2 %)"), "{text}");
    assert!(text.contains(">= x (y %): at least x;"), "{text}");
    let csv = csv(&table);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = |name: &str| head.iter().position(|c| *c == name).unwrap();
    let bound = at("latency_p99_is_lower_bound");
    assert_eq!(bound, at("latency_p99_ns") + 1);
    let bounds: Vec<&str> = lines.map(|fields| fields[bound]).collect();
    assert_eq!(bounds, ["false", "true"]);
}

#[test]
fn steady_points_have_no_mark_and_others_say_what_it_means() {
    let text = |differs: bool| {
        let change = |job: &Job, summary: &mut Summary| {
            summary.steady.as_mut().unwrap().differs = differs && job.index == 1;
        };
        changed(jobs(1)[..2].to_vec(), change).to_text()
    };
    let marked = text(true);
    for part in ["recn *  ", "1q  ", &sentence(&format!("*: {UNSTEADY}"))] {
        assert!(marked.contains(&format!("\n{part}")), "{part} {marked}");
    }
    assert!(!text(false).contains('*'));
}

// Of two windows each reports in how many runs flows starved in it.
#[test]
fn windows_in_which_flows_starve_are_named() {
    let table = changed(jobs(1), |job, summary| {
        for (n, window) in summary.windows.values_mut().enumerate() {
            window.flows_starved = Some((n * job.index) as u64);
        }
    });
    let text = table.to_text();
    // by name: after has none, before one, during two a job
    assert!(!text.contains("window `after`: flows"), "{text}");
    let [before, during] = [
        "window `before`: flows starved in 3 of 4 runs, the most 3, in 03-recn-4; windows.csv",
        "window `during`: flows starved in 3 of 4 runs, the most 6, in 03-recn-4; windows.csv",
    ]
    .map(sentence);
    assert!(text.contains(&format!("{before}{during}")), "{text}");
}

// A window that is empty or cut has a reason, and one with a name of its own is not lost.
#[test]
fn windows_that_are_not_whole_say_why() {
    let text = |windows: &[(&str, Option<&str>)]| {
        let table = changed(jobs(1), |job, summary| {
            let window = |(name, note): &(&str, Option<&str>)| {
                let note = note.filter(|_| job.index > 1).map(String::from);
                (name.to_string(), WindowResult { note, ..WindowResult::default() })
            };
            summary.windows = windows.iter().map(window).collect();
        });
        table.to_text()
    };
    let shown = text(&[("during", Some("the run ends before")), ("before", None)]);
    assert!(shown.contains("window `during`: the run ends before (2 of 4 runs)\n"), "{shown}");
    assert!(!shown.contains("window `before`"), "{shown}");
    let shown = text(&[("early", None), ("late", None)]);
    assert!(shown.contains("windows `early`, `late`: in windows.csv\n"), "{shown}");
}

#[test]
fn axis_that_only_some_points_have_keeps_its_place() {
    let mut jobs = jobs(1);
    for job in &mut jobs {
        job.labels.push(("workload.load".into(), "0.5".into()));
    }
    let table = table(jobs, |_| Outcome::NotRun);
    assert_eq!(table.axes, ["switch.scheme", "recn.saqs", "workload.load"]);
    let csv = csv(&table);
    assert!(csv.lines().nth(1).unwrap().starts_with("0,00-1q,1q,,0.5,0,1,7,not run,,,"), "{csv}");
}

// "A mean of p99s is not a p99": that of a point is of all messages of its replicas together.
#[test]
fn latencies_of_a_point_are_those_of_its_replicas_together() {
    let tmp = tempfile::tempdir().unwrap();
    let run = |job: &Job| Ok(record(10.0 + f64::from(job.replica)));
    let table = run_sweep(&jobs(2)[..2], &options(tmp.path()), run, &Quiet).unwrap().table;
    // 70 of 100 and 110 ns each, 29 of 300 and 330 with one that had not arrived, two of 1000
    let latency = table.points[0].latency.as_ref().expect("two runs");
    let summary = &latency.summary_ns;
    assert_eq!((summary.p50, summary.p99, summary.p999), (Some(110.0), Some(330.0), Some(1_000.0)));
    assert_eq!(summary.undelivered, Some(0.01));
    assert_eq!(summary.lower_bounds, [LatencyFigure::P99, LatencyFigure::P999]);
    let merged = &table.to_json()["points"][0]["judged"]["merged_latency_ns"];
    assert_eq!(merged["p99"], 330.0, "{merged}");
    let csv = fs::read_to_string(tmp.path().join("latency.csv")).unwrap();
    let expected = "\
point,switch.scheme,window,flows,latency_ns,count,undelivered
0,1q,during,victims,100,70,0
0,1q,during,victims,110,70,0
0,1q,during,victims,300,29,1
0,1q,during,victims,330,29,1
0,1q,during,victims,1000,2,0
";
    assert_eq!(csv, expected);
}

#[test]
fn windows_come_in_order_of_time_and_empty_ones_of_a_tree_in_theirs() {
    let mut summary = record(1.0).summary;
    let mut put = |name: &str, start: f64, end: f64| {
        summary.windows.insert(name.into(), crate::common::window(start, end, 1.0));
    };
    put("a-late-one", 60_000.0, 70_000.0);
    put("before", 80_000.0, 80_000.0);
    put("during", 80_000.0, 80_000.0);
    put("after", 80_000.0, 80_000.0);
    put("z-early-one", 0.0, 10_000.0);
    let rows = window_rows(&summary, TIMES).into_iter().filter(|row| row.flows == FlowSet::All);
    let names: Vec<String> = rows.map(|row| row.window).collect();
    let expected = [MEASURED, "z-early-one", "a-late-one", "before", "during", "after"];
    assert_eq!(names, expected);
}

#[test]
fn text_is_aligned_and_has_its_units_in_the_header() {
    let text = table(jobs(2), |job| match job.index {
        0 | 1 => Outcome::NotRun,
        _ => Outcome::of(&record_of(job).summary, job.times),
    })
    .to_text();
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table.txt");
    if std::env::var("STUDY_PIN").as_deref() == Ok("write") {
        fs::write(&pinned, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&pinned).unwrap(), "\n{text}");
}

/// The store's layout is a contract with the report and with users' scripts: a change shows in the
/// diff of `tests/pinned`, which the report reads in its tests.
/// `STUDY_PIN=write cargo test -p study` writes it anew.
#[test]
fn layout_of_a_sweep_is_as_pinned() {
    let tmp = tempfile::tempdir().unwrap();
    let run = |job: &Job| match job.index {
        3 => failed(Exit::Deadlock, "deadlock at 12 us"),
        _ => Ok(record_of(job)),
    };
    run_sweep(&jobs(2)[..5], &options(tmp.path()), run, &Quiet).unwrap();
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pinned");
    if std::env::var("STUDY_PIN").as_deref() == Ok("write") {
        for (name, bytes) in all_files(tmp.path()) {
            fs::create_dir_all(pinned.join(&name).parent().unwrap()).unwrap();
            fs::write(pinned.join(&name), bytes).unwrap();
        }
    }
    let (is, was) = (all_files(tmp.path()), all_files(&pinned));
    assert!(is.iter().map(|file| &file.0).eq(was.iter().map(|file| &file.0)), "other files");
    for ((name, is), (_, was)) in is.iter().zip(&was) {
        assert_eq!(String::from_utf8_lossy(is), String::from_utf8_lossy(was), "{name}");
    }
}
