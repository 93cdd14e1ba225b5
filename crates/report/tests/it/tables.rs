//! The tables of a sweep and the notes beside them.
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
fn answers_are_beside_the_target() {
    let page = sweep("x", &sizing(), 1, None);
    assert!(page.contains("Enough: victims at least 98 % of the best: &lt;made up&gt;."));
    assert!(page.contains("<li>one seed: &lt;made up&gt;</li>"));
    let table = table_after(&page, "aria-label=\"Answers\"");
    // of those with 1 to 16 SAQs the first that is enough, then five schemes without SAQs
    assert_eq!(table.matches("<tr").count(), 1 + 1 + 5);
    let row = |name: &str| {
        let row = table.split("<tr").find(|row| row.contains(&format!("<span>{name}</span></th>")));
        row.unwrap_or_else(|| panic!("{name} in {table}")).to_string()
    };
    assert!(row("recn").starts_with(" class=\"yes\"") && row("recn").contains(">8</td>"));
    assert!(row("voq-net").contains("<td>no SAQs</td>") && row("voq-net").contains(">100.0</td>"));
    assert!(!row("1q").contains("class=\"yes\"") && row("1q").contains("<td>\u{2212}"));
    let what = "The throughput of victims (flows to no hot destination) in window during";
    assert!(page.contains(what));
}

// "One meaning of ± everywhere", stated where there is any.
#[test]
fn intervals_are_below_their_means() {
    let page = sweep("x", &sizing(), 3, None);
    let results = table_after(&page, "<h2>All points</h2>");
    assert!(results.matches("<small>\u{b1}").count() > 20, "{results}");
    assert!(!results.contains(".."), "no ranges");
    assert!(page.contains("\u{b1}: half of the 95 % interval over the replicas"));
    let one = sweep("x", &sizing(), 1, None);
    assert!(!one.contains('\u{b1}'));
}

#[test]
fn bounds_starved_flows_and_unsteady_points_are_marked() {
    let page = sweep("x", &sizing(), 1, None);
    let results = table_after(&page, "<h2>All points</h2>");
    assert!(
        results.contains(">&gt;= 1\u{202f}800\u{202f}000<small>6.5 % undelivered</small></td>")
    );
    assert_eq!(results.matches("&gt;=").count(), 2, "p99 and mean");
    assert_eq!(results.matches("<td class=\"bad\"").count(), 1);
    assert_eq!(results.matches(">*</span>").count(), 1);
    assert!(page.contains("<p class=\"note bad\">*: second half of the measured time differs"));
    // the others are asked for
    let more = "class=\"more\" title=\"switch_control_bits\"";
    assert!(results.contains(more) && page.contains(".points .more { display: none; }"));
    let keys = "title=\"switch.scheme = recn, recn.saqs = 4\">";
    assert!(results.contains(keys), "short names, keys beside them");
    assert!(results.contains("<span>recn \u{b7} 4 SAQs</span></th>"));
}

#[test]
fn the_best_of_a_column_is_marked_and_what_is_the_same_is_shown_once() {
    let same = |shape| crate::common::Shape { bits: 10, ..shape };
    let page = sweep("x", &sizing().into_iter().map(same).collect::<Vec<_>>(), 1, None);
    let results = table_after(&page, "<h2>All points</h2>");
    let row = |name: &str| results.split("<tr>").find(|r| r.contains(name)).unwrap();
    let best = |name: &str| row(name).matches("class=\"best\" style=\"--w:").count();
    assert!(best(">voq-net<") >= 4 && best(">recn \u{b7} 1 SAQ<") == 0);
    assert!(page.contains("The same at all points: ") && page.contains(" control / port 10 bit"));
    assert!(!results.contains("title=\"port_control_bits\""));
}

// "a point of one replica [must not be printed] as whole"
#[test]
fn point_whose_replicas_are_not_all_there_is_marked() {
    let page = sweep("x", &sizing(), 3, Some(4));
    assert_eq!(page.matches("<small class=\"bad\">2 of 3 replicas</small>").count(), 1);
    assert!(!sweep("x", &sizing(), 3, None).contains("replicas</small>"));
}

// One damaged run does not cost the page of the others.
#[test]
fn unreadable_run_is_listed_and_the_others_are_drawn() {
    let tmp = tempfile::tempdir().unwrap();
    write_sweep(tmp.path(), "x", &sizing(), 1, None);
    fs::write(tmp.path().join("runs/03-run/series.csv"), "t_ns,delivered_bytes_per_ns\n0,many\n")
        .unwrap();
    fs::remove_file(tmp.path().join("runs/05-run/series.csv")).unwrap();
    let page = report::render(tmp.path()).unwrap();
    elements(&page);
    assert!(page.contains("10 points, 10 runs: 8 finished, 2 unreadable"));
    for run in ["03-run", "05-run"] {
        let line = page.lines().find(|l| l.starts_with(&format!("<li>{run}: unreadable: ")));
        assert!(line.is_some_and(|l| l.contains("series.csv")), "{run}");
    }
    let figure = page.split("id=\"throughput\"").nth(1).unwrap();
    let figure = figure.split("</figure>").next().unwrap();
    assert_eq!(figure.matches("aria-pressed=\"true\"").count(), 8);
}

#[test]
fn what_is_not_a_store_is_a_typed_error() {
    let tmp = tempfile::tempdir().unwrap();
    assert!(matches!(report::render(tmp.path()), Err(report::ReportError::NotAStore { .. })));
    fs::write(
        tmp.path().join("results.json"),
        r#"{"format":2,"name":"","scenario":"","axes":[],"columns":[],"points":[],"runs":[]}"#,
    )
    .unwrap();
    assert!(report::render(tmp.path()).unwrap_err().to_string().contains("format 2 is not known"));
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
