//! The tables of a sweep and what is said beside them.
use crate::common::{elements, shape, sizing, sweep, table_after, write_sweep};
use std::fs;

#[test]
fn failed_run_is_listed_with_its_error() {
    let page = sweep("x", &sizing(), 1, Some(2));
    assert!(page.contains(
        "<li>02-run: failed with exit code 3: deadlock at 12 us: &lt;port 3&gt; &amp; others</li>"
    ));
    assert!(page.contains("10 points, 10 runs: 9 finished, 1 failed"));
}

#[test]
fn sentence_of_the_study_is_on_the_page() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(page.contains("<li>recn: 8 SAQs are enough: &lt;made up&gt;</li>"));
    assert!(
        page.contains("Throughput of the victims (flows to no hot destination) in window during")
    );
}

#[test]
fn bounds_starved_flows_and_unsteady_points_are_marked() {
    let page = sweep("x", &sizing(), 1, None);
    let results = table_after(&page, "<h2>Results</h2>");
    assert!(
        results.contains(">&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small></td>")
    );
    assert_eq!(results.matches("&gt;=").count(), 1);
    assert_eq!(
        results
            .matches("<td class=\"bad\" data-v=\"1\">1</td>")
            .count(),
        1
    );
    assert_eq!(results.matches(">*</span>").count(), 1);
    assert!(page.contains("<p class=\"note bad\">*: second half of the measured time differs"));
    assert!(!results.contains("control / switch"), "the short table");
    let saqs = "title=\"recn.saqs\"><button type=\"button\">SAQs a port<small></small>";
    assert!(results.contains(saqs), "plain names, keys beside them");
    assert!(table_after(&page, "<summary>More columns</summary>").contains("control / switch"));
}

#[test]
fn every_set_of_flows_has_a_line_with_every_window() {
    let page = sweep("x", &sizing(), 3, None);
    let table = table_after(&page, "<h2>Flows and windows</h2>");
    assert_eq!(table.matches("<tr").count(), 2 + 10 * 3);
    for heading in ["Delivered", "Worst dip", "Starved", "Message p99"] {
        assert!(table.contains(heading), "{heading}");
    }
    assert_eq!(table.matches(">victims</td>").count(), 10);
    assert!(table.contains("&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small>"));
    assert!(page.contains("during: 800\u{202f}000 to 1\u{202f}400\u{202f}000 ns. after:"));
    assert!(
        page.contains("ns; cut: &lt;made up&gt;. Latencies"),
        "why a window is cut"
    );
    let csv = page.split("download=\"windows.csv\"").nth(1).unwrap();
    let csv = csv.split("</a>").next().unwrap();
    assert_eq!(csv.matches("%0A").count(), 1 + 10 * 3 * 4 * 3);
}

// "a point of one replica [must not be printed] as whole"
#[test]
fn point_whose_replicas_are_not_all_there_says_so() {
    let page = sweep("x", &sizing(), 3, Some(4));
    assert_eq!(
        page.matches("<small class=\"bad\">2 of 3 replicas</small>")
            .count(),
        2
    );
    let csv = page.split("download=\"points.csv\"").nth(1).unwrap();
    assert!(csv.contains(",3,2,"));
    assert!(!sweep("x", &sizing(), 3, None).contains("replicas</small>"));
}

// One damaged run does not cost the page of the others.
#[test]
fn unreadable_run_is_listed_and_the_others_are_drawn() {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "x", &sizing(), 1, None);
    fs::write(
        tmp.path().join("runs/03-run/series.csv"),
        "t_ns,delivered_bytes_per_ns\n0,many\n",
    )
    .unwrap();
    fs::remove_file(tmp.path().join("runs/05-run/series.csv")).unwrap();
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    assert!(page.contains("10 points, 10 runs: 8 finished, 2 unreadable"));
    for run in ["03-run", "05-run"] {
        let line = page
            .lines()
            .find(|l| l.starts_with(&format!("<li>{run}: unreadable: ")));
        assert!(line.is_some_and(|l| l.contains("series.csv")), "{run}");
    }
    let figure = page.split("id=\"throughput\"").nth(1).unwrap();
    let figure = figure.split("</figure>").next().unwrap();
    assert_eq!(figure.matches("<button").count(), 8);
}

#[test]
fn what_is_not_a_store_is_a_typed_error() {
    let tmp = tempfile::tempdir().unwrap();
    assert!(matches!(
        report::render(tmp.path()),
        Err(report::ReportError::NotAStore { .. })
    ));
    fs::write(
        tmp.path().join("results.json"),
        r#"{"format":2,"name":"","scenario":"","axes":[],"columns":[],"points":[],"runs":[]}"#,
    )
    .unwrap();
    assert!(
        report::render(tmp.path())
            .unwrap_err()
            .to_string()
            .contains("format 2 is not known")
    );
}

#[test]
fn long_tables_are_closed_until_asked_for() {
    let point = |n: u32| {
        let value = n.to_string();
        shape(&value, &[("link.wire_ns", &value)], 0.5, 0, 10)
    };
    let of = |count: u32| sweep("x", &(0..count).map(point).collect::<Vec<_>>(), 1, None);
    assert!(of(61).contains("<summary>61 points</summary>"));
    assert!(!of(60).contains("points</summary>"));
}

#[test]
fn findings_call_keys_by_their_names() {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "x", &sizing(), 1, None);
    let path = tmp.path().join("results.json");
    let results = fs::read_to_string(&path).unwrap();
    let results = results.replace("recn: 8 SAQs", "`recn.saqs` 8: 8 SAQs");
    fs::write(&path, results).unwrap();
    let page = report::render(tmp.path()).unwrap();
    assert!(page.contains("<li>SAQs a port 8: 8 SAQs are enough: "));
}
